package import ReminderMatching
package import TriggerModel

extension Matcher {
  /// What events of a kind wake, and say.
  @inline(__always)
  func range(of kind: ObservedEvent.Kind) -> UnsafePointer<BucketRange> {
    UnsafePointer(tables.bucketsOfKind.base + Int(kind.rawValue))
  }

  /// Puts the matches of the reminders that listen to an event in the buffer, whose details are cleared.
  ///
  /// Triggers that nobody listens to are spent from the beginning, so that one question decides for both.
  ///
  /// - Parameter inside: Bit *r*: inside region *r*.
  // Here, and not beside what it calls: it is so short that it is to be a part of its caller.
  @inline(__always)
  mutating func look(
    for event: UnsafePointer<ObservedEvent>, in range: UnsafePointer<BucketRange>,
    from viewpoint: inout Viewpoint, inside: UInt32, into buffer: inout MatchBuffer
  ) {
    buffer.count = 0
    let subject = event.pointee.subject
    if subject >= range.pointee.count { return }
    let bucket = Int(range.pointee.first &+ subject)
    let key = (state.buckets.base + bucket).pointee.key
    if RowKey.isIdle(key) {
      counted.lookedAt &+= key == RowKey.spent ? 1 : 0
    } else if range.pointee.hasSingleWordRows || (tables.buckets.base + bucket).pointee.wordCount == 1 {
      evaluateWord(bucket, event, from: &viewpoint, inside: inside, into: &buffer)
    } else {
      evaluateRows(bucket, event, from: &viewpoint, inside: inside, into: &buffer)
    }
  }
}

extension ReminderProgram {
  /// The trigger's bucket that an event wakes, if any reminder listens.
  package func trigger(of event: ObservedEvent) -> UInt32? {
    tables.bucket(of: event.kind, event.subject).map { UInt32($0) }
  }

  /// Whether one of a declaration's triggers is an event; not for schedules, whose events name reminders.
  package func listens(_ declaration: UInt32, to event: ObservedEvent) -> Bool {
    tables.bucket(of: event.kind, event.subject).map { listens(declaration, in: $0) } ?? false
  }

  /// Whether one of a declaration's triggers is that of a bucket.
  package func listens(_ declaration: UInt32, in bucket: Int) -> Bool {
    places(of: declaration).contains { $0.bucket == bucket }
  }
}

package import ReminderMatching
package import TriggerModel

extension Matcher {
  /// Returns the trigger buckets of a kind of event.
  @inline(__always)
  func range(of kind: ObservedEvent.Kind) -> UnsafePointer<BucketRange> {
    UnsafePointer(tables.bucketsOfKind.base + Int(kind.rawValue))
  }

  /// Replaces the contents of the buffer with the matches of the reminders that listen to an event.
  ///
  /// Triggers without listeners are marked as spent from the start, so one check covers both cases.
  ///
  /// - Parameter inside: The regions that contain the phone: bit *r* for region *r*.
  // This method is declared in this module so that its caller can inline it.
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
  /// Returns the trigger bucket of an event, or `nil` if no reminder listens to it.
  package func trigger(of event: ObservedEvent) -> UInt32? {
    tables.bucket(of: event.kind, event.subject).map { UInt32($0) }
  }

  /// Returns whether an event is one of a declaration's triggers. Do not call it for schedules, because their
  /// events identify reminders.
  package func listens(_ declaration: UInt32, to event: ObservedEvent) -> Bool {
    tables.bucket(of: event.kind, event.subject).map { listens(declaration, in: $0) } ?? false
  }

  /// Returns whether one of a declaration's triggers belongs to a bucket.
  package func listens(_ declaration: UInt32, in bucket: Int) -> Bool {
    places(of: declaration).contains { $0.bucket == bucket }
  }
}

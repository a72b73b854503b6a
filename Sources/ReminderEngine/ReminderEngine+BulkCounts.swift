package import ReminderMatching
package import TriggerModel

/// The held matches of one instant, as words of 64 bits, with the events that triggered them.
package struct HeldMatches: Sendable {
  /// The held words, each with the index of its event. Each word occurs at most once.
  package fileprivate(set) var matches: [(found: MatchBatch, event: Int)] = []
  fileprivate var events: [ObservedEvent] = []
  /// The index of the last word found. The next search starts here, because words are looked up in ascending
  /// order.
  fileprivate var latest = 0
  /// The bits of the matches whose types are decided separately, for each word of the program. All bits are
  /// zero between decisions.
  package var apart: [UInt64] = []

  package var isEmpty: Bool { matches.isEmpty }

  mutating func clear() {
    matches.removeAll(keepingCapacity: true)
    events.removeAll(keepingCapacity: true)
    latest = 0
  }

  /// Returns the index of a held word, or `nil` if the word is not held.
  fileprivate mutating func position(ofWord word: UInt32) -> Int? {
    if latest + 1 < matches.count, matches[latest + 1].found.word == word {
      latest += 1
    } else {
      guard let index = matches.firstIndex(where: { $0.found.word == word }) else { return nil }
      latest = index
    }
    return latest
  }
}

/// Counts denied matches in bulk.
///
/// A denial undoes every effect of a match, except the number of requests made. The engine therefore does not
/// process a match that the scheduler may deny. Instead it holds the match until all events of the instant
/// are known. The scheduler then denies similar matches together, and the engine counts them. The other
/// matches make their requests as if they had not been held.
extension ReminderEngine {
  /// Whether any matches of the current instant are held.
  package var isHolding: Bool { !held.isEmpty }

  /// Appends the reminders whose denials were counted since the last call.
  package mutating func takeCounted(into counted: inout [CountedReminders]) {
    if self.counted.isEmpty { return }
    counted.append(contentsOf: self.counted)
    self.counted.removeAll(keepingCapacity: true)
  }

  /// Holds the matches of an event that the buffer contains as words.
  mutating func keep(_ buffer: MatchBuffer, of event: ObservedEvent) {
    counted.append(contentsOf: buffer.counted)
    if buffer.held.isEmpty { return }
    // Each possible outcome of a held match changes the stored state.
    matcher.hasChanged = true
    for found in buffer.held { held.matches.append((found, held.events.count)) }
    held.events.append(event)
  }

  /// Returns whether an event leaves the held matches unchanged. This is true if the event has the same
  /// moment, triggers only other reminders, and causes neither a command nor a plan.
  package func holdsBeside(_ event: ObservedEvent) -> Bool {
    guard let last = held.events.last, last.moment == event.moment else { return false }
    switch event.kind {
    case .unlock, .lock, .chargingStarted, .chargingStopped, .batteryLevel, .appOpened, .opened,
      .backgrounded,
      .regionEntered, .regionExited, .regionFailed, .delivered, .tapped, .dismissed, .acted, .addFailed,
      .pendingDropped:
      guard let trigger = program.trigger(of: event) else { return true }
      return !held.matches.contains { $0.found.trigger == trigger }
    case .factChanged, .factFound, .zoneChanged, .clockChanged, .permissionChanged, .launched,
      .storeAvailable,
      .woken, .reinstalled, .snooze, .cancel, .create, .edit, .cancelAll, .preferencesChanged, .located,
      .deliveredElsewhere:
      return false
    }
  }

  /// Makes the requests of all held matches. Call this before an event for which ``holdsBeside(_:)`` is
  /// `false`.
  package mutating func requestHeld(into effects: inout [EngineEffect]) {
    for index in held.matches.indices {
      requestHeld(held.matches[index].found.bits, at: index, into: &effects)
    }
    held.clear()
  }

  /// Makes the requests of some held matches.
  /// - Returns: The event that triggered them.
  @discardableResult
  package mutating func requestHeld(
    _ bits: UInt64, at index: Int, into effects: inout [EngineEffect]
  ) -> ObservedEvent {
    let event = held.events[held.matches[index].event]
    var found = held.matches[index].found
    held.matches[index].found.bits &= ~bits
    found.bits = bits
    var buffer = MatchBuffer()
    swap(&buffer, &memory.buffer)
    buffer.clear()
    matcher.take(found, into: &buffer)
    ask(buffer, of: event, into: &effects)
    swap(&buffer, &memory.buffer)
    return event
  }

  /// Makes the request of a reminder's held match.
  /// - Returns: The event that triggered it, or `nil` if the reminder has no held match.
  package mutating func requestHeld(
    of reminder: ReminderID, into effects: inout [EngineEffect]
  ) -> ObservedEvent? {
    guard let place = place(of: reminder),
      let index = held.matches.firstIndex(where: {
        $0.found.word == place.word && $0.found.bits & place.bit != 0
      })
    else { return nil }
    return requestHeld(place.bit, at: index, into: &effects)
  }

  /// Returns the word and bit of a reminder in the program.
  package func place(of reminder: ReminderID) -> (word: UInt32, bit: UInt64)? {
    isKnown(reminder) ? program.place(of: declarationInForce(reminder)) : nil
  }

  /// Returns the last request of a reminder, or `nil` if it has made none.
  package func latestRequest(of reminder: ReminderID) -> RequestID? {
    guard isKnown(reminder), case let count = matcher.memory(of: reminder).occurrences, count > 0 else {
      return nil
    }
    return RequestID(reminder: reminder, occurrence: count - 1)
  }

  /// Removes held matches that another engine has denied. This engine represents that engine on the truth
  /// track.
  ///
  /// - Returns: The bits that were held.
  package mutating func denyHeld(_ bits: UInt64, ofWord word: UInt32) -> UInt64 {
    guard let index = held.position(ofWord: word) else { return 0 }
    let denied = held.matches[index].found.bits & bits
    if denied != 0 { denyHeld(denied, at: index) }
    return denied
  }

  /// Returns the held bits of a bucket in a word, except those of types that are decided separately.
  package func common(_ bucket: Bucket, _ index: Int) -> UInt64 {
    common(bucket, held.matches[index].found)
  }

  private func common(_ bucket: Bucket, _ found: MatchBatch) -> UInt64 {
    found.bits & program.alike(found.word, bucket) & ~held.apart[Int(found.word)]
  }

  /// Returns the held bits of each bucket across all words, in the order of raw values. `apart` contains the
  /// bits of types that are decided separately.
  package func heldByBucket() -> (common: SIMD4<UInt64>, apart: SIMD4<UInt64>) {
    var (common, apart) = (SIMD4<UInt64>(), SIMD4<UInt64>())
    for index in held.matches.indices {
      let found = held.matches[index].found
      let alike = program.alikeByBucket(found.word)
      let isApart = held.apart[Int(found.word)]
      common |= alike & SIMD4(repeating: found.bits & ~isApart)
      apart |= alike & SIMD4(repeating: found.bits & isApart)
    }
    return (common, apart)
  }

  /// Denies and counts all held matches of a bucket, except those of types that are decided separately.
  package mutating func denyHeld(_ bucket: Bucket, _ reason: Reason, _ blockers: ReasonSet) {
    // Swap the array out, because otherwise each element access would check whether the array is shared.
    var matches: [(found: MatchBatch, event: Int)] = []
    swap(&matches, &held.matches)
    for index in matches.indices {
      var found = matches[index].found
      found.bits = common(bucket, found)
      if found.bits == 0 { continue }
      matches[index].found.bits &= ~found.bits
      counted.append(CountedReminders(word: found.word, bits: found.bits, .denied(reason, blockers)))
      matcher.count(found)
    }
    swap(&matches, &held.matches)
  }

  /// Denies and counts some held matches.
  package mutating func denyHeld(
    _ bits: UInt64, at index: Int, _ reason: Reason, _ blockers: ReasonSet
  ) {
    counted.append(
      CountedReminders(word: held.matches[index].found.word, bits: bits, .denied(reason, blockers)))
    denyHeld(bits, at: index)
  }

  private mutating func denyHeld(_ bits: UInt64, at index: Int) {
    var found = held.matches[index].found
    held.matches[index].found.bits &= ~bits
    found.bits = bits
    matcher.count(found)
  }

  /// Removes the words without held matches.
  package mutating func clearHeld() {
    held.matches.removeAll { $0.found.bits == 0 }
    if held.isEmpty { held.clear() }
  }
}

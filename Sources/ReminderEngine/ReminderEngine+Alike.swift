package import ReminderMatching
package import TriggerModel

/// The matches of one instant that are held as words, with the events that triggered them.
package struct HeldLooks: Sendable {
  /// Of different words, each with the event behind it.
  package fileprivate(set) var matches: [(found: MatchBatch, event: Int)] = []
  fileprivate var events: [ObservedEvent] = []
  /// Where the last word was found that was asked for by its number: they are asked for in their order.
  fileprivate var latest = 0
  /// By word of the program: the entries whose types are set apart. All zero but while they are decided on.
  package var apart: [UInt64] = []

  package var isEmpty: Bool { matches.isEmpty }

  mutating func clear() {
    matches.removeAll(keepingCapacity: true)
    events.removeAll(keepingCapacity: true)
    latest = 0
  }

  /// Where a word is held.
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

/// Matches that nobody need know of one by one.
///
/// What a match does before its request is denied, the denial undoes: what is left of both is that the reminder has
/// asked once more. So a match that would be denied need not be made. It is held at its instant, until all that
/// happens then is told; what the scheduler would say to many alike it says once, and they are counted. Whatever
/// is held and not denied so matches and asks as if it had done so at once.
extension ReminderEngine {
  /// Matches of this instant are held.
  package var isHolding: Bool { !held.isEmpty }

  /// Appends what was counted since it was asked for last.
  package mutating func takeCounted(into counted: inout [CountedReminders]) {
    if self.counted.isEmpty { return }
    counted.append(contentsOf: self.counted)
    self.counted.removeAll(keepingCapacity: true)
  }

  /// Takes over what a look has left as words.
  mutating func keep(_ buffer: MatchBuffer, of event: ObservedEvent) {
    counted.append(contentsOf: buffer.counted)
    if buffer.held.isEmpty { return }
    // Whatever they come to, it is to be stored.
    matcher.hasChanged = true
    for found in buffer.held { held.matches.append((found, held.events.count)) }
    held.events.append(event)
  }

  /// Whether an event leaves what is held as it is: it is of the same instant, wakes other reminders, and neither a
  /// person's command nor a plan comes of it.
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

  /// All that is held matches, and asks. To be called before any event that does not leave it as it is.
  package mutating func askHeld(into effects: inout [EngineEffect]) {
    for index in held.matches.indices { askHeld(held.matches[index].found.bits, at: index, into: &effects) }
    held.clear()
  }

  /// Some of what is held matches, and asks.
  /// - Returns: What triggered them.
  @discardableResult
  package mutating func askHeld(
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

  /// What is held of one reminder matches, and asks.
  /// - Returns: What triggered it; nil: nothing of it is held.
  package mutating func askHeld(
    of reminder: ReminderID, into effects: inout [EngineEffect]
  ) -> ObservedEvent? {
    guard let place = place(of: reminder),
      let index = held.matches.firstIndex(where: {
        $0.found.word == place.word && $0.found.bits & place.bit != 0
      })
    else { return nil }
    return askHeld(place.bit, at: index, into: &effects)
  }

  /// Where a reminder stands among the words of the program.
  package func place(of reminder: ReminderID) -> (word: UInt32, bit: UInt64)? {
    isKnown(reminder) ? program.place(of: declarationInForce(reminder)) : nil
  }

  /// The request that a reminder has made last; nil: none.
  package func latestRequest(of reminder: ReminderID) -> RequestID? {
    guard isKnown(reminder), case let count = matcher.memory(of: reminder).occurrences, count > 0 else {
      return nil
    }
    return RequestID(reminder: reminder, occurrence: count - 1)
  }

  /// Some of what is held another was denied, for whom this engine stands.
  /// - Returns: Those of the bits that were held.
  package mutating func denyHeld(_ bits: UInt64, ofWord word: UInt32) -> UInt64 {
    guard let index = held.position(ofWord: word) else { return 0 }
    let denied = held.matches[index].found.bits & bits
    if denied != 0 { denyHeld(denied, at: index) }
    return denied
  }

  /// What is held of a bucket in a word, but for the types that are set apart.
  package func common(_ bucket: Bucket, _ index: Int) -> UInt64 {
    common(bucket, held.matches[index].found)
  }

  private func common(_ bucket: Bucket, _ found: MatchBatch) -> UInt64 {
    found.bits & program.alike(found.word, bucket) & ~held.apart[Int(found.word)]
  }

  /// By bucket, in the order of its raw value: bits that are held in some word, and those of types that are set apart.
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

  /// All that is held of a bucket, but for the types that are set apart, is denied, and counted.
  package mutating func denyHeld(_ bucket: Bucket, _ reason: Reason, _ blockers: ReasonSet) {
    // Out of its place: whether the list is shared is asked for each of its elements otherwise.
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

  /// Some of what is held is denied, and counted.
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

  /// Forgets the words of which nothing is held any more.
  package mutating func clearHeld() {
    held.matches.removeAll { $0.found.bits == 0 }
    if held.isEmpty { held.clear() }
  }
}

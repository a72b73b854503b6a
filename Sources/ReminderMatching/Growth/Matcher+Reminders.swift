package import CivilTime
package import TriggerModel

/// What is changed of single reminders beside what their triggers lead to.
extension Matcher {
  /// Counts a request that no trigger led to.
  package mutating func countOccurrence(of reminder: ReminderID) {
    change()
    state.memories[reminder.index].occurrences &+= 1
  }

  /// A request is as if it had not been made.
  package mutating func takeBackOccurrence(of reminder: ReminderID) {
    change()
    state.memories[reminder.index].occurrences &-= 1
  }

  /// Forgets every match. Requests go on being numbered, and the facts are not the installation's.
  package mutating func reset() {
    noteAsked()
    let old = state
    use(program, MatcherState(of: program))
    for index in 0..<program.reminderCount {
      state.memories[index].occurrences = old.memories[index].occurrences
    }
    turns = [:]
    shownNumbers = []
    factSync.forget()
  }

  /// The number of the request of a reminder that was shown last, as far as the app knows.
  package func shown(of reminder: ReminderID) -> UInt32? {
    guard reminder.index < shownNumbers.count, shownNumbers[reminder.index] > 0 else { return nil }
    return shownNumbers[reminder.index] - 1
  }

  /// The phone is in a region that has no bit of a view, or not.
  package mutating func setInside(_ region: RegionID, _ isInside: Bool) {
    guard isInside != facts.farRegions.contains(region) else { return }
    if isInside { facts.farRegions.insert(region) } else { facts.farRegions.remove(region) }
    hasChanged = true
  }

  /// A request was shown: what is snoozed is the last that was. Nil: none was.
  package mutating func setShown(_ occurrence: UInt32?, of reminder: ReminderID) {
    if occurrence == shown(of: reminder) { return }
    if shownNumbers.isEmpty { shownNumbers = Array(repeating: 0, count: program.reminderCount) }
    shownNumbers[reminder.index] = occurrence.map { $0 &+ 1 } ?? 0
    hasChanged = true
  }

  /// A request was shown, after those that were before. One that this installation does not know is not its own.
  package mutating func wasShown(_ request: RequestID) {
    guard request.occurrence < memory(of: request.reminder).occurrences else { return }
    setShown(request.occurrence, of: request.reminder)
  }

  /// A request that counted as shown came to nothing.
  package mutating func wasNotShown(_ request: RequestID) {
    guard request.reminder.index < program.reminderCount, shown(of: request.reminder) == request.occurrence
    else { return }
    setShown(nil, of: request.reminder)
  }

  /// An edited reminder may fire again, whatever it did before. Its requests go on being counted.
  package mutating func forgetMatches(of reminder: ReminderID) {
    change()
    state.memories[reminder.index].forgetDays()
    setShown(nil, of: reminder)
    turns[reminder] = nil
  }

  /// Makes a declaration wait for its triggers, or stop waiting.
  package mutating func setWaiting(_ declaration: UInt32, live: Bool, armed: Bool) {
    change()
    for place in program.places(of: declaration) {
      setBit(.live, place, live)
      setBit(.armed, place, armed)
      state.buckets[Int(place.bucket)].key = RowKey.none
    }
  }

  /// An occurrence of a reminder was handed over, and counts for a day of its own: on that its turn is over
  /// in the buckets of its other triggers too.
  package mutating func handedOver(_ declaration: UInt32) {
    let places = program.places(of: declaration)
    let repeats = program.plans[Int(declaration)].repeats
    if places.count < 2 || repeats == .always || repeats == .once { return }
    change()
    for place in places {
      let current = state.buckets[Int(place.bucket)].day
      guard current != BucketState.unknown,
        hasMatched(declaration, inPeriodOf: CivilDate(dayNumber: current))
      else { continue }
      setBit(.live, place, false)
      state.buckets[Int(place.bucket)].key = RowKey.none
    }
  }

  /// Brings the buckets of a declaration to a date, so that what is then said about the declaration is
  /// said about that date.
  package mutating func bring(_ declaration: UInt32, to date: CivilDate) {
    own()
    for place in program.places(of: declaration) { bring(Int(place.bucket), to: date) }
  }
}

package import CivilTime
package import TriggerModel

/// Counts requests that were denied in bulk, for 64 reminders at a time. A reminder's count is added to its
/// memory when the reminder next matches individually.
extension Matcher {
  @inline(__always)
  mutating func countRequests(_ bits: UInt64, ofWord word: Int) {
    if bulkRequestCounts == nil, countsSeparately(bits, ofWord: word) { return }
    bulkRequestCounts?.add(bits, word)
  }

  /// If the program has edited or added reminders, counts each request separately, because a word does not
  /// identify its reminders then. Returns whether it did.
  @inline(never)
  private mutating func countsSeparately(_ bits: UInt64, ofWord word: Int) -> Bool {
    if program.plans.count > program.initialCount {
      for bit in Bits(bits) { state.memories[program.reminder(UInt32(word), bit).index].occurrences &+= 1 }
      return true
    }
    bulkRequestCounts = BitCounts(words: program.wordCount)
    return false
  }

  /// Moves the counts of one word to the reminders' memories. The caller must own the state.
  @inline(never)
  mutating func flushRequestCounts(ofWord word: Int) {
    let (program, state) = (program, state)
    bulkRequestCounts?.take(word) { bit, count in
      let reminder = program.reminder(UInt32(word), bit)
      state.memories[reminder.index].occurrences &+= UInt32(truncatingIfNeeded: count)
    }
  }

  /// Moves the counts of all words to the reminders' memories, before the program is replaced.
  package mutating func flushRequestCounts() {
    if bulkRequestCounts == nil { return }
    own()
    for word in 0..<program.wordCount { flushRequestCounts(ofWord: word) }
    bulkRequestCounts = nil
  }

  /// Returns the memory of a reminder, including requests that were counted in bulk.
  package func memory(of reminder: ReminderID) -> ReminderMemory {
    var memory = state.memories[reminder.index]
    if let bulkRequestCounts, reminder.index < program.initialCount,
      let place = program.place(of: reminder.rawValue)
    {
      memory.occurrences &+= UInt32(truncatingIfNeeded: bulkRequestCounts.count(Int(place.word), place.bit))
    }
    return memory
  }
}

/// Tracks the periods in which a reminder has fired.
extension Matcher {
  /// Returns the number of the period that contains a day.
  private func period(_ day: Int32, _ repeats: Repeat) -> Int {
    switch repeats {
    case .once: 0
    case .daily, .always: Int(day)
    case .weekly: Int(program.week(of: CivilDate(dayNumber: day)))
    case .monthly: CivilDate(dayNumber: day).month + 12 * CivilDate(dayNumber: day).year
    }
  }

  /// Returns the first day of a period.
  private func firstDay(_ period: Int, _ repeats: Repeat) -> Int32 {
    switch repeats {
    case .once, .daily, .always: Int32(period)
    case .weekly: program.firstDay(ofWeek: Int32(period))
    case .monthly:
      CivilDate(year: (period - 1) / 12, month: (period - 1) % 12 + 1, day: 1).dayNumber
    }
  }

  private func repeats(_ declaration: UInt32) -> Repeat { program.plans[Int(declaration)].repeats }

  /// Returns whether a declaration's reminder has matched in the period of a date.
  package func hasMatched(_ declaration: UInt32, inPeriodOf date: CivilDate) -> Bool {
    let reminder = tables.reminder(of: declaration)
    let repeats = repeats(declaration)
    let last = memory(of: reminder).lastDay
    if repeats == .always || last == ReminderMemory.never { return false }
    let wanted = period(date.dayNumber, repeats)
    let before = period(last, repeats) - wanted
    if before == 0 { return true }
    if (1...Int(ReminderMemory.earlierBits)).contains(before),
      memory(of: reminder).earlier >> UInt32(before - 1) & 1 == 1
    {
      return true
    }
    return !turns.isEmpty && turns[reminder]?.contains { period($0, repeats) == wanted } ?? false
  }

  /// Counts a match of a declaration for a day.
  mutating func use(_ day: Int32, _ declaration: UInt32, today: Int32) {
    let reminder = tables.reminder(of: declaration)
    let repeats = repeats(declaration)
    let before = memory(of: reminder)
    let hasBefore = before.lastDay != ReminderMemory.never
    let gap = hasBefore ? period(day, repeats) - period(before.lastDay, repeats) : 0
    var kept = turns[reminder] ?? []
    if !changeMemory(of: reminder, { $0.use(day: day, periods: gap) }) { kept.append(day) }
    if hasBefore, gap > 0, repeats != .always {
      // A match on a later day can push earlier days out of the memory before their period is over, so keep
      // those days separately.
      for bit in -1..<Int(ReminderMemory.earlierBits) where bit + 1 + gap > Int(ReminderMemory.earlierBits) {
        let wasUsed = bit < 0 || before.earlier >> UInt32(bit) & 1 == 1
        if wasUsed { kept.append(firstDay(period(before.lastDay, repeats) - bit - 1, repeats)) }
      }
    }
    if kept.isEmpty { return }
    let needed = Set(kept.filter { $0 > today - Self.keptMatchDays }).sorted()
    if needed != turns[reminder] ?? [] { turns[reminder] = needed.isEmpty ? nil : needed }
  }

  /// Stores the day of a match separately, because it does not fit into the reminder's memory.
  @inline(never)
  mutating func keepMatchDay(of reminder: ReminderID, on day: Int32) {
    let days = turns[reminder] ?? []
    if !days.contains(day) { turns[reminder] = (days + [day]).sorted() }
  }

  /// The number of days for which a match is kept: a month, plus the days that can repeat because of travel.
  private static let keptMatchDays: Int32 = 33

  /// Reverts the match of a declaration on a day.
  package mutating func revertMatch(_ day: Int32, _ declaration: UInt32) {
    let reminder = tables.reminder(of: declaration)
    let repeats = repeats(declaration)
    let memory = memory(of: reminder)
    if memory.lastDay == ReminderMemory.never { return }
    let gap = period(memory.lastDay, repeats) - period(day, repeats)
    let others = (turns[reminder] ?? []).filter { period($0, repeats) != period(day, repeats) }
    if gap != 0 {
      changeMemory(of: reminder) { $0.revertMatch(periodsBefore: gap) }
    } else if memory.earlier != 0 {
      let step = memory.earlier.trailingZeroBitCount + 1
      let last = firstDay(period(memory.lastDay, repeats) - step, repeats)
      changeMemory(of: reminder) { $0.goBack(to: last, periods: step) }
    } else {
      changeMemory(of: reminder) { $0.forgetDays() }
      if let last = others.last { changeMemory(of: reminder) { _ = $0.use(day: last, periods: 0) } }
    }
    if others.count != turns[reminder]?.count ?? 0 { turns[reminder] = others.isEmpty ? nil : others }
  }

  /// Restores the stored memory of a reminder.
  package mutating func adopt(_ memory: ReminderMemory, turns days: [Int32], of reminder: ReminderID) {
    state.memories[reminder.index] = memory
    if !days.isEmpty { turns[reminder] = days }
  }

  /// Sets the latest day of a declaration's buckets to the day of its last match, before the buckets are
  /// first evaluated.
  package func adoptLatestMatchDay(_ declaration: UInt32) {
    let reminder = tables.reminder(of: declaration)
    let latest = memory(of: reminder).lastDay
    for place in program.places(of: declaration) {
      let before = state.buckets[Int(place.bucket)].latestDay
      state.buckets[Int(place.bucket)].latestDay = max(before, latest)
    }
  }
}

/// Changes single reminders, independently of their triggers.
extension Matcher {
  /// Counts a request that no trigger caused.
  package mutating func countOccurrence(of reminder: ReminderID) {
    change()
    state.memories[reminder.index].occurrences &+= 1
  }

  /// Reverts the count of a request.
  package mutating func uncountOccurrence(of reminder: ReminderID) {
    change()
    state.memories[reminder.index].occurrences &-= 1
  }

  /// Forgets all matches. The numbering of requests continues, and facts are kept.
  package mutating func reset() {
    flushRequestCounts()
    let old = state
    use(program, MatcherState(of: program))
    for index in 0..<program.reminderCount {
      state.memories[index].occurrences = old.memories[index].occurrences
    }
    turns = [:]
    shownNumbers = []
    factSync.forget()
  }

  /// Returns the number of the last request that was shown as far as the app knows, or `nil` if there is
  /// none.
  package func shown(of reminder: ReminderID) -> UInt32? {
    guard reminder.index < shownNumbers.count, shownNumbers[reminder.index] > 0 else { return nil }
    return shownNumbers[reminder.index] - 1
  }

  /// Sets whether the phone is in a region that has no bit in a view.
  package mutating func setInside(_ region: RegionID, _ isInside: Bool) {
    guard isInside != facts.farRegions.contains(region) else { return }
    if isInside { facts.farRegions.insert(region) } else { facts.farRegions.remove(region) }
    hasChanged = true
  }

  /// Sets the request that was shown last, to which a snooze refers, or `nil` for none.
  package mutating func setShown(_ occurrence: UInt32?, of reminder: ReminderID) {
    if occurrence == shown(of: reminder) { return }
    if shownNumbers.isEmpty { shownNumbers = Array(repeating: 0, count: program.reminderCount) }
    shownNumbers[reminder.index] = occurrence.map { $0 &+ 1 } ?? 0
    hasChanged = true
  }

  /// Records that a request was shown. Requests of an earlier installation are ignored.
  package mutating func wasShown(_ request: RequestID) {
    guard request.occurrence < memory(of: request.reminder).occurrences else { return }
    setShown(request.occurrence, of: request.reminder)
  }

  /// Reverts ``wasShown(_:)`` for a request that turned out not to be shown.
  package mutating func wasNotShown(_ request: RequestID) {
    guard request.reminder.index < program.reminderCount, shown(of: request.reminder) == request.occurrence
    else { return }
    setShown(nil, of: request.reminder)
  }

  /// Forgets the matches of an edited reminder so that it may fire again. The numbering of its requests
  /// continues.
  package mutating func forgetMatches(of reminder: ReminderID) {
    change()
    state.memories[reminder.index].forgetDays()
    setShown(nil, of: reminder)
    turns[reminder] = nil
  }

  /// Sets whether the entries of a declaration are live and armed, which starts or stops the evaluation of
  /// its triggers.
  package mutating func setWaiting(_ declaration: UInt32, live: Bool, armed: Bool) {
    change()
    for place in program.places(of: declaration) {
      setBit(.live, place, live)
      setBit(.armed, place, armed)
      state.buckets[Int(place.bucket)].key = RowKey.none
    }
  }

  /// Records that an occurrence was prescheduled, so its period is used up in the buckets of the reminder's
  /// other triggers.
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

  /// Advances the buckets of a declaration to a date. Call this before a change that refers to the date.
  package mutating func bring(_ declaration: UInt32, to date: CivilDate) {
    own()
    for place in program.places(of: declaration) { bring(Int(place.bucket), to: date) }
  }
}

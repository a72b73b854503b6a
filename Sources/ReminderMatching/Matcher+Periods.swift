package import CivilTime
package import TriggerModel

/// The periods in which reminders fire once, and which of them are used up.
extension Matcher {
  /// Numbers the period of a day among those of a reminder that repeats like this.
  private func period(_ day: Int32, _ repeats: Repeat) -> Int {
    switch repeats {
    case .once: 0
    case .daily, .always: Int(day)
    case .weekly: Int(program.week(of: CivilDate(dayNumber: day)))
    case .monthly: CivilDate(dayNumber: day).month + 12 * CivilDate(dayNumber: day).year
    }
  }

  /// The first day of a period, for one that repeats by periods.
  private func firstDay(_ period: Int, _ repeats: Repeat) -> Int32 {
    switch repeats {
    case .once, .daily, .always: Int32(period)
    case .weekly: program.firstDay(ofWeek: Int32(period))
    case .monthly:
      CivilDate(year: (period - 1) / 12, month: (period - 1) % 12 + 1, day: 1).dayNumber
    }
  }

  private func repeats(_ declaration: UInt32) -> Repeat { program.plans[Int(declaration)].repeats }

  /// Whether a declaration's reminder has matched in the period of a date.
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

  /// A match of a declaration counts for a day.
  mutating func use(_ day: Int32, _ declaration: UInt32, today: Int32) {
    let reminder = tables.reminder(of: declaration)
    let repeats = repeats(declaration)
    let before = memory(of: reminder)
    let hasBefore = before.lastDay != ReminderMemory.never
    let gap = hasBefore ? period(day, repeats) - period(before.lastDay, repeats) : 0
    var kept = turns[reminder] ?? []
    if !changeMemory(of: reminder, { $0.use(day: day, periods: gap) }) { kept.append(day) }
    if hasBefore, gap > 0, repeats != .always {
      // What a day to come pushes out may lie in a period that is not over.
      for bit in -1..<Int(ReminderMemory.earlierBits) where bit + 1 + gap > Int(ReminderMemory.earlierBits) {
        let wasUsed = bit < 0 || before.earlier >> UInt32(bit) & 1 == 1
        if wasUsed { kept.append(firstDay(period(before.lastDay, repeats) - bit - 1, repeats)) }
      }
    }
    if kept.isEmpty { return }
    let needed = Set(kept.filter { $0 > today - Self.keptTurns }).sorted()
    if needed != turns[reminder] ?? [] { turns[reminder] = needed.isEmpty ? nil : needed }
  }

  /// A day of a match that cannot be kept with the others.
  @inline(never)
  mutating func keepTurn(of reminder: ReminderID, on day: Int32) {
    let days = turns[reminder] ?? []
    if !days.contains(day) { turns[reminder] = (days + [day]).sorted() }
  }

  /// For so many days a turn is remembered: a month, and what travel reaches back.
  private static let keptTurns: Int32 = 33

  /// The match of a day is as if it had not been.
  package mutating func giveBack(_ day: Int32, _ declaration: UInt32) {
    let reminder = tables.reminder(of: declaration)
    let repeats = repeats(declaration)
    let memory = memory(of: reminder)
    if memory.lastDay == ReminderMemory.never { return }
    let gap = period(memory.lastDay, repeats) - period(day, repeats)
    let others = (turns[reminder] ?? []).filter { period($0, repeats) != period(day, repeats) }
    if gap != 0 {
      changeMemory(of: reminder) { $0.giveBack(periodsBefore: gap) }
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

  /// Takes over what was stored of a reminder.
  package mutating func adopt(_ memory: ReminderMemory, turns days: [Int32], of reminder: ReminderID) {
    state.memories[reminder.index] = memory
    if !days.isEmpty { turns[reminder] = days }
  }

  /// At the first look the last match counts, which may lie in the period of that day.
  package func lookBack(_ declaration: UInt32) {
    let reminder = tables.reminder(of: declaration)
    let latest = memory(of: reminder).lastDay
    for place in program.places(of: declaration) {
      let before = state.buckets[Int(place.bucket)].latestDay
      state.buckets[Int(place.bucket)].latestDay = max(before, latest)
    }
  }
}

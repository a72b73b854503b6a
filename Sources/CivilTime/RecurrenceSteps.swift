extension Recurrence {
  /// The result of the *n*-th step of a recurrence.
  enum Step {
    case date(CivilDate)
    /// The date does not exist and is omitted.
    case none
    /// The recurrence has ended.
    case end

    var date: CivilDate? { if case .date(let date) = self { date } else { nil } }
    var isEnd: Bool { if case .end = self { true } else { false } }
  }

  /// The maximum number of days that ``skip`` may move a date: one in the calendar, plus two in a zone
  /// that skipped dates.
  static let maximumMove: Int64 = 3

  /// The range of ``shift``.
  public static let shifts = -3_650...3_650

  private static let lastDate = CivilDate(year: 9_999, month: 12, day: 31)

  /// Returns the *n*-th step, n ≥ 0, after moving dates that the zone skipped.
  ///
  /// ``until`` and ``exceptions`` refer to the moved dates.
  func step(_ index: Int, in zone: Zone) -> Step {
    let step = calendarStep(index)
    guard case .date(var date) = step else { return step }
    if zone.skips(date) {
      switch skip {
      case .omit: return .none
      case .backward: repeat { date = date - 1 } while zone.skips(date)
      case .forward: repeat { date = date + 1 } while zone.skips(date)
      }
    }
    if let until, date > until { return .end }
    if let details, details.excepts(date) { return .none }
    return .date(date)
  }

  /// The range of steps with occurrences.
  struct StepRange: Sendable {
    var first = 0
    var last = Int.max
    /// The number of minutes on the date of the last step.
    var onLast = Int.max
  }

  /// The range of steps with occurrences. It starts at ``notBefore``, and ``count`` limits it.
  var range: StepRange {
    var range = StepRange()
    if let notBefore {
      range.first = firstIndex(notBefore: Int64(notBefore.dayNumber) - Self.maximumMove)
      while case let step = calendarStep(range.first), !step.isEnd, step.date.map({ $0 < notBefore }) ?? true
      {
        range.first += 1
      }
    }
    guard let count else { return range }
    let (dates, rest) = (count - 1).quotientAndRemainder(dividingBy: minutes.count)
    range.onLast = rest + 1
    range.last = range.first + dates
    if mayOmitDates {
      // Count only steps with a date that exists.
      var left = dates
      range.last = range.first
      while case let step = calendarStep(range.last), !step.isEnd, left > 0 || step.date == nil {
        if step.date != nil { left -= 1 }
        range.last += 1
      }
    }
    return range
  }

  /// Whether a step may lack a date in the calendar, regardless of the zone.
  private var mayOmitDates: Bool { dayOfMonth != nil || skip == .omit && start.day > 28 }

  /// Returns the *n*-th step in the calendar, regardless of the zone.
  private func calendarStep(_ index: Int) -> Step {
    let step = unshiftedStep(index)
    guard shift != 0, case .date(let date) = step else { return step }
    return day(Int(date.dayNumber) + shift)
  }

  private func unshiftedStep(_ index: Int) -> Step {
    switch frequency {
    case .once: index == 0 ? .date(start) : .end
    case .daily: day(Int(start.dayNumber) + index * interval)
    case .weekly: weekly(index)
    case .monthly: monthly(index * interval)
    case .yearly: monthly(index * interval * 12)
    }
  }

  private func day(_ number: Int) -> Step {
    number <= Int(Self.lastDate.dayNumber) ? .date(CivilDate(dayNumber: Int32(number))) : .end
  }

  private func weekly(_ index: Int) -> Step {
    let days = weekDays
    guard !days.isEmpty else { return .end }
    let (week, position) = (index + daysBeforeStart).quotientAndRemainder(dividingBy: days.count)
    return day(firstWeek + week * 7 * interval + days.day(at: position))
  }

  /// Returns the date that is a number of months after the start and has the same day of the month.
  private func monthly(_ months: Int) -> Step {
    let anchor = start.components
    let month = anchor.year * 12 + anchor.month - 1 + months
    let year = month.floorDivided(by: 12)
    guard year <= 9_999 else { return .end }
    let length = CivilDate.days(inMonth: month - year * 12 + 1, of: year)
    let first = CivilDate(year: year, month: month - year * 12 + 1, day: 1)
    if let dayOfMonth {
      guard let day = dayOfMonth.day(inMonthFrom: first, length: length), first + (day - 1) >= start else {
        return .none
      }
      return .date(first + (day - 1))
    }
    if anchor.day <= length { return .date(first + (anchor.day - 1)) }
    switch skip {
    case .omit: return .none
    case .backward: return .date(first + (length - 1))
    case .forward: return .date(first + length)
    }
  }

  /// Returns the index, at least 0, of a step such that all earlier steps are before a day. Ignores that
  /// ``skip`` may move dates.
  func firstIndex(notBefore day: Int64) -> Int {
    let day = Int(min(day, Int64(Self.lastDate.dayNumber))) - shift
    guard day > Int(start.dayNumber) else { return 0 }
    switch frequency {
    case .once: return 0
    case .daily: return (day - Int(start.dayNumber)) / interval
    case .weekly: return weeklyIndex(notBefore: day)
    case .monthly: return months(to: day) / interval
    case .yearly: return months(to: day) / 12 / interval
    }
  }

  /// - Parameter day: A day after the start.
  private func weeklyIndex(notBefore day: Int) -> Int {
    let days = weekDays
    let (turn, rest) = (day - firstWeek).quotientAndRemainder(dividingBy: 7 * interval)
    // All dates of an interval are in its first week.
    return max(0, turn * days.count + (rest < 7 ? days.count(before: rest) : days.count) - daysBeforeStart)
  }

  /// Returns the number of months from the month of the start to that of a day.
  private func months(to day: Int) -> Int {
    let from = start.components
    let to = CivilDate(dayNumber: Int32(day)).components
    return (to.year - from.year) * 12 + to.month - from.month
  }

  // MARK: Weeks

  private var firstDayOfWeek: Weekday { weekStart ?? .monday }

  /// The day number of the first day of the start's week.
  private var firstWeek: Int {
    Int(start.dayNumber) - start.weekday.days(since: firstDayOfWeek)
  }

  /// The weekdays on which the recurrence occurs, counted from the first day of the week.
  private var weekDays: DaysOfWeek {
    DaysOfWeek(weekdays ?? WeekdaySet(start.weekday), weekStart: firstDayOfWeek)
  }

  /// The number of those weekdays that precede the start in the start's week.
  private var daysBeforeStart: Int {
    weekDays.count(before: start.weekday.days(since: firstDayOfWeek))
  }
}

/// A set of weekdays as numbers 0…6, counted from the first day of the week.
private struct DaysOfWeek {
  private let bits: UInt8

  init(_ set: WeekdaySet, weekStart: Weekday) {
    let days = set.rawValue & WeekdaySet.all.rawValue
    bits = (days >> weekStart.rawValue | days << (7 - weekStart.rawValue)) & WeekdaySet.all.rawValue
  }

  var isEmpty: Bool { bits == 0 }
  var count: Int { bits.nonzeroBitCount }

  func count(before day: Int) -> Int {
    (bits & (1 << UInt8(day) - 1)).nonzeroBitCount
  }

  /// Returns the day at a position (0 ..< count) in ascending order.
  func day(at position: Int) -> Int {
    var rest = bits
    for _ in 0..<position { rest &= rest - 1 }
    return rest.trailingZeroBitCount
  }
}

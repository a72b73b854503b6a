public import CivilTime
package import TriggerModel

/// Local times on dates, and how the app learns of them.
public struct Schedule: Hashable, Sendable {
  /// Which dates, and at which times.
  public enum Dates: Hashable, Sendable {
    /// Dates of the calendar.
    case recurring(Recurrence)
    /// Days after the instant that a fact holds, or before it.
    case relative(RelativeDays)
    /// So long after the instant that a fact holds, or before it.
    case elapsed(RelativeSpans)
  }

  public var dates: Dates
  /// How many occurrences are handed to the system beforehand, so that they appear though the app is
  /// closed; their conditions are looked at when they are handed over. 0: the app is woken at each
  /// occurrence and looks then.
  public var ahead: Int

  /// What ``ahead`` may be: no system keeps more.
  public static let mostAhead = 64

  public init(_ recurrence: Recurrence, ahead: Int = 0) {
    dates = .recurring(recurrence)
    self.ahead = ahead
  }

  /// - Parameter ahead: Nil: all of its days; of those that come again every year, as many as one year has.
  public init(_ days: RelativeDays, ahead: Int? = nil) {
    dates = .relative(days)
    self.ahead = ahead ?? days.usualAhead
  }

  /// - Parameter ahead: Nil: all of them.
  public init(_ spans: RelativeSpans, ahead: Int? = nil) {
    dates = .elapsed(spans)
    self.ahead = ahead ?? min(spans.spans.count, Self.mostAhead)
  }

  /// Whether its times are those of the clock on the wall, which a journey moves.
  package var isOfWall: Bool { if case .elapsed = dates { false } else { true } }

  /// Whether it comes again by itself.
  package var recurs: Bool {
    switch dates {
    case .recurring(let recurrence): recurrence.frequency != .once || recurrence.minutes.count > 1
    // Setting the fact begins it anew.
    case .relative, .elapsed: true
    }
  }
}

/// Local times on some days after the day of a fact, or before it: 7 days after the plant was watered; 30, 7 and 0
/// days before a birthday, every year.
///
/// The day is that of the fact's instant where the phone was when the app learned of it: a journey later does not
/// change it. When the fact takes another value, everything is planned anew from that one; while it has none, there
/// are no occurrences. The n-th day shows the n-th text.
public struct RelativeDays: Hashable, Sendable {
  /// A fact that holds an instant, or a date.
  public var fact: String
  /// Days after that of the fact, before it where negative; ascending, one or more.
  public var days: [Int]
  /// Minutes of the day, 0…1,439, ascending; one or more.
  public var minutes: [Int]
  /// Again in every year after that of the fact.
  public var isYearly: Bool
  /// What becomes of 29 February in a year that has none, and of a date that a zone leaves out.
  public var skip: Recurrence.Skip

  public init(
    _ days: [Int], from fact: String, minutes: [Int], isYearly: Bool = false,
    skip: Recurrence.Skip = .backward
  ) {
    precondition(!days.isEmpty && zip(days, days.dropFirst()).allSatisfy(<), "relative days ascend")
    precondition(days.allSatisfy(Recurrence.shifts.contains), "relative days are -3,650…3,650")
    self.fact = fact
    self.days = days
    self.minutes = minutes
    self.isYearly = isYearly
    self.skip = skip
  }

  /// All of its occurrences, or those of a year.
  package var usualAhead: Int { min(days.count * minutes.count, Schedule.mostAhead) }

  /// The occurrences of one of the days, counted from a date.
  private func recurrence(of day: Int, from date: CivilDate) -> Recurrence {
    Recurrence(
      start: date, minutes: minutes, frequency: isYearly ? .yearly : .once, skip: skip, shift: day)
  }

  /// The first occurrence at or after an instant; nil when there is none.
  ///
  /// - Parameter date: The day of the fact.
  package func next(atOrAfter instant: Instant, from date: CivilDate, in zone: Zone) -> Instant? {
    var first: Instant?
    for day in days {
      guard let next = recurrence(of: day, from: date).next(atOrAfter: instant, in: zone) else { continue }
      first = first.map { min($0, next) } ?? next
    }
    return first
  }

  /// Which of the days an occurrence belongs to; nil when it is none.
  package func position(of occurrence: Instant, from date: CivilDate, in zone: Zone) -> Int? {
    days.firstIndex { recurrence(of: $0, from: date).next(atOrAfter: occurrence, in: zone) == occurrence }
  }
}

/// The day from which a reminder's relative days are counted.
package struct DayOfFact: Hashable, Sendable, BitwiseCopyable {
  /// What the fact was worth.
  package var value: FactValue
  /// The local date of it, where the phone was when the app learned of it.
  package var date: CivilDate
  /// What it was worth where it holds an instant.
  package var instant: Instant { Instant(millisecondsSince1970: value.bits) }

  /// The years of the calendar, 1 to 9999, but for what relative days may add.
  private static let dates = CivilDate(year: 11, month: 1, day: 1)...CivilDate(year: 9_989, month: 1, day: 1)

  /// Nil when no calendar has the date.
  package init?(value: FactValue, date: CivilDate) {
    guard Self.dates.contains(date) else { return nil }
    self.value = value
    self.date = date
  }
}

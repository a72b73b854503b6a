package import TriggerModel

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

  /// Traps where no day is given, where they do not ascend, or where one is ten years away or more.
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

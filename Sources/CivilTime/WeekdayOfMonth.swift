/// The first Monday of a month, or the last Friday.
public struct WeekdayOfMonth: Hashable, Sendable, BitwiseCopyable {
  /// What ``place`` may be. A month that has only four of a weekday has no fifth.
  public static let places = [1, 2, 3, 4, 5, -1]

  /// Counted from the month's first day, from 1; -1: the last of the month.
  public var place: Int
  /// Of which one is meant.
  public var weekday: Weekday

  /// Traps where the place is none of ``places``.
  public init(_ place: Int, _ weekday: Weekday) {
    precondition(Self.places.contains(place), "a weekday of a month is its first to fifth, or its last (-1)")
    self.place = place
    self.weekday = weekday
  }

  /// The day of the month, from 1; nil when the month has none.
  func day(inMonthFrom first: CivilDate, length: Int) -> Int? {
    let earliest = 1 + weekday.days(since: first.weekday)
    let day = place > 0 ? earliest + 7 * (place - 1) : earliest + (length - earliest) / 7 * 7
    return day <= length ? day : nil
  }
}

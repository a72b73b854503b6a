/// A date of the proleptic Gregorian calendar, without a zone.
public struct CivilDate: Hashable, Comparable, Sendable, BitwiseCopyable {
  /// The number of days since 1970-01-01, negative before.
  public var dayNumber: Int32

  /// Creates a date from the number of days since 1970-01-01, which may be negative.
  @inlinable
  public init(dayNumber: Int32) {
    self.dayNumber = dayNumber
  }

  /// Creates a date from year, month (1…12) and day. A day beyond the end of the month continues in the next
  /// month. Use ``init(validYear:month:day:)`` for user input.
  ///
  /// - Complexity: O(1)
  public init(year: Int, month: Int, day: Int) {
    // The year is counted from March, so that the leap day is its last day. An era has 400 years or 146,097
    // days (H. Hinnant, "chrono-Compatible Low-Level Date Algorithms", days_from_civil).
    let shiftedYear = month <= 2 ? year - 1 : year
    let era = shiftedYear.floorDivided(by: 400)
    let yearOfEra = shiftedYear - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    dayNumber = Int32(era * 146_097 + dayOfEra - 719_468)
  }

  /// Creates a date, or returns `nil` if it does not exist. The year must be -9999…9999, and the month 1…12.
  public init?(validYear year: Int, month: Int, day: Int) {
    guard (-9999...9999).contains(year), (1...12).contains(month),
      day >= 1, day <= Self.days(inMonth: month, of: year)
    else { return nil }
    self.init(year: year, month: month, day: day)
  }

  /// The year, month (1…12) and day (1…31), which are faster to compute together than one by one.
  ///
  /// - Complexity: O(1)
  public var components: (year: Int, month: Int, day: Int) {
    let shifted = Int(dayNumber) + 719_468
    let era = shifted.floorDivided(by: 146_097)
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    return (
      yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
    )
  }

  /// The year. It is -9999…9999 in files, but may exceed this range in computations.
  public var year: Int { components.year }
  /// The month, 1…12.
  public var month: Int { components.month }
  /// The day of the month, 1…31.
  public var day: Int { components.day }

  /// The day of the week.
  ///
  /// - Complexity: O(1)
  @inlinable
  public var weekday: Weekday {
    // 1970-01-01 was a Thursday.
    Weekday(daysAfterMonday: Int(dayNumber) + 3)
  }

  /// Returns the number of days of a month (1…12).
  public static func days(inMonth month: Int, of year: Int) -> Int {
    switch month {
    case 2: isLeap(year: year) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  /// Returns whether a year has a 29 February.
  public static func isLeap(year: Int) -> Bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
  }

  @inlinable
  public static func < (a: Self, b: Self) -> Bool { a.dayNumber < b.dayNumber }

  /// Returns the date a number of days later, or earlier if the number is negative.
  @inlinable
  public static func + (date: Self, days: Int) -> Self { Self(dayNumber: Int32(Int(date.dayNumber) + days)) }

  /// Returns the date a number of days earlier, or later if the number is negative.
  @inlinable
  public static func - (date: Self, days: Int) -> Self { date + -days }

  /// Returns the number of days from `b` to `a`.
  @inlinable
  public static func - (a: Self, b: Self) -> Int { Int(a.dayNumber) - Int(b.dayNumber) }
}

/// A day of the week. The raw value counts from Monday.
public enum Weekday: UInt8, Hashable, Sendable, CaseIterable, BitwiseCopyable {
  /// The weekdays in the order of ISO 8601, which starts at 1 instead of 0.
  case monday = 0, tuesday, wednesday, thursday, friday, saturday, sunday

  /// Creates the weekday that is a number of days after a Monday. The number may be negative.
  @inlinable
  public init(daysAfterMonday days: Int) {
    self = Weekday(rawValue: UInt8(days.floorRemainder(by: 7))) ?? .monday
  }

  /// Returns the number of days from the last `weekday` to this one, 0…6.
  @inlinable
  public func days(since weekday: Weekday) -> Int {
    (Int(rawValue) - Int(weekday.rawValue)).floorRemainder(by: 7)
  }

  /// The English name in lower case, used in files and reports.
  public var name: String { String(describing: self) }
}

/// A set of weekdays in one byte.
public struct WeekdaySet: OptionSet, Hashable, Sendable, BitwiseCopyable {
  /// Bit 0 is Monday, bit 6 is Sunday.
  public var rawValue: UInt8

  /// - Parameter rawValue: Bit 0 is Monday, bit 6 is Sunday, bit 7 is 0.
  @inlinable
  public init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  /// Creates a set with one weekday.
  @inlinable
  public init(_ weekday: Weekday) {
    self.rawValue = 1 << weekday.rawValue
  }

  /// Monday to Sunday.
  public static let all = WeekdaySet(rawValue: 0b111_1111)
  /// Monday to Friday.
  public static let weekdays = WeekdaySet(rawValue: 0b001_1111)
  /// Saturday and Sunday.
  public static let weekend = WeekdaySet(rawValue: 0b110_0000)

  /// Returns whether a weekday is a member, without creating a set of it.
  @inlinable
  public func contains(_ weekday: Weekday) -> Bool {
    rawValue >> weekday.rawValue & 1 == 1
  }

  /// Inserts a weekday.
  @inlinable
  public mutating func insert(_ weekday: Weekday) {
    rawValue |= 1 << weekday.rawValue
  }
}

/// A weekday of a month, such as the first Monday, the last Friday, or the last day from Monday to Friday.
public struct WeekdayOfMonth: Hashable, Sendable, BitwiseCopyable {
  /// The valid values of ``place``. In a month in which a weekday occurs only four times, there is no fifth
  /// one.
  public static let places = [1, 2, 3, 4, 5, -1]

  /// The position among the days of the month that fall on ``weekdays``, from 1, or -1 for the last one. This
  /// is BYSETPOS of RFC 5545.
  public var place: Int
  /// The weekdays that are counted.
  public var weekdays: WeekdaySet

  /// Creates a weekday of a month. Traps if the place is not in ``places``.
  public init(_ place: Int, _ weekday: Weekday) {
    self.init(place, among: WeekdaySet(weekday))
  }

  /// Creates the day at a position among the days of a month that fall on some weekdays. Traps if the place is
  /// not in ``places``, or if there are no weekdays.
  public init(_ place: Int, among weekdays: WeekdaySet) {
    precondition(Self.places.contains(place), "a weekday of a month is its first to fifth, or its last (-1)")
    precondition(!weekdays.isEmpty, "a weekday of a month needs a weekday")
    self.place = place
    self.weekdays = weekdays
  }

  /// The weekday, or `nil` if several are counted.
  package var weekday: Weekday? {
    let bits = weekdays.rawValue
    return bits & (bits - 1) == 0 ? Weekday(rawValue: UInt8(bits.trailingZeroBitCount)) : nil
  }

  /// Returns the day of the month, from 1, or `nil` if the month has no such weekday.
  func day(inMonthFrom first: CivilDate, length: Int) -> Int? {
    guard let weekday else { return dayAmongSeveral(inMonthFrom: first, length: length) }
    let earliest = 1 + weekday.days(since: first.weekday)
    let day = place > 0 ? earliest + 7 * (place - 1) : earliest + (length - earliest) / 7 * 7
    return day <= length ? day : nil
  }

  private func dayAmongSeveral(inMonthFrom first: CivilDate, length: Int) -> Int? {
    let step = place > 0 ? 1 : -1
    var left = abs(place)
    var day = place > 0 ? 1 : length
    while 1...length ~= day {
      if weekdays.contains((first + (day - 1)).weekday) { left -= 1 }
      if left == 0 { return day }
      day += step
    }
    return nil
  }
}

/// A day of the week; the raw value counts from Monday.
public enum Weekday: UInt8, Hashable, Sendable, CaseIterable, BitwiseCopyable {
  /// In the order of ISO 8601, which counts them from 1.
  case monday = 0, tuesday, wednesday, thursday, friday, saturday, sunday

  /// The weekday that many days after a Monday, or before it when negative.
  @inlinable
  public init(daysAfterMonday days: Int) {
    self = Weekday(rawValue: UInt8(days.floorRemainder(by: 7))) ?? .monday
  }

  /// Days from the last `weekday` to this one: 0…6.
  @inlinable
  public func days(since weekday: Weekday) -> Int {
    (Int(rawValue) - Int(weekday.rawValue)).floorRemainder(by: 7)
  }

  /// The English name in lower case, as used in files and reports.
  public var name: String { String(describing: self) }
}

/// A set of weekdays in one byte; bit 0 is Monday.
public struct WeekdaySet: OptionSet, Hashable, Sendable, BitwiseCopyable {
  /// Bit 0: Monday, to bit 6: Sunday.
  public var rawValue: UInt8

  /// - Parameter rawValue: Bit 0: Monday, to bit 6: Sunday; bit 7 is 0.
  @inlinable
  public init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  /// This one alone.
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

  /// Whether a weekday is a member; no set is made of it first.
  @inlinable
  public func contains(_ weekday: Weekday) -> Bool {
    rawValue >> weekday.rawValue & 1 == 1
  }

  /// Adds a weekday; nothing changes where it is a member.
  @inlinable
  public mutating func insert(_ weekday: Weekday) {
    rawValue |= 1 << weekday.rawValue
  }
}

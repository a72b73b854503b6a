public import CivilTime

/// What the rows of a trigger are compared with at one instant, outside a fold.
public struct PlainView {
  /// The local date, as the wall shows it.
  public let date: CivilDate
  /// That of the date.
  public let weekday: Weekday
  /// The windows that are open.
  public let quarter: RowsOfQuarter
  /// Whether the phone is on the charger, as the app knows it.
  public let isCharging: Bool
  /// Bit *r*: inside region *r*.
  public let inside: UInt32

  /// What an event finds, worked out once for all triggers that it looks at.
  @inlinable @inline(__always)
  public init(
    date: CivilDate, weekday: Weekday, quarter: RowsOfQuarter, isCharging: Bool, inside: UInt32
  ) {
    (self.date, self.weekday, self.quarter) = (date, weekday, quarter)
    (self.isCharging, self.inside) = (isCharging, inside)
  }

  /// Everything but the time of day that the rows of a trigger depend on, in one word.
  ///
  /// - Parameter regions: Bit *r*: it depends on region *r*.
  @inlinable @inline(__always)
  public func key(regions: UInt32) -> UInt32 {
    UInt32(weekday.rawValue) | (isCharging ? 8 : 0) | (inside & regions) &<< 4
  }
}

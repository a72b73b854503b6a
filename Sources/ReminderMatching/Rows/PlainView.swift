public import CivilTime

/// The values that determine a trigger's rows at one instant outside a fold.
public struct PlainView {
  /// The local date.
  public let date: CivilDate
  /// The weekday of the date.
  public let weekday: Weekday
  /// The rows of the open windows.
  public let quarter: RowsOfQuarter
  /// Whether the phone is charging, as far as the app knows.
  public let isCharging: Bool
  /// The regions that the phone is in: bit *r* for region *r*.
  public let inside: UInt32

  /// Creates a view. One view per event serves all triggers.
  @inlinable @inline(__always)
  public init(
    date: CivilDate, weekday: Weekday, quarter: RowsOfQuarter, isCharging: Bool, inside: UInt32
  ) {
    (self.date, self.weekday, self.quarter) = (date, weekday, quarter)
    (self.isCharging, self.inside) = (isCharging, inside)
  }

  /// Returns a key of all values that determine a trigger's rows, except the time of day.
  ///
  /// - Parameter regions: The regions on which the rows depend: bit *r* for region *r*.
  @inlinable @inline(__always)
  public func key(regions: UInt32) -> UInt32 {
    UInt32(weekday.rawValue) | (isCharging ? 8 : 0) | (inside & regions) &<< 4
  }
}

/// Special values that are stored instead of a key.
///
/// From the lowest bit, a key consists of the weekday, the charging state and the regions of a bucket's rows.
/// No real key equals one of these special values.
public enum RowKey {
  /// The rows must be recomputed and the live entries must be counted.
  @inlinable @inline(__always) public static var none: UInt32 { .max }
  /// The rows must be recomputed, but the count of live entries is valid.
  @inlinable @inline(__always) public static var newDay: UInt32 { none - 16 }
  /// No entry is waiting, now or on a later day. A change that makes an entry wait sets the key to ``none``.
  /// No real key has this value, because there is no weekday 7.
  @inlinable @inline(__always) public static var spent: UInt32 { 7 }
  /// Like ``spent``, for a bucket without entries.
  @inlinable @inline(__always) public static var unheard: UInt32 { 15 }

  /// Returns whether two keys differ only in their regions, which start at bit 4.
  @inlinable @inline(__always)
  public static func differInPlaceAlone(_ a: UInt32, _ b: UInt32) -> Bool { (a ^ b) & 15 == 0 }

  /// Returns whether a key is ``spent`` or ``unheard``. They differ only in bit 3.
  @inlinable @inline(__always)
  public static func isIdle(_ key: UInt32) -> Bool { key | 8 == unheard }
}

/// What stands in place of a key where rows hold for none: a key says of what phone the rows of a bucket are, from the
/// lowest bit its weekday, its charger and its places. None that rows can have is one of these.
public enum RowKey {
  /// The rows must be made anew, and what waits is to be counted,
  @inlinable @inline(__always) public static var none: UInt32 { .max }
  /// or is counted.
  @inlinable @inline(__always) public static var newDay: UInt32 { none - 16 }
  /// Nothing waits, nor will on another day; whatever makes something wait says ``none``. No weekday has this number.
  @inlinable @inline(__always) public static var spent: UInt32 { 7 }
  /// As ``spent``, where nobody listens.
  @inlinable @inline(__always) public static var unheard: UInt32 { 15 }

  /// What says only where the phone is begins at the fifth bit.
  @inlinable @inline(__always)
  public static func differInPlaceAlone(_ a: UInt32, _ b: UInt32) -> Bool { (a ^ b) & 15 == 0 }

  /// One of the last two: they have no bit but the fourth beside those of ``spent``.
  @inlinable @inline(__always)
  public static func isIdle(_ key: UInt32) -> Bool { key | 8 == unheard }
}

import TriggerModel

/// The order (time, priority) as one unsigned number: time in the upper 56 bits, priority in the low 8.
enum EventKey {
  /// Times from -2⁵⁵ up to, not including, 2⁵⁵ - 1 milliseconds have a key: about 1.1 million years
  /// to either side of 1970. The instants that stand for "never" have none.
  static let times = -timeBias..<timeBias - 1

  /// Larger than every key.
  static let end = UInt64.max

  /// The part of a key that says the time.
  static let timeMask = ~UInt64(0xFF)

  private static let timeBias = Int64(1) << 55

  /// The key of a time in `times`.
  static func key(_ time: Instant, priority: UInt8) -> UInt64 {
    UInt64(bitPattern: (time.millisecondsSince1970 + timeBias) << 8) | UInt64(priority)
  }

  /// A key that is larger than those of all events before `time`, and not larger than any other.
  static func limit(_ time: Instant) -> UInt64 {
    if time.millisecondsSince1970 >= times.upperBound { return end }
    return key(max(time, Instant(millisecondsSince1970: times.lowerBound)), priority: 0)
  }

  static func time(_ key: UInt64) -> Instant {
    Instant(millisecondsSince1970: Int64(key >> 8) - timeBias)
  }

  static func priority(_ key: UInt64) -> UInt8 {
    UInt8(truncatingIfNeeded: key)
  }
}

/// What the queues hold: the key, and the slot where the payload lies.
struct EventRecord: BitwiseCopyable {
  var key: UInt64
  var slot: UInt32
}

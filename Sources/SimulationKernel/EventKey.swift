import TriggerModel

/// The order (time, priority) as one unsigned number: time in the upper 55 bits, priority in the next 8.
///
/// The lowest bit has no part in the order: it says whether the record refers to a slot.
enum EventKey {
  /// Times from -2⁵⁴ up to, not including, 2⁵⁴ - 1 milliseconds have a key: about 570,000 years to
  /// either side of 1970. The instants that stand for "never" have none.
  private static let firstTime = -timeBias
  private static let timeCount = UInt64(1) << 55 - 1

  /// Larger than every key.
  static let end = UInt64.max

  /// The part of a key that says the time.
  static let timeMask = ~UInt64(0x1FF)

  /// The bit that has no part in the order.
  static let slotBit: UInt64 = 1

  private static let timeBias = Int64(1) << 54

  /// The key of a time; nil if it has none.
  static func key(_ time: Instant, priority: UInt8) -> UInt64? {
    let distance = UInt64(bitPattern: time.millisecondsSince1970 &- firstTime)
    guard distance < timeCount else { return nil }
    return distance &<< 9 | UInt64(priority) &<< 1
  }

  /// A key that is larger than those of all events before `time`, and not larger than any other.
  static func limit(_ time: Instant) -> UInt64 {
    if time.millisecondsSince1970 < firstTime { return 0 }
    return key(time, priority: 0) ?? end
  }

  static func time(_ key: UInt64) -> Instant {
    Instant(millisecondsSince1970: Int64(key >> 9) - timeBias)
  }

  static func priority(_ key: UInt64) -> UInt8 {
    UInt8(truncatingIfNeeded: key >> 1)
  }
}

/// What the queues hold: the key, and either the payload itself or a reference to its slot.
///
/// Only what can be cancelled, or does not fit, needs a slot. Slots lie scattered over their table;
/// a payload in its record is where the processor looks already.
struct EventRecord: BitwiseCopyable {
  var key: UInt64
  var content: UInt64

  /// A record with the payload in it.
  init(key: UInt64, payload: UInt64) {
    self.key = key
    content = payload
  }

  /// A record of an event whose payload lies in a slot.
  init(key: UInt64, reference: SlotReference) {
    self.key = key | EventKey.slotBit
    content = UInt64(reference.bits)
  }

  var hasSlot: Bool { key & EventKey.slotBit != 0 }

  /// What refers to the slot; stale as soon as the event was cancelled or rescheduled.
  var reference: SlotReference { SlotReference(bits: UInt32(truncatingIfNeeded: content)) }
}

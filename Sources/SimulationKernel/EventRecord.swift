import TriggerModel

/// The encoding of time and priority as one unsigned number, whose order is the order of events. The upper 55
/// bits contain the time, and the next 8 bits the priority.
///
/// The lowest bit does not affect the order. It indicates whether the record refers to a slot.
enum EventKey {
  /// The first time that has a key. Times from -2⁵⁴ milliseconds up to, but not including, 2⁵⁴ - 1
  /// milliseconds have keys. That is about 570,000 years before and after 1970. `.distantPast` and
  /// `.distantFuture` have no key.
  private static let firstTime = -timeBias
  private static let timeCount = UInt64(1) << 55 - 1

  /// A key that is larger than the key of any event.
  static let end = UInt64.max

  /// The bits of a key that contain the time.
  static let timeMask = ~UInt64(0x1FF)

  /// The bit that does not affect the order: whether the record refers to a slot.
  static let slotBit: UInt64 = 1

  private static let timeBias = Int64(1) << 54

  /// Returns the key of a time, or `nil` if the time is out of range.
  static func key(_ time: Instant, priority: UInt8) -> UInt64? {
    let distance = UInt64(bitPattern: time.millisecondsSince1970 &- firstTime)
    guard distance < timeCount else { return nil }
    return distance &<< 9 | UInt64(priority) &<< 1
  }

  /// Returns the limit for events before `time`: a number greater than their keys, and not greater than any
  /// other.
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

/// An entry of the queue: a key, and either the payload or a reference to the slot that contains it.
///
/// An event needs a slot only if it is cancellable or if its payload does not fit into the record. Slots are
/// scattered over their table, while a payload in the record is in memory that the processor reads anyway.
struct EventRecord: BitwiseCopyable {
  var key: UInt64
  var content: UInt64

  /// Creates a record that contains the payload.
  init(key: UInt64, payload: UInt64) {
    self.key = key
    content = payload
  }

  /// Creates a record for an event whose payload is in a slot.
  init(key: UInt64, reference: SlotReference) {
    self.key = key | EventKey.slotBit
    content = UInt64(reference.bits)
  }

  var hasSlot: Bool { key & EventKey.slotBit != 0 }

  /// The reference to the slot. It is stale after the event was cancelled or rescheduled.
  var reference: SlotReference { SlotReference(bits: UInt32(truncatingIfNeeded: content)) }
}

/// The encoding of a bucket's records in its chunks.
///
/// A record stores only the bits of its key that the bucket's place does not determine. Up to level 4, these
/// are 33 bits. A record with a slot then takes 8 bytes, for the key bits and the reference. A record with
/// its payload takes 5 bytes for the key bits and 8 for the payload. Each level above 4 adds one byte to both
/// kinds.
struct RecordForm: BitwiseCopyable {
  /// The smallest key of the bucket. It contains the bits that all keys of the bucket share.
  private let lowest: UInt64
  /// The size in bytes of a record that refers to a slot.
  private let size: Int
  /// In a record with a slot, the mask for the four bytes that follow the first eight.
  private let mask: UInt32
  /// In a record with its payload, the mask for the key in the first eight bytes.
  private let plainMask: UInt64

  /// The number of key bits in the first eight bytes of a record with a slot. The lowest bit indicates
  /// whether there is a slot.
  private static let keyBits: UInt64 = 33
  private static let keyMask: UInt64 = 1 << keyBits - 1
  /// The size of a record with its payload minus the size of a record with a slot, in bytes.
  private static let plainExcess = 5

  /// - Parameter lowest: The smallest key of a bucket of this level.
  init(level: Int, lowest: UInt64) {
    self.lowest = lowest
    size = Self.size(level: level)
    mask = 1 &<< UInt32(truncatingIfNeeded: 8 &* (size &- 8)) &- 1
    plainMask = UInt64.max &>> UInt64(truncatingIfNeeded: 8 &* (11 &- size))
  }

  /// Returns the size in bytes of a record that refers to a slot, in a bucket of the given level.
  static func size(level: Int) -> Int { max(8, level &+ 4) }

  /// Writes a record to a bucket whose records with a slot take `size` bytes. May overwrite 16 bytes,
  /// whatever the size of the record.
  ///
  /// - Returns: The size of the record in bytes.
  @inline(__always)
  static func write(_ record: EventRecord, to place: UnsafeMutableRawPointer, size: UInt8) -> UInt8 {
    if record.hasSlot {
      let first = record.key & keyMask | UInt64(record.reference.bits) << keyBits
      place.storeBytes(of: first, as: UInt64.self)
      (place + 8).storeBytes(of: UInt32(truncatingIfNeeded: record.key >> keyBits), as: UInt32.self)
      return size
    }
    place.storeBytes(of: record.key, as: UInt64.self)
    (place + (Int(size) &+ plainExcess &- 8)).storeBytes(of: record.content, as: UInt64.self)
    return size &+ UInt8(plainExcess)
  }

  /// Reads a record at an address with 16 readable bytes. Returns its size in bytes and whether it has a
  /// slot.
  @inline(__always)
  func read(_ place: UnsafeMutableRawPointer) -> (record: EventRecord, size: Int, hasSlot: Bool) {
    let first = place.loadUnaligned(as: UInt64.self)
    if first & EventKey.slotBit == 0 {
      let size = size &+ Self.plainExcess
      let payload = (place + (size &- 8)).loadUnaligned(as: UInt64.self)
      return (EventRecord(key: lowest | first & plainMask, payload: payload), size, false)
    }
    let more = UInt64((place + 8).loadUnaligned(as: UInt32.self) & mask)
    let reference = SlotReference(bits: UInt32(truncatingIfNeeded: first >> Self.keyBits))
    let key = lowest | first & Self.keyMask | more << Self.keyBits
    return (EventRecord(key: key, reference: reference), size, true)
  }

  /// Copies a record to its own or an earlier address. Always copies 16 bytes, the size of the longest
  /// record.
  ///
  /// During compaction, it is safe to copy more than the record. If no earlier record was removed, the copy
  /// has the same address, and nothing changes. Otherwise the copy ends before the next record, because every
  /// removed record took at least 8 bytes.
  @inline(__always)
  static func move(_ place: UnsafeMutableRawPointer, to target: UnsafeMutableRawPointer) {
    let record = place.loadUnaligned(as: SIMD2<UInt64>.self)
    target.storeBytes(of: record, as: SIMD2<UInt64>.self)
  }
}

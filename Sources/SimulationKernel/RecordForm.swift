/// How the records of a bucket lie in its chunks, one byte after the other.
///
/// Of a key only what the bucket's place does not say is stored: up to level 4 these are 33 bits. A record
/// that refers to a slot has them and the reference in 8 bytes; one with its payload has 5 bytes of key, and
/// 8 of payload. With each level above 4 both take a byte more.
struct RecordForm: BitwiseCopyable {
  /// What the keys of all records have in common: the smallest key of the bucket.
  private let lowest: UInt64
  /// Bytes of a record that refers to a slot.
  private let size: Int
  /// The bits of the four bytes behind the first eight that are part of such a record.
  private let mask: UInt32
  /// The bits of the first eight bytes that are the key of a record with its payload.
  private let plainMask: UInt64

  /// Bits of a key that lie in the first eight bytes with a reference, the one that says whether there is a
  /// slot first.
  private static let keyBits: UInt64 = 33
  private static let keyMask: UInt64 = 1 << keyBits - 1
  /// How much longer a record with its payload is.
  private static let plainExcess = 5

  /// - Parameter lowest: the smallest key of a bucket of this level.
  init(level: Int, lowest: UInt64) {
    self.lowest = lowest
    size = Self.size(level: level)
    mask = 1 &<< UInt32(truncatingIfNeeded: 8 &* (size &- 8)) &- 1
    plainMask = UInt64.max &>> UInt64(truncatingIfNeeded: 8 &* (11 &- size))
  }

  /// How many bytes a record takes that refers to a slot, in a bucket of a level.
  static func size(level: Int) -> Int { max(8, level &+ 4) }

  /// Writes a record to a bucket where one that refers to a slot takes so many bytes. Up to 16 bytes may be
  /// changed, whatever it takes.
  ///
  /// - Returns: how many bytes it takes.
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

  /// The record at a place with 16 bytes that may be read, how many of them it takes, and whether it has a slot.
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

  /// Copies a record to a place before it, or to its own: 16 bytes, which is what the longest record takes.
  ///
  /// Nothing is lost behind a shorter one. Who moves records together either has not yet left one out, so
  /// that the bytes behind stay what they are; or has, and what is written reaches no farther than the record
  /// that was read, as none takes less than 8 bytes.
  @inline(__always)
  static func move(_ place: UnsafeMutableRawPointer, to target: UnsafeMutableRawPointer) {
    let record = place.loadUnaligned(as: SIMD2<UInt64>.self)
    target.storeBytes(of: record, as: SIMD2<UInt64>.self)
  }
}

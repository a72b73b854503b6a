/// A block of memory for records that follow each other, behind the address of another block.
///
/// A record takes 16 bytes, or 12 if it refers to a slot. It begins where the one before it ends, as long
/// as 16 bytes are left there: so nobody needs to be told where the records of a full chunk end.
struct Chunk: BitwiseCopyable, Equatable {
  /// Bytes for records: 13 of 16, or 17 of 12.
  static let capacity = 208

  /// The last offset at which a record can begin.
  static let lastStart = capacity - MemoryLayout<EventRecord>.size

  static let byteCount = recordOffset + capacity

  private static let recordOffset = MemoryLayout<UInt>.size

  private var memory: UnsafeMutableRawPointer

  static func allocate() -> Chunk {
    Chunk(memory: .allocate(byteCount: byteCount, alignment: MemoryLayout<UInt>.alignment))
  }

  func deallocate() {
    memory.deallocate()
  }

  var next: Chunk? {
    get { memory.load(as: Chunk?.self) }
    nonmutating set { memory.storeBytes(of: newValue, as: Chunk?.self) }
  }

  /// Writes a record, which must begin at `lastStart` at the latest.
  ///
  /// - Returns: where it ends.
  @inline(__always)
  func write(_ record: EventRecord, at offset: Int) -> Int {
    let place = memory + (Self.recordOffset + offset)
    place.storeBytes(of: record.key, as: UInt64.self)
    if record.hasSlot {
      (place + 8).storeBytes(of: record.reference.bits, as: UInt32.self)
      return offset &+ 12
    }
    (place + 8).storeBytes(of: record.content, as: UInt64.self)
    return offset &+ 16
  }

  /// The records from one offset up to another.
  func records(from start: Int, to end: Int) -> Records {
    let records = memory + Self.recordOffset
    return Records(position: records + start, end: records + end)
  }

  /// The records from an offset to the end of a full chunk.
  func records(from start: Int) -> Records { records(from: start, to: Self.lastStart + 1) }

  /// Records one after the other.
  struct Records: Sequence, IteratorProtocol {
    fileprivate var position: UnsafeMutableRawPointer
    fileprivate let end: UnsafeMutableRawPointer

    @inline(__always)
    mutating func next() -> EventRecord? {
      guard position < end else { return nil }
      let key = position.loadUnaligned(as: UInt64.self)
      if key & EventKey.slotBit == 0 {
        let payload = (position + 8).loadUnaligned(as: UInt64.self)
        position += 16
        return EventRecord(key: key, payload: payload)
      }
      let bits = (position + 8).load(as: UInt32.self)
      position += 12
      return EventRecord(key: key, reference: SlotReference(bits: bits))
    }
  }
}

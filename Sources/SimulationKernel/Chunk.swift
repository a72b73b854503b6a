import CPrefetch

/// A block of memory for records that follow each other, behind the address of another block.
///
/// A record begins where the one before it ends, as long as 16 bytes are left there: so nobody needs to be
/// told where the records of a full chunk end.
struct Chunk: BitwiseCopyable, Equatable {
  /// Bytes for records: 16 of 13, or 26 of 8.
  static let capacity = 216

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

  /// Has the processor fetch the chunk, of which it fetches 64 bytes at a time.
  @inline(__always)
  func fetch() {
    prefetch(memory)
    prefetch(memory + 64)
    prefetch(memory + 128)
    prefetch(memory + 192)
  }

  /// Where the record at an offset lies, which is at most `lastStart`.
  @inline(__always)
  func place(_ offset: Int) -> UnsafeMutableRawPointer { memory + (Self.recordOffset &+ offset) }

  /// The records from one offset up to another.
  @inline(__always)
  func records(from start: Int, to end: Int, _ form: RecordForm) -> Records {
    Records(position: place(start), end: place(end), form: form)
  }

  /// Records one after the other, each with whether it has a slot: reading it decides that, and who asked
  /// the record would decide it once more.
  struct Records: Sequence, IteratorProtocol {
    fileprivate(set) var position: UnsafeMutableRawPointer
    fileprivate let end: UnsafeMutableRawPointer
    fileprivate let form: RecordForm

    @inline(__always)
    mutating func next() -> (record: EventRecord, hasSlot: Bool)? {
      guard position < end else { return nil }
      let (record, size, hasSlot) = form.read(position)
      position += size
      return (record, hasSlot)
    }
  }
}

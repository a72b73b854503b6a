import CPrefetch

/// A first-in, first-out queue of records in a ring of chunks.
struct Bucket: BitwiseCopyable {
  /// The newest chunk. Its `next` pointer refers to the oldest one.
  private var last: Chunk?
  /// The offset in the newest chunk at which the next record is appended.
  private var end = UInt8(Chunk.capacity)
  /// The offset of the first record in the oldest chunk.
  private var head: UInt8 = 0
  /// The size in bytes of a record that refers to a slot, at this bucket's level.
  private let recordSize: UInt8
  private var size: UInt32 = 0

  init(level: Int) {
    recordSize = UInt8(RecordForm.size(level: level))
  }

  /// Empties the bucket and returns its previous contents.
  mutating func takeAll() -> Bucket {
    defer { clear() }
    return self
  }

  private mutating func clear() {
    (last, end, head, size) = (nil, UInt8(Chunk.capacity), 0, 0)
  }

  var isEmpty: Bool { last == nil }
  var count: Int { Int(size) }

  /// Appends a record to the newest chunk.
  ///
  /// - Precondition: ``hasRoom`` is true.
  @inline(__always)
  mutating func append(_ record: EventRecord) {
    let place = last.unsafelyUnwrapped.place(Int(end))
    end &+= RecordForm.write(record, to: place, size: recordSize)
    size &+= 1
  }

  /// Whether a record fits into the newest chunk.
  var hasRoom: Bool { end <= UInt8(Chunk.lastStart) }

  mutating func addChunk(_ pool: inout ChunkPool) {
    let chunk = pool.take()
    chunk.next = last?.next ?? chunk
    last?.next = chunk
    last = chunk
    end = 0
  }

  /// Returns the first record and its size in bytes. The bucket must not be empty.
  private func front(_ form: RecordForm) -> (record: EventRecord, size: Int) {
    let (record, size, _) = form.read(last.unsafelyUnwrapped.next.unsafelyUnwrapped.place(Int(head)))
    return (record, size)
  }

  /// Returns the first record. The bucket must not be empty.
  func first(_ form: RecordForm) -> EventRecord { front(form).record }

  mutating func removeFirst(_ form: RecordForm, _ pool: inout ChunkPool) {
    guard let last, let oldest = last.next else { return }
    head += UInt8(front(form).size)
    size -= 1
    if size == 0 {
      clear()
    } else if head > UInt8(Chunk.lastStart) {
      last.next = oldest.next
      head = 0
    } else {
      return
    }
    pool.give(oldest)
  }

  /// Removes the stale records and compacts the remaining ones within their chunks.
  mutating func removeStale(_ form: RecordForm, in slots: borrowing SlotTable, _ pool: inout ChunkPool) {
    guard let oldest = last?.next else { return }
    var (target, filled, offset) = (oldest, oldest, 0)
    var kept = 0
    let slots = slots.reader
    for (_, records) in chunks(form) {
      var records = records
      var place = records.position
      while let (record, hasSlot) = records.next() {
        if offset > Chunk.lastStart {
          filled = target
          target = target.next.unsafelyUnwrapped
          offset = 0
        }
        RecordForm.move(place, to: target.place(offset))
        let live = slots.liveCount(record, hasSlot: hasSlot)
        offset &+= (records.position - place) &* live
        kept &+= live
        place = records.position
      }
    }
    if offset == 0 { (target, offset) = (filled, Chunk.lastStart + 1) }
    var rest = target.next.unsafelyUnwrapped
    while rest != oldest {
      let chunk = rest
      rest = chunk.next.unsafelyUnwrapped
      pool.give(chunk)
    }
    target.next = oldest
    (last, head, end, size) = (target, 0, UInt8(offset), UInt32(kept))
    if kept > 0 { return }
    clear()
    pool.give(oldest)
  }

  /// Returns the chunks and their records, oldest first.
  func chunks(_ form: RecordForm) -> Chunks {
    Chunks(oldest: last?.next, last: last, head: Int(head), end: Int(end), form: form)
  }

  /// The chunks of a bucket. If the bucket came from ``takeAll()``, the caller may return each chunk to the
  /// pool after it has read the chunk's records.
  ///
  /// Each step reads the address of the chunk after the next one and prefetches that chunk, so that the
  /// processor loads it while the caller reads records.
  struct Chunks: Sequence, IteratorProtocol {
    private var following: Chunk?
    private var afterwards: Chunk?
    private let last: Chunk?
    private var head: Int
    private let end: Int
    private let form: RecordForm

    fileprivate init(oldest: Chunk?, last: Chunk?, head: Int, end: Int, form: RecordForm) {
      (following, self.last, self.head, self.end, self.form) = (oldest, last, head, end, form)
      afterwards = oldest?.next
    }

    mutating func next() -> (chunk: Chunk, records: Chunk.Records)? {
      guard let chunk = following else { return nil }
      defer { head = 0 }
      if chunk == last {
        following = nil
        return (chunk, chunk.records(from: head, to: end, form))
      }
      following = afterwards
      afterwards = afterwards?.next
      afterwards?.fetch()
      // The records of a full chunk all begin before this offset.
      return (chunk, chunk.records(from: head, to: Chunk.lastStart + 1, form))
    }
  }
}

/// A block of memory for consecutive records. The address of the next block precedes the records.
///
/// A record begins directly after the previous one if at least 16 bytes are left. The end of the records in a
/// full chunk follows from this rule, so it is not stored.
struct Chunk: BitwiseCopyable, Equatable {
  /// The number of bytes for records. It is enough for 16 records of 13 bytes, or for 26 of 8.
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

  /// Prefetches the chunk, 64 bytes at a time.
  @inline(__always)
  func fetch() {
    prefetch(memory)
    prefetch(memory + 64)
    prefetch(memory + 128)
    prefetch(memory + 192)
  }

  /// Returns the address of an offset. The offset must be at most `lastStart`.
  @inline(__always)
  func place(_ offset: Int) -> UnsafeMutableRawPointer { memory + (Self.recordOffset &+ offset) }

  /// Returns the records from one offset up to another.
  @inline(__always)
  func records(from start: Int, to end: Int, _ form: RecordForm) -> Records {
    Records(position: place(start), end: place(end), form: form)
  }

  /// A sequence of consecutive records. Each element includes whether the record has a slot, because reading
  /// the record determines that anyway.
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

/// A store of unused chunks, so that a list of steady size allocates nothing. Its size is limited, so that a
/// shrinking list frees memory.
struct ChunkPool: ~Copyable {
  private var firstFree: Chunk?
  private var freeCount = 0
  private var takenCount = 0
  /// The number of allocations so far.
  private(set) var allocations = 0

  deinit {
    var free = firstFree
    while let chunk = free {
      free = chunk.next
      chunk.deallocate()
    }
  }

  var byteCount: Int { (freeCount + takenCount) * Chunk.byteCount }

  mutating func take() -> Chunk {
    takenCount += 1
    guard let chunk = firstFree else {
      allocations += 1
      return .allocate()
    }
    firstFree = chunk.next
    freeCount -= 1
    return chunk
  }

  /// Stores a chunk. Frees it instead if the pool already holds 256 chunks plus half the number of chunks in
  /// use.
  mutating func give(_ chunk: Chunk) {
    takenCount -= 1
    guard freeCount < 256 + takenCount / 2 else { return chunk.deallocate() }
    chunk.next = firstFree
    firstFree = chunk
    freeCount += 1
  }
}

/// A first-in-first-out queue of records in a ring of chunks.
struct Bucket: BitwiseCopyable {
  /// The newest chunk; the one behind it is the oldest.
  private var last: Chunk?
  /// Where the next record goes in the newest chunk.
  private var end = UInt8(Chunk.capacity)
  /// Where the earliest inserted record lies in the oldest chunk.
  private var head: UInt8 = 0
  /// How many bytes a record takes that refers to a slot.
  private let recordSize: UInt8
  private var size: UInt32 = 0

  init(level: Int) {
    recordSize = UInt8(RecordForm.size(level: level))
  }

  /// What was in the bucket, which is empty afterwards.
  mutating func takeAll() -> Bucket {
    defer { clear() }
    return self
  }

  private mutating func clear() {
    (last, end, head, size) = (nil, UInt8(Chunk.capacity), 0, 0)
  }

  var isEmpty: Bool { last == nil }
  var count: Int { Int(size) }

  /// - Precondition: `hasRoom`
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

  /// The earliest inserted record and its size; the bucket must not be empty.
  private func front(_ form: RecordForm) -> (record: EventRecord, size: Int) {
    let (record, size, _) = form.read(last.unsafelyUnwrapped.next.unsafelyUnwrapped.place(Int(head)))
    return (record, size)
  }

  /// The earliest inserted record; the bucket must not be empty.
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

  /// Removes the stale records: moves the others together in the chunks they lie in.
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

  /// The chunks with their records, oldest first.
  func chunks(_ form: RecordForm) -> Chunks {
    Chunks(oldest: last?.next, last: last, head: Int(head), end: Int(end), form: form)
  }

  /// The chunks of a bucket that was taken out of its place; each may be given back once its records are
  /// read.
  ///
  /// Each looks at the one after the next: so the processor fetches that while the records before it are
  /// read.
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
      // Where a chunk is full no record can begin.
      return (chunk, chunk.records(from: head, to: Chunk.lastStart + 1, form))
    }
  }
}

/// A first-in-first-out queue of records in a chain of chunks.
struct Bucket: BitwiseCopyable {
  private var first: Chunk?
  private var last: Chunk?
  /// Position of the first record in the first chunk, below 32.
  private var head: UInt32 = 0
  /// Position behind the last record, counted from the beginning of the first chunk.
  private var end: UInt32 = 0

  var isEmpty: Bool { head == end }
  var count: Int { Int(end - head) }

  @inline(__always)
  mutating func append(_ record: EventRecord, _ pool: inout ChunkPool) {
    let index = Int(end % UInt32(Chunk.capacity))
    if index == 0 { addChunk(&pool) }
    last.unsafelyUnwrapped.records[index] = record
    end &+= 1
  }

  @inline(never)
  private mutating func addChunk(_ pool: inout ChunkPool) {
    let chunk = pool.take()
    chunk.next = nil
    if let last { last.next = chunk } else { first = chunk }
    last = chunk
  }

  /// The earliest inserted record; the bucket must not be empty.
  var front: EventRecord { first.unsafelyUnwrapped.records[Int(head)] }

  mutating func removeFirst(_ pool: inout ChunkPool) {
    head += 1
    guard head == end || head == UInt32(Chunk.capacity), let chunk = first else { return }
    first = chunk.next
    if first == nil {
      self = Bucket()
    } else {
      end -= head
      head = 0
    }
    pool.give(chunk)
  }

  /// Steps over the first chunk and gives its records.
  ///
  /// The chunk itself stays as it is. Done on a copy, this walks through the records; done on a bucket
  /// that was taken out of its place, it hands the chunks over, to be given back once they are read.
  mutating func nextChunk() -> (chunk: Chunk, records: UnsafeBufferPointer<EventRecord>)? {
    guard let chunk = first else { return nil }
    let stop = min(Int(end), Chunk.capacity)
    let records = UnsafeBufferPointer(start: chunk.records + Int(head), count: stop - Int(head))
    first = chunk.next
    if first == nil {
      self = Bucket()
    } else {
      head = 0
      end -= UInt32(Chunk.capacity)
    }
    return (chunk, records)
  }
}

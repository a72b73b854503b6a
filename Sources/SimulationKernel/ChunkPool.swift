/// 32 records in a fixed block of memory: the next chunk, the keys, the slots.
///
/// Keys and slots lie apart, so that a record takes 12 bytes rather than 16.
struct Chunk: BitwiseCopyable {
  static let capacity = 32
  static let byteCount = slotOffset + capacity * MemoryLayout<UInt32>.stride

  private static let keyOffset = MemoryLayout<UInt>.stride
  private static let slotOffset = keyOffset + capacity * MemoryLayout<UInt64>.stride

  private var memory: UnsafeMutableRawPointer

  static func allocate() -> Chunk {
    Chunk(memory: .allocate(byteCount: byteCount, alignment: MemoryLayout<UInt64>.alignment))
  }

  func deallocate() {
    memory.deallocate()
  }

  var next: Chunk? {
    get { memory.load(as: Chunk?.self) }
    nonmutating set { memory.storeBytes(of: newValue, as: Chunk?.self) }
  }

  var keys: UnsafeMutablePointer<UInt64> {
    (memory + Self.keyOffset).assumingMemoryBound(to: UInt64.self)
  }

  var slots: UnsafeMutablePointer<UInt32> {
    (memory + Self.slotOffset).assumingMemoryBound(to: UInt32.self)
  }

  subscript(index: Int) -> EventRecord {
    get { EventRecord(key: keys[index], slot: slots[index]) }
    nonmutating set {
      keys[index] = newValue.key
      slots[index] = newValue.slot
    }
  }
}

/// Keeps chunks that are not in use, so that a list in its steady state allocates nothing, but only
/// so many that a list which has shrunk gives its memory back.
struct ChunkPool: ~Copyable {
  private var firstFree: Chunk?
  private var freeCount = 0
  private var takenCount = 0
  /// How often memory was asked for, ever.
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

  /// Keeps the chunk while fewer than 256, and an eighth of those in use, are free.
  mutating func give(_ chunk: Chunk) {
    takenCount -= 1
    guard freeCount < 256 + takenCount / 8 else { return chunk.deallocate() }
    chunk.next = firstFree
    firstFree = chunk
    freeCount += 1
  }
}

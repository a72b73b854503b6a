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

  /// Keeps the chunk while fewer than 256, and half of those in use, are free.
  mutating func give(_ chunk: Chunk) {
    takenCount -= 1
    guard freeCount < 256 + takenCount / 2 else { return chunk.deallocate() }
    chunk.next = firstFree
    firstFree = chunk
    freeCount += 1
  }
}

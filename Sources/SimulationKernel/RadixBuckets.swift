/// A monotone radix queue: an inserted key must not be smaller than the last removed key.
///
/// The queue compares every key with `base`, which is not larger than any key. A key's level is the index of
/// the highest byte in which it differs from `base`, counting bytes from the lowest bit that affects the
/// order. A key's digit is the value of that byte. Level and digit determine the bucket.
///
/// Keys of a lower level are smaller, and so are keys with a smaller digit on the same level. Splitting the
/// earliest bucket moves `base` into the bucket's range and the bucket's records to lower levels, at most
/// seven times per record. Equal keys are always in the same bucket, in the order of their insertion.
///
/// See R. K. Ahuja, K. Mehlhorn, J. B. Orlin and R. E. Tarjan, "Faster algorithms for the shortest path
/// problem", Journal of the ACM 37 (1990).
struct RadixBuckets: ~Copyable {
  private static let levelCount = 8
  private static let digits = 256
  private static let wordsPerLevel = digits / 64

  /// One table of buckets for each level, or `nil` until the first record of that level is inserted. Before
  /// any insertion nothing is allocated, because a small list never needs the tables.
  private var levels = UnsafeMutablePointer<UnsafeMutablePointer<Bucket>?>.allocate(capacity: 0)
  /// One bit per bucket, set if the bucket is not empty.
  private var occupied = UnsafeMutablePointer<UInt64>.allocate(capacity: 0)
  /// One bit per level, set if any of its buckets is not empty.
  private var occupiedLevels: UInt8 = 0
  private var base: UInt64 = 0
  private var pool = ChunkPool()
  /// The number of records removed from buckets so far.
  private var taken = 0
  private var isAllocated = false

  deinit {
    for place in occupiedPlaces {
      for (chunk, _) in bucket(place).pointee.chunks(form(of: place)) { chunk.deallocate() }
    }
    for level in 0..<(isAllocated ? Self.levelCount : 0) { levels[level]?.deallocate() }
    levels.deallocate()
    occupied.deallocate()
  }

  private mutating func allocate() {
    levels.deallocate()
    occupied.deallocate()
    levels = .allocate(capacity: Self.levelCount)
    levels.initialize(repeating: nil, count: Self.levelCount)
    occupied = .allocate(capacity: Self.levelCount * Self.wordsPerLevel)
    occupied.initialize(repeating: 0, count: Self.levelCount * Self.wordsPerLevel)
    isAllocated = true
  }

  func copy() -> RadixBuckets {
    var copy = RadixBuckets()
    guard isAllocated else { return copy }
    copy.rebase(to: base)
    for place in occupiedPlaces {
      for (_, records) in bucket(place).pointee.chunks(form(of: place)) {
        for (record, _) in records { copy.append(record, at: place) }
      }
    }
    copy.taken = taken
    return copy
  }

  /// The number of allocated bytes.
  var byteCount: Int {
    guard isAllocated else { return 0 }
    let tables = (0..<Self.levelCount).count { levels[$0] != nil }
    return Self.levelCount * (8 + 8 * Self.wordsPerLevel)
      + tables * Self.digits * MemoryLayout<Bucket>.stride + pool.byteCount
  }

  /// The number of times that a record was put into a bucket. It is computed on demand, because a counter
  /// would slow down insertions.
  var moves: Int { occupiedPlaces.reduce(taken) { $0 + count(at: $1) } }

  /// The number of allocations for records.
  var allocations: Int { pool.allocations }

  var isEmpty: Bool { occupiedLevels == 0 }

  // MARK: Inserting

  /// Sets the key that other keys are compared with. All buckets must be empty.
  mutating func rebase(to key: UInt64) {
    if !isAllocated { allocate() }
    base = key
  }

  /// A bucket with room for a record.
  struct Place {
    fileprivate let bucket: UnsafeMutablePointer<Bucket>
  }

  /// Returns the bucket for a key if it has room for a record, or `nil` if the insertion would allocate
  /// memory.
  @inline(__always)
  func placeWithRoom(for key: UInt64) -> Place? {
    let place = place(of: key)
    guard let table = levels[place >> 8], table[place & 0xFF].hasRoom else { return nil }
    return Place(bucket: table + (place & 0xFF))
  }

  /// Inserts a record into the bucket for its key.
  @inline(__always)
  mutating func append(_ record: EventRecord, at place: Place) {
    place.bucket.pointee.append(record)
  }

  /// Inserts a record with a key that is not smaller than the base.
  @inline(__always)
  mutating func append(_ record: EventRecord) {
    if let place = placeWithRoom(for: record.key) {
      append(record, at: place)
    } else {
      append(record, at: place(of: record.key))
    }
  }

  private mutating func append(_ record: EventRecord, at place: Int) {
    if levels[place >> 8]?[place & 0xFF].hasRoom != true { makeRoom(at: place) }
    append(record, at: Place(bucket: bucket(place)))
  }

  private mutating func makeRoom(at place: Int) {
    let level = place / Self.digits
    if levels[level] == nil {
      let table = UnsafeMutablePointer<Bucket>.allocate(capacity: Self.digits)
      table.initialize(repeating: Bucket(level: level), count: Self.digits)
      levels[level] = table
    }
    bucket(place).pointee.addChunk(&pool)
    occupied[place / 64] |= 1 << UInt64(place % 64)
    occupiedLevels |= 1 << UInt8(level)
  }

  /// Returns the bucket at a place. The table for its level must exist.
  private func bucket(_ place: Int) -> UnsafeMutablePointer<Bucket> {
    levels[place >> 8].unsafelyUnwrapped + (place & 0xFF)
  }

  /// Returns the place of a key's bucket: its level and its digit.
  @inline(__always)
  private func place(of key: UInt64) -> Int {
    let level = (62 &- ((key ^ base) | 2).leadingZeroBitCount) >> 3
    let digit = Int(truncatingIfNeeded: key &>> Self.shift(level)) & (Self.digits - 1)
    return level << 8 | digit
  }

  /// Returns the number of bits below a level's digit, including the bit that does not affect the order.
  private static func shift(_ level: Int) -> UInt64 { UInt64(truncatingIfNeeded: level << 3 | 1) }

  // MARK: The earliest bucket

  /// The place of the bucket with the smallest keys. At least one bucket must not be empty.
  var earliestPlace: Int {
    let level = occupiedLevels.trailingZeroBitCount
    var word = level * Self.wordsPerLevel
    while occupied[word] == 0 { word += 1 }
    return word * 64 + occupied[word].trailingZeroBitCount
  }

  /// Returns whether a bucket is on the lowest level. All keys in such a bucket are equal.
  static func holdsEqualKeys(_ place: Int) -> Bool { place < digits }

  /// The places of all buckets that are not empty, in ascending order of their keys.
  private var occupiedPlaces: Places {
    Places(occupied: occupied, words: isEmpty ? 0 : Self.levelCount * Self.wordsPerLevel)
  }

  /// The places whose bit is set. An iteration may clear the bits of places that it has already returned.
  private struct Places: Sequence, IteratorProtocol {
    let occupied: UnsafeMutablePointer<UInt64>
    let words: Int
    private var word = 0
    private var bits: UInt64 = 0

    init(occupied: UnsafeMutablePointer<UInt64>, words: Int) {
      (self.occupied, self.words) = (occupied, words)
      if words > 0 { bits = occupied[0] }
    }

    mutating func next() -> Int? {
      guard words > 0 else { return nil }
      while bits == 0 {
        word += 1
        guard word < words else { return nil }
        bits = occupied[word]
      }
      defer { bits &= bits &- 1 }
      return word * 64 + bits.trailingZeroBitCount
    }
  }

  func count(at place: Int) -> Int { bucket(place).pointee.count }

  func front(at place: Int) -> EventRecord { bucket(place).pointee.first(form(of: place)) }

  mutating func removeFirst(at place: Int) {
    taken += 1
    bucket(place).pointee.removeFirst(form(of: place), &pool)
    if bucket(place).pointee.isEmpty { markEmpty(place) }
  }

  /// Returns the range of keys that a bucket can contain.
  func range(of place: Int) -> (lowest: UInt64, width: UInt64) {
    let shift = Self.shift(place >> 8)
    let digit = UInt64(truncatingIfNeeded: place & 0xFF)
    return ((base &>> shift & ~0xFF | digit) &<< shift, 1 &<< shift)
  }

  private func form(of place: Int) -> RecordForm {
    RecordForm(level: place >> 8, lowest: range(of: place).lowest)
  }

  /// Returns the smallest key of a live record, or `EventKey.end`.
  func smallestKey(in slots: borrowing SlotTable) -> UInt64 {
    for place in occupiedPlaces {
      let smallest = smallestKey(at: place, in: slots)
      if smallest < EventKey.end { return smallest }
    }
    return EventKey.end
  }

  /// Returns the smallest key of a live record at one place, or `EventKey.end`.
  func smallestKey(at place: Int, in slots: borrowing SlotTable) -> UInt64 {
    var smallest = EventKey.end
    for (_, records) in bucket(place).pointee.chunks(form(of: place)) {
      for (record, _) in records where record.key < smallest && !slots.isStale(record) {
        smallest = record.key
      }
    }
    return smallest
  }

  /// Moves the records of the earliest bucket to lower levels. `key` must be within the bucket's range and
  /// not larger than any live key, and at least one record must be live.
  ///
  /// Moves stale records too, because checking their slots would cost more.
  mutating func split(at place: Int, around key: UInt64) {
    let form = form(of: place)
    let bucket = take(place)
    base = key
    for (chunk, records) in bucket.chunks(form) {
      for (record, _) in records { append(record) }
      pool.give(chunk)
    }
  }

  /// Moves the live records of the earliest bucket into an empty run.
  ///
  /// If any record is live, the run then covers the bucket's range. The run also takes the next buckets of
  /// the same level, as long as it stays small and their ranges are below `limit`.
  ///
  /// This method checks all slots in one loop, so that the processor can fetch several of them at the same
  /// time. A separate check for each returned event would wait for memory every time.
  ///
  /// If the keys of a large bucket are too close together for sorting in one pass, the bucket is split
  /// instead.
  ///
  /// - Returns: The number of stale records.
  mutating func move(
    from place: Int, before limit: UInt64, into run: inout SortedRun, in slots: borrowing SlotTable
  ) -> Int {
    let (lowest, width) = range(of: place)
    var (last, moved) = (place, count(at: place))
    while let next = nextPlace(after: last), moved + count(at: next) <= SortedRun.limit,
      range(of: next).lowest &+ (width - 1) < limit
    {
      last = next
      moved += count(at: next)
    }
    let end = range(of: last).lowest &+ width
    if slots.isLarge { fetchGenerations(from: place, through: last, in: slots.reader) }
    var staged = run.makeRoom(toStage: moved, from: lowest, width: end &- lowest)
    var following: Int? = place
    while let place = following, place <= last {
      following = nextPlace(after: place)
      let form = form(of: place)
      for (chunk, records) in take(place).chunks(form) {
        SortedRun.stage(records, in: slots, &staged)
        pool.give(chunk)
      }
    }
    if run.sort(staged) {
      if !run.isEmpty { run.cover(from: lowest, width: end &- lowest) }
    } else {
      base = staged.smallestKey & EventKey.timeMask
      staged.forEach { append($0) }
    }
    return moved - staged.count
  }

  /// Prefetches the generations of all slots that the buckets of one level refer to, before their records are
  /// moved. With a million pending events, this makes cancelling and rescheduling a third faster.
  private func fetchGenerations(from place: Int, through last: Int, in slots: SlotTable.Reader) {
    var following: Int? = place
    while let place = following, place <= last {
      following = nextPlace(after: place)
      for (_, records) in bucket(place).pointee.chunks(form(of: place)) {
        for (record, hasSlot) in records where hasSlot { slots.fetchGeneration(record) }
      }
    }
  }

  /// Returns the next non-empty place of the same level, or `nil` if there is none.
  private func nextPlace(after place: Int) -> Int? {
    let next = place &+ 1
    guard next & 0xFF != 0 else { return nil }
    var word = next >> 6
    var bits = occupied[word] & (UInt64.max &<< UInt64(truncatingIfNeeded: next & 63))
    while bits == 0 {
      word &+= 1
      guard word % Self.wordsPerLevel != 0 else { return nil }
      bits = occupied[word]
    }
    return word << 6 | bits.trailingZeroBitCount
  }

  /// Removes all stale records.
  ///
  /// - Returns: The number of removed records.
  mutating func removeStale(in slots: borrowing SlotTable) -> Int {
    var removed = 0
    for place in occupiedPlaces { removed += removeStale(at: place, in: slots) }
    return removed
  }

  /// Removes the stale records at one place.
  ///
  /// - Returns: The number of removed records.
  mutating func removeStale(at place: Int, in slots: borrowing SlotTable) -> Int {
    let bucket = bucket(place)
    let count = bucket.pointee.count
    bucket.pointee.removeStale(form(of: place), in: slots, &pool)
    if bucket.pointee.isEmpty { markEmpty(place) }
    taken += count - bucket.pointee.count
    return count - bucket.pointee.count
  }

  /// Empties the bucket at a place and returns its previous contents.
  private mutating func take(_ place: Int) -> Bucket {
    taken += count(at: place)
    markEmpty(place)
    return bucket(place).pointee.takeAll()
  }

  private mutating func markEmpty(_ place: Int) {
    occupied[place >> 6] &= ~(1 &<< UInt64(truncatingIfNeeded: place))
    let level = place >> 8
    let words = occupied + level * Self.wordsPerLevel
    if words[0] | words[1] | words[2] | words[3] == 0 { occupiedLevels &= ~(1 &<< UInt8(level)) }
  }
}

/// A monotone radix queue: keys may be inserted that are not smaller than the last one taken out.
///
/// Every key is compared with `base`, which is not larger than any of them. The highest byte in which
/// they differ, counted from the lowest bit that takes part in the order, is the key's level, that
/// byte's value its digit, and level and digit name its bucket.
/// Keys in a bucket of a lower level, or of the same level and a smaller digit, are smaller. When the
/// earliest bucket is taken apart, `base` moves into it and its records move to lower levels, at most
/// seven times in all; equal keys are always in one bucket, in the order of their insertion.
///
/// After R. K. Ahuja, K. Mehlhorn, J. B. Orlin and R. E. Tarjan, "Faster algorithms for the shortest
/// path problem", Journal of the ACM 37 (1990).
struct RadixBuckets: ~Copyable {
  private static let digits = 256
  private static let places = 8 * digits
  private static let wordsPerLevel = digits / 64

  /// Level after level; none before the first insertion, because a small list never needs them.
  private var buckets = UnsafeMutablePointer<Bucket>.allocate(capacity: 0)
  /// A bit per bucket: not empty.
  private var occupied = UnsafeMutablePointer<UInt64>.allocate(capacity: 0)
  /// A bit per level: some bucket is not empty.
  private var occupiedLevels: UInt8 = 0
  private var isAllocated = false
  private var base: UInt64 = 0
  private var pool = ChunkPool()
  /// How often a record was put into a bucket, ever.
  private(set) var moves = 0

  deinit {
    for place in 0..<(isEmpty ? 0 : Self.places) {
      var rest = buckets[place]
      while let (chunk, _) = rest.nextChunk() { chunk.deallocate() }
    }
    buckets.deallocate()
    occupied.deallocate()
  }

  private mutating func allocate() {
    buckets.deallocate()
    occupied.deallocate()
    buckets = .allocate(capacity: Self.places)
    buckets.initialize(repeating: Bucket(), count: Self.places)
    occupied = .allocate(capacity: Self.places / 64)
    occupied.initialize(repeating: 0, count: Self.places / 64)
    isAllocated = true
  }

  func copy() -> RadixBuckets {
    var copy = RadixBuckets()
    guard isAllocated else { return copy }
    copy.allocate()
    copy.base = base
    copy.moves = moves
    copy.occupiedLevels = occupiedLevels
    copy.occupied.update(from: occupied, count: Self.places / 64)
    for place in 0..<Self.places where !buckets[place].isEmpty {
      var rest = buckets[place]
      while let (_, records) = rest.nextChunk() {
        for record in records { copy.buckets[place].append(record, &copy.pool) }
      }
    }
    return copy
  }

  /// Bytes held, used or not.
  var byteCount: Int {
    let table = isAllocated ? Self.places * MemoryLayout<Bucket>.stride + Self.places / 8 : 0
    return table + pool.byteCount
  }

  /// How often memory for records was asked for, ever.
  var allocations: Int { pool.allocations }

  var isEmpty: Bool { occupiedLevels == 0 }

  // MARK: Inserting

  /// Chooses the key that others are compared with; all buckets must be empty, or `key` lie within
  /// the range of an empty bucket that is earlier than all others.
  mutating func rebase(to key: UInt64) {
    if !isAllocated { allocate() }
    base = key
  }

  /// Inserts a record whose key is not smaller than the base.
  @inline(__always)
  mutating func append(_ record: EventRecord) {
    append(record, at: place(of: record.key))
  }

  @inline(__always)
  private mutating func append(_ record: EventRecord, at place: Int) {
    if buckets[place].isEmpty { markOccupied(place) }
    buckets[place].append(record, &pool)
    moves &+= 1
  }

  private mutating func markOccupied(_ place: Int) {
    occupied[place / 64] |= 1 << UInt64(place % 64)
    occupiedLevels |= 1 << UInt8(place / Self.digits)
  }

  /// Level and digit of a key, as the index of its bucket.
  @inline(__always)
  private func place(of key: UInt64) -> Int {
    let level = (62 &- ((key ^ base) | 2).leadingZeroBitCount) >> 3
    let digit = Int(truncatingIfNeeded: key &>> Self.shift(level)) & (Self.digits - 1)
    return level << 8 | digit
  }

  /// How many bits lie below the digit of a level, the one outside the order included.
  private static func shift(_ level: Int) -> UInt64 { UInt64(truncatingIfNeeded: level << 3 | 1) }

  // MARK: The earliest bucket

  /// The bucket with the smallest keys; there must be one that is not empty.
  var earliestPlace: Int {
    let level = occupiedLevels.trailingZeroBitCount
    var word = level * Self.wordsPerLevel
    while occupied[word] == 0 { word += 1 }
    return word * 64 + occupied[word].trailingZeroBitCount
  }

  /// Whether a bucket is of the lowest level, where all keys of a bucket are equal.
  static func holdsEqualKeys(_ place: Int) -> Bool { place < digits }

  func count(at place: Int) -> Int { buckets[place].count }

  func front(at place: Int) -> EventRecord { buckets[place].front }

  mutating func removeFirst(at place: Int) {
    buckets[place].removeFirst(&pool)
    if buckets[place].isEmpty { markEmpty(place) }
  }

  /// The range of keys of the earliest bucket.
  func range(of place: Int) -> (lowest: UInt64, width: UInt64) {
    let shift = Self.shift(place / Self.digits)
    let digit = UInt64(truncatingIfNeeded: place % Self.digits)
    return ((base >> shift & ~0xFF | digit) << shift, 1 << shift)
  }

  /// The smallest key of a record that is not stale, or `EventKey.end`.
  func smallestKey(in slots: borrowing SlotTable) -> UInt64 {
    guard !isEmpty else { return EventKey.end }
    for place in earliestPlace..<Self.places where !buckets[place].isEmpty {
      let smallest = smallestKey(at: place, in: slots)
      if smallest < EventKey.end { return smallest }
    }
    return EventKey.end
  }

  /// The smallest key at one place of a record that is not stale, or `EventKey.end`.
  func smallestKey(at place: Int, in slots: borrowing SlotTable) -> UInt64 {
    var smallest = EventKey.end
    var rest = buckets[place]
    while let (_, records) = rest.nextChunk() {
      for record in records where record.key < smallest && !slots.isStale(record) {
        smallest = record.key
      }
    }
    return smallest
  }

  /// Moves the records of the earliest bucket to lower levels, without the stale ones. `key` is not
  /// larger than any that stays, and lies within the bucket's range.
  ///
  /// - Returns: how many were stale.
  mutating func split(at place: Int, around key: UInt64, in slots: borrowing SlotTable) -> Int {
    var rest = take(place)
    var stale = 0
    base = key
    while let (chunk, records) = rest.nextChunk() {
      for record in records {
        if slots.isStale(record) { stale += 1 } else { append(record) }
      }
      pool.give(chunk)
    }
    return stale
  }

  /// Moves the records of the earliest bucket, without the stale ones, into an empty run, which takes
  /// over the bucket's range if any are left.
  ///
  /// Looking at the slots here, one right after the other, lets the processor fetch many at a time;
  /// later, each would be waited for when its event is given out.
  ///
  /// - Returns: how many were stale.
  mutating func move(at place: Int, into run: inout SortedRun, in slots: borrowing SlotTable) -> Int {
    let (lowest, width) = range(of: place)
    let count = buckets[place].count
    var rest = take(place)
    while let (chunk, records) = rest.nextChunk() {
      run.stage(records, in: slots)
      pool.give(chunk)
    }
    run.sortStaged()
    if !run.isEmpty { run.cover(from: lowest, width: width) }
    return count - run.count
  }

  /// Removes all stale records.
  ///
  /// - Returns: how many there were.
  mutating func removeStale(in slots: borrowing SlotTable) -> Int {
    var removed = 0
    for place in 0..<(isEmpty ? 0 : Self.places) where !buckets[place].isEmpty {
      removed += removeStale(at: place, in: slots)
    }
    return removed
  }

  /// Removes the stale records at one place.
  ///
  /// - Returns: how many there were.
  mutating func removeStale(at place: Int, in slots: borrowing SlotTable) -> Int {
    var removed = 0
    var rest = take(place)
    while let (chunk, records) = rest.nextChunk() {
      for record in records {
        if slots.isStale(record) { removed += 1 } else { append(record, at: place) }
      }
      pool.give(chunk)
    }
    return removed
  }

  /// The bucket at a place, which is empty afterwards.
  private mutating func take(_ place: Int) -> Bucket {
    defer {
      buckets[place] = Bucket()
      markEmpty(place)
    }
    return buckets[place]
  }

  private mutating func markEmpty(_ place: Int) {
    occupied[place / 64] &= ~(1 << UInt64(place % 64))
    let level = place / Self.digits
    let words = occupied + level * Self.wordsPerLevel
    if words[0] | words[1] | words[2] | words[3] == 0 { occupiedLevels &= ~(1 << UInt8(level)) }
  }
}

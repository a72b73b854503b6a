/// A monotone radix queue: keys may be inserted that are not smaller than the last one taken out.
///
/// Every key is compared with `base`, which is not larger than any of them. The highest byte in which
/// they differ is the key's level, that byte's value its digit, and level and digit name its bucket.
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
  /// Keeps what `touchSlots` reads from being optimised away.
  private var touched: UInt8 = 0
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
      while let (chunk, positions) = rest.nextChunk() {
        for position in positions { copy.buckets[place].append(chunk[position], &copy.pool) }
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
  mutating func append(_ record: EventRecord) {
    append(record, at: place(of: record.key))
  }

  private mutating func append(_ record: EventRecord, at place: Int) {
    if buckets[place].isEmpty {
      occupied[place / 64] |= 1 << UInt64(place % 64)
      occupiedLevels |= 1 << UInt8(place / Self.digits)
    }
    buckets[place].append(record, &pool)
    moves += 1
  }

  /// Level and digit of a key, as the index of its bucket.
  private func place(of key: UInt64) -> Int {
    let level = (63 - ((key ^ base) | 1).leadingZeroBitCount) / 8
    let digit = Int(truncatingIfNeeded: key >> UInt64(level * 8)) & (Self.digits - 1)
    return level * Self.digits + digit
  }

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

  /// The smallest key at a place that is not empty.
  func smallestKey(at place: Int) -> UInt64 {
    smallestKey(at: place) { _ in true }
  }

  /// The smallest key of all records that `isCounted` accepts, or `EventKey.end`.
  func smallestKey(where isCounted: (EventRecord) -> Bool) -> UInt64 {
    guard !isEmpty else { return EventKey.end }
    for place in earliestPlace..<Self.places where !buckets[place].isEmpty {
      let smallest = smallestKey(at: place, where: isCounted)
      if smallest < EventKey.end { return smallest }
    }
    return EventKey.end
  }

  private func smallestKey(at place: Int, where isCounted: (EventRecord) -> Bool) -> UInt64 {
    var smallest = EventKey.end
    var rest = buckets[place]
    while let (chunk, positions) = rest.nextChunk() {
      for position in positions where chunk.keys[position] < smallest && isCounted(chunk[position]) {
        smallest = chunk.keys[position]
      }
    }
    return smallest
  }

  /// Reads the slots that the records at one place refer to, if these are few enough to be played soon.
  ///
  /// The slots lie scattered over the table. Reading them here, one right after the other, lets the
  /// processor fetch many at a time; later, each would be waited for when its event is given out.
  mutating func touchSlots(at place: Int, in slots: borrowing SlotTable) {
    var rest = buckets[place]
    guard (2...Self.digits).contains(rest.count) else { return }
    while let (chunk, positions) = rest.nextChunk() {
      for position in positions { touched |= slots.priority(chunk.slots[position]) }
    }
  }

  /// Moves the records of the earliest bucket to lower levels. `key` is not larger than any of them,
  /// and lies within the bucket's range.
  mutating func split(at place: Int, around key: UInt64) {
    var rest = take(place)
    base = key
    while let (chunk, positions) = rest.nextChunk() {
      for position in positions { append(chunk[position]) }
      pool.give(chunk)
    }
  }

  /// Moves the records of the earliest bucket into an empty run, which takes over the bucket's range;
  /// there may be half as many as a run holds.
  mutating func move(at place: Int, into run: inout SortedRun) {
    let shift = UInt64(place / Self.digits * 8)
    let width = UInt64(1) << shift
    let digit = UInt64(place % Self.digits)
    run.cover(from: (base >> shift & ~0xFF | digit) << shift, width: width)
    var rest = take(place)
    while let (chunk, positions) = rest.nextChunk() {
      for position in positions { run.stage(chunk[position]) }
      pool.give(chunk)
    }
    run.sortStaged()
  }

  /// Removes the records of dead slots at one place and frees those.
  ///
  /// - Returns: how many there were.
  mutating func bury(at place: Int, in slots: inout SlotTable) -> Int {
    var buried = 0
    var rest = take(place)
    while let (chunk, positions) = rest.nextChunk() {
      for position in positions {
        let record = chunk[position]
        if slots.isDead(record.slot) {
          slots.bury(record.slot)
          buried += 1
        } else {
          append(record, at: place)
        }
      }
      pool.give(chunk)
    }
    return buried
  }

  /// Removes the records of all dead slots and frees those.
  ///
  /// - Returns: how many there were.
  mutating func bury(in slots: inout SlotTable) -> Int {
    var buried = 0
    for place in 0..<(isEmpty ? 0 : Self.places) where !buckets[place].isEmpty {
      buried += bury(at: place, in: &slots)
    }
    return buried
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
    let first = level * Self.wordsPerLevel
    if (first..<first + Self.wordsPerLevel).allSatisfy({ occupied[$0] == 0 }) {
      occupiedLevels &= ~(1 << UInt8(level))
    }
  }
}

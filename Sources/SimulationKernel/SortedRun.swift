/// The records of one range of keys, sorted, of which the first is the earliest that is pending.
///
/// A list of up to 64 events is a run that covers all keys. In a larger one the run holds what was
/// the earliest bucket. Records with equal keys stay in the order of their insertion.
struct SortedRun: ~Copyable {
  /// The most that a run for all keys holds; inserting into a sorted array costs in proportion.
  static let limit = 64

  /// The most records of a bucket that are sorted into a run.
  static let sortable = 256

  private static let leastCapacity = 8

  private var records: UnsafeMutablePointer<EventRecord>
  private var capacity: Int
  private var head = 0
  private var end = 0
  /// Keys belong here whose distance from `lowest` is below `width`.
  private var lowest: UInt64 = 0
  private var width = EventKey.end
  /// How many records were inserted since the run covers what it does.
  private var insertions = 0

  init() {
    self.init(capacity: Self.leastCapacity)
  }

  private init(capacity: Int) {
    self.capacity = capacity
    records = .allocate(capacity: capacity)
  }

  deinit {
    records.deallocate()
  }

  func copy() -> SortedRun {
    var copy = SortedRun(capacity: capacity)
    copy.adopt(self)
    return copy
  }

  private mutating func adopt(_ other: borrowing SortedRun) {
    records.initialize(from: other.records + other.head, count: other.count)
    end = other.count
    (lowest, width) = (other.lowest, other.width)
    insertions = other.insertions
  }

  var byteCount: Int { capacity * MemoryLayout<EventRecord>.stride }

  var count: Int { end - head }
  var isEmpty: Bool { head == end }
  /// Whether it is time to move to buckets; a run that a bucket was sorted into may be larger at first,
  /// as long as not much is inserted.
  var isFull: Bool { count >= Self.limit && insertions >= Self.limit / 2 }

  /// The record at a position, 0 being the earliest.
  subscript(position: Int) -> EventRecord { records[head + position] }

  // MARK: What it covers

  func covers(_ key: UInt64) -> Bool { key &- lowest < width }

  /// Everything belongs here: nothing is pending elsewhere.
  mutating func coverAll() {
    cover(from: 0, width: EventKey.end)
  }

  mutating func cover(from lowest: UInt64, width: UInt64) {
    (self.lowest, self.width) = (lowest, width)
    insertions = 0
  }

  // MARK: Changing

  /// Puts a record behind those with the same or a smaller key.
  ///
  /// Looks from the end, where most new events belong.
  mutating func insert(_ record: EventRecord) {
    if end == capacity { makeRoom() }
    Self.insert(record, into: records, from: head, to: end)
    end += 1
    insertions += 1
  }

  private static func insert(
    _ record: EventRecord, into records: UnsafeMutablePointer<EventRecord>, from head: Int, to end: Int
  ) {
    let order = record.key | EventKey.slotBit
    var position = end
    while position > head, records[position - 1].key > order {
      records[position] = records[position - 1]
      position -= 1
    }
    records[position] = record
  }

  /// Moves the records to the beginning of the memory, and grows it if less than half was free.
  private mutating func makeRoom() {
    if head > 0, head >= capacity / 2 {
      records.update(from: records + head, count: count)
      end -= head
      head = 0
    } else {
      move(toRoomFor: capacity * 2)
    }
  }

  private mutating func move(toRoomFor capacity: Int) {
    var other = SortedRun(capacity: capacity)
    other.adopt(self)
    self = other
  }

  /// Takes out the first record, if there is one and its key is smaller than `limit`.
  @inline(__always)
  mutating func removeFirst(before limit: UInt64) -> EventRecord? {
    guard head != end, records[head].key < limit else { return nil }
    return removeFirst()
  }

  /// The same, but only if the record has no slot.
  @inline(__always)
  mutating func removeFirstPlain(before limit: UInt64) -> EventRecord? {
    guard head != end, records[head].key < limit, !records[head].hasSlot else { return nil }
    return removeFirst()
  }

  @inline(__always)
  private mutating func removeFirst() -> EventRecord {
    defer {
      head &+= 1
      if head == end { removeAll() }
    }
    return records[head]
  }

  mutating func removeAll() {
    head = 0
    end = 0
  }

  /// Removes the stale records.
  ///
  /// - Returns: how many there were.
  mutating func removeStale(in slots: borrowing SlotTable) -> Int {
    var kept = head
    for position in head..<end where !slots.isStale(records[position]) {
      records[kept] = records[position]
      kept += 1
    }
    let removed = end - kept
    end = kept
    if isEmpty { removeAll() }
    return removed
  }

  // MARK: Sorting a bucket

  /// Adds the records that are not stale to those that `sortStaged` will sort: at most `sortable`, to
  /// an empty run.
  mutating func stage(_ added: Chunk.Records, in slots: borrowing SlotTable) {
    if capacity < 2 * Self.sortable { move(toRoomFor: 2 * Self.sortable) }
    end += slots.copyLive(added, to: records + (Self.sortable + end))
  }

  /// Sorts the staged records, those with equal keys in the order in which they were staged.
  mutating func sortStaged() {
    let staged = records + Self.sortable
    if end <= Self.directlySorted {
      for position in 0..<end { Self.insert(staged[position], into: records, from: 0, to: position) }
      return
    }
    scatter(staged)
    for position in 1..<end where records[position].key | EventKey.slotBit < records[position - 1].key {
      Self.insert(records[position], into: records, from: 0, to: position)
    }
  }

  /// Fewer than so many are sorted by insertion alone.
  private static let directlySorted = 8

  /// Copies the staged records to the beginning, ordered by the highest bits in which they differ: at
  /// least as many bit patterns as records, so that most are in their place.
  private mutating func scatter(_ staged: UnsafeMutablePointer<EventRecord>) {
    var (smallest, largest) = (EventKey.end, UInt64(0))
    for position in 0..<end {
      let key = staged[position].key
      smallest = min(smallest, key)
      largest = max(largest, key)
    }
    smallest &= ~EventKey.slotBit
    let digitBits = min(8, UInt64.bitWidth - UInt64(end).leadingZeroBitCount)
    let rangeBits = UInt64.bitWidth - (largest - smallest).leadingZeroBitCount
    let shift = UInt64(max(EventKey.slotBit.trailingZeroBitCount + 1, rangeBits - digitBits))
    withUnsafeTemporaryAllocation(of: UInt16.self, capacity: 256) { starts in
      let digits = 1 << digitBits
      for digit in 0..<digits { starts[digit] = 0 }
      for position in 0..<end { starts[Int((staged[position].key &- smallest) >> shift)] &+= 1 }
      var start: UInt16 = 0
      for digit in 0..<digits {
        let size = starts[digit]
        starts[digit] = start
        start &+= size
      }
      for position in 0..<end {
        let record = staged[position]
        let digit = Int((record.key &- smallest) >> shift)
        records[Int(starts[digit])] = record
        starts[digit] &+= 1
      }
    }
  }
}

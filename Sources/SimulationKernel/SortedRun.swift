/// The sorted records of one range of keys, which starts with the earliest record of the list.
///
/// In a list of up to 64 events, the run covers all keys. In a larger list, it contains the records of a
/// former earliest bucket. Records with equal keys keep the order of their insertion.
struct SortedRun: ~Copyable {
  /// The maximum size of a run that covers all keys. The cost of an insertion is proportional to the run's
  /// size.
  static let limit = 64

  /// The maximum size of a bucket that may be sorted into a run if the bucket has only a small part of all
  /// records. Few new records then belong to the run's range.
  static let sortable = 4_096

  /// The initial capacity in records. A full run doubles its capacity.
  private static let leastCapacity = 8

  private var records: UnsafeMutablePointer<EventRecord>
  private var capacity: Int
  private var head = 0
  private var end = 0
  /// The start of the range. The run covers a key if the key's distance from `lowest` is below `width`.
  private var lowest: UInt64 = 0
  private var width = EventKey.end
  /// The number of insertions after which a large run counts as full.
  private var allowance = 0

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
    allowance = other.allowance
  }

  var byteCount: Int { capacity * MemoryLayout<EventRecord>.stride }

  var count: Int { end - head }
  var isEmpty: Bool { head == end }
  /// Whether the records must move to buckets before another one is inserted. A run that was sorted from a
  /// large bucket counts as full only after a number of insertions.
  var isFull: Bool { count >= Self.limit && allowance <= 0 }

  /// The earliest record, or `nil` if the run is empty.
  @inline(__always)
  var first: EventRecord? { head == end ? nil : records[head] }

  /// The earliest record, or `nil` if there is no second one.
  @inline(__always)
  var firstOfSeveral: EventRecord? { head &+ 1 < end ? records[head] : nil }

  /// The record at a position; 0 is the earliest.
  subscript(position: Int) -> EventRecord { records[head + position] }

  // MARK: Range

  func covers(_ key: UInt64) -> Bool { key &- lowest < width }

  /// Makes the run cover all keys. All records of the list must be in the run.
  mutating func coverAll() {
    cover(from: 0, width: EventKey.end)
  }

  mutating func cover(from lowest: UInt64, width: UInt64) {
    (self.lowest, self.width) = (lowest, width)
    allowance = max(Self.limit / 2, count / 8)
  }

  // MARK: Inserting and removing

  /// Inserts a record after the records with the same or a smaller key.
  mutating func insert(_ record: EventRecord) {
    allowance &-= 1
    if end == capacity { makeRoom() }
    if count <= Self.limit {
      Self.insert(record, into: records, from: head, to: end)
      end += 1
    } else {
      insertIntoMany(record)
    }
  }

  /// Inserts a record. Searches from the end, because most new events belong there.
  @inline(__always)
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

  /// Inserts a record at a position found by binary search. Moves either the records before it or those after
  /// it, whichever are fewer.
  private mutating func insertIntoMany(_ record: EventRecord) {
    let order = record.key | EventKey.slotBit
    var (position, rest) = (head, count)
    while rest > 0 {
      let half = rest / 2
      if records[position + half].key > order {
        rest = half
      } else {
        position += half + 1
        rest -= half + 1
      }
    }
    if head > 0, position - head < end - position {
      (records + (head - 1)).update(from: records + head, count: position - head)
      head -= 1
      position -= 1
    } else {
      (records + (position + 1)).update(from: records + position, count: end - position)
      end += 1
    }
    records[position] = record
  }

  /// Moves the records to the start of the memory if at least half of the memory is free there. Otherwise
  /// enlarges the memory.
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

  /// Removes and returns the first record if its key is smaller than `limit`, or returns `nil` otherwise.
  @inline(__always)
  mutating func removeFirst(before limit: UInt64) -> EventRecord? {
    guard let first, first.key < limit else { return nil }
    head &+= 1
    if head == end { removeAll() }
    return first
  }

  /// Removes the first record. The run must have at least two.
  @inline(__always)
  mutating func removeFirstOfSeveral() { head &+= 1 }

  mutating func removeAll() {
    head = 0
    end = 0
  }

  /// Removes the stale records.
  ///
  /// - Returns: The number of removed records.
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

  /// Unsorted records in the memory of a run, after the space for the sorted ones. A counter for each digit
  /// follows them, with up to four digits per record.
  struct Staging {
    fileprivate let records: UnsafeMutablePointer<EventRecord>
    fileprivate let counters: UnsafeMutablePointer<UInt16>
    fileprivate let digits: Int
    /// The smallest possible key.
    fileprivate let lowest: UInt64
    /// The shift that gives a key's digit: the key's distance from the smallest possible key is shifted right
    /// by this number of bits.
    fileprivate let shift: UInt64
    fileprivate(set) var count = 0

    @inline(__always)
    fileprivate func digit(_ key: UInt64) -> Int { Int(truncatingIfNeeded: (key &- lowest) &>> shift) }

    /// The smallest key. At least one record must be staged.
    var smallestKey: UInt64 { (0..<count).reduce(EventKey.end) { min($0, records[$1].key) } }

    /// Calls `body` with each record, in the order in which they were staged.
    func forEach(_ body: (EventRecord) -> Void) {
      for position in 0..<count { body(records[position]) }
    }
  }

  /// Makes room for staging up to `count` records whose keys are in a range that begins at `lowest`. The run
  /// must be empty.
  mutating func makeRoom(toStage count: Int, from lowest: UInt64, width: UInt64) -> Staging {
    let room = (count + 63) & ~63
    let needed = 2 * room + room / 2
    if capacity < needed { move(toRoomFor: needed) }
    // There are two to four times as many digits as records, so that most records have a digit of their own.
    let rangeBits = UInt64.bitWidth - (width - 1).leadingZeroBitCount
    let digitBits = UInt64.bitWidth + 1 - count.leadingZeroBitCount
    let shift = UInt64(max(EventKey.slotBit.trailingZeroBitCount + 1, rangeBits - digitBits))
    let staging = Staging(
      records: records + room,
      counters: UnsafeMutableRawPointer(records + 2 * room).assumingMemoryBound(to: UInt16.self),
      digits: Int((width - 1) >> shift) + 1, lowest: lowest, shift: shift)
    staging.counters.initialize(repeating: 0, count: staging.digits)
    return staging
  }

  /// Stages the live records of a chunk for `sort`.
  static func stage(
    _ added: Chunk.Records, in slots: borrowing SlotTable, _ staging: inout Staging
  ) {
    if slots.isLarge {
      stage(added, in: slots.reader, &staging, fetching: true)
    } else {
      stage(added, in: slots.reader, &staging, fetching: false)
    }
  }

  /// - Parameter fetching: Whether to prefetch the payloads of live records.
  @inline(__always)
  private static func stage(
    _ added: Chunk.Records, in slots: SlotTable.Reader, _ staging: inout Staging, fetching: Bool
  ) {
    let staged = staging
    var place = staged.records + staged.count
    for (record, hasSlot) in added {
      place.pointee = record
      let live = slots.liveCount(record, hasSlot: hasSlot)
      if fetching, hasSlot { slots.fetchPayload(record, live) }
      staged.counters[staged.digit(record.key)] &+= UInt16(truncatingIfNeeded: live)
      place += live
    }
    staging.count = place - staged.records
  }

  /// Sorts the staged records. Records with equal keys keep their order.
  ///
  /// - Returns: Whether the records are sorted. If not, many keys are so close together that sorting would be
  ///   slow.
  mutating func sort(_ staged: Staging) -> Bool {
    let ends = staged.counters
    var end: UInt16 = 0
    for digit in 0..<staged.digits {
      let size = ends[digit]
      ends[digit] = end
      end &+= size
    }
    for position in 0..<staged.count {
      let record = staged.records[position]
      let digit = staged.digit(record.key)
      records[Int(ends[digit])] = record
      ends[digit] &+= 1
    }
    if staged.count > 4 * Self.limit, hasCluster(staged) { return false }
    self.end = staged.count
    guard staged.count > 1 else { return true }
    for position in 1..<staged.count
    where records[position].key | EventKey.slotBit < records[position - 1].key {
      Self.insert(records[position], into: records, from: 0, to: position)
    }
    return true
  }

  /// Returns whether more than a few records have the same digit but different keys.
  private func hasCluster(_ staged: Staging) -> Bool {
    var start = 0
    for digit in 0..<staged.digits {
      let end = Int(staged.counters[digit])
      if end - start > Self.limit {
        let key = records[start].key | EventKey.slotBit
        for position in start..<end where records[position].key | EventKey.slotBit != key { return true }
      }
      start = end
    }
    return false
  }
}

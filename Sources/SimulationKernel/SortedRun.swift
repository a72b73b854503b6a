/// The records of one range of keys, sorted, of which the first is the earliest that is pending.
///
/// A list of up to 64 events is a run that covers all keys. In a larger one the run holds what was
/// the earliest bucket. Records with equal keys stay in the order of their insertion.
struct SortedRun: ~Copyable {
  /// The most that a run for all keys holds; inserting into a sorted array costs in proportion.
  static let limit = 64

  /// The most records of a bucket that are sorted into a run, if they are a small part of all: few new
  /// ones belong to its range then.
  static let sortable = 4_096

  /// Of records, before the first is inserted; it doubles when they are more.
  private static let leastCapacity = 8

  private var records: UnsafeMutablePointer<EventRecord>
  private var capacity: Int
  private var head = 0
  private var end = 0
  /// Keys belong here whose distance from `lowest` is below `width`.
  private var lowest: UInt64 = 0
  private var width = EventKey.end
  /// How many records may still be inserted before the run is full, if it is not small.
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
  /// Whether it is time to move to buckets; a run that a bucket was sorted into may be larger at first,
  /// as long as not much is inserted.
  var isFull: Bool { count >= Self.limit && allowance <= 0 }

  /// The earliest record, if there is one.
  @inline(__always)
  var first: EventRecord? { head == end ? nil : records[head] }

  /// The earliest record, if another one follows.
  @inline(__always)
  var firstOfSeveral: EventRecord? { head &+ 1 < end ? records[head] : nil }

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
    allowance = max(Self.limit / 2, count / 8)
  }

  // MARK: Changing

  /// Puts a record behind those with the same or a smaller key.
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

  /// Looks from the end, where most new events belong.
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

  /// Halves the range in which the place must be, and moves what is fewer: the records before or behind it.
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
    guard let first, first.key < limit else { return nil }
    head &+= 1
    if head == end { removeAll() }
    return first
  }

  /// Takes out the first of several records.
  @inline(__always)
  mutating func removeFirstOfSeveral() { head &+= 1 }

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

  /// Where records are, in the memory of a run, that will be sorted: behind the room for the sorted ones, and
  /// behind them a counter for each digit, up to four for each record.
  struct Staging {
    fileprivate let records: UnsafeMutablePointer<EventRecord>
    fileprivate let counters: UnsafeMutablePointer<UInt16>
    fileprivate let digits: Int
    /// The smallest key that may come.
    fileprivate let lowest: UInt64
    /// The digit of a key is its distance from the smallest one, without so many bits.
    fileprivate let shift: UInt64
    fileprivate(set) var count = 0

    @inline(__always)
    fileprivate func digit(_ key: UInt64) -> Int { Int(truncatingIfNeeded: (key &- lowest) &>> shift) }

    /// The smallest key; there must be a record.
    var smallestKey: UInt64 { (0..<count).reduce(EventKey.end) { min($0, records[$1].key) } }

    /// The records in the order in which they were staged.
    func forEach(_ body: (EventRecord) -> Void) {
      for position in 0..<count { body(records[position]) }
    }
  }

  /// Gets ready for so many records at most, whose keys are from `lowest` on in a range so wide; the run
  /// must be empty.
  mutating func makeRoom(toStage count: Int, from lowest: UInt64, width: UInt64) -> Staging {
    let room = (count + 63) & ~63
    let needed = 2 * room + room / 2
    if capacity < needed { move(toRoomFor: needed) }
    // At least twice as many digits as records, so that most are alone with theirs; at most four times.
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

  /// Adds the records that are not stale to those that `sort` will sort.
  static func stage(
    _ added: Chunk.Records, in slots: borrowing SlotTable, _ staging: inout Staging
  ) {
    if slots.isLarge {
      stage(added, in: slots.reader, &staging, fetching: true)
    } else {
      stage(added, in: slots.reader, &staging, fetching: false)
    }
  }

  /// - Parameter fetching: whether the processor is told to fetch the payloads of what is not stale.
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

  /// Sorts the staged records, those with equal keys in the order in which they were staged.
  ///
  /// - Returns: false if they are many whose keys lie so close together that sorting them would take long.
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

  /// Whether more records than a few have the same digit, and not all of them the same key.
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

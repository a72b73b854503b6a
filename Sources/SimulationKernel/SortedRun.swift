/// The records of one range of keys, sorted, of which the first is the earliest that is pending.
///
/// A list of up to 64 events is a run that covers all keys. In a larger one the run holds what was
/// the earliest bucket. Records with equal keys stay in the order of their insertion.
struct SortedRun: ~Copyable {
  /// The most that a run holds; inserting into a sorted array costs in proportion.
  static let limit = 64

  private var records: UnsafeMutablePointer<EventRecord>
  private var capacity: Int
  private var head = 0
  private var end = 0
  /// Keys belong here whose distance from `lowest` is below `width`.
  private var lowest: UInt64 = 0
  private var width = EventKey.end

  init() {
    self.init(capacity: 8)
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
  }

  var byteCount: Int { capacity * MemoryLayout<EventRecord>.stride }

  var count: Int { end - head }
  var isEmpty: Bool { head == end }
  var isFull: Bool { count == Self.limit }

  /// The record at a position, 0 being the earliest.
  subscript(position: Int) -> EventRecord { records[head + position] }

  // MARK: What it covers

  func covers(_ key: UInt64) -> Bool { key &- lowest < width }

  /// Everything belongs here: nothing is pending elsewhere.
  mutating func coverAll() {
    (lowest, width) = (0, EventKey.end)
  }

  mutating func cover(from lowest: UInt64, width: UInt64) {
    (self.lowest, self.width) = (lowest, width)
  }

  // MARK: Changing

  /// Puts a record behind those with the same or a smaller key; the run must not be full.
  ///
  /// Looks from the end, where most new events belong.
  mutating func insert(_ record: EventRecord) {
    if end == capacity { makeRoom() }
    var position = end
    while position > head, records[position - 1].key > record.key {
      records[position] = records[position - 1]
      position -= 1
    }
    records[position] = record
    end += 1
  }

  /// Adds a record to those that `sortStaged` will sort: at most half the limit, to an empty run.
  mutating func stage(_ record: EventRecord) {
    assert(head == 0 && end < Self.limit / 2)
    while capacity < Self.limit { makeRoom() }
    records[Self.limit / 2 + end] = record
    end += 1
  }

  /// Puts every staged record behind as many as have a smaller key, or the same and were staged before.
  ///
  /// Counting them takes quadratic time but no branch; for so few records it is faster than a sort,
  /// whose branches nobody can predict.
  mutating func sortStaged() {
    let staged = records + Self.limit / 2
    for position in 0..<end {
      let key = staged[position].key
      var rank = 0
      for earlier in 0..<position { rank += staged[earlier].key <= key ? 1 : 0 }
      for later in position + 1..<end { rank += staged[later].key < key ? 1 : 0 }
      records[rank] = staged[position]
    }
  }

  /// Moves the records to the beginning of the memory, and grows it if less than half was free.
  private mutating func makeRoom() {
    if head > 0, head >= capacity / 2 {
      records.update(from: records + head, count: count)
      end -= head
      head = 0
    } else {
      var larger = SortedRun(capacity: capacity * 2)
      larger.adopt(self)
      self = larger
    }
  }

  mutating func removeFirst() {
    head += 1
    if head == end { removeAll() }
  }

  mutating func removeAll() {
    head = 0
    end = 0
  }

  /// Removes the records of dead slots and frees those.
  ///
  /// - Returns: how many there were.
  mutating func bury(in slots: inout SlotTable) -> Int {
    var kept = head
    for position in head..<end {
      let record = records[position]
      if slots.isDead(record.slot) {
        slots.bury(record.slot)
      } else {
        records[kept] = record
        kept += 1
      }
    }
    let buried = end - kept
    end = kept
    if isEmpty { removeAll() }
    return buried
  }
}

/// The records of one list in their order, and the slots that some of them refer to.
///
/// An event is *live* from its insertion until it is given out or cancelled. A cancelled or rescheduled
/// one leaves a stale record behind, which is dropped when it is met; as soon as there are more stale
/// records than half of the live ones and 32, all of them are dropped at once.
struct EventQueue: ~Copyable {
  private(set) var slots: SlotTable
  private var run = SortedRun()
  private var buckets = RadixBuckets()
  private(set) var liveCount = 0
  private var staleCount = 0
  /// No live record comes before this key.
  private var lowerBound = EventKey.end
  /// The smallest key that may still be inserted.
  private var clock: UInt64

  init(payloadSize: Int, clock: UInt64) {
    slots = SlotTable(payloadSize: payloadSize)
    self.clock = clock
  }

  private init(copying other: borrowing EventQueue) {
    slots = other.slots.copy()
    run = other.run.copy()
    buckets = other.buckets.copy()
    liveCount = other.liveCount
    staleCount = other.staleCount
    lowerBound = other.lowerBound
    clock = other.clock
  }

  func copy() -> EventQueue { EventQueue(copying: self) }

  // MARK: Inserting and cancelling

  // Inserting and taking out are a few dozen instructions each, if they are not cut up by calls.
  @inline(__always)
  mutating func insert(_ record: EventRecord) {
    if liveCount + staleCount == 0 { run.coverAll() }
    liveCount += 1
    lowerBound = min(lowerBound, record.key)
    if run.covers(record.key) { insertIntoRun(record) } else { buckets.append(record) }
  }

  private mutating func insertIntoRun(_ record: EventRecord) {
    if run.isFull { spill() }
    if run.covers(record.key) { run.insert(record) } else { buckets.append(record) }
  }

  /// Takes a slot and inserts a record that refers to it.
  mutating func insertSlot(_ key: UInt64) -> EventHandle {
    let handle = slots.take(priority: EventKey.priority(key))
    insert(EventRecord(key: key, handle: handle))
    return handle
  }

  /// Makes room in a full run: without its stale records if there are any, otherwise by moving all of
  /// it, in order, into the buckets.
  private mutating func spill() {
    if staleCount > 0 { staleCount -= run.removeStale(in: slots) }
    guard run.isFull else { return }
    buckets.rebase(to: clock)
    for position in 0..<run.count { buckets.append(run[position]) }
    run.removeAll()
    run.cover(from: 0, width: 0)
  }

  /// Moves a live event to another key of the same priority.
  mutating func reschedule(_ slot: UInt32, to key: UInt64) -> EventHandle {
    let handle = slots.renew(slot)
    loseRecord()
    insert(EventRecord(key: key, handle: handle))
    return handle
  }

  mutating func cancel(_ slot: UInt32) {
    slots.release(slot)
    loseRecord()
  }

  /// Notes that a live record became stale.
  private mutating func loseRecord() {
    liveCount -= 1
    staleCount += 1
    guard staleCount > liveCount / 2 + 32 else { return }
    staleCount -= run.removeStale(in: slots)
    staleCount -= buckets.removeStale(in: slots)
  }

  // MARK: Taking out

  /// Takes out the earliest live record if its key is smaller than `limit`. If it has a slot, that
  /// stays taken until `release`, so that the payload can be read.
  @inline(__always)
  mutating func popFirst(before limit: UInt64) -> EventRecord? {
    guard liveCount > 0, lowerBound < limit else { return nil }
    while let record = run.removeFirst(before: limit) ?? takeFirst(before: limit) {
      if slots.isStale(record) {
        staleCount -= 1
      } else {
        liveCount -= 1
        lowerBound = record.key
        clock = record.key & EventKey.timeMask
        return record
      }
    }
    return nil
  }

  mutating func release(_ slot: UInt32) {
    slots.release(slot)
  }

  /// Takes out the earliest record, live or stale, if its key is smaller than `limit`. Otherwise that
  /// key becomes the lower bound.
  ///
  /// Nothing is moved for an event that is not given out: keys between the clock and it may still come.
  private mutating func takeFirst(before limit: UInt64) -> EventRecord? {
    while run.isEmpty {
      let place = buckets.earliestPlace
      if RadixBuckets.holdsEqualKeys(place) || buckets.count(at: place) == 1 {
        let record = buckets.front(at: place)
        guard isBefore(limit, record.key) else { return nil }
        buckets.removeFirst(at: place)
        return record
      }
      guard open(place, before: limit) else { return nil }
    }
    if let record = run.removeFirst(before: limit) { return record }
    lowerBound = run[0].key
    return nil
  }

  /// Sorts the earliest bucket into the run, or splits it, if its smallest live key is below `limit`.
  private mutating func open(_ place: Int, before limit: UInt64) -> Bool {
    let isSortable = buckets.count(at: place) <= SortedRun.sortable
    let (lowest, width) = buckets.range(of: place)
    if isSortable, lowest &+ (width - 1) < limit {
      staleCount -= buckets.move(at: place, into: &run, in: slots)
      return true
    }
    let key = buckets.smallestKey(at: place, in: slots)
    if key == EventKey.end {
      staleCount -= buckets.removeStale(at: place, in: slots)
      return true
    }
    guard isBefore(limit, key) else { return false }
    if isSortable {
      staleCount -= buckets.move(at: place, into: &run, in: slots)
    } else {
      staleCount -= buckets.split(at: place, around: key & EventKey.timeMask, in: slots)
    }
    return true
  }

  private mutating func isBefore(_ limit: UInt64, _ key: UInt64) -> Bool {
    if key >= limit { lowerBound = key }
    return key < limit
  }

  // MARK: Looking

  /// The smallest key of a live record, or `EventKey.end`.
  @inline(__always)
  var firstKey: UInt64 {
    for position in 0..<run.count where !slots.isStale(run[position]) { return run[position].key }
    return buckets.smallestKey(in: slots)
  }

  /// Bytes held, used or not.
  var byteCount: Int { slots.byteCount + run.byteCount + buckets.byteCount }

  /// How often a record was put into a bucket, ever.
  var moves: Int { buckets.moves }

  /// How often memory for records was asked for, ever.
  var allocations: Int { buckets.allocations }
}

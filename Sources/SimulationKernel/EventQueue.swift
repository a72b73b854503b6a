/// The records of one list in their order, and the slots that they refer to.
///
/// An event is *live* from its insertion until it is given out or cancelled. A cancelled one leaves a
/// dead record behind, which is dropped when it is met; as soon as there are more dead records than a
/// quarter of the live ones and 32, all of them are dropped at once.
struct EventQueue: ~Copyable {
  /// A bucket with at most so many records is sorted rather than split.
  private static let sortable = SortedRun.limit / 2

  /// A slot table with at most so many entries is taken to lie in the processor's caches.
  private static let cachedSlots = 32_768

  private(set) var slots: SlotTable
  private var run = SortedRun()
  private var buckets = RadixBuckets()
  private(set) var liveCount = 0
  private var deadCount = 0
  /// No live record has a smaller key.
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
    deadCount = other.deadCount
    lowerBound = other.lowerBound
    clock = other.clock
  }

  func copy() -> EventQueue { EventQueue(copying: self) }

  // MARK: Inserting and cancelling

  /// Takes a slot and inserts a record for it.
  mutating func insert(_ key: UInt64) -> UInt32 {
    let slot = slots.take(priority: UInt8(truncatingIfNeeded: key))
    if liveCount + deadCount == 0 { run.coverAll() }
    let record = EventRecord(key: key, slot: slot)
    if run.covers(key), run.isFull { spill() }
    if run.covers(key) { run.insert(record) } else { buckets.append(record) }
    liveCount += 1
    lowerBound = min(lowerBound, key)
    return slot
  }

  /// Makes room in a full run: without its dead records if there are any, otherwise by moving all of
  /// it, in order, into the buckets.
  private mutating func spill() {
    if deadCount > 0 { deadCount -= run.bury(in: &slots) }
    guard run.isFull else { return }
    buckets.rebase(to: clock)
    for position in 0..<run.count { buckets.append(run[position]) }
    run.removeAll()
    run.cover(from: 0, width: 0)
  }

  /// Gives the payload of a live event to a new one, and cancels the old.
  mutating func reschedule(_ slot: UInt32, to key: UInt64) -> UInt32 {
    let new = insert(key)
    slots.copyPayload(from: slot, to: new)
    cancel(slot)
    return new
  }

  mutating func cancel(_ slot: UInt32) {
    slots.kill(slot)
    liveCount -= 1
    deadCount += 1
    if deadCount > liveCount / 4 + 32 { buryAll() }
  }

  private mutating func buryAll() {
    deadCount -= run.bury(in: &slots)
    deadCount -= buckets.bury(in: &slots)
  }

  // MARK: Taking out

  /// Takes out the earliest live record if its key is smaller than `limit`. Its slot stays taken until
  /// `release`, so that the payload can be read.
  mutating func popFirst(before limit: UInt64) -> EventRecord? {
    guard liveCount > 0 else { return nil }
    while lowerBound < limit, let record = takeFirst(before: limit) {
      if isDead(record) {
        slots.bury(record.slot)
        deadCount -= 1
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

  /// Takes out the earliest record, live or dead, if its key is smaller than `limit`. Otherwise that
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
    let record = run[0]
    guard isBefore(limit, record.key) else { return nil }
    run.removeFirst()
    return record
  }

  /// Sorts the earliest bucket into the run, or splits it, if its smallest key is below `limit`.
  private mutating func open(_ place: Int, before limit: UInt64) -> Bool {
    if deadCount > 0 {
      deadCount -= buckets.bury(at: place, in: &slots)
      if buckets.count(at: place) == 0 { return true }
    }
    let key = buckets.smallestKey(at: place)
    guard isBefore(limit, key) else { return false }
    if slots.capacity > Self.cachedSlots { buckets.touchSlots(at: place, in: slots) }
    if buckets.count(at: place) <= Self.sortable {
      buckets.move(at: place, into: &run)
    } else {
      buckets.split(at: place, around: key & EventKey.timeMask)
    }
    return true
  }

  private mutating func isBefore(_ limit: UInt64, _ key: UInt64) -> Bool {
    if key >= limit { lowerBound = key }
    return key < limit
  }

  private func isDead(_ record: EventRecord) -> Bool {
    deadCount > 0 && slots.isDead(record.slot)
  }

  // MARK: Looking

  /// The smallest key of a live record, or `EventKey.end`.
  var firstKey: UInt64 {
    for position in 0..<run.count where !isDead(run[position]) { return run[position].key }
    return buckets.smallestKey { !isDead($0) }
  }

  /// Bytes held, used or not.
  var byteCount: Int { slots.byteCount + run.byteCount + buckets.byteCount }

  /// How often a record was put into a bucket, ever.
  var moves: Int { buckets.moves }

  /// How often memory for records was asked for, ever.
  var allocations: Int { buckets.allocations }
}

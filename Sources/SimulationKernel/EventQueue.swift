import TriggerModel

/// The records of one list in their order, and the slots that some of them refer to.
///
/// An event is *live* from its insertion until it is given out or cancelled. A cancelled or rescheduled
/// one leaves a stale record behind, which is dropped when it is met. When there are too many stale
/// records, and slots that rest because of them, all are dropped at once.
struct EventQueue: ~Copyable {
  var slots: SlotTable
  private var run = SortedRun()
  private var buckets = RadixBuckets()
  private(set) var liveCount = 0
  private var staleCount = 0
  /// No live record comes before this key.
  private var lowerBound = EventKey.end
  /// The key of the record that was given out last: at its time something may still be inserted.
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

  // Inserting and taking out are a few dozen instructions each in the frequent cases, if these are not cut
  // up by calls: so it is found out first whether a case is one of them.

  /// Where a record with this key can be appended without further ado; nil if it cannot.
  @inline(__always)
  func quickPlace(for key: UInt64) -> RadixBuckets.Place? {
    run.covers(key) ? nil : buckets.placeWithRoom(for: key)
  }

  /// Appends a record at the place for its key.
  @inline(__always)
  mutating func insert(_ record: EventRecord, at place: RadixBuckets.Place) {
    liveCount &+= 1
    if record.key < lowerBound { lowerBound = record.key }
    buckets.append(record, at: place)
  }

  /// Inserts a record wherever it belongs.
  @inline(never)
  mutating func insert(_ record: EventRecord) {
    if shouldSweep { sweep() }
    liveCount &+= 1
    lowerBound = min(lowerBound, record.key)
    if run.covers(record.key), run.isFull { spill() }
    if run.covers(record.key) { run.insert(record) } else { buckets.append(record) }
  }

  /// Takes a slot for the first 8 bytes of a payload, and inserts a record that refers to it.
  @inline(never)
  mutating func insertSlot(_ key: UInt64, _ payload: UInt64) -> EventHandle {
    let handle = slots.take(priority: EventKey.priority(key), payload)
    insert(EventRecord(key: key, reference: SlotReference(handle)))
    return handle
  }

  /// The same with a free slot at a place for the key; nil if there is no free slot.
  @inline(__always)
  mutating func insertSlot(
    _ key: UInt64, _ payload: UInt64, at place: RadixBuckets.Place
  ) -> EventHandle? {
    guard let handle = slots.takeFree(priority: EventKey.priority(key), payload) else { return nil }
    insert(EventRecord(key: key, reference: SlotReference(handle)), at: place)
    return handle
  }

  /// Makes room in a full run: without its stale records if there are any, otherwise by moving all of
  /// it, in order, into the buckets.
  private mutating func spill() {
    if staleCount > 0 { staleCount -= run.removeStale(in: slots) }
    guard run.isFull else { return }
    buckets.rebase(to: clock & EventKey.timeMask)
    for position in 0..<run.count { buckets.append(run[position]) }
    run.removeAll()
    run.cover(from: 0, width: 0)
  }

  /// Moves a live event to another key of the same priority.
  @inline(never)
  mutating func reschedule(_ handle: EventHandle, to key: UInt64) -> EventHandle {
    let new = slots.renew(handle)
    staleCount &+= 1
    liveCount &-= 1
    insert(EventRecord(key: key, reference: SlotReference(new)))
    return new
  }

  /// The same for an event that can stay in its slot, at a place for the key.
  @inline(__always)
  mutating func reschedule(
    _ handle: EventHandle, to key: UInt64, at place: RadixBuckets.Place
  ) -> EventHandle {
    let new = slots.renewInPlace(handle)
    staleCount &+= 1
    liveCount &-= 1
    insert(EventRecord(key: key, reference: SlotReference(new)), at: place)
    return new
  }

  mutating func cancel(_ slot: UInt32) {
    slots.release(slot)
    liveCount &-= 1
    staleCount &+= 1
    if liveCount == 0 || shouldSweep { sweep() }
  }

  /// More stale records and resting slots than half of the live ones and a little less; in a small list,
  /// whose memory weighs little, more.
  private var shouldSweep: Bool {
    let few = min(liveCount &* 3 >> 1, 2_048) &+ 256
    return staleCount &+ slots.restingCount > max(liveCount >> 1 &- 512, few)
  }

  /// Drops all stale records.
  private mutating func sweep() {
    if staleCount > 0 {
      staleCount -= run.removeStale(in: slots)
      staleCount -= buckets.removeStale(in: slots)
    }
    slots.wake()
    guard liveCount == 0 else { return }
    lowerBound = EventKey.end
    run.coverAll()
  }

  // MARK: Taking out

  /// The earliest live record if its time is before `limit`, in the most frequent case: it is the first of
  /// the run, not the last, and its slot, if it has one, can be used again at once. Otherwise nil, which says
  /// nothing about what is pending.
  @inline(__always)
  func quickFirst(before limit: Instant) -> EventRecord? {
    guard let first = run.firstOfSeveral, EventKey.time(first.key) < limit,
      !first.hasSlot || slots.isFreedByRelease(first.reference)
    else { return nil }
    return first
  }

  /// Takes out the record that `quickFirst` gave; the slot stays taken until it is released.
  @inline(__always)
  mutating func removeQuickFirst(_ record: EventRecord) {
    run.removeFirstOfSeveral()
    note(record)
  }

  /// Takes out the earliest live record if its key is smaller than `limit`. If it has a slot, that
  /// stays taken until `release`, so that the payload can be read.
  @inline(never)
  mutating func popFirst(before limit: UInt64) -> EventRecord? {
    guard lowerBound < limit else { return nil }
    while liveCount > 0, let record = run.removeFirst(before: limit) ?? takeFirst(before: limit) {
      if slots.isStale(record) {
        staleCount &-= 1
        continue
      }
      note(record)
      if liveCount == 0 { sweep() }
      return record
    }
    if liveCount == 0 { sweep() }
    return nil
  }

  /// Notes that an event was given out.
  @inline(__always)
  private mutating func note(_ record: EventRecord) {
    lowerBound = record.key
    clock = record.key
    liveCount &-= 1
  }

  mutating func release(_ slot: UInt32) {
    if !slots.release(slot), shouldSweep { sweep() }
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
    let count = buckets.count(at: place)
    let isSortable = count <= SortedRun.limit || count <= min(SortedRun.sortable, liveCount >> 4)
    let (lowest, width) = buckets.range(of: place)
    if isSortable, lowest &+ (width - 1) < limit {
      staleCount -= buckets.move(from: place, before: limit, into: &run, in: slots)
      return true
    }
    // Looking for the smallest key pays where most records may be of one instant.
    if count <= liveCount >> 1, lowest &+ (width - 1) < limit {
      buckets.split(at: place, around: lowest)
      return true
    }
    let key = buckets.smallestKey(at: place, in: slots)
    if key == EventKey.end {
      staleCount -= buckets.removeStale(at: place, in: slots)
      return true
    }
    guard isBefore(limit, key) else { return false }
    if isSortable {
      staleCount -= buckets.move(from: place, before: 0, into: &run, in: slots)
    } else {
      split(place, count, around: key & EventKey.timeMask)
    }
    return true
  }

  /// Splits a bucket. While one with most records of all is split the list takes more memory than ever: its
  /// stale ones are dropped before.
  private mutating func split(_ place: Int, _ count: Int, around key: UInt64) {
    if count > liveCount >> 1, staleCount > 0 {
      staleCount -= buckets.removeStale(at: place, in: slots)
      guard buckets.count(at: place) > SortedRun.limit else { return }
    }
    buckets.split(at: place, around: key)
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

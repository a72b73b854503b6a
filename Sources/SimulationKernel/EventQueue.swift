import TriggerModel

/// The records of one list in order, and the slots that they refer to.
///
/// An event is *live* from its insertion until the queue returns it or the caller cancels it. Cancelling or
/// rescheduling an event leaves a stale record, which the queue drops when it reaches the record. If stale
/// records and resting slots become too numerous, the queue drops all stale records in one sweep.
struct EventQueue: ~Copyable {
  var slots: SlotTable
  private var run = SortedRun()
  private var buckets = RadixBuckets()
  private(set) var liveCount = 0
  private var staleCount = 0
  /// A lower bound of the keys of live records.
  private var lowerBound = EventKey.end
  /// The key of the record that was returned last. New events may still have the same time.
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

  // In the frequent case, an insertion or a removal takes a few dozen instructions, provided that it calls no
  // function. Each operation therefore starts with an inlined check for the frequent case.

  /// Returns the place for a record with this key if the record can be appended there directly, or `nil`
  /// otherwise.
  @inline(__always)
  func quickPlace(for key: UInt64) -> RadixBuckets.Place? {
    run.covers(key) ? nil : buckets.placeWithRoom(for: key)
  }

  /// Appends a record at a place that `quickPlace` returned for its key.
  @inline(__always)
  mutating func insert(_ record: EventRecord, at place: RadixBuckets.Place) {
    liveCount &+= 1
    if record.key < lowerBound { lowerBound = record.key }
    buckets.append(record, at: place)
  }

  /// Inserts a record, whether or not `quickPlace` returns a place for it.
  @inline(never)
  mutating func insert(_ record: EventRecord) {
    if shouldSweep { sweep() }
    liveCount &+= 1
    lowerBound = min(lowerBound, record.key)
    if run.covers(record.key), run.isFull { spill() }
    if run.covers(record.key) { run.insert(record) } else { buckets.append(record) }
  }

  /// Takes a slot, stores the first 8 bytes of a payload in it, and inserts a record that refers to the slot.
  @inline(never)
  mutating func insertSlot(_ key: UInt64, _ payload: UInt64) -> EventHandle {
    let handle = slots.take(priority: EventKey.priority(key), payload)
    insert(EventRecord(key: key, reference: SlotReference(handle)))
    return handle
  }

  /// Inserts a record with a slot at a known place for its key, or returns `nil` if no slot is free.
  @inline(__always)
  mutating func insertSlot(
    _ key: UInt64, _ payload: UInt64, at place: RadixBuckets.Place
  ) -> EventHandle? {
    guard let handle = slots.takeFree(priority: EventKey.priority(key), payload) else { return nil }
    insert(EventRecord(key: key, reference: SlotReference(handle)), at: place)
    return handle
  }

  /// Makes room in a full run by removing its stale records. If the run is still full, moves all its records
  /// into the buckets in order.
  private mutating func spill() {
    if staleCount > 0 { staleCount -= run.removeStale(in: slots) }
    guard run.isFull else { return }
    buckets.rebase(to: clock & EventKey.timeMask)
    for position in 0..<run.count { buckets.append(run[position]) }
    run.removeAll()
    run.cover(from: 0, width: 0)
  }

  /// Moves a live event to another key with the same priority.
  @inline(never)
  mutating func reschedule(_ handle: EventHandle, to key: UInt64) -> EventHandle {
    let new = slots.renew(handle)
    staleCount &+= 1
    liveCount &-= 1
    insert(EventRecord(key: key, reference: SlotReference(new)))
    return new
  }

  /// Moves a live event to another key, at a known place. The event must be able to keep its slot.
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

  /// Whether stale records and resting slots exceed about half the number of live records. Small lists have a
  /// higher threshold, because their memory hardly matters.
  private var shouldSweep: Bool {
    let few = min(liveCount &* 3 >> 1, 2_048) &+ 256
    return staleCount &+ slots.restingCount > max(liveCount >> 1 &- 512, few)
  }

  /// Removes all stale records from the run and the buckets.
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

  // MARK: Removing

  /// Returns the earliest live record before `limit` in the most frequent case, or `nil` in every other case.
  ///
  /// In the most frequent case, the run has at least two records, and the first record either has no slot or
  /// has one that can be reused immediately. A `nil` result does not mean that no event is pending.
  @inline(__always)
  func quickFirst(before limit: Instant) -> EventRecord? {
    guard let first = run.firstOfSeveral, EventKey.time(first.key) < limit,
      !first.hasSlot || slots.isFreedByRelease(first.reference)
    else { return nil }
    return first
  }

  /// Removes the record that `quickFirst` returned. A slot of the record stays in use until it is released.
  @inline(__always)
  mutating func removeQuickFirst(_ record: EventRecord) {
    run.removeFirstOfSeveral()
    note(record)
  }

  /// Removes and returns the earliest live record if its key is smaller than `limit`. A slot of the record
  /// stays in use until it is released, so that the caller can read the payload.
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

  /// Records that an event was returned.
  @inline(__always)
  private mutating func note(_ record: EventRecord) {
    lowerBound = record.key
    clock = record.key
    liveCount &-= 1
  }

  mutating func release(_ slot: UInt32) {
    if !slots.release(slot), shouldSweep { sweep() }
  }

  /// Removes the earliest record, live or stale, if its key is smaller than `limit`. Otherwise stores its key
  /// as the lower bound.
  ///
  /// If no event is returned, no records are moved, because events may still be inserted between the clock
  /// and the next event.
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

  /// Opens the earliest bucket if its smallest live key is below `limit`: sorts it into the run, or splits
  /// it. Returns whether to continue the search.
  private mutating func open(_ place: Int, before limit: UInt64) -> Bool {
    let count = buckets.count(at: place)
    let isSortable = count <= SortedRun.limit || count <= min(SortedRun.sortable, liveCount >> 4)
    let (lowest, width) = buckets.range(of: place)
    if isSortable, lowest &+ (width - 1) < limit {
      staleCount -= buckets.move(from: place, before: limit, into: &run, in: slots)
      return true
    }
    // The search for the smallest key pays off only if the bucket has most of the records, which may then all
    // have the same instant.
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

  /// Splits a bucket. If the bucket has most of the records, first drops its stale records, because splitting
  /// a large bucket needs the most memory.
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

  // MARK: Inspecting

  /// The smallest key of a live record, or `EventKey.end`.
  @inline(__always)
  var firstKey: UInt64 {
    for position in 0..<run.count where !slots.isStale(run[position]) { return run[position].key }
    return buckets.smallestKey(in: slots)
  }

  /// The number of allocated bytes.
  var byteCount: Int { slots.byteCount + run.byteCount + buckets.byteCount }

  /// The number of times that a record was put into a bucket.
  var moves: Int { buckets.moves }

  /// The number of allocations for records.
  var allocations: Int { buckets.allocations }
}

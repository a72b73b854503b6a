import SimulationKernel
import TestSupport
import Testing
import TriggerModel

@Suite struct FutureEventListTests {
  private func at(_ milliseconds: Int64) -> Instant { Instant(millisecondsSince1970: milliseconds) }

  private func list(_ times: [Int64], now: Int64 = 0) -> FutureEventList<Int> {
    var list = FutureEventList<Int>(now: at(now))
    for (payload, time) in times.enumerated() { list.schedule(at: at(time), payload) }
    return list
  }

  private func drain(_ list: FutureEventList<Int>) -> [Int] {
    var (list, payloads) = (list, [Int]())
    while let notice = list.popNext() { payloads.append(notice.payload) }
    return payloads
  }

  @Test func `events are ordered by time, priority and insertion`() {
    var list = FutureEventList<Int>(now: at(-10))
    list.schedule(at: at(5), priority: 1, 3)
    list.schedule(at: at(5), priority: 0, 1)
    list.schedule(at: at(-5), priority: 255, 0)
    list.schedule(at: at(5), priority: 1, 4)
    list.schedule(at: at(5), priority: 0, 2)
    #expect(drain(list) == [0, 1, 2, 3, 4])
  }

  @Test func `the clock advances with the events`() {
    var list = list([30, 10, 20], now: 7)
    #expect(list.now == at(7))
    #expect(list.peekTime == at(10))
    #expect(list.popNext() == EventNotice(time: at(10), priority: 0, payload: 1))
    #expect(list.now == at(10))
    #expect(list.popNext(before: at(20)) == nil)
    #expect(list.now == at(10))
    #expect(list.popNext(before: at(21))?.payload == 2)
    #expect(list.count == 1)
  }

  /// No event is before the limit, so the list returns none. An earlier event may then still be scheduled,
  /// whatever the number of pending events.
  @Test func `after a peek at the next event, an earlier event may be scheduled`() {
    for pending in [1, 60, 100, 1_000] {
      var list = list((0..<Int64(pending)).map { 1_000_000 + $0 * 700 })
      #expect(list.popNext(before: at(1_000)) == nil)
      #expect(list.peekTime == at(1_000_000))
      list.schedule(at: at(2_000), -2)
      list.schedule(at: at(1_500), -1)
      #expect(list.peekTime == at(1_500))
      #expect(list.popNext(before: at(1_000)) == nil)
      #expect(drain(list) == [-1, -2] + Array(0..<pending))
    }
  }

  /// An event with a smaller priority number may be scheduled for the current instant. It is then the next
  /// event.
  @Test func `an event with a smaller priority number at the current instant is next`() {
    for pending in [2, 100, 5_000] {
      var list = FutureEventList<Int>(now: at(0))
      for payload in 0..<pending { list.schedule(at: at(9), priority: 5, payload) }
      #expect(list.popNext()?.payload == 0)
      list.schedule(at: at(9), priority: 2, -1)
      list.schedule(at: at(9), priority: 7, pending)
      #expect(drain(list) == [-1] + Array(1...pending))
    }
  }

  @Test func `a handle is stale after its event was returned, cancelled or rescheduled`() {
    var list = list([])
    let popped = list.scheduleCancellable(at: at(1), 1)
    let cancelled = list.scheduleCancellable(at: at(2), 2)
    let moved = list.scheduleCancellable(at: at(3), 3)
    #expect(list[moved] == 3)
    _ = list.popNext()
    let wasPending = list.cancel(cancelled)
    #expect(wasPending)
    let fresh = list.reschedule(moved, at: at(4))
    // The list reuses the slots, but the old handles must not affect the new events.
    for time in 5...8 { list.schedule(at: at(Int64(time)), time) }
    for stale in [popped, cancelled, moved] {
      #expect(!list.isPending(stale))
      #expect(list[stale] == nil)
      let reachedSomething = list.cancel(stale) || list.reschedule(stale, at: at(9)) != nil
      #expect(!reachedSomething)
    }
    #expect(fresh.flatMap { list[$0] } == 3)
    #expect(drain(list) == [3, 5, 6, 7, 8])
  }

  @Test func `handles of another list are rejected`() {
    var long = list([])
    let handles = (0..<100).map { long.scheduleCancellable(at: at($0), Int($0)) }
    var short = list([])
    #expect(!short.isPending(handles[99]))
    _ = short.scheduleCancellable(at: at(1), 1)
    #expect(!short.isPending(handles[99]))
    short.cancel(handles[99])
    #expect(drain(short) == [1])
  }

  @Test func `rescheduling keeps the priority, and puts the event after those of equal rank`() {
    var list = FutureEventList<Int>(now: at(0))
    let first = list.scheduleCancellable(at: at(5), priority: 3, 1)
    list.schedule(at: at(5), priority: 3, 2)
    list.schedule(at: at(5), priority: 4, 4)
    #expect(list.reschedule(first, at: at(1)) != nil)
    #expect(list.peekTime == at(1))
    #expect(list.popNext()?.priority == 3)
    let second = list.scheduleCancellable(at: at(9), priority: 3, 3)
    #expect(list.reschedule(second, at: at(5)) != nil)
    #expect(drain(list) == [2, 3, 4])
  }

  /// Returns a list from which some events were returned and some were cancelled.
  private func started(
    _ pending: Int
  ) -> (list: FutureEventList<UInt64>, handles: [EventHandle], random: SplitMix64) {
    var random = SplitMix64(seed: UInt64(pending))
    var list = FutureEventList<UInt64>(now: at(0))
    var handles: [EventHandle] = []
    for _ in 0..<pending {
      handles.append(list.scheduleCancellable(at: at(Int64(random.next() % 100_000)), random.next()))
    }
    for _ in 0..<pending / 3 { _ = list.popNext() }
    for handle in handles.prefix(pending / 4) { list.cancel(handle) }
    return (list, handles, random)
  }

  /// A copy and its original return the same events independently, in every state of a list.
  @Test func `a copy continues as the original does`() {
    for pending in [0, 1, 20, 64, 65, 3_000] {
      var (original, handles, random) = started(pending)
      var copy = original
      let first = play(&original, handles, random)
      let second = play(&copy, handles, random)
      #expect(first == second, "\(pending) pending")
    }
  }

  /// Packing and unpacking a list, in every state, does not change the events that it returns.
  @Test func `a list continues after it was packed and unpacked`() {
    for pending in [0, 1, 2, 20, 64, 65, 3_000] {
      var list = FutureEventList<UInt64>(now: at(0))
      var random = SplitMix64(seed: UInt64(pending))
      // Many events at the same instant, with few priorities.
      for _ in 0..<pending {
        list.schedule(
          at: at(Int64(random.next() % 50)), priority: UInt8(random.next() % 3), random.next())
      }
      for _ in 0..<pending / 3 { _ = list.popNext() }
      var (packed, parcel) = (list, Parcel())
      packed.pack(in: &parcel)
      var opened = Parcel(opening: parcel.sealed())
      var resting = FutureEventList<UInt64>(now: at(-7))
      resting.pack(in: &opened)
      #expect(resting.now == list.now)
      #expect(resting.count == list.count)
      #expect(play(&resting, [], random) == play(&list, [], random), "\(pending) pending")
    }
  }

  /// Changing an unshared list does not copy it. An empty list allocates no memory.
  @Test func `a list is copied only when it is shared`() {
    var list = list([3, 1, 2])
    #expect(FutureEventList<Int>(now: at(0)).byteCount == 0)
    for step in 0..<500 {
      let handle = list.scheduleCancellable(at: list.now + .seconds(2), step)
      let moved = list.reschedule(handle, at: list.now + .seconds(9))
      if step % 2 == 0, let moved { list.cancel(moved) }
      _ = list.popNext(before: list.now + .seconds(1))
      _ = list.peekTime
    }
    #expect(list.copies == 0)
    let snapshot = list
    list.schedule(at: list.now, 0)
    list.schedule(at: list.now, 0)
    #expect(list.copies == 1)
    #expect(snapshot.copies == 0)
  }

  /// A batch of changes has the same result as separate changes, and copies shared memory only once.
  @Test func `a batch of changes equals separate changes and copies shared memory once`() {
    for pending in [0, 10, 1_000] {
      var (separate, handles) = (list([]), [EventHandle]())
      for payload in 0...pending {
        handles.append(separate.scheduleCancellable(at: at(Int64(payload % 7)), payload))
      }
      var (together, snapshot) = (separate, separate)
      let last = handles[pending]
      #expect(separate.popNext()?.payload == 0)
      separate.schedule(at: at(3), priority: 1, -1)
      let isMoved = separate.reschedule(last, at: at(900)) != nil
      #expect(isMoved == (pending > 0))
      let copies = together.copies
      let (notice, now, wasMoved, wasCancelled) = together.change { changes in
        let notice = changes.popNext(before: at(1))
        changes.schedule(at: at(3), priority: 1, -1)
        let moved = changes.reschedule(last, at: at(900))
        let extra = changes.scheduleCancellable(at: at(4), -2)
        return (notice, changes.now, moved != nil, changes.cancel(extra))
      }
      #expect(notice == EventNotice(time: at(0), priority: 0, payload: 0))
      #expect(now == at(0) && together.now == at(0))
      #expect(wasMoved == isMoved && wasCancelled)
      #expect(together.copies == copies + 1)
      #expect(drain(together) == drain(separate))
      #expect(snapshot.count == pending + 1 && snapshot.popNext()?.payload == 0)
    }
  }

  /// Pops, schedules, cancels and reschedules events at random.
  private func play(
    _ list: inout FutureEventList<UInt64>, _ handles: [EventHandle], _ random: SplitMix64
  ) -> [EventNotice<UInt64>?] {
    var (handles, random, notices) = (handles, random, [EventNotice<UInt64>?]())
    for _ in 0..<300 {
      notices.append(list.popNext())
      for _ in 0..<2 {
        let time = list.now + TimeSpan(milliseconds: Int64(random.next() % 90_000))
        handles.append(list.scheduleCancellable(at: time, random.next()))
      }
      list.cancel(handles[Int(random.next() % UInt64(handles.count))])
      list.reschedule(handles[Int(random.next() % UInt64(handles.count))], at: list.now + .seconds(5))
    }
    while let notice = list.popNext() { notices.append(notice) }
    return notices
  }

  @Test(arguments: [(512, 512), (1_024, 64), (1_088, 68)])
  func `a table of slots doubles up to 1,024 slots and then grows by a sixteenth`(slots: Int, more: Int) {
    var list = FutureEventList<Int>(now: at(0))
    for n in 0..<slots { _ = list.scheduleCancellable(at: at(5), n) }
    let before = list.byteCount
    _ = list.scheduleCancellable(at: at(5), slots)
    // Each slot takes ten bytes. The queue needs at most one additional chunk.
    #expect(10 * more..<10 * more + 1_024 ~= list.byteCount - before)
  }

  @Test func `payloads of any size are returned unchanged`() {
    struct Wide: BitwiseCopyable, Sendable, Equatable {
      var a: UInt64
      var b: (Double, UInt8)
      static func == (x: Wide, y: Wide) -> Bool { x.a == y.a && x.b == y.b }
    }
    var empty = FutureEventList<Void>(now: at(0))
    var bytes = FutureEventList<UInt8>(now: at(0))
    var wide = FutureEventList<Wide>(now: at(0))
    for n in 0..<300 {
      let payload = Wide(a: UInt64(n), b: (Double(n), 7))
      if n % 2 == 0 {
        empty.schedule(at: at(Int64(n)), ())
        bytes.schedule(at: at(Int64(n)), UInt8(n % 256))
        wide.schedule(at: at(Int64(n)), payload)
      } else {
        _ = empty.scheduleCancellable(at: at(Int64(n)), ())
        let byte = bytes.scheduleCancellable(at: at(Int64(n)), UInt8(n % 256))
        #expect(bytes[byte] == UInt8(n % 256))
        let handle = wide.scheduleCancellable(at: at(1_000), payload)
        #expect(wide.reschedule(handle, at: at(Int64(n))).flatMap { wide[$0] } == payload)
      }
    }
    for n in 0..<300 {
      #expect(empty.popNext()?.time == at(Int64(n)))
      #expect(bytes.popNext()?.payload == UInt8(n % 256))
      #expect(wide.popNext()?.payload == Wide(a: UInt64(n), b: (Double(n), 7)))
    }
  }

  /// Events of a sorted bucket can move back to unsorted buckets. They can still be cancelled and
  /// rescheduled, and their payloads are unchanged.
  @Test func `events of a sorted bucket can move back to unsorted buckets`() {
    var list = FutureEventList<UInt64>(now: at(0))
    var expected: [(time: Int64, payload: UInt64)] = []
    var handles: [EventHandle] = []
    func add(_ time: Int64) {
      let payload = UInt64.max - UInt64(expected.count)
      handles.append(list.scheduleCancellable(at: at(time), payload))
      expected.append((time, payload))
    }
    for n in 0..<200 { add(Int64(n % 100) * 10) }
    // This sorts the first bucket. The events that are added next exceed the capacity of the run, so its
    // records move back to buckets and are sorted again.
    let first = list.popNext()
    #expect(first?.payload == .max)
    for n in 0..<400 { add(Int64(n % 97) * 2) }
    for n in stride(from: 1, to: 200, by: 3) {
      #expect(list[handles[n]] == expected[n].payload)
      let cancelled = list.cancel(handles[n])
      #expect(cancelled)
      expected[n].time = -1
    }
    for n in stride(from: 2, to: 200, by: 3) {
      let payload = expected[n].payload
      let moved = list.reschedule(handles[n], at: at(500))
      #expect(moved.flatMap { list[$0] } == payload)
      expected[n].time = -1
      expected.append((500, payload))
    }
    let order = expected.dropFirst().filter { $0.time >= 0 }.enumerated().sorted {
      ($0.element.time, $0.offset) < ($1.element.time, $1.offset)
    }
    for (_, event) in order {
      let notice = list.popNext()
      #expect(notice?.time == at(event.time))
      #expect(notice?.payload == event.payload)
    }
    #expect(list.isEmpty)
  }

  /// The list drops a bucket in which all records are stale. Events that are then scheduled before the bucket
  /// or in its range are still returned in order.
  @Test func `dropping a stale bucket keeps the order of all other events`() {
    for pending in [70, 200, 1_000] {
      var list = FutureEventList<Int>(now: at(0))
      for n in 0..<2 * pending { list.schedule(at: at(1 << 30 + Int64(n) * 1_000), n) }
      let handles = (0..<20).map { list.scheduleCancellable(at: at(1 << 20 + $0), -1) }
      for handle in handles { list.cancel(handle) }
      #expect(list.popNext(before: at(1 << 25)) == nil)
      list.schedule(at: at(1 << 20 + 5), -3)
      list.schedule(at: at(1 << 10), -4)
      list.schedule(at: at(1 << 20 + 7), -2)
      #expect(drain(list) == [-4, -3, -2] + Array(0..<2 * pending))
    }
  }

  /// An event that was rescheduled many times is returned once, at its last time, although its stale records
  /// are in the list. The same is true of an event that reuses its slot.
  @Test func `an event that was rescheduled many times is returned once, at its last time`() {
    for times in [62, 63, 64, 65, 127, 200] {
      var list = list((0..<100).map { 1 << 30 + $0 })
      var handle = list.scheduleCancellable(at: at(1), -1)
      for step in 1...times {
        if step % 10 == 0 { list.cancel(handle) }
        if let moved = list.reschedule(handle, at: at(Int64(step) << 20)) {
          handle = moved
        } else {
          handle = list.scheduleCancellable(at: at(Int64(step) << 20), -1)
        }
      }
      #expect(list.popNext() == EventNotice(time: at(Int64(times) << 20), priority: 0, payload: -1))
      #expect(drain(list) == Array(0..<100), "rescheduled \(times) times")
    }
  }

  /// No two events share a handle, even if the lower bits of a slot's generation wrap, the list is copied, or
  /// the table grows.
  @Test func `no two events share a handle`() {
    var list = FutureEventList<Int>(now: at(0))
    var given: [EventHandle] = []
    // Each event is the only one in the list and reuses the slot of the previous one.
    for n in 0..<70_000 {
      if let before = given.last { list.cancel(before) }
      given.append(list.scheduleCancellable(at: at(5), n))
    }
    #expect(list.byteCount < 1_000)
    #expect(Set(given).count == given.count)
    let last = given.removeLast()
    var copy = list
    let others = (0..<1_000).map { copy.scheduleCancellable(at: at(9), $0) }
    for list in [list, copy] {
      #expect(list[last] == 69_999)
      #expect(!given.contains { list.isPending($0) })
    }
    #expect(copy.popNext()?.payload == 69_999)
    #expect(others.allSatisfy { copy.isPending($0) })
    #expect(Set(given + others + [last]).count == given.count + others.count + 1)
  }

  #if !DEBUG
    /// A slot can be used 16.5 million times. An event that is rescheduled more often gets another slot.
    @Test func `generations do not wrap`() {
      var list = FutureEventList<Int>(now: at(0))
      let first = list.scheduleCancellable(at: at(1), priority: 9, 42)
      var handle = first
      for step in 0..<(1 << 24) + 10 {
        guard let moved = list.reschedule(handle, at: at(Int64(step))) else { break }
        handle = moved
      }
      #expect(!list.isPending(first))
      #expect(list.popNext() == EventNotice(time: at(1 << 24 + 9), priority: 9, payload: 42))
      #expect(list.popNext() == nil)
    }

    /// A slot is retired before its 24-bit generation would repeat.
    @Test func `a slot is retired before its generation repeats`() {
      var list = FutureEventList<Int>(now: at(0))
      let first = list.scheduleCancellable(at: at(1), 0)
      var handle = first
      var repeated = 0
      for n in 1...(1 << 24) {
        list.cancel(handle)
        handle = list.scheduleCancellable(at: at(1), n)
        if handle == first { repeated += 1 }
      }
      #expect(repeated == 0)
      #expect(list[first] == nil)
      #expect(list[handle] == 1 << 24)
    }
  #endif

  @Test func `distant times are supported`() {
    let edge: Int64 = 1 << 54
    var list = FutureEventList<Int>(now: .distantPast)
    list.schedule(at: at(edge - 2), 2)
    list.schedule(at: at(-edge), 0)
    list.schedule(at: at(0), 1)
    #expect(drain(list) == [0, 1, 2])
  }

  @Test func `instants in the past and distantFuture are rejected`() async {
    await #expect(processExitsWith: .failure) {
      var list = FutureEventList<Int>(now: Instant(millisecondsSince1970: 10))
      list.schedule(at: Instant(millisecondsSince1970: 9), 0)
    }
    await #expect(processExitsWith: .failure) {
      var list = FutureEventList<Int>(now: Instant(millisecondsSince1970: 10))
      list.schedule(at: .distantFuture, 0)
    }
  }

  /// After a long run, a list holds little more memory than its events need. After a burst of events, it
  /// frees the memory that they needed.
  @Test func `memory stays bounded`() {
    let pending = 20_000
    var random = SplitMix64(seed: 1)
    var list = FutureEventList<UInt64>(now: at(0))
    var handles = (0..<pending).map {
      list.scheduleCancellable(at: at(Int64(random.next() % 1_000_000_000)), UInt64($0))
    }
    for step in 0..<4 * pending {
      guard let notice = list.popNext() else { break }
      let entity = Int(notice.payload)
      handles[entity] = list.scheduleCancellable(
        at: notice.time + TimeSpan(milliseconds: Int64(random.next() % 2_000_000_000)), notice.payload)
      let other = Int(random.next() % UInt64(pending))
      let later = notice.time + TimeSpan(milliseconds: Int64(random.next() % 2_000_000_000))
      if let moved = list.reschedule(handles[other], at: later) { handles[other] = moved }
      if step % 1_000 == 0 {
        #expect(list.byteCount < 48 * pending, "after \(step) operations")
      }
    }
    #expect(list.count == pending)

    let before = list.byteCount
    var burst = list
    for n in 0..<200_000 { burst.schedule(at: burst.now + .minutes(Int64(n % 1_000)), 0) }
    #expect(burst.byteCount > 200_000 * 16)
    while burst.popNext() != nil {}
    // After the burst, only the tables of buckets and a few chunks remain.
    #expect(burst.byteCount < before + 200_000)
    #expect(list.byteCount == before)
  }
}

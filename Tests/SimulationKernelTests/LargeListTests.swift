import SimulationKernel
import TestSupport
import Testing
import TriggerModel

/// Compares the order of events in large lists with that of a heap with sequence numbers.
@Suite struct LargeListTests {
  /// A list, the reference, and the cancellable events of both.
  private struct Compared {
    var list = FutureEventList<UInt64>(now: Instant(millisecondsSince1970: 0))
    var reference = ReferenceEventList()
    var named: [(handle: EventHandle, sequence: Int, payload: UInt64)] = []
    var random: SplitMix64
    private var payload = UInt64.max

    init(seed: UInt64) { random = SplitMix64(seed: seed) }

    /// Schedules an event in both lists. Half of the events, chosen at random, are cancellable, or all if
    /// `allNamed` is `true`.
    mutating func schedule(at time: Int64, allNamed: Bool = false) {
      let time = Instant(millisecondsSince1970: time)
      payload &-= 0x1_0000_0001
      let sequence = reference.schedule(at: time, priority: 0, payload)
      if allNamed || random.next() & 1 == 0 {
        named.append((list.scheduleCancellable(at: time, payload), sequence, payload))
      } else {
        list.schedule(at: time, payload)
      }
    }

    /// Reschedules a cancellable event, or cancels it if `time` is `nil`.
    ///
    /// - Returns: Whether the event was pending.
    mutating func change(_ index: Int, to time: Int64?) -> Bool {
      let event = named[index]
      guard let time else {
        guard list.cancel(event.handle) else { return false }
        reference.cancel(event.sequence)
        return true
      }
      let later = Instant(millisecondsSince1970: time)
      guard let handle = list.reschedule(event.handle, at: later) else { return false }
      reference.cancel(event.sequence)
      named[index] = (handle, reference.schedule(at: later, priority: 0, event.payload), event.payload)
      return true
    }

    /// Pops the next event of both lists. Returns whether they are equal.
    mutating func popsTheSame() -> Bool {
      list.popNext() == reference.popNext(before: .distantFuture)
    }

    /// Pops all remaining events of both lists. Returns whether they are equal.
    mutating func drainsTheSame() -> Bool {
      while !list.isEmpty { if !popsTheSame() { return false } }
      return popsTheSame()
    }
  }

  /// Records of nearer events take fewer bytes. The list has records of both kinds and of every order of
  /// magnitude. Events are rescheduled and cancelled so often that the list drops its stale records during
  /// the test.
  @Test(arguments: 1...3)
  func `events of every magnitude are returned in order`(seed: UInt64) {
    var compared = Compared(seed: seed)
    func time() -> Int64 {
      // A time from a millisecond to 285,000 years.
      Int64(compared.random.next() >> (11 + compared.random.next() % 53))
    }
    for _ in 0..<6_000 { compared.schedule(at: time()) }
    for _ in 0..<9_000 {
      let index = Int(compared.random.next() % UInt64(compared.named.count))
      _ = compared.change(index, to: compared.random.next() % 8 == 0 ? nil : time())
    }
    for n in 0..<500 { compared.schedule(at: Int64(1 << (n % 53)) + Int64(n % 7)) }
    let isSame = compared.drainsTheSame()
    #expect(isSame)
  }

  /// A bucket with many events is sorted as a whole when its first event is due. Events are then scheduled
  /// before, between and after the sorted ones.
  @Test(arguments: [20, 600])
  func `a large bucket accepts new events in order`(added: Int) {
    var compared = Compared(seed: UInt64(added))
    // A bucket spans 16,777,216 milliseconds, and each of 20 buckets has about 2,000 events.
    let width: Int64 = 1 << 24
    for _ in 0..<40_000 {
      compared.schedule(at: Int64(compared.random.next() % UInt64(20 * width)) / 8 * 8)
    }
    var mismatches = 0
    for _ in 0..<100 where !compared.popsTheSame() { mismatches += 1 }
    for n in 0..<added {
      let now = compared.list.now.millisecondsSince1970
      // At the end of the sorted range, just after the current time, or in between.
      let places = [width - 1 - Int64(n % 3), now + Int64(n % 5), now + (width - now) / 600 * Int64(n)]
      compared.schedule(at: max(now, places[n % 3]))
      if !compared.popsTheSame() { mismatches += 1 }
      if n % 4 == 0 {
        let index = Int(compared.random.next() % UInt64(compared.named.count))
        _ = compared.change(index, to: max(now, width - 1))
      }
    }
    let isSame = compared.drainsTheSame()
    #expect(isSame && mismatches == 0)
  }

  /// The events of a large bucket form clusters of a few milliseconds. Sorting the whole bucket in one step
  /// would compare nearly all events of a cluster with each other.
  @Test func `a large bucket with clusters is returned in order`() {
    var compared = Compared(seed: 4)
    for n in 0..<40_000 {
      let bucket = Int64(n % 20) << 24
      compared.schedule(at: bucket + Int64(n % 3 << 16) + Int64(compared.random.next() % 40))
    }
    var mismatches = 0
    for n in 0..<300 {
      if !compared.popsTheSame() { mismatches += 1 }
      compared.schedule(at: compared.list.now.millisecondsSince1970 + Int64(n % 90))
    }
    let isSame = compared.drainsTheSame()
    #expect(isSame && mismatches == 0)
  }

  /// In lists of 10,000 or more events, a cancellable event takes at most 32 bytes in every state of the
  /// list. That includes stale records, and the moment when all events move to a lower level.
  @Test(arguments: [10_000, 14_000])
  func `cancellable events take at most 32 bytes`(pending: Int) {
    var random = SplitMix64(seed: UInt64(pending))
    var list = FutureEventList<UInt64>(now: Instant(millisecondsSince1970: 0))
    func later() -> TimeSpan { TimeSpan(milliseconds: Int64(random.next() % 2_000_000_000)) }
    var handles = (0..<pending).map { list.scheduleCancellable(at: list.now + later(), UInt64($0)) }
    var most = 0
    for step in 0..<10 * pending {
      guard let notice = list.popNext() else { break }
      handles[Int(notice.payload)] = list.scheduleCancellable(at: list.now + later(), notice.payload)
      let other = Int(random.next() % UInt64(pending))
      if let moved = list.reschedule(handles[other], at: list.now + later()) { handles[other] = moved }
      if step % 512 == 0 { most = max(most, list.byteCount) }
    }
    #expect(list.count == pending)
    // The clock has passed the range of the fourth level twice.
    #expect(list.now.millisecondsSince1970 > 2 << 32)
    // Delays are uniformly distributed in this test, so the bound is a little lower than 32.
    #expect(most <= 30 * pending, "\(Double(most) / Double(pending)) bytes")
  }
}

import SimulationKernel
import TestSupport
import Testing
import TriggerModel

/// Compares the order of events with that of a heap with sequence numbers, during random operations.
@Suite struct EventOrderTests {
  /// The distribution of delays in a test workload, in milliseconds.
  enum Spread: CaseIterable {
    /// A few different delays, so that many events share an instant.
    case ties
    /// Delays within a second, so that many events share an instant.
    case dense
    /// Delays of up to about a month, as on a phone.
    case phone
    /// Delays from a millisecond to 30 years. All orders of magnitude are equally frequent.
    case magnitudes

    func draw(_ bits: UInt64) -> TimeSpan {
      switch self {
      case .ties: TimeSpan(milliseconds: Int64(bits % 3) * 60_000)
      case .dense: TimeSpan(milliseconds: Int64(bits % 1_000))
      case .phone: TimeSpan(milliseconds: Int64(bits % 2_600_000_000))
      case .magnitudes: TimeSpan(milliseconds: Int64(bits >> 8 & ((1 << (bits % 40)) - 1)))
      }
    }
  }

  #if DEBUG
    static let operations = 120_000
  #else
    static let operations = 10_000_000
  #endif

  /// Schedules, cancels, reschedules and pops events at random, with about `pending` events in the list. Half
  /// of the events, chosen at random, are cancellable.
  private func compare(_ spread: Spread, pending: Int, operations: Int) {
    let start = Instant(millisecondsSince1970: 1_772_000_000_000)
    var list = FutureEventList<UInt64>(now: start)
    var reference = ReferenceEventList()
    // The last 256 cancellable events, which the test cancels or reschedules at random. Some are no longer
    // pending.
    var recent: [(handle: EventHandle, sequence: Int, payload: UInt64, priority: UInt8)] = []
    var random = SplitMix64(seed: UInt64(pending))
    var mismatches = 0

    func note(_ handle: EventHandle, _ sequence: Int, _ payload: UInt64, _ priority: UInt8) {
      if recent.count < 256 {
        recent.append((handle, sequence, payload, priority))
      } else {
        recent[Int(random.next() % 256)] = (handle, sequence, payload, priority)
      }
    }

    for operation in 0..<operations {
      let bits = random.next()
      // The first operations fill the list. After that, its size stays about the same.
      let choice = operation < pending ? 0 : list.count < pending ? bits % 20 : 8 + bits % 14
      switch choice {
      case 0..<13:
        let time = list.now + spread.draw(random.next())
        let priority = UInt8(bits >> 32 & 3)
        let payload = UInt64(operation)
        let sequence = reference.schedule(at: time, priority: priority, payload)
        if bits >> 40 & 1 == 0 {
          list.schedule(at: time, priority: priority, payload)
        } else {
          let handle = list.scheduleCancellable(at: time, priority: priority, payload)
          note(handle, sequence, payload, priority)
        }
      case 13...14 where !recent.isEmpty:
        let index = Int(bits >> 8) % recent.count
        let event = recent[index]
        if list.cancel(event.handle) { reference.cancel(event.sequence) }
        if list.isPending(event.handle) { mismatches += 1 }
      case 15 where !recent.isEmpty:
        let index = Int(bits >> 8) % recent.count
        let event = recent[index]
        let time = list.now + spread.draw(random.next())
        if let moved = list.reschedule(event.handle, at: time) {
          reference.cancel(event.sequence)
          let sequence = reference.schedule(at: time, priority: event.priority, event.payload)
          if list[moved] != event.payload { mismatches += 1 }
          recent[index] = (moved, sequence, event.payload, event.priority)
        }
      default:
        let limit = bits & 0x100 == 0 ? Instant.distantFuture : list.now + spread.draw(random.next())
        if list.popNext(before: limit) != reference.popNext(before: limit) { mismatches += 1 }
      }
      if list.count != reference.count { mismatches += 1 }
      if operation % 1_024 == 0, list.peekTime != reference.peekTime { mismatches += 1 }
      if mismatches > 0 { break }
    }
    while let expected = reference.popNext(before: .distantFuture) {
      if list.popNext() != expected { mismatches += 1 }
    }
    #expect(list.isEmpty)
    #expect(list.popNext() == nil)
    #expect(mismatches == 0, "\(spread), \(pending) pending")
  }

  @Test(arguments: Spread.allCases)
  func `small lists return events in order`(_ spread: Spread) {
    for pending in [1, 5, 20, 60, 70] { compare(spread, pending: pending, operations: 5_000) }
  }

  @Test(arguments: Spread.allCases)
  func `large lists return events in order`(_ spread: Spread) {
    for pending in [300, 3_000, Self.operations / 10] {
      compare(spread, pending: pending, operations: pending + Self.operations / 12)
    }
  }
}

extension EventOrderTests {
  /// Reschedules another event for every returned one, and sometimes cancels a third. Most records are
  /// therefore stale.
  @Test(arguments: Spread.allCases)
  func `the order holds when most records are stale`(_ spread: Spread) {
    for pending in [10, 70, 1_000, 6_000] {
      var random = SplitMix64(seed: UInt64(pending))
      var list = FutureEventList<UInt64>(now: Instant(millisecondsSince1970: 0))
      var reference = ReferenceEventList()
      var events: [(handle: EventHandle, sequence: Int)] = []

      func schedule(_ entity: Int) -> (EventHandle, Int) {
        let time = list.now + spread.draw(random.next())
        return (
          list.scheduleCancellable(at: time, UInt64(entity)),
          reference.schedule(at: time, priority: 0, UInt64(entity))
        )
      }

      for entity in 0..<pending { events.append(schedule(entity)) }
      var mismatches = 0
      for step in 0..<Self.operations / 30 where mismatches == 0 {
        guard let notice = list.popNext(), notice == reference.popNext(before: .distantFuture) else {
          mismatches += 1
          continue
        }
        events[Int(notice.payload)] = schedule(Int(notice.payload))
        for _ in 0..<(step % 1_000 < 20 ? 60 : 1) {
          let entity = Int(random.next() % UInt64(pending))
          let time = list.now + spread.draw(random.next())
          reference.cancel(events[entity].sequence)
          if step % 5 == 0 {
            if !list.cancel(events[entity].handle) { mismatches += 1 }
            events[entity] = schedule(entity)
          } else if let moved = list.reschedule(events[entity].handle, at: time) {
            events[entity] = (moved, reference.schedule(at: time, priority: 0, UInt64(entity)))
          } else {
            mismatches += 1
          }
        }
        if list.count != pending { mismatches += 1 }
      }
      #expect(mismatches == 0, "\(spread), \(pending) pending")
    }
  }
}

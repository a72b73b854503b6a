import HeapModule
import SimulationKernel
import TriggerModel

/// The specification of a future event list: a heap with sequence numbers.
struct ReferenceEventList {
  private struct Entry: Comparable {
    var time: Instant
    var priority: UInt8
    var sequence: Int
    var payload: UInt64

    static func < (a: Entry, b: Entry) -> Bool {
      (a.time, a.priority, a.sequence) < (b.time, b.priority, b.sequence)
    }
  }

  private var heap = Heap<Entry>()
  private var cancelled: Set<Int> = []
  private var sequence = 0

  var count: Int { heap.count - cancelled.count }

  /// - Returns: The sequence number of the event, for `cancel`.
  mutating func schedule(at time: Instant, priority: UInt8, _ payload: UInt64) -> Int {
    sequence += 1
    heap.insert(Entry(time: time, priority: priority, sequence: sequence, payload: payload))
    return sequence
  }

  mutating func cancel(_ sequence: Int) {
    cancelled.insert(sequence)
  }

  var peekTime: Instant? {
    mutating get {
      dropCancelled()
      return heap.min?.time
    }
  }

  mutating func popNext(before limit: Instant) -> EventNotice<UInt64>? {
    dropCancelled()
    guard let first = heap.min, first.time < limit else { return nil }
    heap.removeMin()
    return EventNotice(time: first.time, priority: first.priority, payload: first.payload)
  }

  private mutating func dropCancelled() {
    while let first = heap.min, cancelled.remove(first.sequence) != nil { heap.removeMin() }
  }
}

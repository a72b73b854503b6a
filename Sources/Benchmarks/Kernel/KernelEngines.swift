import CPrefetch
import HeapModule
import SimulationKernel
import TriggerModel

/// An event queue that plays the benchmark. Each entity has exactly one pending event.
///
/// The indices of operations continue through the whole run, so every engine uses the same increments.
protocol KernelQueue {
  init(workload: KernelWorkload)
  /// Schedules the first event of the entities 0 ..< `count`.
  mutating func fill(_ count: Int, for model: KernelModel)
  /// Performs one operation of the model for each index. ``fill(_:for:)`` must have been called for the same
  /// model.
  mutating func play(_ indices: Range<Int>)
  /// The time of the last event and a hash of all events.
  var result: KernelResult { get }
}

/// The result of a run, which must be the same for all engines.
package struct KernelResult: Hashable, Sendable {
  /// The time of the last event in milliseconds.
  package var clock: Int64
  /// A hash of the times and entities of all events in order.
  package var hash: UInt64

  package init(clock: Int64, hash: UInt64) {
    self.clock = clock
    self.hash = hash
  }

  /// Adds an event to the result.
  package mutating func note(_ time: Int64, _ entity: UInt64) {
    clock = time
    let event = UInt64(bitPattern: time) &* 0x9E37_79B9_7F4A_7C15 &+ entity
    hash = (hash ^ event) &* 0x0000_0100_0000_01B3
  }
}

/// The handles of the entities' events, without bounds checks as in the C++ program.
private final class HandleTable {
  let count: Int
  private let handles: UnsafeMutablePointer<EventHandle>

  /// Creates an uninitialised table. Write every entry before you read it.
  init(count: Int) {
    self.count = count
    handles = .allocate(capacity: count)
  }

  deinit {
    handles.deallocate()
  }

  subscript(entity: Int) -> EventHandle {
    get { handles[entity] }
    set { handles[entity] = newValue }
  }

  func fetch(_ entity: Int) { prefetch(handles + entity) }
}

/// The future event list of the simulation kernel.
///
/// All operations are in one change of the list, so that it is never copied. The engine draws the next victim
/// in advance, so that the processor can prefetch the victim's handle. The C++ program does not prefetch.
struct ListEngine: KernelQueue {
  private(set) var list = FutureEventList<UInt64>(now: Instant(millisecondsSince1970: 0))
  private var handles = HandleTable(count: 0)
  private var nextVictim = 0
  private let workload: KernelWorkload
  private(set) var result = KernelResult(clock: 0, hash: 0)

  init(workload: KernelWorkload) {
    self.workload = workload
  }

  /// Schedules the first events. Stores handles only for the snooze model, because the hold model reschedules
  /// no events. The C++ program does the same.
  mutating func fill(_ count: Int, for model: KernelModel) {
    if model == .snooze {
      handles = HandleTable(count: count)
      nextVictim = workload.victim(count, of: count)
    }
    for entity in 0..<count {
      let time = Instant(millisecondsSince1970: workload.increment(entity))
      switch model {
      case .hold: list.schedule(at: time, UInt64(entity))
      case .snooze: handles[entity] = list.scheduleCancellable(at: time, UInt64(entity))
      }
    }
  }

  mutating func play(_ indices: Range<Int>) {
    if handles.count == 0 { hold(indices) } else { snooze(indices) }
  }

  private mutating func hold(_ indices: Range<Int>) {
    list.change { list in
      for index in indices {
        guard let notice = list.popNext() else { return }
        result.note(notice.time.millisecondsSince1970, notice.payload)
        list.schedule(at: notice.time + TimeSpan(milliseconds: workload.increment(index)), notice.payload)
      }
    }
  }

  private mutating func snooze(_ indices: Range<Int>) {
    // A local reference avoids reference counting during the operations.
    let handles = handles
    list.change { list in
      for index in indices {
        let victim = nextVictim
        nextVictim = workload.victim(index + 1, of: handles.count)
        handles.fetch(nextVictim)
        let pause = TimeSpan(milliseconds: workload.increment(2 * index))
        let delay = TimeSpan(milliseconds: workload.increment(2 * index + 1))
        guard let notice = list.popNext() else { return }
        result.note(notice.time.millisecondsSince1970, notice.payload)
        handles[Int(notice.payload)] = list.scheduleCancellable(at: notice.time + pause, notice.payload)
        if let moved = list.reschedule(handles[victim], at: notice.time + delay) { handles[victim] = moved }
      }
    }
  }
}

/// The naive implementation: a heap of closures and a set of cancelled events.
final class ClosureEngine: KernelQueue {
  private struct Event: Comparable {
    var time: Int64
    var sequence: Int
    var action: () -> Void

    static func == (a: Event, b: Event) -> Bool { a.sequence == b.sequence }
    static func < (a: Event, b: Event) -> Bool { (a.time, a.sequence) < (b.time, b.sequence) }
  }

  private var heap = Heap<Event>()
  private var cancelled: Set<Int> = []
  private var sequence = 0
  private var pending: [Int] = []
  private let workload: KernelWorkload
  private(set) var result = KernelResult(clock: 0, hash: 0)

  init(workload: KernelWorkload) {
    self.workload = workload
  }

  private func schedule(at time: Int64, _ action: @escaping () -> Void) -> Int {
    sequence += 1
    heap.insert(Event(time: time, sequence: sequence, action: action))
    return sequence
  }

  private func playNext() {
    while let event = heap.popMin() {
      if !cancelled.isEmpty, cancelled.remove(event.sequence) != nil { continue }
      result.clock = event.time
      return event.action()
    }
  }

  private var nextIndex = 0
  private var snoozes = false

  private func add(_ entity: Int, at time: Int64) {
    pending[entity] = schedule(at: time) { [unowned self] in play(entity) }
  }

  private func play(_ entity: Int) {
    let index = nextIndex
    result.note(result.clock, UInt64(entity))
    guard snoozes else { return add(entity, at: result.clock + workload.increment(index)) }
    add(entity, at: result.clock + workload.increment(2 * index))
    let victim = workload.victim(index, of: pending.count)
    cancelled.insert(pending[victim])
    add(victim, at: result.clock + workload.increment(2 * index + 1))
  }

  func fill(_ count: Int, for model: KernelModel) {
    pending = [Int](repeating: 0, count: count)
    for entity in 0..<count { add(entity, at: workload.increment(entity)) }
    snoozes = model == .snooze
  }

  func play(_ indices: Range<Int>) {
    for index in indices {
      nextIndex = index
      playNext()
    }
  }
}

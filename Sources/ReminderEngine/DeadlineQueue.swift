import ReminderMatching
import TriggerModel

/// The end of a snooze, or the expiry of a reminder.
struct Deadline: Hashable, Sendable, BitwiseCopyable {
  enum Kind: UInt8, Hashable, Sendable, BitwiseCopyable {
    case snoozeEnd, expiry
  }

  /// On the phone's wall clock.
  var at: Instant
  var reminder: ReminderID
  var kind: Kind

  static func < (a: Deadline, b: Deadline) -> Bool {
    if a.at != b.at { return a.at < b.at }
    if a.reminder != b.reminder { return a.reminder < b.reminder }
    return a.kind.rawValue < b.kind.rawValue
  }
}

/// Deadlines in order: a binary heap. Deadlines that no longer hold stay in it and are recognised when
/// they come up, so that snoozing again costs no search.
struct DeadlineQueue: Sendable {
  private var heap: [Deadline] = []

  /// The earliest deadline, or `.distantFuture`.
  private(set) var next = Instant.distantFuture

  mutating func insert(_ deadline: Deadline) {
    heap.append(deadline)
    var child = heap.count - 1
    while child > 0, heap[child] < heap[(child - 1) / 2] {
      heap.swapAt(child, (child - 1) / 2)
      child = (child - 1) / 2
    }
    next = heap[0].at
  }

  /// Takes the earliest deadline out if it is not after `now`.
  mutating func pop(notAfter now: Instant) -> Deadline? {
    guard let first = heap.first, first.at <= now else { return nil }
    heap.swapAt(0, heap.count - 1)
    heap.removeLast()
    var parent = 0
    while true {
      var least = parent
      for child in [2 * parent + 1, 2 * parent + 2] where child < heap.count && heap[child] < heap[least] {
        least = child
      }
      if least == parent { break }
      heap.swapAt(parent, least)
      parent = least
    }
    next = heap.first?.at ?? .distantFuture
    return first
  }
}

package import TriggerModel

/// The instant at which a snooze ends or a reminder expires.
package struct Deadline: Comparable, Sendable, BitwiseCopyable {
  package enum Kind: UInt8, Sendable, BitwiseCopyable {
    case snoozeEnd, expiry
  }

  /// The instant of the deadline on the phone's wall clock.
  package var at: Instant
  package var reminder: ReminderID
  package var kind: Kind

  package init(at: Instant, reminder: ReminderID, kind: Kind) {
    self.at = at
    self.reminder = reminder
    self.kind = kind
  }

  package static func < (a: Deadline, b: Deadline) -> Bool {
    if a.at != b.at { return a.at < b.at }
    if a.reminder != b.reminder { return a.reminder < b.reminder }
    return a.kind.rawValue < b.kind.rawValue
  }
}

/// A queue of deadlines. Obsolete deadlines stay in the queue until they are reached, so that a repeated
/// snooze needs no search.
package struct DeadlineQueue: Sendable {
  private var heap = MinHeap<Deadline>()

  /// The earliest deadline, or `.distantFuture` if there is none.
  package private(set) var next = Instant.distantFuture

  package init() {}

  package mutating func insert(_ deadline: Deadline) {
    heap.insert(deadline)
    next = min(next, deadline.at)
  }

  /// Removes and returns the earliest deadline if it is not after `now`.
  package mutating func pop(notAfter now: Instant) -> Deadline? {
    guard next <= now, let first = heap.popFirst() else { return nil }
    next = heap.first?.at ?? .distantFuture
    return first
  }
}

extension DeadlineQueue: Packable {
  package mutating func pack(in parcel: inout Parcel) {
    heap.pack(in: &parcel)
    parcel.carry(&next)
  }
}

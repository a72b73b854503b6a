import TriggerModel

/// An occurrence of a reminder's schedule, among those of others: what is due first goes first, at one instant by the
/// reminder's name, so that another order of the declarations changes nothing.
struct RankedOccurrence: Comparable, Sendable, BitwiseCopyable {
  var at: Instant
  /// The place of the reminder among all by name.
  var rank: UInt32
  var reminder: ReminderID

  static func < (a: Self, b: Self) -> Bool { (a.at, a.rank) < (b.at, b.rank) }
}

/// Which of the occurrences for which there was no room is due first.
struct LeftOutOrder: Sendable {
  /// All that are left out, and some that are no longer; nil: to be made of them.
  private var heap: MinHeap<RankedOccurrence>?

  /// What is left out is not what it was: what was inserted counts no longer.
  mutating func forget() { heap = nil }

  /// - Complexity: O(log *n*)
  mutating func insert(_ occurrence: RankedOccurrence) { heap?.insert(occurrence) }

  /// What is due first of what is left out.
  ///
  /// - Complexity: O(log *n*) over many calls; O(*n* log *n*) where it is made.
  mutating func first(
    of leftOut: ReminderTable<Instant>, rank: (ReminderID) -> UInt32
  ) -> RankedOccurrence? {
    if heap.map({ $0.count > 2 * leftOut.count + 64 }) ?? true {
      var made = MinHeap<RankedOccurrence>()
      for (reminder, instant) in zip(leftOut.keys, leftOut.values) {
        made.insert(RankedOccurrence(at: instant, rank: rank(reminder), reminder: reminder))
      }
      heap = made
    }
    while let first = heap?.first, leftOut[first.reminder] != first.at { removeFirst() }
    return heap?.first
  }

  /// Takes out what ``first(of:rank:)`` has found; it is to be inserted again if it is still left out.
  mutating func removeFirst() { _ = heap?.popFirst() }
}

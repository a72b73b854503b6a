import TriggerModel

/// An occurrence among those of other reminders: the next due first, at one instant by the reminder's name, so that
/// another order of the declarations changes nothing.
struct RankedOccurrence: Comparable, Sendable, BitwiseCopyable {
  var at: Instant
  /// The reminder's position among all by name.
  var rank: UInt32
  var reminder: ReminderID

  static func < (a: Self, b: Self) -> Bool { (a.at, a.rank) < (b.at, b.rank) }
}

/// Finds the next due of the occurrences for which there was no room.
struct LeftOutOrder: Sendable {
  /// All occurrences that are left out, and some that no longer are, or `nil` if the heap is to be built.
  private var heap: MinHeap<RankedOccurrence>?

  /// Forgets what was inserted, because the ledgers or the names have changed.
  mutating func forget() { heap = nil }

  /// - Complexity: O(log *n*)
  mutating func insert(_ occurrence: RankedOccurrence) { heap?.insert(occurrence) }

  /// Returns the next due of what is left out.
  ///
  /// - Complexity: O(log *n*) over many calls; O(*n* log *n*) where it is made.
  mutating func first(
    of ledgers: LedgerTable, rank: (ReminderID) -> UInt32
  ) -> RankedOccurrence? {
    if heap.map({ $0.count > 2 * ledgers.count(.leftOut) + 64 }) ?? true {
      var made = MinHeap<RankedOccurrence>()
      for reminder in ledgers.reminders(.leftOut) {
        guard let instant = ledgers[reminder].leftOut else { continue }
        made.insert(RankedOccurrence(at: instant, rank: rank(reminder), reminder: reminder))
      }
      heap = made
    }
    while let first = heap?.first, ledgers[first.reminder].leftOut != first.at { removeFirst() }
    return heap?.first
  }

  /// Removes what ``first(of:rank:)`` has found; insert it again if it is still left out.
  mutating func removeFirst() { _ = heap?.popFirst() }
}

import TriggerModel

/// An occurrence, ordered by due time and then by its reminder's name.
///
/// The name makes the order independent of the order of declarations.
struct RankedOccurrence: Comparable, Sendable, BitwiseCopyable {
  var at: Instant
  /// The position of the reminder when sorted by name.
  var rank: UInt32
  var reminder: ReminderID

  static func < (a: Self, b: Self) -> Bool { (a.at, a.rank) < (b.at, b.rank) }
}

/// An index that finds the earliest occurrence for which the system has no room.
struct LeftOutOrder: Sendable {
  /// A heap of left-out occurrences, or `nil` if it must be built. Some entries may be obsolete.
  private var heap: MinHeap<RankedOccurrence>?

  /// Discards the heap after the ledgers or the names have changed.
  mutating func forget() { heap = nil }

  /// - Complexity: O(log *n*)
  mutating func insert(_ occurrence: RankedOccurrence) { heap?.insert(occurrence) }

  /// Returns the earliest left-out occurrence.
  ///
  /// - Complexity: O(log *n*) amortised; O(*n* log *n*) if the heap must be built.
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

  /// Removes the result of ``first(of:rank:)``. If the occurrence is still left out, insert it again.
  mutating func removeFirst() { _ = heap?.popFirst() }
}

package import TriggerModel

/// Which of several sequences comes next, each of them in order of time: the one whose first thing is the earliest, of
/// one instant the one of the lowest rank.
package struct MergeOrder: Sendable {
  private struct Head: Comparable {
    var instant: Instant
    /// No two sequences have the same at one instant.
    var rank: Int
    var sequence: Int

    static func < (a: Head, b: Head) -> Bool {
      a.instant != b.instant ? a.instant < b.instant : a.rank < b.rank
    }
  }

  private var heads = MinHeap<Head>()

  package init() {}

  /// The sequence that comes next.
  package var first: Int? { heads.first?.sequence }

  /// - Complexity: O(log n) in the sequences
  package mutating func insert(_ sequence: Int, at instant: Instant, rank: Int) {
    heads.insert(Head(instant: instant, rank: rank, sequence: sequence))
  }

  /// The first sequence goes on at an instant, which is not earlier.
  ///
  /// - Complexity: O(log n) in the sequences, O(1) where it stays the first
  package mutating func moveFirst(to instant: Instant, rank: Int) {
    guard let first else { return }
    heads.replaceFirst(with: Head(instant: instant, rank: rank, sequence: first))
  }

  /// The first sequence has ended.
  package mutating func removeFirst() { _ = heads.popFirst() }
}

package import TriggerModel

/// Which of several sequences comes next, each of them in order of time: the one whose first thing is the earliest, of
/// one instant the one of the lowest rank.
package struct MergeOrder: Sendable {
  private struct Head {
    var instant: Instant
    /// No two sequences have the same at one instant.
    var rank: Int
    var sequence: Int

    static func < (a: Head, b: Head) -> Bool {
      a.instant != b.instant ? a.instant < b.instant : a.rank < b.rank
    }
  }

  /// A binary heap of its own: a generic one of another module is not specialised, and this is asked for each event.
  private var heads: [Head] = []

  package init() {}

  /// The sequence that comes next.
  package var first: Int? { heads.first?.sequence }

  /// - Complexity: O(log n) in the sequences
  package mutating func insert(_ sequence: Int, at instant: Instant, rank: Int) {
    heads.append(Head(instant: instant, rank: rank, sequence: sequence))
    var position = heads.count - 1
    while position > 0, heads[position] < heads[(position - 1) / 2] {
      heads.swapAt(position, (position - 1) / 2)
      position = (position - 1) / 2
    }
  }

  /// The first sequence goes on at an instant, which is not earlier.
  ///
  /// - Complexity: O(log n) in the sequences, O(1) where it stays the first
  package mutating func moveFirst(to instant: Instant, rank: Int) {
    heads[0].instant = instant
    heads[0].rank = rank
    sink()
  }

  /// The first sequence has ended.
  package mutating func removeFirst() {
    heads[0] = heads[heads.count - 1]
    heads.removeLast()
    sink()
  }

  private mutating func sink() {
    var position = 0
    while true {
      var least = position
      for child in 2 * position + 1...2 * position + 2
      where child < heads.count && heads[child] < heads[least] {
        least = child
      }
      if least == position { return }
      heads.swapAt(position, least)
      position = least
    }
  }
}

/// Delays in milliseconds, counted one by one: in memory that grows with how many different ones there are.
package struct DelayCounts: Hashable, Sendable {
  /// Most signs are told at once.
  private var atOnce = 0
  private var others: [Int64: Int] = [:]

  package init() {}

  package mutating func add(_ milliseconds: Int64) {
    if milliseconds == 0 { atOnce += 1 } else { others[milliseconds, default: 0] += 1 }
  }

  package mutating func add(_ other: DelayCounts) {
    atOnce += other.atOnce
    others.merge(other.others, uniquingKeysWith: +)
  }

  /// Milliseconds; of an even number the lower middle one. Nil when there is none.
  ///
  /// - Complexity: O(d log d) for d different ones
  package var median: Int64? {
    let counts = counts
    var before = (counts.reduce(0) { $0 + $1.count } - 1) / 2
    for (milliseconds, count) in counts {
      if before < count { return milliseconds }
      before -= count
    }
    return nil
  }

  /// Milliseconds; nil when there is none.
  package var longest: Int64? { counts.last?.milliseconds }

  /// How often each comes, ascending.
  package var counts: [(milliseconds: Int64, count: Int)] {
    let all = others.merging(atOnce > 0 ? [0: atOnce] : [:], uniquingKeysWith: +)
    return all.map { (milliseconds: $0.key, count: $0.value) }.sorted { $0.milliseconds < $1.milliseconds }
  }
}

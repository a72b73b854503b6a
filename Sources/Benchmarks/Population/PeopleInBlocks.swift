import Dispatch
import Synchronization

/// Sums of what becomes of people: those of some are the sum of those of any parts of them.
package protocol PeopleSums: Sendable {
  init()
  static func += (sum: inout Self, other: Self)
}

/// People who are counted block by block, on several cores. The sums are the same for any number of jobs.
struct PeopleInBlocks {
  var people: Range<UInt64>
  /// How many are taken at a time.
  var size: UInt64

  /// - Parameter makeCounter: Called once for each job: what counts a block, and works in memory of the job's own.
  /// - Returns: The sums, and how often memory was asked for after each job's first block; nil where that cannot be
  ///   counted.
  func counts<Sums: PeopleSums>(
    jobs: Int, _ makeCounter: @Sendable () -> (Range<UInt64>, inout Sums) -> Void
  ) -> (counts: Sums, allocations: Int?) {
    let next = Atomic<UInt64>(0)
    let total = Mutex((counts: Sums(), allocations: Optional(0)))
    let blocks = (UInt64(people.count) + size - 1) / size
    DispatchQueue.concurrentPerform(iterations: max(1, jobs)) { _ in
      let count = makeCounter()
      var counts = Sums()
      func countBlock() -> Bool {
        let block = next.add(1, ordering: .relaxed).oldValue
        if block >= blocks { return false }
        let start = people.lowerBound + block * size
        count(start..<min(start + size, people.upperBound), &counts)
        return true
      }
      _ = countBlock()
      let allocations = Allocations.count { while countBlock() {} }
      total.withLock {
        $0.counts += counts
        $0.allocations = $0.allocations.flatMap { sum in allocations.map { sum + $0 } }
      }
    }
    return total.withLock { $0 }
  }
}

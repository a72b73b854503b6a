import Dispatch
package import Experiments
import Synchronization

extension PopulationRun {
  /// People who are taken at a time.
  private static let block: UInt64 = 64

  /// What happens to the people of a range, on several cores. The result is the same for any number of jobs,
  /// and the sum of the results of any parts of the range.
  ///
  /// Memory does not depend on how many people there are: each job has one gateway and one set of counters.
  ///
  /// - Returns: The counters, and how often memory was asked for after each job's first block of people; nil
  ///   where that cannot be counted.
  package func counts(of people: Range<UInt64>, jobs: Int) -> (counts: PopulationCounts, allocations: Int?) {
    let next = Atomic<UInt64>(0)
    let total = Mutex((counts: PopulationCounts(), allocations: Optional(0)))
    let blocks = (UInt64(people.count) + Self.block - 1) / Self.block
    DispatchQueue.concurrentPerform(iterations: max(1, jobs)) { _ in
      var arm = arm
      var counts = PopulationCounts()
      func countBlock() -> Bool {
        let block = next.add(1, ordering: .relaxed).oldValue
        if block >= blocks { return false }
        let start = people.lowerBound + block * Self.block
        arm.count(start..<min(start + Self.block, people.upperBound), into: &counts)
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

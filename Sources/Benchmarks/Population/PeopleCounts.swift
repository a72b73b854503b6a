import Dispatch
import Experiments
import PopulationRuns
import Synchronization

/// What became of some people: sums, the same for any number of jobs and any order.
package struct PeopleCounts: Hashable, Sendable {
  package private(set) var people: Int64 = 0
  package private(set) var requested: Int64 = 0
  package private(set) var shown: Int64 = 0
  private var tapped: Int64 = 0
  private var dismissed: Int64 = 0
  private var optedOut: Int64 = 0
  private var opens: Int64 = 0
  /// Of everybody's requests and what became of them; sums of people are sums of these.
  package private(set) var checksum: UInt64 = 0

  package init() {}

  mutating func add(_ outcome: PersonOutcome) {
    people += 1
    requested += outcome.requested
    shown += outcome.shown
    tapped += outcome.tapped
    dismissed += outcome.dismissed
    optedOut += outcome.optedOut
    opens += outcome.opens
    for decision in outcome.decisions {
      let rest = UInt64(decision.fate.rawValue) << 16 | UInt64(decision.hour) << 8 | UInt64(decision.nearness)
      checksum &+= (decision.key ^ rest) &* 0x9E37_79B9_7F4A_7C15
    }
  }

  static func += (sum: inout PeopleCounts, other: PeopleCounts) {
    sum.people += other.people
    sum.requested += other.requested
    sum.shown += other.shown
    sum.tapped += other.tapped
    sum.dismissed += other.dismissed
    sum.optedOut += other.optedOut
    sum.opens += other.opens
    sum.checksum &+= other.checksum
  }

  /// One line.
  func json(_ profile: String) -> String {
    """
    {"profile":"\(profile)","people":\(people),"requested":\(requested),"shown":\(shown),"tapped":\(tapped),\
    "dismissed":\(dismissed),"optouts":\(optedOut),"opens":\(opens),"checksum":\(checksum)}

    """
  }
}

extension PopulationArm {
  /// What becomes of the people of a range, on several cores.
  ///
  /// - Returns: The sums, and how often memory was asked for after each job's first block of people; nil where that
  ///   cannot be counted.
  func counts(of people: Range<UInt64>, jobs: Int) -> (counts: PeopleCounts, allocations: Int?) {
    let block: UInt64 = 16
    let next = Atomic<UInt64>(0)
    let total = Mutex((counts: PeopleCounts(), allocations: Optional(0)))
    let blocks = (UInt64(people.count) + block - 1) / block
    DispatchQueue.concurrentPerform(iterations: max(1, jobs)) { _ in
      var arm = self
      var counts = PeopleCounts()
      var outcome = PersonOutcome(types: arm.typeCount)
      func countBlock() -> Bool {
        let number = next.add(1, ordering: .relaxed).oldValue
        if number >= blocks { return false }
        let start = people.lowerBound + number * block
        for person in start..<min(start + block, people.upperBound) {
          arm.run(person, into: &outcome)
          counts.add(outcome)
        }
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

import Experiments

/// What became of some people: sums, the same for any number of jobs and any order.
package struct PeopleCounts: PeopleSums, Hashable {
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

  package static func += (sum: inout PeopleCounts, other: PeopleCounts) {
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
    PeopleInBlocks(people: people, size: 16).counts(jobs: jobs) {
      var arm = self
      var outcome = PersonOutcome(types: arm.typeCount)
      return { people, counts in
        for person in people {
          arm.run(person, into: &outcome)
          counts.add(outcome)
        }
      }
    }
  }
}

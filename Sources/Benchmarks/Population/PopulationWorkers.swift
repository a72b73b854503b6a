package import Experiments

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
    PeopleInBlocks(people: people, size: Self.block).counts(jobs: jobs) {
      var arm = arm
      return { people, counts in arm.count(people, into: &counts) }
    }
  }
}

extension PopulationCounts: PeopleSums {}

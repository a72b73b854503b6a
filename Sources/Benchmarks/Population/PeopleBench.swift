import Experiments
import Foundation
import Journal
import ScenarioModel
import Scenarios
import Simulation
import Statistics
import TestBench
import TriggerModel

/// Measures people of a ``PeopleWorkload``, who are simulated as in an experiment.
///
/// The baseline replays the same people as separate scenarios with complete accounts.
package struct PeopleBench {
  package var workload: PeopleWorkload
  package var people: Range<UInt64>
  package var jobs: Int
  package var rounds = 3
  /// Whether to skip the baseline.
  package var alone = false

  /// The number of people whom the baseline replays.
  private static let replayed: UInt64 = 20
  /// The number of people for whom memory is measured.
  private static let weighed: UInt64 = 100

  package init(_ workload: PeopleWorkload, people: Range<UInt64>, jobs: Int = 1) {
    self.workload = workload
    self.people = people
    self.jobs = jobs
  }

  /// Returns the counts of all people as a line of JSON. The counts do not depend on the number of jobs.
  package func json() throws -> String {
    let arm = try PopulationArm(workload.population())
    return arm.counts(of: people, jobs: jobs).counts.json(workload.profile)
  }

  /// Measures both platform profiles.
  ///
  /// - Throws: ``BenchError`` if the results of the implementations differ.
  package func report() throws -> BenchReport {
    let rows = try PeopleWorkload.profiles.map { profile in
      var bench = self
      bench.workload.profile = profile
      return try bench.row()
    }
    return BenchReport(
      suite: BenchSuite.population.rawValue, sizeName: BenchSuite.population.sizeName, rows: rows,
      notes: [
        "\(PeopleWorkload.name): people as an experiment plays them; an event is a device event, observed or not",
        "baseline: the first people, each compiled and run as a separate scenario, without a report",
        "allocations: per event, with those at the start of a person; bytes: of a person suspended in the middle, "
          + "without shared tables and the drawn days",
      ])
  }

  private func row() throws -> BenchRow {
    let population = try workload.population()
    let arm = try PopulationArm(population)
    let happened = Self.happenings(of: people, population)
    var samples: [Double] = []
    var seconds: [Double] = []
    var (counts, allocations) = (PeopleCounts(), Int?.none)
    for _ in 0..<rounds {
      let before = clock()
      let elapsed = ContinuousClock().measure {
        (counts, allocations) = arm.counts(of: people, jobs: jobs)
      }
      seconds.append(Double(clock() - before) / Double(CLOCKS_PER_SEC))
      samples.append(elapsed / .nanoseconds(1) / Double(max(1, happened)))
    }
    let mode = "\(PeopleWorkload.name), \(workload.profile)" + (jobs == 1 ? "" : ", \(jobs) jobs")
    var row = BenchRow(mode: mode, size: people.count, events: happened, samples: samples)
    row.fires = Int(counts.shown)
    row.hash = counts.checksum
    row.allocationsPerEvent = allocations.map { Double($0) / Double(max(1, happened)) }
    row.bytesPerItem = Self.suspendedBytes(first(Self.weighed), arm)
    let personDays = Double(people.count * workload.days)
    row.counters = [
      ("person-days/s", 1e9 * personDays / (samples.median * Double(max(1, happened)))),
      ("of CPU", personDays / max(1e-9, seconds.median)),
    ]
    row.counts = [("requests", Int(counts.requested))]
    if jobs == 1, let allocations { row.counts.append(("allocations", allocations)) }
    if !alone { row.baseline = try baseline(population, arm) }
    return row
  }

  private func first(_ count: UInt64) -> Range<UInt64> {
    people.lowerBound..<min(people.upperBound, people.lowerBound + count)
  }

  private static func happenings(of people: Range<UInt64>, _ population: Population) -> Int {
    let sampler = PersonSampler(population)
    var person = SampledPerson()
    return people.reduce(0) { sum, number in
      sampler.sample(number, into: &person)
      return sum + person.events.count
    }
  }

  /// Replays the first people as scenarios, and also simulates them as in an experiment.
  private func baseline(_ population: Population, _ arm: PopulationArm) throws -> Baseline {
    let first = first(Self.replayed)
    let happened = Self.happenings(of: first, population)
    var (replays, plays): ([Double], [Double]) = ([], [])
    for _ in 0..<rounds {
      var (shown, counts) = (0, PeopleCounts())
      replays.append(
        try Stopwatch.nanoseconds(per: happened) {
          shown = try first.reduce(0) { try $0 + Self.replay($1, population) }
        })
      plays.append(
        Stopwatch.nanoseconds(per: happened) { counts = arm.counts(of: first, jobs: 1).counts })
      if shown != Int(counts.shown) {
        throw BenchError("population: replays show \(shown), not \(counts.shown)")
      }
    }
    return Baseline(name: "replays", samples: replays, events: happened, contestant: plays)
  }

  /// Replays a person and returns the number of exposed notifications.
  private static func replay(_ number: UInt64, _ population: Population) throws -> Int {
    var person = SampledPerson()
    PersonSampler(population).sample(number, into: &person)
    let program = try Program(population.scenario(of: person))
    let result = ScenarioRun(program, stopwatch: { 0 }).run().result
    return result.accounts.total.exposed
  }

  /// Returns the bytes of a person whose run is suspended in the middle, or `nil` if memory cannot be
  /// measured.
  private static func suspendedBytes(_ people: Range<UInt64>, _ arm: PopulationArm) -> Double? {
    var sampling = arm
    let stories = people.map { sampling.story(of: $0) }
    func rest(_ story: PopulationArm.Story) -> SuspendedWorld {
      var world = arm.world(of: story)
      var sink = NoJournal()
      let program = world.program
      let half = TimeSpan(milliseconds: (program.end - program.scenario.start).milliseconds / 2)
      world.run(until: program.scenario.start + half, into: &sink)
      return SuspendedWorld(world)
    }
    // The first person initialises data that all people share.
    var resting = stories.prefix(1).map(rest)
    let bytes = Allocations.bytes { resting = stories.map(rest) }
    return bytes.map { Double($0) / Double(resting.count) }
  }
}

/// Counts, summed over people. The sums depend neither on the order of people nor on the number of jobs.
package struct PeopleCounts: PeopleSums, Hashable {
  package private(set) var people: Int64 = 0
  package private(set) var requested: Int64 = 0
  package private(set) var shown: Int64 = 0
  private var tapped: Int64 = 0
  private var dismissed: Int64 = 0
  private var optedOut: Int64 = 0
  private var opens: Int64 = 0
  /// A checksum over all decisions.
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

  /// Returns the counts as a line of JSON.
  func json(_ profile: String) -> String {
    """
    {"profile":"\(profile)","people":\(people),"requested":\(requested),"shown":\(shown),"tapped":\(tapped),\
    "dismissed":\(dismissed),"optouts":\(optedOut),"opens":\(opens),"checksum":\(checksum)}

    """
  }
}

extension PopulationArm {
  /// Simulates a range of people on several cores.
  ///
  /// - Returns: The sums, and the number of allocations after each job's first block of people, or `nil` if
  ///   allocations cannot be counted.
  func counts(of people: Range<UInt64>, jobs: Int) -> (counts: PeopleCounts, allocations: Int?) {
    BlockCounter(people: people, size: 16).counts(jobs: jobs) {
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

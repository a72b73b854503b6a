import Experiments
import Foundation
import Journal
import ScenarioModel
import Scenarios
import Simulation
import Statistics
import TestBench
import TriggerModel

/// People of ``PeopleWorkload`` as an experiment plays them, beside the same people replayed one by one, each compiled
/// and run as a scenario of its own, of which everything is counted.
package struct PeopleBench {
  package var workload: PeopleWorkload
  package var people: Range<UInt64>
  package var jobs: Int
  package var rounds = 3
  /// Leaves out the replays.
  package var alone = false

  /// Replayed one by one: the first of the people.
  private static let replayed: UInt64 = 20
  /// Kept at once to weigh them.
  private static let weighed: UInt64 = 100

  package init(_ workload: PeopleWorkload, people: Range<UInt64>, jobs: Int = 1) {
    self.workload = workload
    self.people = people
    self.jobs = jobs
  }

  /// What became of the people, as a line of JSON: the same for any number of jobs.
  package func json() throws -> String {
    let arm = try PopulationArm(workload.population())
    return arm.counts(of: people, jobs: jobs).counts.json(workload.profile)
  }

  /// - Throws: ``BenchError`` where the contestants do not come to the same.
  package func report() throws -> BenchReport {
    let rows = try PeopleWorkload.profiles.map { profile in
      var bench = self
      bench.workload.profile = profile
      return try bench.row()
    }
    return BenchReport(
      suite: BenchSuite.population.rawValue, sizeName: BenchSuite.population.sizeName, rows: rows,
      notes: [
        "\(PeopleWorkload.name): people as an experiment plays them; an event is what happens to a phone, told or not",
        "baseline: the first of them, each compiled and run as a scenario of its own, without a report",
        "allocations: for each event, those that begin a person included; bytes: of a person put to rest in mid-story, beside "
          + "the tables that all share and the days that are drawn",
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
    row.bytesPerItem = Self.bytesAtRest(first(Self.weighed), arm)
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

  /// The first of the people, replayed as scenarios, and the same as an experiment plays them.
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

  /// - Returns: How many notifications were exposed.
  private static func replay(_ number: UInt64, _ population: Population) throws -> Int {
    var person = SampledPerson()
    PersonSampler(population).sample(number, into: &person)
    let program = try Program(population.scenario(of: person))
    let result = ScenarioRun(program, stopwatch: { 0 }).run().result
    return result.accounts.total.exposed
  }

  /// Bytes for each person who is put to rest in the middle of the story, with all that it takes to go on; nil where
  /// they cannot be counted.
  private static func bytesAtRest(_ people: Range<UInt64>, _ arm: PopulationArm) -> Double? {
    var sampling = arm
    let stories = people.map { sampling.story(of: $0) }
    func rest(_ story: PopulationArm.Story) -> RestingWorld {
      var world = arm.world(of: story)
      var sink = NoJournal()
      let program = world.program
      let half = TimeSpan(milliseconds: (program.end - program.scenario.start).milliseconds / 2)
      world.run(until: program.scenario.start + half, into: &sink)
      return RestingWorld(world)
    }
    // The first brings along what is made once for all.
    var resting = stories.prefix(1).map(rest)
    let bytes = Allocations.bytes { resting = stories.map(rest) }
    return bytes.map { Double($0) / Double(resting.count) }
  }
}

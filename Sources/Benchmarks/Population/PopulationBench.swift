package import Experiments
import Foundation
import NotificationGateway
import PersonModel
import TriggerModel

/// The population suite: a workload of people through the cap scheduler, beside the same in one loop in C.
package struct PopulationBench {
  package var run: PopulationRun
  package var people: Range<UInt64>
  /// Each is measured: how many cores take part.
  package var jobs = [1]
  package var rounds = 3
  /// Leaves out the program in C.
  package var alone = false

  package init(_ run: PopulationRun, people: Range<UInt64>) {
    self.run = run
    self.people = people
  }

  /// - Throws: ``BenchError`` where the contestants do not come to the same counters.
  package func report() throws -> BenchReport {
    try ScratchFolder.with { folder in
      let program = try alone ? nil : PopulationComparison(compilingIn: folder)
      var rows: [BenchRow] = []
      var baseline: Baseline?
      for jobs in jobs {
        let (row, counts) = try row(jobs: jobs, beside: jobs == self.jobs[0] ? program : nil)
        if let first = rows.first, first.hash != row.hash || first.events != row.events {
          throw BenchError("population: \(jobs) jobs do not count what 1 counts: \(counts.json)")
        }
        rows.append(row)
        baseline = baseline ?? row.baseline
        rows[rows.count - 1].baseline = baseline
      }
      let note = program == nil ? "no C compiler here" : "baseline: one loop in C, compiled here, on one core"
      return BenchReport(
        suite: BenchSuite.population.rawValue, sizeName: BenchSuite.population.sizeName, rows: rows,
        notes: alone ? [] : [note])
    }
  }

  private func row(
    jobs: Int, beside program: PopulationComparison?
  ) throws -> (BenchRow, PopulationCounts) {
    var (samples, compared): ([Double], [Double]) = ([], [])
    var (counts, allocations) = (PopulationCounts(), Int?.none)
    for _ in 0..<rounds {
      let elapsed = ContinuousClock().measure { (counts, allocations) = run.counts(of: people, jobs: jobs) }
      samples.append(elapsed / .nanoseconds(1) / Double(max(1, counts.values[PopulationCounts.events])))
      guard let program else { continue }
      let (nanoseconds, checksum) = try program.measure(run, people)
      if checksum != counts.values[PopulationCounts.checksum] {
        throw BenchError("population: the program in C comes to other notifications")
      }
      compared.append(nanoseconds)
    }
    let events = Int(counts.values[PopulationCounts.events])
    var row = BenchRow(
      mode: run.workload.name + (jobs == 1 ? "" : ", \(jobs) jobs"), size: people.count, events: events,
      samples: samples)
    let fired = PopulationCounts.fired..<PopulationCounts.taps
    row.fires = Int(counts.values[fired].reduce(0, &+))
    row.hash = counts.values[PopulationCounts.checksum]
    row.allocationsPerEvent = allocations.map { Double($0) / Double(max(1, events)) }
    row.counters = [
      ("person-days/s", 1e9 * Double(people.count * run.days) / (samples.median * Double(max(1, events))))
    ]
    row.counts = [("candidates", Int(counts.values[PopulationCounts.candidates]))]
    if jobs == 1, let allocations { row.counts.append(("allocations", allocations)) }
    if !compared.isEmpty { row.baseline = Baseline(name: "C", samples: compared, events: events) }
    return (row, counts)
  }
}

extension PopulationBench {
  /// The suite as `bench suite`, `compare` and `gate` run it: sizes are people, from the first on.
  static func report(_ options: BenchOptions) throws -> BenchReport {
    let run = try PopulationRun(seed: 1, days: 30)
    let reports = try (options.sizes ?? [1_000]).map { size in
      var bench = PopulationBench(run, people: 0..<UInt64(size))
      bench.rounds = options.rounds
      bench.alone = options.alone
      return try bench.report()
    }
    return BenchReport(
      suite: reports[0].suite, sizeName: reports[0].sizeName, rows: reports.flatMap(\.rows),
      notes: reports[0].notes)
  }
}

/// POPCAP-1 in C, compiled here and now.
struct PopulationComparison {
  private let program: ComparisonProgram

  /// Nil where there is no compiler.
  init?(compilingIn folder: URL) throws {
    let program = try ComparisonProgram(
      ["cc", "-O2"], PackageResources.population_c, name: "population.c", in: folder)
    guard let program else { return nil }
    self.program = program
  }

  /// One timed run of the same people under the same policy.
  func measure(
    _ run: PopulationRun, _ people: Range<UInt64>
  ) throws -> (nanoseconds: Double, checksum: UInt64) {
    let numbers = [people.lowerBound, people.upperBound, run.seed, UInt64(run.days)].map(String.init)
    let interval = run.policy.minimumInterval.milliseconds / 1_000
    let words = try program.words(3, numbers + [String(interval), String(run.policy.dailyCap ?? 0)])
    guard let nanoseconds = Double(words[0]), let checksum = UInt64(words[2]) else {
      throw ComparisonProgram.Failure(status: 0, output: words.joined(separator: " "))
    }
    return (nanoseconds, checksum)
  }
}

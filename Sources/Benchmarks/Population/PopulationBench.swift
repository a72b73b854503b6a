import Dispatch
package import Experiments
import Foundation
import NotificationGateway
import PersonModel
import Synchronization
import TriggerModel

/// The population suite: runs one workload with the cap scheduler and with a loop in C.
package struct PopulationBench {
  package var run: PopulationRun
  package var people: Range<UInt64>
  /// The numbers of parallel jobs to measure, one after the other.
  package var jobs = [1]
  package var rounds = 3
  /// Whether to skip the program in C.
  package var alone = false

  package init(_ run: PopulationRun, people: Range<UInt64>) {
    self.run = run
    self.people = people
  }

  /// Measures the workload with each number of jobs.
  ///
  /// - Throws: ``BenchError`` if the counters of the implementations differ.
  package func report() throws -> BenchReport {
    try ScratchFolder.with { folder in
      let program = try alone ? nil : PopulationComparison(compilingIn: folder)
      var rows: [BenchRow] = []
      var baseline: Baseline?
      for jobs in jobs {
        let (row, counts) = try row(jobs: jobs, comparedWith: jobs == self.jobs[0] ? program : nil)
        if let first = rows.first, first.hash != row.hash || first.events != row.events {
          throw BenchError("population: \(jobs) jobs have other counters than 1 job: \(counts.json)")
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
    jobs: Int, comparedWith program: PopulationComparison?
  ) throws -> (BenchRow, PopulationCounts) {
    var (samples, compared): ([Double], [Double]) = ([], [])
    var (counts, allocations) = (PopulationCounts(), Int?.none)
    for _ in 0..<rounds {
      let elapsed = ContinuousClock().measure { (counts, allocations) = run.counts(of: people, jobs: jobs) }
      samples.append(elapsed / .nanoseconds(1) / Double(max(1, counts.values[PopulationCounts.events])))
      guard let program else { continue }
      let (nanoseconds, checksum) = try program.measure(run, people)
      if checksum != counts.values[PopulationCounts.checksum] {
        throw BenchError("population: the program in C has other notifications")
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
  /// Runs the suite for `bench suite`, `compare` and `gate`. Its sizes are numbers of people, starting at
  /// person 0.
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

/// The C implementation of POPCAP-1.
struct PopulationComparison {
  private let program: ComparisonProgram

  /// Compiles the program. Returns `nil` if the compiler fails.
  init?(compilingIn folder: URL) throws {
    let program = try ComparisonProgram(
      ["cc", "-O2"], PackageResources.population_c, name: "population.c", in: folder)
    guard let program else { return nil }
    self.program = program
  }

  /// Runs the program once for the same people under the same policy.
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

extension PopulationRun {
  /// The number of people in a block.
  private static let block: UInt64 = 64

  /// Simulates a range of people on several cores.
  ///
  /// The counters depend neither on the number of jobs nor on the grouping of people. The memory does not
  /// grow with the number of people, because each job has a single gateway and a single set of counters.
  ///
  /// - Returns: The counters, and the number of allocations after each job's first block of people, or `nil`
  ///   if allocations cannot be counted.
  package func counts(of people: Range<UInt64>, jobs: Int) -> (counts: PopulationCounts, allocations: Int?) {
    BlockCounter(people: people, size: Self.block).counts(jobs: jobs) {
      var arm = arm
      return { people, counts in arm.count(people, into: &counts) }
    }
  }
}

extension PopulationCounts: PeopleSums {}

/// Counts, summed over people. They do not depend on the grouping of people.
package protocol PeopleSums: Sendable {
  init()
  static func += (sum: inout Self, other: Self)
}

/// Counts people in blocks on several cores. The sums do not depend on the number of jobs.
struct BlockCounter {
  var people: Range<UInt64>
  /// The number of people in a block.
  var size: UInt64

  /// Counts all people.
  ///
  /// - Parameter makeCounter: A closure that is called once for each job. It returns a function that counts
  ///   one block in memory of its own.
  /// - Returns: The sums, and the number of allocations after each job's first block, or `nil` if allocations
  ///   cannot be counted.
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

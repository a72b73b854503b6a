import ArgumentParser
import Benchmarks
import Experiments
import Foundation
import PersonModel
import TriggerModel

struct BenchPopulationCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "population",
    abstract: "Sends a published population of people through the cap scheduler.",
    discussion: """
      Every person's day, candidates and taps follow from whole numbers, so that every implementation comes to \
      the same counters. With --json they are printed, under the specification's names: the same bytes for any \
      number of jobs. Without, the time is measured, beside the same workload as one loop in C.

      Examples:
        triggerbench bench population --people 0:1000 --seed 1 --days 30 --json
        triggerbench bench population --people 0:1000 --minimum-interval 10800 --json
        triggerbench bench population --people 0:20000 --jobs 2
        triggerbench bench population --workload fitme --people 0:1000
      """)

  @Option(help: "Which one: \(Self.workloads.joined(separator: ", ")).")
  var workload = PopulationWorkload.popcap1.name

  @Option(help: ArgumentHelp("Which people, half-open.", valueName: "A:B"), transform: people)
  var people: Range<UInt64> = 0..<1_000

  @Option(help: "Seed of everybody's luck.")
  var seed: UInt64 = 1

  @Option(help: "How many days.")
  var days = 30

  @Option(help: "Seconds between two notifications.")
  var minimumInterval: Int64 = 14_400

  @Option(help: "Most notifications a day.")
  var dailyCap = 3

  @Option(help: "How many people at a time (default: all cores).")
  var jobs: Int?

  @Option(help: "How often each contestant has its turn; the median counts.")
  var rounds = 3

  @Flag(help: "Print the counters.")
  var json = false

  @Flag(help: "Leave out the loop in C, or the replays.")
  var alone = false

  private static var workloads: [String] { PopulationWorkload.all.map(\.name) + [PeopleWorkload.name] }

  func validate() throws {
    if !Self.workloads.contains(workload) {
      let hint = NearestNames.hint(for: workload, among: Self.workloads).map { "; \($0)" } ?? ""
      throw ValidationError("unknown workload '\(workload)'\(hint)")
    }
    if !(1...3_650).contains(days) { throw ValidationError("--days is 1 to 3650") }
    if minimumInterval < 0 || dailyCap < 0 { throw ValidationError("a cap is not negative") }
    if let jobs, jobs < 1 { throw ValidationError("--jobs must be at least 1") }
    if rounds < 1 { throw ValidationError("--rounds must be at least 1") }
  }

  func run() throws {
    if workload == PeopleWorkload.name { return try runPeople() }
    guard let workload = PopulationWorkload.all.first(where: { $0.name == workload }) else { return }
    let jobs = Machine.jobs(jobs)
    let text = try BenchCommand.reporting {
      let run = try PopulationRun(
        workload, minimumInterval: minimumInterval, dailyCap: dailyCap, seed: seed, days: days)
      if json { return run.counts(of: people, jobs: jobs).counts.json }
      var bench = PopulationBench(run, people: people)
      bench.jobs = jobs == 1 ? [1] : [1, jobs]
      bench.rounds = rounds
      bench.alone = alone
      return try bench.report().table
    }
    Terminal.print(text, terminator: "")
  }

  /// People on the full path.
  private func runPeople() throws {
    let text = try BenchCommand.reporting {
      var benches = PeopleWorkload.profiles.map { profile in
        PeopleBench(
          PeopleWorkload(
            profile: profile, minimumInterval: minimumInterval, dailyCap: dailyCap, seed: seed, days: days),
          people: people, jobs: json ? Machine.jobs(jobs) : jobs ?? 1)
      }
      if json { return try benches.map { try $0.json() }.joined() }
      benches[0].rounds = rounds
      benches[0].alone = alone
      return try benches[0].report().table
    }
    Terminal.print(text, terminator: "")
  }

  private static func people(_ text: String) throws -> Range<UInt64> {
    let ends = text.split(separator: ":", omittingEmptySubsequences: false).map { UInt64($0) }
    guard ends.count == 2, let first = ends[0], let end = ends[1], first < end, end <= 1 << 32 else {
      throw ValidationError("'\(text)' is not a range of people such as 0:1000, half-open")
    }
    return first..<end
  }
}

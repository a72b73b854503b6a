import ArgumentParser
import Benchmarks
import EngineWire
import Experiments
import Foundation
import PersonModel
import Reporting
import ScenarioModel
import Simulation
import TestBench
import TextFormats
import TriggerModel

struct BenchCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "bench",
    abstract:
      "Measure the hot paths, and compare each with a naive implementation in the same run.",
    discussion: """
      Examples:
        triggerbench bench matching
        triggerbench bench compare ./triggerbench-main .build/release/triggerbench
        triggerbench bench compare --revision main
        triggerbench bench gate
      """,
    subcommands: [
      BenchSuiteCommand.self, BenchPopulationCommand.self, BenchCompareCommand.self, BenchGateCommand.self,
      BenchTrialCommand.self,
    ],
    defaultSubcommand: BenchSuiteCommand.self)

  /// Runs a body and reports its errors. Invalid options count as wrong usage. All other errors have exit
  /// code 1.
  static func reporting<Result>(_ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let code as ExitCode {
      throw code
    } catch let error as BenchError where error.isMisuse {
      throw ValidationError(error.description)
    } catch {
      throw Exit.failure(reporting: "\(error)")
    }
  }

  /// Returns the URL of this executable.
  static func ownExecutable() throws -> URL {
    guard let url = Bundle.main.executableURL else {
      throw BenchError("the path of this executable is unknown")
    }
    return url
  }
}

/// The options of a comparison for its workload and duration, shared by `bench compare` and `bench trial`.
struct ComparisonOptions: ParsableArguments {
  @Option(
    name: .customLong("suite"),
    help: "The suite: \(BenchSuite.allCases.map(\.rawValue).joined(separator: ", ")) (default: matching).")
  var chosenSuite: String?

  @Option(help: ArgumentHelp("Your own scenario instead of a suite.", valueName: "file"))
  var scenario: String?

  @Option(
    name: [.customLong("reminders"), .customLong("sizes")],
    help: "Sizes, such as 10,1000 (default: those of the suite's fixed workload).",
    transform: BenchSuiteCommand.numbers)
  var sizes: [Int]?

  @Option(help: BenchSuiteCommand.modes)
  var mode: String?

  @Option(help: "Events at each size.")
  var events: Int?

  @Option(help: "Rounds of each run; the fastest counts.")
  var rounds = 10

  @Option(help: "The smallest relevant change in per cent (default: 1).", transform: percentage)
  var precision = 1.0

  @Option(
    help: "The time limit in seconds, with repeated measurements (default: 120).",
    transform: seconds)
  var budget = 120.0

  @Option(help: "The random seed for the order in which the builds run.")
  var seed: UInt64 = 1

  var suite: String {
    scenario == nil ? chosenSuite ?? BenchSuite.matching.rawValue : BenchSuite.scenario.rawValue
  }

  func validate() throws {
    if let chosenSuite {
      try BenchSuiteCommand.check(suite: chosenSuite)
      if scenario != nil, chosenSuite != BenchSuite.scenario.rawValue {
        throw ValidationError("--scenario replaces the suite; leave out --suite \(chosenSuite)")
      }
    }
    if rounds < 1 { throw ValidationError("--rounds must be at least 1") }
    if suite == BenchSuite.scenario.rawValue, scenario == nil {
      throw ValidationError("the suite scenario needs a file: --scenario my.yaml")
    }
    let comparison = comparison()
    try BenchCommand.reporting { try comparison.suite.check(comparison.options) }
  }

  func comparison() -> BuildComparison {
    let suite = BenchSuite(rawValue: suite) ?? .matching
    var options = suite.fixedWorkload
    options.file = scenario
    if let sizes { options.sizes = sizes }
    if let mode { options.mode = mode }
    if let events { options.events = events }
    options.rounds = rounds
    var comparison = BuildComparison(suite: suite, options: options)
    comparison.plan.precision = RatioInterval.logRatio(percent: precision)
    comparison.plan.budget = .seconds(budget)
    comparison.plan.seed = seed
    return comparison
  }

  private static func percentage(_ text: String) throws -> Double {
    try positive(text, unit: "%", most: 50)
  }

  private static func seconds(_ text: String) throws -> Double {
    try positive(text, unit: "s", most: 86_400)
  }

  /// Parses a positive number with an optional unit, such as `1`, `1%` or `1 %`.
  private static func positive(_ text: String, unit: String, most: Double) throws -> Double {
    let bare = text.hasSuffix(unit) ? String(text.dropLast(unit.count)) : text
    guard let number = Double(bare.trimmingCharacters(in: .whitespaces)), number > 0, number <= most else {
      throw ValidationError("'\(text)' is not a number of \(unit) greater than 0 and at most \(Int(most))")
    }
    return number
  }
}

/// The command `triggerbench bench SUITE`, a short form of `triggerbench bench suite SUITE`.
struct BenchSuiteCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "suite",
    abstract: "Measure one suite; the word 'suite' is optional.",
    discussion: """
      Examples:
        triggerbench bench matching
        triggerbench bench matching --reminders 10,1000 --mode once --json
        triggerbench bench kernel --format benchstat
        triggerbench bench scenario my.yaml                        your own scenario
        triggerbench bench matching --engine "node my-engine.js"   your own engine

      With --engine, the workload also runs on an engine in another process. 'wire' is the time of an engine that \
      does nothing: writing, the pipe and reading.
      """)

  enum Format: String, ExpressibleByArgument, CaseIterable {
    case table, json, markdown, benchstat
  }

  @Argument(help: "The suite: \(BenchSuite.allCases.map(\.rawValue).joined(separator: ", ")).")
  var suite: String

  @Argument(help: "The file of the suite scenario.")
  var file: String?

  @Option(
    name: [.customLong("reminders"), .customLong("sizes")],
    help: "Sizes, such as 10,1000,100000: reminders, requests or pending events.", transform: numbers)
  var sizes: [Int]?

  @Option(help: BenchSuiteCommand.modes)
  var mode: String?

  static let modes = ArgumentHelp("The mode \(BenchSuite.modesText).")

  @Flag(help: "For matching: reminders with conditions on facts; short for --mode facts.")
  var facts = false

  @Option(help: "Events at each size.")
  var events: Int?

  @Option(help: "Rounds of each implementation; the median counts.")
  var rounds = 3

  @Option(help: "The output format (default: table).")
  var format: Format?

  @Flag(help: "Short for --format json.")
  var json = false

  @Flag(help: "Skip the naive implementation and the timing of single events.")
  var alone = false

  @Option(
    help: ArgumentHelp(
      "For matching, caps and replay: measure this engine, which runs in its own process.",
      valueName: "command"))
  var engine: String?

  // An artificial slow-down of known size, with which `bench trial` tests the comparison.
  @Option(help: .hidden)
  var replayed = 0.0

  func validate() throws {
    try Self.check(suite: suite)
    if rounds < 1 { throw ValidationError("--rounds must be at least 1") }
    if json, let format, format != .json { throw ValidationError("--json and --format exclude each other") }
    if suite == BenchSuite.scenario.rawValue {
      guard let file, file != SuiteFiles.standardInput else {
        throw ValidationError("the suite scenario reads a file in every round: bench scenario my.yaml")
      }
      if sizes != nil || mode != nil || events != nil {
        throw ValidationError(
          "the suite scenario plays the file unchanged; leave out --sizes, --mode and --events")
      }
    } else if file != nil {
      throw ValidationError("the suite \(suite) takes no file; use 'bench scenario FILE'")
    }
    if engine != nil, !BenchSuite.engineSuites.map(\.rawValue).contains(suite) {
      let suites = BenchSuite.engineSuites.map(\.rawValue).joined(separator: ", ")
      throw ValidationError("--engine is available for \(suites)")
    }
    if !(0...100).contains(replayed) { throw ValidationError("--replayed must be 0 to 100") }
    if facts, suite != BenchSuite.matching.rawValue || mode != nil {
      throw ValidationError("--facts is available for matching without --mode")
    }
  }

  func run() throws {
    guard let suite = BenchSuite(rawValue: suite) else { return }
    var options = BenchOptions(
      sizes: sizes, mode: facts ? "facts" : mode, events: events, rounds: rounds)
    options.alone = alone
    options.file = file
    options.replayed = replayed
    try BenchCommand.reporting {
      let report = try ScratchFolder.with { folder in
        try suite.run(options, engine: benchedEngine()) { try Self.writeReport($0, to: folder.path) }
      }
      Terminal.print(text(of: report), terminator: "")
    }
  }

  private func benchedEngine() throws -> BenchedEngine? {
    guard let engine else { return nil }
    let own = Shell.quote(try BenchCommand.ownExecutable().path)
    func command(_ words: String) -> EngineCommand {
      EngineCommand(
        words, environment: ProcessInfo.processInfo.environment, stopwatch: Terminal.stopwatch)
    }
    return BenchedEngine(command(engine), silent: command("\(own) engine --silent"))
  }

  private func text(of report: BenchReport) -> String {
    switch json ? .json : format ?? .table {
    case .table: report.table
    case .json: report.json
    case .markdown: report.markdown
    case .benchstat: report.benchstat
    }
  }

  /// Writes the same reports as `run`, so that the suite measures a complete command.
  private static func writeReport(_ result: ScenarioResult, to folder: String) throws {
    let suite = SuiteResult(files: [(result.program.scenario.file, .ran(result))])
    let report = Report(suite: suite, command: "triggerbench bench", versions: .current())
    try ReportFiles(report, timing: EngineTiming()).write(to: folder)
  }

  static func check(suite: String) throws {
    let names = BenchSuite.allCases.map(\.rawValue)
    if names.contains(suite) { return }
    let hint = NearestNames.hint(for: suite, among: names).map { "; \($0)" } ?? ""
    throw ValidationError("unknown suite '\(suite)'\(hint)")
  }

  static func numbers(_ text: String) throws -> [Int] {
    try text.split(separator: ",", omittingEmptySubsequences: false).map { word in
      guard let number = Int(word) else {
        throw ValidationError("'\(text)' is not a list of whole numbers such as 10,1000")
      }
      return number
    }
  }
}

struct BenchPopulationCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "population",
    abstract: "Run a published population of people through the cap scheduler.",
    discussion: """
      Whole numbers determine every person's days, requests and taps, so all implementations get the same counters. \
      --json prints the counters under the names of the specification, with the same bytes for any number of jobs. \
      Without it, the command measures the time, and compares it with a loop in C.

      Examples:
        triggerbench bench population --people 0:1000 --seed 1 --days 30 --json
        triggerbench bench population --people 0:1000 --minimum-interval 10800 --json
        triggerbench bench population --people 0:20000 --jobs 2
        triggerbench bench population --workload fitme --people 0:1000
      """)

  @Option(help: "The workload: \(Self.workloads.joined(separator: ", ")).")
  var workload = PopulationWorkload.popcap1.name

  @Option(help: PeopleRange.help, transform: PeopleRange.parse)
  var people: Range<UInt64> = 0..<1_000

  @Option(help: "The random seed.")
  var seed: UInt64 = 1

  @Option(help: "The number of days.")
  var days = 30

  @Option(help: "The minimum interval in seconds.")
  var minimumInterval: Int64 = 14_400

  @Option(help: "The maximum number of notifications per day.")
  var dailyCap = 3

  @OptionGroup var jobs: JobOptions

  @Option(help: "Rounds of each implementation; the median counts.")
  var rounds = 3

  @Flag(help: "Print the counters.")
  var json = false

  @Flag(help: "Skip the loop in C, or the replays.")
  var alone = false

  private static var workloads: [String] { PopulationWorkload.all.map(\.name) + [PeopleWorkload.name] }

  func validate() throws {
    if !Self.workloads.contains(workload) {
      let hint = NearestNames.hint(for: workload, among: Self.workloads).map { "; \($0)" } ?? ""
      throw ValidationError("unknown workload '\(workload)'\(hint)")
    }
    if !(1...3_650).contains(days) { throw ValidationError("--days must be 1 to 3650") }
    if minimumInterval < 0 || dailyCap < 0 {
      throw ValidationError("--minimum-interval and --daily-cap must be at least 0")
    }
    if rounds < 1 { throw ValidationError("--rounds must be at least 1") }
  }

  func run() throws {
    if workload == PeopleWorkload.name { return try runPeople() }
    guard let workload = PopulationWorkload.all.first(where: { $0.name == workload }) else { return }
    let jobs = jobs.count
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

  /// Measures the simulation of people with engine, scheduler and phone.
  private func runPeople() throws {
    let text = try BenchCommand.reporting {
      var benches = PeopleWorkload.profiles.map { profile in
        PeopleBench(
          PeopleWorkload(
            profile: profile, minimumInterval: minimumInterval, dailyCap: dailyCap, seed: seed, days: days),
          people: people, jobs: json ? jobs.count : jobs.requested ?? 1)
      }
      if json { return try benches.map { try $0.json() }.joined() }
      benches[0].rounds = rounds
      benches[0].alone = alone
      return try benches[0].report().table
    }
    Terminal.print(text, terminator: "")
  }
}

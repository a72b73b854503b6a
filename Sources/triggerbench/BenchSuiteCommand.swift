import ArgumentParser
import Benchmarks
import EngineWire
import Foundation
import Reporting
import ScenarioModel
import Simulation
import TestBench
import TextFormats
import TriggerModel

/// `triggerbench bench SUITE`: the word `suite` may be left out.
struct BenchSuiteCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "suite",
    abstract: "Measures one suite; the word 'suite' may be left out.",
    discussion: """
      Examples:
        triggerbench bench matching
        triggerbench bench matching --reminders 10,1000 --mode once --json
        triggerbench bench kernel --format benchstat
        triggerbench bench scenario my.yaml                        a file of yours
        triggerbench bench matching --engine "node my-engine.js"   your engine

      With --engine the same workload is played to an engine in another process, beside the built-in one in \
      this. 'wire' is what of its time an engine takes that does nothing: writing, the pipe, reading.
      """)

  enum Format: String, ExpressibleByArgument, CaseIterable {
    case table, json, markdown, benchstat
  }

  @Argument(help: "Which suite: \(BenchSuite.allCases.map(\.rawValue).joined(separator: ", ")).")
  var suite: String

  @Argument(help: "For scenario: the file that is played.")
  var file: String?

  @Option(
    name: [.customLong("reminders"), .customLong("sizes")],
    help: "Sizes, such as 10,1000,100000: reminders, requests or pending events.")
  var sizes: String?

  @Option(help: BenchSuiteCommand.modes)
  var mode: String?

  static let modes = ArgumentHelp("A mode \(BenchSuite.modesInWords).")

  @Flag(help: "For matching: reminders with conditions about facts; the same as --mode facts.")
  var facts = false

  @Option(help: "Events at each size.")
  var events: Int?

  @Option(help: "How often each contestant has its turn; the median counts.")
  var rounds = 3

  @Option(help: "table, json, markdown or benchstat; table if missing.")
  var format: Format?

  @Flag(help: "The same as --format json.")
  var json = false

  @Flag(help: "Leave out the obvious way and the timing of single events.")
  var alone = false

  @Option(
    help: ArgumentHelp(
      "For matching, caps and replay: measure this engine, started as a process of its own.",
      valueName: "command"))
  var engine: String?

  // A slow-down of a known size, by which 'bench trial' tries the comparison.
  @Option(help: .hidden)
  var replayed = 0.0

  func validate() throws {
    try Self.check(suite: suite)
    if rounds < 1 { throw ValidationError("--rounds must be at least 1") }
    if json, let format, format != .json { throw ValidationError("--json and --format exclude each other") }
    if suite == BenchSuite.scenario.rawValue {
      guard let file, file != SuiteFiles.standardInput else {
        throw ValidationError("name your file, which is read in every round: bench scenario my.yaml")
      }
      if sizes != nil || mode != nil || events != nil {
        throw ValidationError(
          "the suite scenario plays the file as it is: leave out --sizes, --mode and --events")
      }
    } else if file != nil {
      throw ValidationError("the suite \(suite) plays no file of yours: 'bench scenario' does")
    }
    if engine != nil, !BenchSuite.ofEngines.map(\.rawValue).contains(suite) {
      let suites = BenchSuite.ofEngines.map(\.rawValue).joined(separator: ", ")
      throw ValidationError("--engine goes with \(suites)")
    }
    if !(0...100).contains(replayed) { throw ValidationError("--replayed is a percentage") }
    if facts, suite != BenchSuite.matching.rawValue || mode != nil {
      throw ValidationError("--facts goes with matching, and without --mode")
    }
    if let sizes, Self.numbers(sizes) == nil {
      throw ValidationError("'\(sizes)' is not a list of whole numbers such as 10,1000")
    }
  }

  func run() throws {
    guard let suite = BenchSuite(rawValue: suite) else { return }
    var options = BenchOptions(
      sizes: sizes.flatMap(Self.numbers), mode: facts ? "facts" : mode, events: events, rounds: rounds)
    options.alone = alone
    options.file = file
    options.replayed = replayed
    try BenchCommand.reporting {
      let report = try ScratchFolder.with { folder in
        try suite.run(options, engine: benched()) { try Self.writeReport($0, to: folder.path) }
      }
      Terminal.print(text(of: report), terminator: "")
    }
  }

  private func benched() throws -> BenchedEngine? {
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

  /// As `run` does, so that a whole command is measured.
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

  static func numbers(_ text: String) -> [Int]? {
    let numbers = text.split(separator: ",", omittingEmptySubsequences: false).map { Int($0) }
    return numbers.contains(nil) ? nil : numbers.compactMap(\.self)
  }
}

import ArgumentParser
import Benchmarks
import Foundation

struct BenchCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "bench",
    abstract: "How fast the hot paths are, beside the obvious way in the same run.",
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

  /// Reports what went wrong and ends with status 1, or with that of wrong usage where nothing has run for that reason.
  static func reporting<Result>(_ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let code as ExitCode {
      throw code
    } catch let error as BenchError where error.isMisuse {
      throw ValidationError(error.description)
    } catch {
      throw Exit.saying("\(error)")
    }
  }

  /// This executable.
  static func ownExecutable() throws -> URL {
    guard let url = Bundle.main.executableURL else {
      throw BenchError("the path of this executable is unknown")
    }
    return url
  }
}

/// What is compared and how long, for `bench compare` and `bench trial`.
struct ComparisonOptions: ParsableArguments {
  @Option(
    name: .customLong("suite"),
    help: "Which suite: \(BenchSuite.allCases.map(\.rawValue).joined(separator: ", ")); matching if missing.")
  var chosenSuite: String?

  @Option(help: ArgumentHelp("A scenario of yours, in place of a suite.", valueName: "file"))
  var scenario: String?

  @Option(
    name: [.customLong("reminders"), .customLong("sizes")],
    help: "Sizes, such as 10,1000; without, those of the suite's fixed workload.")
  var sizes: String?

  @Option(help: BenchSuiteCommand.modes)
  var mode: String?

  @Option(help: "Events at each size.")
  var events: Int?

  @Option(help: "How often each run measures; its quickest round counts.")
  var rounds = 10

  @Option(help: "The smallest change worth knowing, in per cent; 1 if missing.", transform: percentage)
  var precision = 1.0

  @Option(
    help: "How many seconds it may take at most, measuring again included; 120 if missing.",
    transform: seconds)
  var budget = 120.0

  @Option(help: "Seed of the order in which the builds have their turns.")
  var seed: UInt64 = 1

  var suite: String {
    scenario == nil ? chosenSuite ?? BenchSuite.matching.rawValue : BenchSuite.scenario.rawValue
  }

  func validate() throws {
    if let chosenSuite {
      try BenchSuiteCommand.check(suite: chosenSuite)
      if scenario != nil, chosenSuite != BenchSuite.scenario.rawValue {
        throw ValidationError("--scenario takes the place of a suite; leave out --suite \(chosenSuite)")
      }
    }
    if rounds < 1 { throw ValidationError("--rounds must be at least 1") }
    if suite == BenchSuite.scenario.rawValue, scenario == nil {
      throw ValidationError("name your file: --scenario my.yaml")
    }
    if let sizes, BenchSuiteCommand.numbers(sizes) == nil {
      throw ValidationError("'\(sizes)' is not a list of whole numbers such as 10,1000")
    }
    let comparison = comparison()
    try BenchCommand.reporting { try comparison.suite.check(comparison.options) }
  }

  func comparison() -> BuildComparison {
    let suite = BenchSuite(rawValue: suite) ?? .matching
    var options = suite.fixedWorkload
    options.file = scenario
    if let sizes = sizes.flatMap(BenchSuiteCommand.numbers) { options.sizes = sizes }
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

  /// A number above 0, with or without its unit: `1`, `1%`, `1 %`.
  private static func positive(_ text: String, unit: String, most: Double) throws -> Double {
    let bare = text.hasSuffix(unit) ? String(text.dropLast(unit.count)) : text
    guard let number = Double(bare.trimmingCharacters(in: .whitespaces)), number > 0, number <= most else {
      throw ValidationError("'\(text)' is not a number of \(unit) above 0 and at most \(Int(most))")
    }
    return number
  }
}

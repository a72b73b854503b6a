import ArgumentParser
import Benchmarks
import Reporting
import TestBench

struct TriggerBench: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "triggerbench",
    abstract:
      "Replay device events through a reminder engine, and report which reminders fired and why others did not.",
    discussion: """
      Examples:
        triggerbench run                     replay scenarios/
        triggerbench init                    write a first scenario
        triggerbench experiment FILE         compare policies over many people
        triggerbench explain milk.yaml milk --at '2026-03-02 17:40'

      Exit codes:
        0   ok
        1   a file, an engine or the tool failed
        2   an expectation failed, a gate ended in 'kill', or two runs differ
        4   a benchmark regression
        5   inconclusive: no baseline, too much noise, an experiment that ended
            early, or with --require-gates an inconclusive gate
        64  wrong usage
      If several apply: the lowest that is not 0.
      """,
    version: Tool.version,
    subcommands: [
      RunCommand.self, CompareCommand.self, InitCommand.self, CheckCommand.self, ExplainCommand.self,
      ExpandCommand.self, SentencesCommand.self,
      ServeEngineCommand.self, StateCommand.self, BenchCommand.self, OracleCommand.self, SchemaCommand.self,
      RulesCommand.self, ReasonsCommand.self, ReferenceCommand.self, ExperimentCommand.self,
      SimulateCommand.self, MergeCommand.self, ImportCommand.self,
    ])

  func run() {
    Terminal.print(
      """
      Unit tests for reminders: replay events on a simulated phone, and see what fires, what does not, and why.

        triggerbench init                      write a first scenario: scenarios/first.yaml
        triggerbench run                       replay scenarios/ and check their expectations
        triggerbench explain FILE REMINDER     why a reminder did not fire, and the smallest change
        triggerbench rules --profile ios       what an iPhone reports to an app, with sources
        triggerbench experiment FILE           compare policies over many simulated people

      All commands: triggerbench --help. What a scenario can contain: triggerbench reference.
      """)
  }
}

enum Tool {
  /// The version that every report contains. Change it whenever results change.
  static let version = "0.1.0"
}

/// The exit codes of the tool.
enum Exit {
  static let failure = ExitCode(1)
  static let expectation = ExitCode(2)
  static let regression = ExitCode(4)
  static let inconclusive = ExitCode(5)

  /// Prints an error message to standard error.
  ///
  /// - Returns: The exit code to throw.
  static func failure(reporting message: String) -> ExitCode {
    Terminal.diagnose("triggerbench: \(message)")
    return failure
  }

  /// Throws an exit code if a benchmark's verdict is a regression or inconclusive.
  static func check(_ verdict: Verdict) throws {
    switch verdict {
    case .regression: throw regression
    case .inconclusive: throw inconclusive
    case .improvement, .noChange: break
    }
  }

  static func code(of verdict: RunVerdict) -> ExitCode {
    switch verdict {
    case .passed: .success
    case .failed: failure
    case .refuted: expectation
    case .inconclusive: inconclusive
    }
  }
}

extension Report.Versions {
  /// - Parameter engine: The command that starts the engine under test, or `nil` for the built-in engine.
  static func current(engine: String? = nil) -> Report.Versions {
    Report.Versions(
      tool: Tool.version, timeZoneData: BenchVersions.timeZoneData, geos: BenchVersions.geos, engine: engine)
  }
}

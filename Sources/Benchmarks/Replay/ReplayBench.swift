import ScenarioModel
import Simulation
import Statistics
import TestBench
import TextFormats
import TriggerModel

/// The whole way of a scenario: read, compile, replay, write the report.
struct ReplayBench {
  /// What one replay took, in seconds.
  struct Times {
    /// Reading the files and compiling them.
    var load = 0.0
    var replay = 0.0
    var report = 0.0
    var total: Double { load + replay + report }
  }

  struct Outcome {
    var times: [Times] = []
    /// Things that happened, fixes included.
    var happened = 0
    var requests = 0
    var fires = 0
    var reminders = 0
    /// Events that the app was told of.
    var told = 0
    /// Of one replay; nil where they cannot be counted.
    var allocations: Int?
    /// How long the story is.
    var days = 0.0
  }

  /// Writes the report of a result: reports are of a layer that benchmarks do not see.
  let report: (ScenarioResult) throws -> Void

  /// Plays a scenario, so many times.
  func run(_ files: ReplayScenario, rounds: Int) throws -> Outcome {
    try files.withFile { try run(file: $0, rounds: rounds) }
  }

  /// Plays a file, so many times.
  func run(file path: String, rounds: Int) throws -> Outcome {
    var outcome = Outcome()
    for _ in 0..<rounds { try play(path, into: &outcome) }
    return outcome
  }

  private func play(_ path: String, into outcome: inout Outcome) throws {
    var times = Times()
    var loaded: Program?
    times.load = try Self.seconds {
      switch ProgramLoader().load(path) {
      case .program(let program, _): loaded = program
      case .invalid(let diagnostics):
        throw BenchError(diagnostics.map(\.summary).joined(separator: "\n"))
      case .otherKind: throw BenchError("\(path) is no scenario")
      }
    }
    guard let program = loaded else { return }
    outcome.days = Double((program.scenario.end - program.scenario.start).milliseconds) / 86_400_000
    var result: ScenarioResult?
    outcome.allocations = Allocations.count {
      times.replay = Self.seconds { result = ScenarioRun(program, stopwatch: { 0 }).run().result }
    }
    guard let result else { return }
    if let overrun = result.overrun { throw BenchError(overrun.summary) }
    if !result.accounts.contradictions.isEmpty {
      throw BenchError("the accounts do not close: \(result.accounts.contradictions[0])")
    }
    times.report = try Self.seconds { try report(result) }
    outcome.times.append(times)
    outcome.happened = result.accounts.happened
    outcome.requests = result.accounts.total.requests
    outcome.fires = result.accounts.total.delivered
    outcome.reminders = result.accounts.reminders.count
    outcome.told = result.accounts.observed.reduce(0, +)
  }

  private static func seconds(_ body: () throws -> Void) rethrows -> Double {
    try ContinuousClock().measure(body) / .seconds(1)
  }
}

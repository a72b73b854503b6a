package import EngineWire
import ReminderEngine
import ReminderMatching
import ScenarioModel
import Simulation
import TextFormats
import TriggerModel

/// Runs every scenario of a suite with two engines, and says where their decisions part.
package struct EngineContest: Sendable {
  /// With the engine under test.
  package let suite: Suite
  package let other: EngineChoice

  package init(_ suite: Suite, against other: EngineChoice) {
    self.suite = suite
    self.other = other
  }

  /// What the engines decided in one scenario.
  package struct Comparison: Sendable {
    package var file: String
    package var reminders: Int
    /// The first of each reminder.
    package var differences: [EngineComparison.Difference]

    package init(file: String, reminders: Int, differences: [EngineComparison.Difference]) {
      self.file = file
      self.reminders = reminders
      self.differences = differences
    }
  }

  package typealias Outcome = FileResult<Comparison>

  /// The outcomes in the order of the suite's paths.
  package func run(
    stopwatch: @escaping @Sendable () -> UInt64, progress: @escaping @Sendable (Int) -> Void
  ) async -> [Outcome] {
    await suite.map(progress: progress) { _, program, _ in compare(program, stopwatch) }
  }

  private func compare(_ program: Program, _ stopwatch: @escaping @Sendable () -> UInt64) -> Outcome {
    let engine = suite.options.engine
    var logs = (
      DecisionLog(reminderCount: program.reminders.reminderCount),
      DecisionLog(reminderCount: program.reminders.reminderCount)
    )
    do throws(EngineFailure) {
      let results = (
        try engine.run(program, [], stopwatch, into: &logs.0).result,
        try other.run(program, [], stopwatch, into: &logs.1).result
      )
      if let overrun = results.0.overrun ?? results.1.overrun { return .invalid([overrun]) }
    } catch {
      return .invalid([program.scenario.sources.diagnostic(error.description, at: nil)])
    }
    let comparison = EngineComparison(program, logs.0, logs.1, names: (engine.name, other.name))
    return .made(
      Comparison(
        file: program.scenario.file, reminders: program.reminders.reminderCount,
        differences: comparison.differences))
  }
}

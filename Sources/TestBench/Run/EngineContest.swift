package import EnginesUnderTest
import ReminderMatching
import ReminderEngine
import ScenarioModel
package import TextFormats
import ScenarioPrograms
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

  package enum Outcome: Sendable {
    /// The first difference of each reminder, and how many reminders there are.
    case compared(file: String, reminders: Int, [EngineComparison.Difference])
    case invalid([Diagnostic])
    case otherKind
  }

  /// The outcomes in the order of the suite's paths.
  package func run(
    stopwatch: @escaping @Sendable () -> UInt64, progress: @escaping @Sendable (Int) -> Void
  ) async -> [Outcome] {
    await Parallel.map(suite.paths.count, jobs: suite.options.jobs, progress: progress) {
      compare(suite.paths[$0], stopwatch)
    }
  }

  private func compare(_ path: String, _ stopwatch: @escaping @Sendable () -> UInt64) -> Outcome {
    switch ProgramLoader(options: suite.options).load(path) {
    case .otherKind: return .otherKind
    case .invalid(let diagnostics): return .invalid(diagnostics)
    case .program(let program, _):
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
      return .compared(
        file: program.scenario.file, reminders: program.reminders.reminderCount, comparison.differences)
    }
  }
}

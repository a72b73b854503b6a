import Journal
package import Scenarios
import NotificationGateway
import ReminderEngine
import TriggerModel

/// Runs one scenario with the built-in engine and holds its expectations against what happened.
package struct ScenarioRun {
  package let program: Program
  private let stopwatch: @Sendable () -> UInt64

  package init(_ program: Program, stopwatch: @escaping @Sendable () -> UInt64) {
    self.program = program
    self.stopwatch = stopwatch
  }

  package func run(warnings: [Diagnostic] = []) -> (result: ScenarioResult, timing: EngineTiming) {
    let play = play(
      keepingMissesOf: reminders { if case .notRequested = $0 { true } else { false } })
    let accounts = play.accounts
    let gates = GateResult.all(of: program, accounts)
    var results = program.scenario.expectations.map {
      ExpectationEvaluator(program: program, accounts: accounts, gates: gates).evaluate($0)
    }
    if results.contains(where: { !$0.passed }) {
      // Only a failure needs every miss; the run is repeated with all of them kept.
      let detailed = self.play(keepingMissesOf: reminders { _ in true }).accounts
      let evaluator = ExpectationEvaluator(program: program, accounts: detailed, gates: gates)
      results = program.scenario.expectations.map { evaluator.evaluate($0) }
    }
    let result = ScenarioResult(
      program: program, accounts: accounts, expectations: results, gates: gates, warnings: warnings,
      analytics: play.analytics)
    return (result, play.timing)
  }

  /// What one run left behind.
  private struct Play {
    var accounts: RunAccounts
    var analytics: AnalyticsLog?
    var timing: EngineTiming
  }

  private func play(keepingMissesOf reminders: Set<ReminderID>) -> Play {
    let accounts = RunAccounts(program, keepsMissesOf: reminders)
    var journal = TeeSink(accounts, AnalyticsSink(program.scenario.app.analytics))
    var world = World(program: program, engine: TimedEngine(program.makeEngine(), stopwatch: stopwatch))
    world.run(into: &journal)
    journal.first.close()
    journal.first.app.row = world.app.flow.row
    return Play(accounts: journal.first, analytics: journal.second.log, timing: world.engine.timing)
  }

  /// The reminders of expectations about fires, and about those endings that are chosen.
  private func reminders(_ isChosen: (Expectation.Ending) -> Bool) -> Set<ReminderID> {
    let all = isChosen(.denied(nil))
    return Set(
      program.scenario.expectations.compactMap { expectation in
        switch expectation.claim {
        case .ends(let reminder, let ending, _, _): isChosen(ending) ? reminder : nil
        case .fires(let reminder, _, _): all ? reminder : nil
        case .metric, .gate, .only, .exact, .app: nil
        }
      })
  }
}

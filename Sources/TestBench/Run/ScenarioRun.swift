package import EngineWire
package import Journal
package import NotificationGateway
import Recordings
import ReminderEngine
import ReminderMatching
import ScenarioModel
package import Simulation
import Statistics
package import TextFormats
import TriggerEngine
package import TriggerModel

/// Runs one scenario and evaluates its expectations.
package struct ScenarioRun {
  package let program: Program
  private let stopwatch: @Sendable () -> UInt64

  package init(_ program: Program, stopwatch: @escaping @Sendable () -> UInt64) {
    self.program = program
    self.stopwatch = stopwatch
  }

  /// Runs the scenario with the built-in engine.
  package func run(warnings: [Diagnostic] = []) -> (result: ScenarioResult, timing: EngineTiming) {
    var journal = NoJournal()
    return run(warnings: warnings, into: &journal)
  }

  /// Runs the scenario with the built-in engine.
  ///
  /// - Parameter journal: An additional sink for the records of the run.
  package func run(
    warnings: [Diagnostic] = [], into journal: inout some JournalSink
  ) -> (result: ScenarioResult, timing: EngineTiming) {
    let engine = program.makeEngine()
    do {
      return try run(warnings: warnings, into: &journal) { _ in engine }
    } catch {
      preconditionFailure("the built-in engine failed: \(error)")
    }
  }

  /// Runs the scenario with any engine.
  ///
  /// - Parameters:
  ///   - journal: An additional sink for the records of the run.
  ///   - makeEngine: Returns a new engine for each device. It is called again if an expectation fails,
  ///     because the bench then repeats the run to find the reasons.
  /// - Throws: ``TriggerModel/EngineFailure`` if the engine fails.
  package func run(
    warnings: [Diagnostic] = [], into journal: inout some JournalSink,
    makeEngine: (_ device: Int) throws(EngineFailure) -> any EngineUnderTest
  ) throws(EngineFailure) -> (result: ScenarioResult, timing: EngineTiming) {
    let play = try play(
      keepingMissesOf: reminders { if case .notRequested = $0 { true } else { false } }, into: &journal,
      makeEngine)
    let accounts = play.notes.accounts
    if let overrun = play.overrun { return (stoppedEarly(play.notes, overrun), play.timing) }
    let gates = GateResult.all(of: program, accounts)
    var results = program.scenario.expectations.map(evaluator(play.notes, gates).judge)
    if results.contains(where: { !$0.passed }) {
      // Misses are needed only to explain failures, so only the repeated run keeps them.
      var none = NoJournal()
      let again = try self.play(keepingMissesOf: reminders { _ in true }, into: &none, makeEngine)
      if let overrun = again.overrun { return (stoppedEarly(play.notes, overrun), play.timing) }
      let evaluator = self.evaluator(again.notes, gates)
      results = program.scenario.expectations.map { evaluator.evaluate($0) }
    }
    let result = ScenarioResult(
      program: program, accounts: accounts, texts: play.notes.texts, chronology: play.notes.chronology,
      expectations: results,
      gates: gates,
      warnings: program.scenario.judged(warnings + play.notes.ineffective.warnings),
      analytics: play.notes.analytics.log, views: play.notes.views.shown)
    return (result, play.timing)
  }

  private func evaluator(_ notes: RunNotes, _ gates: [GateResult]) -> ExpectationEvaluator {
    ExpectationEvaluator(
      program: program, accounts: notes.accounts, texts: notes.texts, gates: gates, views: notes.views.shown)
  }

  private func stoppedEarly(_ notes: RunNotes, _ overrun: Diagnostic) -> ScenarioResult {
    ScenarioResult(
      program: program, accounts: notes.accounts, texts: notes.texts, chronology: notes.chronology,
      expectations: [], gates: [],
      warnings: [], analytics: nil,
      overrun: overrun)
  }

  /// The records and the timing of one run.
  private struct Play {
    var notes: RunNotes
    var timing = EngineTiming()
    /// The reason why the run stopped early, or `nil` if it was complete.
    var overrun: Diagnostic?
  }

  private func play<Journal: JournalSink>(
    keepingMissesOf reminders: Set<ReminderID>, into journal: inout Journal,
    _ makeEngine: (_ device: Int) throws(EngineFailure) -> any EngineUnderTest
  ) throws(EngineFailure) -> Play {
    var world = try World(program: program, stopwatch: stopwatch, makeEngine: makeEngine)
    var notes = RunNotes(program, keepsMissesOf: reminders)
    if Journal.self == NoJournal.self {
      world.run(into: &notes)
    } else {
      var both = TeeSink(notes, journal)
      world.run(into: &both)
      (notes, journal) = (both.first, both.second)
    }
    if let failure = world.failure { throw failure }
    if notes.isFull { return Play(notes: notes, overrun: notes.overrun) }
    if let problem = world.unreadable {
      return Play(notes: notes, overrun: program.scenario.sources.diagnostic(problem.description, at: nil))
    }
    notes.accounts.close()
    notes.chronology.close(notes.accounts)
    notes.views.close()
    notes.accounts.app.row = world.app?.flow.row
    var play = Play(notes: notes)
    for device in world.devices { device.timing.map { play.timing.add($0) } }
    return play
  }

  /// Returns the reminders that occur in expectations about fires or about endings that `isChosen` accepts.
  private func reminders(_ isChosen: (Expectation.Ending) -> Bool) -> Set<ReminderID> {
    let all = isChosen(.denied(nil))
    return Set(
      program.scenario.expectations.compactMap { expectation in
        switch expectation.claim {
        case .ends(let reminder, let ending, _, _): isChosen(ending) ? reminder : nil
        case .fires(let reminder, _, _), .shows(let reminder, _, _, _): all ? reminder : nil
        case .metric, .gate, .only, .exact, .app, .view: nil
        }
      })
  }
}

extension EngineChoice {
  /// Runs a program with this engine.
  ///
  /// - Throws: ``TriggerModel/EngineFailure`` if the engine fails.
  package func run(
    _ program: Program, _ warnings: [Diagnostic], _ stopwatch: @escaping @Sendable () -> UInt64,
    into journal: inout some JournalSink
  ) throws(EngineFailure) -> (result: ScenarioResult, timing: EngineTiming) {
    try withEngines(of: program) { (makeEngine) throws(EngineFailure) in
      try ScenarioRun(program, stopwatch: stopwatch).run(
        warnings: warnings, into: &journal, makeEngine: makeEngine)
    }
  }
}

extension Program {
  /// Returns the counters of the built-in engine's scheduler after all events at `instant`. Their keys are
  /// those of `stored` in a scenario file.
  package func storedState(at instant: Instant) throws(StoredCounterError) -> [StoredCounters.Entry] {
    let counters = try StoredCounters(types: reminders.names.types)
    var world = World(program: self, engine: makeEngine(explainsMisses: false))
    var journal = NoJournal()
    world.run(until: min(instant + TimeSpan(milliseconds: 1), end), into: &journal)
    guard let engine = world.engine as? BuiltInEngine else { return [] }
    return counters.entries(of: engine.gateway.state)
  }
}

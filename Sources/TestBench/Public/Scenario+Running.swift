import EngineWire
import Foundation
import Journal
import ReminderEngine
import ReminderMatching
public import ScenarioModel
import Simulation
import TextFormats
public import TriggerModel

extension Scenario {
  /// Replays the scenario with the built-in engine.
  ///
  /// - Parameter keepingJournal: Keep every record of the run, as lines of the wire form.
  /// - Throws: ``ScenarioError`` when a recording that it names cannot be used.
  public func run(keepingJournal: Bool = false) throws -> ScenarioReport {
    try run(keepingJournal: keepingJournal) { $0.builtInEngine }
  }

  /// Replays the scenario with an engine of your own.
  ///
  /// - Parameters:
  ///   - keepingJournal: Keep every record of the run, as lines of the wire form.
  ///   - makeEngine: An engine before its first event, for each device. It may be asked more than once.
  /// - Throws: ``ScenarioError`` when a recording that it names cannot be used;
  ///   ``TriggerModel/EngineFailure`` when an engine breaks down.
  public func run(
    keepingJournal: Bool = false, on makeEngine: (EngineSetup) -> any EngineUnderTest
  ) throws -> ScenarioReport {
    let program = try compiled()
    return try report(program, keepingJournal) { makeEngine(EngineSetup(program, device: $0)) }
  }

  /// Replays the scenario with an engine in another process, which speaks the wire form.
  ///
  /// - Parameters:
  ///   - command: Split into words as a shell does.
  ///   - environment: All that the engine gets; `PATH` in it is where its program is looked for.
  ///   - stopwatch: Nanoseconds on a clock that never goes back, by which its time limits are kept.
  public func run(
    keepingJournal: Bool = false, command: String, environment: [String: String],
    stopwatch: @escaping @Sendable () -> UInt64
  ) throws -> ScenarioReport {
    let program = try compiled()
    let setup = try EngineProgram(program)
    let command = EngineCommand(command, environment: environment, stopwatch: stopwatch)
    return try report(program, keepingJournal) { (_) throws(EngineFailure) in
      ExternalEngine(command, program: setup)
    }
  }

  /// Why a reminder did or did not fire at an instant, and the smallest change that would make it, with the
  /// built-in engine.
  ///
  /// - Returns: Lines of text; nil when the scenario has no such reminder.
  /// - Throws: As ``run(keepingJournal:on:)``.
  public func explanation(of reminder: String, at instant: Instant) throws -> String? {
    try explanation(of: reminder, at: instant) { $0.builtInEngine }
  }

  /// Why a reminder did or did not fire at an instant with an engine of your own. What became of it is what
  /// your engine did; which conditions held, the built-in engine says, which is told the same.
  ///
  /// - Parameter makeEngine: As of ``run(keepingJournal:on:)``.
  /// - Returns: Lines of text; nil when the scenario has no such reminder.
  /// - Throws: As ``run(keepingJournal:on:)``.
  public func explanation(
    of reminder: String, at instant: Instant, on makeEngine: (EngineSetup) -> any EngineUnderTest
  ) throws -> String? {
    let program = try compiled()
    guard let id = program.reminders.reminder(named: reminder) else { return nil }
    let answer = try Explainer(program).explain(id, at: instant) { (program, device) throws(EngineFailure) in
      makeEngine(EngineSetup(program, device: device))
    }
    return answer.map { ($0.happened + ["change: \($0.smallestChange)"]).joined(separator: "\n") }
  }

  private func compiled() throws -> Program {
    do throws(Diagnostic) {
      return try Program(self)
    } catch {
      throw ScenarioError([error])
    }
  }

  private func report(
    _ program: Program, _ keepingJournal: Bool,
    _ makeEngine: (Int) throws(EngineFailure) -> any EngineUnderTest
  ) throws -> ScenarioReport {
    let run = ScenarioRun(program) { 0 }
    guard keepingJournal else {
      var none = NoJournal()
      let result = try run.run(into: &none, makeEngine: makeEngine).result
      if let overrun = result.overrun { throw ScenarioError([overrun]) }
      return ScenarioReport(result, journal: [])
    }
    var journal = JournalLines(program.wireNames)
    let result = try run.run(into: &journal, makeEngine: makeEngine).result
    if let overrun = result.overrun { throw ScenarioError([overrun]) }
    return ScenarioReport(result, journal: journal.bytes)
  }
}

/// Keeps the records of a run as lines of the wire form.
struct JournalLines: JournalSink {
  private var writer: JournalWriter

  init(_ names: WireNames) { writer = JournalWriter(names) }

  var bytes: [UInt8] { writer.bytes }

  mutating func record(_ body: JournalRecord.Body, _ stamp: RecordStamp) {
    writer.write(JournalRecord(body, stamp))
  }
}

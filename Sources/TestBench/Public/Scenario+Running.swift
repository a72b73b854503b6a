public import CivilTime
import EngineWire
import Foundation
import Journal
public import NotificationGateway
import ReminderEngine
public import ReminderMatching
public import ScenarioModel
import Simulation
import TextFormats
public import TriggerEngine
public import TriggerModel

extension Scenario {
  /// Replays the scenario with the built-in engine.
  ///
  /// - Parameter keepingJournal: Whether the report keeps all records of the run, in the wire format.
  /// - Throws: ``ScenarioError`` if a recording of the scenario cannot be used.
  public func run(keepingJournal: Bool = false) throws -> ScenarioReport {
    try run(keepingJournal: keepingJournal) { $0.builtInEngine }
  }

  /// Replays the scenario with your own engine.
  ///
  /// - Parameters:
  ///   - keepingJournal: Whether the report keeps all records of the run, in the wire format.
  ///   - makeEngine: Returns a new engine for each device. The bench may call it more than once.
  /// - Throws: ``ScenarioError`` if a recording of the scenario cannot be used;
  ///   ``TriggerModel/EngineFailure`` if an engine fails.
  public func run(
    keepingJournal: Bool = false, on makeEngine: (EngineSetup) -> any EngineUnderTest
  ) throws -> ScenarioReport {
    let program = try compiled()
    return try report(program, keepingJournal) { makeEngine(EngineSetup(program, device: $0)) }
  }

  /// Replays the scenario with an engine in another process that uses the wire format.
  ///
  /// - Parameters:
  ///   - command: The command that starts the engine, split into words as a shell does.
  ///   - environment: The complete environment of the engine. Its `PATH` locates the program.
  ///   - stopwatch: Returns nanoseconds of a monotonic clock, which the engine's time limits use.
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

  /// Explains, with the built-in engine, why a reminder did or did not fire at an instant, and describes the
  /// smallest change that would make it fire.
  ///
  /// - Returns: Lines of text, or `nil` if the scenario has no such reminder.
  /// - Throws: The errors of ``run(keepingJournal:on:)``.
  public func explanation(of reminder: String, at instant: Instant) throws -> String? {
    try explanation(of: reminder, at: instant) { $0.builtInEngine }
  }

  /// Explains with your own engine why a reminder did or did not fire at an instant.
  ///
  /// The outcome is that of your engine. The built-in engine observes the same events and reports which
  /// conditions held.
  ///
  /// - Parameter makeEngine: See ``run(keepingJournal:on:)``.
  /// - Returns: Lines of text, or `nil` if the scenario has no such reminder.
  /// - Throws: The errors of ``run(keepingJournal:on:)``.
  public func explanation(
    of reminder: String, at instant: Instant, on makeEngine: (EngineSetup) -> any EngineUnderTest
  ) throws -> String? {
    let program = try compiled()
    guard let id = program.reminders.reminder(named: reminder) else { return nil }
    let answer = try Explainer(program).explain(id, at: instant) { (program, device) throws(EngineFailure) in
      makeEngine(EngineSetup(program, device: device))
    }
    return answer.map {
      ($0.happened + $0.because.map { "because \($0)" } + ["change: \($0.smallestChange)"])
        .joined(separator: "\n")
    }
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
    func result(into sink: inout some JournalSink) throws -> ScenarioResult {
      let result = try ScenarioRun(program) { 0 }.run(into: &sink, makeEngine: makeEngine).result
      if let overrun = result.overrun { throw ScenarioError([overrun]) }
      return result
    }
    if keepingJournal {
      var journal = JournalLines(program.wireNames)
      return ScenarioReport(try result(into: &journal), journal: journal.bytes)
    }
    var none = NoJournal()
    return ScenarioReport(try result(into: &none), journal: [])
  }
}

/// A sink that keeps the records of a run as lines of the wire format.
struct JournalLines: JournalSink {
  private var writer: JournalWriter

  init(_ names: WireNames) { writer = JournalWriter(names) }

  var bytes: [UInt8] { writer.bytes }

  mutating func record(_ body: JournalRecord.Body, _ stamp: RecordStamp) {
    writer.write(JournalRecord(body, stamp))
  }
}

/// The declarations of a scenario for one device. An engine under test is created from them.
public struct EngineSetup: Sendable {
  let program: Program
  /// The index of the person's device; 0 is the phone.
  public let device: Int

  init(_ program: Program, device: Int) {
    self.program = program
    self.device = device
  }

  /// The reminders, in the order of their identifiers.
  public var reminders: [ReminderDeclaration] { program.scenario.reminders.map(\.declaration) }

  /// The declarations that `edit` events substitute, indexed by the event's value.
  public var edits: [ReminderDeclaration] { program.scenario.edits.map(\.declaration) }

  /// The names of notification types, regions, other apps and facts, each in the order of identifiers.
  public var names: EngineNames { program.reminders.names }

  /// The policy that decides requests.
  public var policy: CapPolicy { program.scenario.policy }

  /// The zones to which the moments of events refer.
  public var zones: ZoneTable { program.scenario.zones }

  /// The phone's zone at the start.
  public var zone: ZoneID { program.scenario.zone }

  /// The notification permission at the start.
  public var permission: NotificationPermission { program.devices[device].setup.notifications }

  /// A built-in engine for these declarations, which your engine can wrap or be compared with.
  public var builtInEngine: BuiltInEngine { program.makeEngine() }
}

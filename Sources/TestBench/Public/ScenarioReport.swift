import ReminderEngine
import ScenarioModel
import Simulation
import Statistics
import TextFormats
public import TriggerModel

/// The result of one scenario.
public struct ScenarioReport: Sendable {
  let result: ScenarioResult
  /// All records of the run in the wire format, one per line. Empty unless the run kept its journal.
  public let journal: [UInt8]

  init(_ result: ScenarioResult, journal: [UInt8]) {
    self.result = result
    self.journal = journal
  }

  /// Whether all expectations passed and no gate failed the scenario.
  public var passed: Bool { result.passed }

  /// The number of expectations.
  public var expectationCount: Int { result.expectations.count }

  /// The failed expectations in the order of the file, followed by failed gates and by contradictions in the
  /// accounts. A contradiction indicates a defect of the bench or of the engine.
  public var failures: [Failure] {
    let file = result.program.scenario.file
    let failed = result.expectations.filter { !$0.passed }.map { expectation in
      var lines = ["expected  \(expectation.text)", "got       \(expectation.got)"]
      if let nearest = expectation.nearest { lines.append("nearest   \(nearest)") }
      for (index, reason) in expectation.reasons.enumerated() {
        lines.append((index == 0 ? "because   " : "          ") + reason)
      }
      return Failure(
        file: file, line: Int(expectation.position.line), column: Int(expectation.position.column),
        message: lines.joined(separator: "\n"))
    }
    let killed = result.gates.filter(\.fails).map { gate in
      Failure(
        file: file, line: Int(gate.gate.position.line), column: Int(gate.gate.position.column),
        message: "gate \(gate.gate.name) kills")
    }
    return failed + killed
      + result.accounts.contradictions.map { Failure(file: file, line: 1, column: 1, message: $0) }
  }

  /// A failed expectation and its position in the scenario.
  public struct Failure: Hashable, Sendable, CustomStringConvertible {
    /// The path of the scenario file.
    public var file: String
    /// The line, counted from 1.
    public var line: Int
    /// The column, counted from 1 in Unicode scalars.
    public var column: Int
    /// The expected and the actual result, and the reasons.
    public var message: String

    /// `file:line:column: message`
    public var description: String { "\(file):\(line):\(column): \(message)" }
  }

  /// The delivered notifications, in chronological order.
  public var fires: [Fire] {
    let words = RunWords(result.program)
    return result.accounts.fires.map { fire in
      Fire(
        reminder: words.name(fire.request.reminder), instant: fire.instant, local: words.time(fire.moment),
        isExposed: fire.exposure.isExposed)
    }
  }

  /// A delivered notification.
  public struct Fire: Hashable, Sendable {
    /// The name of the reminder in the scenario.
    public var reminder: String
    /// The simulation time.
    public var instant: Instant
    /// The time on the phone's clock: `2026-03-02 17:42`.
    public var local: String
    /// Whether the person could see the notification, as a banner or in the list.
    public var isExposed: Bool
  }
}

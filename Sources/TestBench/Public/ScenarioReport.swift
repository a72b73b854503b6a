import ReminderEngine
import ScenarioModel
import Simulation
import Statistics
import TextFormats
public import TriggerModel

/// What came of one scenario.
public struct ScenarioReport: Sendable {
  let result: ScenarioResult
  /// Every record of the run in the wire form, a line each, if it was asked for.
  public let journal: [UInt8]

  init(_ result: ScenarioResult, journal: [UInt8]) {
    self.result = result
    self.journal = journal
  }

  /// Whether everything came as the scenario expects, and no gate killed it.
  public var passed: Bool { result.passed }

  /// How many statements the scenario makes.
  public var expectationCount: Int { result.expectations.count }

  /// The statements that did not come true, in the order of the file; then what contradicts the bench's own
  /// accounts, which is a defect of the bench or of the engine.
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

  /// A statement that did not come true, and where the scenario makes it.
  public struct Failure: Hashable, Sendable, CustomStringConvertible {
    /// As it was given to whoever read the scenario.
    public var file: String
    /// Counted from 1.
    public var line: Int
    /// Counted from 1, in Unicode scalars.
    public var column: Int
    /// What was expected, what came instead, and why.
    public var message: String

    /// `file:line:column: message`
    public var description: String { "\(file):\(line):\(column): \(message)" }
  }

  /// The notifications that were delivered, in the order of time.
  public var fires: [Fire] {
    let words = RunWords(result.program)
    return result.accounts.fires.map { fire in
      Fire(
        reminder: words.name(fire.request.reminder), instant: fire.instant, local: words.time(fire.moment),
        isExposed: fire.exposure.isExposed)
    }
  }

  /// A notification that was delivered.
  public struct Fire: Hashable, Sendable {
    /// The name of the reminder in the scenario.
    public var reminder: String
    /// Simulation time.
    public var instant: Instant
    /// What the phone's clock showed: `2026-03-02 17:42`.
    public var local: String
    /// Whether the person could see it, as a banner or in the list: it was not only delivered.
    public var isExposed: Bool
  }
}

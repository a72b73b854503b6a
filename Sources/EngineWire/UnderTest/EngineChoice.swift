import CivilTime
import ScenarioModel
import Scenarios
package import Simulation
import TextFormats
package import TriggerModel

/// The engine under test.
package enum EngineChoice: Sendable {
  case builtIn
  /// An engine in another process.
  case command(EngineCommand)

  /// The name in journals and comparisons.
  package var name: String {
    switch self {
    case .builtIn: "built-in"
    case .command(let command): command.command
    }
  }

  /// Calls the body with a function that creates an engine for each device. Afterwards ends all engines that
  /// it created.
  ///
  /// - Throws: The error of the body, or of an engine that fails while it ends.
  package func withEngines<Result>(
    of program: Program,
    _ body: (_ makeEngine: (Int) throws(EngineFailure) -> any EngineUnderTest) throws(EngineFailure) -> Result
  ) throws(EngineFailure) -> Result {
    switch self {
    case .builtIn:
      let engine = program.makeEngine()
      return try body { (_) throws(EngineFailure) in engine }
    case .command(let command):
      let setup = try EngineProgram(program)
      var engines: [ExternalEngine] = []
      let result = try body { (_) throws(EngineFailure) in
        engines.append(ExternalEngine(command, program: setup))
        return engines[engines.count - 1]
      }
      for engine in engines {
        engine.end()
        if let failure = engine.failure { throw failure }
      }
      return result
    }
  }
}

extension EngineProgram {
  /// Creates the message for an engine. It contains the scenario's declarations and all zones that a
  /// phone visits.
  package init(_ program: Program) throws(EngineFailure) {
    var scenario = program.shownScenario
    let line = try Self.line(of: scenario)
    let hasCounters = scenario.stored != nil
    scenario.stored = nil
    self.init(
      names: program.wireNames, line: line, laterLine: hasCounters ? try Self.line(of: scenario) : nil,
      builtIn: program.makeEngine(), hasCounters: hasCounters)
  }

  private static func line(of scenario: Scenario) throws(EngineFailure) -> [UInt8] {
    let document: JSONValue
    do throws(UnwritableScenario) {
      document = try ScenarioDocument.write(scenario, [])
    } catch {
      throw EngineFailure("the scenario cannot be sent to an engine: \(error)")
    }
    let zones = scenario.zones.zones.map { JSONValue.string($0.identifier) }
    let message = JSONValue.object([
      .init("message", "program"), .init("scenario", document), .init("zones", .array(zones)),
    ])
    return Array(message.line.utf8)
  }
}

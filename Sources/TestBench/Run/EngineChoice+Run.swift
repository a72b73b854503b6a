package import EngineWire
package import Journal
package import Simulation
package import TextFormats
package import TriggerModel

extension EngineChoice {
  /// Runs a program with it.
  ///
  /// - Throws: When the engine breaks down.
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

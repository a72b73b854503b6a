import ScenarioModel
import Scenarios
import Simulation
import TestBench

/// Loads the one scenario that a command is about, or says why not.
enum SingleScenario {
  /// - Parameter person: Of a population.
  static func load(
    _ file: String, person: UInt64? = nil, _ options: Suite.Options
  ) throws -> Program {
    var options = options
    options.person = person
    options.searched.append(file)
    switch ProgramLoader(options: options).load(file) {
    case .program(let program, let warnings):
      Terminal.diagnose(program.scenario.unintended(warnings))
      return program
    case .invalid(let diagnostics): Terminal.diagnose(diagnostics)
    case .otherKind(Population.kind):
      Terminal.diagnose("triggerbench: \(file) is a population; choose one of its people with --person")
    case .otherKind:
      Terminal.diagnose("triggerbench: \(OtherKinds.nothingToRun([file]))")
    }
    throw Exit.failure
  }
}

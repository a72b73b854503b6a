import Simulation
import TestBench

/// Loads the one scenario that a command is about, or says why not.
enum SingleScenario {
  static func load(_ file: String) throws -> Program {
    switch ProgramLoader().load(file) {
    case .program(let program, let warnings):
      Terminal.diagnose(warnings)
      return program
    case .invalid(let diagnostics): Terminal.diagnose(diagnostics)
    case .otherKind:
      Terminal.diagnose("triggerbench: \(file) is no scenario ('kind: scenario')\(OtherKinds.hint([file]))")
    }
    throw Exit.failure
  }
}

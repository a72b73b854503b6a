import Scenarios
import TestBench

/// Loads the one scenario that a command is about, or says why not.
enum SingleScenario {
  static func load(_ file: String) throws -> Program {
    switch ProgramLoader().load(file) {
    case .program(let program, let warnings):
      for warning in warnings { Terminal.diagnose(warning.rendered()) }
      return program
    case .invalid(let diagnostics):
      for diagnostic in diagnostics { Terminal.diagnose(diagnostic.rendered()) }
    case .otherKind: Terminal.diagnose("triggerbench: \(file) is no scenario ('kind: scenario')")
    }
    throw Exit.failure
  }
}

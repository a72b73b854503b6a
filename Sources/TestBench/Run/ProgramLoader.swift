import Foundation
package import Scenarios

/// Reads a file and compiles it, if it is a scenario.
package struct ProgramLoader {
  package enum Loaded {
    case program(Program, warnings: [Diagnostic])
    case invalid([Diagnostic])
    case otherKind
  }

  private let options: Suite.Options

  package init(options: Suite.Options = Suite.Options()) {
    self.options = options
  }

  package func load(_ path: String) -> Loaded {
    .otherKind
  }
}

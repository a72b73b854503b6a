package import EngineWire
import Journal
package import Simulation

extension EngineProgram {
  package init(_ program: Program) {
    self.init(names: program.wireNames, line: [])
  }
}

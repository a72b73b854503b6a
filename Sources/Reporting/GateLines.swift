import ScenarioModel
import Statistics
package import TestBench
import TextFormats

/// What the terminal says of gates that no line of one scenario says: those that kill only together, and those that
/// were to decide and did not.
package struct GateLines {
  private let suite: SuiteResult

  package init(_ suite: SuiteResult) {
    self.suite = suite
  }

  /// Of each gate that kills all scenarios that carry it together.
  package var killedTogether: [String] {
    suite.gates.filter(\.killsTogether).map { gate in
      "\(gate.place): gate \(gate.gate.name), of \(gate.carriers) scenarios together: \(gate.summary); they are "
        + carriers(gate)
    }
  }

  /// Of each gate that is inconclusive, and that no scenario expects to be.
  package var open: [String] {
    suite.openGates.map { gate in
      // A gate of a pack, or of several scenarios, does not stand in the file that it is asked of.
      let others =
        SuiteGates.carriers(of: gate, among: suite.scenarios) == [gate.file] ? "" : "; of " + carriers(gate)
      return "\(gate.place): gate \(gate.gate.name) is not decided: \(gate.summary)\(others)"
    }
  }

  /// The scenarios that carry a gate; of many the first, and how many more.
  private func carriers(_ gate: GateResult) -> String {
    let files = SuiteGates.carriers(of: gate, among: suite.scenarios).map { Printable.text($0) }
    let shown = files.prefix(files.count > 4 ? 3 : 4).joined(separator: ", ")
    return files.count > 4 ? "\(shown) and \(files.count - 3) more" : shown
  }
}

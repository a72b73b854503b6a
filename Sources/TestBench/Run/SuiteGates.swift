import ScenarioModel
import Simulation
package import Statistics

/// The gates of a suite. Gates of several scenarios with the same measure and bounds are judged by their
/// combined counts.
///
/// The counts of one person are weak evidence, but those of many people may suffice.
package enum SuiteGates {
  /// Returns the gates in the order of their first appearance.
  package static func judge(_ scenarios: [ScenarioResult]) -> [GateResult] {
    var groups: [[Carrier]] = []
    var places: [[String]: Int] = [:]
    for scenario in scenarios {
      for result in scenario.gates {
        let carrier = Carrier(result: result, killsAsExpected: scenario.expectsKill(of: result.gate))
        let key = key(result)
        if let place = places[key] {
          groups[place].append(carrier)
        } else {
          places[key] = groups.count
          groups.append([carrier])
        }
      }
    }
    return groups.compactMap(judge)
  }

  /// Returns the key of a gate. Gates with equal keys are judged together.
  private static func key(_ result: GateResult) -> [String] {
    [result.gate.name, result.gate.words, result.gate.bounds]
  }

  /// Returns the files of the scenarios that contain a gate, in the order of the scenarios.
  package static func carriers(of result: GateResult, among scenarios: [ScenarioResult]) -> [String] {
    scenarios.filter { $0.gates.contains { key($0) == key(result) } }.map(\.program.scenario.file)
  }

  /// A gate in one run.
  private struct Carrier {
    var result: GateResult
    var killsAsExpected: Bool
  }

  /// Judges the gates of several scenarios together.
  /// A scenario that expects a gate to kill contains people who were designed to fail, so it is excluded. If
  /// all scenarios are of this kind, the result is reported but does not fail the run.
  private static func judge(_ carriers: [Carrier]) -> GateResult? {
    let others = carriers.filter { !$0.killsAsExpected }
    let kept = (others.isEmpty ? carriers : others).map(\.result)
    guard let first = kept.first, let longest = kept.map(\.watched).max() else { return nil }
    var tally = first.tally
    for result in kept.dropFirst() { tally.add(result.tally) }
    // An expected verdict applies to one scenario, not to the combined counts of several.
    var result = GateResult(
      first.gate, in: first.file, tally, watched: longest, isModelled: kept.contains(where: \.isModelled),
      expecting: others.isEmpty ? [.kill] : kept.count == 1 ? first.expected : [])
    result.carriers = carriers.count
    result.leftOut = carriers.count - kept.count
    return result
  }
}

extension ScenarioResult {
  fileprivate func expectsKill(of gate: Gate) -> Bool {
    program.scenario.expectations.contains { $0.claim == .gate(gate.name, .kill) }
  }
}

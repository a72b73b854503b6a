package import ScenarioModel
package import Simulation
import TextFormats
package import TriggerModel

/// The result of a gate in one run, or in all runs of a suite that contain it.
package struct GateResult: Hashable, Sendable {
  package var gate: Gate
  /// The scenario or pack that declares the gate. For a suite, this is the file of the first scenario.
  package var file: String
  package var tally: Tally
  package var estimate: Estimate
  package var verdict: GateVerdict
  /// The reason for an inconclusive verdict.
  package var lack: String?
  package var watched: TimeSpan
  /// Whether a model responded to notifications in any run.
  package var isModelled: Bool
  /// The verdicts that the scenario expects. If there are any, the expectations determine whether the run
  /// fails.
  package var expected: [GateVerdict]
  /// The number of scenarios of a suite that contain the gate.
  package var carriers = 1
  /// The number of these scenarios that are left out because they expect a kill.
  package var leftOut = 0

  package init(
    _ gate: Gate, in file: String, _ tally: Tally, watched: TimeSpan, isModelled: Bool,
    expecting: [GateVerdict]
  ) {
    let judge = GateJudge(gate: gate, estimate: tally.estimate, watched: watched)
    self.gate = gate
    self.file = file
    self.tally = tally
    estimate = judge.estimate
    self.watched = watched
    self.isModelled = isModelled
    expected = expecting
    verdict = judge.verdict
    lack = judge.lack
  }

  /// Returns the gates of one run, in the order of the scenario.
  package static func all(of program: Program, _ accounts: RunAccounts) -> [GateResult] {
    let scenario = program.scenario
    return scenario.gates.map { gate in
      let expected = scenario.expectations.compactMap { expectation -> GateVerdict? in
        if case .gate(gate.name, let verdict) = expectation.claim { verdict } else { nil }
      }
      return GateResult(
        gate, in: scenario.sources.name(of: gate.position), Tally(gate.measure, of: program, accounts),
        watched: program.end - scenario.start, isModelled: scenario.person != nil, expecting: expected)
    }
  }

  /// The tier of evidence of the figure.
  package var evidence: Evidence { gate.measure.evidence(isModelled: isModelled) }

  /// Whether the gate fails the run.
  package var fails: Bool { verdict == .kill && expected.isEmpty }

  /// Whether the gate is inconclusive and no scenario expects this verdict.
  package var isOpen: Bool { verdict == .inconclusive && expected.isEmpty }

  /// The items that the figure excludes because their outcome is unknown, in words. `nil` if there is no
  /// figure or no such item.
  package var silence: String? { estimate.denominator > 0 ? gate.measure.silence(estimate) : nil }

  /// Whether this is the combined result of several scenarios and fails the run.
  package var killsTogether: Bool { fails && carriers > 1 }

  /// The position, such as "scenarios/a.yaml:9:5".
  package var place: String { "\(file):\(gate.position.line):\(gate.position.column)" }

  /// The result as text, such as "pass: 40.0 % (8 of 20 exposed), 95 % interval 19.1 to 64.0 %".
  package var summary: String {
    var text = "\(verdict.rawValue): \(figure)"
    if let interval = estimate.interval { text += ", 95 % interval \(interval)" }
    if let lack { text += "; \(lack)" }
    return text
  }

  /// The figure with its numerator and denominator, such as "40.0 % (8 of 20 exposed)".
  package var figure: String {
    let value = estimate.value.map { Percent.text($0) + " %" } ?? "none"
    switch gate.measure {
    case .share, .conversion:
      return "\(value) (\(estimate.numerator) of \(estimate.denominator) \(gate.measure.trials))"
    case .weeklyActive:
      return "\(value) (\(estimate.numerator) weeks with, \(estimate.denominator) without)"
    case .lift:
      return
        "\(value) (mean \(Thousandths.text(estimate.numerator)) with, \(Thousandths.text(estimate.denominator)) without)"
    }
  }
}

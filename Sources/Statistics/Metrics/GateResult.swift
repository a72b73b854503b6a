package import ScenarioModel
package import Simulation
import TextFormats
package import TriggerModel

/// How a gate came out: of one run, or of all runs of a suite that carry it.
package struct GateResult: Hashable, Sendable {
  package var gate: Gate
  /// The file that declares it: the scenario, or a pack. Of a suite, as the first scenario has it.
  package var file: String
  package var tally: Tally
  package var estimate: Estimate
  package var verdict: GateVerdict
  /// What an inconclusive verdict lacks.
  package var lack: String?
  package var watched: TimeSpan
  /// Whether a model answered notifications in it, or in one of several runs.
  package var isModelled: Bool
  /// The verdicts that the scenario expects of the gate: where there is one the expectation passes or fails, and
  /// not the gate.
  package var expected: [GateVerdict]
  /// Of a suite: how many scenarios carry it.
  package var carriers = 1
  /// Of these: how many were left out because they expect it to kill.
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

  /// The gates of one run, in the order of the scenario.
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

  /// Where the figure comes from.
  package var evidence: Evidence { gate.measure.evidence(isModelled: isModelled) }

  /// Whether it fails the run.
  package var fails: Bool { verdict == .kill && expected.isEmpty }

  /// Whether it stays open what no scenario expects to stay so.
  package var isOpen: Bool { verdict == .inconclusive && expected.isEmpty }

  /// What is not in the figure, as nobody can know of it, where something else is.
  package var silence: String? { estimate.denominator > 0 ? gate.measure.silence(estimate) : nil }

  /// Whether several scenarios fail the run by it that need not fail one by one.
  package var killsTogether: Bool { fails && carriers > 1 }

  /// "scenarios/a.yaml:9:5".
  package var place: String { "\(file):\(gate.position.line):\(gate.position.column)" }

  /// "pass: 40.0 % (8 of 20 exposed), 95 % interval 19.1 to 64.0 %"
  package var summary: String {
    var text = "\(verdict.rawValue): \(figure)"
    if let interval = estimate.interval { text += ", 95 % interval \(interval)" }
    if let lack { text += "; \(lack)" }
    return text
  }

  /// The figure with what it is made of: "40.0 % (8 of 20 exposed)".
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

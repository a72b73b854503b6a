import Experiments
import ScenarioModel

/// Targets, and whether they are reached.
struct ExperimentGateSection {
  let result: ExperimentResult

  init(_ result: ExperimentResult) { self.result = result }

  var sections: [ResultSection] {
    let results = result.gates
    if results.isEmpty { return [] }
    let rows = results.map { gate in
      let metric = result.plan.metrics[gate.gate.metric]
      let isDifference = gate.gate.isDifference
      return [
        name(gate.gate), bound(gate.gate.target, metric, isDifference),
        gate.gate.kill.map { bound($0, metric, isDifference) } ?? "none",
        gate.value.map { isDifference ? metric.difference($0) : metric.text($0) } ?? "none",
        gate.interval.map { isDifference ? metric.difference($0) : metric.text($0) } ?? gate.lack ?? "none",
        gate.verdict.rawValue.uppercased(), needed(gate),
      ]
    }
    let table = ResultTable(
      columns: [
        .text("gate"), .number("target"), .number("kill"), .number("figure"), .number("95 % interval"),
        .text("verdict"), .number("people more it needs"),
      ], rows: rows)
    let remarks = results.flatMap { benchmarks($0.gate) }
    return [
      ResultSection(
        "Gates", table: table,
        notes: [
          "PASS: the whole interval meets the target. KILL: it lies wholly beyond the kill criterion. "
            + "Anything else is INCONCLUSIVE; where the figure itself lies between the two no number of people would do. "
            + "Intervals are by person: of shares of people Wilson's, of all else by the delta method."
        ] + remarks.reduce(into: []) { if !$0.contains($1) { $0.append($1) } })
    ]
  }

  private func name(_ gate: PeopleGate) -> String {
    let metric = result.plan.metrics[gate.metric].name
    return switch gate.subject {
    case .figure(let arm): "\(metric), \(result.plan.arms[arm].name)"
    case .change(let arm): "change of \(metric), \(result.plan.arms[arm].name)"
    }
  }

  private func bound(_ bound: Bound, _ metric: PeopleMetric, _ isDifference: Bool) -> String {
    metric.bound(bound, isDifference: isDifference)
  }

  private func needed(_ gate: PeopleGateResult) -> String {
    if gate.verdict != .inconclusive { return "none" }
    if gate.interval == nil { return "unknown" }
    return gate.peopleNeeded.map { Numbers.count(max(0, $0 - result.people)) }
      ?? "none would do"
  }

  /// Where the target stands among what others have published.
  private func benchmarks(_ gate: PeopleGate) -> [String] {
    gate.benchmarks.standing(of: gate.target.millionths, among: "published benchmark").map {
      [
        "The target \(gate.target.text) of \(result.plan.metrics[gate.metric].name) is \($0.place): \($0.figures)."
      ]
    } ?? []
  }
}

extension PeopleGate {
  var isDifference: Bool { if case .change = subject { true } else { false } }
}

import Experiments
import PersonModel
import ScenarioModel

/// What the answer hangs on.
struct AssumptionSection {
  let result: ExperimentResult

  init(_ result: ExperimentResult) { self.result = result }

  var sections: [ResultSection] {
    guard let plan = result.plan.sensitivity, let found = result.sensitivity else { return [] }
    let metric = result.plan.metrics[plan.metric]
    let name = result.plan.arms[plan.variant].name
    let rows = found.effects.map { effect in
      let assumption = effect.assumption
      return [
        assumption.name, assumption.meaning, Self.value(assumption.standard, assumption),
        "\(Self.value(assumption.range.lowerBound, assumption)) to \(Self.value(assumption.range.upperBound, assumption))",
        Self.text(effect.low, metric), Self.text(effect.high, metric),
        effect.flip.map { "at about \(Self.value($0, assumption))" } ?? "nowhere in the range",
        "\(assumption.evidence.rawValue): \(assumption.source)",
      ]
    }
    let table = ResultTable(
      columns: [
        .text("assumption"), .longText("what it says"), .number("as it is"), .number("range"),
        .number("at the least"), .number("at the most"), .text("the sign turns"), .longText("evidence"),
      ], rows: rows)
    var chart = Chart.Tornado(
      title: "Difference of \(metric.name) under other assumptions: \(name)",
      xTitle: "difference of \(metric.name)",
      standard: found.standard.difference ?? 0,
      standardText: Self.text(found.standard, metric),
      rows: found.effects.compactMap { effect in
        guard let low = effect.low.difference, let high = effect.high.difference else { return nil }
        return Chart.Tornado.Row(
          label: effect.assumption.name, low: low, high: high,
          lowText: Self.value(effect.assumption.range.lowerBound, effect.assumption),
          highText: Self.value(effect.assumption.range.upperBound, effect.assumption))
      }, ends: [])
    chart.ends = [chart.range.lowerBound, chart.range.upperBound].map(metric.difference)
    let flips = found.effects.filter { $0.flip != nil }.map(\.assumption.name)
    let conclusion =
      flips.isEmpty
      ? "Within these ranges no single assumption turns its sign."
      : "Its sign hangs on \(flips.joined(separator: ", "))."
    return [
      ResultSection(
        "What the answer hangs on: \(metric.name), \(name)",
        [
          "As it is, the difference is \(Self.text(found.standard, metric)) for the first "
            + "\(Numbers.count(found.people)) people. \(conclusion)"
        ], chart: .tornado(chart), table: table, notes: chances(found))
    ]
  }

  private static func text(_ estimate: PairEstimate, _ metric: PeopleMetric) -> String {
    guard let difference = estimate.difference else { return "none" }
    return metric.difference(difference)
      + (estimate.interval.map { " (\(metric.difference($0)))" } ?? "")
  }

  /// A value of an assumption, in its unit.
  private static func value(_ millionths: Int64, _ assumption: Assumption) -> String {
    if assumption.unit == "%" { return Numbers.fixed(Double(millionths) / 10_000, 1) + " %" }
    var digits = Numbers.fixed(Double(millionths) / 1_000_000, 3)
    while digits.hasSuffix("0") { digits.removeLast() }
    if digits.hasSuffix(".") { digits.removeLast() }
    return assumption.unit.isEmpty ? digits : "\(digits) \(assumption.unit)"
  }

  private func chances(_ found: SensitivityResult) -> [String] {
    found.chances.map { chance in
      let gate = result.plan.gates[chance.gate]
      let metric = result.plan.metrics[gate.metric]
      let (arm, what): (Int, String) =
        switch gate.subject {
        case .figure(let arm): (arm, metric.name)
        case .change(let arm): (arm, "change of \(metric.name)")
        }
      let ends = [chance.least, chance.greatest].map {
        gate.isDifference ? metric.difference($0) : metric.text($0)
      }
      let bound = metric.bound(gate.target, isDifference: gate.isDifference)
      return
        "How likely under the model: with all assumptions drawn from their ranges at once, \(what) of "
        + "\(result.plan.arms[arm].name) is \(bound) in \(chance.met) of \(chance.draws) draws (it lies from \(ends[0]) to \(ends[1]))."
        + (chance.unsure == 0
          ? ""
          : " In \(chance.unsure) of the draws that is not sure: each is of \(Numbers.count(found.peopleOfDraw)) people.")
    }
  }
}

import Experiments
import PersonModel
import ScenarioModel

/// The sentence that answers the question of an experiment.
///
/// The sentence states a direction of the primary metric's difference only if the joint interval excludes 0. It never
/// presents a wide interval as the absence of an effect.
struct ExperimentAnswer {
  let result: ExperimentResult
  private var plan: ExperimentPlan { result.plan }
  private var metric: PeopleMetric { plan.metrics[plan.primary] }

  init(result: ExperimentResult) { self.result = result }

  var sentence: String {
    let finding = plan.arms.count == 2 ? effect(of: 1) : effects
    return
      ([finding + "; the evidence is \(plan.evidence.rawValue), from a model of people"] + judgements
      + recordings)
      .joined(separator: "; ") + "."
  }

  /// The limitation of the intervals if people share recordings, or an empty array if they do not.
  private var recordings: [String] {
    plan.origins.isEmpty ? [] : ["the intervals do not cover the choice of the recorded phones"]
  }

  private func change(_ arm: Int) -> PairEstimate { result.jointChange(plan.primary, arm: arm) }

  private func name(_ arm: Int) -> String { plan.arms[arm].name }

  // MARK: The effect

  private func effect(of arm: Int) -> String {
    let change = change(arm)
    guard let base = result.figure(plan.primary, arm: 0).value,
      let own = result.figure(plan.primary, arm: arm).value, let difference = change.difference
    else {
      return
        "It is undecided whether \(name(arm)) raises or lowers \(metric.name): \(change.lack ?? "no data")"
    }
    let figures = "from \(metric.text(base)) to \(metric.text(own))"
    if change.direction != .undecided, let interval = change.interval {
      return "\(name(arm)) \(change.direction.rawValue) \(metric.name) by "
        + "\(metric.difference(difference.magnitude).drop { $0 == "+" }), \(figures) "
        + "(\(result.family.intervalName) of the difference \(metric.difference(interval)))"
    }
    let bounds =
      change.interval.map { "\(result.family.intervalName) \(metric.difference($0))" } ?? change.lack
      ?? "there is no interval"
    return
      "It is undecided whether \(name(arm)) raises or lowers \(metric.name): it goes \(figures), a difference of "
      + "\(metric.difference(difference)) (\(bounds))"
  }

  /// The number of variants in each direction, with the variant that has the greatest difference.
  private var effects: String {
    let arms = Array(1..<plan.arms.count)
    let parts = [PairEstimate.Direction.raises, .lowers].map { direction in
      let own = arms.filter { change($0).direction == direction }
      let verb = own.count == 1 ? direction.rawValue : String(direction.rawValue.dropLast())
      let strongest = own.max {
        (change($0).difference?.magnitude ?? 0, $1) < (change($1).difference?.magnitude ?? 0, $0)
      }
      guard let strongest, let difference = change(strongest).difference,
        let interval = change(strongest).interval
      else { return "none \(direction.rawValue) \(metric.name)" }
      return
        "\(own.count) \(verb) \(metric.name) (the most: \(name(strongest)), \(metric.difference(difference)), "
        + "\(result.family.intervalName) \(metric.difference(interval)))"
    }
    let open = arms.count { change($0).direction == .undecided }
    return
      "Of \(arms.count) variants, \(parts.joined(separator: ", ")), and \(open) \(open == 1 ? "is" : "are") undecided"
  }

  // MARK: Gates

  /// The verdicts of the gates on the primary metric, followed by the verdicts of the other gates.
  private var judgements: [String] {
    let gates = result.gates
    let own = gates.filter { $0.gate.metric == plan.primary }
    let others = gates.filter { $0.gate.metric != plan.primary }
    return (own.isEmpty ? [] : ["targets: " + words(own)])
      + [others.isEmpty ? "no guardrails" : "guardrails: " + words(others)]
  }

  /// The maximum number of gates that are listed individually.
  private static let limit = 4

  private func words(_ gates: [PeopleGateResult]) -> String {
    if gates.count <= Self.limit {
      return gates.map { outcome in
        let gate = outcome.gate
        let metric = plan.metrics[gate.metric]
        let subject = (gate.isDifference ? "change of " : "") + metric.name
        return
          "\(subject) of \(name(gate.arm)) \(metric.bound(gate.target, isDifference: gate.isDifference)) is "
          + outcome.verdict.participle
      }.joined(separator: ", ")
    }
    return PeopleVerdict.allCases.compactMap { verdict in
      let count = gates.count { $0.verdict == verdict }
      return count == 0 ? nil : "\(count) \(verdict.participle)"
    }.joined(separator: ", ")
  }
}

extension PeopleVerdict {
  /// The verdict as a participle, for a sentence about a gate.
  var participle: String {
    switch self {
    case .pass: "met"
    case .missed: "missed"
    case .kill: "killed"
    case .inconclusive: "undecided"
    }
  }
}

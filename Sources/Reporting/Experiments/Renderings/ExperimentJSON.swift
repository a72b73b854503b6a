import Experiments
import PersonModel
import ScenarioModel
package import TextFormats
import TriggerModel

/// What an experiment found, for programs: whole numbers alone. Figures and differences are in millionths,
/// factors in thousandths.
package struct ExperimentJSON {
  /// What the document says that it is.
  package static let format = "triggerbench-experiment"

  private let report: ExperimentReport
  private var result: ExperimentResult { report.result }
  private var plan: ExperimentPlan { report.result.plan }

  package init(_ report: ExperimentReport) { self.report = report }

  package var document: JSONValue {
    var members: [JSONValue.Member] = [
      .init("format", .string(Self.format)), .init("version", 1), .init("tool", .string(report.tool)),
      .init("command", .string(report.command)), .init("title", .string(plan.title)),
      .init("question", .string(plan.question)), .init("population", .string(plan.population)),
      .init("seed", .integer(Int(plan.seed))), .init("days", .integer(plan.watch.days)),
      .init("followUp", .integer(Int(plan.watch.followUp.milliseconds))),
      .init("people", .integer(Int(result.people))),
      .init("looks", .array(result.looks.map { .integer(Int($0)) })),
      .init("ending", .string(result.ending.rawValue)),
      .init("isPartial", .truth(result.ending == .interrupted)),
      .init("evidence", ["counts": "instrumented", "taps": "assumed", "optOuts": "assumed"]),
      .init("policies", .array(plan.arms.indices.map(arm))),
      .init("differences", .array((1..<plan.arms.count).flatMap(differences))),
      .init("gates", .array(result.gates.map(gate))),
      .init("moves", .array(result.closely.map(moves))),
    ]
    if !plan.origins.isEmpty {
      members.append(.init("recordings", .array(plan.origins.map { .string($0) })))
    }
    if let front = ParetoFront(result) { members.append(.init("front", pareto(front))) }
    if let sensitivity = result.sensitivity { members.append(.init("assumptions", assumptions(sensitivity))) }
    return .object(members)
  }

  /// In millionths.
  private func number(_ value: Double) -> JSONValue { .integer(Int((value * 1e6).rounded())) }

  /// In thousandths.
  private func factor(_ value: Double) -> JSONValue { .integer(Int((value * 1e3).rounded())) }

  private func interval(_ interval: Interval?) -> [JSONValue.Member] {
    guard let interval else { return [] }
    // Away from each other, so that nothing is decided by a rounding.
    return [
      .init("lower", .integer(Int((interval.lower * 1e6).rounded(.down)))),
      .init("upper", .integer(Int((interval.upper * 1e6).rounded(.up)))),
    ]
  }

  private func arm(_ arm: Int) -> JSONValue {
    let totals = result.sums.totals[arm]
    return [
      "name": .string(plan.arms[arm].name),
      "settings": .array(plan.arms[arm].settings.map { .string($0) }),
      "requested": .integer(Int(totals.requested)), "shown": .integer(Int(totals.shown)),
      "tapped": .integer(Int(totals.tapped)), "optedOut": .integer(Int(totals.optedOut)),
      "personDays": .integer(Int(totals.personDays)),
      "types": .array(
        zip(plan.types, totals.byType).map { name, counts in
          [
            "name": .string(name), "requested": .integer(Int(counts.requested)),
            "shown": .integer(Int(counts.shown)), "tapped": .integer(Int(counts.tapped)),
          ]
        }),
      "hours": .array(
        totals.byHour.map { ["shown": .integer(Int($0.shown)), "tapped": .integer(Int($0.tapped))] }),
      "denied": .array(
        totals.reasons.map { reason in
          [
            "reason": .string(reason.name), "count": .integer(Int(totals.denied(reason))),
            "nearness": .array(totals.nearness(reason).map { .integer(Int($0)) }),
          ]
        }),
      "figures": .array(plan.metrics.indices.map { figure($0, arm) }),
    ]
  }

  private func figure(_ metric: Int, _ arm: Int) -> JSONValue {
    let estimate = result.figure(metric, arm: arm)
    var members: [JSONValue.Member] = [
      .init("metric", .string(plan.metrics[metric].name)),
      .init("numerator", .integer(Int(estimate.numerator))),
      .init("denominator", .integer(Int(estimate.denominator))),
      .init("people", .integer(Int(estimate.people))),
    ]
    if let value = estimate.value { members.append(.init("value", number(value))) }
    members += interval(estimate.interval)
    members.append(.init("method", .string(estimate.method.rawValue)))
    if let effect = estimate.designEffect { members.append(.init("designEffect", factor(effect))) }
    if let lack = estimate.lack { members.append(.init("lack", .string(lack))) }
    return .object(members)
  }

  private func differences(_ arm: Int) -> [JSONValue] {
    plan.metrics.indices.map { metric in
      let estimate = result.change(metric, arm: arm)
      var members: [JSONValue.Member] = [
        .init("metric", .string(plan.metrics[metric].name)), .init("policy", .string(plan.arms[arm].name)),
        .init("people", .integer(Int(estimate.people))),
        .init("differing", .integer(Int(estimate.differing))),
      ]
      if let difference = estimate.difference { members.append(.init("difference", number(difference))) }
      members += interval(estimate.interval)
      if let factor = estimate.varianceFactor { members.append(.init("varianceFactor", self.factor(factor))) }
      if let lack = estimate.lack { members.append(.init("lack", .string(lack))) }
      return .object(members)
    }
  }

  private func gate(_ outcome: PeopleGateResult) -> JSONValue {
    let gate = outcome.gate
    let (arm, isChange): (Int, Bool) =
      switch gate.subject {
      case .figure(let arm): (arm, false)
      case .change(let arm): (arm, true)
      }
    let metric = plan.metrics[gate.metric]
    var members: [JSONValue.Member] = [
      .init("metric", .string(metric.name)), .init("policy", .string(plan.arms[arm].name)),
      .init("isChange", .truth(isChange)),
      .init("target", .string(metric.bound(gate.target, isDifference: isChange))),
    ]
    if let kill = gate.kill {
      members.append(.init("kill", .string(metric.bound(kill, isDifference: isChange))))
    }
    if let value = outcome.value { members.append(.init("value", number(value))) }
    members += interval(outcome.interval)
    members.append(.init("verdict", .string(outcome.verdict.rawValue)))
    if let needed = outcome.peopleNeeded { members.append(.init("peopleNeeded", .integer(Int(needed)))) }
    if let lack = outcome.lack { members.append(.init("lack", .string(lack))) }
    members.append(
      .init(
        "benchmarks",
        .array(
          gate.benchmarks.map {
            [
              "value": .integer(Int($0.millionths)), "of": .string($0.subject),
              "source": .string($0.source),
            ]
          })))
    return .object(members)
  }

  private func moves(_ arm: Int) -> JSONValue {
    let change = result.sums.changes[arm - 1]
    func counts(_ moves: ChangeSums.Moves) -> JSONValue {
      [
        "gained": .integer(Int(moves.gained)), "tappedGained": .integer(Int(moves.tappedGained)),
        "displaced": .integer(Int(moves.displaced)), "tappedDisplaced": .integer(Int(moves.tappedDisplaced)),
      ]
    }
    return [
      "policy": .string(plan.arms[arm].name), "all": counts(change.all),
      "types": .array(change.byType.map(counts)), "hours": .array(change.byHour.map(counts)),
      "tapsWon": .integer(Int(change.tapsWon)), "tapsLost": .integer(Int(change.tapsLost)),
      "reasons": .array(
        change.reasons.map {
          [
            "reason": .string($0.reason?.name ?? "noRequest"), "gainedFrom": .integer(Int($0.gainedFrom)),
            "displacedTo": .integer(Int($0.displacedTo)),
          ]
        }),
      "people": [
        "unchanged": .integer(Int(change.unchanged)), "onlyGaining": .integer(Int(change.onlyGaining)),
        "onlyLosing": .integer(Int(change.onlyLosing)),
        "gainingAndLosing": .integer(Int(change.gainingAndLosing)),
        "shownFewer": .integer(Int(change.shownFewer)),
        "optOutsAdded": .integer(Int(change.optOutsAdded)),
        "optOutsSpared": .integer(Int(change.optOutsSpared)),
      ],
      "named": .array(
        change.people.ten.map { person in
          [
            "person": .integer(Int(person.person)), "gained": .integer(Int(person.gained)),
            "displaced": .integer(Int(person.displaced)),
            "shown": .array([.integer(Int(person.shown.base)), .integer(Int(person.shown.variant))]),
            "tapped": .array([.integer(Int(person.tapped.base)), .integer(Int(person.tapped.variant))]),
            "optedOut": .array([.integer(Int(person.optedOut.base)), .integer(Int(person.optedOut.variant))]),
          ]
        }),
    ]
  }

  private func pareto(_ front: ParetoFront) -> JSONValue {
    .array(
      front.points.map { point in
        var members: [JSONValue.Member] = [
          .init("policy", .string(plan.arms[point.arm].name)),
          .init(front.opensMetric.name, number(point.opens)),
          .init("tapThrough", number(point.tapThrough)), .init("optOuts", number(point.optOuts)),
          .init("isOnFront", .truth(point.isOnFront)),
        ]
        if let same = point.sameAs { members.append(.init("sameAs", .string(plan.arms[same].name))) }
        if let by = point.beatenBy { members.append(.init("beatenBy", .string(plan.arms[by].name))) }
        return .object(members)
      })
  }

  private func assumptions(_ found: SensitivityResult) -> JSONValue {
    func estimate(_ estimate: PairEstimate) -> JSONValue {
      .object(
        [estimate.difference.map { JSONValue.Member("difference", number($0)) }].compactMap(\.self)
          + interval(estimate.interval))
    }
    let effects: [JSONValue] = found.effects.map { effect in
      let assumption = effect.assumption
      var members: [JSONValue.Member] = [
        .init("name", .string(assumption.name)), .init("meaning", .string(assumption.meaning)),
        .init("standard", .integer(Int(assumption.standard))),
        .init("least", .integer(Int(assumption.range.lowerBound))),
        .init("greatest", .integer(Int(assumption.range.upperBound))),
        .init("unit", .string(assumption.unit)),
        .init("evidence", .string(assumption.evidence.rawValue)), .init("source", .string(assumption.source)),
        .init("atLeast", estimate(effect.low)), .init("atGreatest", estimate(effect.high)),
      ]
      if let flip = effect.flip { members.append(.init("flipsAt", .integer(Int(flip)))) }
      return .object(members)
    }
    let chances: [JSONValue] = found.chances.map { chance in
      [
        "gate": .integer(chance.gate), "met": .integer(chance.met), "draws": .integer(chance.draws),
        "unsure": .integer(chance.unsure),
        "least": number(chance.least), "greatest": number(chance.greatest),
      ]
    }
    return [
      "people": .integer(Int(found.people)), "peopleOfDraw": .integer(Int(found.peopleOfDraw)),
      "standard": estimate(found.standard),
      "effects": .array(effects), "chances": .array(chances),
    ]
  }
}

import Experiments
import PersonModel
import ScenarioModel
package import TextFormats
import TriggerModel

/// The report as JSON for programs. All numbers are integers: figures and differences in millionths, and factors in
/// thousandths.
package struct ExperimentJSON {
  /// The value of the document's `format`.
  package static let format = "triggerbench-experiment"

  private let report: ExperimentReport
  private var result: ExperimentResult { report.result }
  private var plan: ExperimentPlan { report.result.plan }

  package init(_ report: ExperimentReport) { self.report = report }

  package var document: JSONValue {
    .present([
      "format": .string(Self.format), "version": 1, "answer": .string(report.answer),
      "primary": .string(plan.metrics[plan.primary].name), "tool": .string(report.tool),
      "command": .string(report.command), "title": .string(plan.title), "question": .string(plan.question),
      "configurationHash": .string(plan.identity.hexadecimal),
      "configuration": plan.configuration.document,
      "population": .string(plan.population), "seed": .count(plan.seed), "days": .integer(plan.watch.days),
      "followUp": .count(plan.watch.followUp.milliseconds), "people": .count(result.people),
      "looks": .array(result.looks.map(JSONValue.count)), "ending": .string(result.ending.rawValue),
      "isPartial": .truth(result.ending == .interrupted),
      "evidence": .string(plan.evidence.rawValue),
      "family": [
        "method": .string(plan.isFamilywise ? "bonferroni" : "none"),
        "comparisons": .integer(plan.comparisons),
        "error": number(result.family.error),
      ],
      "policies": .array(plan.arms.indices.map(arm)),
      "differences": .array((1..<plan.arms.count).flatMap(differences)),
      "gates": .array(result.gates.map(gate)), "moves": .array(result.detailedArms.map(moves)),
      "recordings": plan.origins.isEmpty ? nil : .strings(plan.origins),
      "front": ParetoFront(result).map(pareto), "assumptions": result.sensitivity.map(assumptions),
    ])
  }

  /// Returns a figure in millionths.
  private func number(_ value: Double) -> JSONValue { .count((value * 1e6).rounded()) }

  /// Returns a factor in thousandths.
  private func factor(_ value: Double) -> JSONValue { .count((value * 1e3).rounded()) }

  /// Returns the lower end of an interval in millionths. It is rounded down, so that rounding never excludes a value.
  private func lower(_ interval: Interval?) -> JSONValue? {
    interval.map { .count(($0.lower * 1e6).rounded(.down)) }
  }

  /// Returns the upper end of an interval in millionths, rounded up.
  private func upper(_ interval: Interval?) -> JSONValue? {
    interval.map { .count(($0.upper * 1e6).rounded(.up)) }
  }

  private func arm(_ arm: Int) -> JSONValue {
    let totals = result.sums.totals[arm]
    return [
      "name": .string(plan.arms[arm].name), "settings": .strings(plan.arms[arm].settings),
      "requested": .count(totals.requested), "shown": .count(totals.shown), "tapped": .count(totals.tapped),
      "optedOut": .count(totals.optedOut), "personDays": .count(totals.personDays),
      "types": .array(
        zip(plan.types, totals.byType).map { name, counts in
          [
            "name": .string(name), "requested": .count(counts.requested), "shown": .count(counts.shown),
            "tapped": .count(counts.tapped),
          ]
        }),
      "hours": .array(totals.byHour.map { ["shown": .count($0.shown), "tapped": .count($0.tapped)] }),
      "denied": .array(
        totals.reasons.map { reason in
          [
            "reason": .string(reason.name), "count": .count(totals.denied(reason)),
            "nearness": .array(totals.nearness(reason).map(JSONValue.count)),
          ]
        }),
      "figures": .array(plan.metrics.indices.map { figure($0, arm) }),
    ]
  }

  private func figure(_ metric: Int, _ arm: Int) -> JSONValue {
    let estimate = result.figure(metric, arm: arm)
    return .present([
      "metric": .string(plan.metrics[metric].name), "numerator": .count(estimate.numerator),
      "denominator": .count(estimate.denominator), "people": .count(estimate.people),
      "value": estimate.value.map(number), "lower": lower(estimate.interval),
      "upper": upper(estimate.interval), "method": .string(estimate.method.rawValue),
      "designEffect": estimate.designEffect.map(factor), "lack": estimate.lack.map(JSONValue.string),
    ])
  }

  private func differences(_ arm: Int) -> [JSONValue] {
    plan.metrics.indices.map { metric in
      let (estimate, joint) = (result.change(metric, arm: arm), result.jointChange(metric, arm: arm))
      return .present([
        "metric": .string(plan.metrics[metric].name), "policy": .string(plan.arms[arm].name),
        "people": .count(estimate.people), "differing": .count(estimate.differing),
        "difference": estimate.difference.map(number), "lower": lower(estimate.interval),
        "upper": upper(estimate.interval), "jointLower": lower(joint.interval),
        "jointUpper": upper(joint.interval), "direction": .string(joint.direction.rawValue),
        "varianceFactor": estimate.varianceFactor.map(factor),
        "lack": estimate.lack.map(JSONValue.string),
      ])
    }
  }

  private func gate(_ outcome: PeopleGateResult) -> JSONValue {
    let gate = outcome.gate
    let metric = plan.metrics[gate.metric]
    func bound(_ bound: Bound) -> JSONValue { .string(metric.bound(bound, isDifference: gate.isDifference)) }
    return .present([
      "metric": .string(metric.name), "policy": .string(plan.arms[gate.arm].name),
      "isChange": .truth(gate.isDifference), "target": bound(gate.target), "kill": gate.kill.map(bound),
      "value": outcome.value.map(number), "lower": lower(outcome.interval),
      "upper": upper(outcome.interval), "verdict": .string(outcome.verdict.rawValue),
      "peopleNeeded": outcome.peopleNeeded.map(JSONValue.count),
      "peopleNeededAt90": outcome.peopleNeededAt90.map(JSONValue.count),
      "lack": outcome.lack.map(JSONValue.string),
      "benchmarks": .array(
        gate.benchmarks.map {
          ["value": .count($0.millionths), "of": .string($0.subject), "source": .string($0.source)]
        }),
    ])
  }

  private func moves(_ arm: Int) -> JSONValue {
    let change = result.sums.changes[arm - 1]
    func counts(_ moves: ChangeSums.Moves) -> JSONValue {
      [
        "gained": .count(moves.gained), "tappedGained": .count(moves.tappedGained),
        "displaced": .count(moves.displaced), "tappedDisplaced": .count(moves.tappedDisplaced),
      ]
    }
    return [
      "policy": .string(plan.arms[arm].name), "all": counts(change.all),
      "types": .array(change.byType.map(counts)), "hours": .array(change.byHour.map(counts)),
      "tapsWon": .count(change.tapsWon), "tapsLost": .count(change.tapsLost),
      "reasons": .array(
        change.reasons.map {
          [
            "reason": .string($0.reason?.name ?? "noRequest"), "gainedFrom": .count($0.gainedFrom),
            "displacedTo": .count($0.displacedTo),
          ]
        }),
      "people": [
        "unchanged": .count(change.unchanged), "onlyGaining": .count(change.onlyGaining),
        "onlyLosing": .count(change.onlyLosing), "gainingAndLosing": .count(change.gainingAndLosing),
        "shownFewer": .count(change.shownFewer), "optOutsAdded": .count(change.optOutsAdded),
        "optOutsSpared": .count(change.optOutsSpared),
      ],
      "named": .array(
        change.people.ten.map { person in
          [
            "person": .count(person.person), "gained": .count(person.gained),
            "displaced": .count(person.displaced),
            "shown": .array([.count(person.shown.base), .count(person.shown.variant)]),
            "tapped": .array([.count(person.tapped.base), .count(person.tapped.variant)]),
            "optedOut": .array([.count(person.optedOut.base), .count(person.optedOut.variant)]),
          ]
        }),
    ]
  }

  private func pareto(_ front: ParetoFront) -> JSONValue {
    .array(
      front.points.map { point in
        .present([
          "policy": .string(plan.arms[point.arm].name), front.opensMetric.name: number(point.opens),
          "tapThrough": number(point.tapThrough), "optOuts": number(point.optOuts),
          "isOnFront": .truth(point.isOnFront), "sameAs": point.sameAs.map { .string(plan.arms[$0].name) },
          "beatenBy": point.beatenBy.map { .string(plan.arms[$0].name) },
        ])
      })
  }

  private func assumptions(_ found: SensitivityResult) -> JSONValue {
    func estimate(_ value: Double?, _ interval: Interval?) -> JSONValue {
      .present([
        "difference": value.map(number), "lower": lower(interval), "upper": upper(interval),
      ])
    }
    let effects: [JSONValue] = found.effects.map { effect in
      let assumption = effect.assumption
      return .present([
        "name": .string(assumption.name), "meaning": .string(assumption.meaning),
        "value": .count(assumption.value), "standard": .count(assumption.standard),
        "least": .count(assumption.range.lowerBound),
        "greatest": .count(assumption.range.upperBound), "unit": .string(assumption.unit),
        "evidence": .string(assumption.isDeclared ? "declared" : assumption.evidence.rawValue),
        "source": .string(assumption.source),
        "atLeast": estimate(effect.low.value, effect.low.interval),
        "atGreatest": estimate(effect.high.value, effect.high.interval),
        "flips": .array(
          effect.flips.map { flip in
            [
              "at": .count(flip.value), "lower": .count(flip.interval.lowerBound),
              "upper": .count(flip.interval.upperBound),
            ]
          }),
      ])
    }
    let chances: [JSONValue] = found.chances.map { chance in
      [
        "gate": .integer(chance.gate), "met": .integer(chance.met), "draws": .integer(chance.draws),
        "unsure": .integer(chance.unsure),
        "least": number(chance.least), "greatest": number(chance.greatest),
      ]
    }
    return [
      "people": .count(found.people), "peopleOfDraw": .count(found.peopleOfDraw),
      "standard": estimate(found.standard.difference, found.standard.interval),
      "compared": .strings(plan.sensitivity?.compared ?? []), "effects": .array(effects),
      "chances": .array(chances),
    ]
  }
}

import Experiments
import PersonModel
import ScenarioModel
import TextFormats
import TriggerModel

/// The sections of an experiment's report.
struct ExperimentSections {
  let result: ExperimentResult
  private var plan: ExperimentPlan { result.plan }

  init(result: ExperimentResult) { self.result = result }

  var all: [ResultSection] {
    [differences] + gates + result.detailedArms.flatMap(moves) + ([0] + result.detailedArms).map(rules)
      + front
      + assumptions + [method, configuration]
  }

  // MARK: Differences

  /// The section on the paired differences of every metric for each variant.
  private var differences: ResultSection {
    var rows: [[String]] = []
    var groups: [Chart.Forest.Group] = []
    let arms = plan.arms.count <= 13 ? Array(1..<plan.arms.count) : [result.focus]
    for (index, metric) in plan.metrics.enumerated() {
      var group: [Chart.Forest.Row] = []
      for arm in arms {
        let (base, own, change) = (
          result.figure(index, arm: 0), result.figure(index, arm: arm), result.change(index, arm: arm)
        )
        let joint = result.jointChange(index, arm: arm)
        rows.append([
          metric.name, plan.arms[arm].name, figure(metric, base), figure(metric, own),
          change.difference.map(metric.difference) ?? "none",
          change.interval.map(metric.difference) ?? change.lack ?? "none", joint.direction.rawValue,
          change.varianceFactor.map { Numbers.fixed($0, 1) + " ×" } ?? "none",
          own.designEffect.map { Numbers.fixed($0, 2) } ?? "none",
        ])
        if let difference = change.difference, let interval = joint.interval {
          group.append(
            Chart.Forest.Row(
              label: metric.name, detail: arms.count == 1 ? nil : plan.arms[arm].name,
              text: metric.difference(difference), value: difference, lower: interval.lower,
              upper: interval.upper))
        }
      }
      if group.isEmpty { continue }
      let reach = group.reduce(0) { max($0, $1.lower.magnitude, $1.upper.magnitude) }
      groups.append(
        Chart.Forest.Group(rows: group, reach: reach, ends: [-reach, reach].map(metric.difference)))
    }
    let chart = Chart.Forest(
      title: "Differences from the base: \(result.family.intervalName)s", groups: groups)
    return ResultSection(
      "Differences", chart: groups.isEmpty ? nil : .forest(chart),
      table: ReportTable(
        columns: [
          .text("metric"), .text("variant"), .number("base"), .number("variant's"), .number("difference"),
          .number("95 % interval"), .text("direction"), .number("variance reduction"),
          .number("design effect"),
        ], rows: rows,
        notes: [
          "Each difference compares the same people with the same luck under both policies. Its interval is by person "
            + "(delta method, t quantile). \"Variance reduction\": the variance with other people for each policy, "
            + "divided by this one. \"Design effect\": the squared width of the variant's own interval, divided by that "
            + "if each notification were to a different person."
        ] + [result.familyNote].compactMap(\.self)
          + (arms.count < plan.arms.count - 1
            ? ["Only one policy of the grid is shown; the section 'Pareto front' has all."] : [])))
  }

  private func figure(_ metric: PeopleMetric, _ estimate: RatioEstimate) -> String {
    guard let value = estimate.value else { return "none" }
    return
      "\(metric.text(value)) (\(Numbers.count(estimate.numerator)) of \(Numbers.count(estimate.denominator)))"
  }

  // MARK: Gates

  private var gates: [ResultSection] {
    if result.gates.isEmpty { return [] }
    let rows = result.gates.map { outcome in
      let gate = outcome.gate
      let metric = plan.metrics[gate.metric]
      func bound(_ bound: Bound) -> String { metric.bound(bound, isDifference: gate.isDifference) }
      return [
        "\(subject(gate)), \(plan.arms[gate.arm].name)", bound(gate.target), gate.kill.map(bound) ?? "none",
        outcome.value.map { gate.isDifference ? metric.difference($0) : metric.text($0) } ?? "none",
        outcome.interval.map { gate.isDifference ? metric.difference($0) : metric.text($0) } ?? outcome.lack
          ?? "none",
        outcome.verdict.rawValue.uppercased(), needed(outcome, outcome.peopleNeeded),
        needed(outcome, outcome.peopleNeededAt90),
      ]
    }
    return [
      ResultSection(
        "Gates",
        table: ReportTable(
          columns: [
            .text("gate"), .number("target"), .number("kill"), .number("figure"),
            .number(result.family.intervalName), .text("verdict"), .number("more people, 80 % power"),
            .number("more people, 90 % power"),
          ], rows: rows,
          notes: [
            "PASS: the whole interval meets the target. KILL: the whole interval meets the kill criterion. "
              + "MISSED: no part of the interval meets the target. INCONCLUSIVE: the interval reaches across the target. "
              + "The last columns: the number of additional people that decides a run with this probability, if the true "
              + "figure is spread around the estimate as the interval says. "
              + "Intervals are by person: mid-P intervals for shares, otherwise by the delta method."
          ] + result.gates.flatMap { benchmarks($0.gate) }.distinct))
    ]
  }

  private func subject(_ gate: PeopleGate) -> String {
    (gate.isDifference ? "change of " : "") + plan.metrics[gate.metric].name
  }

  private func needed(_ outcome: PeopleGateResult, _ people: Int64?) -> String {
    if outcome.verdict != .inconclusive { return "none" }
    return people.map { Numbers.count(max(0, $0 - result.people)) } ?? "unknown"
  }

  /// Returns a sentence that compares the gate's target with published benchmarks, if there are any.
  private func benchmarks(_ gate: PeopleGate) -> [String] {
    gate.benchmarks.standing(of: gate.target.millionths, among: "published benchmark").map {
      ["The target \(gate.target.text) of \(plan.metrics[gate.metric].name) is \($0.place): \($0.figures)."]
    } ?? []
  }

  // MARK: Gained and displaced notifications

  /// Returns the sections on the notifications that a variant adds and removes: by type, by hour, by rule, and for
  /// ten people.
  private func moves(_ arm: Int) -> [ResultSection] {
    let name = plan.arms[arm].name
    let change = result.sums.changes[arm - 1]
    let totals = (result.sums.totals[0], result.sums.totals[arm])
    let people = result.people
    let sentences = [
      "\(Numbers.count(change.all.gained)) notifications are shown that the base denies "
        + "(\(Numbers.count(change.all.tappedGained)) of them tapped), and \(Numbers.count(change.all.displaced)) are "
        + "displaced (\(Numbers.count(change.all.tappedDisplaced)) tapped): \(Numbers.count(totals.0.reached)) become "
        + "\(Numbers.count(totals.1.reached))\(onSeveralDevices(totals.0, totals.1)). Of those shown under both, \(Numbers.count(change.tapsWon)) are tapped only "
        + "under \(name) and \(Numbers.count(change.tapsLost)) only under the base.",
      "Nothing changes for \(Numbers.share(change.unchanged, of: people)) of \(Numbers.count(people)) people; "
        + "\(Numbers.share(change.onlyGaining, of: people)) only gain, \(Numbers.share(change.onlyLosing, of: people)) only "
        + "lose, \(Numbers.share(change.gainingAndLosing, of: people)) do both; "
        + "\(Numbers.share(change.shownFewer, of: people)) are shown fewer in total. "
        + "Turning notifications off: \(Numbers.count(change.optOutsAdded)) only under \(name), "
        + "\(Numbers.count(change.optOutsSpared)) only under the base.",
    ]
    return [
      ResultSection("Who gained and who was displaced: \(name)", sentences, table: types(change)),
      hours(change, name), reasons(change, name), named(change, name),
    ]
  }

  /// Returns a note that exposures on all devices exceed the totals, because a notification can be shown on several
  /// devices of a person.
  private func onSeveralDevices(_ base: Totals, _ variant: Totals) -> String {
    if base.shown == base.reached, variant.shown == variant.reached { return "" }
    return
      ", each counted once for all devices of a person (on all devices, \(Numbers.count(base.shown)) become "
      + "\(Numbers.count(variant.shown)))"
  }

  private func types(_ change: ChangeSums) -> ReportTable {
    let names = plan.types
    return ReportTable(
      columns: [.text("type")] + Self.moveColumns,
      rows: names.indices.filter { change.byType[$0] != ChangeSums.Moves() }.map {
        [names[$0]] + Self.cells(change.byType[$0])
      } + [["all"] + Self.cells(change.all)])
  }

  private static let moveColumns: [ReportTable.Column] = [
    .number("gained"), .number("tapped"), .number("displaced"), .number("tapped"), .number("net"),
  ]

  private static func cells(_ moves: ChangeSums.Moves) -> [String] {
    [moves.gained, moves.tappedGained, moves.displaced, moves.tappedDisplaced].map(Numbers.count)
      + [Numbers.fixed(Double(moves.gained - moves.displaced), 0, signed: true)]
  }

  private func hours(_ change: ChangeSums, _ name: String) -> ResultSection {
    let chart = Chart.Hours(
      title: "Notifications gained and displaced, by hour of the local day: \(name)",
      up: Chart.Hours.Side(
        name: "gained", meaning: "shown, but denied by the base", counts: change.byHour.map(\.gained)),
      down: Chart.Hours.Side(
        name: "displaced", meaning: "denied, but shown by the base",
        counts: change.byHour.map(\.displaced)))
    let table = ReportTable(
      columns: [.number("hour")] + Self.moveColumns,
      rows: (0..<24).filter { change.byHour[$0] != ChangeSums.Moves() }.map {
        ["\($0)"] + Self.cells(change.byHour[$0])
      })
    return ResultSection("By hour: \(name)", chart: .hours(chart), table: table)
  }

  private func reasons(_ change: ChangeSums, _ name: String) -> ResultSection {
    ResultSection(
      "By rule: \(name)",
      table: ReportTable(
        columns: [.text("rule"), .number("gained, denied before"), .number("displaced, denied now")],
        rows: change.reasons.map {
          [$0.reason?.name ?? "no request", Numbers.count($0.gainedFrom), Numbers.count($0.displacedTo)]
        }))
  }

  private func named(_ change: ChangeSums, _ name: String) -> ResultSection {
    ResultSection(
      "Ten people: \(name)",
      table: ReportTable(
        columns: [
          .number("person"), .number("gained"), .number("displaced"), .number("shown"), .number("tapped"),
          .text("turned notifications off"),
        ],
        rows: change.people.ten.map { person in
          [
            "\(person.person)", Numbers.count(person.gained), Numbers.count(person.displaced),
            "\(person.shown.base) → \(person.shown.variant)",
            "\(person.tapped.base) → \(person.tapped.variant)", Self.optOut(person),
          ]
        },
        notes: [
          "In turn: the people with the most losses, the most gains, and those who turned notifications off only under "
            + "\(name). 'triggerbench experiment FILE --person NUMBER' replays one of them."
        ]))
  }

  private static func optOut(_ person: NotablePerson) -> String {
    switch (person.optedOut.base > 0, person.optedOut.variant > 0) {
    case (false, false): "no"
    case (true, false): "under the base"
    case (false, true): "under the variant"
    case (true, true): "under both"
    }
  }

  // MARK: Rules

  /// Returns the section on the denials of a policy by rule, with the share that a slightly weaker rule would have
  /// admitted.
  private func rules(_ arm: Int) -> ResultSection {
    let totals = result.sums.totals[arm]
    let denied = totals.reasons.reduce(0) { $0 + totals.denied($1) }
    let isNearKnown = totals.reasons.contains { totals.nearness($0).dropLast().contains { $0 > 0 } }
    let rows = totals.reasons.map { reason in
      let count = totals.denied(reason)
      var soFar: Int64 = 0
      let near = totals.nearness(reason).dropLast().map { number in
        soFar += number
        return Numbers.share(soFar, of: count)
      }
      return [reason.name, Numbers.count(count), Numbers.share(count, of: denied)]
        + (isNearKnown ? near : [])
    }
    return ResultSection(
      "Which rule was binding: \(plan.arms[arm].name)",
      [
        "\(Numbers.count(denied)) of \(Numbers.count(totals.requested)) requests were denied: "
          + "\(totals.reasons.first.map { "most by \($0.name)" } ?? "none")."
      ],
      table: ReportTable(
        columns: [.text("rule"), .number("denied"), .number("share")]
          + (isNearKnown ? Self.nearnessBounds.map { .number($0) } : []),
        rows: rows,
        notes: [
          "The first failing check counts. "
            + (isNearKnown
              ? "The time columns give the slack: the share that the check would have admitted if the request were later, "
                + "or the rule shorter, by less than that time."
              : "None of these checks would have admitted the request within \(PersonOutcome.Nearness.bounds.last.map { $0 / 3_600 } ?? 0) h.")
        ]))
  }

  private static let nearnessBounds = PersonOutcome.Nearness.bounds.map { seconds in
    seconds < 3_600 ? "< \(seconds / 60) min" : "< \(seconds / 3_600) h"
  }

  // MARK: Pareto front

  /// The section on the policies that no other policy beats.
  private var front: [ResultSection] {
    guard plan.arms.count > 2, let front = ParetoFront(result) else { return [] }
    let (opens, share, quitting) = (
      front.opensMetric, PeopleMetric(.tapThrough), PeopleMetric(.optOuts)
    )
    let points = front.points.sorted { ($1.opens, $0.arm) < ($0.opens, $1.arm) }
    let rows = points.enumerated().map { index, point in
      [
        "\(index + 1)", plan.arms[point.arm].name, opens.text(point.opens), share.text(point.tapThrough),
        quitting.text(point.optOuts),
        point.sameAs.map { "the same as \(plan.arms[$0].name)" }
          ?? point.beatenBy.map { "beaten by \(plan.arms[$0].name)" } ?? "on the front",
      ]
    }
    let most = front.points.map(\.optOuts).max() ?? 1
    let least = front.points.map(\.optOuts).min() ?? 0
    func ends(_ values: [Double], _ metric: PeopleMetric) -> [String] {
      [values.min() ?? 0, values.max() ?? 0].map(metric.text)
    }
    let chart = Chart.Scatter(
      title: "Tap-through against \(opens.name): policies on the front are filled", xTitle: opens.name,
      yTitle: share.name,
      sizeTitle: "larger: more opt-outs, \(quitting.text(least)) to \(quitting.text(most))",
      points: points.enumerated().filter { $0.element.sameAs == nil }.map { index, point in
        Chart.Scatter.Point(
          number: index + 1, label: "\(index + 1): \(plan.arms[point.arm].name)", x: point.opens,
          y: point.tapThrough,
          size: most > least ? (point.optOuts - least) / (most - least) : 0,
          isOnFront: point.isOnFront, isBase: point.arm == 0)
      }, xTexts: ends(front.points.map(\.opens), opens),
      yTexts: ends(front.points.map(\.tapThrough), share))
    let count = front.points.count(where: \.isOnFront)
    let copies = front.points.count { $0.sameAs != nil }
    return [
      ResultSection(
        "Pareto front",
        [
          "\(count) of \(front.points.count - copies) different policies are not beaten by another: no other one is known "
            + "to have more \(opens.name), higher \(share.name) and fewer \(quitting.name) at the same time."
            + (copies == 0 ? "" : " \(copies) more have the same effect on everyone as one of these.")
        ], chart: .scatter(chart),
        table: ReportTable(
          columns: [
            .number("no."), .text("policy"), .number(opens.name), .number(share.name), .number(quitting.name),
            .text("front"),
          ], rows: rows,
          notes: [
            "A policy is beaten only if another one is better in each of the three figures, beyond the interval of their "
              + "difference over the same people; equal counts for everybody are as good. "
              + (plan.isFamilywise
                ? "The intervals allow for the number of pairs, so that all of these comparisons hold together with a "
                  + "probability of at least 95 %. "
                : "Each interval has 95 % by itself. ")
              + "More people tell more policies apart."
          ]))
    ]
  }

  // MARK: Assumptions

  /// The section on how the difference of a metric depends on the model's assumptions.
  private var assumptions: [ResultSection] {
    guard let sensitivity = plan.sensitivity, let found = result.sensitivity else { return [] }
    let metric = plan.metrics[sensitivity.metric]
    let name = plan.arms[sensitivity.variant].name
    let rows = found.effects.map { effect in
      let assumption = effect.assumption
      return [
        assumption.name, assumption.meaning, Self.value(assumption.value, assumption),
        "\(Self.value(assumption.range.lowerBound, assumption)) to \(Self.value(assumption.range.upperBound, assumption))",
        text(effect.low.value, effect.low.interval, metric),
        text(effect.high.value, effect.high.interval, metric), flips(effect), evidence(assumption),
      ]
    }
    var chart = Chart.Tornado(
      title: "Difference of \(metric.name) under other assumptions: \(name)",
      xTitle: "difference of \(metric.name)",
      standard: found.standard.difference ?? 0,
      standardText: text(found.standard.difference, found.standard.interval, metric),
      rows: found.effects.compactMap { effect in
        guard let low = effect.low.value, let high = effect.high.value else { return nil }
        return Chart.Tornado.Row(
          label: effect.assumption.name, low: low, high: high,
          lowText: Self.value(effect.assumption.range.lowerBound, effect.assumption),
          highText: Self.value(effect.assumption.range.upperBound, effect.assumption))
      }, ends: [])
    chart.ends = [chart.range.lowerBound, chart.range.upperBound].map(metric.difference)
    let reversing = found.effects.filter { !$0.flips.isEmpty }.map(\.assumption.name)
    let conclusion =
      reversing.isEmpty
      ? "Within these ranges, no single assumption reverses its sign."
      : "Its sign depends on \(reversing.joined(separator: ", "))."
    return [
      ResultSection(
        "What the answer depends on: \(metric.name), \(name)",
        [
          "Under unchanged assumptions the difference is "
            + "\(text(found.standard.difference, found.standard.interval, metric)), the result of this experiment. "
            + conclusion,
          "\"Unchanged\" is the value in the experiment and its population. Each other value shows this result plus the "
            + "change for the first \(Numbers.count(found.people)) people."
            + (sensitivity.compared.isEmpty
              ? ""
              : " Not varied, because \(name) and the base differ in them: \(sensitivity.compared.joined(separator: ", "))."),
        ], chart: .tornado(chart),
        table: ReportTable(
          columns: [
            .text("assumption"), .longText("meaning"), .number("unchanged"), .number("range"),
            .number("at the lowest"), .number("at the highest"), .text("sign reverses"),
            .longText("evidence"),
          ], rows: rows, notes: chances(found)))
    ]
  }

  private func text(_ value: Double?, _ interval: Interval?, _ metric: PeopleMetric) -> String {
    guard let value else { return "none" }
    return metric.difference(value) + (interval.map { " (\(metric.difference($0)))" } ?? "")
  }

  /// Returns the values at which the sign reverses, each with the range in which the sign is unsure.
  private func flips(_ effect: SensitivityResult.Effect) -> String {
    if effect.flips.isEmpty { return "nowhere in the range" }
    let assumption = effect.assumption
    return effect.flips.map { flip in
      let ends = [flip.interval.lowerBound, flip.interval.upperBound].map { Self.value($0, assumption) }
      let (least, greatest) = (assumption.range.lowerBound, assumption.range.upperBound)
      return "at about \(Self.value(flip.value, assumption)), unsure from "
        + "\(ends[0])\(flip.interval.lowerBound == least ? " or less" : "") to "
        + "\(ends[1])\(flip.interval.upperBound == greatest ? " or more" : "")"
    }.joined(separator: "; ")
  }

  private func evidence(_ assumption: Assumption) -> String {
    let source = "\(assumption.evidence.rawValue): \(assumption.source)"
    guard assumption.isDeclared else { return source }
    return "declared: the experiment or its population; the model has "
      + "\(Self.value(assumption.standard, assumption)), \(source)"
  }

  /// Returns a value of an assumption in its unit.
  private static func value(_ millionths: Int64, _ assumption: Assumption) -> String {
    if assumption.unit == "%" { return Numbers.fixed(Double(millionths) / 10_000, 1) + " %" }
    var digits = Numbers.fixed(Double(millionths) / 1_000_000, 3)
    while digits.hasSuffix("0") { digits.removeLast() }
    if digits.hasSuffix(".") { digits.removeLast() }
    return assumption.unit.isEmpty ? digits : "\(digits) \(assumption.unit)"
  }

  private func chances(_ found: SensitivityResult) -> [String] {
    found.chances.map { chance in
      let gate = plan.gates[chance.gate]
      let metric = plan.metrics[gate.metric]
      let ends = [chance.least, chance.greatest].map {
        gate.isDifference ? metric.difference($0) : metric.text($0)
      }
      let bound = metric.bound(gate.target, isDifference: gate.isDifference)
      return
        "Probability under the model: with all assumptions drawn from their ranges, \(subject(gate)) of "
        + "\(plan.arms[gate.arm].name) is \(bound) in \(chance.met) of \(chance.draws) draws (it ranges from \(ends[0]) to \(ends[1]))."
        + (chance.unsure == 0
          ? ""
          : " In \(chance.unsure) of the draws this is uncertain: each draw has \(Numbers.count(found.peopleOfDraw)) people.")
    }
  }

  // MARK: Method

  private var method: ResultSection {
    let followUp = Atom<TimeSpan>.text(plan.watch.followUp, withDays: false)
    let ending =
      switch result.ending {
      case .complete: "all requested people were played"
      case .precise:
        "every interval was narrow enough" + (plan.gates.isEmpty ? "" : " and every gate decided")
      case .spent: "the budget was spent before every interval was narrow enough"
      case .interrupted: "it was interrupted"
      }
    let rows =
      [["population", plan.population]] + plan.origins.map { ["days of a recorded phone", $0] } + [
        ["seed", "\(plan.seed)"], ["days", "\(plan.watch.days)"], ["follow-up", followUp],
        ["people", Numbers.count(result.people)],
        ["interim looks at", result.looks.map(Numbers.count).joined(separator: ", ")],
        ["stopped because", ending], ["policies", "\(plan.arms.count), including the base"],
      ]
      + plan.precision.map { precision in
        let metric = plan.metrics[precision.metric]
        return ["precision of \(metric.name)", "half width of \(metric.width(precision.halfWidth))"]
      }
    let phones = plan.origins.count == 1 ? "the recorded phone" : "the \(plan.origins.count) recorded phones"
    let recorded =
      "Unlocks and charging are those of whole recorded days: a Monday is one of the recorded Mondays. More people than "
      + "recordings add chance, but no habits. The people share \(phones), and the intervals treat them as independent: "
      + "they hold for people who live like \(phones), and do not cover the choice of the recordings."
    return ResultSection(
      "Method",
      table: ReportTable(
        columns: [.text("setting"), .text("value")], rows: rows,
        notes: (plan.origins.isEmpty ? [] : [recorded]) + [
          "All figures are \(plan.evidence.rawValue): they are counted in this run, but the people follow a model. Taps, "
            + "opt-outs and permissions decide how many notifications are shown and denied. The figures show what the model "
            + "implies, not what people do.",
          "A response counts within \(followUp) after the notification, for everyone: people are followed for that time "
            + "after the last day, and nothing else of that time is counted.",
          "The experiment stops by the width of the intervals, and by their position only if the gates are decided by "
            + "intervals that allow for every look.",
        ]))
  }
}

extension ExperimentSections {
  // MARK: Configuration

  /// The section with the resolved settings, so that two reports can be compared.
  private var configuration: ResultSection {
    ResultSection(
      "Configuration",
      table: ReportTable(
        columns: [.text("setting"), .text("value")],
        rows: [["hash of the configuration", plan.identity.hexadecimal]]
          + plan.configuration.lines.map { [$0.name, $0.value] },
        notes: [
          "These settings determine the numbers, with the number of people and the version of the tool. The hash covers "
            + "the whole population, and is equal for experiments with equal settings. 'triggerbench compare' names the "
            + "settings that differ."
        ]))
  }
}

extension PeopleGate {
  /// Whether the gate's bound applies to the difference from the base, rather than to the figure of one policy.
  var isDifference: Bool { if case .change = subject { true } else { false } }

  /// The index of the policy that the gate evaluates.
  var arm: Int {
    switch subject {
    case .figure(let arm), .change(let arm): arm
    }
  }
}

import Experiments
import TriggerModel

/// Which rule denied how much, and by how little.
struct RuleSection {
  let result: ExperimentResult

  init(_ result: ExperimentResult) { self.result = result }

  var sections: [ResultSection] {
    ([0] + result.closely).map { arm in
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
        "Which rule was binding: \(result.plan.arms[arm].name)",
        [
          "Of \(Numbers.count(totals.requested)) requests \(Numbers.count(denied)) were denied: "
            + "\(totals.reasons.first.map { "most by \($0.name)" } ?? "none")."
        ],
        table: ResultTable(
          columns: [.text("rule"), .number("denied"), .number("share")]
            + (isNearKnown ? Self.bounds.map { .number($0) } : []),
          rows: rows),
        notes: [
          "The first failing check counts. "
            + (isNearKnown
              ? "Slack: the share that would have passed that check so much later, or with a rule so much shorter."
              : "None of these checks would have let it pass within \(PersonOutcome.Nearness.bounds.last.map { $0 / 3_600 } ?? 0) h.")
        ])
    }
  }

  private static let bounds = PersonOutcome.Nearness.bounds.map { seconds in
    seconds < 3_600 ? "< \(seconds / 60) min" : "< \(seconds / 3_600) h"
  }
}

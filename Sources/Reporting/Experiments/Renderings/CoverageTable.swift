package import Experiments

/// What a trial of coverage found, as a Markdown table.
package struct CoverageTable {
  private let plan: ExperimentPlan
  private let outcome: CoverageTrial.Outcome

  package init(_ plan: ExperimentPlan, _ outcome: CoverageTrial.Outcome) {
    self.plan = plan
    self.outcome = outcome
  }

  package var text: String {
    let trials = max(1, outcome.trials)
    let lines = [
      "\(outcome.trials) replications, \(outcome.people / Int64(trials)) people and "
        + "\(Numbers.fixed(Double(outcome.looks) / Double(trials), 1)) looks each on average.", "",
      "| interval of | truth | half width | replications | hold the truth | share |",
      "|---|--:|--:|--:|--:|--:|",
    ]
    return (lines + outcome.tallies.map(row)).joined(separator: "\n") + "\n"
  }

  private func row(_ tally: CoverageTrial.Tally) -> String {
    let metric = plan.metrics[tally.metric]
    let name = plan.arms[tally.arm].name
    let what = tally.isChange ? "difference of \(metric.name), \(name)" : "\(metric.name), \(name)"
    let truth = tally.isChange ? metric.difference(tally.truth) : metric.text(tally.truth)
    let width = tally.trials > 0 ? metric.width(tally.halfWidth) : "none"
    let share = Numbers.share(Int64(tally.hits), of: Int64(tally.trials))
    return "| \(what) | \(truth) | \(width) | \(tally.trials) | \(tally.hits) | \(share) |"
  }
}

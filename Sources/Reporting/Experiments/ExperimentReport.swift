package import Experiments

/// The report of an experiment in sections, from which all documents are generated.
package struct ExperimentReport: Sendable {
  package let result: ExperimentResult
  /// The command that reproduces the report.
  package let command: String
  package let tool: String
  package let sections: [ResultSection]

  package init(_ result: ExperimentResult, command: String, tool: String) {
    self.result = result
    self.command = command
    self.tool = tool
    sections = ExperimentSections(result: result).all
  }

  /// The sentence that answers the question.
  package var answer: String { ExperimentAnswer(result: result).sentence }

  /// The sentences on the primary metric: one for each variant, or only one for the variant in focus if there are
  /// many variants.
  package var answers: [String] {
    let plan = result.plan
    let index = plan.primary
    let metric = plan.metrics[index]
    let arms = plan.arms.count <= 5 ? Array(1..<plan.arms.count) : [result.focus]
    return arms.map { arm in
      let (base, own, change) = (
        result.figure(index, arm: 0), result.figure(index, arm: arm), result.jointChange(index, arm: arm)
      )
      guard let old = base.value, let new = own.value, let difference = change.difference else {
        return "\(plan.arms[arm].name): \(change.lack ?? "no conclusion is possible")."
      }
      let interval =
        change.interval.map { ", \(result.family.intervalName) \(metric.difference($0))" }
        ?? ": \(change.lack ?? "")"
      return "\(plan.arms[arm].name): \(metric.name) \(metric.text(old)) → \(metric.text(new)), "
        + "\(metric.difference(difference))\(interval)."
    }
  }

  /// A warning that the experiment was interrupted or is not precise enough, or `nil` if it ended as planned.
  package var warning: String? {
    switch result.ending {
    case .complete, .precise: return nil
    case .interrupted:
      return
        "PARTIAL: stopped after \(Numbers.count(result.people)) people. The results are valid for these people."
    case .spent:
      let needed = result.imprecise.map(\.needed)
      let most = needed.contains(nil) ? nil : needed.compactMap(\.self).max()
      return
        "NOT PRECISE ENOUGH: \(Numbers.count(result.people)) people are spent; "
        + (most.map { "about \(Numbers.count($0)) are needed" } ?? "the number needed is unknown")
        + ". Raise 'people', or require less precision."
    }
  }
}

/// A section of a report: sentences, a chart and a table.
package struct ResultSection: Sendable {
  package var title: String
  package var sentences: [String] = []
  package var chart: Chart?
  /// The table, with notes below it.
  package var table: ReportTable?

  init(_ title: String, _ sentences: [String] = [], chart: Chart? = nil, table: ReportTable? = nil) {
    self.title = title
    self.sentences = sentences
    self.chart = chart
    self.table = table
  }

  package var notes: [String] { table?.notes ?? [] }
}

extension ComparisonFamily {
  /// The name of the intervals that determine verdicts and directions.
  var intervalName: String { isCorrected ? "joint 95 % interval" : "95 % interval" }
}

extension ExperimentResult {
  /// A note on how the intervals account for the number of comparisons, or `nil` if no correction is necessary.
  var familyNote: String? {
    if !plan.isFamilywise {
      return
        "Each interval has 95 % by itself ('family: none'), for each of \(plan.comparisons) comparisons: among many "
        + "of them, some miss the true value by chance."
    }
    guard family.isCorrected else { return nil }
    let looks =
      family.share < 1
      ? " Earlier looks at the gates could spend \(Numbers.fixed(100 * (1 - family.share), 0)) % of the probability of "
        + "error, in proportion to their people (Lan and DeMets)."
      : ""
    return
      "Verdicts and directions use joint 95 % intervals: all \(family.comparisons) comparisons of this report hold their "
      + "true values together with a probability of at least 95 % (Bonferroni; each interval has "
      + "\(Numbers.fixed(100 * (1 - family.error), 3, .down)) %)." + looks
  }
  /// The index of the variant that is shown in detail if there are many variants.
  var focus: Int { plan.sensitivity?.variant ?? 1 }

  /// The indices of the variants that are shown in detail.
  var detailedArms: [Int] { plan.isGrid || plan.arms.count > 4 ? [focus] : Array(1..<plan.arms.count) }
}

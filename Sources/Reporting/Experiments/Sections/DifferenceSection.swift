import Experiments

/// What each variant changes: every metric with the paired difference.
struct DifferenceSection {
  let result: ExperimentResult

  init(_ result: ExperimentResult) { self.result = result }

  var section: ResultSection {
    let plan = result.plan
    var rows: [[String]] = []
    var drawn: [Chart.Forest.Group] = []
    let arms = plan.arms.count <= 13 ? Array(1..<plan.arms.count) : [result.focus]
    for (index, metric) in plan.metrics.enumerated() {
      var group: [Chart.Forest.Row] = []
      for arm in arms {
        let (base, own, change) = (
          result.figure(index, arm: 0), result.figure(index, arm: arm), result.change(index, arm: arm)
        )
        rows.append([
          metric.name, plan.arms[arm].name, figure(metric, base), figure(metric, own),
          change.difference.map(metric.difference) ?? "none",
          change.interval.map(metric.difference) ?? change.lack ?? "none",
          change.varianceFactor.map { Numbers.fixed($0, 1) + " ×" } ?? "none",
          own.designEffect.map { Numbers.fixed($0, 2) } ?? "none",
        ])
        if let difference = change.difference, let interval = change.interval {
          group.append(
            Chart.Forest.Row(
              label: metric.name, detail: arms.count == 1 ? nil : plan.arms[arm].name,
              text: metric.difference(difference), value: difference, lower: interval.lower,
              upper: interval.upper))
        }
      }
      if group.isEmpty { continue }
      let reach = group.reduce(0) { max($0, $1.lower.magnitude, $1.upper.magnitude) }
      drawn.append(
        Chart.Forest.Group(rows: group, reach: reach, ends: [-reach, reach].map(metric.difference)))
    }
    let table = ResultTable(
      columns: [
        .text("metric"), .text("variant"), .number("base"), .number("variant's"), .number("difference"),
        .number("95 % interval"), .number("less variance than apart"), .number("design effect"),
      ], rows: rows)
    let chart = Chart.Forest(title: "Differences from the base, with 95 % intervals", groups: drawn)
    return ResultSection(
      "Differences", chart: drawn.isEmpty ? nil : .forest(chart), table: table,
      notes: [
        "Differences are of the same people with the same luck under both policies; their intervals are by person "
          + "(delta method, t quantile). \"Less variance than apart\": by how many times the variance would be "
          + "greater with other people for each policy. \"Design effect\": how much wider, squared, the variant's own "
          + "interval is than if each notification were somebody else's."
      ] + (arms.count < plan.arms.count - 1 ? ["Of the grid, one policy: all are below."] : []))
  }

  private func figure(_ metric: PeopleMetric, _ estimate: RatioEstimate) -> String {
    guard let value = estimate.value else { return "none" }
    return
      "\(metric.text(value)) (\(Numbers.count(estimate.numerator)) of \(Numbers.count(estimate.denominator)))"
  }
}

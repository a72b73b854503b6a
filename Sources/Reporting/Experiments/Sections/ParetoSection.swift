import Experiments

/// Policies that no other one beats.
struct ParetoSection {
  let result: ExperimentResult

  init(_ result: ExperimentResult) { self.result = result }

  var sections: [ResultSection] {
    guard result.plan.arms.count > 2, let front = ParetoFront(result) else { return [] }
    let plan = result.plan
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
          "\(count) of \(front.points.count - copies) different policies are beaten by no other one: more of \(opens.name), "
            + "higher \(share.name) and fewer \(quitting.name) cannot be had together."
            + (copies == 0 ? "" : " \(copies) more do to everybody just what one of these does.")
        ], chart: .scatter(chart),
        table: ResultTable(
          columns: [
            .number("no."), .text("policy"), .number(opens.name), .number(share.name), .number(quitting.name),
            .text("front"),
          ], rows: rows),
        notes: ["By the figures as they are; how sure they are say the intervals of the differences."])
    ]
  }
}

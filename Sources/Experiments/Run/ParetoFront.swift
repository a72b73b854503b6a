/// The Pareto front of a grid: the policies that no other policy dominates in openings, tap-through and
/// opt-outs.
///
/// A policy dominates another if the intervals of the differences show that it is better in all three figures. A
/// figure with equal counts for every person is ignored, but at least one figure must be better. The intervals
/// account for the number of pairs, unless the experiment declares `family: none`. The probability that any policy is
/// wrongly dominated is then at most 5 %. It suffices to divide this probability by the number of pairs. The number
/// of figures is irrelevant, because a wrong domination requires a wrong interval for one particular figure (R. L.
/// Berger, "Multiparameter hypothesis testing and acceptance sampling", Technometrics 24, 1982).
package struct ParetoFront: Hashable, Sendable {
  package struct Point: Hashable, Sendable {
    /// The index of the arm. The base is 0.
    package var arm: Int
    package var opens: Double
    package var tapThrough: Double
    package var optOuts: Double
    /// The index of an arm that dominates this one, or `nil` if no arm does.
    package var beatenBy: Int?
    /// The index of an earlier arm with equal sums for all metrics, or `nil` if no arm has them.
    package var sameAs: Int?

    /// Whether no arm dominates the point and no earlier arm equals it.
    package var isOnFront: Bool { beatenBy == nil && sameAs == nil }
  }

  /// The metric for openings: `incrementalOpens`, or `tapsPerDay` if the experiment does not measure openings.
  package let opensMetric: PeopleMetric
  /// One point per policy, in the order of the arms.
  package let points: [Point]

  /// Returns the metrics of the front for a population that supports the given metrics.
  package static func kinds(among known: [PeopleMetric.Kind]) -> [PeopleMetric.Kind] {
    [known.contains(.incrementalOpens) ? .incrementalOpens : .tapsPerDay, .tapThrough, .optOuts]
  }

  /// Creates the front of an experiment, or `nil` if it does not measure all three metrics or if fewer than
  /// two policies show notifications.
  package init?(_ result: ExperimentResult) {
    let metrics = result.plan.metrics
    let (opens, tapThrough) = (
      metrics.firstIndex(of: PeopleMetric(.incrementalOpens))
        ?? metrics.firstIndex(of: PeopleMetric(.tapsPerDay)),
      metrics.firstIndex(of: PeopleMetric(.tapThrough))
    )
    guard let opens, let tapThrough, let optOuts = metrics.firstIndex(of: PeopleMetric(.optOuts)) else {
      return nil
    }
    opensMetric = metrics[opens]
    var points: [Point] = []
    for arm in result.plan.arms.indices {
      guard let opens = result.figure(opens, arm: arm).value,
        let share = result.figure(tapThrough, arm: arm).value,
        let quitting = result.figure(optOuts, arm: arm).value
      else { continue }
      points.append(Point(arm: arm, opens: opens, tapThrough: share, optOuts: quitting))
    }
    guard points.count > 1 else { return nil }
    let comparison = Comparison(
      sums: result.sums, metrics: [(opens, true), (tapThrough, true), (optOuts, false)],
      kinds: metrics.map(\.kind),
      error: result.plan.isFamilywise
        ? result.family.share * ComparisonFamily.error / Double(points.count * (points.count - 1) / 2)
        : ComparisonFamily.error)
    self.points = points.map { point in
      var point = point
      // Choose the dominating point that has the most openings.
      point.beatenBy =
        points.filter { comparison.dominates($0.arm, point.arm) }.max {
          ($0.opens, $1.optOuts, $1.arm) < ($1.opens, $0.optOuts, $0.arm)
        }?.arm
      let ratios = result.sums.ratios
      point.sameAs = points.first { $0.arm < point.arm && ratios[$0.arm] == ratios[point.arm] }?.arm
      return point
    }
  }

  /// The comparison of two arms by the intervals of their differences.
  private struct Comparison {
    let sums: ExperimentSums
    /// The indices of the metrics, and whether more is better.
    let metrics: [(index: Int, isMoreBetter: Bool)]
    let kinds: [PeopleMetric.Kind]
    let error: Double

    func dominates(_ arm: Int, _ other: Int) -> Bool {
      if arm == other { return false }
      var isBetter = false
      for (metric, isMoreBetter) in metrics {
        let pair = sums.pair(min(arm, other), max(arm, other), metric)
        if pair.differing == 0 { continue }
        let change = PairEstimate(
          sums.ratios[min(arm, other)][metric], sums.ratios[max(arm, other)][metric], pair, of: kinds[metric],
          error: error)
        guard change.direction == ((arm > other) == isMoreBetter ? .raises : .lowers) else { return false }
        isBetter = true
      }
      return isBetter
    }
  }
}

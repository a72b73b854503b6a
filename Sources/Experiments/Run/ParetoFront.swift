/// The Pareto front of a grid: the policies that no other policy dominates in openings, tap-through and
/// opt-outs.
package struct ParetoFront: Hashable, Sendable {
  package struct Point: Hashable, Sendable {
    /// The index of the arm. The base is 0.
    package var arm: Int
    package var opens: Double
    package var tapThrough: Double
    package var optOuts: Double
    /// The index of an arm that is at least as good in every metric and better in one, or `nil` if no arm
    /// dominates this one.
    package var beatenBy: Int?
    /// The index of an earlier arm with equal figures, or `nil` if there is none.
    package var sameAs: Int?

    /// Whether the point is on the front and is the first of several equal points.
    package var isOnFront: Bool { beatenBy == nil && sameAs == nil }
  }

  /// The metric that counts openings.
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
    self.points = points.map { point in
      var point = point
      // Choose the dominating point that has the most openings, because it is on the front.
      point.beatenBy =
        points.filter { $0.dominates(point) }.max {
          ($0.opens, $1.optOuts, $1.arm) < ($1.opens, $0.optOuts, $0.arm)
        }?.arm
      let ratios = result.sums.ratios
      point.sameAs = points.first { $0.arm < point.arm && ratios[$0.arm] == ratios[point.arm] }?.arm
      return point
    }
  }
}

extension ParetoFront.Point {
  func dominates(_ other: Self) -> Bool {
    guard opens >= other.opens, tapThrough >= other.tapThrough, optOuts <= other.optOuts else { return false }
    return opens > other.opens || tapThrough > other.tapThrough || optOuts < other.optOuts
  }
}

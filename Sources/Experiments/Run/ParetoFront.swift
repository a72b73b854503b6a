/// The policies of a grid that no other policy dominates in openings, tap-through and opt-outs.
package struct ParetoFront: Hashable, Sendable {
  package struct Point: Hashable, Sendable {
    /// The index among the arms; 0 is the base.
    package var arm: Int
    package var opens: Double
    package var tapThrough: Double
    package var optOuts: Double
    /// An arm that is at least as good in everything and better in something, or `nil` if the point is on the
    /// front.
    package var beatenBy: Int?
    /// An earlier arm with equal counts, or `nil` if there is none.
    package var sameAs: Int?

    /// Whether the point is on the front and represents itself.
    package var isOnFront: Bool { beatenBy == nil && sameAs == nil }
  }

  /// The metric of the openings.
  package let opensMetric: PeopleMetric
  /// One point per policy, in the order of the arms.
  package let points: [Point]

  /// Returns the metrics of a front, for a population with these metrics.
  package static func kinds(among known: [PeopleMetric.Kind]) -> [PeopleMetric.Kind] {
    [known.contains(.incrementalOpens) ? .incrementalOpens : .tapsPerDay, .tapThrough, .optOuts]
  }

  /// Returns `nil` if the experiment does not measure all three, or shows notifications under at most one
  /// policy.
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
      // Of the points that dominate it, the one with the most openings, which is on the front.
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

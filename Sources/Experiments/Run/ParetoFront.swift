/// Which policies of a grid are worth a thought: those that no other one beats in openings, tap-through and
/// opt-outs at once.
package struct ParetoFront: Hashable, Sendable {
  package struct Point: Hashable, Sendable {
    /// The position among the arms; 0 is the base.
    package var arm: Int
    package var opens: Double
    package var tapThrough: Double
    package var optOuts: Double
    /// One that is at least as good in everything and better in something; nil: it is on the front.
    package var beatenBy: Int?
    /// One before it under which everybody is counted the same, though its rules differ; nil: there is none.
    package var sameAs: Int?

    /// Whether it is on the front, and no other one stands for it there.
    package var isOnFront: Bool { beatenBy == nil && sameAs == nil }
  }

  /// What openings are measured by.
  package let opensMetric: PeopleMetric
  /// One for each policy, in the order of the arms.
  package let points: [Point]

  /// What a front is made of, for people of whom so much is known.
  package static func kinds(among known: [PeopleMetric.Kind]) -> [PeopleMetric.Kind] {
    [known.contains(.incrementalOpens) ? .incrementalOpens : .tapsPerDay, .tapThrough, .optOuts]
  }

  /// Nil where the experiment does not measure all three, or where a policy shows nothing.
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
      // Of those that beat it the one with the most openings, which is on the front itself.
      point.beatenBy =
        points.filter { $0.beats(point) }.max {
          ($0.opens, $1.optOuts, $1.arm) < ($1.opens, $0.optOuts, $0.arm)
        }?.arm
      let ratios = result.sums.ratios
      point.sameAs = points.first { $0.arm < point.arm && ratios[$0.arm] == ratios[point.arm] }?.arm
      return point
    }
  }
}

extension ParetoFront.Point {
  func beats(_ other: Self) -> Bool {
    guard opens >= other.opens, tapThrough >= other.tapThrough, optOuts <= other.optOuts else { return false }
    return opens > other.opens || tapThrough > other.tapThrough || optOuts < other.optOuts
  }
}

/// The result of an experiment.
package struct ExperimentResult: Sendable {
  package let plan: ExperimentPlan
  package let sums: ExperimentSums
  /// The number of people at each evaluation.
  package let looks: [Int64]
  package let ending: Ending
  /// The correction of the joint intervals.
  package let family: ComparisonFamily
  package let sensitivity: SensitivityResult?

  package enum Ending: String, Hashable, Sendable, CaseIterable {
    /// All requested people were simulated.
    case complete
    /// Every interval has the requested width or less, and every gate is decided.
    case precise
    /// The budget is used up, and some interval is still too wide.
    case spent
    /// The user stopped the experiment. The result is valid for the people simulated so far.
    case interrupted
  }

  package var people: Int64 { sums.people }

  /// Returns the figure of an arm, with its own 95 % interval.
  package func figure(_ metric: Int, arm: Int) -> RatioEstimate {
    RatioEstimate(sums.ratios[arm][metric], of: plan.metrics[metric].kind)
  }

  /// Returns the difference of a variant from the base, with its own 95 % interval.
  ///
  /// - Parameter arm: The index of the variant, greater than 0.
  package func change(_ metric: Int, arm: Int) -> PairEstimate {
    sums.change(metric, plan.metrics[metric].kind, arm: arm)
  }

  /// Returns the difference of a variant from the base, with the joint 95 % interval of all comparisons.
  ///
  /// Directions are determined only from this interval.
  ///
  /// - Parameter arm: The index of the variant, greater than 0.
  package func jointChange(_ metric: Int, arm: Int) -> PairEstimate {
    sums.change(metric, plan.metrics[metric].kind, arm: arm, error: family.error)
  }

  /// The results of the gates, evaluated with joint 95 % intervals.
  package var gates: [PeopleGateResult] { Self.gates(plan, sums, family) }

  static func gates(
    _ plan: ExperimentPlan, _ sums: ExperimentSums, _ family: ComparisonFamily
  ) -> [PeopleGateResult] {
    let error = family.error
    return plan.gates.map { gate in
      let kind = plan.metrics[gate.metric].kind
      switch gate.subject {
      case .figure(let arm):
        let figure = RatioEstimate(sums.ratios[arm][gate.metric], of: kind, error: error)
        return PeopleGateResult(
          gate, value: figure.value, interval: figure.interval, lack: figure.lack, people: sums.people,
          error: error)
      case .change(let arm):
        let change = sums.change(gate.metric, kind, arm: arm, error: error)
        return PeopleGateResult(
          gate, value: change.difference, interval: change.interval, lack: change.lack, people: sums.people,
          error: error)
      }
    }
  }

  /// The intervals that are too wide, with the number of people needed to narrow them, or `nil` if it is unknown.
  package var imprecise: [(metric: Int, arm: Int, needed: Int64?)] {
    Self.imprecise(plan, sums)
  }

  static func imprecise(
    _ plan: ExperimentPlan, _ sums: ExperimentSums
  ) -> [(metric: Int, arm: Int, needed: Int64?)] {
    plan.precision.flatMap { precision in
      (1..<plan.arms.count).compactMap { arm in
        let metric = precision.metric
        let pair = sums.change(metric, plan.metrics[metric].kind, arm: arm)
        if let interval = pair.interval, interval.halfWidth <= precision.halfWidth { return nil }
        let needed = pair.peopleNeeded(forHalfWidth: precision.halfWidth, taken: sums.people)
        return (metric, arm, needed)
      }
    }
  }
}

extension ExperimentSums {
  /// Returns the difference of a variant from the base.
  ///
  /// - Parameters:
  ///   - arm: The index of the variant, greater than 0.
  ///   - error: The maximum probability that the interval misses the true difference.
  func change(
    _ metric: Int, _ kind: PeopleMetric.Kind, arm: Int, error: Double = ComparisonFamily.error
  ) -> PairEstimate {
    PairEstimate(
      ratios[0][metric], ratios[arm][metric], pairs[arm - 1][metric], of: kind, error: error)
  }
}

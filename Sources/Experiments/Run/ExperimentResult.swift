/// The result of an experiment.
package struct ExperimentResult: Sendable {
  package let plan: ExperimentPlan
  package let sums: ExperimentSums
  /// The number of people at each evaluation.
  package let looks: [Int64]
  package let ending: Ending
  package let sensitivity: SensitivityResult?

  package enum Ending: String, Hashable, Sendable, CaseIterable {
    /// All requested people were simulated.
    case complete
    /// Every interval has the requested width or less.
    case precise
    /// The budget is used up, and some interval is still too wide.
    case spent
    /// The user stopped the experiment. The result is valid for the people simulated so far.
    case interrupted
  }

  package var people: Int64 { sums.people }

  /// Returns the figure of an arm.
  package func figure(_ metric: Int, arm: Int) -> RatioEstimate {
    RatioEstimate(sums.ratios[arm][metric], of: plan.metrics[metric].kind)
  }

  /// Returns the difference of a variant from the base.
  ///
  /// - Parameter arm: The index of the variant, greater than 0.
  package func change(_ metric: Int, arm: Int) -> PairEstimate {
    PairEstimate(
      sums.ratios[0][metric], sums.ratios[arm][metric], sums.pairs[arm - 1][metric],
      of: plan.metrics[metric].kind)
  }

  package var gates: [PeopleGateResult] {
    plan.gates.map { gate in
      switch gate.subject {
      case .figure(let arm):
        let figure = figure(gate.metric, arm: arm)
        return PeopleGateResult(
          gate, value: figure.value, interval: figure.interval, lack: figure.lack, people: people)
      case .change(let arm):
        let change = change(gate.metric, arm: arm)
        return PeopleGateResult(
          gate, value: change.difference, interval: change.interval, lack: change.lack, people: people)
      }
    }
  }

  /// The intervals that are too wide, with the number of people needed to narrow them.
  package var imprecise: [(metric: Int, arm: Int, needed: Int64?)] {
    Self.imprecise(plan, sums)
  }

  static func imprecise(
    _ plan: ExperimentPlan, _ sums: ExperimentSums
  ) -> [(metric: Int, arm: Int, needed: Int64?)] {
    plan.precision.flatMap { precision in
      (1..<plan.arms.count).compactMap { arm in
        let metric = precision.metric
        let pair = PairEstimate(
          sums.ratios[0][metric], sums.ratios[arm][metric], sums.pairs[arm - 1][metric],
          of: plan.metrics[metric].kind)
        if let interval = pair.interval, interval.halfWidth <= precision.halfWidth { return nil }
        let needed = pair.peopleNeeded(forHalfWidth: precision.halfWidth, taken: sums.people)
        return (metric, arm, needed)
      }
    }
  }
}

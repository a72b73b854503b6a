/// What came of an experiment.
package struct ExperimentResult: Sendable {
  package let plan: ExperimentPlan
  package let sums: ExperimentSums
  /// How many people had been played at each look.
  package let looks: [Int64]
  /// Why it ended.
  package let ending: Ending
  package let sensitivity: SensitivityResult?

  package enum Ending: String, Hashable, Sendable, CaseIterable {
    /// All people that were asked for were played.
    case complete
    /// Every interval that was to be narrow is.
    case precise
    /// The budget is spent, and some interval is wider than it was to be.
    case spent
    /// Somebody stopped it: what is here is right of the people who were played.
    case interrupted
  }

  package init(
    plan: ExperimentPlan, sums: ExperimentSums, looks: [Int64], ending: Ending,
    sensitivity: SensitivityResult?
  ) {
    self.plan = plan
    self.sums = sums
    self.looks = looks
    self.ending = ending
    self.sensitivity = sensitivity
  }

  package var people: Int64 { sums.people }

  /// Of an arm.
  package func figure(_ metric: Int, arm: Int) -> RatioEstimate {
    RatioEstimate(sums.ratios[arm][metric], of: plan.metrics[metric].kind)
  }

  /// Variant less base.
  ///
  /// - Parameter arm: of the variant, greater than 0.
  package func change(_ metric: Int, arm: Int) -> PairEstimate {
    PairEstimate(sums.ratios[0][metric], sums.ratios[arm][metric], sums.pairs[arm - 1][metric])
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

  /// The precisions that were not reached, with how many people would.
  package var imprecise: [(metric: Int, arm: Int, needed: Int64?)] {
    Self.imprecise(plan, sums)
  }

  static func imprecise(
    _ plan: ExperimentPlan, _ sums: ExperimentSums
  ) -> [(metric: Int, arm: Int, needed: Int64?)] {
    plan.precision.flatMap { precision in
      (1..<plan.arms.count).compactMap { arm in
        let metric = precision.metric
        let pair = PairEstimate(sums.ratios[0][metric], sums.ratios[arm][metric], sums.pairs[arm - 1][metric])
        if let interval = pair.interval, interval.halfWidth <= precision.halfWidth { return nil }
        let needed = pair.peopleNeeded(forHalfWidth: precision.halfWidth, taken: sums.people)
        return (metric, arm, needed)
      }
    }
  }
}

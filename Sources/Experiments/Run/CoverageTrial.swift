/// Measures how often intervals contain the true value.
///
/// Each trial runs the experiment with its stopping rule on different people.
package struct CoverageTrial: Sendable {
  /// The coverage of one figure's interval.
  package struct Tally: Hashable, Sendable {
    /// The index of the metric.
    package var metric: Int
    package var arm: Int
    /// Whether the figure is a difference from the base.
    package var isChange: Bool
    package var truth: Double
    package var hits = 0
    /// The number of trials with an interval.
    package var trials = 0
    package var halfWidths = 0.0

    /// The mean half width of the intervals.
    package var halfWidth: Double { trials > 0 ? halfWidths / Double(trials) : 0 }
  }

  /// The result of all trials.
  package struct Outcome: Sendable {
    package var tallies: [Tally]
    package var trials: Int
    /// The total number of people in all trials.
    package var people: Int64
    /// The total number of evaluations in all trials.
    package var looks: Int
  }

  private let plan: ExperimentPlan
  private let workers: PeopleWorkers
  /// The number of people who determine the true values. They are not part of any trial.
  private let truthPeople: UInt64

  package init(_ plan: ExperimentPlan, _ workers: PeopleWorkers, truthPeople: UInt64) {
    var plan = plan
    plan.sensitivity = nil
    self.plan = plan
    self.workers = workers
    self.truthPeople = truthPeople
  }

  /// Runs the given number of trials.
  ///
  /// - Parameter progress: Called after each trial with the number of completed trials.
  package func run(_ trials: Int, progress: (Int) -> Void = { _ in }) -> Outcome {
    var outcome = Outcome(tallies: tallies(of: truth), trials: 0, people: 0, looks: 0)
    for trial in 0..<trials {
      var runner = ExperimentRunner(plan, workers)
      runner.firstPerson = truthPeople + UInt64(trial) * UInt64(plan.budget.most)
      let result = runner.run()
      if result.ending == .interrupted { break }
      outcome.trials += 1
      outcome.people += result.people
      outcome.looks += result.looks.count
      for index in outcome.tallies.indices {
        let tally = outcome.tallies[index]
        let interval =
          tally.isChange
          ? result.change(tally.metric, arm: tally.arm).interval
          : result.figure(tally.metric, arm: tally.arm).interval
        guard let interval else { continue }
        outcome.tallies[index].trials += 1
        outcome.tallies[index].halfWidths += interval.halfWidth
        if interval.lower <= tally.truth, tally.truth <= interval.upper { outcome.tallies[index].hits += 1 }
      }
      progress(trial + 1)
    }
    return outcome
  }

  private var truth: ExperimentSums {
    workers.sums(
      of: 0..<truthPeople, under: plan.arms.map(\.prototype), plan.metrics, types: plan.types.count
    ).sums
  }

  /// Returns a tally for each figure and each difference in the experiment's report.
  private func tallies(of truth: ExperimentSums) -> [Tally] {
    plan.metrics.indices.flatMap { metric in
      plan.arms.indices.flatMap { arm -> [Tally] in
        guard let value = truth.ratios[arm][metric].ratio else { return [] }
        var tallies = [Tally(metric: metric, arm: arm, isChange: false, truth: value)]
        if arm > 0,
          let change = PairEstimate(
            truth.ratios[0][metric], truth.ratios[arm][metric], truth.pairs[arm - 1][metric],
            of: plan.metrics[metric].kind
          )
          .difference
        {
          tallies.append(Tally(metric: metric, arm: arm, isChange: true, truth: change))
        }
        return tallies
      }
    }
  }
}

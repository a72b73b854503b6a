/// Runs an experiment: looks at a growing number of people until the intervals are narrow enough.
///
/// It stops by the width of intervals alone, never by where they lie: a rule that stopped when a difference looks
/// clear would find clear differences where there are none. How often the intervals hold what they are to hold
/// with the rule at work is measured by `.ci/trials/coverage`.
package struct ExperimentRunner: Sendable {
  package let plan: ExperimentPlan
  package let workers: PeopleWorkers
  package var rows: PersonRows?
  /// Told how many plays are to come, of one person under one arm each: before each look, and before the
  /// assumptions.
  package var announce: @Sendable (Int64) -> Void = { _ in }
  /// The first of the people.
  package var firstPerson: UInt64 = 0

  package init(_ plan: ExperimentPlan, _ workers: PeopleWorkers) {
    self.plan = plan
    self.workers = workers
  }

  package func run() -> ExperimentResult {
    var sums = ExperimentSums(
      arms: plan.arms.count, metrics: plan.metrics.count, types: plan.types.count)
    var looks: [Int64] = []
    var ending = ExperimentResult.Ending.complete
    var end = plan.precision.isEmpty ? plan.budget.most : min(plan.budget.least, plan.budget.most)
    while true {
      let range = firstPerson + UInt64(sums.people)..<firstPerson + UInt64(end)
      announce(Int64(range.count * plan.arms.count))
      let (more, done) = workers.sums(
        of: range, under: plan.arms.map(\.prototype), plan.metrics, types: plan.types.count, rows: rows)
      sums += more
      looks.append(sums.people)
      if done < range.upperBound {
        ending = .interrupted
        break
      }
      if plan.precision.isEmpty { break }
      let open = ExperimentResult.imprecise(plan, sums)
      if open.isEmpty {
        ending = .precise
        break
      }
      if end >= plan.budget.most {
        ending = .spent
        break
      }
      end = min(plan.budget.most, Self.nextLook(after: end, needed: open.map(\.needed)))
    }
    let sensitivity = ending == .interrupted ? nil : plan.sensitivity.flatMap(sensitivity)
    if plan.sensitivity != nil, sensitivity == nil { ending = .interrupted }
    return ExperimentResult(
      plan: plan, sums: sums, looks: looks, ending: ending, sensitivity: sensitivity)
  }

  /// As many as the widest interval asks for, and a little more; at least a quarter more than now, and four
  /// times as many at most, since the first looks say little.
  private static func nextLook(after people: Int64, needed: [Int64?]) -> Int64 {
    let most = needed.contains(nil) ? Int64.max : needed.compactMap(\.self).max() ?? .max
    let asked = most > .max / 2 ? .max : most + most / 20
    return min(max(asked, people + people / 4), people * 4)
  }

  private func sensitivity(_ plan: SensitivityPlan) -> SensitivityResult? {
    SensitivityRunner(
      plan: plan, metric: self.plan.metrics[plan.metric], gates: self.plan.gates, metrics: self.plan.metrics,
      types: self.plan.types.count, workers: workers, announce: announce, firstPerson: firstPerson
    ).run()
  }
}

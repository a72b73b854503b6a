/// Runs an experiment on a growing number of people until the intervals are narrow enough.
///
/// The stopping rule uses only the widths of intervals, never their positions. Stopping at a clear difference
/// would produce false positives. `.ci/trials/coverage` measures how often the intervals contain the true
/// values under this rule.
package struct ExperimentRunner: Sendable {
  package let plan: ExperimentPlan
  package let workers: PeopleWorkers
  package var rows: PersonRows?
  /// Called before each stage, and before each search for the assumption value that reverses the conclusion.
  ///
  /// The number is the expected number of plays. A play is one person under one arm.
  package var announce: @Sendable (Stage, Int64) -> Void = { _, _ in }
  /// The number of the first person.
  package var firstPerson: UInt64 = 0

  package enum Stage: Sendable { case people, assumptions }

  package init(_ plan: ExperimentPlan, _ workers: PeopleWorkers) {
    self.plan = plan
    self.workers = workers
  }

  package func run() -> ExperimentResult {
    var sums = plan.nobody
    var looks: [Int64] = []
    var ending = ExperimentResult.Ending.complete
    var end = plan.precision.isEmpty ? plan.budget.most : min(plan.budget.least, plan.budget.most)
    while true {
      let range = firstPerson + UInt64(sums.people)..<firstPerson + UInt64(end)
      announce(.people, Int64(range.count * plan.arms.count))
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
    return result(of: sums, looks: looks, ending: ending)
  }

  /// Returns the result for sums that were computed elsewhere, with a single evaluation.
  package func run(with sums: ExperimentSums) -> ExperimentResult {
    let isPrecise = ExperimentResult.imprecise(plan, sums).isEmpty
    return result(
      of: sums, looks: [sums.people],
      ending: plan.precision.isEmpty ? .complete : isPrecise ? .precise : .spent)
  }

  private func result(
    of sums: ExperimentSums, looks: [Int64], ending: ExperimentResult.Ending
  ) -> ExperimentResult {
    let sensitivity = ending == .interrupted ? nil : plan.sensitivity.flatMap { self.sensitivity($0, sums) }
    let isCut = plan.sensitivity != nil && sensitivity == nil
    return ExperimentResult(
      plan: plan, sums: sums, looks: looks, ending: isCut ? .interrupted : ending, sensitivity: sensitivity)
  }

  /// Returns the number of people at the next evaluation, which is 5 % more than the widest interval needs.
  ///
  /// The number grows by at least a quarter and at most fourfold, because early estimates are unreliable.
  private static func nextLook(after people: Int64, needed: [Int64?]) -> Int64 {
    let most = needed.contains(nil) ? Int64.max : needed.compactMap(\.self).max() ?? .max
    let asked = most > .max / 2 ? .max : most + most / 20
    return min(max(asked, people + people / 4), people * 4)
  }

  private func sensitivity(_ plan: SensitivityPlan, _ sums: ExperimentSums) -> SensitivityResult? {
    SensitivityRunner(
      plan: plan, metrics: self.plan.metrics, gates: self.plan.gates, types: self.plan.types.count,
      sums: sums,
      workers: workers, announce: announce, firstPerson: firstPerson
    ).run()
  }
}

/// Runs an experiment on a growing number of people until the intervals are narrow enough and the gates are decided.
///
/// The widths of intervals do not depend on their positions, so stopping by widths does not bias the estimates. The
/// verdicts of gates depend on the positions, so each evaluation of the gates spends a part of the probability of
/// error. Otherwise, stopping at a clear difference would produce false positives. `.ci/trials/coverage` measures how
/// often the intervals contain the true values under this rule.
package struct ExperimentRunner: Sendable {
  package let plan: ExperimentPlan
  package let workers: PeopleWorkers
  package var rows: PersonRows?
  /// Called before each stage, and before each search for the assumption value that reverses the conclusion.
  ///
  /// The second argument is the expected number of plays. A play is one person under one arm.
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
    let most = plan.budget.most
    var end = plan.precision.isEmpty ? most : min(plan.budget.least, most)
    // The part of the probability of error that earlier evaluations of the gates have spent.
    var spent = 0.0
    while true {
      let range = firstPerson + UInt64(sums.people)..<firstPerson + UInt64(end)
      announce(.people, Int64(range.count * plan.arms.count))
      let (more, done) = workers.sums(
        of: range, under: plan.arms.map(\.prototype), plan.metrics, types: plan.types.count, rows: rows)
      sums += more
      looks.append(sums.people)
      if done < range.upperBound {
        return result(of: sums, looks: looks, ending: .interrupted, share: 1 - spent)
      }
      if plan.precision.isEmpty { return result(of: sums, looks: looks, ending: .complete, share: 1) }
      let open = ExperimentResult.imprecise(plan, sums)
      let isLast = end >= most
      if open.isEmpty {
        // An experiment without gates stops only by widths, so the last evaluation spends the whole probability.
        let reached = isLast || plan.gates.isEmpty ? 1 : Double(end) / Double(most)
        if isDecided(sums, share: reached - spent) {
          return result(of: sums, looks: looks, ending: .precise, share: reached - spent)
        }
        if !isLast { spent = reached }
      }
      if isLast {
        return result(of: sums, looks: looks, ending: open.isEmpty ? .complete : .spent, share: 1 - spent)
      }
      let next =
        open.isEmpty ? Self.nextLook(after: end, most) : Self.nextLook(after: end, needed: open.map(\.needed))
      end = min(most, next)
    }
  }

  /// Returns the result for sums that were computed elsewhere, with a single evaluation.
  ///
  /// The people are simulated again only if their rows are requested.
  package func run(with sums: ExperimentSums) -> ExperimentResult {
    if let rows {
      announce(.people, sums.people * Int64(plan.arms.count))
      _ = workers.sums(
        of: firstPerson..<firstPerson + UInt64(sums.people), under: plan.arms.map(\.prototype), plan.metrics,
        types: plan.types.count, rows: rows)
    }
    let isPrecise = ExperimentResult.imprecise(plan, sums).isEmpty
    return result(
      of: sums, looks: [sums.people],
      ending: plan.precision.isEmpty
        ? .complete : !isPrecise ? .spent : isDecided(sums, share: 1) ? .precise : .complete,
      share: 1)
  }

  private func isDecided(_ sums: ExperimentSums, share: Double) -> Bool {
    plan.gates.isEmpty
      || ExperimentResult.gates(plan, sums, plan.family(share: share)).allSatisfy {
        $0.verdict != .inconclusive
      }
  }

  private func result(
    of sums: ExperimentSums, looks: [Int64], ending: ExperimentResult.Ending, share: Double
  ) -> ExperimentResult {
    let sensitivity = ending == .interrupted ? nil : plan.sensitivity.flatMap { self.sensitivity($0, sums) }
    let isCut = plan.sensitivity != nil && sensitivity == nil
    return ExperimentResult(
      plan: plan, sums: sums, looks: looks, ending: isCut ? .interrupted : ending,
      family: plan.family(share: share), sensitivity: sensitivity)
  }

  /// Returns the number of people at the next evaluation, which is 5 % more than the widest interval needs.
  ///
  /// The number grows by at least a quarter and at most fourfold, because early estimates are unreliable.
  private static func nextLook(after people: Int64, needed: [Int64?]) -> Int64 {
    let most = needed.contains(nil) ? Int64.max : needed.compactMap(\.self).max() ?? .max
    let asked = most > .max / 2 ? .max : most + most / 20
    return min(max(asked, people + people / 4), people * 4)
  }

  /// Returns the number of people at the next evaluation of undecided gates.
  ///
  /// The number doubles, so that each evaluation spends enough of the probability of error. If little of it would
  /// remain after the next evaluation, the next evaluation uses the maximum number of people.
  private static func nextLook(after people: Int64, _ most: Int64) -> Int64 {
    people * 3 >= most ? most : people * 2
  }

  private func sensitivity(_ plan: SensitivityPlan, _ sums: ExperimentSums) -> SensitivityResult? {
    SensitivityRunner(
      plan: plan, metrics: self.plan.metrics, gates: self.plan.gates, types: self.plan.types.count,
      sums: sums,
      workers: workers, announce: announce, firstPerson: firstPerson
    ).run()
  }
}

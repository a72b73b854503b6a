import SimulationKernel

/// The result of a sensitivity analysis.
package struct SensitivityResult: Hashable, Sendable {
  /// The effect of one assumption at both ends of its range.
  package struct Effect: Hashable, Sendable {
    package var assumption: Assumption
    /// The differences at the least and the greatest value of the assumption.
    package var low: PairEstimate
    package var high: PairEstimate
    /// The value at which the difference changes its sign, in millionths, or `nil` if it keeps its sign in
    /// the range.
    package var flip: Int64?

    /// The magnitude of the difference's change over the range.
    package var swing: Double {
      guard let low = low.difference, let high = high.difference else { return 0 }
      return (high - low).magnitude
    }
  }

  /// The share of random draws of all assumptions in which a gate meets its target.
  package struct Chance: Hashable, Sendable {
    /// The index of the gate in the plan.
    package var gate: Int
    /// The number of draws in which the figure meets the target.
    package var met: Int
    package var draws: Int
    /// The number of draws in which the interval contains the target.
    package var unsure: Int
    /// The least and the greatest value of the figure over all draws.
    package var least: Double
    package var greatest: Double
  }

  /// The estimate from the same people with the default assumptions.
  package var standard: PairEstimate
  package var people: Int64
  /// The number of people in each draw. Draws have different people, so that no small sample affects all
  /// draws.
  package var peopleOfDraw: Int64
  /// The effects, sorted by descending swing.
  package var effects: [Effect]
  package var chances: [Chance]
}

/// Simulates a small number of people with other values of the assumptions.
struct SensitivityRunner {
  let plan: SensitivityPlan
  let metric: PeopleMetric
  let gates: [PeopleGate]
  let metrics: [PeopleMetric]
  let types: Int
  let workers: PeopleWorkers
  let announce: @Sendable (ExperimentRunner.Stage, Int64) -> Void
  let firstPerson: UInt64

  /// Returns the result, or `nil` if the run was cancelled.
  func run() -> SensitivityResult? {
    let standard = plan.assumptions.map(\.standard)
    announce(
      .assumptions,
      2
        * (plan.people * Int64(1 + 2 * standard.count)
          + (judged.isEmpty ? 0 : Int64(plan.draws) * peopleOfDraw)))
    guard let reference = difference(standard) else { return nil }
    var effects: [SensitivityResult.Effect] = []
    for (index, assumption) in plan.assumptions.enumerated() {
      guard let low = difference(standard, index, assumption.range.lowerBound),
        let high = difference(standard, index, assumption.range.upperBound)
      else { return nil }
      var effect = SensitivityResult.Effect(assumption: assumption, low: low, high: high)
      let sign = Self.sign(reference)
      let ends = [(low, assumption.range.lowerBound), (high, assumption.range.upperBound)]
      if let end = ends.first(where: { Self.sign($0.0) != sign })?.1 {
        guard let flip = flip(standard, index, from: assumption.standard, to: end, sign) else { return nil }
        effect.flip = flip
      }
      effects.append(effect)
    }
    guard let chances = chances() else { return nil }
    return SensitivityResult(
      standard: reference, people: plan.people, peopleOfDraw: peopleOfDraw,
      effects: effects.enumerated().sorted { ($1.element.swing, $0.offset) < ($0.element.swing, $1.offset) }
        .map(\.element),
      chances: chances)
  }

  private static func sign(_ estimate: PairEstimate) -> Int {
    guard let difference = estimate.difference else { return 0 }
    return difference > 0 ? 1 : difference < 0 ? -1 : 0
  }

  private func difference(_ values: [Int64], _ index: Int, _ value: Int64) -> PairEstimate? {
    var values = values
    values[index] = value
    return difference(values)
  }

  private func difference(_ values: [Int64]) -> PairEstimate? {
    sums(values, of: 0..<plan.people, [metric]).map {
      PairEstimate($0.ratios[0][0], $0.ratios[1][0], $0.pairs[0][0])
    }
  }

  private func sums(
    _ values: [Int64], of people: Range<Int64>, _ metrics: [PeopleMetric]
  ) -> ExperimentSums? {
    guard let arms = plan.arms(values) else { return nil }
    let range = firstPerson + UInt64(people.lowerBound)..<firstPerson + UInt64(people.upperBound)
    let (sums, end) = workers.sums(of: range, under: arms, metrics, types: types)
    return end == range.upperBound ? sums : nil
  }

  /// The number of bisections. They locate a value to 1/64 of its range.
  private static let halvings: Int64 = 5

  /// The number of people in each draw. It is small because there are many draws.
  private var peopleOfDraw: Int64 { max(200, plan.people / 10) }

  /// Bisects the range between two values at which the difference has opposite signs.
  private func flip(
    _ values: [Int64], _ index: Int, from near: Int64, to far: Int64, _ sign: Int
  ) -> Int64? {
    var (same, other) = (near, far)
    announce(.assumptions, 2 * plan.people * Self.halvings)
    for _ in 0..<Self.halvings {
      let middle = same + (other - same) / 2
      guard let estimate = difference(values, index, middle) else { return nil }
      if Self.sign(estimate) == sign { same = middle } else { other = middle }
    }
    return same + (other - same) / 2
  }

  /// The indices of the gates that the draws can evaluate.
  private var judged: [Int] {
    gates.indices.filter { gate in
      switch gates[gate].subject {
      case .figure(let arm), .change(let arm): arm == 0 || arm == plan.variant
      }
    }
  }

  /// Returns for each gate the number of draws that meet the target, regardless of intervals.
  private func chances() -> [SensitivityResult.Chance]? {
    if judged.isEmpty || plan.draws == 0 { return [] }
    var chances = judged.map {
      SensitivityResult.Chance(gate: $0, met: 0, draws: 0, unsure: 0, least: .infinity, greatest: -.infinity)
    }
    for draw in 0..<plan.draws {
      let first = Int64(draw) * peopleOfDraw
      guard let sums = sums(values(ofDraw: draw), of: first..<first + peopleOfDraw, metrics) else {
        return nil
      }
      for place in chances.indices {
        let gate = gates[chances[place].gate]
        let (figure, interval) = figure(gate, sums)
        guard let figure else { continue }
        chances[place].draws += 1
        if gate.target.contains(figure) { chances[place].met += 1 }
        let isSure =
          interval.map { gate.target.contains($0.lower) == gate.target.contains($0.upper) } ?? false
        if !isSure { chances[place].unsure += 1 }
        chances[place].least = min(chances[place].least, figure)
        chances[place].greatest = max(chances[place].greatest, figure)
      }
    }
    return chances.filter { $0.draws > 0 }
  }

  /// Returns independent random values for all assumptions.
  private func values(ofDraw draw: Int) -> [Int64] {
    plan.assumptions.map { assumption in
      let key = RandomKey(seed: plan.seed, person: UInt64(draw), purpose: .trait)
        .named(RandomKey.nameNumber(assumption.name))
      let width = UInt64(assumption.range.upperBound - assumption.range.lowerBound)
      return assumption.range.lowerBound + Int64(key.draw(0).multipliedFullWidth(by: width + 1).high)
    }
  }

  private func figure(_ gate: PeopleGate, _ sums: ExperimentSums) -> (Double?, Interval?) {
    let metric = gate.metric
    switch gate.subject {
    case .figure(let arm):
      let estimate = RatioEstimate(sums.ratios[arm == 0 ? 0 : 1][metric], of: metrics[metric].kind)
      return (estimate.value, estimate.interval)
    case .change:
      let estimate = PairEstimate(sums.ratios[0][metric], sums.ratios[1][metric], sums.pairs[0][metric])
      return (estimate.difference, estimate.interval)
    }
  }
}

import SimulationKernel

/// The result of a sensitivity analysis.
package struct SensitivityResult: Hashable, Sendable {
  /// A figure or a difference under other values of the assumptions.
  ///
  /// It is the experiment's own estimate plus a change. The change is measured on a small number of people. They
  /// suffice because the same people are simulated with the same random numbers under both sets of assumptions.
  package struct Estimate: Hashable, Sendable {
    /// The value, or `nil` if a denominator is 0.
    package var value: Double?
    /// The 95 % interval, or `nil` if the experiment's own estimate has none.
    package var interval: Interval?
  }

  /// The effect of one assumption at both ends of its range.
  package struct Effect: Hashable, Sendable {
    package var assumption: Assumption
    /// The differences at the lower and at the upper end of the range.
    package var low: Estimate
    package var high: Estimate
    /// The values at which the difference changes its sign, in ascending order.
    package var flips: [Flip] = []

    /// The magnitude by which the difference changes over the range, or 0 if an estimate is missing.
    package var swing: Double {
      guard let low = low.value, let high = high.value else { return 0 }
      return (high - low).magnitude
    }
  }

  /// A value of an assumption at which the difference changes its sign, in millionths.
  package struct Flip: Hashable, Sendable {
    package var value: Int64
    /// The values at which the interval of the difference contains 0, within the range of the assumption.
    package var interval: ClosedRange<Int64>
  }

  /// The share of random draws of all assumptions in which a gate meets its target.
  package struct Chance: Hashable, Sendable {
    /// The index of the gate in the plan.
    package var gate: Int
    /// The number of draws in which the figure meets the target.
    package var met: Int
    package var draws: Int
    /// The number of draws in which the interval contains the bound of the target or is missing.
    package var unsure: Int
    /// The least and the greatest value of the figure over all draws.
    package var least: Double
    package var greatest: Double
  }

  /// The experiment's own difference.
  package var standard: PairEstimate
  /// The number of people for each value of an assumption.
  package var people: Int64
  /// The number of people in each draw.
  package var peopleOfDraw: Int64
  /// The effects, sorted by descending swing.
  package var effects: [Effect]
  package var chances: [Chance]
}

/// Simulates a small number of people with other values of the assumptions.
struct SensitivityRunner {
  let plan: SensitivityPlan
  let metrics: [PeopleMetric]
  let gates: [PeopleGate]
  let types: Int
  /// The experiment's own sums.
  let sums: ExperimentSums
  let workers: PeopleWorkers
  let announce: @Sendable (ExperimentRunner.Stage, Int64) -> Void
  let firstPerson: UInt64

  private var difference: Target { Target(metric: plan.metric, arms: .both) }

  /// Returns the result, or `nil` if the run was cancelled.
  func run() -> SensitivityResult? {
    announce(
      .assumptions,
      2
        * (plan.people * Int64(1 + 2 * plan.assumptions.count)
          + (judged.isEmpty ? 0 : Int64(1 + plan.draws) * peopleOfDraw)))
    let own = plan.assumptions.map(\.value)
    guard let reference = counts(own, plan.people, [plan.metric]) else { return nil }
    var effects: [SensitivityResult.Effect] = []
    for index in plan.assumptions.indices {
      guard let effect = effect(index, own, reference) else { return nil }
      effects.append(effect)
    }
    guard let chances = chances(own) else { return nil }
    let metric = plan.metric
    return SensitivityResult(
      standard: PairEstimate(
        sums.ratios[0][metric], sums.ratios[plan.variant][metric], sums.pairs[plan.variant - 1][metric],
        of: metrics[metric].kind),
      people: plan.people, peopleOfDraw: peopleOfDraw,
      effects: effects.enumerated().sorted { ($1.element.swing, $0.offset) < ($0.element.swing, $1.offset) }
        .map(\.element),
      chances: chances)
  }

  // MARK: Estimates

  /// A figure or a difference of one metric.
  private struct Target {
    enum Arms { case base, variant, both }

    /// The index of the metric in the experiment.
    var metric: Int
    var arms: Arms

    /// The weights of the base's and the variant's ratio.
    var weights: [Double] {
      switch arms {
      case .base: [1, 0]
      case .variant: [0, 1]
      case .both: [-1, 1]
      }
    }
  }

  private func counts(_ values: [Int64], _ people: Int64, _ metrics: [Int]) -> PersonCounts? {
    guard let arms = plan.arms(values) else { return nil }
    return workers.counts(
      of: firstPerson..<firstPerson + UInt64(people), under: arms, metrics.map { self.metrics[$0] },
      types: types)
  }

  /// Returns the experiment's own value, interval and standard error of a target.
  private func ownEstimate(
    _ target: Target
  ) -> (value: Double?, interval: Interval?, error: Double?) {
    let metric = target.metric
    switch target.arms {
    case .base, .variant:
      let arm = target.arms == .base ? 0 : plan.variant
      let estimate = RatioEstimate(sums.ratios[arm][metric], of: metrics[metric].kind)
      return (estimate.value, estimate.interval, estimate.standardError)
    case .both:
      let estimate = PairEstimate(
        sums.ratios[0][metric], sums.ratios[plan.variant][metric], sums.pairs[plan.variant - 1][metric],
        of: metrics[metric].kind)
      return (estimate.difference, estimate.interval, estimate.standardError)
    }
  }

  /// Returns the experiment's own estimate plus the change between two sets of counts of the same people.
  ///
  /// - Parameters:
  ///   - index: The index of the metric in the counts.
  ///   - reference: The counts under the experiment's own assumptions.
  ///   - counts: The counts under other assumptions.
  private func estimate(
    _ target: Target, _ index: Int, _ reference: PersonCounts, _ counts: PersonCounts
  ) -> SensitivityResult.Estimate {
    let own = ownEstimate(target)
    guard let value = own.value, let before = LinearEstimate(reference, index, target.weights),
      let after = LinearEstimate(counts, index, target.weights)
    else { return .init() }
    let kind = metrics[target.metric].kind
    let limits = target.arms == .both ? kind.differenceLimits : kind.limits
    let shifted = value + (after.value - before.value)
    let result = max(limits.lowerBound, min(shifted, limits.upperBound))
    guard let error = own.error else { return .init(value: result) }
    // One of the two groups of people, for the change and for the experiment, contains the other. The covariance is
    // therefore divided by the size of the larger group.
    var (changes, products) = (0.0, 0.0)
    for person in 0..<reference.people {
      let change = after.residuals[person] - before.residuals[person]
      changes += change * change
      products += change * before.residuals[person]
    }
    if changes == 0 { return .init(value: value, interval: own.interval) }
    let people = Double(reference.people)
    let correction = RatioEstimate.correction(Int64(reference.people))
    let variance =
      error * error + correction * (changes + 2 * products * people / max(people, Double(sums.people)))
    let quantile = StudentDistribution.quantile(degrees: people - 1)
    return .init(
      value: result,
      interval: Interval(result, halfWidth: max(0, variance).squareRoot() * quantile).within(limits))
  }

  // MARK: Effects

  /// The number of bisections. They locate a value with an error of at most 1/64 of the searched range.
  private static let halvings: Int64 = 5

  private func effect(_ index: Int, _ own: [Int64], _ reference: PersonCounts) -> SensitivityResult.Effect? {
    let assumption = plan.assumptions[index]
    var known = [assumption.value: estimate(difference, 0, reference, reference)]
    func at(_ value: Int64) -> SensitivityResult.Estimate? {
      if let estimate = known[value] { return estimate }
      var values = own
      values[index] = value
      guard let counts = counts(values, plan.people, [plan.metric]) else { return nil }
      let estimate = estimate(difference, 0, reference, counts)
      known[value] = estimate
      return estimate
    }
    let ends = (assumption.range.lowerBound, assumption.range.upperBound)
    guard let standard = at(assumption.value), let low = at(ends.0), let high = at(ends.1) else { return nil }
    var effect = SensitivityResult.Effect(assumption: assumption, low: low, high: high)
    let sign = Self.sign(standard)
    for (end, estimate) in [(ends.0, low), (ends.1, high)] where sign != 0 && Self.sign(estimate) != sign {
      announce(.assumptions, 2 * plan.people * Self.halvings * 3)
      guard let flip = flip(from: assumption.value, to: end, ends, at) else { return nil }
      effect.flips.append(flip)
    }
    return effect
  }

  private static func sign(_ estimate: SensitivityResult.Estimate) -> Int {
    guard let value = estimate.value else { return 0 }
    return value > 0 ? 1 : value < 0 ? -1 : 0
  }

  private static func isUnsure(_ estimate: SensitivityResult.Estimate) -> Bool {
    guard let interval = estimate.interval else { return true }
    return interval.lower <= 0 && interval.upper >= 0
  }

  /// Locates the change of sign between two values, and the range around it in which the interval contains 0. Returns
  /// `nil` if the run was cancelled.
  private func flip(
    from near: Int64, to far: Int64, _ ends: (Int64, Int64),
    _ at: (Int64) -> SensitivityResult.Estimate?
  ) -> SensitivityResult.Flip? {
    guard let first = at(near) else { return nil }
    let sign = Self.sign(first)
    guard let value = bisect(near, far, { at($0).map { Self.sign($0) == sign } }) else { return nil }
    /// Returns the outermost value between the change of sign and an end at which the interval contains 0.
    func bound(_ end: Int64) -> Int64? {
      guard let outermost = at(end) else { return nil }
      return Self.isUnsure(outermost) ? end : bisect(value, end) { at($0).map(Self.isUnsure) }
    }
    guard let lower = bound(ends.0), let upper = bound(ends.1) else { return nil }
    return .init(value: value, interval: min(lower, value)...max(upper, value))
  }

  /// Locates the value at which a condition ceases to hold, by bisection between a value that fulfils it and a value
  /// that does not. Returns `nil` if the run was cancelled.
  private func bisect(_ near: Int64, _ far: Int64, _ isFulfilled: (Int64) -> Bool?) -> Int64? {
    var (yes, no) = (near, far)
    for _ in 0..<Self.halvings {
      let middle = yes + (no - yes) / 2
      guard let fulfilled = isFulfilled(middle) else { return nil }
      if fulfilled { yes = middle } else { no = middle }
    }
    return yes + (no - yes) / 2
  }

  // MARK: Draws

  /// The number of people in each draw. It is small because there are many draws.
  private var peopleOfDraw: Int64 { max(200, plan.people / 10) }

  /// The indices of the gates that the draws can evaluate.
  private var judged: [Int] {
    gates.indices.filter { gate in
      switch gates[gate].subject {
      case .figure(let arm), .change(let arm): arm == 0 || arm == plan.variant
      }
    }
  }

  /// Returns the chance of each gate, or `nil` if the run was cancelled.
  private func chances(_ own: [Int64]) -> [SensitivityResult.Chance]? {
    if judged.isEmpty || plan.draws == 0 { return [] }
    let indices = judged.map { gates[$0].metric }
    guard let reference = counts(own, peopleOfDraw, indices) else { return nil }
    var chances = judged.map {
      SensitivityResult.Chance(gate: $0, met: 0, draws: 0, unsure: 0, least: .infinity, greatest: -.infinity)
    }
    for draw in 0..<plan.draws {
      guard let counts = counts(values(ofDraw: draw), peopleOfDraw, indices) else { return nil }
      for place in chances.indices {
        let gate = gates[chances[place].gate]
        let found = estimate(target(of: gate), place, reference, counts)
        guard let figure = found.value else { continue }
        chances[place].draws += 1
        if gate.target.contains(figure) { chances[place].met += 1 }
        let isSure =
          found.interval.map { gate.target.contains($0.lower) == gate.target.contains($0.upper) } ?? false
        if !isSure { chances[place].unsure += 1 }
        chances[place].least = min(chances[place].least, figure)
        chances[place].greatest = max(chances[place].greatest, figure)
      }
    }
    return chances.filter { $0.draws > 0 }
  }

  private func target(of gate: PeopleGate) -> Target {
    switch gate.subject {
    case .figure(let arm): Target(metric: gate.metric, arms: arm == 0 ? .base : .variant)
    case .change: Target(metric: gate.metric, arms: .both)
    }
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
}

/// A weighted sum of the arms' ratios, with each person's contribution to its error.
private struct LinearEstimate {
  var value = 0.0
  /// The linearised contributions, which add up to 0. The sum of their squares is the variance.
  var residuals: [Double]

  /// Returns `nil` if the denominator of a weighted ratio is 0.
  init?(_ counts: PersonCounts, _ metric: Int, _ weights: [Double]) {
    residuals = Array(repeating: 0, count: counts.people)
    for (arm, weight) in weights.enumerated() where weight != 0 {
      var (numerator, denominator) = (0.0, 0.0)
      for person in 0..<counts.people {
        let own = counts[person, metric, arm]
        numerator += own.numerator
        denominator += own.denominator
      }
      guard denominator > 0 else { return nil }
      let ratio = numerator / denominator
      value += weight * ratio
      for person in 0..<counts.people {
        let own = counts[person, metric, arm]
        residuals[person] += weight * (own.numerator - ratio * own.denominator) / denominator
      }
    }
  }
}

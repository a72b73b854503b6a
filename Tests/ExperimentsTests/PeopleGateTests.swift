import ScenarioModel
import TestSupport
import Testing
import TriggerModel

@testable import Experiments

/// Tests the verdicts of gates, and the number of people needed for a decision.
@Suite struct PeopleGateTests {
  private static func result(
    _ lower: Double, _ upper: Double, _ target: Bound, kill: Bound? = nil, people: Int64 = 1_000
  ) -> PeopleGateResult {
    let gate = PeopleGate(metric: 0, subject: .figure(arm: 0), target: target, kill: kill, benchmarks: [])
    let middle = (lower + upper) / 2
    return PeopleGateResult(
      gate, value: middle, interval: Interval(middle, halfWidth: (upper - lower) / 2), lack: nil,
      people: people)
  }

  private static let quarter = Bound(side: .atLeast, millionths: 250_000)
  private static let low = Bound(side: .below, millionths: 50_000)

  @Test func `an interval between the kill criterion and the target misses the target`() {
    let missed = Self.result(0.1965, 0.2005, Self.quarter, kill: Self.low)
    #expect(missed.verdict == .missed && missed.peopleNeeded == nil && missed.peopleNeededAt90 == nil)
    #expect(Self.result(0.04, 0.06, Self.quarter, kill: Self.low).verdict == .missed)
    #expect(Self.result(0.03, 0.04, Self.quarter, kill: Self.low).verdict == .kill)
    #expect(Self.result(0.24, 0.26, Self.quarter, kill: Self.low).verdict == .inconclusive)
    #expect(Self.result(0.25, 0.26, Self.quarter, kill: Self.low).verdict == .pass)
  }

  /// The expected verdict is derived from the two ends of the interval.
  @Test func `a verdict is inconclusive if and only if the interval extends across the target`() {
    var random = SplitMix64(seed: 1)
    let sides: [Bound.Side] = [.atLeast, .atMost, .above, .below]
    for _ in 0..<2_000 {
      let target = Bound(side: random.one(of: sides), millionths: Int64(random.int(1...9)) * 100_000)
      let ends = [random.int(0...20), random.int(0...20)].map { Double($0) / 20 }.sorted()
      let result = Self.result(ends[0], ends[1], target)
      let interval = result.interval.map { [$0.lower, $0.upper] } ?? []
      let (all, none) = (interval.allSatisfy(target.contains), !interval.contains(where: target.contains))
      #expect(result.verdict == (all ? .pass : none ? .missed : .inconclusive), "\(target) \(ends)")
      #expect((result.peopleNeeded == nil) == (result.verdict != .inconclusive))
      if let needed = result.peopleNeeded, let more = result.peopleNeededAt90 {
        #expect(1_000 < needed && needed < more)
      }
    }
  }

  /// Returns an approximately normally distributed number, computed from twelve uniformly distributed numbers.
  private static func normal(_ random: inout SplitMix64) -> Double {
    (0..<12).reduce(-6.0) { sum, _ in sum + random.fraction() }
  }

  /// Runs are simulated as estimates with known errors. Each undecided run is repeated with the number of people that
  /// it needs: with other people, or with its own people and additional ones.
  @Test(arguments: [false, true]) func `runs with enough people are decided`(_ keepsPeople: Bool) {
    var random = SplitMix64(seed: 2)
    let cases: [(Double, KeyPath<PeopleGateResult, Int64?>)] = [
      (0.8, \.peopleNeeded), (0.9, \.peopleNeededAt90),
    ]
    for (power, people) in cases {
      var (asked, decided) = (0, 0)
      while asked < 2_000 {
        let truth = 0.25 + 0.1 * (random.fraction() - 0.5)
        let error = 0.01
        let estimate = truth + error * Self.normal(&random)
        let half = 1.96 * error
        let result = Self.result(estimate - half, estimate + half, Self.quarter, people: 10_000)
        guard let needed = result[keyPath: people] else { continue }
        asked += 1
        let share = 10_000 / Double(needed)
        let fresh =
          truth + error * (share / (keepsPeople ? 1 - share : 1)).squareRoot() * Self.normal(&random)
        let other = keepsPeople ? share * estimate + (1 - share) * fresh : fresh
        let width = half * share.squareRoot()
        if Self.result(other - width, other + width, Self.quarter).verdict != .inconclusive { decided += 1 }
      }
      let share = Double(decided) / Double(asked)
      #expect(share > power - 0.03 && share < power + 0.1, "\(share) of \(power)")
    }
  }

  /// The expected values are from tables of the normal distribution.
  @Test(arguments: [(0.0, 0.5), (1.0, 0.841_344_7), (-1.959_964, 0.025), (2.575_829, 0.995), (-8, 6e-16)])
  func `normal probabilities equal published tables`(_ x: Double, _ expected: Double) {
    #expect((NormalDistribution.cumulative(x) - expected).magnitude < 1e-6)
  }
}

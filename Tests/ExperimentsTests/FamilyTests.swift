import Foundation
import Reporting
import ScenarioModel
import SimulationKernel
import Testing
import TriggerModel

@testable import Experiments

/// Tests the verdicts and directions of experiments with many comparisons. The people's counts are drawn directly,
/// without a simulation.
///
/// Set TRIGGERBENCH_ALL to use 1,000 seeds.
@Suite struct FamilyTests {
  /// An arm with its own random numbers, so that equal arms differ only by chance.
  private struct DrawnArm: PolicyArm {
    var seed: UInt64
    var arm: UInt64
    /// The additional probability of a tap, in 256ths.
    var lift: UInt64 = 0
    /// The probability of an opt-out, in 256ths.
    var optOuts: UInt64 = 26

    mutating func run(_ person: UInt64, into outcome: inout PersonOutcome) {
      outcome.reset()
      let eagerness = RandomKey(seed: seed, person: person, purpose: .trait).draw(0) % 100
      let luck = RandomKey(seed: seed, person: person, purpose: .response).named(arm)
      let (taps, more) = (luck.draw(0), luck.draw(1))
      outcome.personDays = 1
      outcome.shown = Int64(more % 8) + 1
      outcome.requested = outcome.shown
      outcome.reached = outcome.shown
      for request in 0..<UInt64(outcome.shown) where taps >> (8 * request) & 255 < eagerness + lift {
        outcome.tapped += 1
      }
      outcome.opens = outcome.tapped
      outcome.optedOut = more >> 32 & 255 < optOuts ? 1 : 0
    }
  }

  private static let isComplete = ProcessInfo.processInfo.environment["TRIGGERBENCH_ALL"] != nil
  private static let seeds = isComplete ? 1_000 : 30

  private static func plan(_ arms: [DrawnArm], precision: Double? = nil, most: Int64) -> ExperimentPlan {
    var plan = ExperimentPlan.toy(
      [ToyArm(shownShare: 300)], metrics: [.tapsPerDay, .tapThrough, .optOuts], precision: precision,
      least: 200,
      most: most)
    plan.arms = arms.enumerated().map { index, arm in
      ExperimentPlan.Arm(name: index == 0 ? "base" : "variant \(index)", settings: [], prototype: arm)
    }
    return plan
  }

  /// Returns one gate for each variant, on its difference from the base.
  private static func gates(_ variants: Int) -> [PeopleGate] {
    (1...variants).map {
      PeopleGate(
        metric: 0, subject: .change(arm: $0), target: Bound(side: .above, millionths: 0),
        kill: Bound(side: .below, millionths: 0), benchmarks: [])
    }
  }

  private static func hasDirection(_ result: ExperimentResult) -> Bool {
    let plan = result.plan
    return plan.metrics.indices.contains { metric in
      (1..<plan.arms.count).contains { result.jointChange(metric, arm: $0).direction != .undecided }
    }
  }

  /// Returns the numbers of seeds with a false verdict, with a false direction, and with a policy that is wrongly
  /// dominated.
  private static func falsehoods(
    _ variants: Int, _ isFamilywise: Bool, _ precision: Double?, seeds: Int, most: Int64
  ) -> (verdicts: Int, directions: Int, beaten: Int) {
    var (verdicts, directions, beaten) = (0, 0, 0)
    for seed in 0..<seeds {
      let arms = (0...variants).map { DrawnArm(seed: UInt64(seed), arm: UInt64($0)) }
      var plan = plan(arms, precision: precision, most: most)
      plan.gates = gates(variants)
      plan.isFamilywise = isFamilywise
      let result = ExperimentRunner(plan, PeopleWorkers(jobs: 2)).run()
      if result.gates.contains(where: { $0.verdict != .inconclusive }) { verdicts += 1 }
      if hasDirection(result) { directions += 1 }
      if variants > 1, ParetoFront(result)?.points.contains(where: { $0.beatenBy != nil }) == true {
        beaten += 1
      }
    }
    return (verdicts, directions, beaten)
  }

  /// Returns the greatest plausible number of false results, if each seed has one with a probability of 5 %. It is
  /// four standard deviations above the mean.
  private static func limit(_ seeds: Int) -> Int {
    let expected = 0.05 * Double(seeds)
    return Int(expected + 4 * (expected * 0.95).squareRoot())
  }

  /// With early stopping, the gates are evaluated at 200, 400 and 1,000 people.
  @Test(arguments: [2, 9, 35], [nil, 0.5])
  func `at most 5 % of experiments with equal arms have a verdict or a direction`(
    _ variants: Int, _ precision: Double?
  ) {
    let seeds = variants == 35 && !Self.isComplete ? 8 : Self.seeds
    let found = Self.falsehoods(variants, true, precision, seeds: seeds, most: precision == nil ? 400 : 1_000)
    let limit = Self.limit(seeds)
    #expect(found.verdicts <= limit, "\(found) of \(seeds)")
    #expect(found.directions <= limit, "\(found) of \(seeds)")
    #expect(found.beaten <= limit, "\(found) of \(seeds)")
  }

  /// Shows that the test above can fail.
  @Test func `without a correction, many experiments with nine equal variants have a verdict`() {
    let found = Self.falsehoods(9, false, nil, seeds: Self.seeds, most: 400)
    #expect(found.verdicts > Self.seeds / 8 && found.directions > Self.seeds / 4, "\(found)")
  }

  /// A large difference is decided at the first evaluation. Without a difference, the experiment uses all people.
  @Test func `an experiment ends when its gates are decided or its people are spent`() {
    for (lift, ending, looks) in [
      (80, ExperimentResult.Ending.precise, [200]), (0, .complete, [200, 400, 800, 2_000]),
    ] as [(UInt64, ExperimentResult.Ending, [Int64])] {
      var plan = Self.plan(
        [DrawnArm(seed: 3, arm: 0), DrawnArm(seed: 3, arm: 1, lift: lift)], precision: 0.5, most: 2_000)
      plan.gates = Self.gates(1)
      let result = ExperimentRunner(plan, PeopleWorkers(jobs: 2)).run()
      #expect(result.ending == ending && result.looks == looks, "\(result.ending) \(result.looks)")
      #expect(result.gates[0].verdict == (lift > 0 ? .pass : .inconclusive))
      #expect(result.family.comparisons == 3 && result.family.share < 1)
      // Without gates, only the width stops the experiment, and the last evaluation spends the whole probability.
      plan.gates = []
      let alone = ExperimentRunner(plan, PeopleWorkers(jobs: 2)).run()
      #expect(alone.ending == .precise && alone.looks == [200] && alone.family.share == 1)
    }
  }

  /// The shares that all evaluations spend add up to 1.
  @Test func `evaluations spend the probability of error once`() {
    for most in [200, 350, 600, 1_000, 5_000, 123_456] as [Int64] {
      var plan = Self.plan(
        [DrawnArm(seed: 5, arm: 0), DrawnArm(seed: 5, arm: 1)], precision: 0.5, most: most)
      plan.gates = Self.gates(1)
      if most > 5_000 { plan.budget.least = most / 100 }
      let result = ExperimentRunner(plan, PeopleWorkers(jobs: 2)).run()
      let before = result.looks.count > 1 ? Double(result.looks[result.looks.count - 2]) / Double(most) : 0
      #expect((result.family.share + before - 1).magnitude < 1e-12, "\(result.looks)")
      #expect(result.family.share >= 1.0 / 3)
    }
  }

  @Test func `a policy that is better in every figure beats another`() throws {
    let arms = [
      DrawnArm(seed: 7, arm: 0), DrawnArm(seed: 7, arm: 1, lift: 40, optOuts: 4),
      DrawnArm(seed: 7, arm: 2, lift: 20, optOuts: 80),
    ]
    let front = try #require(
      ParetoFront(ExperimentRunner(Self.plan(arms, most: 4_000), PeopleWorkers(jobs: 2)).run()))
    #expect(front.points.map(\.beatenBy) == [1, nil, 1])
  }

  /// The size of the effect varies. Each undecided experiment is repeated with the number of people that it needs,
  /// which include the people of the first run.
  @Test func `at least 75 % of reruns with the number of people needed are decided`() {
    var (asked, decided) = (0, 0)
    let wanted = Self.isComplete ? 400 : 40
    for seed in 0..<UInt64(10 * wanted) where asked < wanted {
      let lift = 4 + seed % 9
      var plan = Self.plan(
        [DrawnArm(seed: seed, arm: 0), DrawnArm(seed: seed, arm: 1, lift: lift)], most: 400)
      plan.gates = Self.gates(1)
      let result = ExperimentRunner(plan, PeopleWorkers(jobs: 2)).run()
      guard let needed = result.gates[0].peopleNeeded, needed < 40_000 else { continue }
      asked += 1
      plan.budget.most = needed
      if ExperimentRunner(plan, PeopleWorkers(jobs: 2)).run().gates[0].verdict != .inconclusive {
        decided += 1
      }
    }
    #expect(asked == wanted)
    #expect(Double(decided) >= 0.75 * Double(asked), "\(decided) of \(asked)")
  }

  /// The expected values are from tables of the normal distribution.
  @Test(arguments: [
    (0.05, 1.959_964), (0.01, 2.575_829), (0.001, 3.290_527), (1e-6, 4.891_638), (1e-12, 7.130_506),
  ])
  func `quantiles of the normal distribution equal published tables`(_ error: Double, _ expected: Double) {
    #expect((NormalDistribution.quantile(error: error) - expected).magnitude < 2e-5)
  }

  private static func read(_ lines: String) -> ExperimentPlan? {
    let text = """
      kind: experiment
      version: 1
      title: Shorter pauses
      population: popcap-1
      variants: {two: {policy: {minimumInterval: 2 h}}, three: {policy: {minimumInterval: 3 h}}}
      metrics: [tapThrough, tapsPerDay]
      days: 2
      people: 200
      sensitivity: none
      gates:
        - {metric: tapThrough, of: base, target: '>= 25 %'}
        - {metric: tapThrough, of: base, target: '>= 10 %'}
        - {metric: tapsPerDay, change: two, target: '> 0'}
      \(lines)
      """
    guard case .plan(let plan, _) = ExperimentFile.read(Array(text.utf8), file: "a.yaml") else { return nil }
    return plan
  }

  @Test func `every report names the correction`() throws {
    for (lines, words) in [
      ("", "all 5 comparisons of this report hold their true values together"),
      ("family: bonferroni", "(Bonferroni; each interval has 99.000 %)"),
      ("family: none", "Each interval has 95 % by itself ('family: none'), for each of 5 comparisons"),
    ] {
      let plan = try #require(Self.read(lines))
      let report = ExperimentReport(
        ExperimentRunner(plan, PeopleWorkers(jobs: 2)).run(), command: "x", tool: "y")
      #expect(ExperimentText(report).text.contains(words), "\(lines)")
      #expect(ExperimentMarkdown(report).text.contains("joint 95 % interval") == plan.isFamilywise)
    }
    #expect(Self.read("family: some") == nil)
  }
}

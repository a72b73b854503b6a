import Foundation
import TestSupport
import Testing

@testable import Experiments

/// Tests the intervals of ratios and differences against computations from each person's numbers.
@Suite struct EstimateTests {
  private struct Person {
    var base: (numerator: Int64, denominator: Int64)
    var variant: (numerator: Int64, denominator: Int64)
  }

  /// Returns people with correlated counts under both policies.
  private static func people(_ count: Int, _ random: inout SplitMix64) -> [Person] {
    (0..<count).map { _ in
      let share = Double.random(in: 0...0.4, using: &random)
      func counts() -> (numerator: Int64, denominator: Int64) {
        let shown = Int64.random(in: 0...12, using: &random)
        let tapped = (0..<shown).count { _ in Double.random(in: 0..<1, using: &random) < share }
        return (Int64(tapped), shown)
      }
      let base = counts()
      return Person(base: base, variant: Bool.random(using: &random) ? base : counts())
    }
  }

  private static func sums(_ people: [Person]) -> (base: RatioSums, variant: RatioSums, pair: PairSums) {
    people.reduce(into: (RatioSums(), RatioSums(), PairSums())) { sums, person in
      sums.0.add(person.base)
      sums.1.add(person.variant)
      sums.2.add(person.base, person.variant)
    }
  }

  /// Returns each person's residual of a linearised ratio.
  private static func residuals(_ counts: [(numerator: Int64, denominator: Int64)]) -> [Double] {
    let numerator = Double(counts.reduce(0) { $0 + $1.numerator })
    let denominator = Double(counts.reduce(0) { $0 + $1.denominator })
    return counts.map {
      (Double($0.numerator) - numerator / denominator * Double($0.denominator)) / denominator
    }
  }

  @Test func `standard errors equal those computed from each person's residuals`() {
    var random = SplitMix64(seed: 1)
    for _ in 0..<50 {
      let people = Self.people(.random(in: 60...400), &random)
      let sums = Self.sums(people)
      let (base, variant) = (Self.residuals(people.map(\.base)), Self.residuals(people.map(\.variant)))
      let counted = Double(people.count { $0.base.denominator > 0 })
      let expected = (counted / (counted - 1) * base.reduce(0) { $0 + $1 * $1 }).squareRoot()
      let figure = RatioEstimate(sums.base, of: .tapThrough)
      #expect(((figure.standardError ?? 0) / expected - 1).magnitude < 1e-9)
      let differences = zip(variant, base).map { $0 - $1 }
      let all = Double(max(sums.base.counted, sums.variant.counted))
      let error = (all / (all - 1) * differences.reduce(0) { $0 + $1 * $1 }).squareRoot()
      let change = PairEstimate(sums.base, sums.variant, sums.pair, of: .tapThrough)
      #expect(((change.standardError ?? 0) / error - 1).magnitude < 1e-9)
      let apart = (base + variant).reduce(0) { $0 + $1 * $1 } / differences.reduce(0) { $0 + $1 * $1 }
      #expect(((change.varianceFactor ?? 0) / apart - 1).magnitude < 1e-9)
    }
  }

  @Test func `a difference between equal policies has no interval`() {
    var random = SplitMix64(seed: 2)
    let people = Self.people(100, &random).map { Person(base: $0.base, variant: $0.base) }
    let sums = Self.sums(people)
    let change = PairEstimate(sums.base, sums.variant, sums.pair, of: .tapThrough)
    #expect(change.difference == 0)
    #expect(change.interval == nil)
    #expect(change.lack == "the policies have the same counts for everybody")
  }

  @Test func `a difference with few nonzero numerators has no interval`() {
    for (few, lack) in [
      (9, "only 9 people count towards it: 10 are needed"),
      (1, "only 1 person counts towards it: 10 are needed"),
      (0, "only 0 people count towards it: 10 are needed"), (10, nil),
    ] {
      // The denominators differ between the policies for every person.
      let people = (0..<100).map { Person(base: ($0 < few ? 1 : 0, 2), variant: ($0 < few ? 1 : 0, 1)) }
      let sums = Self.sums(people)
      let change = PairEstimate(sums.base, sums.variant, sums.pair, of: .tapThrough)
      #expect(change.lack == lack)
      #expect((change.interval == nil) == (lack != nil))
    }
  }

  @Test func `a ratio of few people has no interval`() {
    var sums = RatioSums()
    #expect(RatioEstimate(sums, of: .tapThrough).lack == "the denominator is 0")
    for _ in 0..<29 { sums.add((1, 2)) }
    #expect(RatioEstimate(sums, of: .tapThrough).lack == "29 people are too few: 30 are needed")
    sums = RatioSums()
    for index in 0..<100 { sums.add((index < 9 ? 1 : 0, 1)) }
    #expect(RatioEstimate(sums, of: .tapsPerDay).lack?.hasPrefix("only 9 people count") == true)
    // The interval of a share is valid for any count.
    #expect(RatioEstimate(sums, of: .tapThrough).interval != nil)
    sums.add((1, 1))
    #expect(RatioEstimate(sums, of: .tapsPerDay).interval != nil)
  }

  /// The interval of a difference between shares of people contains the true difference for any number of differing
  /// people.
  @Test(arguments: [(0.0, 0.0), (0.003, 0.0), (0.004, 0.004), (0.01, 0.03)])
  func `differences of shares of people have intervals`(_ gained: Double, _ lost: Double) throws {
    var random = SplitMix64(seed: 11)
    var hits = 0
    let trials = 200
    for _ in 0..<trials {
      var sums = (base: RatioSums(), variant: RatioSums(), pair: PairSums())
      for _ in 0..<300 {
        let draw = random.fraction()
        let isGained = draw < gained
        let isLost = !isGained && draw < gained + lost
        let (base, variant): (Int64, Int64) =
          isGained ? (0, 1) : isLost ? (1, 0) : random.chance(10) ? (1, 1) : (0, 0)
        sums.base.add((base, 1))
        sums.variant.add((variant, 1))
        sums.pair.add((base, 1), (variant, 1))
      }
      let change = PairEstimate(sums.base, sums.variant, sums.pair, of: .optOuts)
      let interval = try #require(change.interval)
      #expect(interval.lower >= -1 && interval.upper <= 1 && interval.lower < interval.upper)
      if interval.lower <= gained - lost, gained - lost <= interval.upper { hits += 1 }
    }
    #expect(hits >= 184, "\(hits) of \(trials)")
  }

  /// Returns the probability of fewer successes, plus half the probability of the given number.
  private static func midP(_ successes: Int, of trials: Int, _ share: Double) -> Double {
    var (sum, term) = (0.0, 1.0)
    for _ in 0..<trials { term *= 1 - share }
    for number in 0...successes {
      sum += number == successes ? term / 2 : term
      term *= Double(trials - number) / Double(number + 1) * share / (1 - share)
    }
    return sum
  }

  /// The expected probabilities are sums of binomial probabilities.
  @Test func `shares of people have mid-P intervals`() throws {
    for (yes, all) in [(0, 40), (1, 200), (9, 300), (130, 467), (60, 60)] {
      var sums = RatioSums()
      for index in 0..<all { sums.add((index < yes ? 1 : 0, 1)) }
      let estimate = RatioEstimate(sums, of: .optOuts)
      #expect(estimate.method == .midP)
      let interval = try #require(estimate.interval)
      let share = Double(yes) / Double(all)
      #expect(0 <= interval.lower && interval.lower <= share)
      #expect(share <= interval.upper && interval.upper <= 1)
      #expect((interval.lower == 0) == (yes == 0) && (interval.upper == 1) == (yes == all))
      if yes < all {
        #expect((Self.midP(yes, of: all, interval.upper) - 0.025).magnitude < 1e-9, "\(yes) of \(all)")
      }
      if yes > 0 {
        #expect((1 - Self.midP(yes, of: all, interval.lower) - 0.025).magnitude < 1e-9)
      }
    }
    #expect(RatioEstimate(RatioSums(), of: .reach).lack == "the denominator is 0")
  }

  /// Without any tap, the correlation between the notifications of one person is unknown. The interval must be valid
  /// even for full correlation.
  @Test func `the bound of a share of 0 or 1 depends only on the number of people`() throws {
    for kind in [PeopleMetric.Kind.tapThrough, .fireRate] {
      var (none, all) = (RatioSums(), RatioSums())
      for _ in 0..<500 {
        none.add((0, 20))
        all.add((20, 20))
      }
      let (lowest, highest) = (
        try #require(RatioEstimate(none, of: kind).interval),
        try #require(RatioEstimate(all, of: kind).interval)
      )
      #expect(lowest.lower == 0 && highest.upper == 1)
      // Half the probability of no count among 500 people is 2.5 %.
      #expect((lowest.upper - 0.005_974).magnitude < 1e-5, "\(lowest)")
      #expect((highest.lower + lowest.upper - 1).magnitude < 1e-9)
    }
  }

  /// The number of trials: 300, or 1,000 if TRIGGERBENCH_ALL is set.
  private static let trials = ProcessInfo.processInfo.environment["TRIGGERBENCH_ALL"] == nil ? 300 : 1_000

  /// The accepted numbers of intervals that contain the true value: 93 to 97 % of 1,000 trials, or 92 to 99 % of 300
  /// trials.
  private static let likelyHits = trials == 300 ? 276...298 : 930...970

  /// Each trial draws the notifications and taps of people with individual rates. The fifth case has a design effect
  /// of 4.
  @Test(arguments: [
    (0.2, 0.0, 10), (0.01, 0.0, 10), (0.99, 0.0, 10), (0.001, 0.0, 28), (0.2, 1.0, 19), (0.2, 1.0, 14),
    (0.2, 0.0, 1),
  ]) func `intervals contain the true share`(_ truth: Double, _ spread: Double, _ most: Int) throws {
    var random = SplitMix64(seed: 5)
    var hits = 0
    let trials = Self.trials
    for _ in 0..<trials {
      var sums = RatioSums()
      for _ in 0..<300 {
        let shown = most == 1 ? 1 : 1 + random.below(most)
        let rate = truth * (1 + spread * (random.chance(50) ? 1 : -1))
        sums.add((Int64((0..<shown).count { _ in random.fraction() < rate }), Int64(shown)))
      }
      let interval = try #require(RatioEstimate(sums, of: .tapThrough).interval)
      #expect(interval.lower >= 0 && interval.upper <= 1 && interval.lower < interval.upper)
      if interval.lower <= truth, truth <= interval.upper { hits += 1 }
    }
    #expect(Self.likelyHits.contains(hits), "\(hits) of \(trials)")
  }

  /// For about half of the people, both policies use the same draws. Without a lift, their true rates are equal.
  @Test(arguments: [0.0, 0.04]) func `intervals contain the true difference`(_ lift: Double) throws {
    var random = SplitMix64(seed: 6)
    var hits = 0
    for _ in 0..<Self.trials {
      var sums = (base: RatioSums(), variant: RatioSums(), pair: PairSums())
      for _ in 0..<300 {
        let (shown, rate) = (1 + random.below(10), 0.4 * random.fraction())
        func taps(_ rate: Double) -> Int64 { Int64((0..<shown).count { _ in random.fraction() < rate }) }
        let base = taps(rate)
        let variant = random.chance(50) ? base : taps(rate + 2 * lift)
        sums.base.add((base, Int64(shown)))
        sums.variant.add((variant, Int64(shown)))
        sums.pair.add((base, Int64(shown)), (variant, Int64(shown)))
      }
      let change = PairEstimate(sums.base, sums.variant, sums.pair, of: .tapThrough)
      let interval = try #require(change.interval)
      if interval.lower <= lift, lift <= interval.upper { hits += 1 }
    }
    #expect(Self.likelyHits.contains(hits), "\(hits) of \(Self.trials)")
  }

  @Test func `with one trial per person, the design effect is 1`() throws {
    var sums = RatioSums()
    for index in 0..<1_000 { sums.add((index % 5 == 0 ? 1 : 0, 1)) }
    let effect = try #require(RatioEstimate(sums, of: .tapThrough).designEffect)
    #expect((effect - 1).magnitude < 0.01)
  }

  /// The expected values are from tables of the t distribution.
  @Test(arguments: [(10.0, 2.228139), (20, 2.085963), (30, 2.042272), (100, 1.983972), (1e9, 1.959964)])
  func `quantiles of Student's distribution equal published tables`(_ degrees: Double, _ expected: Double) {
    #expect((StudentDistribution.quantile(degrees: degrees) - expected).magnitude < 2e-4)
  }

  @Test func `the number of people needed grows with the inverse square of the width`() {
    let interval = Interval(0.2, halfWidth: 0.02)
    #expect(PairEstimate.peopleNeeded(interval, forHalfWidth: 0.01, taken: 1_000) == 4_000)
    #expect(PairEstimate.peopleNeeded(interval, forHalfWidth: 0, taken: 1_000) == nil)
  }
}

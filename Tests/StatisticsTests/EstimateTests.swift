import RandomScenarios
import TestSupport
import Testing
import TriggerModel

@testable import Statistics
@testable import TestBench

struct EstimateTests {
  @Test
  func `exact intervals equal published examples`() {
    // R. G. Newcombe, "Two-sided confidence intervals for the single proportion", Statistics in Medicine 17,
    // 1998, table I, method 5, rounded to four decimals.
    let cases: [(Int, Int, Int64, Int64)] = [
      (81, 263, 2_527, 3_676), (15, 148, 578, 1_617), (0, 20, 0, 1_684), (1, 29, 9, 1_776),
    ]
    for (numerator, denominator, lower, upper) in cases {
      let interval = Estimate.share([.init(numerator, of: denominator)]).interval
      #expect((interval.map { ($0.lower + 50) / 100 }) == lower, "\(numerator) of \(denominator)")
      #expect((interval.map { ($0.upper + 50) / 100 }) == upper, "\(numerator) of \(denominator)")
    }
  }

  @Test
  func `at each bound, the counts become less probable than 2.5 %`() throws {
    for trials in [1, 2, 7, 30, 365] {
      for successes in [0, 1, trials / 3, trials / 2, trials - 1, trials] {
        let label: Comment = "\(successes) of \(trials)"
        let interval = try #require(Estimate.share([.init(successes, of: trials)]).interval, label)
        func tail(_ millionths: Int64, _ range: ClosedRange<Int>) -> Double {
          range.reduce(0) { $0 + Self.binomial($1, of: trials, Double(millionths) / 1_000_000) }
        }
        if successes > 0 {
          #expect(tail(interval.lower, successes...trials) < 0.025 + 1e-12, label)
          #expect(tail(interval.lower + 1, successes...trials) > 0.025 - 1e-12, label)
        }
        if successes < trials {
          #expect(tail(interval.upper, 0...successes) < 0.025 + 1e-12, label)
          #expect(tail(interval.upper - 1, 0...successes) > 0.025 - 1e-12, label)
        }
        let mirror = try #require(Estimate.share([.init(trials - successes, of: trials)]).interval)
        #expect(
          mirror.lower == 1_000_000 - interval.upper && mirror.upper == 1_000_000 - interval.lower, label)
      }
    }
  }

  /// Returns the probability of a number of successes, computed factor by factor.
  private static func binomial(_ successes: Int, of trials: Int, _ share: Double) -> Double {
    var (probability, failures) = (1.0, trials - successes)
    for step in 0..<successes {
      probability *= share * Double(trials - step) / Double(successes - step)
      // Interleave the small factors to avoid underflow.
      while failures > 0, probability > 1 {
        probability *= 1 - share
        failures -= 1
      }
    }
    for _ in 0..<failures { probability *= 1 - share }
    return probability
  }

  @Test
  func `intervals of many trials are nearly normal`() throws {
    let million = try #require(Estimate.share([.init(300_000, of: 1_000_000)]).interval)
    let half = NormalDistribution.quantile * (0.3 * 0.7 / 1_000_000).squareRoot() * 1_000_000
    #expect((Double(million.lower) - (300_000 - half)).magnitude < 3)
    #expect((Double(million.upper) - (300_000 + half)).magnitude < 3)
    let many = try #require(Estimate.share([.init(1 << 30, of: 1 << 31)]).interval)
    #expect((499_977...499_980).contains(many.lower) && (500_020...500_023).contains(many.upper))
  }

  @Test
  func `more trials with the same share narrow the interval on both sides`() throws {
    for (successes, trials) in [(0, 3), (1, 4), (2, 5), (19, 20), (5, 5)] {
      var before = try #require(Estimate.share([.init(successes, of: trials)]).interval)
      for times in 2...60 {
        let interval = try #require(
          Estimate.share([.init(successes * times, of: trials * times)]).interval)
        #expect(interval.lower >= before.lower && interval.upper <= before.upper, "\(successes) of \(trials)")
        before = interval
      }
    }
  }

  @Test
  func `counts that are not a share have a reason instead of an interval`() {
    #expect(Estimate.share([]).lack == "the denominator is 0")
    #expect(Estimate.share([.init(0, of: 0)]).value == nil)
    let strange = Estimate.share([.init(3, of: 2)])
    #expect(strange.interval == nil && strange.lack == "the numerator exceeds the denominator")
  }

  @Test
  func `differences between persons have a design effect`() {
    let same = Estimate.share(Array(repeating: .init(5, of: 10), count: 8))
    #expect(same.designEffect == 1_000)
    #expect(same.interval == Estimate.share([.init(40, of: 80)]).interval)
    let ones = Estimate.share([.init(1, of: 1), .init(0, of: 1), .init(0, of: 1)])
    #expect(ones.designEffect == 1_000, "persons with one trial each have independent trials")
    // Half of the persons always succeed, and half never do. Their 80 trials provide hardly more information
    // than 8 trials.
    let split = Estimate.share((0..<8).map { .init($0 % 2 == 0 ? 10 : 0, of: 10) })
    #expect(split.designEffect == 11_429)
    #expect(split.runs == 8)
  }

  @Test
  func `if persons differ, the interval still contains the true share as often as stated`() throws {
    var dice = SplitMix64(seed: 1)
    var (covered, naive) = (0, 0)
    let rounds = 600
    for _ in 0..<rounds {
      // Forty persons with twenty trials each. The mean of their shares is one half.
      let counts = (0..<40).map { _ -> Estimate.Count in
        let share = dice.fraction()
        return .init((0..<20).count { _ in dice.fraction() < share }, of: 20)
      }
      let interval = try #require(Estimate.share(counts).interval)
      if interval.lower <= 500_000 && 500_000 <= interval.upper { covered += 1 }
      let pooled = Estimate.share([.init(counts.reduce(0) { $0 + $1.numerator }, of: 800)])
      let plain = try #require(pooled.interval)
      if plain.lower <= 500_000 && 500_000 <= plain.upper { naive += 1 }
    }
    #expect(covered > rounds * 92 / 100, "\(covered) of \(rounds)")
    #expect(naive < rounds * 75 / 100, "without the design effect: \(naive)")
  }

  @Test
  func `the interval of an excess is the inverse of that of the share`() throws {
    let estimate = Estimate.excess([.init(20, of: 16), .init(20, of: 16)])
    #expect(estimate.value == 250_000)
    let share = try #require(Estimate.share([.init(32, of: 40)]).interval)
    let interval = try #require(estimate.interval)
    let turned = (
      lower: 1_000_000 / Double(share.upper) - 1, upper: 1_000_000 / Double(share.lower) - 1
    )
    #expect((Double(interval.lower) - turned.lower * 1_000_000).magnitude <= 1)
    #expect((Double(interval.upper) - turned.upper * 1_000_000).magnitude <= 1)
    #expect(Estimate.excess([]).lack == "the denominator is 0")
    let boundless = Estimate.excess([.init(30, of: 0)])
    #expect(boundless.value == nil && boundless.interval?.upper == .max)
    #expect(
      boundless.interval?.lower == 1_000_000 * 1_000_000
        / (Estimate.share([.init(0, of: 30)]).interval?.upper ?? 1) - 1_000_000)
  }

  @Test
  func `a lift is the ratio of two means and needs ten days of either kind`() throws {
    var days = DayValues()
    days.with = Array(repeating: 115_000, count: 9)
    days.without = Array(repeating: 100_000, count: 40)
    #expect(Estimate.lift([days]).lack?.hasPrefix("9 days with and 40 days without") == true)
    days.with.append(115_000)
    let estimate = Estimate.lift([days])
    #expect(estimate.value == 150_000)
    #expect((estimate.numerator, estimate.denominator) == (115_000, 100_000))
    let interval = try #require(estimate.interval)
    #expect(interval.upper - interval.lower <= 2, "the interval has no width if values never vary")
    days.without = Array(repeating: 0, count: 40)
    #expect(Estimate.lift([days]).lack == "the mean on days without is not above zero")
  }

  @Test
  func `the interval contains the true lift as often as stated`() throws {
    var dice = SplitMix64(seed: 2)
    let rounds = 400
    for (persons, days, spread) in [(1, 40, 0.0), (30, 12, 60.0)] {
      var covered = 0
      for _ in 0..<rounds {
        let runs = (0..<persons).map { _ -> DayValues in
          // Each person has a level and a lift of around 15 %. Daily values vary around the level.
          let level = 100 + spread * (dice.fraction() - 0.5)
          let lift = 0.15 + spread / 300 * (dice.fraction() - 0.5)
          func value(_ mean: Double) -> Int64 {
            Int64((mean + 30 * (dice.fraction() + dice.fraction() - 1)) * 1_000)
          }
          var values = DayValues()
          values.with = (0..<days).map { _ in value(level * (1 + lift)) }
          values.without = (0..<days * 2).map { _ in value(level) }
          return values
        }
        let interval = try #require(Estimate.lift(runs).interval)
        if interval.lower <= 150_000 && 150_000 <= interval.upper { covered += 1 }
      }
      #expect(covered > rounds * 91 / 100, "\(persons) persons: \(covered) of \(rounds)")
      #expect(covered < rounds, "the interval must not be so wide that it always contains the lift")
    }
  }
}

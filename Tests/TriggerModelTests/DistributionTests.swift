import Foundation
import Testing
import TriggerModel

@Suite struct BetaDistributionTests {
  /// Returns n choose k.
  private func choose(_ n: Int, _ k: Int) -> Double {
    (0..<k).reduce(1) { $0 * Double(n - $1) / Double($1 + 1) }
  }

  /// If a and b are integers, the probability of at most `x` equals that of at least a successes in a + b − 1
  /// trials.
  @Test func `whole parameters give binomial probabilities`() {
    for n in [1, 2, 5, 12, 30] {
      for a in 1...n {
        for percent in stride(from: 1, through: 99, by: 7) {
          let x = Double(percent) / 100
          let sum = (a...n).reduce(0) { $0 + choose(n, $1) * pow(x, Double($1)) * pow(1 - x, Double(n - $1)) }
          let found = BetaDistribution.cumulative(x, Double(a), Double(n - a + 1))
          #expect(abs(found - sum) < 1e-12, "\(a) of \(n) at \(x)")
        }
      }
    }
  }

  /// For these parameters, there are closed forms: the arcsine law, and a power.
  @Test func `fractional parameters agree with closed forms`() {
    for percent in 1...99 {
      let x = Double(percent) / 100
      let arcSine = 2 / Double.pi * asin(x.squareRoot())
      #expect(abs(BetaDistribution.cumulative(x, 0.5, 0.5) - arcSine) < 1e-12, "\(x)")
      #expect(abs(BetaDistribution.cumulative(x, 2.75, 1) - pow(x, 2.75)) < 1e-12, "\(x)")
    }
  }

  @Test func `swapped parameters give the complement`() {
    for (a, b) in [(0.5, 3.0), (40, 17.25), (1_000, 3_000)] {
      var last = 0.0
      for percent in 0...100 {
        let x = Double(percent) / 100
        let found = BetaDistribution.cumulative(x, a, b)
        #expect(abs(found + BetaDistribution.cumulative(1 - x, b, a) - 1) < 1e-10, "\(a), \(b) at \(x)")
        #expect(found >= last && found <= 1, "\(a), \(b) at \(x)")
        last = found
      }
      #expect(BetaDistribution.cumulative(0, a, b) == 0)
      #expect(BetaDistribution.cumulative(-0.5, a, b) == 0)
      #expect(BetaDistribution.cumulative(1, a, b) == 1)
      #expect(BetaDistribution.cumulative(1.5, a, b) == 1)
    }
  }

  @Test func `the logarithm of gamma agrees with the C library`() {
    for z in [1e-6, 0.1, 0.5, 1, 1.5, 2, 3.75, 10, 15.999, 16, 100, 1e4, 1e6] {
      #expect(abs(BetaDistribution.logGamma(z) - lgamma(z)) <= 1e-12 * max(1, abs(lgamma(z))), "\(z)")
    }
  }
}

/// 95 % of a normal distribution is between the quantile and its negative.
@Test func `the interval between the normal quantile and its negative contains 95 %`() {
  #expect(abs(erf(NormalDistribution.quantile / 2.0.squareRoot()) - 0.95) < 1e-15)
}

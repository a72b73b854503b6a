import Foundation
import Testing
import TriggerModel

/// Between the quantile and its negative lie 95 % of a normal distribution.
@Test func `the normal quantile is that of 95 %`() {
  #expect(abs(erf(NormalDistribution.quantile / 2.0.squareRoot()) - 0.95) < 1e-15)
}

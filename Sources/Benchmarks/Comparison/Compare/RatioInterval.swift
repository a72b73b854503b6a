import TriggerModel

/// What paired measurements say about the ratio of two times, as a natural logarithm: 0.01 is 1 % slower.
package struct RatioInterval: Hashable, Sendable {
  /// The median of the pairs.
  package var estimate: Double
  /// Ends of the bootstrap's 95 % interval.
  package var low: Double
  package var high: Double
  /// Share of resamples on the other side of no change, both sides counted.
  package var pValue: Double

  package init(estimate: Double, low: Double, high: Double, pValue: Double) {
    self.estimate = estimate
    self.low = low
    self.high = high
    self.pValue = pValue
  }

  package var halfWidth: Double { (high - low) / 2 }

  /// The largest change that the interval does not exclude, in either direction.
  package var farEnd: Double { max(abs(low), abs(high)) }

  /// Resamples the pairs with replacement and takes the percentiles of what comes out.
  ///
  /// The median, because on a busy machine a fifth of the pairs may be disturbed by tens of per cent: the
  /// resamples of a mean or a trimmed mean show it at their ends (twice the width with 6 % of single runs
  /// disturbed), those of the median do not, and without disturbance it costs a tenth. Of a dozen pairs,
  /// the interval covers the truth in some 93 of 100 cases rather than 95; the noise floor and the second
  /// look make up for it.
  ///
  /// - Parameters:
  ///   - logRatios: One for each pair, at least one.
  ///   - seed: The same samples and seed give the same interval.
  /// - Complexity: O(`resamples` · *n* log *n*) for *n* pairs.
  package init(logRatios: [Double], seed: UInt64 = 1, resamples: Int = 2_000) {
    precondition(!logRatios.isEmpty && resamples > 40)
    estimate = Self.median(logRatios)
    var generator = SplitMix64(state: seed)
    var resample = logRatios
    var estimates: [Double] = []
    estimates.reserveCapacity(resamples)
    for _ in 0..<resamples {
      for index in resample.indices { resample[index] = logRatios[generator.below(logRatios.count)] }
      estimates.append(Self.median(resample))
    }
    estimates.sort()
    low = estimates[resamples / 40]
    high = estimates[resamples - 1 - resamples / 40]
    let below = estimates.count { $0 <= 0 }
    let above = estimates.count { $0 >= 0 }
    pValue = min(1, 2 * Double(min(below, above) + 1) / Double(resamples + 1))
  }

  /// The middle value, of an even number the mean of the two in the middle.
  package static func median(_ values: [Double]) -> Double {
    let sorted = values.sorted()
    let middle = sorted.count / 2
    return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
  }

  /// A change in per cent of the old time: 0.01 is 1.005.
  package static func percent(_ logRatio: Double) -> Double {
    (DeterministicMath.exp(logRatio) - 1) * 100
  }

  /// The reverse of ``percent(_:)``.
  package static func logRatio(percent: Double) -> Double {
    DeterministicMath.log(1 + percent / 100)
  }
}

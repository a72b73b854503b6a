import TriggerModel

/// An estimated ratio of two times as a natural logarithm, from paired measurements: 0.01 is 1 % slower.
package struct RatioInterval: Hashable, Sendable {
  /// The median of the pairs.
  package var estimate: Double
  /// The ends of the bootstrap's 95 % interval.
  package var low: Double
  package var high: Double
  /// The two-sided p-value: the share of resamples on the other side of no change, times two.
  package var pValue: Double

  package var halfWidth: Double { (high - low) / 2 }

  /// The largest magnitude of a change within the interval.
  package var farEnd: Double { max(abs(low), abs(high)) }
}

extension RatioInterval {
  /// Computes the percentile bootstrap of the median over pairs.
  ///
  /// The median is used because on a busy machine a fifth of the pairs may be disturbed by tens of per cent.
  /// Resamples of a mean or a trimmed mean reflect this in their tails (twice the width with 6 % of single
  /// runs disturbed), those of the median do not. Without disturbance the median costs a tenth in width. With
  /// a dozen pairs, the interval contains the true value in about 93 % of cases instead of 95 %. The noise
  /// floor and the second measurement compensate for that.
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

  /// Returns the middle value, or the mean of the two middle values.
  package static func median(_ values: [Double]) -> Double {
    let sorted = values.sorted()
    let middle = sorted.count / 2
    return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
  }

  /// Converts a logarithm to a change in per cent: 0.01 is 1.005.
  package static func percent(_ logRatio: Double) -> Double {
    (DeterministicMath.exp(logRatio) - 1) * 100
  }

  /// Converts a change in per cent to a logarithm.
  package static func logRatio(percent: Double) -> Double {
    DeterministicMath.log(1 + percent / 100)
  }
}

/// Four consecutive runs, A B B A or B A A B, so that drift affects both builds equally.
struct Block: Hashable, Sendable {
  /// The nanoseconds per event of A's two runs, in order.
  var a: [Double]
  var b: [Double]

  /// The logarithm of B's time divided by A's.
  var logRatio: Double { (log(b[0]) + log(b[1]) - log(a[0]) - log(a[1])) / 2 }

  /// The logarithm of A's second time divided by its first, which measures noise. A difference of two runs
  /// has a standard deviation √2 times that of the means of two, so the value is divided by √2.
  var selfLogRatio: Double { (log(a[1]) - log(a[0])) / 2.0.squareRoot() }

  private func log(_ time: Double) -> Double { DeterministicMath.log(max(time, 1e-3)) }
}

/// The evaluation of the blocks of one row.
package struct Look: Hashable, Sendable {
  /// B compared with A.
  package var change: RatioInterval
  /// A compared with itself, from the same runs.
  package var itself: RatioInterval
  package var blocks: Int

  /// The minimum number of blocks. With fewer, the bootstrap's intervals are too narrow.
  package static let minimumBlocks = 12

  /// Changes below this cannot be distinguished from noise on this machine at this time.
  package var noiseFloor: Double { itself.farEnd }
}

extension Look {
  init(_ blocks: [Block]) {
    change = RatioInterval(logRatios: blocks.map(\.logRatio))
    itself = RatioInterval(logRatios: blocks.map(\.selfLogRatio), seed: 2)
    self.blocks = blocks.count
  }
}

/// Holm's correction for multiple comparisons.
package enum Holm {
  /// Returns which p-values are significant, such that the probability of any false positive is below
  /// `level`, for any dependence between them.
  package static func significant(_ pValues: [Double], level: Double = 0.05) -> [Bool] {
    var significant = pValues.map { _ in false }
    let ascending = pValues.indices.sorted { pValues[$0] < pValues[$1] }
    for (rank, row) in ascending.enumerated() {
      guard pValues[row] <= level / Double(pValues.count - rank) else { break }
      significant[row] = true
    }
    return significant
  }
}

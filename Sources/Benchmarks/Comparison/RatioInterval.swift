import TriggerModel

/// An estimate of the ratio of two times from paired measurements, as a natural logarithm. A value of 0.01
/// means about 1 % slower.
package struct RatioInterval: Hashable, Sendable {
  /// The median over the pairs.
  package var estimate: Double
  /// The ends of the 95 % bootstrap interval.
  package var low: Double
  package var high: Double
  /// The two-sided p-value: twice the share of resamples whose sign differs from that of the estimate.
  package var pValue: Double

  package var halfWidth: Double { (high - low) / 2 }

  /// The greatest magnitude of a change within the interval.
  package var farEnd: Double { max(abs(low), abs(high)) }
}

extension RatioInterval {
  /// Computes a percentile bootstrap of the median over the pairs.
  ///
  /// On a busy machine, a fifth of the pairs may be off by tens of per cent. Such pairs widen the interval of
  /// a mean or a trimmed mean: if 6 % of the runs are disturbed, that interval is twice as wide. They do not
  /// widen the interval of a median. On a quiet machine, the interval of the median is a tenth wider than
  /// that of the mean.
  ///
  /// With a dozen pairs, the interval contains the true value in about 93 % of cases instead of 95 %. The
  /// noise floor and the second measurement compensate for that.
  ///
  /// - Parameters:
  ///   - logRatios: The logarithm of each pair's ratio. At least one is required.
  ///   - seed: The seed for resampling. Equal samples and seeds give equal intervals.
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

  /// Returns a logarithm as a change in per cent. For example, 0.01 gives 1.005.
  package static func percent(_ logRatio: Double) -> Double {
    (DeterministicMath.exp(logRatio) - 1) * 100
  }

  /// Returns a change in per cent as a logarithm.
  package static func logRatio(percent: Double) -> Double {
    DeterministicMath.log(1 + percent / 100)
  }
}

/// Four consecutive runs in the order A B B A or B A A B. Drift of the machine then affects both builds
/// equally.
struct Block: Hashable, Sendable {
  /// The nanoseconds per event of the two runs of A, in the order of the runs.
  var a: [Double]
  var b: [Double]

  /// The logarithm of the ratio of B's time to A's.
  var logRatio: Double { (log(b[0]) + log(b[1]) - log(a[0]) - log(a[1])) / 2 }

  /// The logarithm of the ratio of A's second time to its first, as a measure of noise.
  ///
  /// It is divided by √2, because the difference between single runs varies √2 times as much as the
  /// difference between means of two runs.
  var selfLogRatio: Double { (log(a[1]) - log(a[0])) / 2.0.squareRoot() }

  private func log(_ time: Double) -> Double { DeterministicMath.log(max(time, 1e-3)) }
}

/// The evaluation of a row's blocks.
package struct Look: Hashable, Sendable {
  /// The change from A to B.
  package var change: RatioInterval
  /// The apparent change from A to A in the same runs.
  package var itself: RatioInterval
  package var blocks: Int

  /// The minimum number of blocks. With fewer blocks, the bootstrap interval is too narrow.
  package static let minimumBlocks = 12

  /// The smallest change that can currently be distinguished from noise on this machine.
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
  /// Returns whether each p-value is significant.
  ///
  /// The probability of any false positive is at most `level`, however the values depend on each other.
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

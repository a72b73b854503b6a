import TriggerModel

/// The 95 % confidence interval of a figure, in millionths.
///
/// Bounds are rounded outwards, so that rounding never makes an interval too narrow.
package struct ConfidenceInterval: Hashable, Sendable {
  package var lower: Int64
  /// The upper bound, or `.max` if there is none.
  package var upper: Int64
}

extension ConfidenceInterval {
  /// Creates an interval from fractions of one. Returns `nil` if a bound is not finite or is out of range.
  init?(lower: Double, upper: Double) {
    let low = (lower * 1_000_000).rounded(.down)
    let high = (upper * 1_000_000).rounded(.up)
    guard low <= high, low.magnitude < 1e15, high.magnitude < 1e15 else { return nil }
    self.init(lower: Int64(low), upper: Int64(high))
  }

  /// Returns the exact interval of a share: the shares for which at least this many successes, and at most
  /// this many, each have a probability of at least 2.5 %. It is valid for any number of trials (C. J.
  /// Clopper and E. S. Pearson, "The use of confidence or fiducial limits", Biometrika 26, 1934).
  ///
  /// - Parameters:
  ///   - share: The observed share, 0…1.
  ///   - trials: The number of trials, greater than 0. It need not be an integer, because a design effect may
  ///     have reduced it (E. L. Korn and B. I. Graubard, "Confidence intervals for proportions with small
  ///     expected number of positive counts", Survey Methodology 24, 1998).
  static func exact(share: Double, trials: Double) -> ConfidenceInterval {
    // Each bound is the nearest whole number of millionths outside the interval that the counts reject.
    let lower = first { !isAbove($0, share: share, trials: trials) } - 1
    let upper = first { isBelow($0, share: share, trials: trials) }
    return ConfidenceInterval(lower: max(0, lower), upper: upper)
  }

  /// Whether the true share is at least this number of millionths, at the confidence level.
  static func isAbove(_ millionths: Int64, share: Double, trials: Double) -> Bool {
    if millionths <= 0 { return true }
    if share == 0 { return false }
    let successes = share * trials
    let bound = Double(millionths) / 1_000_000
    return BetaDistribution.cumulative(bound, successes, trials - successes + 1) <= (1 - confidence) / 2
  }

  /// Whether the true share is at most this number of millionths, at the confidence level.
  static func isBelow(_ millionths: Int64, share: Double, trials: Double) -> Bool {
    isAbove(1_000_000 - millionths, share: 1 - share, trials: trials)
  }

  private static let confidence = 0.95

  /// Returns the smallest number of millionths that satisfies a monotonic condition, or 1,000,000 if no
  /// smaller number does.
  private static func first(_ isFulfilled: (Int64) -> Bool) -> Int64 {
    var (low, high): (Int64, Int64) = (0, 1_000_000)
    while low < high {
      let middle = (low + high) / 2
      if isFulfilled(middle) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}

extension ConfidenceInterval: CustomStringConvertible {
  /// The interval as text, such as "21.9 to 61.3 %", rounded to the nearest tenth.
  package var description: String {
    upper == .max ? "\(Percent.text(lower)) % and more" : "\(Percent.text(lower)) to \(Percent.text(upper)) %"
  }
}

/// Formats millionths as a percentage with one decimal.
enum Percent {
  static func text(_ millionths: Int64) -> String {
    let tenths = (2 * millionths.magnitude + 1_000) / 2_000
    return (millionths < 0 && tenths > 0 ? "-" : "") + "\(tenths / 10).\(tenths % 10)"
  }
}

/// Formats thousandths as a number with one decimal.
enum Thousandths {
  static func text(_ thousandths: Int) -> String { Percent.text(Int64(thousandths) * 10) }
}

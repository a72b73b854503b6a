import TriggerModel

/// Between which numbers a figure lies, with 95 % confidence, in millionths.
///
/// Bounds are rounded away from each other, so that nothing is decided by a rounding.
package struct ConfidenceInterval: Hashable, Sendable {
  package var lower: Int64
  /// `.max` when there is no bound above.
  package var upper: Int64

  package init(lower: Int64, upper: Int64) {
    self.lower = lower
    self.upper = upper
  }

  /// From bounds as fractions of one; nil when they are not finite or beyond what can be meant.
  init?(lower: Double, upper: Double) {
    let low = (lower * 1_000_000).rounded(.down)
    let high = (upper * 1_000_000).rounded(.up)
    guard low <= high, low.magnitude < 1e15, high.magnitude < 1e15 else { return nil }
    self.init(lower: Int64(low), upper: Int64(high))
  }

  /// The exact interval of a share: those true shares of which neither so many successes nor so few are less
  /// probable than 2.5 % (C. J. Clopper and E. S. Pearson, "The use of confidence or fiducial limits", Biometrika
  /// 26, 1934). It holds for one trial as for millions.
  ///
  /// - Parameters:
  ///   - share: 0…1.
  ///   - trials: Greater than 0; not whole where a design effect has made fewer of them (E. L. Korn and
  ///     B. I. Graubard, "Confidence intervals for proportions with small expected number of positive counts",
  ///     Survey Methodology 24, 1998).
  static func exact(share: Double, trials: Double) -> ConfidenceInterval {
    // Bounds are whole millionths: the outermost that the counts still refuse.
    let lower = first { !isAbove($0, share: share, trials: trials) } - 1
    let upper = first { isBelow($0, share: share, trials: trials) }
    return ConfidenceInterval(lower: max(0, lower), upper: upper)
  }

  /// Whether the counts say that the true share is at least so many millionths.
  static func isAbove(_ millionths: Int64, share: Double, trials: Double) -> Bool {
    if millionths <= 0 { return true }
    if share == 0 { return false }
    let successes = share * trials
    let bound = Double(millionths) / 1_000_000
    return BetaDistribution.cumulative(bound, successes, trials - successes + 1) <= (1 - confidence) / 2
  }

  /// Whether the counts say that the true share is at most so many millionths.
  static func isBelow(_ millionths: Int64, share: Double, trials: Double) -> Bool {
    isAbove(1_000_000 - millionths, share: 1 - share, trials: trials)
  }

  private static let confidence = 0.95

  /// The least number of millionths that fulfils a condition which all greater ones fulfil; 1,000,000 when none
  /// below does.
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
  /// "21.9 to 61.3 %", rounded to the nearest.
  package var description: String {
    upper == .max ? "\(Percent.text(lower)) % and more" : "\(Percent.text(lower)) to \(Percent.text(upper)) %"
  }
}

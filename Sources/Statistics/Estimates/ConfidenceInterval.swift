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

  /// The 97.5 % quantile of the normal distribution.
  static let quantile = 1.959963984540054

  /// Wilson's interval of a share: those true shares that a score test would not refuse (E. B. Wilson,
  /// "Probable inference, the law of succession, and statistical inference", JASA 22, 1927). Unlike the
  /// plain one it holds for few trials, and for shares near 0 and 1.
  ///
  /// - Parameters:
  ///   - share: 0…1.
  ///   - trials: Greater than 0; not whole where a design effect has made fewer of them.
  static func wilson(share: Double, trials: Double) -> ConfidenceInterval {
    let square = quantile * quantile
    let scale = 1 + square / trials
    let centre = (share + square / (2 * trials)) / scale
    let spread = share * (1 - share) / trials + square / (4 * trials * trials)
    let half = quantile * spread.squareRoot() / scale
    return ConfidenceInterval(
      lower: share == 0 ? 0 : Int64(max(0, ((centre - half) * 1_000_000).rounded(.down))),
      upper: share == 1 ? 1_000_000 : Int64(min(1_000_000, ((centre + half) * 1_000_000).rounded(.up))))
  }
}

extension ConfidenceInterval: CustomStringConvertible {
  /// "21.9 to 61.3 %", rounded to the nearest.
  package var description: String {
    upper == .max ? "\(Percent.text(lower)) % and more" : "\(Percent.text(lower)) to \(Percent.text(upper)) %"
  }
}

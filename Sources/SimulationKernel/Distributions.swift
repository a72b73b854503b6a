import TriggerModel

extension RandomKey {
  /// A number in [0, 1), a multiple of 2⁻⁵³, each as likely.
  @inlinable
  public func unit(_ occurrence: UInt64) -> Double {
    Self.unit(draw(occurrence))
  }

  @inlinable
  static func unit(_ bits: UInt64) -> Double {
    Double(bits >> 11) * 0x1p-53
  }

  /// A whole number in 0 ..< `bound`.
  ///
  /// The upper half of a 128-bit product; a number's probability differs from 1 / `bound` by less than
  /// 2⁻⁶⁴, so that one draw always suffices. Traps where `bound` is 0.
  @inlinable
  public func below(_ bound: UInt64, _ occurrence: UInt64) -> UInt64 {
    precondition(bound > 0, "no number is below 0")
    return draw(occurrence).multipliedFullWidth(by: bound).high
  }

  /// True in `partsPerMillion` of 1,000,000 cases.
  @inlinable
  public func chance(partsPerMillion: UInt32, _ occurrence: UInt64) -> Bool {
    below(1_000_000, occurrence) < UInt64(partsPerMillion)
  }

  /// An exponentially distributed number, at most 37 times `mean`, which is not negative.
  public func exponential(mean: Double, _ occurrence: UInt64) -> Double {
    // 1 - u lies in (0, 1].
    -mean * DeterministicMath.log(1 - unit(occurrence))
  }

  /// A normally distributed number, at most 8.6 standard deviations from `mean`.
  ///
  /// Distance and direction of a point in the plane (G. E. P. Box and M. E. Muller, 1958); the
  /// direction comes from the same draw, finalised once more.
  public func normal(mean: Double = 0, standardDeviation: Double = 1, _ occurrence: UInt64) -> Double {
    let bits = draw(occurrence)
    let distance = (-2 * DeterministicMath.log(1 - Self.unit(bits))).squareRoot()
    let direction = 360 * Self.unit(Self.mix64(bits &+ Self.gamma))
    return mean + standardDeviation * distance * DeterministicMath.cosDegrees(direction)
  }

  /// A number whose logarithm is normally distributed.
  ///
  /// - Parameters:
  ///   - median: the median, e to the power of the logarithm's mean; positive.
  ///   - sigma: the standard deviation of the logarithm.
  ///   - occurrence: which draw of the key, as with all distributions.
  public func logNormal(median: Double, sigma: Double, _ occurrence: UInt64) -> Double {
    median * DeterministicMath.exp(normal(standardDeviation: sigma, occurrence))
  }
}

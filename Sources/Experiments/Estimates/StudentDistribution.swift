import TriggerModel

/// The distribution of an estimate that is measured in its own, estimated, standard errors (W. S. Gosset,
/// "The probable error of a mean", Biometrika 6, 1908).
enum StudentDistribution {
  /// The 97.5 % quantile: the half width of a 95 % interval in standard errors.
  ///
  /// By the expansion in the inverse of the degrees of freedom (Abramowitz and Stegun, "Handbook of Mathematical
  /// Functions", 26.7.5), which is within 1e-4 from ten degrees on.
  ///
  /// - Parameter degrees: of freedom, greater than 0.
  static func quantile(degrees: Double) -> Double {
    let z = NormalDistribution.quantile
    let (z2, v) = (z * z, degrees)
    let first = (z2 + 1) * z / 4
    let second = ((5 * z2 + 16) * z2 + 3) * z / 96
    let third = (((3 * z2 + 19) * z2 + 17) * z2 - 15) * z / 384
    let fourth = ((((79 * z2 + 776) * z2 + 1_482) * z2 - 1_920) * z2 - 945) * z / 92_160
    return z + (first + (second + (third + fourth / v) / v) / v) / v
  }
}

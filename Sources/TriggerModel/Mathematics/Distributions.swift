/// The beta distribution, which yields exact confidence intervals of proportions.
///
/// It uses only arithmetic and the package's own logarithm, so results are equal on every machine.
package enum BetaDistribution {
  /// Returns the probability of a value of at most `x`, that is, the regularised incomplete beta function.
  ///
  /// Uses its continued fraction (NIST Digital Library of Mathematical Functions, 8.17.22) on the side of the
  /// mean where it converges quickly.
  ///
  /// - Parameters:
  ///   - x: A number in 0…1.
  ///   - a: A number greater than 0, which need not be an integer. The same applies to `b`.
  /// - Complexity: O(√(a + b)) close to the mean, and less elsewhere.
  package static func cumulative(_ x: Double, _ a: Double, _ b: Double) -> Double {
    if x <= 0 { return 0 }
    if x >= 1 { return 1 }
    let isLow = x * (a + b + 2) < a + 1
    let (y, p, q) = isLow ? (x, a, b) : (1 - x, b, a)
    let logFront = p * log(y) + q * log(1 - y) + logGamma(p + q) - logGamma(p) - logGamma(q)
    let tail = exp(logFront) / p * fraction(y, p, q)
    return isLow ? tail : 1 - tail
  }

  /// Returns the continued fraction, starting with its first convergent (W. J. Lentz, "Generating Bessel
  /// functions in Mie scattering calculations using continued fractions", Applied Optics 15, 1976).
  private static func fraction(_ x: Double, _ a: Double, _ b: Double) -> Double {
    var (numerators, denominators) = (1.0, inverse(1 - (a + b) * x / (a + 1)))
    var value = denominators
    // The fraction converges in about √max(a, b) steps, so this limit suffices for counts up to 10¹⁰.
    for step in 1...100_000 {
      let m = Double(step)
      let even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
      let odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
      var change = 1.0
      for coefficient in [even, odd] {
        denominators = inverse(1 + coefficient * denominators)
        numerators = 1 + coefficient / numerators
        change = numerators * denominators
        value *= change
      }
      if (change - 1).magnitude < 1e-14 { break }
    }
    return value
  }

  /// Returns the inverse of a value. Replaces a value close to zero, to avoid a division by zero.
  private static func inverse(_ value: Double) -> Double {
    1 / (value.magnitude < 1e-300 ? 1e-300 : value)
  }

  /// Returns the logarithm of the gamma function by Stirling's series (formula 5.11.1 of the NIST library).
  /// First shifts the argument far enough from 0 that four terms suffice.
  ///
  /// - Parameter z: A number greater than 0.
  package static func logGamma(_ z: Double) -> Double {
    var (shifted, product) = (z, 1.0)
    while shifted < 16 {
      product *= shifted
      shifted += 1
    }
    let square = 1 / (shifted * shifted)
    let series = (1.0 / 12 - square * (1.0 / 360 - square * (1.0 / 1_260 - square / 1_680))) / shifted
    let halfLogOfTwoPi = 0.918938533204672742
    return (shifted - 0.5) * log(shifted) - shifted + halfLogOfTwoPi + series - log(product)
  }

  private static func log(_ x: Double) -> Double { DeterministicMath.log(x) }
  private static func exp(_ x: Double) -> Double { DeterministicMath.exp(x) }
}

/// The normal distribution.
package enum NormalDistribution {
  /// The 97.5 % quantile. It is half the width of a 95 % interval, in standard deviations.
  package static let quantile = 1.959963984540054
}

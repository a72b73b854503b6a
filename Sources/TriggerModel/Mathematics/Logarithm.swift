extension DeterministicMath {
  /// The natural logarithm, within 1 ulp.
  ///
  /// Minus infinity for zero, NaN for negative numbers.
  ///
  /// x = 2ᵏ · (1 + f) with √½ ≤ 1 + f < √2, and log(1 + f) from an odd polynomial in f / (2 + f)
  /// (fdlibm, `e_log.c`).
  public static func log(_ x: Double) -> Double {
    // The exponent and the significand of a normal number are bits of it.
    let bits = x.bitPattern
    guard bits &- firstNormal < infinite - firstNormal else { return logOfOther(x) }
    return log(
      exponent: Double(Int64(bits >> 52) - 1_023),
      significand: Double(bitPattern: bits & (firstNormal - 1) | 0x3FF0_0000_0000_0000))
  }

  private static let firstNormal: UInt64 = 0x0010_0000_0000_0000
  private static let infinite: UInt64 = 0x7FF0_0000_0000_0000

  /// Of a number that is not positive, or not normal.
  @inline(never)
  private static func logOfOther(_ x: Double) -> Double {
    guard x > 0, x < .infinity else { return x == 0 ? -.infinity : (x < 0 ? .nan : x) }
    return log(exponent: Double(x.exponent), significand: x.significand)
  }

  @inline(__always)
  private static func log(exponent: Double, significand: Double) -> Double {
    var (k, f) = (exponent, significand)
    if f >= 0x1.6a09e667f3bcdp0 {
      f *= 0.5
      k += 1
    }
    f -= 1
    let s = f / (2 + f)
    let z = s * s
    let w = z * z
    let even =
      w * (3.999999999940941908e-01 + w * (2.222219843214978396e-01 + w * 1.531383769920937332e-01))
    let odd =
      z
      * (6.666666666666735130e-01
        + w * (2.857142874366239149e-01 + w * (1.818357216161805012e-01 + w * 1.479819860511658591e-01)))
    let r = even + odd
    let halfSquare = 0.5 * f * f
    return k * logOfTwoHigh - ((halfSquare - (s * (halfSquare + r) + k * logOfTwoLow)) - f)
  }

  /// The exponential function, within 1 ulp; zero below about -745.1, infinity above about 709.8.
  ///
  /// x = k · log 2 + r with |r| ≤ ½ log 2, and exp r from a rational approximation (fdlibm, `e_exp.c`).
  public static func exp(_ x: Double) -> Double {
    guard x > -746 else { return x.isNaN ? x : 0 }
    guard x < 710 else { return .infinity }
    let k = (x * 1.44269504088896338700).rounded()
    let high = x - k * logOfTwoHigh
    let low = k * logOfTwoLow
    let r = high - low
    let t = r * r
    let c =
      r - t
      * (1.66666666666666019037e-01
        + t
        * (-2.77777777770155933842e-03
          + t
          * (6.61375632143793436117e-05
            + t * (-1.65339022054652515390e-06 + t * 4.13813679705723846039e-08))))
    let y = 1 - ((low - (r * c) / (2 - c)) - high)
    return scaled(y, byPowerOfTwo: Int(k))
  }

  /// The high bits of log 2; its product with any exponent of a double is exact.
  private static let logOfTwoHigh = 6.93147180369123816490e-01
  private static let logOfTwoLow = 1.90821492927058770002e-10

  /// y · 2ᵏ for ½ < y < 2 and |k| < 1,100, in two steps, because 2ᵏ alone may not be a finite, normal number.
  private static func scaled(_ y: Double, byPowerOfTwo k: Int) -> Double {
    let half = k / 2
    return y * powerOfTwo(half) * powerOfTwo(k - half)
  }

  /// 2ᵏ for -1,022 ≤ k ≤ 1,023.
  private static func powerOfTwo(_ k: Int) -> Double {
    Double(bitPattern: UInt64(1_023 + k) << 52)
  }
}

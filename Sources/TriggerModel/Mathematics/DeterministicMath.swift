/// Elementary functions with bit-identical results on every processor and at every optimisation level.
///
/// The functions of the C library may differ in the last bit between processors with and without fused
/// multiply-add. The functions below use only addition, subtraction, multiplication, division and rounding,
/// which IEEE 754 defines exactly. The polynomials are those of fdlibm (Sun Microsystems, 1993).
public enum DeterministicMath {}

extension DeterministicMath {
  /// Returns the natural logarithm, within 1 ulp. The result is minus infinity for zero, and NaN for negative
  /// numbers.
  ///
  /// With x = 2ᵏ · (1 + f) and √½ ≤ 1 + f < √2, an odd polynomial in f / (2 + f) yields log(1 + f) (fdlibm,
  /// `e_log.c`).
  public static func log(_ x: Double) -> Double {
    // Read the exponent and the significand from the bits, as is possible for normal numbers.
    let bits = x.bitPattern
    guard bits &- firstNormal < infinite - firstNormal else { return logOfOther(x) }
    return log(
      exponent: Double(Int64(bits >> 52) - 1_023),
      significand: Double(bitPattern: bits & (firstNormal - 1) | 0x3FF0_0000_0000_0000))
  }

  private static let firstNormal: UInt64 = 0x0010_0000_0000_0000
  private static let infinite: UInt64 = 0x7FF0_0000_0000_0000

  /// Returns the logarithm of a number that is not positive or not normal.
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

  /// Returns the exponential function, within 1 ulp. The result is zero below about -745.1 and infinity above
  /// about 709.8.
  ///
  /// With x = k · log 2 + r and |r| ≤ ½ log 2, a rational approximation yields exp r (fdlibm, `e_exp.c`).
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

  /// The high bits of log 2. They are so few that their product with any exponent is exact.
  private static let logOfTwoHigh = 6.93147180369123816490e-01
  private static let logOfTwoLow = 1.90821492927058770002e-10

  /// Returns y · 2ᵏ for ½ < y < 2 and |k| < 1,100. Multiplies in two steps, because 2ᵏ may not be a finite,
  /// normal number.
  private static func scaled(_ y: Double, byPowerOfTwo k: Int) -> Double {
    let half = k / 2
    return y * powerOfTwo(half) * powerOfTwo(k - half)
  }

  /// Returns 2ᵏ for -1,022 ≤ k ≤ 1,023.
  private static func powerOfTwo(_ k: Int) -> Double {
    Double(bitPattern: UInt64(1_023 + k) << 52)
  }
}

extension DeterministicMath {
  /// Returns the cosine of an angle in degrees, within 2 ulp and exact at multiples of 90. The result is NaN
  /// if the angle is not finite.
  public static func cosDegrees(_ degrees: Double) -> Double {
    sinCosDegrees(degrees).cos
  }

  /// Returns the sine and the cosine of an angle in degrees, with the precision of ``cosDegrees(_:)`` and at
  /// about the same cost.
  ///
  /// The reduction to -45 … 45 degrees is exact: it takes a remainder and one subtraction of neighbouring
  /// numbers. Only the conversion to radians rounds.
  public static func sinCosDegrees(_ degrees: Double) -> (sin: Double, cos: Double) {
    guard degrees.isFinite else { return (.nan, .nan) }
    let turn = degrees.truncatingRemainder(dividingBy: 360)
    let quarter = (turn / 90).rounded()
    let radians = (turn - quarter * 90) * 0x1.1df46a2529d39p-6  // π / 180
    let s = sinKernel(radians)
    let c = cosKernel(radians)
    switch Int(quarter) & 3 {
    case 0: return (s, c)
    case 1: return (c, -s)
    case 2: return (-s, -c)
    default: return (-c, s)
    }
  }

  /// Returns the sine of |x| ≤ π / 4 in radians (fdlibm, `k_sin.c`).
  private static func sinKernel(_ x: Double) -> Double {
    let z = x * x
    let r =
      8.33333333332248946124e-03
      + z
      * (-1.98412698298579493134e-04
        + z
        * (2.75573137070700676789e-06 + z * (-2.50507602534068634195e-08 + z * 1.58969099521155010221e-10)))
    return x + z * x * (-1.66666666666666324348e-01 + z * r)
  }

  /// Returns the cosine of |x| ≤ π / 4 in radians (fdlibm as revised in FreeBSD, `k_cos.c`).
  private static func cosKernel(_ x: Double) -> Double {
    let z = x * x
    let w = z * z
    let r =
      z * (4.16666666666666019037e-02 + z * (-1.38888888888741095749e-03 + z * 2.48015872894767294178e-05))
      + w * w
      * (-2.75573143513906633035e-07 + z * (2.08757232129817482790e-09 + z * -1.13596475577881948265e-11))
    let half = 0.5 * z
    let head = 1 - half
    return head + (((1 - head) - half) + z * r)
  }
}

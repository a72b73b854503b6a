extension DeterministicMath {
  /// The cosine of an angle in degrees, within 2 ulp; exact at multiples of 90. NaN if not finite.
  public static func cosDegrees(_ degrees: Double) -> Double {
    sinCosDegrees(degrees).cos
  }

  /// Sine and cosine of one angle in degrees, for about the price of one of them, and as near.
  ///
  /// In degrees the reduction to -45 … 45 is exact: a remainder and one subtraction of neighbouring
  /// numbers. Only the conversion of what is left to radians rounds.
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

  /// The sine of |x| ≤ π / 4 in radians (fdlibm, `k_sin.c`).
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

  /// The cosine of |x| ≤ π / 4 in radians (fdlibm as revised in FreeBSD, `k_cos.c`).
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

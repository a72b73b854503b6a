/// Returns the angle of the point (x, y) in radians, -π…π, within 2 ulp, or 0 for (0, 0).
///
/// Reduces the argument to one of four intervals and evaluates the polynomial of fdlibm (`s_atan.c`). The
/// result is therefore the same on every processor.
func arcTangent(y: Double, x: Double) -> Double {
  let ay = abs(y)
  let ax = abs(x)
  guard ax > 0 || ay > 0 else { return 0 }
  // Dividing the smaller value by the larger one keeps the argument of the polynomial at most 1.
  let inner = ay <= ax ? atanOfUnitInterval(ay / ax) : halfPi - atanOfUnitInterval(ax / ay)
  let upper = x < 0 ? Double.pi - inner : inner
  return y < 0 ? -upper : upper
}

private let halfPi = 0x1.921fb54442d18p0

/// Returns the arc tangent of 0 ≤ t ≤ 1.
private func atanOfUnitInterval(_ t: Double) -> Double {
  if t < 0.4375 { return t - atanCorrection(t) }
  if t < 0.6875 {
    let r = (2 * t - 1) / (2 + t)
    return 4.63647609000806093515e-01 - ((atanCorrection(r) - 2.26987774529616870924e-17) - r)
  }
  let r = (t - 1) / (t + 1)
  return 7.85398163397448278999e-01 - ((atanCorrection(r) - 3.06161699786838301793e-17) - r)
}

/// Returns t - atan t for |t| < 0.4375.
private func atanCorrection(_ t: Double) -> Double {
  let z = t * t
  let w = z * z
  let odd =
    z
    * (3.33333333333329318027e-01
      + w
      * (1.42857142725034663711e-01
        + w
        * (9.09088713343650656196e-02
          + w
          * (6.66107313738753120669e-02
            + w * (4.97687799461593236017e-02 + w * 1.62858201153657823623e-02)))))
  let even =
    w
    * (-1.99999999998764832476e-01
      + w
      * (-1.11111104054623557880e-01
        + w
        * (-7.69187620504482999495e-02
          + w * (-5.83357013379057348645e-02 + w * -3.65315727442169155270e-02))))
  return t * (odd + even)
}

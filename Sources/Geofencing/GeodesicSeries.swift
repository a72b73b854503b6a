/// The two integrals of a geodesic as series: distance and longitude as functions of the arc σ on the
/// auxiliary sphere, measured from the northward crossing of the equator.
///
/// C. F. F. Karney, Algorithms for geodesics, J. Geodesy 87 (2013), equations 17–18, 21 and 23–25. With
/// the terms kept here what is left out is below a micrometre.
struct GeodesicSeries: Sendable {
  /// Metres per radian of arc, without the periodic terms.
  let scale: Double
  /// Longitude correction per radian of arc, without the periodic terms.
  private let longitudeScale: Double
  private let epsilon: Double

  /// The series of the geodesic that crosses the equator at an azimuth of sine `sinAlpha0` (its cosine
  /// squared is given too, because taking it from the sine would lose digits).
  init(sinAlpha0: Double, cosSquaredAlpha0: Double) {
    let root = (1 + Ellipsoid.ep2 * cosSquaredAlpha0).squareRoot()
    let e = Ellipsoid.ep2 * cosSquaredAlpha0 / ((1 + root) * (1 + root))
    let n = Ellipsoid.n
    let e2 = e * e
    epsilon = e
    scale = Ellipsoid.b * (1 + e2 / 4 + e2 * e2 / 64) / (1 - e)
    let a3 =
      1 - (0.5 - n / 2) * e - (0.25 + n / 8 - 3 * n * n / 8) * e2 - (1 + 3 * n + n * n) / 16 * e2 * e
    longitudeScale = Ellipsoid.f * sinAlpha0 * a3
  }

  /// The distance in metres that belongs to an arc σ from the equator crossing.
  func distance(_ arc: Arc) -> Double {
    let e = epsilon
    let e2 = e * e
    return scale
      * (arc.sigma
        + harmonics(
          arc, -e / 2 + 3 * e2 * e / 16, -e2 / 16 + e2 * e2 / 32, -e2 * e / 48, -5 * e2 * e2 / 512))
  }

  /// The arc that belongs to a distance, both from the equator crossing: the series of ``distance(_:)``
  /// reverted. `tau` is the distance divided by ``scale``.
  func sigma(atScaledDistance tau: Arc) -> Double {
    let e = epsilon
    let e2 = e * e
    return tau.sigma
      + harmonics(
        tau, e / 2 - 9 * e2 * e / 32, 5 * e2 / 16 - 37 * e2 * e2 / 96, 29 * e2 * e / 96, 539 * e2 * e2 / 1536)
  }

  /// By how many radians the longitude on the ellipsoid lags behind that on the auxiliary sphere.
  func longitudeLag(_ arc: Arc) -> Double {
    let e = epsilon
    let e2 = e * e
    let n = Ellipsoid.n
    let c1 = (1 - n) / 4 * e + (1 - n * n) / 8 * e2 + (3 + 3 * n - n * n) / 64 * e2 * e
    let c2 = (2 - 3 * n + n * n) / 32 * e2 + (3 - 2 * n - 3 * n * n) / 64 * e2 * e
    let c3 = (5 - 9 * n + 5 * n * n) / 192 * e2 * e
    return longitudeScale * (arc.sigma + harmonics(arc, c1, c2, c3, 0))
  }

  /// c1 sin 2σ + c2 sin 4σ + c3 sin 6σ + c4 sin 8σ.
  private func harmonics(_ arc: Arc, _ c1: Double, _ c2: Double, _ c3: Double, _ c4: Double) -> Double {
    let s2 = 2 * arc.sin * arc.cos
    let twice = 2 * (arc.cos - arc.sin) * (arc.cos + arc.sin)  // 2 cos 2σ
    let s4 = twice * s2
    let s6 = twice * s4 - s2
    let s8 = twice * s6 - s4
    return c1 * s2 + c2 * s4 + c3 * s6 + c4 * s8
  }
}

/// An arc on the auxiliary sphere, with its sine and cosine.
struct Arc: Sendable, BitwiseCopyable {
  /// Radians.
  var sigma: Double
  var sin: Double
  var cos: Double

  /// The arc that ends `sigma` radians further on.
  func advanced(by sigma: Double, sin s: Double, cos c: Double) -> Arc {
    Arc(sigma: self.sigma + sigma, sin: sin * c + cos * s, cos: cos * c - sin * s)
  }
}

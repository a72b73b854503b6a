package import TriggerModel

/// The shortest path between two points on the ellipsoid.
///
/// Vincenty's iteration for the longitude on the auxiliary sphere finds the path (Survey Review 23, 1975),
/// with Karney's series. Up to 19,000 km, lengths differ from those of GeographicLib by at most 20 nm. If the
/// end is within about 200 km of the start's antipode, the iteration may not converge. The path is then the
/// great circle of the auxiliary sphere, and its length is correct to 0.4 %. No region is that large.
struct Geodesic: Sendable {
  /// The length in metres.
  let length: Double
  /// The start and the direction of the path on the auxiliary sphere. Longitudes are relative to the start's
  /// meridian.
  private let start: Vector
  private let direction: Vector
  /// The cosine and sine of the start's longitude.
  private let meridian: (cos: Double, sin: Double)
  /// The arc from the equator crossing to the start.
  private let arc: Arc
  private let series: GeodesicSeries
  private let distanceAtStart: Double
  private let lagAtStart: Double

  init(from p: SurfacePoint, to q: SurfacePoint) {
    let solution = Self.solve(p, q)
    let (first, series) = Self.equatorCrossing(p, solution)
    let last = first.advanced(by: solution.sigma, sin: solution.sinSigma, cos: solution.cosSigma)
    self.series = series
    arc = first
    distanceAtStart = series.distance(first)
    lagAtStart = series.longitudeLag(first)
    length = max(0, series.distance(last) - distanceAtStart)
    start = Vector(x: p.cosBeta, y: 0, z: p.sinBeta)
    direction = Vector(
      x: -p.sinBeta * solution.cosAlpha1, y: solution.sinAlpha1, z: p.cosBeta * solution.cosAlpha1)
    // At a pole, the azimuth is relative to the meridian of the other end point.
    let reference = p.cosBeta > 0 ? p : q
    let cosBeta = reference.cosBeta
    meridian = cosBeta > 0 ? (reference.unit.x / cosBeta, reference.unit.y / cosBeta) : (1, 0)
  }

  /// Returns the point at a fraction of the length, 0…1.
  func point(at fraction: Double) -> SurfacePoint {
    let tau = (distanceAtStart + fraction * length) / series.scale
    let (sinTau, cosTau) = DeterministicMath.sinCosDegrees(tau / radiansPerDegree)
    let sigma = series.sigma(atScaledDistance: Arc(sigma: tau, sin: sinTau, cos: cosTau)) - arc.sigma
    let (sin, cos) = DeterministicMath.sinCosDegrees(sigma / radiansPerDegree)
    let onSphere = Vector(
      x: start.x * cos + direction.x * sin, y: direction.y * sin, z: start.z * cos + direction.z * sin)
    // Subtract the lag of the longitude on the ellipsoid behind the longitude on the sphere, then rotate the
    // result to the start's meridian.
    let lag = series.longitudeLag(arc.advanced(by: sigma, sin: sin, cos: cos)) - lagAtStart
    let (sinLag, cosLag) = DeterministicMath.sinCosDegrees(lag / radiansPerDegree)
    let cosTurn = meridian.cos * cosLag + meridian.sin * sinLag
    let sinTurn = meridian.sin * cosLag - meridian.cos * sinLag
    return SurfacePoint(
      unit: Vector(
        x: onSphere.x * cosTurn - onSphere.y * sinTurn, y: onSphere.x * sinTurn + onSphere.y * cosTurn,
        z: onSphere.z))
  }
}

extension Geodesic {
  /// The direction of the path at its start, and its arc on the auxiliary sphere.
  private struct Solution {
    var sinAlpha1 = 0.0
    var cosAlpha1 = 1.0
    var sigma = 0.0
    var sinSigma = 0.0
    var cosSigma = 1.0
  }

  /// Returns the angle between the meridians of two points, in radians, -π…π, or 0 if one is a pole.
  private static func longitudeDifference(_ p: SurfacePoint, _ q: SurfacePoint) -> Double {
    arcTangent(
      y: p.unit.x * q.unit.y - p.unit.y * q.unit.x, x: p.unit.x * q.unit.x + p.unit.y * q.unit.y)
  }

  /// Finds the path between two points. Iterates until the longitude difference on the auxiliary sphere
  /// corresponds to the known difference on the ellipsoid.
  ///
  /// - Complexity: Three or four iterations for up to a few thousand kilometres, and at most 40.
  private static func solve(_ p: SurfacePoint, _ q: SurfacePoint) -> Solution {
    let difference = longitudeDifference(p, q)
    let greatCircle = solve(p, q, onSphere: difference)
    var omega = difference
    var solution = greatCircle
    for _ in 0..<40 {
      let next = difference + lag(from: p, along: solution)
      if abs(next) > .pi { return greatCircle }
      let change = abs(next - omega)
      omega = next
      solution = solve(p, q, onSphere: omega)
      if change < 1e-13 { return solution }
    }
    return greatCircle
  }

  /// Returns the great circle between two points with the longitude difference `omega` on the auxiliary
  /// sphere.
  private static func solve(_ p: SurfacePoint, _ q: SurfacePoint, onSphere omega: Double) -> Solution {
    let (sinOmega, cosOmega) = DeterministicMath.sinCosDegrees(omega / radiansPerDegree)
    let (cosP, cosQ) = (p.cosBeta, q.cosBeta)
    let east = cosQ * sinOmega
    let north = cosP * q.sinBeta - p.sinBeta * cosQ * cosOmega
    var solution = Solution()
    solution.sinSigma = (east * east + north * north).squareRoot()
    solution.cosSigma = p.sinBeta * q.sinBeta + cosP * cosQ * cosOmega
    solution.sigma = arcTangent(y: solution.sinSigma, x: solution.cosSigma)
    if solution.sinSigma > 0 {
      solution.sinAlpha1 = east / solution.sinSigma
      solution.cosAlpha1 = north / solution.sinSigma
    }
    return solution
  }

  /// Returns by how much the longitude difference of a path is smaller on the ellipsoid than on the auxiliary
  /// sphere, in radians.
  private static func lag(from p: SurfacePoint, along solution: Solution) -> Double {
    let (first, series) = equatorCrossing(p, solution)
    let last = first.advanced(by: solution.sigma, sin: solution.sinSigma, cos: solution.cosSigma)
    return series.longitudeLag(last) - series.longitudeLag(first)
  }

  /// Returns the arc from the equator crossing to the start, and the series of the geodesic.
  private static func equatorCrossing(_ p: SurfacePoint, _ solution: Solution) -> (Arc, GeodesicSeries) {
    let sinBeta = solution.sinAlpha1 * p.sinBeta
    let cosSquaredAlpha0 = solution.cosAlpha1 * solution.cosAlpha1 + sinBeta * sinBeta
    let series = GeodesicSeries(
      sinAlpha0: solution.sinAlpha1 * p.cosBeta, cosSquaredAlpha0: cosSquaredAlpha0)
    // On the equator, any point can be the origin.
    guard cosSquaredAlpha0 > 0 else { return (Arc(sigma: 0, sin: 0, cos: 1), series) }
    let cosAlpha0 = cosSquaredAlpha0.squareRoot()
    let sin = p.sinBeta / cosAlpha0
    let cos = solution.cosAlpha1 * p.cosBeta / cosAlpha0
    return (Arc(sigma: arcTangent(y: sin, x: cos), sin: sin, cos: cos), series)
  }
}

/// The series for the two integrals of a geodesic: the distance and the longitude for an arc σ on the
/// auxiliary sphere. The arc is measured from the northward crossing of the equator.
///
/// C. F. F. Karney, Algorithms for geodesics, J. Geodesy 87 (2013), equations 17–18, 21 and 23–25. The
/// omitted terms are below a micrometre.
struct GeodesicSeries: Sendable {
  /// Metres per radian of arc, without the periodic terms.
  let scale: Double
  /// Radians of longitude correction per radian of arc, without the periodic terms.
  private let longitudeScale: Double
  private let epsilon: Double

  /// Creates the series for the geodesic whose azimuth at the equator has the sine `sinAlpha0`. The squared
  /// cosine is a separate parameter, because computing it from the sine would lose digits.
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

  /// Returns the distance in metres along an arc σ from the equator crossing.
  func distance(_ arc: Arc) -> Double {
    let e = epsilon
    let e2 = e * e
    return scale
      * (arc.sigma
        + harmonics(
          arc, -e / 2 + 3 * e2 * e / 16, -e2 / 16 + e2 * e2 / 32, -e2 * e / 48, -5 * e2 * e2 / 512))
  }

  /// Returns the arc σ for a distance from the equator crossing, as the inverse of ``distance(_:)``. The
  /// parameter `tau` is the distance divided by ``scale``.
  func sigma(atScaledDistance tau: Arc) -> Double {
    let e = epsilon
    let e2 = e * e
    return tau.sigma
      + harmonics(
        tau, e / 2 - 9 * e2 * e / 32, 5 * e2 / 16 - 37 * e2 * e2 / 96, 29 * e2 * e / 96, 539 * e2 * e2 / 1536)
  }

  /// Returns the lag of the longitude on the ellipsoid behind the longitude on the auxiliary sphere, in
  /// radians.
  func longitudeLag(_ arc: Arc) -> Double {
    let e = epsilon
    let e2 = e * e
    let n = Ellipsoid.n
    let c1 = (1 - n) / 4 * e + (1 - n * n) / 8 * e2 + (3 + 3 * n - n * n) / 64 * e2 * e
    let c2 = (2 - 3 * n + n * n) / 32 * e2 + (3 - 2 * n - 3 * n * n) / 64 * e2 * e
    let c3 = (5 - 9 * n + 5 * n * n) / 192 * e2 * e
    return longitudeScale * (arc.sigma + harmonics(arc, c1, c2, c3, 0))
  }

  /// Returns c1 sin 2σ + c2 sin 4σ + c3 sin 6σ + c4 sin 8σ.
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
  /// The arc in radians.
  var sigma: Double
  var sin: Double
  var cos: Double

  /// Returns the arc extended by `sigma` radians.
  func advanced(by sigma: Double, sin s: Double, cos c: Double) -> Arc {
    Arc(sigma: self.sigma + sigma, sin: sin * c + cos * s, cos: cos * c - sin * s)
  }
}

extension Coordinate {
  /// Returns the point at a fraction 0…1 of the shortest path to another coordinate.
  ///
  /// - Precondition: Both coordinates are valid.
  package func onTheWay(to other: Coordinate, at fraction: Double) -> Coordinate {
    if self == other { return self }
    let point = Geodesic(from: SurfacePoint(self), to: SurfacePoint(other)).point(at: fraction)
    // tan φ = tan β / (1 - f)
    let latitude = arcTangent(y: point.unit.z, x: (1 - Ellipsoid.f) * point.cosBeta)
    let longitude = arcTangent(y: point.unit.y, x: point.unit.x)
    return Coordinate(
      latitude: min(max(latitude / radiansPerDegree, -90), 90),
      longitude: min(max(longitude / radiansPerDegree, -180), 180))
  }
}

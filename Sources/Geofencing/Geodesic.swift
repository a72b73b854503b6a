import TriggerModel

/// The shortest path between two points on the ellipsoid, with its length and the points on it.
///
/// Solved with Vincenty's iteration for the longitude on the auxiliary sphere (Survey Review 23, 1975)
/// over Karney's series: within 20 nm of GeographicLib up to 19,000 km. Nearly opposite points, within
/// some 200 km of each other's antipode, may not let it converge; then the path is the great circle of
/// the auxiliary sphere, and its length is right to 0.4 %. No region reaches as far.
struct Geodesic: Sendable {
  /// Metres.
  let length: Double
  /// Start and direction on the auxiliary sphere, longitudes counted from the start's meridian.
  private let start: Vector
  private let direction: Vector
  /// The start's meridian, as cosine and sine of its longitude.
  private let meridian: (cos: Double, sin: Double)
  /// The start's arc from the equator crossing.
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
    // At a pole the azimuth was reckoned from the other end's meridian.
    let reference = p.cosBeta > 0 ? p : q
    let cosBeta = reference.cosBeta
    meridian = cosBeta > 0 ? (reference.unit.x / cosBeta, reference.unit.y / cosBeta) : (1, 0)
  }

  /// The point at a fraction 0 … 1 of the length.
  func point(at fraction: Double) -> SurfacePoint {
    let tau = (distanceAtStart + fraction * length) / series.scale
    let (sinTau, cosTau) = DeterministicMath.sinCosDegrees(tau / radiansPerDegree)
    let sigma = series.sigma(atScaledDistance: Arc(sigma: tau, sin: sinTau, cos: cosTau)) - arc.sigma
    let (sin, cos) = DeterministicMath.sinCosDegrees(sigma / radiansPerDegree)
    let onSphere = Vector(
      x: start.x * cos + direction.x * sin, y: direction.y * sin, z: start.z * cos + direction.z * sin)
    // The longitude on the ellipsoid lags behind that on the sphere; then back from the start's meridian.
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
  /// Where the path leaves its start, and how far it goes on the auxiliary sphere.
  private struct Solution {
    var sinAlpha1 = 0.0
    var cosAlpha1 = 1.0
    var sigma = 0.0
    var sinSigma = 0.0
    var cosSigma = 1.0
  }

  /// The angle between the meridians of two points, in radians, -π … π; 0 when one is a pole.
  private static func longitudeDifference(_ p: SurfacePoint, _ q: SurfacePoint) -> Double {
    arcTangent(
      y: p.unit.x * q.unit.y - p.unit.y * q.unit.x, x: p.unit.x * q.unit.x + p.unit.y * q.unit.y)
  }

  /// Finds the longitude difference on the auxiliary sphere whose geodesic spans the given one on the
  /// ellipsoid.
  ///
  /// - Complexity: Three or four iterations up to some thousand kilometres; given up after 40.
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

  /// The great circle between two points whose longitudes on the auxiliary sphere differ by `omega`.
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

  /// By how much the longitude difference on the auxiliary sphere exceeds that on the ellipsoid.
  private static func lag(from p: SurfacePoint, along solution: Solution) -> Double {
    let (first, series) = equatorCrossing(p, solution)
    let last = first.advanced(by: solution.sigma, sin: solution.sinSigma, cos: solution.cosSigma)
    return series.longitudeLag(last) - series.longitudeLag(first)
  }

  /// The start's arc from the equator crossing, and the series of that geodesic.
  private static func equatorCrossing(_ p: SurfacePoint, _ solution: Solution) -> (Arc, GeodesicSeries) {
    let sinBeta = solution.sinAlpha1 * p.sinBeta
    let cosSquaredAlpha0 = solution.cosAlpha1 * solution.cosAlpha1 + sinBeta * sinBeta
    let series = GeodesicSeries(
      sinAlpha0: solution.sinAlpha1 * p.cosBeta, cosSquaredAlpha0: cosSquaredAlpha0)
    // Along the equator any origin will do.
    guard cosSquaredAlpha0 > 0 else { return (Arc(sigma: 0, sin: 0, cos: 1), series) }
    let cosAlpha0 = cosSquaredAlpha0.squareRoot()
    let sin = p.sinBeta / cosAlpha0
    let cos = solution.cosAlpha1 * p.cosBeta / cosAlpha0
    return (Arc(sigma: arcTangent(y: sin, x: cos), sin: sin, cos: cos), series)
  }
}

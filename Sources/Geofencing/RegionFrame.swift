import TriggerModel

/// One region as compiled: where its centre is in space, and the plane around it that GEOS sees.
///
/// The plane is azimuthal equidistant: the centre lies at the origin, and a point lies as far from it
/// as it is on the ellipsoid, so that a circle on the ellipsoid is a circle in the plane.
struct RegionFrame: Sendable {
  let radius: Double
  let origin: Vector
  private let center: SurfacePoint
  private let east: Vector
  private let north: Vector
  /// Curvatures of the prime vertical and of the meridian at the centre, in 1/m.
  private let eastCurvature: Double
  private let northCurvature: Double

  init(_ region: CircularRegion) {
    radius = region.radius
    center = SurfacePoint(region.center)
    origin = center.position
    let (sinLatitude, cosLatitude) = DeterministicMath.sinCosDegrees(region.center.latitude)
    let (sinLongitude, cosLongitude) = DeterministicMath.sinCosDegrees(region.center.longitude)
    east = Vector(x: -sinLongitude, y: cosLongitude, z: 0)
    north = Vector(x: -sinLatitude * cosLongitude, y: -sinLatitude * sinLongitude, z: cosLatitude)
    let w = (1 - Ellipsoid.e2 * sinLatitude * sinLatitude).squareRoot()
    eastCurvature = w / Ellipsoid.a
    northCurvature = w * w * w / (Ellipsoid.a * (1 - Ellipsoid.e2))
  }

  /// Up to this chord, in metres, the series of ``distance(chord:toward:)`` is right to 20 nm; beyond,
  /// the geodesic is solved.
  static let seriesLimit = 10_000.0

  /// The geodesic distance of a point from the centre, in metres.
  func distance(to point: SurfacePoint) -> Double {
    let offset = point.position - origin
    let chord = offset.length
    return chord <= Self.seriesLimit
      ? distance(chord: chord, toward: offset) : Geodesic(from: center, to: point).length
  }

  /// Where a point lies in the plane, for comparing with the region's radius.
  ///
  /// For a small region the series serves at every distance: it never gives less than the chord, so a
  /// point that is far outside stays outside.
  func planePoint(_ point: SurfacePoint) -> (x: Double, y: Double) {
    let offset = point.position - origin
    let distance =
      radius <= Self.seriesLimit
      ? distance(chord: offset.length, toward: offset) : Geodesic(from: center, to: point).length
    let (e, n) = (offset.dot(east), offset.dot(north))
    let horizontal = (e * e + n * n).squareRoot()
    // At the centre and at its antipode there is no direction.
    guard horizontal > 0 else { return (distance, 0) }
    return (e / horizontal * distance, n / horizontal * distance)
  }

  /// The arc over a chord, for the curvature of the ellipsoid in the chord's direction (Euler's
  /// formula): s = d (1 + q / 24 + 3 q² / 640) with q = (d · curvature)², the arc sine's series.
  private func distance(chord: Double, toward offset: Vector) -> Double {
    let (e, n) = (offset.dot(east), offset.dot(north))
    let (e2, n2) = (e * e, n * n)
    guard e2 + n2 > 0 else { return chord }
    let curvature = (e2 * eastCurvature + n2 * northCurvature) / (e2 + n2)
    let q = chord * chord * curvature * curvature
    return chord * (1 + q / 24 + 3 * q * q / 640)
  }
}

/// Bounds of the distance on the ellipsoid between two points whose distance through it is known.
///
/// By Schur's comparison theorem the arc over a chord d is at least d, and at most the arc over it on
/// a circle of the smallest radius of curvature.
enum ChordBounds {
  /// At least the geodesic distance over a chord, in metres.
  ///
  /// Up to 1,000 km the arc sine's series, its cubic term enlarged from 1/24 to 1/23 to cover the terms
  /// left out; beyond, the ratio of half the meridian to the polar axis, rounded up.
  static func longestArc(over chord: Double) -> Double {
    guard chord <= 1_000_000 else { return 1.58 * chord }
    let ratio = chord / Ellipsoid.smallestRadius
    return chord * (1 + ratio * ratio / 23)
  }
}

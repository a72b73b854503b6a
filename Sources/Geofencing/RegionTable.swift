public import TriggerModel

/// The compiled regions of a program. A table is immutable, so all persons and workers share it.
public struct RegionTable: Sendable {
  public let regions: [CircularRegion]
  let frames: [RegionFrame]
  let shells: [Shell]

  /// - Parameter regions: The regions in the order of their identifiers, which start at 0.
  public init(_ regions: [CircularRegion]) throws(RegionProblem) {
    for (position, region) in regions.enumerated() where region.id.index != position {
      throw .notDense(region.id, position: position)
    }
    self.regions = regions
    frames = regions.map(RegionFrame.init)
    shells = frames.map(Shell.init)
  }

  /// Returns the regions that do not overlap the given region.
  ///
  /// - Complexity: O(*n*), one comparison of chords per region.
  public func regions(apartFrom region: RegionID) -> RegionSet {
    let frame = frames[region.index]
    return regions.reduce(into: RegionSet()) { apart, other in
      let reach = frame.radius + other.radius
      let chord = (frames[other.id.index].origin - frame.origin).length
      // The path along the ground is slightly longer than the chord.
      if ChordBounds.longestArc(over: chord) <= reach { return }
      if chord > reach || frame.distance(to: SurfacePoint(other.center)) > reach { apart.insert(other.id) }
    }
  }

  /// Returns the geodesic distance of a point from a region's centre in metres, correct to a micrometre.
  ///
  /// - Precondition: The coordinate is valid.
  public func distance(from coordinate: Coordinate, to region: RegionID) -> Double {
    frames[region.index].distance(to: SurfacePoint(coordinate))
  }
}

/// Two spheres around the centre, inside and outside the region's boundary. They decide most fixes without
/// GEOS.
struct Shell: Sendable, BitwiseCopyable {
  let origin: Vector
  let radius: Double
  /// The square of the inner radius. A point with a shorter chord is certainly inside. Negative if there is
  /// no inner sphere.
  let innerSquared: Double
  /// The square of the outer radius. A point with a longer chord is certainly outside.
  let outerSquared: Double

  /// Creates a band on both sides of the boundary. On each side, its width is the greater of 1 m and a
  /// thousandth of the radius.
  ///
  /// The band must cover rounding errors, which are a few nanometres. On the inside, it must also cover the
  /// difference between arc and chord. At 400 km, the difference is 65 m. At the largest radius it is 127 m,
  /// and the band is 500 m wide.
  init(_ frame: RegionFrame) {
    origin = frame.origin
    radius = frame.radius
    let band = max(1, frame.radius / 1_000)
    let inner = frame.radius - band
    let outer = frame.radius + band
    innerSquared = inner > 0 ? inner * inner : -1
    outerSquared = outer * outer
  }
}

/// One compiled region: the position of its centre in space, and the plane around the centre in which GEOS
/// measures distances.
///
/// The plane is azimuthal equidistant with the centre as its origin. A point's distance from the origin
/// therefore equals its distance on the ellipsoid, and a circle on the ellipsoid is a circle in the plane.
struct RegionFrame: Sendable {
  let radius: Double
  let origin: Vector
  private let center: SurfacePoint
  private let east: Vector
  private let north: Vector
  /// The curvatures of the prime vertical and of the meridian at the centre, in 1/m.
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

  /// The maximum chord in metres for which the series of ``distance(chord:toward:)`` is exact to 20 nm. For
  /// longer chords, ``distance(to:)`` solves the geodesic.
  static let seriesLimit = 10_000.0

  /// Returns the geodesic distance of a point from the centre, in metres.
  func distance(to point: SurfacePoint) -> Double {
    let offset = point.position - origin
    let chord = offset.length
    return chord <= Self.seriesLimit
      ? distance(chord: chord, toward: offset) : Geodesic(from: center, to: point).length
  }

  /// Returns the position of a point in the plane. Use it only to compare the distance from the origin with
  /// the region's radius.
  ///
  /// A small region uses the series for points at any distance. The result of the series is never less than
  /// the chord, so a point far outside never seems to be inside.
  func planePoint(_ point: SurfacePoint) -> (x: Double, y: Double) {
    let offset = point.position - origin
    let distance =
      radius <= Self.seriesLimit
      ? distance(chord: offset.length, toward: offset) : Geodesic(from: center, to: point).length
    let (e, n) = (offset.dot(east), offset.dot(north))
    let horizontal = (e * e + n * n).squareRoot()
    // The centre and its antipode have no direction.
    guard horizontal > 0 else { return (distance, 0) }
    return (e / horizontal * distance, n / horizontal * distance)
  }

  /// Returns the length of the arc over a chord, with the curvature of the ellipsoid in the chord's direction
  /// from Euler's formula.
  ///
  /// Uses the series of the arc sine: s = d (1 + q / 24 + 3 q² / 640) with q = (d · curvature)².
  private func distance(chord: Double, toward offset: Vector) -> Double {
    let (e, n) = (offset.dot(east), offset.dot(north))
    let (e2, n2) = (e * e, n * n)
    guard e2 + n2 > 0 else { return chord }
    let curvature = (e2 * eastCurvature + n2 * northCurvature) / (e2 + n2)
    let q = chord * chord * curvature * curvature
    return chord * (1 + q / 24 + 3 * q * q / 640)
  }
}

/// Bounds of the distance between two points on the ellipsoid that follow from their chord.
///
/// The arc over a chord d is at least d. By Schur's comparison theorem, it is at most the arc over d on a
/// circle with the smallest radius of curvature.
enum ChordBounds {
  /// Returns an upper bound of the geodesic distance over a chord, in metres.
  ///
  /// Up to 1,000 km, the bound is the series of the arc sine. Its cubic term is enlarged from 1/24 to 1/23 to
  /// cover the omitted terms. For longer chords, the bound uses the ratio of half the meridian to the polar
  /// axis, rounded up.
  static func longestArc(over chord: Double) -> Double {
    guard chord <= 1_000_000 else { return 1.58 * chord }
    let ratio = chord / Ellipsoid.smallestRadius
    return chord * (1 + ratio * ratio / 23)
  }
}

import TriggerModel

/// A point on the ellipsoid, as a unit vector on the auxiliary sphere.
///
/// Its latitude on the sphere is the reduced latitude β. Its longitude is the same as on the ellipsoid.
/// Scaling the vector gives the position in space, and its components give β, which the geodesic needs. Poles
/// and the antimeridian need no special case.
struct SurfacePoint: Hashable, Sendable, BitwiseCopyable {
  var unit: Vector

  init(unit: Vector) {
    self.unit = unit
  }

  init(_ coordinate: Coordinate) {
    let (sinLatitude, cosLatitude) = DeterministicMath.sinCosDegrees(coordinate.latitude)
    let (sinLongitude, cosLongitude) = DeterministicMath.sinCosDegrees(coordinate.longitude)
    // tan β = (1 - f) tan φ
    let opposite = (1 - Ellipsoid.f) * sinLatitude
    let hypotenuse = (opposite * opposite + cosLatitude * cosLatitude).squareRoot()
    let cosBeta = cosLatitude / hypotenuse
    unit = Vector(x: cosBeta * cosLongitude, y: cosBeta * sinLongitude, z: opposite / hypotenuse)
  }

  /// The earth-centred, earth-fixed position in metres.
  var position: Vector {
    Vector(x: Ellipsoid.a * unit.x, y: Ellipsoid.a * unit.y, z: Ellipsoid.b * unit.z)
  }

  var sinBeta: Double { unit.z }
  var cosBeta: Double { (unit.x * unit.x + unit.y * unit.y).squareRoot() }
}

/// The WGS84 ellipsoid: constants derived from ``TriggerModel/Earth``.
enum Ellipsoid {
  /// Equatorial radius in metres.
  static let a = Earth.equatorialRadius
  /// Flattening.
  static let f = Earth.flattening
  /// Polar radius in metres.
  static let b = a * (1 - f)
  /// Third flattening, (a - b) / (a + b).
  static let n = f / (2 - f)
  /// First eccentricity squared.
  static let e2 = f * (2 - f)
  /// Second eccentricity squared.
  static let ep2 = e2 / ((1 - f) * (1 - f))
  /// The smallest radius of curvature in metres: along the meridian, at the equator.
  static let smallestRadius = b * (1 - f)
  /// The largest radius of curvature in metres: at the poles.
  static let largestRadius = a / (1 - f)
}

/// π / 180.
let radiansPerDegree = 0x1.1df46a2529d39p-6

/// A vector of three doubles. It is not a SIMD type, because the order of additions must be explicit.
struct Vector: Hashable, Sendable, BitwiseCopyable {
  var x: Double
  var y: Double
  var z: Double

  static func - (a: Vector, b: Vector) -> Vector {
    Vector(x: a.x - b.x, y: a.y - b.y, z: a.z - b.z)
  }

  func dot(_ other: Vector) -> Double {
    x * other.x + y * other.y + z * other.z
  }

  var length: Double { dot(self).squareRoot() }
}

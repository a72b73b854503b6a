import TriggerModel

/// A point on the ellipsoid, as a unit vector on the auxiliary sphere: its latitude there is the
/// reduced latitude β, its longitude the longitude.
///
/// From it follow the position in space (a scaling) and what a geodesic needs (β), and neither poles
/// nor the antimeridian are special.
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

  /// Earth-centred, earth-fixed position in metres.
  var position: Vector {
    Vector(x: Ellipsoid.a * unit.x, y: Ellipsoid.a * unit.y, z: Ellipsoid.b * unit.z)
  }

  var sinBeta: Double { unit.z }
  var cosBeta: Double { (unit.x * unit.x + unit.y * unit.y).squareRoot() }
}

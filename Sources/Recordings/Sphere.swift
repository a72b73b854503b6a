import TriggerModel

/// Distances good enough to tell a far-off fix from a good one: on a sphere, straight through it.
///
/// The chord is shorter than the way on the ellipsoid by less than 1 % up to 3,000 km. Regions are
/// not checked with this.
enum Sphere {
  /// The length of the chord between two points, in metres.
  static func chord(_ a: Coordinate, _ b: Coordinate) -> Double {
    let (p, q) = (unitVector(a), unitVector(b))
    let (x, y, z) = (p.x - q.x, p.y - q.y, p.z - q.z)
    return Earth.meanRadius * (x * x + y * y + z * z).squareRoot()
  }

  /// Whether two points are at most `metres` apart; cheap when they are close to each other.
  static func isWithin(_ metres: Double, _ a: Coordinate, _ b: Coordinate) -> Bool {
    // No degree of latitude or longitude is longer, so this is an upper bound.
    let degrees = abs(a.latitude - b.latitude) + abs(a.longitude - b.longitude)
    return degrees * Earth.metresPerDegree <= metres || chord(a, b) <= metres
  }

  private static func unitVector(_ point: Coordinate) -> (x: Double, y: Double, z: Double) {
    let latitude = DeterministicMath.sinCosDegrees(point.latitude)
    let longitude = DeterministicMath.sinCosDegrees(point.longitude)
    return (latitude.cos * longitude.cos, latitude.cos * longitude.sin, latitude.sin)
  }
}

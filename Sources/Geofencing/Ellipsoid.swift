/// The WGS84 ellipsoid (NIMA TR8350.2: semi-major axis and flattening are defined, the rest follows).
enum Ellipsoid {
  /// Equatorial radius in metres.
  static let a = 6_378_137.0
  /// Flattening.
  static let f = 1 / 298.257223563
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

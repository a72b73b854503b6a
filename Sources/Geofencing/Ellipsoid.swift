import TriggerModel

/// The WGS84 ellipsoid: what follows from ``TriggerModel/Earth``.
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

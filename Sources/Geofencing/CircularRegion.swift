public import TriggerModel

/// A circular geofence on the WGS84 ellipsoid: all points whose geodesic distance from the centre is at most
/// the radius.
public struct CircularRegion: Hashable, Sendable {
  public let id: RegionID
  public let center: Coordinate
  /// The radius in metres, greater than 0.
  public let radius: Double

  /// The maximum radius on every platform, in metres. Up to 500 km, tests verify that regions are convex and
  /// that the bounds that decide most fixes without GEOS are correct.
  public static let largestRadius = 500_000.0

  /// - Parameter maximumRadius: The platform's limit in metres, in addition to ``largestRadius``.
  public init(
    id: RegionID, center: Coordinate, radius: Double, maximumRadius: Double = largestRadius
  ) throws(RegionProblem) {
    for number in [center.latitude, center.longitude] where !number.isFinite {
      throw .notFinite(number)
    }
    guard abs(center.latitude) <= 90 else { throw .latitudeOutOfRange(center.latitude) }
    guard abs(center.longitude) <= 180 else { throw .longitudeOutOfRange(center.longitude) }
    guard radius.isFinite else { throw .notFinite(radius) }
    guard radius > 0 else { throw .radiusNotPositive(radius) }
    let limit = min(maximumRadius, Self.largestRadius)
    guard radius <= limit else { throw .radiusTooLarge(radius, maximum: limit) }
    self.id = id
    self.center = center
    self.radius = radius
  }
}

/// The reason that a region, or a set of regions, cannot be monitored.
public enum RegionProblem: Error, Hashable, CustomStringConvertible {
  /// A coordinate or a radius is NaN or infinite.
  case notFinite(Double)
  case latitudeOutOfRange(Double)
  case longitudeOutOfRange(Double)
  case radiusNotPositive(Double)
  case radiusTooLarge(Double, maximum: Double)
  /// The identifiers are not 0, 1, 2, … in the order of the regions.
  case notDense(RegionID, position: Int)

  public var description: String {
    switch self {
    case .notFinite(let number): "\(number) is not a finite number"
    case .latitudeOutOfRange(let number): "latitude \(number) is not within -90 … 90"
    case .longitudeOutOfRange(let number): "longitude \(number) is not within -180 … 180"
    case .radiusNotPositive(let radius): "radius \(radius) m is not greater than 0"
    case .radiusTooLarge(let radius, let maximum): "radius \(radius) m is more than the \(maximum) m allowed"
    case .notDense(let id, let position): "region \(id.rawValue) stands at position \(position)"
    }
  }
}

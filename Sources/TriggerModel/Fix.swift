/// A point on the WGS84 ellipsoid, in degrees.
public struct Coordinate: Hashable, Sendable, BitwiseCopyable {
  /// -90 … 90, north positive.
  public var latitude: Double
  /// -180 … 180, east positive.
  public var longitude: Double

  @inlinable
  public init(latitude: Double, longitude: Double) {
    self.latitude = latitude
    self.longitude = longitude
  }

  /// Whether both numbers are finite and in range.
  @inlinable
  public var isValid: Bool {
    latitude >= -90 && latitude <= 90 && longitude >= -180 && longitude <= 180
  }
}

/// One sample of a position.
public struct Fix: Hashable, Sendable, BitwiseCopyable {
  /// Simulation time.
  public var instant: Instant
  public var coordinate: Coordinate
  /// Radius of the 68 % circle in metres; negative when not known.
  public var accuracy: Double

  @inlinable
  public init(instant: Instant, coordinate: Coordinate, accuracy: Double = -1) {
    self.instant = instant
    self.coordinate = coordinate
    self.accuracy = accuracy
  }
}

/// A point on the WGS84 ellipsoid, in degrees.
public struct Coordinate: Hashable, Sendable, BitwiseCopyable {
  /// -90 … 90, north positive.
  public var latitude: Double
  /// -180 … 180, east positive.
  public var longitude: Double

  /// Any two numbers; whether they are a place says ``isValid``.
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
  /// Where the phone was as it was measured: the truth may well lie outside of ``accuracy``.
  public var coordinate: Coordinate
  /// Radius of the 68 % circle in metres; negative when not known.
  public var accuracy: Double

  /// A sample; without an accuracy, one of which it is not known.
  @inlinable
  public init(instant: Instant, coordinate: Coordinate, accuracy: Double = -1) {
    self.instant = instant
    self.coordinate = coordinate
    self.accuracy = accuracy
  }

  /// Half a day. A phone at rest may say nothing for a night, and is then found where it was; but nobody goes
  /// straight on at one speed for longer, so what a straight way would cross says nothing of where a phone
  /// that was silent for days has been. The longest silence within a segment of the recordings that the
  /// readers were tried with is 38 minutes.
  package static let usualLongestGap = TimeSpan.hours(12)

  /// Whether so much time lies between two fixes that nothing is known of the way from the one before.
  package func isAfterGap(since before: Fix, longerThan longest: TimeSpan) -> Bool {
    instant - before.instant > longest
  }
}

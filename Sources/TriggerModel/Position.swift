/// A point on the WGS84 ellipsoid. Its coordinates are integers, so they are equal on every processor and in
/// every language.
public struct Position: Hashable, Sendable, BitwiseCopyable {
  /// The latitude in ten-millionths of a degree, -900,000,000 … 900,000,000, positive to the north. One unit
  /// is about a centimetre.
  public var latitude: Int32
  /// The longitude in ten-millionths of a degree, -1,800,000,000 … 1,800,000,000, positive to the east.
  public var longitude: Int32

  /// The number of units per degree.
  public static let perDegree = 10_000_000.0

  /// Creates a point from ten-millionths of a degree, without checking the range.
  public init(latitude: Int32, longitude: Int32) {
    self.latitude = latitude
    self.longitude = longitude
  }

  /// Creates the point nearest to a valid coordinate.
  public init(_ coordinate: Coordinate) {
    latitude = Int32((coordinate.latitude * Self.perDegree).rounded())
    longitude = Int32((coordinate.longitude * Self.perDegree).rounded())
  }

  /// The point in degrees.
  public var coordinate: Coordinate {
    Coordinate(latitude: Double(latitude) / Self.perDegree, longitude: Double(longitude) / Self.perDegree)
  }

  /// Creates a point from the value of an ``ObservedEvent``.
  public init(bits: Int64) {
    latitude = Int32(truncatingIfNeeded: bits >> 32)
    longitude = Int32(truncatingIfNeeded: bits)
  }

  /// The point as the value of an ``ObservedEvent``. The upper half is the latitude, and the lower half is
  /// the longitude.
  public var bits: Int64 { Int64(latitude) << 32 | Int64(UInt32(bitPattern: longitude)) }
}

/// The circle within which an app's choice of monitored regions is valid. When the phone leaves it, the app
/// runs, receives its position (``ObservedEvent/Kind/located``), and can choose again.
public struct Surroundings: Hashable, Sendable, BitwiseCopyable {
  /// The position at the time of the choice.
  public var center: Position
  /// The radius in metres, greater than 0.
  public var radius: UInt32

  /// The maximum radius in metres. The geometry of regions was verified up to this radius.
  public static let largestRadius: Int64 = 500_000

  /// Creates a circle with a radius in metres.
  public init(center: Position, radius: UInt32) {
    self.center = center
    self.radius = radius
  }
}

/// The circle of a region.
public struct RegionCircle: Hashable, Sendable, BitwiseCopyable {
  /// The centre in degrees, on the WGS84 ellipsoid.
  public var center: Coordinate
  /// The radius in metres.
  public var radius: Double

  /// Creates a circle with a radius along the surface, in metres.
  public init(center: Coordinate, radius: Double) {
    self.center = center
    self.radius = radius
  }
}

/// A point on the WGS84 ellipsoid, in degrees.
public struct Coordinate: Hashable, Sendable, BitwiseCopyable {
  /// The latitude in degrees, -90 … 90, positive to the north.
  public var latitude: Double
  /// The longitude in degrees, -180 … 180, positive to the east.
  public var longitude: Double

  /// Creates a coordinate without validation. See ``isValid``.
  @inlinable
  public init(latitude: Double, longitude: Double) {
    self.latitude = latitude
    self.longitude = longitude
  }

  /// Whether both numbers are finite and within their ranges.
  @inlinable
  public var isValid: Bool {
    latitude >= -90 && latitude <= 90 && longitude >= -180 && longitude <= 180
  }
}

/// One sample of a position.
public struct Fix: Hashable, Sendable, BitwiseCopyable {
  /// The instant in simulation time.
  public var instant: Instant
  /// The measured position. It may be farther from the true position than ``accuracy``.
  public var coordinate: Coordinate
  /// The radius of the 68 % circle in metres, or a negative number if it is unknown.
  public var accuracy: Double

  /// Creates a sample. By default, its accuracy is unknown.
  @inlinable
  public init(instant: Instant, coordinate: Coordinate, accuracy: Double = -1) {
    self.instant = instant
    self.coordinate = coordinate
    self.accuracy = accuracy
  }

  /// The default maximum gap between two fixes of a track: half a day.
  ///
  /// A phone at rest may report no fix for a whole night. Interpolation across longer gaps would be wrong,
  /// because no one moves in a straight line at constant speed for days. In the recordings that were used to
  /// test the readers, the longest gap within a segment is 38 minutes.
  package static let defaultMaximumGap = TimeSpan.hours(12)

  /// Returns whether the gap since the previous fix is too long for interpolation.
  package func isAfterGap(since before: Fix, longerThan longest: TimeSpan) -> Bool {
    instant - before.instant > longest
  }
}

/// The WGS84 ellipsoid (NIMA TR8350.2). Its semi-major axis and its flattening are defining parameters.
@usableFromInline
package enum Earth {
  /// The semi-major axis, which is the radius of the equator, in metres.
  @inlinable package static var equatorialRadius: Double { 6_378_137 }

  @inlinable package static var flattening: Double { 1 / 298.257223563 }

  /// The radius in metres of a sphere that approximates the ellipsoid to within one per cent. It is the mean
  /// of the three semi-axes (IUGG).
  @inlinable package static var meanRadius: Double { 6_371_008.8 }

  /// The length of a degree of a great circle on the mean sphere, in metres.
  @inlinable package static var metresPerDegree: Double { meanRadius * .pi / 180 }
}

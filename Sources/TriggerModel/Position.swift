/// A point on the WGS84 ellipsoid in whole numbers, as an app is told of it and an engine says it: the same
/// on every processor and in every language.
public struct Position: Hashable, Sendable, BitwiseCopyable {
  /// In ten-millionths of a degree, -900,000,000 … 900,000,000, north positive: about a centimetre each.
  public var latitude: Int32
  /// In ten-millionths of a degree, -1,800,000,000 … 1,800,000,000, east positive.
  public var longitude: Int32

  /// So many to the degree.
  public static let perDegree = 10_000_000.0

  /// A point in ten-millionths of a degree, not checked for its range.
  public init(latitude: Int32, longitude: Int32) {
    self.latitude = latitude
    self.longitude = longitude
  }

  /// The nearest to a valid coordinate.
  public init(_ coordinate: Coordinate) {
    latitude = Int32((coordinate.latitude * Self.perDegree).rounded())
    longitude = Int32((coordinate.longitude * Self.perDegree).rounded())
  }

  /// In degrees: the nearest numbers to it.
  public var coordinate: Coordinate {
    Coordinate(latitude: Double(latitude) / Self.perDegree, longitude: Double(longitude) / Self.perDegree)
  }

  /// As the value of an ``ObservedEvent``.
  public init(bits: Int64) {
    latitude = Int32(truncatingIfNeeded: bits >> 32)
    longitude = Int32(truncatingIfNeeded: bits)
  }

  /// As the value of an ``ObservedEvent``: the latitude in the upper half.
  public var bits: Int64 { Int64(latitude) << 32 | Int64(UInt32(bitPattern: longitude)) }
}

/// A circle around where an app chose which places to have watched: when the phone has left it, the app runs and is
/// told where it is (``ObservedEvent/Kind/located``), so that it can choose again.
public struct Surroundings: Hashable, Sendable, BitwiseCopyable {
  /// Where the phone was when the app chose.
  public var center: Position
  /// In metres, greater than 0.
  public var radius: UInt32

  /// No circle is larger: the farthest that regions were checked up to, in metres.
  public static let largestRadius: Int64 = 500_000

  /// A circle of this radius in metres.
  public init(center: Position, radius: UInt32) {
    self.center = center
    self.radius = radius
  }
}

/// A circle on the earth that a name of a region stands for.
public struct RegionCircle: Hashable, Sendable, BitwiseCopyable {
  /// In degrees, on the WGS84 ellipsoid.
  public var center: Coordinate
  /// In metres.
  public var radius: Double

  /// A circle whose radius is measured along the surface, in metres.
  public init(center: Coordinate, radius: Double) {
    self.center = center
    self.radius = radius
  }
}

public import TriggerModel

/// The position of one person relative to all regions. It is a value, so that a snapshot can copy it.
///
/// The state contains the last fix, the regions that contain it, an anchor, and the free distance around the
/// anchor. No region boundary is closer to the anchor than the free distance. While fixes stay within that
/// distance, no path between them crosses a boundary.
public struct RegionState: Hashable, Sendable {
  /// The regions that contain the last fix.
  public internal(set) var inside: RegionSet
  /// The last fix that the monitor received.
  public var last: Fix { latest }
  /// The work that the monitor has done for this person.
  public var counters: RegionCounters { count }
  @usableFromInline var latest: Fix
  @usableFromInline var count: RegionCounters
  @usableFromInline var anchor: Coordinate
  /// The square of the free distance around the anchor, in square degrees. Negative if every fix must be
  /// checked.
  @usableFromInline var freeSquared: Double

  init(last: Fix, inside: RegionSet, freeMetres: Double, counters: RegionCounters) {
    latest = last
    self.inside = inside
    count = counters
    anchor = last.coordinate
    let degrees = freeMetres / Self.metresPerDegree
    freeSquared = freeMetres > 0 ? degrees * degrees : -1
  }

  /// An upper bound of the length of a degree of latitude or longitude, in metres: π / 180 times the largest
  /// radius of curvature.
  ///
  /// With this factor, the Euclidean distance in degrees is never less than the geodesic distance. At the
  /// antimeridian it is much larger, which only causes an unnecessary full check.
  private static let metresPerDegree = Ellipsoid.largestRadius * radiansPerDegree

  /// Returns an upper bound of the geodesic distance from the last fix, in metres.
  func longestWay(to coordinate: Coordinate) -> Double {
    let north = coordinate.latitude - latest.coordinate.latitude
    let east = coordinate.longitude - latest.coordinate.longitude
    return Self.metresPerDegree * (north * north + east * east).squareRoot()
  }

  /// Advances to a fix if it certainly changes nothing, and returns whether it did. The new state equals the
  /// one that ``RegionMonitor/advance(_:to:into:)`` would produce.
  @inlinable
  public mutating func absorbs(_ fix: Fix) -> Bool {
    let north = fix.coordinate.latitude - anchor.latitude
    let east = fix.coordinate.longitude - anchor.longitude
    guard north * north + east * east < freeSquared else { return false }
    count.fixes += 1
    latest = fix
    return true
  }
}

/// The amount of work for following a track, independent of the machine.
public struct RegionCounters: Hashable, Sendable, BitwiseCopyable {
  /// The number of fixes that the monitor received.
  public var fixes: Int64 = 0
  /// The number of fixes for which the regions were checked, with one comparison of chords per region.
  public var looks: Int64 = 0
  /// The number of calls to GEOS.
  public var geosCalls: Int64 = 0

  public init() {}
}

/// A boundary that the path between two fixes crosses.
public struct RegionCrossing: Hashable, Sendable, BitwiseCopyable {
  public enum Kind: UInt8, Hashable, Sendable, CaseIterable, BitwiseCopyable {
    case enter, exit
  }

  public var kind: Kind
  public var region: RegionID
  /// The first whole millisecond of simulation time after the crossing. It is later than the fix before the
  /// crossing and at most that of the fix after it.
  public var instant: Instant

  public init(_ kind: Kind, _ region: RegionID, at instant: Instant) {
    self.kind = kind
    self.region = region
    self.instant = instant
  }
}

extension RegionCrossing {
  /// Returns the instant of a crossing at a fraction of a path.
  ///
  /// - Parameter duration: The duration of the path, in milliseconds.
  static func instant(at fraction: Double, of duration: Double, after start: Instant) -> Instant {
    // The path starts before its boundary crossing, so the result must be later than the start.
    start + TimeSpan(milliseconds: Int64(max(min(1, duration), (fraction * duration).rounded(.up))))
  }
}

/// The part of a segment inside a region, as fractions of the segment's length.
public struct RegionVisit: Hashable, Sendable, BitwiseCopyable {
  /// The fraction at which the segment enters the region, or 0 if it starts inside.
  public var enter: Double
  /// The fraction at which the segment leaves the region, or 1 if it ends inside.
  public var exit: Double
}

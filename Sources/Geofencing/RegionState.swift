public import TriggerModel

/// The position of one person with respect to all regions: a value that a snapshot copies.
///
/// It contains the last fix, the regions that contain it, an anchor, and a distance from the anchor. Every
/// region's boundary is at least that far from the anchor, so that neither a fix within the distance nor the
/// way between two such fixes crosses one.
public struct RegionState: Hashable, Sendable {
  /// The regions that contain the last fix.
  public internal(set) var inside: RegionSet
  /// The last fix given to the monitor.
  public var last: Fix { latest }
  /// The work of the monitor so far.
  public var counters: RegionCounters { count }
  @usableFromInline var latest: Fix
  @usableFromInline var count: RegionCounters
  @usableFromInline var anchor: Coordinate
  /// The square of the free distance around the anchor, in degrees, or negative if every fix must be checked.
  @usableFromInline var freeSquared: Double

  init(last: Fix, inside: RegionSet, freeMetres: Double, counters: RegionCounters) {
    latest = last
    self.inside = inside
    count = counters
    anchor = last.coordinate
    let degrees = freeMetres / Self.metresPerDegree
    freeSquared = freeMetres > 0 ? degrees * degrees : -1
  }

  /// An upper bound for the length of a degree of latitude or longitude: π / 180 of the largest radius of
  /// curvature.
  ///
  /// The root of the sum of the squares is never less than the geodesic displacement. Where the longitude
  /// jumps by 360° it is much more, which only costs a full check.
  private static let metresPerDegree = Ellipsoid.largestRadius * radiansPerDegree

  /// Returns an upper bound of the geodesic distance from the last fix, in metres.
  func longestWay(to coordinate: Coordinate) -> Double {
    let north = coordinate.latitude - latest.coordinate.latitude
    let east = coordinate.longitude - latest.coordinate.longitude
    return Self.metresPerDegree * (north * north + east * east).squareRoot()
  }

  /// Absorbs the fix if it certainly changes nothing, as ``RegionMonitor/advance(_:to:into:)`` would.
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

/// The work of a monitor: the machine-independent cost of following a trace.
public struct RegionCounters: Hashable, Sendable, BitwiseCopyable {
  /// Fixes given to the monitor.
  public var fixes: Int64 = 0
  /// Fixes for which the regions had to be checked, with one comparison of chords each.
  public var looks: Int64 = 0
  /// Questions answered by GEOS.
  public var geosCalls: Int64 = 0

  public init() {}
}

/// A boundary crossed on the way between two fixes.
public struct RegionCrossing: Hashable, Sendable, BitwiseCopyable {
  public enum Kind: UInt8, Hashable, Sendable, CaseIterable, BitwiseCopyable {
    case enter, exit
  }

  public var kind: Kind
  public var region: RegionID
  /// Simulation time: the first whole millisecond after the crossing. It is later than the fix before and at
  /// most that of the fix after.
  public var instant: Instant

  public init(_ kind: Kind, _ region: RegionID, at instant: Instant) {
    self.kind = kind
    self.region = region
    self.instant = instant
  }
}

extension RegionCrossing {
  /// Returns when a boundary at a fraction of a way has been crossed.
  ///
  /// - Parameter duration: The duration of the way, in milliseconds.
  static func instant(at fraction: Double, of duration: Double, after start: Instant) -> Instant {
    // The boundary is not yet crossed at the last fix itself.
    start + TimeSpan(milliseconds: Int64(max(min(1, duration), (fraction * duration).rounded(.up))))
  }
}

/// The part of a segment inside a region, in fractions of the segment's length.
public struct RegionVisit: Hashable, Sendable, BitwiseCopyable {
  /// 0 if the segment starts inside.
  public var enter: Double
  /// 1 if the segment ends inside.
  public var exit: Double
}

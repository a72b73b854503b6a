public import TriggerModel

/// Where one person is with respect to all regions: a value that a snapshot copies.
///
/// It knows the last fix, the regions that hold it, and how far from an anchor nothing can change. Every
/// region's boundary is at least that far from the anchor, so neither a fix within it nor the way
/// between two such fixes crosses one.
public struct RegionState: Hashable, Sendable {
  /// The regions that hold the last fix.
  public internal(set) var inside: RegionSet
  /// The last fix that the monitor was given.
  public var last: Fix { latest }
  /// What the monitor had to do so far.
  public var counters: RegionCounters { count }
  @usableFromInline var latest: Fix
  @usableFromInline var count: RegionCounters
  @usableFromInline var anchor: Coordinate
  /// The free way around the anchor in degrees, squared; negative when every fix must be looked at.
  @usableFromInline var freeSquared: Double

  init(last: Fix, inside: RegionSet, freeMetres: Double, counters: RegionCounters) {
    latest = last
    self.inside = inside
    count = counters
    anchor = last.coordinate
    let degrees = freeMetres / Self.metresPerDegree
    freeSquared = freeMetres > 0 ? degrees * degrees : -1
  }

  /// No degree of latitude or longitude is longer: π / 180 of the largest radius of curvature.
  ///
  /// The root of the sum of their squares is never less than the geodesic displacement, anywhere; where
  /// the longitude jumps by 360° it is much more, and that only costs a full look.
  private static let metresPerDegree = Ellipsoid.largestRadius * radiansPerDegree

  /// At least the geodesic distance from the last fix, in metres.
  func longestWay(to coordinate: Coordinate) -> Double {
    let north = coordinate.latitude - latest.coordinate.latitude
    let east = coordinate.longitude - latest.coordinate.longitude
    return Self.metresPerDegree * (north * north + east * east).squareRoot()
  }

  /// Takes the fix in if it surely changes nothing, as ``RegionMonitor/advance(_:to:into:)`` would.
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

/// What a monitor had to do: the machine-independent cost of following a trace.
public struct RegionCounters: Hashable, Sendable, BitwiseCopyable {
  /// Fixes given to the monitor.
  public var fixes: Int64 = 0
  /// Fixes for which the regions had to be looked at, one comparison of chords each.
  public var looks: Int64 = 0
  /// Questions put to GEOS.
  public var geosCalls: Int64 = 0

  public init() {}
}

import Geofencing
import Simulation
import TriggerModel

/// The nearest point of a recorded route to a place that the route never reaches.
struct NearestApproach: Hashable, Sendable {
  /// The distance from the place's centre in metres.
  private(set) var metres = Double.infinity
  private(set) var instant = Instant.distantPast

  /// Finds the nearest point. Returns `nil` if there is no route or if the route reaches the place.
  ///
  /// - Complexity: O(n) in the number of fixes.
  init?(of route: Route, to region: RegionID, among regions: RegionTable) {
    var before: (fix: Fix, distance: Double)?
    var cursor = RouteCursor(route)
    while let fix = cursor.fix {
      let distance = regions.distance(from: fix.coordinate, to: region)
      take(distance, fix.instant)
      if let before, !cursor.isAtStart { takeWay(from: before, to: (fix, distance), region, regions) }
      before = (fix, distance)
      cursor.advance()
    }
    guard metres.isFinite, metres > regions.regions[region.index].radius else { return nil }
  }

  private mutating func take(_ distance: Double, _ instant: Instant) {
    if distance < metres { (metres, self.instant) = (distance, instant) }
  }

  /// Searches between two fixes, where the route may be nearer than at either fix.
  private mutating func takeWay(
    from first: (fix: Fix, distance: Double), to last: (fix: Fix, distance: Double), _ region: RegionID,
    _ regions: RegionTable
  ) {
    // No point of a segment is closer than (sum of the end distances − length of the segment) / 2.
    // `longestLength` is an upper bound of that length.
    let span = (last.fix.instant - first.fix.instant).milliseconds
    let length = Self.longestLength(first.fix.coordinate, last.fix.coordinate)
    guard span > 0, (first.distance + last.distance - length) / 2 < metres else { return }
    func distance(_ fraction: Double) -> Double {
      regions.distance(
        from: first.fix.coordinate.onTheWay(to: last.fix.coordinate, at: fraction), to: region)
    }
    var (low, high) = (0.0, 1.0)
    for _ in 0..<40 {
      let (left, right) = (low + (high - low) / 3, high - (high - low) / 3)
      if distance(left) < distance(right) { high = right } else { low = left }
    }
    let fraction = (low + high) / 2
    take(
      distance(fraction),
      first.fix.instant + TimeSpan(milliseconds: Int64((Double(span) * fraction).rounded())))
  }

  /// Returns an upper bound in metres: a degree of a meridian or of the equator is at most 111,700 m.
  private static func longestLength(_ a: Coordinate, _ b: Coordinate) -> Double {
    let longitude = abs(a.longitude - b.longitude)
    return 111_700 * (abs(a.latitude - b.latitude) + min(longitude, 360 - longitude))
  }
}

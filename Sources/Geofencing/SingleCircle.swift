package import TriggerModel

/// A circle that is registered while a person is moving. It needs neither a ``RegionMonitor`` nor GEOS,
/// because the length of the geodesic, accurate to a micrometre, decides.
package struct SingleCircle: Hashable, Sendable {
  private let region: CircularRegion
  /// The state of the person with respect to the circle, which is the only region.
  private var state: RegionState

  /// - Parameter fix: The valid position of the person.
  /// - Throws: The reason that the circle is invalid.
  package init(center: Coordinate, radius: Double, from fix: Fix) throws(RegionProblem) {
    region = try CircularRegion(id: RegionID(0), center: center, radius: radius)
    let frame = RegionFrame(region)
    state = Self.state(fix, frame)
  }

  /// Returns whether the circle contains a valid coordinate.
  package func holds(_ coordinate: Coordinate) -> Bool {
    RegionFrame(region).distance(to: SurfacePoint(coordinate)) <= region.radius
  }

  /// Advances to a fix if the path certainly crosses no boundary, and returns whether it did.
  @inline(__always)
  package mutating func absorbs(_ fix: Fix) -> Bool { state.absorbs(fix) }

  /// Places the person at a fix that was reached on an unknown path, without a crossing.
  package mutating func find(at fix: Fix) { state = Self.state(fix, RegionFrame(region)) }

  /// Advances to the next fix in a straight line at constant speed, and appends the crossings.
  package mutating func advance(to fix: Fix, into crossings: inout [RegionCrossing]) {
    if state.absorbs(fix) { return }
    let frame = RegionFrame(region)
    let before = state
    state = Self.state(fix, frame)
    let (wasInside, isInside) = (!before.inside.isEmpty, !state.inside.isEmpty)
    if wasInside, isInside { return }
    let segment = Segment(from: SurfacePoint(before.last.coordinate), to: SurfacePoint(fix.coordinate))
    guard let visit = segment.visit(to: frame, startsInside: wasInside, endsInside: isInside) else { return }
    let duration = Double((fix.instant - before.last.instant).milliseconds)
    func add(_ kind: RegionCrossing.Kind, _ fraction: Double) {
      let instant = RegionCrossing.instant(at: fraction, of: duration, after: before.last.instant)
      crossings.append(RegionCrossing(kind, region.id, at: instant))
    }
    if !wasInside { add(.enter, visit.enter) }
    if !isInside { add(.exit, visit.exit) }
  }

  private static func state(_ fix: Fix, _ frame: RegionFrame) -> RegionState {
    let way = frame.distance(to: SurfacePoint(fix.coordinate)) - frame.radius
    // Leave a margin of a millimetre for rounding.
    return RegionState(
      last: fix, inside: way <= 0 ? [RegionID(0)] : [], freeMetres: abs(way) - 0.001,
      counters: RegionCounters())
  }
}

extension Fix {
  /// Returns the position at an instant on the path from this fix to the next one.
  package func position(on way: Fix, at now: Instant) -> Coordinate {
    let duration = Double((way.instant - instant).milliseconds)
    guard duration > 0, now < way.instant else { return way.coordinate }
    return coordinate.onTheWay(
      to: way.coordinate, at: max(0, Double((now - instant).milliseconds) / duration))
  }
}

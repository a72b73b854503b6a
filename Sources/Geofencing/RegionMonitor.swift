public import TriggerModel

/// Determines which regions of a program contain each fix of a person, and when the path between two fixes
/// crosses boundaries.
///
/// A ``RegionState`` stores the state of one person. The monitor itself contains only the shared table and a
/// GEOS context. A context serves one thread at a time, so every worker creates its own monitor.
///
/// The monitor checks a fix in three steps:
///
/// 1. If the fix is closer to the last anchor than every boundary, nothing changes.
/// 2. Otherwise, the monitor compares the length of the chord to each region's centre, through the ellipsoid,
///    with the radius.
/// 3. In a narrow shell around a boundary, the chord is not exact enough. GEOS then decides in the azimuthal
///    equidistant plane of the region.
public final class RegionMonitor {
  /// The cases in which the monitor uses GEOS.
  public enum Mode: UInt8, Hashable, Sendable, CaseIterable, BitwiseCopyable {
    /// Only the cases that the first two steps leave undecided.
    case undecided
    /// All cases: every fix and every segment, for every region. The results equal those of ``undecided``,
    /// bit for bit.
    case always
  }

  public let table: RegionTable
  public let mode: Mode
  private let plane = Plane()

  public init(_ table: RegionTable, geos mode: Mode = .undecided) {
    self.table = table
    self.mode = mode
  }

  /// Returns the state of a person at the first fix. A region that contains this fix is not entered.
  ///
  /// - Precondition: The fix is valid.
  public func begin(at fix: Fix) -> RegionState {
    var counters = RegionCounters()
    counters.fixes = 1
    let view = look(at: point(of: fix.coordinate), &counters)
    return RegionState(last: fix, inside: view.inside, freeMetres: view.freeMetres, counters: counters)
  }

  /// Advances a person to the next fix and appends the boundary crossings on the path in chronological order.
  /// Simultaneous crossings are in the order of the regions, and the enter of a region precedes its exit.
  ///
  /// The person moves along the geodesic between two fixes at constant speed. A path through a region
  /// therefore has an enter and an exit.
  ///
  /// - Precondition: The fix is valid and not earlier than the last one.
  /// - Complexity: A few additions and multiplications and one comparison while the person is far from all
  ///   boundaries. Otherwise linear in the number of regions. Allocates memory only if the path crosses a
  ///   boundary or GEOS must check a segment.
  @inlinable
  public func advance(_ state: inout RegionState, to fix: Fix, into crossings: inout [RegionCrossing]) {
    if state.absorbs(fix) { return }
    advanceInFull(&state, to: fix, into: &crossings)
  }

  /// Returns the regions that contain a point.
  ///
  /// - Precondition: The coordinate is valid.
  public func membership(of coordinate: Coordinate) -> RegionSet {
    var counters = RegionCounters()
    return look(at: point(of: coordinate), &counters).inside
  }

  /// Returns the part of the geodesic between two points that is inside a region, or `nil` if the geodesic
  /// does not touch the region.
  ///
  /// For a segment of length zero inside the region, the part is 0…1.
  ///
  /// - Precondition: The coordinates are valid.
  public func visit(to region: RegionID, from start: Coordinate, to end: Coordinate) -> RegionVisit? {
    let (a, b) = (point(of: start), point(of: end))
    var counters = RegionCounters()
    let (before, after) = (look(at: a, &counters).inside, look(at: b, &counters).inside)
    return Segment(from: a, to: b).visit(
      to: table.frames[region.index], startsInside: before.contains(region),
      endsInside: after.contains(region))
  }
}

extension RegionMonitor {
  private func point(of coordinate: Coordinate) -> SurfacePoint {
    precondition(coordinate.isValid, "a reader must refuse coordinates that are out of range")
    return SurfacePoint(coordinate)
  }

  /// The regions that contain a point, and the radius in metres around the point within which there is no
  /// boundary.
  private struct View {
    var inside = RegionSet()
    var freeMetres = Double.infinity
  }

  private func look(at point: SurfacePoint, _ counters: inout RegionCounters) -> View {
    mode == .always ? lookWithGEOS(at: point, &counters) : lookThroughShells(at: point, &counters)
  }

  private func lookWithGEOS(at point: SurfacePoint, _ counters: inout RegionCounters) -> View {
    var view = View()
    view.freeMetres = -1
    for index in table.frames.indices {
      counters.geosCalls += 1
      let frame = table.frames[index]
      if plane.isNear(frame.planePoint(point), frame.radius) {
        view.inside.insert(RegionID(index))
      }
    }
    return view
  }

  private func lookThroughShells(at point: SurfacePoint, _ counters: inout RegionCounters) -> View {
    counters.looks += 1
    let position = point.position
    var view = View()
    for index in table.shells.indices {
      let shell = table.shells[index]
      let offset = position - shell.origin
      let chordSquared = offset.dot(offset)
      if chordSquared > shell.outerSquared {
        view.freeMetres = min(view.freeMetres, chordSquared.squareRoot() - shell.radius)
      } else if chordSquared < shell.innerSquared {
        view.inside.insert(RegionID(index))
        let arc = ChordBounds.longestArc(over: chordSquared.squareRoot())
        view.freeMetres = min(view.freeMetres, shell.radius - arc)
      } else {
        counters.geosCalls += 1
        let frame = table.frames[index]
        if plane.isNear(frame.planePoint(point), frame.radius) {
          view.inside.insert(RegionID(index))
        }
        view.freeMetres = -1
      }
    }
    // Leave a margin of a millimetre for rounding.
    view.freeMetres -= 0.001
    return view
  }

  @usableFromInline
  func advanceInFull(_ state: inout RegionState, to fix: Fix, into crossings: inout [RegionCrossing]) {
    precondition(state.last.instant <= fix.instant, "fixes must be given in order of time")
    var counters = state.counters
    counters.fixes += 1
    let to = point(of: fix.coordinate)
    let view = look(at: to, &counters)
    // If every boundary is farther away than the last fix, the path crosses no boundary.
    if view.freeMetres <= state.longestWay(to: fix.coordinate) {
      let from = SurfacePoint(state.last.coordinate)
      let (changed, near) = regionsToVisit(from, to, before: state.inside, after: view.inside)
      if !changed.isEmpty || !near.isEmpty {
        let segment = Segment(from: from, to: to)
        let visited = changed.union(touched(near, by: segment, &counters))
        append(visited, segment, state, view.inside, until: fix.instant, &crossings)
      }
    }
    state = RegionState(last: fix, inside: view.inside, freeMetres: view.freeMetres, counters: counters)
  }

  /// Returns the regions that contain exactly one end of the segment, and the regions that the segment may
  /// pass through.
  private func regionsToVisit(
    _ from: SurfacePoint, _ to: SurfacePoint, before: RegionSet, after: RegionSet
  ) -> (changed: RegionSet, near: RegionSet) {
    let (start, end) = (from.position, to.position)
    let longest = ChordBounds.longestArc(over: (end - start).length)
    let known = before.union(after)
    var near = RegionSet()
    for index in table.shells.indices where !known.contains(RegionID(index)) {
      let shell = table.shells[index]
      // A path that touches the region is at least as long as this detour.
      let detour = (start - shell.origin).length + (end - shell.origin).length - 2 * shell.radius
      if mode == .always || detour <= longest + 0.001 { near.insert(RegionID(index)) }
    }
    return (before.symmetricDifference(after), near)
  }

  /// Returns the regions that are near the segment according to GEOS. The caller then solves the geodesic to
  /// decide whether the segment touches them.
  private func touched(
    _ near: RegionSet, by segment: Segment, _ counters: inout RegionCounters
  ) -> RegionSet {
    guard !near.isEmpty else { return near }
    let nodes = segment.nodes()
    var touched = RegionSet()
    for index in table.frames.indices where near.contains(RegionID(index)) {
      let frame = table.frames[index]
      counters.geosCalls += 1
      // The margin covers the error of straight lines between the nodes in the plane.
      let reach = frame.radius + max(1, frame.radius / 1_000)
      if plane.isNear(path: nodes.map(frame.planePoint), reach) { touched.insert(RegionID(index)) }
    }
    return touched
  }

  private func append(
    _ visited: RegionSet, _ segment: Segment, _ state: RegionState, _ after: RegionSet, until end: Instant,
    _ crossings: inout [RegionCrossing]
  ) {
    let duration = Double((end - state.last.instant).milliseconds)
    var found: [(fraction: Double, crossing: RegionCrossing)] = []
    for index in table.frames.indices {
      let region = RegionID(index)
      guard visited.contains(region) else { continue }
      let (before, now) = (state.inside.contains(region), after.contains(region))
      guard
        let visit = segment.visit(to: table.frames[index], startsInside: before, endsInside: now)
      else { continue }
      func add(_ kind: RegionCrossing.Kind, _ fraction: Double) {
        let instant = RegionCrossing.instant(at: fraction, of: duration, after: state.last.instant)
        found.append((fraction, RegionCrossing(kind, region, at: instant)))
      }
      if !before { add(.enter, visit.enter) }
      if !now { add(.exit, visit.exit) }
    }
    // `found` is in the order of region and kind, and equal fractions keep this order.
    let order = found.indices.sorted { (found[$0].fraction, $0) < (found[$1].fraction, $1) }
    crossings.append(contentsOf: order.map { found[$0].crossing })
  }
}

import Geofencing
package import Recordings
package import TextFormats
package import TriggerModel

/// The recorded route of a device: fixes in chronological order, divided into legs.
///
/// The movement between two legs is unknown, so the phone jumps to the first fix of the next leg without
/// crossing boundaries. A recording may have millions of fixes, so they are stored separately from other
/// events. Long recordings are read in pieces.
package struct Route: Sendable {
  /// A part of the route without a gap.
  package struct Leg: Hashable, Sendable {
    /// The index of the first fix of the leg.
    package var start: Int
    /// The line of the scenario that names the recording.
    package var position: SourcePosition
  }

  /// The fixes in chronological order.
  package private(set) var fixes: [Fix] = []
  /// The legs, in ascending order of their starts. The first leg starts at 0 if there are any fixes.
  package private(set) var legs: [Leg] = []
  /// The reader of the fixes after this piece, or `nil` if there are none.
  private(set) var rest: RouteReader?

  package init() {}

  /// Creates a route that is read in pieces.
  init(_ rest: RouteReader) {
    self.rest = rest
  }

  /// Creates an empty piece of a route that starts with the last fix of the previous piece.
  init(after last: (fix: Fix, position: SourcePosition)?) {
    if let last { append(last.fix, startsLeg: true, last.position) }
  }

  mutating func readOn(with rest: RouteReader) { self.rest = rest }

  package var isEmpty: Bool { RouteCursor(self).fix == nil }

  /// Creates a route from a recorded track, shifted in time.
  ///
  /// - Complexity: O(n) in the number of fixes. The track is copied only if it is shifted.
  init(_ trace: consuming FixTrace, movedBy shift: TimeSpan, _ position: SourcePosition) {
    legs = trace.segmentStarts.map { Leg(start: $0, position: position) }
    fixes = trace.fixes
    if shift != .zero {
      for index in fixes.indices { fixes[index].instant = fixes[index].instant + shift }
    }
  }

  /// Merges another route into this one. Where legs overlap, the leg that began first is kept, and the fixes
  /// of the others are omitted until it ends. If two legs began at the same time, the route that was added
  /// first takes precedence.
  ///
  /// - Returns: The number of omitted fixes in a time range. The key is the line of the scenario that names
  ///   their recording.
  /// - Precondition: Both routes are in memory.
  /// - Complexity: O(n) in the number of fixes.
  mutating func add(
    _ other: consuming Route, counting range: Range<Instant> = .distantPast ..< .distantFuture
  ) -> [SourcePosition: Int] {
    guard let last = fixes.last, let first = other.fixes.first else {
      if fixes.isEmpty { self = other }
      return [:]
    }
    guard last.instant <= first.instant else {
      var merge = RouteMerge(self, other, counting: range)
      self = merge.run()
      return merge.leftOut
    }
    legs += other.legs.map { Leg(start: $0.start + fixes.count, position: $0.position) }
    fixes += other.fixes
    return [:]
  }

  /// Appends a fix.
  ///
  /// - Parameter startsLeg: Whether the fix starts a new leg.
  mutating func append(_ fix: Fix, startsLeg: Bool, _ position: SourcePosition) {
    if startsLeg { legs.append(Leg(start: fixes.count, position: position)) }
    fixes.append(fix)
  }

  /// Removes the fixes outside a time range. If a leg crosses the start of the range, its first fix is
  /// interpolated at the start. If a leg crosses the end, the first fix after the end is kept.
  mutating func clip(to range: Range<Instant>) {
    guard let first = fixes.first, let last = fixes.last else { return }
    if range.contains(first.instant), range.contains(last.instant) { return }
    var kept = Route()
    var clip = RouteClip(range)
    clip.take(self, into: &kept)
    self = kept
  }
}

/// Removes the fixes outside a time range, one at a time.
struct RouteClip: Sendable {
  private let range: Range<Instant>
  private var before: Fix?
  /// Whether a fix of the current leg was kept.
  private var hasKeptFix = false
  /// Whether all further fixes are after the range.
  private(set) var isOver = false

  init(_ range: Range<Instant>) {
    self.range = range
  }

  /// Appends the fixes of a route in memory that are within the range to another route.
  mutating func take(_ held: Route, into route: inout Route) {
    for (index, leg) in held.legs.enumerated() {
      let end = index + 1 < held.legs.count ? held.legs[index + 1].start : held.fixes.count
      for position in leg.start..<end {
        take(held.fixes[position], startsLeg: position == leg.start, leg.position, into: &route)
      }
    }
  }

  /// Appends a fix to a route if it is within the range.
  mutating func take(_ fix: Fix, startsLeg: Bool, _ position: SourcePosition, into route: inout Route) {
    defer { before = fix }
    if startsLeg { hasKeptFix = false }
    if isOver || fix.instant < range.lowerBound { return }
    isOver = fix.instant >= range.upperBound
    if !startsLeg, !hasKeptFix, fix.instant > range.lowerBound, !range.isEmpty, let before {
      route.append(before.interpolated(to: fix, at: range.lowerBound), startsLeg: true, position)
      hasKeptFix = true
    }
    // A leg that begins at or after the end of the range is omitted.
    if isOver, !hasKeptFix { return }
    route.append(fix, startsLeg: !hasKeptFix, position)
    hasKeptFix = true
  }
}

extension Fix {
  /// Returns the interpolated position at an instant between this fix and the next.
  fileprivate func interpolated(to next: Fix, at instant: Instant) -> Fix {
    let whole = (next.instant - self.instant).milliseconds
    let part = (instant - self.instant).milliseconds
    return Fix(
      instant: instant,
      coordinate: coordinate.onTheWay(to: next.coordinate, at: Double(part) / Double(max(whole, 1))))
  }
}

/// A position on a route: the next fix and its leg. A copy continues from the same position.
package struct RouteCursor: Sendable {
  /// The piece of the route that holds the next fix.
  private var route: Route
  /// The index of the next fix in the piece.
  package private(set) var next = 0
  private var leg = 0
  /// The error that stopped reading, or `nil` if there was none. No fixes follow it.
  package private(set) var problem: RecordingError?

  package init(_ route: Route) {
    self.route = route
    if route.fixes.isEmpty { readOn() }
  }

  /// The fixes of the piece. They include the fix before the next one, unless the next one starts a leg.
  package var fixes: [Fix] { route.fixes }

  package var fix: Fix? { next < route.fixes.count ? route.fixes[next] : nil }

  /// Whether the next fix starts a leg.
  package var isAtStart: Bool { route.legs[leg].start == next }

  var position: SourcePosition { route.legs[leg].position }

  /// The index after the last fix of the current leg within the piece.
  package var legEnd: Int { leg + 1 < route.legs.count ? route.legs[leg + 1].start : route.fixes.count }

  /// The instant at which the phone receives the next fix. The first fix of a leg is received at its own
  /// instant. Every other fix is received at the instant of the fix before it, because it determines the
  /// phone's movement from there.
  package var instant: Instant {
    guard next < route.fixes.count else { return .distantFuture }
    return route.fixes[isAtStart ? next : next - 1].instant
  }

  /// The instant at which the current leg starts, or `nil` if no fixes remain.
  ///
  /// - Precondition: The route is in memory.
  var legStart: Instant? { fix == nil ? nil : route.fixes[route.legs[leg].start].instant }

  /// The instant at which the current leg ends.
  ///
  /// - Precondition: The route is in memory.
  var legEndInstant: Instant { route.fixes[legEnd - 1].instant }

  /// - Precondition: At least `count` fixes remain in the piece.
  package mutating func advance(by count: Int = 1) {
    next += count
    if next == route.fixes.count { readOn() }
    findLeg()
  }

  private mutating func findLeg() {
    while leg + 1 < route.legs.count, route.legs[leg + 1].start <= next { leg += 1 }
  }

  private mutating func readOn() {
    guard let rest = route.rest else { return }
    route = Route()
    do throws(RecordingError) {
      guard let piece = try rest.following() else { return }
      next = piece.begin
      route = piece.route
    } catch {
      problem = error
    }
    leg = 0
    findLeg()
  }
}

/// Reads a route of any length in pieces. A copy continues from the same position.
struct RouteReader: Sendable {
  /// A part of the route. Parts do not overlap and are in chronological order.
  enum Part: Sendable {
    case held(Route)
    /// A recording whose fixes are shifted in time.
    case long(FixStream, movedBy: TimeSpan, SourcePosition)
  }

  private var parts: ArraySlice<Part>
  private var clip: RouteClip
  /// The last returned fix, and the position of its recording.
  private var last: (fix: Fix, position: SourcePosition)?

  /// - Parameter range: The time range whose fixes are kept.
  init(_ parts: [Part], clippedTo range: Range<Instant>) {
    self.parts = parts[...]
    clip = RouteClip(range)
  }

  /// Returns the next piece of the route and the index of its first new fix, or `nil` at the end.
  ///
  /// - Complexity: O(n) in the number of fixes of the piece.
  consuming func following() throws(RecordingError) -> (route: Route, begin: Int)? {
    var route = Route(after: last)
    let begin = route.fixes.count
    while route.fixes.count == begin, !clip.isOver, let part = parts.first {
      switch part {
      case .held(let held):
        parts.removeFirst()
        clip.take(held, into: &route)
      case .long(var fixes, let shift, let position):
        if let trace = try fixes.next() {
          parts[parts.startIndex] = .long(fixes, movedBy: shift, position)
          take(trace, movedBy: shift, position, into: &route)
        } else {
          parts.removeFirst()
        }
      }
    }
    if route.fixes.count == begin { return nil }
    last = (route.fixes[route.fixes.count - 1], route.legs[route.legs.count - 1].position)
    route.readOn(with: self)
    return (route, begin)
  }

  private mutating func take(
    _ trace: FixTrace, movedBy shift: TimeSpan, _ position: SourcePosition, into route: inout Route
  ) {
    var starts = trace.segmentStarts[...]
    for (index, fix) in trace.fixes.enumerated() {
      let startsLeg = starts.first == index
      if startsLeg { starts.removeFirst() }
      var fix = fix
      fix.instant = fix.instant + shift
      clip.take(fix, startsLeg: startsLeg, position, into: &route)
    }
  }
}

/// Merges two routes that overlap in time.
struct RouteMerge {
  private var cursors: [RouteCursor]
  private var merged = Route()
  /// The route whose current leg takes precedence.
  private var holder = 0
  private var holdsUntil = Instant.distantPast
  /// The index of the route that contributed the last fix.
  private var last: Int?
  /// The time range in which omitted fixes are counted.
  private let range: Range<Instant>
  /// The number of omitted fixes. The key is the line of the scenario that names the recording.
  private(set) var leftOut: [SourcePosition: Int] = [:]

  init(_ first: Route, _ second: Route, counting range: Range<Instant>) {
    self.range = range
    cursors = [RouteCursor(first), RouteCursor(second)]
  }

  mutating func run() -> Route {
    while let (route, fix) = nextFix {
      if fix.instant > holdsUntil || fix.instant == holdsUntil && route != holder { selectLeg() }
      let position = cursors[route].position
      if route == holder {
        merged.append(
          fix, startsLeg: cursors[route].isAtStart || last != route, position)
        last = route
      } else if range.contains(fix.instant) {
        leftOut[position, default: 0] += 1
      }
      cursors[route].advance()
    }
    return merged
  }

  /// The earliest remaining fix. If both routes have a fix at that instant, it is the fix of the preferred
  /// leg, so that this leg ends before another begins.
  private var nextFix: (route: Int, fix: Fix)? {
    let other = 1 - holder
    guard let held = cursors[holder].fix else {
      return cursors[other].fix.map { (other, $0) }
    }
    guard let fix = cursors[other].fix, fix.instant < held.instant else {
      return (holder, held)
    }
    return (other, fix)
  }

  /// Selects the leg that began first, if the previously selected leg has ended.
  private mutating func selectLeg() {
    let starts = cursors.indices.map { cursors[$0].legStart ?? .distantFuture }
    holder = starts[1] < starts[0] ? 1 : 0
    holdsUntil = cursors[holder].legEndInstant
  }
}

import Geofencing
package import Recordings
package import TextFormats
package import TriggerModel

/// The recorded ways of a program's phone: fixes in order of time, in legs.
///
/// Between the last fix of a leg and the first of the next nothing is known of the way: there the phone
/// is *found*. Fixes are kept apart from other events because there are millions of them; of a long recording only a
/// piece is held, and what comes after it is read when it is needed.
package struct Route: Sendable {
  /// A way that is known from fix to fix.
  package struct Leg: Hashable, Sendable {
    /// The position of its first fix.
    package var start: Int
    /// The line of the scenario that names the recording.
    package var position: SourcePosition
  }

  /// Ascending in time.
  package private(set) var fixes: [Fix] = []
  /// Ascending; the first starts at 0 unless there are no fixes.
  package private(set) var legs: [Leg] = []
  /// What comes after these fixes; nil: nothing.
  private(set) var rest: RouteReader?

  package init() {}

  /// A way that is read on.
  init(_ rest: RouteReader) {
    self.rest = rest
  }

  /// The next piece of a way, which goes on from the last fix of the piece before it, if there is one.
  init(after last: (fix: Fix, position: SourcePosition)?) {
    if let last { append(last.fix, startsLeg: true, last.position) }
  }

  mutating func readOn(with rest: RouteReader) { self.rest = rest }

  package var isEmpty: Bool { RouteCursor(self).fix == nil }

  /// A recording, moved in time.
  ///
  /// - Complexity: O(n) in the fixes; one that is not moved is taken as it is.
  init(_ trace: consuming FixTrace, movedBy shift: TimeSpan, _ position: SourcePosition) {
    legs = trace.segmentStarts.map { Leg(start: $0, position: position) }
    fixes = trace.fixes
    if shift != .zero {
      for index in fixes.indices { fixes[index].instant = fixes[index].instant + shift }
    }
  }

  /// Adds another way. A phone is in one place: where ways overlap, the leg that began first counts until it ends, of
  /// those that began together the one added first.
  ///
  /// - Returns: How many fixes of a stretch of time were left out for that, by the line of the scenario that names
  ///   their recording.
  /// - Precondition: Both are held.
  /// - Complexity: O(n) in the fixes
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

  /// Adds what is known of the next fix.
  ///
  /// - Parameter leg: It starts one.
  mutating func append(_ fix: Fix, startsLeg: Bool, _ position: SourcePosition) {
    if startsLeg { legs.append(Leg(start: fixes.count, position: position)) }
    fixes.append(fix)
  }

  /// Leaves out what lies outside of a stretch of time. A way that leads into it begins where the phone is by
  /// then, and the fix that a way leads to out of it stays.
  mutating func clip(to range: Range<Instant>) {
    guard let first = fixes.first, let last = fixes.last else { return }
    if range.contains(first.instant), range.contains(last.instant) { return }
    var kept = Route()
    var clip = RouteClip(range)
    for (index, leg) in legs.enumerated() {
      let end = index + 1 < legs.count ? legs[index + 1].start : fixes.count
      for position in leg.start..<end {
        clip.take(fixes[position], startsLeg: position == leg.start, leg.position, into: &kept)
      }
    }
    self = kept
  }
}

/// Leaves out of a way what lies outside of a stretch of time, fix by fix.
struct RouteClip: Sendable {
  private let range: Range<Instant>
  private var before: Fix?
  /// A fix of the present leg was kept.
  private var isOnItsWay = false
  /// What comes now lies behind the stretch.
  private(set) var isOver = false

  init(_ range: Range<Instant>) {
    self.range = range
  }

  /// Adds what is kept of the next fix to a route.
  mutating func take(_ fix: Fix, startsLeg: Bool, _ position: SourcePosition, into route: inout Route) {
    defer { before = fix }
    if startsLeg { isOnItsWay = false }
    if isOver || fix.instant < range.lowerBound { return }
    isOver = fix.instant >= range.upperBound
    if !startsLeg, !isOnItsWay, fix.instant > range.lowerBound, !range.isEmpty, let before {
      route.append(before.onTheWay(to: fix, at: range.lowerBound), startsLeg: true, position)
      isOnItsWay = true
    }
    // A way out of the stretch has begun in it.
    if isOver, !isOnItsWay { return }
    route.append(fix, startsLeg: !isOnItsWay, position)
    isOnItsWay = true
  }
}

extension Fix {
  /// Where the phone is at an instant between this fix and the next.
  fileprivate func onTheWay(to next: Fix, at instant: Instant) -> Fix {
    let whole = (next.instant - self.instant).milliseconds
    let part = (instant - self.instant).milliseconds
    return Fix(
      instant: instant,
      coordinate: coordinate.onTheWay(to: next.coordinate, at: Double(part) / Double(max(whole, 1))))
  }
}

/// A place on a route: the next fix, and the leg that it belongs to. A value: a copy goes on from the same place.
package struct RouteCursor: Sendable {
  /// The piece of the route that holds the next fix.
  private var route: Route
  /// The position of the next fix in the piece.
  package private(set) var next = 0
  private var leg = 0
  /// Why the recording cannot be read any more: nothing comes after that.
  package private(set) var problem: RecordingError?

  package init(_ route: Route) {
    self.route = route
    if route.fixes.isEmpty { readOn() }
  }

  /// Of the piece; the one before the next is among them unless that starts a leg.
  package var fixes: [Fix] { route.fixes }

  package var fix: Fix? { next < route.fixes.count ? route.fixes[next] : nil }

  /// Whether the next fix starts a leg.
  package var isAtStart: Bool { route.legs[leg].start == next }

  var position: SourcePosition { route.legs[leg].position }

  /// Where the leg of the next fix ends, or the piece.
  package var legEnd: Int { leg + 1 < route.legs.count ? route.legs[leg + 1].start : route.fixes.count }

  /// When the next fix is given to the phone: its own instant at the start of a leg, otherwise when the fix
  /// before it is reached, because a fix says where the phone goes to from there.
  package var instant: Instant {
    guard next < route.fixes.count else { return .distantFuture }
    return route.fixes[isAtStart ? next : next - 1].instant
  }

  /// When the leg of the next fix begins; nil when there is none.
  ///
  /// - Precondition: The route is held.
  var legStart: Instant? { fix == nil ? nil : route.fixes[route.legs[leg].start].instant }

  /// When it ends.
  ///
  /// - Precondition: The route is held.
  var legEndInstant: Instant { route.fixes[legEnd - 1].instant }

  /// - Precondition: No more fixes than the piece has.
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

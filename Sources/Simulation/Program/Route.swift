package import TextFormats
import Recordings
package import TriggerModel

/// The recorded ways of a program's phone: fixes in order of time, in legs.
///
/// Between the last fix of a leg and the first of the next nothing is known of the way: there the phone
/// is *found*. Fixes are kept apart from other events because there are millions of them.
package struct Route: Hashable, Sendable {
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

  package init() {}

  /// Adds a recording, moved in time. Where recordings overlap, every change from one to the other starts
  /// a leg.
  ///
  /// - Complexity: O(n) in the fixes; a first recording that is not moved is taken as it is.
  mutating func add(_ trace: consuming FixTrace, movedBy shift: TimeSpan, _ position: SourcePosition) {
    var other = Route()
    other.legs = trace.segmentStarts.map { Leg(start: $0, position: position) }
    other.fixes = trace.fixes
    if shift != .zero {
      for index in other.fixes.indices { other.fixes[index].instant = other.fixes[index].instant + shift }
    }
    guard let last = fixes.last, let first = other.fixes.first else {
      if fixes.isEmpty { self = other }
      return
    }
    guard last.instant <= first.instant else {
      self = Self.merge(self, other)
      return
    }
    legs += other.legs.map { Leg(start: $0.start + fixes.count, position: $0.position) }
    fixes += other.fixes
  }

  /// Leaves out what lies outside of a stretch of time.
  mutating func clip(to range: Range<Instant>) {
    guard let first = fixes.first, let last = fixes.last else { return }
    if range.contains(first.instant), range.contains(last.instant) { return }
    let from = fixes.firstIndex { $0.instant >= range.lowerBound } ?? fixes.count
    let to = max(from, fixes.firstIndex { $0.instant >= range.upperBound } ?? fixes.count)
    var kept: [Leg] = []
    for (index, leg) in legs.enumerated() {
      let end = index + 1 < legs.count ? legs[index + 1].start : fixes.count
      guard max(leg.start, from) < min(end, to) else { continue }
      kept.append(Leg(start: max(leg.start, from) - from, position: leg.position))
    }
    fixes = Array(fixes[from..<to])
    legs = kept
  }

  /// In order of time; of one instant the first route's before the second's.
  private static func merge(_ first: Route, _ second: Route) -> Route {
    var merged = Route()
    var cursors = (RouteCursor(), RouteCursor())
    var lastWasSecond: Bool?
    while true {
      let (a, b) = (cursors.0.fix(in: first), cursors.1.fix(in: second))
      guard let fix = a ?? b else { return merged }
      let takesSecond = a.map { a in b.map { $0.instant < a.instant } ?? false } ?? true
      let startsLeg = takesSecond ? cursors.1.isAtStart(in: second) : cursors.0.isAtStart(in: first)
      if startsLeg || lastWasSecond != takesSecond {
        let position = takesSecond ? cursors.1.position(in: second) : cursors.0.position(in: first)
        merged.legs.append(Leg(start: merged.fixes.count, position: position))
      }
      merged.fixes.append(takesSecond ? b ?? fix : fix)
      if takesSecond { cursors.1.advance(in: second) } else { cursors.0.advance(in: first) }
      lastWasSecond = takesSecond
    }
  }
}

/// A place on a route: the next fix, and the leg that it belongs to.
package struct RouteCursor: Hashable, Sendable {
  /// The position of the next fix.
  package private(set) var next = 0
  private var leg = 0

  package init() {}

  package func fix(in route: Route) -> Fix? { next < route.fixes.count ? route.fixes[next] : nil }

  /// Whether the next fix starts a leg.
  package func isAtStart(in route: Route) -> Bool { route.legs[leg].start == next }

  func position(in route: Route) -> SourcePosition { route.legs[leg].position }

  /// Where the leg of the next fix ends.
  package func legEnd(in route: Route) -> Int {
    leg + 1 < route.legs.count ? route.legs[leg + 1].start : route.fixes.count
  }

  /// When the next fix is given to the phone: its own instant at the start of a leg, otherwise when the fix
  /// before it is reached, because a fix says where the phone goes to from there.
  package func instant(in route: Route) -> Instant {
    guard next < route.fixes.count else { return .distantFuture }
    return route.fixes[isAtStart(in: route) ? next : next - 1].instant
  }

  package mutating func advance(by count: Int = 1, in route: Route) {
    next += count
    while leg + 1 < route.legs.count, route.legs[leg + 1].start <= next { leg += 1 }
  }
}

import Geofencing
import Recordings
package import TextFormats
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

  /// Adds a recording, moved in time. A phone is in one place: where recordings overlap, the leg that began
  /// first counts until it ends, of those that began together the one added first.
  ///
  /// - Returns: How many fixes were left out for that, by the line of the scenario that names their recording.
  /// - Complexity: O(n) in the fixes; a first recording that is not moved is taken as it is.
  mutating func add(
    _ trace: consuming FixTrace, movedBy shift: TimeSpan, _ position: SourcePosition
  ) -> [SourcePosition: Int] {
    var other = Route()
    other.legs = trace.segmentStarts.map { Leg(start: $0, position: position) }
    other.fixes = trace.fixes
    if shift != .zero {
      for index in other.fixes.indices { other.fixes[index].instant = other.fixes[index].instant + shift }
    }
    guard let last = fixes.last, let first = other.fixes.first else {
      if fixes.isEmpty { self = other }
      return [:]
    }
    guard last.instant <= first.instant else {
      var merge = RouteMerge(self, other)
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
    let from = fixes.firstIndex { $0.instant >= range.lowerBound } ?? fixes.count
    let to = max(from, fixes.firstIndex { $0.instant >= range.upperBound } ?? fixes.count)
    var kept = Route()
    for (index, leg) in legs.enumerated() {
      let end = index + 1 < legs.count ? legs[index + 1].start : fixes.count
      var startsLeg = true
      if leg.start < from, from < end, fixes[from].instant > range.lowerBound, !range.isEmpty {
        kept.append(
          fixes[from - 1].onTheWay(to: fixes[from], at: range.lowerBound), startsLeg: true, leg.position)
        startsLeg = false
      }
      for position in max(leg.start, from)..<max(leg.start, from, min(end, to)) {
        kept.append(fixes[position], startsLeg: startsLeg, leg.position)
        startsLeg = false
      }
      if !startsLeg, to < end { kept.append(fixes[to], startsLeg: false, leg.position) }
    }
    self = kept
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

  /// When the leg of the next fix begins; nil when there is none.
  func legStart(in route: Route) -> Instant? {
    fix(in: route) == nil ? nil : route.fixes[route.legs[leg].start].instant
  }

  /// When it ends.
  func legEndInstant(in route: Route) -> Instant { route.fixes[legEnd(in: route) - 1].instant }

  package mutating func advance(by count: Int = 1, in route: Route) {
    next += count
    while leg + 1 < route.legs.count, route.legs[leg + 1].start <= next { leg += 1 }
  }
}

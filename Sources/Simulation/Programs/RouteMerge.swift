import Recordings
import TextFormats
import TriggerModel

/// Puts two routes together that overlap in time.
struct RouteMerge {
  private var cursors: [RouteCursor]
  private var merged = Route()
  /// Whose leg counts, and until when.
  private var holder = 0
  private var holdsUntil = Instant.distantPast
  /// Whose fix was the last.
  private var last: Int?
  /// When fixes count that are left out.
  private let range: Range<Instant>
  /// By the line of the scenario that names the recording.
  private(set) var leftOut: [SourcePosition: Int] = [:]

  init(_ first: Route, _ second: Route, counting range: Range<Instant>) {
    self.range = range
    cursors = [RouteCursor(first), RouteCursor(second)]
  }

  mutating func run() -> Route {
    while let (route, fix) = nextFix {
      if fix.instant > holdsUntil || fix.instant == holdsUntil && route != holder { handOver() }
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

  /// The next in time; of one instant that of the leg that counts, so that its end is seen before another
  /// begins.
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

  /// The leg that counted has ended: of those that are on their way, or begin now, the one that began first.
  private mutating func handOver() {
    let starts = cursors.indices.map { cursors[$0].legStart ?? .distantFuture }
    holder = starts[1] < starts[0] ? 1 : 0
    holdsUntil = cursors[holder].legEndInstant
  }
}

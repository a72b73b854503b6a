import Recordings
import TextFormats
import TriggerModel

/// Puts two routes together that overlap in time.
struct RouteMerge {
  private let routes: [Route]
  private var cursors = [RouteCursor(), RouteCursor()]
  private var merged = Route()
  /// Whose leg counts, and until when.
  private var holder = 0
  private var holdsUntil = Instant.distantPast
  /// Whose fix was the last.
  private var last: Int?
  /// By the line of the scenario that names the recording.
  private(set) var leftOut: [SourcePosition: Int] = [:]

  init(_ first: Route, _ second: Route) {
    routes = [first, second]
  }

  mutating func run() -> Route {
    while let (route, fix) = nextFix {
      if fix.instant > holdsUntil || fix.instant == holdsUntil && route != holder { handOver() }
      let position = cursors[route].position(in: routes[route])
      if route == holder {
        merged.append(
          fix, startsLeg: cursors[route].isAtStart(in: routes[route]) || last != route, position)
        last = route
      } else {
        leftOut[position, default: 0] += 1
      }
      cursors[route].advance(in: routes[route])
    }
    return merged
  }

  /// The next in time; of one instant that of the leg that counts, so that its end is seen before another
  /// begins.
  private var nextFix: (route: Int, fix: Fix)? {
    let other = 1 - holder
    guard let held = cursors[holder].fix(in: routes[holder]) else {
      return cursors[other].fix(in: routes[other]).map { (other, $0) }
    }
    guard let fix = cursors[other].fix(in: routes[other]), fix.instant < held.instant else {
      return (holder, held)
    }
    return (other, fix)
  }

  /// The leg that counted has ended: of those that are on their way, or begin now, the one that began first.
  private mutating func handOver() {
    let starts = routes.indices.map { cursors[$0].legStart(in: routes[$0]) ?? .distantFuture }
    holder = starts[1] < starts[0] ? 1 : 0
    holdsUntil = cursors[holder].legEndInstant(in: routes[holder])
  }
}

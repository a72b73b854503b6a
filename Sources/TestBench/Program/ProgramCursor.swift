import DeviceSimulation
package import TriggerModel

/// A place in a program: what happens next, of the time line and of the recorded way.
package struct ProgramCursor: Hashable, Sendable {
  /// Position in the program's events.
  private var event = 0
  package private(set) var route = RouteCursor()

  package init() {}

  /// The instant of the next thing other than recorded fixes.
  package func nextEventInstant(in program: Program) -> Instant {
    event < program.events.count ? program.events[event].instant : .distantFuture
  }

  package func nextInstant(in program: Program) -> Instant {
    min(nextEventInstant(in: program), route.instant(in: program.route))
  }

  /// Takes what happens next; at one instant the time line comes before the way.
  package mutating func next(in program: Program) -> ProgramEvent? {
    let way = route.instant(in: program.route)
    if nextEventInstant(in: program) <= way {
      guard event < program.events.count else { return nil }
      event += 1
      return program.events[event - 1]
    }
    guard let fix = route.fix(in: program.route) else { return nil }
    let isFound = route.isAtStart(in: program.route)
    let position = route.position(in: program.route)
    route.advance(in: program.route)
    return ProgramEvent(instant: way, event: isFound ? .found(fix) : .fix(fix), position: position)
  }

  /// Passes over fixes that the phone has followed.
  package mutating func skip(fixes count: Int, in program: Program) {
    route.advance(by: count, in: program.route)
  }
}

extension Program {
  /// Everything that happens, recorded fixes included, in the order of happening.
  package var allEvents: UnfoldSequence<ProgramEvent, ProgramCursor> {
    sequence(state: ProgramCursor()) { $0.next(in: self) }
  }
}

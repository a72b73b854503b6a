import DeviceSimulation
package import TriggerModel

/// A place in a program: what happens next, of the time line and of the recorded ways.
package struct ProgramCursor: Hashable, Sendable {
  /// Position in the program's events.
  private var event = 0
  /// By device.
  package private(set) var routes: [RouteCursor]

  package init(_ program: Program) {
    routes = Array(repeating: RouteCursor(), count: program.devices.count)
  }

  /// The instant of the next thing other than recorded fixes.
  package func nextEventInstant(in program: Program) -> Instant {
    event < program.events.count ? program.events[event].instant : .distantFuture
  }

  /// - Parameter device: Whose way is left out.
  package func nextInstant(in program: Program, except device: Int? = nil) -> Instant {
    var next = nextEventInstant(in: program)
    if !program.hasRoutes { return next }
    for other in routes.indices where other != device {
      next = min(next, routes[other].instant(in: program.devices[other].route))
    }
    return next
  }

  /// The device whose recorded way goes on next, in the middle of a leg; nil when something else comes
  /// first.
  package func deviceOnItsWay(in program: Program) -> Int? {
    if !program.hasRoutes { return nil }
    let next = nextInstant(in: program)
    return routes.indices.first { device in
      let route = program.devices[device].route
      return routes[device].next < route.fixes.count && !routes[device].isAtStart(in: route)
        && routes[device].instant(in: route) == next
    }
  }

  /// Takes what happens next; at one instant the time line comes before the ways, and these in the order of
  /// the devices.
  package mutating func next(in program: Program) -> ProgramEvent? {
    let next = nextInstant(in: program)
    if event < program.events.count, program.events[event].instant == next {
      event += 1
      return program.events[event - 1]
    }
    if !program.hasRoutes { return nil }
    for device in routes.indices {
      let route = program.devices[device].route
      guard routes[device].instant(in: route) == next, let fix = routes[device].fix(in: route) else {
        continue
      }
      let isFound = routes[device].isAtStart(in: route)
      let position = routes[device].position(in: route)
      routes[device].advance(in: route)
      return ProgramEvent(
        instant: next, event: isFound ? .found(fix) : .fix(fix), device: UInt8(device), position: position)
    }
    return nil
  }

  /// Takes the next event of the time line if it comes before an instant.
  @inline(__always)
  package mutating func takeEvent(before limit: Instant, of events: [ProgramEvent]) -> ProgramEvent? {
    guard event < events.count, events[event].instant < limit else { return nil }
    event += 1
    return events[event - 1]
  }

  /// Passes over fixes that a phone has followed.
  package mutating func skip(fixes count: Int, of device: Int, in program: Program) {
    routes[device].advance(by: count, in: program.devices[device].route)
  }
}

extension Program {
  /// Everything that happens, recorded fixes included, in the order of happening.
  package var allEvents: UnfoldSequence<ProgramEvent, ProgramCursor> {
    sequence(state: ProgramCursor(self)) { $0.next(in: self) }
  }
}

import DeviceSimulation
package import Recordings
package import TriggerModel

/// A place in a program: what happens next, of the time line and of the recorded ways. A value: a copy goes on from
/// the same place.
package struct ProgramCursor: Sendable, IteratorProtocol {
  private var events: EventCursor
  /// By device; none where there are no recorded ways.
  package private(set) var routes: [RouteCursor]
  private let hasRoutes: Bool
  private let passing = HandedOnByAddress()

  package init(_ program: Program) {
    events = program.events.makeIterator()
    routes = program.hasRoutes ? program.devices.map { RouteCursor($0.route) } : []
    hasRoutes = program.hasRoutes
  }

  /// Why a recording cannot be read any more: what comes next is not known.
  package var problem: RecordingError? {
    if let problem = events.problem { return problem }
    return hasRoutes ? routes.lazy.compactMap(\.problem).first : nil
  }

  /// - Parameter device: Whose way is left out.
  package func nextInstant(except device: Int? = nil) -> Instant {
    var next = events.nextInstant
    if !hasRoutes { return next }
    for other in routes.indices where other != device { next = min(next, routes[other].instant) }
    return next
  }

  /// The device whose recorded way goes on next, in the middle of a leg; nil when something else comes
  /// first.
  package func deviceOnItsWay() -> Int? {
    if !hasRoutes { return nil }
    let next = nextInstant()
    return routes.indices.first { device in
      routes[device].fix != nil && !routes[device].isAtStart && routes[device].instant == next
    }
  }

  /// Takes what happens next; at one instant the time line comes before the ways, and these in the order of
  /// the devices.
  package mutating func next() -> ProgramEvent? {
    let next = nextInstant()
    if next == events.nextInstant { return events.next() }
    for device in routes.indices {
      guard routes[device].instant == next, let fix = routes[device].fix else { continue }
      let isFound = routes[device].isAtStart
      let position = routes[device].position
      routes[device].advance()
      return ProgramEvent(
        instant: next, event: isFound ? .found(fix) : .fix(fix), device: UInt8(device), position: position)
    }
    return nil
  }

  /// Takes the next event of the time line if it comes before an instant.
  @inline(__always)
  package mutating func takeEvent(before limit: Instant) -> ProgramEvent? {
    events.nextInstant < limit ? events.next() : nil
  }

  /// Passes over fixes that a phone has followed.
  package mutating func skip(fixes count: Int, of device: Int) {
    routes[device].advance(by: count)
  }
}

extension ProgramCursor: Packable {
  package mutating func pack(in parcel: inout Parcel) {
    events.pack(in: &parcel)
    parcel.keep(&routes, unless: routes.isEmpty)
  }
}

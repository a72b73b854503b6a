import DeviceSimulation
package import Recordings
package import TriggerModel

/// A position in a program's events and recorded routes. A copy continues from the same position.
package struct ProgramCursor: Sendable, IteratorProtocol {
  private var events: EventCursor
  /// The position on the route of each device. Empty if no device has a recorded route.
  package private(set) var routes: [RouteCursor]
  private let hasRoutes: Bool
  private let passing = PassedIndirectly()

  package init(_ program: Program) {
    events = program.events.makeIterator()
    routes = program.hasRoutes ? program.devices.map { RouteCursor($0.route) } : []
    hasRoutes = program.hasRoutes
  }

  /// The error that stopped reading, or `nil` if there was none. After an error, the remaining events are
  /// unknown.
  package var problem: RecordingError? {
    if let problem = events.problem { return problem }
    return hasRoutes ? routes.lazy.compactMap(\.problem).first : nil
  }

  /// Returns the instant of the next event or fix.
  ///
  /// - Parameter device: A device whose fixes are ignored, or `nil` to include all fixes.
  package func nextInstant(except device: Int? = nil) -> Instant {
    var next = events.nextInstant
    if !hasRoutes { return next }
    for other in routes.indices where other != device { next = min(next, routes[other].instant) }
    return next
  }

  /// Returns the device with the next fix if that fix continues a leg. Returns `nil` if an event or another
  /// leg comes first.
  package func deviceWithinLeg() -> Int? {
    if !hasRoutes { return nil }
    let next = nextInstant()
    return routes.indices.first { device in
      routes[device].fix != nil && !routes[device].isAtStart && routes[device].instant == next
    }
  }

  /// Returns and removes the next event or fix. At equal instants, the time line precedes the routes, and the
  /// routes are ordered by device.
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

  /// Returns and removes the next event of the time line if it precedes `limit`.
  @inline(__always)
  package mutating func takeEvent(before limit: Instant) -> ProgramEvent? {
    events.nextInstant < limit ? events.next() : nil
  }

  /// Skips fixes that a device has already applied.
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

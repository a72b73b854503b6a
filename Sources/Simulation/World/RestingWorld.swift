import TriggerModel

/// A world to which nothing happens for a while: what it must remember to go on, in a few kilobytes.
///
/// It shares its program, and the engines before their first events, with whoever has them. Its own state is packed, and
/// unpacked into a world that is made as it was made: it goes on as if it had not rested.
package struct RestingWorld: Sendable {
  private let program: Program
  private let person: UInt64
  private let scope: RunScope
  private let stopwatch: Stopwatch?
  /// By device.
  private let engines: [any EngineUnderTest]
  private let state: Parcel.Sealed

  package init(_ world: World) {
    program = world.program
    let phone = world.devices[0]
    (person, scope, stopwatch) = (phone.person, phone.scope, phone.stopwatch)
    engines = world.devices.map(\.pristine)
    var parcel = Parcel()
    var world = world
    world.pack(in: &parcel)
    state = parcel.sealed()
  }

  /// Bytes that it takes beside what it shares, and beside the heads of its three lists.
  package var byteCount: Int {
    MemoryLayout<Self>.size + engines.count * MemoryLayout<any EngineUnderTest>.stride + state.byteCount
  }

  /// The world, at the instant at which it went to rest.
  package func wake() -> World {
    var world = World(program: program, person: person, scope: scope, stopwatch: stopwatch) { engines[$0] }
    var parcel = Parcel(opening: state)
    world.pack(in: &parcel)
    return world
  }
}

package import DeviceSimulation
package import Journal
package import Recordings
package import ReminderEngine
import ScenarioModel
import SimulationKernel
package import TriggerModel

/// A person with their devices at one point of simulation time. Each device runs the engine under test.
///
/// A world is a value, and a copy continues exactly as the original would. Snapshots and what-if branches are
/// such copies.
package struct World: Sendable {
  package let program: Program
  /// The devices in the order of the program. The phone is the first.
  package private(set) var devices: [Device]
  /// Simulation time.
  package private(set) var now: Instant
  private var timers: Timers
  /// The position among the program's events.
  private var cursor: ProgramCursor
  private var hasStarted = false
  /// The sync service, or `nil` if the devices share nothing.
  private var sync: SyncService?

  /// - Parameters:
  ///   - engine: The engine under test in its initial state. The app starts every process on every device
  ///     with a copy of it.
  ///   - person: The person's number, which determines traits and random draws, or `nil` for the person in
  ///     the scenario.
  package init(program: Program, engine: some EngineUnderTest, person: UInt64? = nil) {
    self.init(program: program, person: person) { _ in engine }
  }

  /// - Parameters:
  ///   - person: The person's number, which determines traits and random draws, or `nil` for the person in
  ///     the scenario.
  ///   - scope: The part of the run to simulate.
  ///   - stopwatch: Measures the engine's time per event, or `nil` to measure nothing.
  ///   - makeEngine: Returns the engine under test for a device, in its initial state. The app starts every
  ///     process on that device with a copy of it.
  package init<Failure: Error>(
    program: Program, person: UInt64? = nil, scope: RunScope = .everything, stopwatch: Stopwatch? = nil,
    makeEngine: (_ device: Int) throws(Failure) -> any EngineUnderTest
  ) throws(Failure) {
    self.program = program
    let person = person ?? program.scenario.person?.number ?? 0
    now = program.scenario.start
    devices = []
    for device in program.devices.indices {
      devices.append(
        Device(
          program: program, number: device, engine: try makeEngine(device), person: person,
          scope: scope, stopwatch: stopwatch))
    }
    sync = SyncService(program.scenario)
    cursor = ProgramCursor(program)
    timers = FutureEventList(now: program.scenario.start)
  }

  /// The phone of the first device.
  package var phone: Phone { devices[0].phone }

  /// The engine of the first device.
  package var engine: any EngineUnderTest { devices[0].process.engine }

  /// The simulated app of the first device.
  package var app: SimulatedApp? { devices[0].participants.app?.value }

  /// Returns the explanation that the first device's engine would give if it had observed every event.
  package func trueExplanation(of reminder: ReminderID, at moment: Moment) -> Explanation? {
    devices[0].participants.groundTruth?.value.explanation(of: reminder, at: moment)
  }

  /// The engine error that ended the run, or `nil` if there was none.
  package var failure: EngineFailure? {
    for index in devices.indices {
      if let failure = devices[index].process.engine.failure { return failure }
    }
    return nil
  }

  /// The recording error that ended the run, or `nil` if there was none.
  package var unreadable: RecordingError? { cursor.problem }

  /// The instant of the next step, or `nil` if no step remains before the end.
  private var nextInstant: Instant? {
    let next = min(cursor.nextInstant(), timers.peekTime ?? .distantFuture)
    return next < program.end ? next : nil
  }

  /// Runs to the end of the scenario.
  package mutating func run(into sink: inout some JournalSink) {
    run(until: program.end, into: &sink)
  }

  /// Processes every event before an instant, and advances the clock to it.
  package mutating func run(until instant: Instant, into sink: inout some JournalSink) {
    let watches = program.devices.map { program.makePlaceWatch($0) }
    prepare(for: &sink)
    if !hasStarted { start(watches, into: &sink) }
    while failure == nil, unreadable == nil, !sink.isFull {
      // With recorded routes, fixes may occur between events.
      if !program.hasRoutes, advance(until: instant, watches, into: &sink) { continue }
      guard let next = nextInstant, next < instant else { break }
      if !followFixes(until: instant, watches, into: &sink) { step(to: next, watches, into: &sink) }
    }
    now = max(now, min(instant, program.end))
  }

  private mutating func prepare<Sink: JournalSink>(for sink: inout Sink) {
    for device in devices.indices {
      devices[device].countsInBulk = !sink.keepsEveryMiss
      devices[device].serve(Sink.interest)
    }
  }

  /// Applies the events of the time line up to the next timer. Stops after the first instant at which an
  /// event had consequences.
  ///
  /// - Returns: Whether any event had consequences. Most phone events have none.
  private mutating func advance(
    until instant: Instant, _ watches: [PlaceWatch?], into sink: inout some JournalSink
  ) -> Bool {
    let limit = min(timers.peekTime ?? .distantFuture, instant, program.end)
    while let next = cursor.takeEvent(before: limit) {
      now = next.instant
      if devices[Int(next.device)].apply(next, at: now, watches, &timers, into: &sink) {
        step(to: now, watches, into: &sink)
        return true
      }
    }
    return false
  }

  /// Applies a device's next recorded fixes until one has consequences or another event or timer is due.
  ///
  /// - Returns: Whether any fix was applied.
  private mutating func followFixes<Sink: JournalSink>(
    until instant: Instant, _ watches: [PlaceWatch?], into sink: inout Sink
  ) -> Bool {
    guard !Sink.wantsEveryFix, let device = cursor.deviceWithinLeg() else { return false }
    let fixes = cursor.routes[device].fixes
    let range = cursor.routes[device].next..<cursor.routes[device].legEnd
    let other = min(cursor.nextInstant(except: device), timers.peekTime ?? .distantFuture)
    let count = devices[device].phone.follow(
      fixes, range, before: min(other, instant, program.end), using: watches[device])
    if count == 0 { return false }
    cursor.skip(fixes: count, of: device)
    now = fixes[range.lowerBound + count - 2].instant
    sink.passed(fixes: count)
    return true
  }

  /// Processes everything at an instant. Events of the time line are processed first, in the order of its
  /// lines. Timers follow, in the order in which they were set. The engines then decide all requests of the
  /// instant together.
  private mutating func step(
    to instant: Instant, _ watches: [PlaceWatch?], into sink: inout some JournalSink
  ) {
    now = instant
    while cursor.nextInstant() == instant, let next = cursor.next() {
      _ = devices[Int(next.device)].apply(next, at: instant, watches, &timers, into: &sink)
    }
    repeat {
      while let notice = timers.popNext(before: instant + TimeSpan(milliseconds: 1)) {
        let timer = notice.payload
        let device = Int(timer.device)
        if case .sync(let operation) = timer.timer {
          sync?.run(operation, of: device, devices[device].reach(at: instant), at: instant)
          carryOutSyncSteps(into: &sink)
        } else {
          devices[device].fire(timer.timer, at: instant, &timers, into: &sink)
        }
      }
      settle(into: &sink)
      synchronize(into: &sink)
    } while timers.peekTime == instant
  }

  private mutating func start(_ watches: [PlaceWatch?], into sink: inout some JournalSink) {
    hasStarted = true
    for device in devices.indices {
      devices[device].start(program, at: now, watches[device], &timers, into: &sink)
    }
    settle(into: &sink)
    synchronize(into: &sink)
  }

  /// Passes the events of every device to the sync service.
  private mutating func synchronize(into sink: inout some JournalSink) {
    if sync == nil { return }
    for device in devices.indices {
      let events = devices[device].participants.sync?.value.take() ?? []
      sync?.observe(events, of: device, devices[device].reach(at: now), at: now)
    }
    carryOutSyncSteps(into: &sink)
  }

  /// Executes the steps that the sync service requests.
  private mutating func carryOutSyncSteps(into sink: inout some JournalSink) {
    for step in sync?.takeSteps() ?? [] {
      switch step {
      case .record(let record, let device):
        devices[device].record(record, at: now, &timers, into: &sink)
      case .apply(let write, let device):
        devices[device].applyRemote(write, at: now, &timers, into: &sink)
      case .wake(let instant, let device, let operation):
        timers.schedule(at: instant, WorldTimer(timer: .sync(operation), device: UInt8(device)))
      }
    }
  }

  private mutating func settle(into sink: inout some JournalSink) {
    for device in devices.indices { devices[device].settle(at: now, &timers, into: &sink) }
  }
}

extension World: Packable {
  package mutating func pack(in parcel: inout Parcel) {
    parcel.carry(&self, \.now, \.hasStarted)
    timers.pack(in: &parcel)
    cursor.pack(in: &parcel)
    parcel.keep(&sync, unless: sync == nil)
    for index in devices.indices { devices[index].pack(in: &parcel) }
  }
}

/// The timers of a world: one future event list for all devices and participants.
typealias Timers = FutureEventList<WorldTimer>

/// The target of a timer. It takes seven bytes, which fit into an entry of the future event list.
struct WorldTimer: Hashable, Sendable, BitwiseCopyable {
  var timer: DeviceTimer
  /// The device's number.
  var device: UInt8
}

enum DeviceTimer: Hashable, Sendable, BitwiseCopyable {
  case phone(PhoneTimer)
  /// A timer of a participant. Only the participant knows the meaning of `subject`.
  case participant(subject: UInt32, ParticipantID)
  case sync(SyncService.Operation)
}

/// A packed world of a few kilobytes, for a person who has no events for some time.
///
/// The program and the initial engines are shared, and the remaining state is packed. A new world that
/// unpacks this state continues the run unchanged.
package struct SuspendedWorld: Sendable {
  private let program: Program
  private let person: UInt64
  private let scope: RunScope
  private let stopwatch: Stopwatch?
  /// The initial engine of each device.
  private let engines: [any EngineUnderTest]
  private let state: Parcel.Sealed

  package init(_ world: World) {
    program = world.program
    let phone = world.devices[0]
    (person, scope, stopwatch) = (phone.person, phone.scope, phone.stopwatch)
    engines = world.devices.map(\.process.original)
    var parcel = Parcel()
    var world = world
    world.pack(in: &parcel)
    state = parcel.sealed()
  }

  /// The size in bytes, excluding the shared objects and the headers of the three arrays.
  package var byteCount: Int {
    MemoryLayout<Self>.size + engines.count * MemoryLayout<any EngineUnderTest>.stride + state.byteCount
  }

  /// Returns the world at the instant at which it was packed.
  package func wake() -> World {
    var world = World(program: program, person: person, scope: scope, stopwatch: stopwatch) { engines[$0] }
    var parcel = Parcel(opening: state)
    world.pack(in: &parcel)
    return world
  }
}

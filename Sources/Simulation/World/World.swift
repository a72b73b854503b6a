package import DeviceSimulation
package import Journal
package import Recordings
package import ReminderEngine
import ScenarioModel
import SimulationKernel
package import TriggerModel

/// A person with their devices, on each of them the engine under test, at one point of simulation time.
///
/// A value: a copy continues exactly as the original would. That is what snapshots and what-if
/// branches are made of.
package struct World: Sendable {
  package let program: Program
  /// In the order of the program's devices; the phone comes first.
  package private(set) var devices: [Device]
  /// Simulation time.
  package private(set) var now: Instant
  private var timers: Timers
  /// What the program says next.
  private var cursor: ProgramCursor
  private var hasStarted = false
  /// Nil: the devices share nothing.
  private var sync: SyncService?

  /// - Parameters:
  ///   - engine: The engine under test, before its first event; every process of the app on every device begins
  ///     with it.
  ///   - person: Whose traits and luck; nil: those of the person whom the scenario names.
  package init(program: Program, engine: some EngineUnderTest, person: UInt64? = nil) {
    self.init(program: program, person: person) { _ in engine }
  }

  /// - Parameters:
  ///   - person: Whose traits and luck; nil: those of the person whom the scenario names.
  ///   - scope: How much is played.
  ///   - stopwatch: Measures how long the engine takes for each event; nil: nobody asked.
  ///   - makeEngine: The engine under test for each device, before its first event; every process of the app
  ///     there begins with it.
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

  /// The engine on the first device.
  package var engine: any EngineUnderTest { devices[0].engine }

  /// Our app on the first device.
  package var app: SimulatedApp? { devices[0].participants.app?.value }

  /// What the first device's engine would explain if it were told of everything that really happens.
  package func trueExplanation(of reminder: ReminderID, at moment: Moment) -> Explanation? {
    devices[0].participants.groundTruth?.value.explanation(of: reminder, at: moment)
  }

  /// Why an engine can go on no more: the run has ended there.
  package var failure: EngineFailure? {
    for index in devices.indices {
      if let failure = devices[index].engine.failure { return failure }
    }
    return nil
  }

  /// Why a recording cannot be read any more: the run has ended there.
  package var unreadable: RecordingError? { cursor.problem }

  /// The instant of the next step; nil when nothing is left before the end.
  private var nextInstant: Instant? {
    let next = min(cursor.nextInstant(), timers.peekTime ?? .distantFuture)
    return next < program.end ? next : nil
  }

  /// Runs to the end of the scenario.
  package mutating func run(into sink: inout some JournalSink) {
    run(until: program.end, into: &sink)
  }

  /// Runs everything before an instant, and leaves the clock there.
  package mutating func run(until instant: Instant, into sink: inout some JournalSink) {
    let watches = program.devices.map { program.makePlaceWatch($0) }
    serve(&sink)
    if !hasStarted { start(watches, into: &sink) }
    while failure == nil, unreadable == nil, !sink.isFull {
      // On recorded ways the fixes come between.
      if !program.hasRoutes, goOn(until: instant, watches, into: &sink) { continue }
      guard let next = nextInstant, next < instant else { break }
      if !follow(until: instant, watches, into: &sink) { step(to: next, watches, into: &sink) }
    }
    now = max(now, min(instant, program.end))
  }

  private mutating func serve<Sink: JournalSink>(_ sink: inout Sink) {
    for device in devices.indices {
      devices[device].countsAlike = !sink.keepsEveryMiss
      devices[device].serve(Sink.interest)
    }
  }

  /// Takes what the time line says before the next timer, up to the first from which anything follows, and at
  /// that instant everything.
  /// - Returns: Whether there was one. Most of what happens to a phone nobody hears of.
  private mutating func goOn(
    until instant: Instant, _ watches: [PlaceWatch?], into sink: inout some JournalSink
  ) -> Bool {
    let limit = min(timers.peekTime ?? .distantFuture, instant, program.end)
    while let next = cursor.takeEvent(before: limit) {
      now = next.instant
      if devices[Int(next.device)].happen(next, at: now, watches, &timers, into: &sink) {
        step(to: now, watches, into: &sink)
        return true
      }
    }
    return false
  }

  /// Follows the recorded fixes of a device that come before anything else, as long as nothing comes of
  /// them.
  /// - Returns: Whether there were any.
  private mutating func follow<Sink: JournalSink>(
    until instant: Instant, _ watches: [PlaceWatch?], into sink: inout Sink
  ) -> Bool {
    guard !Sink.wantsEveryFix, let device = cursor.deviceOnItsWay() else { return false }
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

  /// Takes everything that happens at an instant: first what the time line says, in the order of
  /// its lines, then timers in the order in which they were set. When all of it has been told to the
  /// engines, the requests of the instant are decided together.
  private mutating func step(
    to instant: Instant, _ watches: [PlaceWatch?], into sink: inout some JournalSink
  ) {
    now = instant
    while cursor.nextInstant() == instant, let next = cursor.next() {
      _ = devices[Int(next.device)].happen(next, at: instant, watches, &timers, into: &sink)
    }
    repeat {
      while let notice = timers.popNext(before: instant + TimeSpan(milliseconds: 1)) {
        let timer = notice.payload
        let device = Int(timer.device)
        if case .sync(let errand) = timer.timer {
          sync?.run(errand, of: device, devices[device].reach(at: instant), at: instant)
          carryOut(into: &sink)
        } else {
          devices[device].fire(timer.timer, at: instant, &timers, into: &sink)
        }
      }
      settle(into: &sink)
      share(into: &sink)
    } while timers.peekTime == instant
  }

  private mutating func start(_ watches: [PlaceWatch?], into sink: inout some JournalSink) {
    hasStarted = true
    for device in devices.indices {
      devices[device].start(program, at: now, watches[device], &timers, into: &sink)
    }
    settle(into: &sink)
    share(into: &sink)
  }

  /// Tells the service what has happened on every device.
  private mutating func share(into sink: inout some JournalSink) {
    if sync == nil { return }
    for device in devices.indices {
      let news = devices[device].participants.sync?.value.take() ?? []
      sync?.hear(news, of: device, devices[device].reach(at: now), at: now)
    }
    carryOut(into: &sink)
  }

  /// Does what the service answers with.
  private mutating func carryOut(into sink: inout some JournalSink) {
    for step in sync?.takeSteps() ?? [] {
      switch step {
      case .record(let record, let device):
        devices[device].take(record, at: now, &timers, into: &sink)
      case .learn(let write, let device): devices[device].learn(write, at: now, &timers, into: &sink)
      case .wake(let instant, let device, let errand):
        timers.schedule(at: instant, WorldTimer(timer: .sync(errand), device: UInt8(device)))
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

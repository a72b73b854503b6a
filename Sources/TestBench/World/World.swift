package import DeviceSimulation
import Scenarios
import SimulationKernel
package import TriggerModel

/// One phone, its person and the engine under test at one point of simulation time.
///
/// A value: a copy continues exactly as the original would. That is what snapshots and what-if
/// branches are made of.
package struct World<Engine: EngineUnderTest>: Sendable {
  package let program: Program
  package private(set) var engine: Engine
  package private(set) var phone: Phone
  /// The reminder engine's twin on the truth track: what should have been asked for.
  package private(set) var twin: TruthTwin
  /// Simulation time.
  package private(set) var now: Instant
  package let person: UInt64
  package let device: UInt8
  /// Nil: where a tap leads is not modelled.
  var links: LinkDesk?
  /// What our app does beside its notifications.
  var app: AppDesk
  private var timers: FutureEventList<Timer>
  /// What the program says next.
  private var cursor = ProgramCursor()
  private var hasStarted = false
  private var output = PhoneOutput()
  private var effects: [EngineEffect] = []
  private var twinWishes = TruthTwin.Wishes()
  /// What the app has stored.
  private var stored: [UInt8]
  /// The engine is told of a process that it knows of already.
  private var isLaunched = false
  /// The engine was told something that it may still decide on at this instant.
  private var isUnsettled = false

  private enum Timer: Hashable, Sendable, BitwiseCopyable {
    case phone(PhoneTimer)
    /// A wake-up of the twin, which truth grants exactly.
    case twin(ReminderID)
    /// A link arrives, or the app can show one.
    case links
  }

  /// - Parameter engine: The engine under test, before its first event.
  package init(program: Program, engine: Engine, person: UInt64 = 0, device: UInt8 = 0) {
    self.program = program
    self.engine = engine
    self.person = person
    self.device = device
    now = program.scenario.start
    phone = program.makePhone(person: person, device: device)
    twin = TruthTwin(program)
    links = program.links.map { LinkDesk($0) }
    app = program.makeApp()
    timers = FutureEventList(now: program.scenario.start)
    stored = engine.storedState()
  }

  /// The instant of the next step; nil when nothing is left before the end.
  private var nextInstant: Instant? {
    let next = min(cursor.nextInstant(in: program), timers.peekTime ?? .distantFuture)
    return next < program.end ? next : nil
  }

  /// Runs to the end of the scenario.
  package mutating func run(into sink: inout some JournalSink) {
    run(until: program.end, into: &sink)
  }

  /// Runs everything before an instant, and leaves the clock there.
  package mutating func run(until instant: Instant, into sink: inout some JournalSink) {
    let watch = program.makePlaceWatch()
    if !hasStarted { start(into: &sink) }
    while let next = nextInstant, next < instant {
      if !follow(until: instant, watch, into: &sink) { step(to: next, watch, into: &sink) }
    }
    now = max(now, min(instant, program.end))
  }

  /// Follows the recorded fixes that come before anything else, as long as nothing comes of them.
  /// - Returns: Whether there were any.
  private mutating func follow<Sink: JournalSink>(
    until instant: Instant, _ watch: PlaceWatch?, into sink: inout Sink
  ) -> Bool {
    guard !Sink.wantsEveryFix, cursor.route.next < program.route.fixes.count,
      !cursor.route.isAtStart(in: program.route)
    else { return false }
    let range = cursor.route.next..<cursor.route.legEnd(in: program.route)
    let other = min(cursor.nextEventInstant(in: program), timers.peekTime ?? .distantFuture)
    let count = phone.follow(
      program.route.fixes, range, before: min(other, instant, program.end), using: watch)
    if count == 0 { return false }
    cursor.skip(fixes: count, in: program)
    now = program.route.fixes[range.lowerBound + count - 2].instant
    sink.passed(fixes: count)
    return true
  }

  /// Takes everything that happens at an instant: first what the time line says, in the order of
  /// its lines, then timers in the order in which they were set. When all of it has been told to the
  /// engine, the requests of the instant are decided together.
  private mutating func step(to instant: Instant, _ watch: PlaceWatch?, into sink: inout some JournalSink) {
    now = instant
    while cursor.nextInstant(in: program) == instant, let next = cursor.next(in: program) {
      note(.happened(next.event), into: &sink)
      phone.apply(next.event, at: instant, using: watch, into: &output)
      pass(into: &sink)
      tellLinks(happened: next.event, into: &sink)
      tellApp(happened: next.event, into: &sink)
    }
    repeat {
      while let notice = timers.popNext(before: instant + TimeSpan(milliseconds: 1)) {
        switch notice.payload {
        case .phone(let timer):
          phone.timerFired(timer, at: instant, into: &output)
          pass(into: &sink)
        case .twin(let reminder):
          tellTwin(
            ObservedEvent(.woken, subject: reminder.rawValue, at: phone.moment(at: now)), into: &sink)
        case .links: advanceLinks(into: &sink)
        }
      }
      settle(into: &sink)
    } while timers.peekTime == instant
  }

  /// The app is launched. The facts' first values it has stored: it knows them when it makes its plans,
  /// and they trigger nothing.
  private mutating func start(into sink: inout some JournalSink) {
    hasStarted = true
    launch(store: .bytes(stored))
    isLaunched = true
    let facts = program.scenario.facts.enumerated().filter { !$0.element.initial.isMissing }
    phone.find(facts.map { (FactID($0.offset), $0.element.initial) }, at: now, into: &output)
    let settings = program.scenario.preferences
    output.observed += settings.map { ObservedEvent($0, at: phone.moment(at: now)) }
    pass(into: &sink)
    let launch = ObservedEvent(.launched, at: phone.moment(at: now))
    tellTwin(launch, into: &sink)
    output.observed.append(launch)
    phone.begin(at: now, into: &output)
    pass(into: &sink)
    settle(into: &sink)
  }

  /// Passes what the phone put out to the twin, the engine, the future event list and the journal.
  private mutating func pass(into sink: inout some JournalSink) {
    // What the engine does may make the phone put out more.
    var observed = 0
    var outcomes = 0
    var truths = 0
    var timersTaken = 0
    while true {
      while truths < output.truth.count {
        let event = output.truth[truths]
        truths += 1
        note(.truth(event), into: &sink)
        tellTwin(event, into: &sink)
      }
      while outcomes < output.outcomes.count {
        let outcome = output.outcomes[outcomes]
        outcomes += 1
        note(.outcome(outcome), into: &sink)
        tellApp(outcome: outcome, into: &sink)
        // The twin learns of deliveries, so that it too hands over the occurrences that come after them.
        if case .delivered(let id, _) = outcome {
          tellTwin(
            ObservedEvent(.delivered, subject: id.reminder.rawValue, at: phone.moment(at: now)), into: &sink)
        }
        if case .refused(let id, _) = outcome {
          twin.refused(id, at: phone.moment(at: now), into: &twinWishes)
          wakeTwin()
        }
      }
      while timersTaken < output.timers.count {
        timers.schedule(at: output.timers[timersTaken].instant, Timer.phone(output.timers[timersTaken].timer))
        timersTaken += 1
      }
      guard observed < output.observed.count else { break }
      let event = output.observed[observed]
      observed += 1
      note(.observed(event), into: &sink)
      tellLinks(observed: event, into: &sink)
      tellApp(observed: event, into: &sink)
      if event.kind == .launched, !isLaunched {
        let bytes = engine.storedState()
        if !bytes.isEmpty { stored = bytes }
        launch(store: event.value == 0 ? .bytes(stored) : .locked)
      }
      if event.kind == .launched { isLaunched = false }
      if event.kind == .storeAvailable { engine.open(.bytes(stored), into: &effects) }
      engine.process(event, into: &effects)
      isUnsettled = true
      perform(into: &sink)
    }
    output.removeAll()
  }

  private mutating func launch(store: StoreContents) {
    let launch = ProcessLaunch(
      store: store, permission: phone.centre.permission, moment: phone.moment(at: now))
    engine.launch(launch, into: &effects)
  }

  /// An engine can do nothing at an instant at which it is told nothing.
  private mutating func settle(into sink: inout some JournalSink) {
    while isUnsettled {
      isUnsettled = false
      let moment = phone.moment(at: now)
      _ = engine.settle(at: moment, into: &effects)
      if effects.isEmpty { return }
      twin.settled(effects, at: moment, into: &twinWishes)
      wakeTwin()
      perform(into: &sink)
      pass(into: &sink)
    }
  }

  /// Tells the twin what really happened.
  private mutating func tellTwin(_ event: ObservedEvent, into sink: inout some JournalSink) {
    twin.process(event, into: &twinWishes)
    for request in twinWishes.due { note(.due(request, because: event), into: &sink) }
    wakeTwin()
  }

  /// Sees to it that the twin is woken when it wishes.
  private mutating func wakeTwin() {
    for wake in twinWishes.wakes {
      let instant = phone.clock.instant(ofWall: wake.wall)
      if instant < program.end { timers.schedule(at: max(instant, now), .twin(wake.reminder)) }
    }
    twinWishes.removeAll()
  }

  private mutating func perform(into sink: inout some JournalSink) {
    if effects.isEmpty { return }
    // No effect changes what the clocks read.
    let moment = phone.moment(at: now)
    for effect in effects {
      sink.record(
        JournalRecord(person: person, device: device, instant: now, moment: moment, body: .effect(effect)))
      // The many that ask nothing of the phone.
      if case .noRequest = effect { continue }
      phone.perform(effect, at: now, into: &output)
    }
    effects.removeAll(keepingCapacity: true)
  }

  /// Asks to be told when a link arrives or can be shown.
  mutating func awaitLinks(at instant: Instant) {
    if instant < program.end { timers.schedule(at: instant, .links) }
  }

  func note(_ body: JournalRecord.Body, into sink: inout some JournalSink) {
    sink.record(
      JournalRecord(person: person, device: device, instant: now, moment: phone.moment(at: now), body: body))
  }
}

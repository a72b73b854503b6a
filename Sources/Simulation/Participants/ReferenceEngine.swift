import CivilTime
import DeviceSimulation
import Journal
import ScenarioModel
import TriggerModel

/// A built-in reminder engine that follows the observed track of another engine under test.
///
/// It observes what the app observes, and makes the requests that follow from these observations. If the
/// engine under test makes other requests, the difference is attributed to that engine and not to the phone.
///
/// The reference reports differences only for reminders whose effects have ever differed from those of the
/// ``twin``. From the first difference on, the phone does not answer the twin's requests. The reference
/// therefore derives the answers from the outcomes of the tested engine's requests.
///
/// The reference keeps its state when the app's process ends. It reports nothing while the app cannot read
/// its store, because the engine under test then knows less. For the same reason it reports nothing after a
/// declared store fault or a loss of events.
struct ReferenceEngine: Participant {
  /// A request that follows from the observations at this instant.
  private struct Expected {
    var request: RequestID
    /// The due time on the wall clock.
    var time: Instant
    var cause: ObservedEvent
  }

  /// An occasion that has passed, for which the engine under test made a request in advance.
  private struct Passed {
    var request: RequestID
    var time: Instant
    var wasExpected = false
  }

  /// A built-in engine that receives exactly the observations of the engine under test. The device runs both
  /// in step.
  var twin: EngineTwin
  /// The reminder engine. It treats the observed track as the truth track.
  private var engine: GroundTruthEngine
  /// The replies of ``engine``.
  private var replies = Replies()
  private var expected: [Expected] = []
  /// The requests that are due on the truth track at this instant.
  private var due: [Expected] = []
  /// The requests that the engine under test made for this instant.
  private var requested: [RequestID] = []
  /// The requests that the engine under test made for later instants, and the latest passed ones by reminder.
  private var planned = PlannedOccurrences()
  private var passed: [ReminderID: [Passed]] = [:]
  /// The number of expected requests, by reminder, that the engine under test has not made yet. It may make
  /// them late.
  private var owed: [ReminderID: Int] = [:]
  /// The lost requests that the engine under test has observed but cannot make again yet, because its store
  /// is locked.
  private var lost: [RequestID] = []
  /// The last wake-up that the engine under test requested, by reminder.
  private var wakes: [ReminderID: Instant] = [:]
  /// The regions that the engine under test registered.
  private var registered: Set<RegionID> = []
  /// Whether the engine under test has asked to be notified when the phone leaves its surroundings.
  private var isWatching = false
  /// The reminders whose next occurrence exceeded the pending limit of the engine under test, and the
  /// reminders whose repeating request was denied or removed. In both cases the engine did make the request.
  private var leftOut: Set<ReminderID> = []
  private var lostRepeats: Set<ReminderID> = []
  private var repeating: Set<RequestID> = []
  private var isStoreLocked = false
  /// Whether the app lost observations, because a process ended before it could store them, or because the store
  /// had a fault.
  private var hasLostEvents = false
  private var zone: ZoneID
  /// How far the phone's wall clock is ahead of simulation time.
  private var clockOffset = TimeSpan.zero
  private let zones: ZoneTable
  private var last: ObservedEvent?

  /// The number of passed occasions kept per reminder. They are needed because a late alarm is delivered
  /// after its occasion.
  private static let passedKept = 16

  init(_ program: Program, device: Int) {
    twin = EngineTwin(program, device: device)
    engine = GroundTruthEngine(program, device: device, isOnObservedTrack: true)
    zone = program.scenario.zone
    zones = program.scenario.zones
  }

  private var findsNothing: Bool { isStoreLocked || hasLostEvents }

  static func listens(to body: JournalRecord.Body) -> Bool {
    switch body {
    case .happened, .observed, .effect, .outcome, .due: true
    case .truth, .notRequested, .uncalledFor, .link, .app, .person, .sync: false
    }
  }

  mutating func begin(_ situation: Situation, into replies: inout Replies) {
    engine.begin(situation, into: &self.replies)
    takeReplies(into: &replies)
  }

  mutating func deliver(_ body: JournalRecord.Body, _ situation: Situation, into replies: inout Replies) {
    followClock(situation.clock)
    switch body {
    case .happened(.storeFault): hasLostEvents = true
    case .observed(let event): observe(event, situation)
    case .effect(let effect): take(effect, situation)
    case .due(let request, let time, let cause):
      due.append(Expected(request: request, time: time, cause: cause))
    case .outcome(let outcome):
      take(outcome, situation)
      engine.deliver(body, situation, into: &self.replies)
      if case .delivered(let id, _) = outcome { delivered(id, situation, into: &replies) }
    default: break
    }
    takeReplies(into: &replies)
  }

  /// Moves times that end a fixed duration along with the wall clock, as the system does.
  private mutating func followClock(_ clock: PhoneClock) {
    if clock.ahead == clockOffset { return }
    planned.shiftSpans(by: clock.ahead - clockOffset)
    clockOffset = clock.ahead
  }

  private mutating func observe(_ event: ObservedEvent, _ situation: Situation) {
    last = event
    if event.kind == .launched {
      if isStoreLocked { hasLostEvents = true }
      isStoreLocked = event.value != 0
    }
    if event.kind == .storeAvailable { isStoreLocked = false }
    // An app that is launched after a journey plans in the new zone before it observes the zone change.
    if event.moment.zone != zone { move(situation) }
    if !isStoreLocked { catchUp(situation) }
    switch event.kind {
    case .launched, .storeAvailable: break
    // The identifiers in these events refer to requests of the tested engine. `deliver` handles the phone's
    // outcomes instead.
    case .delivered, .addFailed: break
    case .pendingDropped:
      lost.append(event.request)
      if !isStoreLocked { catchUp(situation) }
    default:
      if event.kind == .reinstalled {
        (planned, passed, owed, lost) = (PlannedOccurrences(), [:], [:], [])
        (wakes, registered) = ([:], [])
      }
      engine.deliver(.truth(event), situation, into: &replies)
    }
  }

  /// Moves the plans to the phone's new zone.
  private mutating func move(_ situation: Situation) {
    let moment = situation.moment
    planned.move(from: zones[zone], to: zones[moment.zone], at: moment.wall)
    zone = moment.zone
    engine.deliver(.truth(ObservedEvent(.zoneChanged, at: moment)), situation, into: &replies)
  }

  /// Plans what the engine under test would plan as soon as it runs and can read its store.
  private mutating func catchUp(_ situation: Situation) {
    engine.catchUp(situation, into: &replies)
    for request in lost {
      pass(request.reminder, situation)
      let time = passed[request.reminder]?.last { $0.request == request }?.time ?? planned.time(of: request)
      engine.lost(request, due: time, situation, into: &replies)
    }
    lost.removeAll(keepingCapacity: true)
  }

  private mutating func take(_ effect: EngineEffect, _ situation: Situation) {
    twin.note(effect)
    switch effect {
    case .noRequest(let reminder, .pendingLimit, _): leftOut.insert(reminder)
    case .decided(let request, let decision) where request.repeats != nil && decision.outcome != .admit:
      lostRepeats.insert(request.id.reminder)
    case .request(let request):
      if request.repeats != nil {
        lostRepeats.remove(request.id.reminder)
        repeating.insert(request.id)
      }
      if request.scheduledFor <= situation.moment.wall { return requested.append(request.id) }
      leftOut.remove(request.id.reminder)
      var plan = request
      plan.deliverAt = request.scheduledFor
      planned.insert(plan)
    case .dropped(let request, .superseded): planned.remove(request.id)
    case .wake(let reminder, let wall): wakes[reminder] = wall
    case .monitor(let region): registered.insert(region)
    case .unmonitor(let region): registered.remove(region)
    case .watch: isWatching = true
    default: break
    }
  }

  private mutating func take(_ outcome: PhoneOutcome, _ situation: Situation) {
    switch outcome {
    case .removed(let id, .superseded): planned.remove(id)
    case .removed(let id, _), .refused(let id, _):
      if repeating.contains(id) { lostRepeats.insert(id.reminder) }
    case .repeated(let id, _, _): lostRepeats.remove(id.reminder)
    // If the engine under test had registered the region, the system would have reported this event and
    // started the app. The app would then have evaluated the conditions.
    case .regionSuppressed(let region, let entering, .notMonitored)
    where isMonitored(region) && !registered.contains(region):
      let event = ObservedEvent(
        entering ? .regionEntered : .regionExited, subject: region.rawValue, at: situation.moment)
      expected += due.filter { $0.cause.kind == event.kind && $0.cause.subject == event.subject }
      var unused = Replies()
      engine.deliver(.truth(event), situation, into: &unused)
      for timer in unused.timers { replies.wake(at: timer.instant, timer.subject) }
    default: break
    }
  }

  /// Returns whether the system would monitor a region if the engine under test had the reference's effects.
  /// The reference does not know the phone's position, so it cannot choose the nearest regions.
  private func isMonitored(_ region: RegionID) -> Bool {
    engine.monitored.contains(region) || engine.isWatching && !isWatching && !engine.monitored.isEmpty
  }

  mutating func answered(_ effects: [EngineEffect], _ situation: Situation, into replies: inout Replies) {
    engine.answered(effects, situation, into: &self.replies)
    takeReplies(into: &replies)
  }

  /// Handles a wake-up that the reference engine requested, or the time of one of its planned occurrences.
  ///
  /// Ignores a wake-up that the engine under test requested too, because the phone reports it.
  mutating func timerFired(_ subject: UInt32, _ situation: Situation, into replies: inout Replies) {
    followClock(situation.clock)
    if !GroundTruthEngine.isPlanned(subject) {
      let isReported = wakes[ReminderID(subject)].map { $0 == engine.wakes[ReminderID(subject)] } ?? false
      if isReported || !situation.servesWake { return }
    }
    engine.timerFired(subject, situation, into: &self.replies)
    takeReplies(into: &replies)
  }

  /// Forwards the engine's timers, and keeps the requests that it considers due.
  private mutating func takeReplies(into replies: inout Replies) {
    for timer in self.replies.timers { replies.wake(at: timer.instant, timer.subject) }
    var records: [JournalRecord.Body] = []
    self.replies.exchange(&records)
    for case .due(let request, let time, let cause) in records {
      expected.append(Expected(request: request, time: time, cause: cause))
    }
  }

  // MARK: Findings

  /// Compares the expected requests at this instant with the actual ones.
  mutating func decided(_ situation: Situation, into replies: inout Replies) {
    twin.compare(at: situation.moment)
    // An earlier request that was not made would have brought the person to the app, which would then have
    // planned more.
    expected += due.filter { due in
      [.woken, .delivered].contains(due.cause.kind) && owed[due.request.reminder, default: 0] > 0
        && !expected.contains { $0.request.reminder == due.request.reminder }
    }
    due.removeAll(keepingCapacity: true)
    // A request that an answer causes becomes due at the next trigger.
    var answered: [ReminderID: Int] = [:]
    for request in engine.requests where !expected.contains(where: { $0.request == request }) {
      answered[request.reminder, default: 0] += 1
    }
    for expected in expected {
      let reminder = expected.request.reminder
      if wasPlanned(expected, situation) || leftOut.contains(reminder) || lostRepeats.contains(reminder) {
        continue
      }
      if let index = requested.firstIndex(where: { $0.reminder == reminder }) {
        requested.remove(at: index)
        continue
      }
      if !twin.differs(on: reminder) { continue }
      owed[reminder, default: 0] += 1
      if findsNothing { continue }
      replies.record(.notRequested(expected.request, at: expected.time, because: expected.cause))
    }
    expected.removeAll(keepingCapacity: true)
    for request in requested {
      let reminder = request.reminder
      if let count = owed[reminder], count > 0 {
        owed[reminder] = count - 1
      } else if let count = answered[reminder], count > 0 {
        answered[reminder] = count - 1
      } else {
        find(uncalledFor: request, situation, into: &replies)
      }
    }
    requested.removeAll(keepingCapacity: true)
    engine.requests.removeAll(keepingCapacity: true)
  }

  private mutating func wasPlanned(_ expected: Expected, _ situation: Situation) -> Bool {
    let reminder = expected.request.reminder
    pass(reminder, situation)
    guard
      let index = passed[reminder]?.firstIndex(where: { $0.time == expected.time && !$0.wasExpected })
    else { return false }
    passed[reminder]?[index].wasExpected = true
    return true
  }

  /// Moves the planned occasions of a reminder that are now in the past to `passed`.
  private mutating func pass(_ reminder: ReminderID, _ situation: Situation) {
    let moment = situation.moment
    while let occurrence = planned.takeDue(of: reminder, at: moment.wall, in: zones[moment.zone]) {
      passed[reminder] =
        (passed[reminder] ?? []).suffix(Self.passedKept - 1)
        + [Passed(request: occurrence.request, time: occurrence.time)]
    }
  }

  /// Handles the delivery of a request that was made in advance.
  private mutating func delivered(
    _ id: RequestID, _ situation: Situation, into replies: inout Replies
  ) {
    pass(id.reminder, situation)
    takeReplies(into: &replies)
    let own = (passed[id.reminder] ?? []).filter { $0.request == id }
    guard let time = own.last?.time, !own.contains(where: \.wasExpected),
      !expected.contains(where: { $0.request.reminder == id.reminder && $0.time == time })
    else { return }
    find(uncalledFor: id, situation, into: &replies)
  }

  private func find(uncalledFor id: RequestID, _ situation: Situation, into replies: inout Replies) {
    guard !findsNothing, twin.differs(on: id.reminder), let last else { return }
    replies.record(.uncalledFor(id, at: situation.moment.wall, because: last))
  }
}

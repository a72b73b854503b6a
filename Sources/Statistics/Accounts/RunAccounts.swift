package import DeviceSimulation
package import Journal
import ReminderMatching
import ScenarioModel
package import Simulation
package import TriggerModel

/// Reduces the journal of one person's run to counts for each device, and to the fires and endings that
/// expectations need.
///
/// Its size depends on the number of requests and notifications, not on the number of events.
package struct RunAccounts: JournalSink, Sendable {
  /// A notification that was delivered.
  package struct Fire: Hashable, Sendable {
    package var request: RequestID
    package var instant: Instant
    package var moment: Moment
    package var exposure: Exposure
    /// The due time, or `nil` for a reminder without expectations.
    package var due: DueTime?
    /// The response, or `nil` if there was none.
    package var response: Response?
    package var type: TypeID
    package var bucket: Bucket
    /// The index of the person's device.
    package var device: UInt8
    /// The wall-clock instant at which the system delivered the notification. If a scheduled summary holds
    /// it, it is shown later.
    package var delivered: Instant
    /// The wall-clock instant from which the app considered the notification delivered and could not cancel
    /// it. It is at or before ``delivered``, because the system may be late.
    package var expected: Instant
  }

  /// The outcome of a match or request that was not delivered, or a deferral.
  package struct Ending: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
      case notRequested, denied, deferred, failed, lost
      /// A later plan replaced the request before its time.
      case replaced
    }

    package var reminder: ReminderID
    package var kind: Kind
    package var reason: Reason
    package var blockers: ReasonSet
    package var failed: ConditionKinds
    /// The facts of the failed conditions, as the app knew them.
    package var known: [FactReading] = []
    package var until: Instant?
    package var instant: Instant
    package var moment: Moment
    /// The request that ended, or `nil` if there was none.
    package var request: RequestID?
    /// The due time of the request that ended, or `nil` if there was no request or the reminder has no
    /// expectations.
    package var due: DueTime?
    /// The index of the person's device.
    package var device: UInt8
  }

  private struct RequestKey: Hashable, Sendable {
    var request: RequestID
    var device: UInt8
  }

  /// The accounts of the devices. The phone is first.
  package private(set) var devices: [DeviceAccount]
  package private(set) var fires: [Fire] = []
  package private(set) var endings: [Ending] = []
  package private(set) var observed: [Int] = Array(repeating: 0, count: ObservedEvent.Kind.allCases.count)
  package private(set) var truth: [Int] = Array(repeating: 0, count: ObservedEvent.Kind.allCases.count)
  package private(set) var happened = 0
  /// The number of scenario events that were impossible or had no effect, by cause.
  package private(set) var ignored: [String: Int] = [:]
  /// The additional records that gates need.
  package private(set) var gateLedger: GateLedger
  /// The accounts of links, indexed by ``TriggerModel/LinkID``. The list ends with the last link that was
  /// used.
  package private(set) var links: [LinkAccount] = []
  /// The prompts, surfaces and milestones of the app under test.
  package var app: AppAccount
  /// The account of records shared between devices.
  package private(set) var sync = SyncAccount()
  private(set) var optOutLedger: OptOutLedger
  /// For each reminder, whether the story states the responses to it. See ``PhoneEvent/answered``.
  private var statesResponses: [Bool]
  private let passing = PassedIndirectly()
  /// The ids of the reminders, for messages.
  private let names: [String]
  /// The names of the places.
  private let places: [String]
  /// The reminders whose misses are recorded individually. The misses of other reminders are only counted.
  private let keepsMissesOf: Set<ReminderID>
  /// The due times of requests, for reminders with expectations.
  private var dueTimes: [RequestKey: DueTime] = [:]
  /// The caps against which deliveries are checked.
  private let caps: (scenario: Scenario, types: [String])
  /// Finds triggers to which the engine did not respond. It is `nil` if this is needed for no reminder.
  private var unansweredTriggers: UnansweredTriggers?
  /// The facts that the app knows, or `nil` if no misses are kept.
  private var knownFacts: KnownFacts?
  /// The sum over all devices once the accounts are closed, or `nil` if there is only one device.
  private var combined: DeviceAccount?
  /// The sum over all reminders once the accounts are closed.
  private var closedTotal: ReminderAccount?
  /// Contradictions in the accounts, in words. The list is empty in a correct run.
  package private(set) var contradictions: [String] = []

  /// Creates the accounts of a run of a program.
  package init(_ program: Program, keepsMissesOf: Set<ReminderID> = []) {
    let scenario = program.scenario
    let device = DeviceAccount(
      program.reminders, zones: scenario.zones, deniedReadings: DeniedReadings(scenario), end: program.end)
    devices = Array(repeating: device, count: program.devices.count)
    app = AppAccount(program.app, end: program.end)
    gateLedger = GateLedger(for: scenario.gates)
    optOutLedger = OptOutLedger(for: scenario)
    names = scenario.reminders.map(\.declaration.id)
    places = scenario.places.map(\.name)
    caps = (scenario, program.reminders.names.types)
    // A person model determines all responses: notifications that are neither tapped nor dismissed are
    // ignored.
    statesResponses = Array(repeating: scenario.person != nil, count: device.reminders.count)
    self.keepsMissesOf = keepsMissesOf
    if !keepsMissesOf.isEmpty {
      knownFacts = KnownFacts(program)
      unansweredTriggers = UnansweredTriggers(program, of: keepsMissesOf)
    }
  }

  /// The accounts of reminders, over all devices.
  package var reminders: [ReminderAccount] { (combined ?? devices[0]).reminders }

  /// The account of the platforms' signals, over all devices.
  package var signals: SignalLedger { (combined ?? devices[0]).signals }

  package var optOuts: OptOuts { optOutLedger.account }

  /// The number of items that are kept individually.
  package var kept: Int { fires.count + endings.count + app.entries.count }

  /// The notifications that were exposed.
  package var appeared: [Fire] { fires.filter(\.exposure.isExposed) }

  /// The sum over all reminders.
  ///
  /// - Complexity: O(1) once the accounts are closed.
  package var total: ReminderAccount {
    closedTotal ?? reminders.reduce(into: ReminderAccount()) { $0.add($1) }
  }

  /// Returns the due requests that were not made because the app did not observe the event, or because the
  /// engine under test did not request them.
  package func missedRequests(_ reminder: ReminderID) -> some Sequence<MissedRequest> {
    devices.lazy.flatMap { $0.missedRequests(reminder) }
  }

  package mutating func record(_ body: JournalRecord.Body, _ stamp: RecordStamp) {
    let device = Int(stamp.device)
    for trigger in unansweredTriggers?.take(body, stamp) ?? [] { end(trigger) }
    switch body {
    case .happened(let event):
      happened += 1
      if let reminder = event.snoozed { devices[device].snoozed(reminder) }
      // Once the story states one response to a reminder, it counts as stating all of them, for the whole run
      // and on all of the person's devices.
      if let reminder = event.answered { statesResponses[reminder.index] = true }
    case .truth(let event):
      if !event.isFoundSo { truth[Int(event.kind.rawValue)] += 1 }
      if !devices[device].happened(event, at: stamp.instant) {
        let verb = event.kind == .regionEntered ? "entered" : "left"
        note("\(places[Int(event.subject)]) is \(verb) twice in a row", device)
      }
      if event.kind == .tapped { respond(.tapped, to: event.request, stamp) }
      if event.kind == .dismissed { respond(.dismissed, to: event.request, stamp) }
      if event.kind == .acted { respond(.acted, to: event.request, stamp) }
      gateLedger.take(event, at: stamp.instant)
      optOutLedger.happened(event, at: stamp.instant)
    case .observed(let event):
      if !event.isFoundSo { observed[Int(event.kind.rawValue)] += 1 }
      devices[device].observed(event, at: stamp.instant)
      knownFacts?.observed(event, stamp)
    case .due(let request, let time, let cause):
      if let reason = devices[device].due(request.reminder, for: time, because: cause, stamp) {
        let due = DueTime(instant: stamp.instant, moment: stamp.moment)
        end(request.reminder, .lost, reason, blockers: ReasonSet(reason), due: due, stamp)
      }
    case .notRequested(let request, let time, let event):
      devices[device].withheld(request.reminder, for: time, because: event, at: stamp.instant)
      if keepsMissesOf.contains(request.reminder) {
        end(
          request.reminder, .notRequested, .notRequested, blockers: ReasonSet(.notRequested), stamp)
      }
    case .uncalledFor(let request, _, _): devices[device].uncalledFor(request)
    case .effect(let effect): take(effect, device, stamp)
    case .outcome(let outcome): take(outcome, device, stamp)
    case .link(let link): take(link, device, stamp)
    case .app(let event): app.take(event, stamp)
    // The effect of the snooze is recorded by a later event.
    case .person(let act): if case .snooze(let reminder, _) = act { devices[device].snoozed(reminder) }
    case .sync(let record):
      sync.take(record, on: stamp.device, stamp.moment, at: stamp.instant)
      if case .doubled(let id, _) = record { devices[device].doubled(id.reminder) }
    }
  }

  package static var wantsEveryFix: Bool { false }

  package mutating func passed(fixes: Int) { happened += fixes }

  package var keepsEveryMiss: Bool { !keepsMissesOf.isEmpty }

  package mutating func count(_ counted: CountedReminders, due: UInt64, _ stamp: RecordStamp) {
    devices[Int(stamp.device)].count(counted, due: due, stamp)
  }

  /// Records a response to an exposed notification that has none yet.
  private mutating func respond(_ response: Response, to id: RequestID, _ stamp: RecordStamp) {
    statesResponses[id.reminder.index] = true
    devices[Int(stamp.device)].responded(response, to: id.reminder)
    let answered = fires.lastIndex {
      $0.request == id && $0.device == stamp.device && $0.exposure.isExposed && $0.response == nil
    }
    guard let answered else {
      return note("\(id.occurrence) is \(response) but was not exposed", of: id, Int(stamp.device))
    }
    fires[answered].response = response
  }

  private mutating func take(_ effect: EngineEffect, _ device: Int, _ stamp: RecordStamp) {
    switch effect {
    case .noRequest(let reminder, let reason, let failed):
      devices[device].missed(reminder, reason, failed, at: stamp.instant)
      if keepsMissesOf.contains(reminder) {
        end(reminder, .notRequested, reason, blockers: ReasonSet(reason), failed: failed, stamp)
        if failed.contains(.fact) {
          knownFacts?.findFailing(reminder, stamp, into: &endings[endings.count - 1].known)
        }
      }
    case .request(let request):
      let (late, problem) = devices[device].requested(request, stamp)
      keepDueTime(of: request, late, stamp)
      note(problem, device)
    case .decided(let request, let decision): take(request, decision, device, stamp)
    case .dropped(let request, let reason):
      let isReplaced = devices[device].dropped(request, reason, at: stamp.instant)
      end(request.id, isReplaced ? .replaced : .lost, reason, blockers: ReasonSet(reason), stamp)
    case .add, .remove, .withdraw, .removeShown, .monitor, .unmonitor, .watch, .unwatch, .wake,
      .wakeForRelease, .persist, .storeUnusable:
      break
    }
  }

  private mutating func take(
    _ request: NotificationRequest, _ decision: Decision, _ device: Int, _ stamp: RecordStamp
  ) {
    let id = request.id
    let reason = decision.reason ?? .addFailed
    devices[device].decided(request, decision, reason, at: stamp.instant)
    switch decision.outcome {
    case .admit: break
    case .deny:
      // There may be millions of denials, so those of other reminders are only counted.
      if keepsMissesOf.contains(id.reminder) {
        end(id, .denied, reason, blockers: decision.blockers, stamp)
      }
    case .defer:
      end(id, .deferred, reason, blockers: decision.blockers, until: decision.until, stamp)
    case .fail: end(id, .failed, reason, blockers: decision.blockers, stamp)
    }
  }

  private mutating func take(_ outcome: PhoneOutcome, _ device: Int, _ stamp: RecordStamp) {
    devices[device].take(outcome)
    switch outcome {
    case .refused(let id, let reason):
      note(devices[device].refused(id), device)
      end(id, .failed, reason, blockers: ReasonSet(reason), stamp)
    case .removed(let id, let reason):
      if devices[device].heldAgain(id, reason) { break }
      let (isReplaced, problem) = devices[device].lost(id, reason)
      note(problem, device)
      end(id, isReplaced ? .replaced : .lost, reason, blockers: ReasonSet(reason), stamp)
    case .delivered(let id, let presentation):
      let exposure = Exposure(presentation)
      if exposure.isExposed { app.exposed(id.reminder, at: stamp.instant) }
      let (request, problem) = devices[device].delivered(id, exposure)
      note(problem, device)
      fires.append(
        Fire(
          request: id, instant: stamp.instant, moment: stamp.moment, exposure: exposure,
          due: dueTimes[RequestKey(request: id, device: stamp.device)],
          type: request?.type ?? TypeID(0), bucket: request?.bucket ?? .standard, device: stamp.device,
          delivered: stamp.moment.wall,
          expected: min(stamp.moment.wall, request?.deliverAt ?? stamp.moment.wall)))
      if !exposure.isExposed {
        end(id, .lost, .notPresented, blockers: ReasonSet(.notPresented), stamp)
      }
    case .repeated(let id, let occurrence, _):
      devices[device].repeated(id, for: occurrence, stamp)
      keepDueTime(of: id, DueTime(instant: nil, moment: stamp.moment.foreseen(at: occurrence)), stamp)
    case .presentedLate(let id, _): exposedLate(id, stamp)
    case .ignored(let cause): ignored[cause.name, default: 0] += 1
    case .rescheduled(let id, let due):
      let key = RequestKey(request: id, device: stamp.device)
      if let known = dueTimes[key], known.instant == nil {
        dueTimes[key] = DueTime(instant: nil, moment: stamp.moment.foreseen(at: due))
      }
    case .reserved, .regionSuppressed, .missed, .falseSign, .prompted, .readingChanged: break
    }
  }

  /// Records that the scheduled summary showed a held notification, which is therefore no longer lost.
  private mutating func exposedLate(_ id: RequestID, _ stamp: RecordStamp) {
    let device = Int(stamp.device)
    devices[device].exposed(id, .list)
    app.exposed(id.reminder, at: stamp.instant)
    if let index = endings.lastIndex(where: {
      $0.request == id && $0.device == stamp.device && $0.reason == .notPresented
    }) {
      endings.remove(at: index)
    }
    guard
      let index = fires.lastIndex(where: {
        $0.request == id && $0.device == stamp.device && $0.exposure == .held
      })
    else { return note("\(id.occurrence) is shown late but was not held", of: id, device) }
    var late = fires.remove(at: index)
    (late.instant, late.moment, late.exposure) = (stamp.instant, stamp.moment, .list)
    fires.append(late)
  }

  private mutating func take(_ link: LinkRecord, _ device: Int, _ stamp: RecordStamp) {
    while links.count <= link.link.index { links.append(LinkAccount()) }
    links[link.link.index].take(link)
    guard let reminder = link.request?.reminder else { return }
    devices[device].took(link, of: reminder)
    if let reason = link.step.loss, !link.isRepeat {
      end(reminder, .lost, reason, blockers: ReasonSet(reason), stamp)
    }
  }

  private mutating func end(
    _ request: RequestID, _ kind: Ending.Kind, _ reason: Reason, blockers: ReasonSet, until: Instant? = nil,
    _ stamp: RecordStamp
  ) {
    end(
      request.reminder, kind, reason, blockers: blockers, until: until, of: request,
      due: dueTimes[RequestKey(request: request, device: stamp.device)], stamp)
  }

  private mutating func end(
    _ reminder: ReminderID, _ kind: Ending.Kind, _ reason: Reason, blockers: ReasonSet,
    failed: ConditionKinds = [], until: Instant? = nil, of request: RequestID? = nil, due: DueTime? = nil,
    _ stamp: RecordStamp
  ) {
    endings.append(
      Ending(
        reminder: reminder, kind: kind, reason: reason, blockers: blockers, failed: failed, until: until,
        instant: stamp.instant, moment: stamp.moment, request: request, due: due, device: stamp.device))
  }

  /// - Parameter late: The earlier due time to which the request belongs if it is late, or `nil` otherwise.
  private mutating func keepDueTime(
    of request: NotificationRequest, _ late: DueTime?, _ stamp: RecordStamp
  ) {
    let isPlanned = request.scheduledFor > stamp.moment.wall
    let own =
      isPlanned
      ? DueTime(instant: nil, moment: stamp.moment.foreseen(at: request.scheduledFor))
      : DueTime(instant: stamp.instant, moment: stamp.moment)
    keepDueTime(of: request.id, late ?? own, stamp)
  }

  private mutating func keepDueTime(of request: RequestID, _ due: DueTime, _ stamp: RecordStamp) {
    guard keepsMissesOf.contains(request.reminder) else { return }
    dueTimes[RequestKey(request: request, device: stamp.device)] = due
  }

  private mutating func end(_ trigger: UnansweredTriggers.Unanswered) {
    end(trigger.reminder, .notRequested, trigger.reason, blockers: ReasonSet(trigger.reason), trigger.stamp)
  }

  /// Reports a transition that is not allowed in the request's state.
  private mutating func note(_ problem: DeviceAccount.UnexpectedTransition?, _ device: Int) {
    guard let problem else { return }
    note(
      "\(problem.request.occurrence) changes to \(problem.state) unexpectedly", of: problem.request, device)
  }

  private mutating func note(_ problem: String, of request: RequestID, _ device: Int) {
    contradictions.append("\(name(request.reminder.index, device)): request \(problem)")
  }

  private mutating func note(_ problem: String, _ device: Int) {
    contradictions.append((device == 0 ? "" : "device \(device), ") + problem)
  }

  private func name(_ reminder: Int, _ device: Int) -> String {
    (device == 0 ? "" : "device \(device), ") + names[reminder]
  }

  /// Closes the accounts: determines the causes of due requests that were not made, and checks that all
  /// counts add up.
  package mutating func close() {
    for trigger in unansweredTriggers?.close() ?? [] { end(trigger) }
    for beyond in CapAudit(caps.scenario, types: caps.types, fires, told: sync.sharedDeliveries).beyond {
      devices[Int(beyond.fire.device)].beyondCaps(beyond.fire.request.reminder)
    }
    for device in devices.indices {
      devices[device].close(statesResponses)
      for index in devices[device].reminders.indices {
        for problem in devices[device].reminders[index].problems {
          contradictions.append("\(name(index, device)): \(problem)")
        }
      }
    }
    for device in devices.indices {
      for kind in PlatformSignal.Kind.allCases {
        for problem in devices[device].signals.account(of: kind).problems {
          note("\(kind.name): \(problem)", device)
        }
      }
    }
    contradictions += app.problems + links.flatMap(\.problems)
    if devices.count > 1 { combined = devices.dropFirst().reduce(into: devices[0]) { $0.add($1) } }
    closedTotal = total
  }
}

/// How a delivered notification was shown to the person.
package enum Exposure: String, Hashable, Sendable, CaseIterable {
  /// Exposed as a banner.
  case banner
  /// Exposed only in the list, because of a focus, provisional permission, a silent channel or the scheduled
  /// summary.
  case list
  /// Hidden until the scheduled summary shows it.
  case held
  /// Hidden, because the app was in the foreground and did not present it, or because the person disabled it.
  case hidden

  package init(_ presentation: Presentation) {
    switch presentation.surface {
    case .banner: self = .banner
    case .list: self = .list
    case .none: self = presentation.isHeld ? .held : .hidden
    }
  }

  /// Whether the person can see the notification and respond.
  package var isExposed: Bool { self == .banner || self == .list }
}

/// The person's response to an exposed notification.
package enum Response: String, Hashable, Sendable, CaseIterable {
  case tapped, dismissed, acted
}

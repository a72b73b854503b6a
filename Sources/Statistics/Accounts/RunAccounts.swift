import DeviceSimulation
package import Journal
import ReminderMatching
import ScenarioModel
package import Simulation
package import TriggerModel

/// Folds the journal of one run, which is of one person, into counts by device, and into the fires and endings
/// that expectations ask about.
///
/// It grows with what is asked for and shown, not with what happens.
package struct RunAccounts: JournalSink, Sendable {
  /// A notification that reached the phone's list or screen.
  package struct Fire: Hashable, Sendable {
    package var request: RequestID
    package var instant: Instant
    package var moment: Moment
    package var exposure: Exposure
    /// For when it was asked for; nil of reminders that nobody asks about.
    package var due: DueTime?
    /// Nil: none.
    package var response: Response?
    package var type: TypeID
    package var bucket: Bucket
    /// Which of the person's devices.
    package var device: UInt8
    /// What its wall clock read when the system delivered it, which a scheduled summary may show later.
    package var delivered: Instant
    /// What it read when the app took it for delivered, and nothing could take it back any more: the system may be
    /// late. Not after ``delivered``.
    package var expected: Instant
  }

  /// Something that ended otherwise, or was put off.
  package struct Ending: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
      case notRequested, denied, deferred, failed, lost
      /// A later plan took its place before its time.
      case replaced
    }

    package var reminder: ReminderID
    package var kind: Kind
    package var reason: Reason
    package var blockers: ReasonSet
    package var failed: ConditionKinds
    package var until: Instant?
    package var instant: Instant
    package var moment: Moment
    /// The request that ended, where there was one.
    package var request: RequestID?
    /// For when the request that ended was asked for; nil where there was none, and of reminders that nobody asks
    /// about.
    package var due: DueTime?
    /// Which of the person's devices.
    package var device: UInt8
  }

  private struct RequestKey: Hashable, Sendable {
    var request: RequestID
    var device: UInt8
  }

  /// By device: what is told apart there. The phone comes first.
  package private(set) var devices: [DeviceAccount]
  package private(set) var fires: [Fire] = []
  package private(set) var endings: [Ending] = []
  package private(set) var observed: [Int] = Array(repeating: 0, count: ObservedEvent.Kind.allCases.count)
  package private(set) var truth: [Int] = Array(repeating: 0, count: ObservedEvent.Kind.allCases.count)
  package private(set) var happened = 0
  /// What the scenario says and what could not happen, or changed nothing, by cause.
  package private(set) var ignored: [String: Int] = [:]
  /// What the scenario's gates ask for besides.
  package private(set) var gateLedger: GateLedger
  /// By ``TriggerModel/LinkID``, as far as links were used.
  package private(set) var links: [LinkAccount] = []
  /// What our app showed, asked and reached by itself.
  package var app: AppAccount
  /// What the devices shared.
  package private(set) var sync = SyncAccount()
  private(set) var optOutLedger: OptOutLedger
  /// By reminder: whether the story says how the person responds to it: see ``PhoneEvent/answered``.
  private var statesResponses: [Bool]
  private let passing = HandedOnByAddress()
  /// The reminders' ids, for what is said of them.
  private let names: [String]
  /// The places' names.
  private var places: [String] = []
  /// Reminders whose matches without a request are kept one by one, not only counted.
  private let keepsMissesOf: Set<ReminderID>
  /// For when their requests were asked for.
  private var dueTimes: [RequestKey: DueTime] = [:]
  /// What deliveries are held against; nil: nobody asks.
  private var caps: (scenario: Scenario, types: [String])?
  /// Nil: nobody asks for them.
  private var spentLooks: SpentLooks?
  /// All devices together, once the run is closed; nil: there is one.
  private var together: DeviceAccount?
  /// Of all reminders, once the run is closed.
  private var sum: ReminderAccount?
  /// What contradicts the accounts, in words; empty in every sound run.
  package private(set) var contradictions: [String] = []

  /// Of a run of a program.
  package init(_ program: Program, keepsMissesOf: Set<ReminderID> = []) {
    let scenario = program.scenario
    let device = DeviceAccount(
      program.reminders, zones: scenario.zones, reading: ReadingLedger(scenario), end: program.end)
    self.init(
      Array(repeating: device, count: program.devices.count), names: scenario.reminders.map(\.declaration.id),
      app: AppAccount(program.app, end: program.end), gateLedger: GateLedger(for: scenario.gates),
      optOutLedger: OptOutLedger(for: scenario), keepsMissesOf)
    places = scenario.places.map(\.name)
    caps = (scenario, program.reminders.names.types)
    // Of a person of a model it is known of everything: what is neither tapped nor dismissed is ignored.
    if scenario.person != nil { statesResponses = statesResponses.map { _ in true } }
    if !keepsMissesOf.isEmpty { spentLooks = SpentLooks(program, of: keepsMissesOf) }
  }

  private init(
    _ devices: [DeviceAccount], names: [String], app: AppAccount, gateLedger: GateLedger,
    optOutLedger: OptOutLedger, _ keepsMissesOf: Set<ReminderID>
  ) {
    self.app = app
    self.gateLedger = gateLedger
    self.optOutLedger = optOutLedger
    self.names = names
    self.devices = devices
    statesResponses = Array(repeating: false, count: devices[0].reminders.count)
    self.keepsMissesOf = keepsMissesOf
  }

  /// By reminder, of all devices.
  package var reminders: [ReminderAccount] { (together ?? devices[0]).reminders }

  /// What the platforms told of what really happened, of all devices.
  package var signs: SignLedger { (together ?? devices[0]).signs }

  package var optOuts: OptOuts { optOutLedger.account }

  /// How much of the run is kept one by one.
  package var kept: Int { fires.count + endings.count + app.entries.count }

  /// The notifications that a person could see.
  package var appeared: [Fire] { fires.filter(\.exposure.isExposed) }

  /// All reminders together.
  ///
  /// - Complexity: O(1) once it is closed
  package var total: ReminderAccount { sum ?? reminders.reduce(into: ReminderAccount()) { $0.add($1) } }

  /// What was due, and what the app could not ask for as it was not told.
  package func untold(_ reminder: ReminderID) -> some Sequence<Untold> {
    devices.lazy.flatMap { $0.untold(reminder) }
  }

  package mutating func record(_ body: JournalRecord.Body, _ stamp: RecordStamp) {
    let device = Int(stamp.device)
    for spent in spentLooks?.take(body, stamp) ?? [] { end(spent) }
    switch body {
    case .happened(let event):
      happened += 1
      if let reminder = event.snoozed { devices[device].snoozed(reminder) }
      // What the story says of responses holds for the whole run, on every device of the person.
      if let reminder = event.answered { statesResponses[reminder.index] = true }
    case .truth(let event):
      if !event.isFoundSo { truth[Int(event.kind.rawValue)] += 1 }
      if !devices[device].happened(event, at: stamp.instant) {
        let verb = event.kind == .regionEntered ? "entered" : "left"
        note("\(places[Int(event.subject)]) is \(verb) twice running", device)
      }
      if event.kind == .tapped { respond(.tapped, to: event.request, stamp) }
      if event.kind == .dismissed { respond(.dismissed, to: event.request, stamp) }
      if event.kind == .acted { respond(.acted, to: event.request, stamp) }
      gateLedger.take(event, at: stamp.instant)
      optOutLedger.happened(event, at: stamp.instant)
    case .observed(let event):
      if !event.isFoundSo { observed[Int(event.kind.rawValue)] += 1 }
      devices[device].told(event, at: stamp.instant)
    case .due(let request, let time, let cause):
      if let reason = devices[device].due(request.reminder, for: time, because: cause, stamp) {
        let due = DueTime(instant: stamp.instant, moment: stamp.moment)
        end(request.reminder, .lost, reason, blockers: ReasonSet(reason), due: due, stamp)
      }
    case .effect(let effect): take(effect, device, stamp)
    case .outcome(let outcome): take(outcome, device, stamp)
    case .link(let link): take(link, device, stamp)
    case .app(let event): app.take(event, stamp)
    // What comes of it really happens.
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

  /// A response is one to a notification that was exposed, and to which there was none.
  private mutating func respond(_ response: Response, to id: RequestID, _ stamp: RecordStamp) {
    statesResponses[id.reminder.index] = true
    devices[Int(stamp.device)].responded(response, to: id.reminder)
    let answered = fires.lastIndex {
      $0.request == id && $0.device == stamp.device && $0.exposure.isExposed && $0.response == nil
    }
    guard let answered else {
      return note("\(id.occurrence) is \(response) and was not to be seen", of: id, Int(stamp.device))
    }
    fires[answered].response = response
  }

  private mutating func take(_ effect: EngineEffect, _ device: Int, _ stamp: RecordStamp) {
    switch effect {
    case .noRequest(let reminder, let reason, let failed):
      devices[device].missed(reminder, reason, failed, at: stamp.instant)
      if keepsMissesOf.contains(reminder) {
        end(reminder, .notRequested, reason, blockers: ReasonSet(reason), failed: failed, stamp)
      }
    case .request(let request):
      let (late, problem) = devices[device].requested(request, stamp)
      keepDueTime(of: request, late, stamp)
      note(problem, device)
    case .decided(let request, let decision): take(request, decision, device, stamp)
    case .dropped(let request, let reason):
      let isReplaced = devices[device].dropped(request, reason, at: stamp.instant)
      end(request.id, isReplaced ? .replaced : .lost, reason, blockers: ReasonSet(reason), stamp)
    case .add, .remove, .withdraw, .monitor, .unmonitor, .watch, .unwatch, .wake, .wakeForRelease, .persist,
      .storeUnusable:
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
      // There may be millions of them; those that nobody asks about are counted only.
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

  /// A notification comes with the scheduled summary, in the list: it was not lost after all.
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
    else { return note("\(id.occurrence) is shown late and was not held", of: id, device) }
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

  /// - Parameter late: What it answers late.
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

  private mutating func end(_ spent: SpentLooks.Spent) {
    end(spent.reminder, .notRequested, spent.reason, blockers: ReasonSet(spent.reason), spent.stamp)
  }

  /// A request of a device goes another way than requests go.
  private mutating func note(_ problem: DeviceAccount.OutOfTurn?, _ device: Int) {
    guard let problem else { return }
    note("\(problem.request.occurrence) becomes \(problem.state) out of turn", of: problem.request, device)
  }

  private mutating func note(_ problem: String, of request: RequestID, _ device: Int) {
    contradictions.append("\(name(request.reminder.index, device)): request \(problem)")
  }

  private mutating func note(_ problem: String, _ device: Int) {
    contradictions.append((device == 0 ? "" : "device \(device), ") + problem)
  }

  private func name(_ reminder: Int, _ device: Int) -> String {
    (device == 0 ? "" : "device \(device), ") + (names.isEmpty ? "reminder \(reminder)" : names[reminder])
  }

  /// Says why requests that were due were not made, and checks that everything adds up.
  package mutating func close() {
    for spent in spentLooks?.close() ?? [] { end(spent) }
    if let caps {
      for beyond in CapAudit(caps.scenario, types: caps.types, fires, told: sync.told).beyond {
        devices[Int(beyond.fire.device)].beyondCaps(beyond.fire.request.reminder)
      }
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
      for kind in Sign.Kind.allCases {
        for problem in devices[device].signs.account(of: kind).problems {
          note("\(kind.name): \(problem)", device)
        }
      }
    }
    contradictions += app.problems + links.flatMap(\.problems)
    if devices.count > 1 { together = devices.dropFirst().reduce(into: devices[0]) { $0.add($1) } }
    sum = total
  }
}

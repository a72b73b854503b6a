package import Journal
package import Simulation
import ScenarioModel
import DeviceSimulation
package import Journal
import ReminderEngine
package import TriggerModel

/// Folds the journal of one run into counts, and into the fires and endings that expectations ask about.
package struct RunAccounts: JournalSink, Sendable {
  /// A notification that reached the phone's list or screen.
  package struct Fire: Hashable, Sendable {
    package var request: RequestID
    package var instant: Instant
    package var moment: Moment
    package var isPresented: Bool
    package var type: TypeID
    package var bucket: Bucket
  }

  /// Something that ended otherwise, or was put off.
  package struct Ending: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
      case notRequested, denied, deferred, failed, lost
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
  }

  package private(set) var reminders: [ReminderAccount]
  package private(set) var fires: [Fire] = []
  package private(set) var endings: [Ending] = []
  package private(set) var observed: [Int] = Array(repeating: 0, count: ObservedEvent.Kind.allCases.count)
  package private(set) var truth: [Int] = Array(repeating: 0, count: ObservedEvent.Kind.allCases.count)
  package private(set) var happened = 0
  /// What the scenario says and what could not happen, or changed nothing, by cause.
  package private(set) var ignored: [String: Int] = [:]
  /// What the platform told of what really happened.
  package private(set) var signs = SignLedger()
  private var dues: DueLedger
  /// What the scenario's gates ask for besides.
  package private(set) var gateLedger: GateLedger
  private var reading: ReadingLedger
  /// By ``TriggerModel/LinkID``, as far as links were used.
  package private(set) var links: [LinkAccount] = []
  /// What our app showed, asked and reached by itself.
  package var app: AppAccount
  private(set) var optOutLedger: OptOutLedger
  /// The reminders' ids, for what is said of them.
  private let names: [String]
  /// Reminders whose matches without a request are kept one by one, not only counted.
  private let keepsMissesOf: Set<ReminderID>
  /// The requests that have not come to an end.
  private var open: [RequestID: OpenRequest] = [:]
  /// What contradicts the accounts, in words; empty in every sound run.
  package private(set) var contradictions: [String] = []

  private enum State {
    case requested, held, admitted, delivered, ended
  }

  private struct OpenRequest {
    var state: State
    var type: TypeID
    var bucket: Bucket
  }

  /// - Parameter names: The reminders' ids; without them they are numbered.
  package init(reminderCount: Int, names: [String] = [], keepsMissesOf: Set<ReminderID> = []) {
    self.init(
      reminderCount: reminderCount, names: names, reading: ReadingLedger(), app: AppAccount(),
      gateLedger: GateLedger(), optOutLedger: OptOutLedger(), keepsMissesOf)
  }

  /// Of a run of a program.
  package init(_ program: Program, keepsMissesOf: Set<ReminderID> = []) {
    let scenario = program.scenario
    self.init(
      reminderCount: program.reminders.reminderCount, names: scenario.reminders.map(\.declaration.id),
      reading: ReadingLedger(scenario), app: AppAccount(program.app, end: program.end),
      gateLedger: GateLedger(for: scenario.gates), optOutLedger: OptOutLedger(for: scenario),
      keepsMissesOf)
  }

  private init(
    reminderCount: Int, names: [String], reading: ReadingLedger, app: AppAccount, gateLedger: GateLedger,
    optOutLedger: OptOutLedger, _ keepsMissesOf: Set<ReminderID>
  ) {
    self.app = app
    self.gateLedger = gateLedger
    self.optOutLedger = optOutLedger
    self.names = names
    self.reading = reading
    reminders = Array(repeating: ReminderAccount(), count: reminderCount)
    self.keepsMissesOf = keepsMissesOf
    dues = DueLedger(reminderCount: reminderCount)
  }

  package var optOuts: OptOuts { optOutLedger.account }

  /// The notifications that a person could see come up.
  package var appeared: [Fire] { fires.filter(\.isPresented) }

  /// All reminders together.
  package var total: ReminderAccount { reminders.reduce(into: ReminderAccount()) { $0.add($1) } }

  /// What was due in a stretch of time, and what the app could not ask for as it was not told.
  package func untold(_ reminder: ReminderID, in range: Range<Instant>) -> [Untold] {
    dues.untold(reminder, in: range, signs)
  }

  package mutating func record(_ body: JournalRecord.Body, _ stamp: RecordStamp) {
    switch body {
    case .happened: happened += 1
    case .truth(let event):
      truth[Int(event.kind.rawValue)] += 1
      signs.happened(event, at: stamp.instant)
      gateLedger.take(event, at: stamp.instant)
      optOutLedger.happened(event, at: stamp.instant)
    case .observed(let event):
      signs.told(event, at: stamp.instant)
      take(event)
    case .due(let request, let cause):
      reminders[request.reminder.index].dueRequests += 1
      dues.due(
        request.reminder, at: stamp.instant, stamp.moment, because: cause, told: signs.last(like: cause),
        isBlind: reading.isBlind(request.reminder))
    case .effect(let effect): take(effect, stamp)
    case .outcome(let outcome): take(outcome, stamp)
    case .link(let link): take(link, stamp)
    case .app(let event): app.take(event, stamp)
    }
  }

  package static var wantsEveryFix: Bool { false }

  package mutating func passed(fixes: Int) { happened += fixes }

  private mutating func take(_ event: ObservedEvent) {
    observed[Int(event.kind.rawValue)] += 1
    switch event.kind {
    case .tapped: reminders[event.request.reminder.index].tapped += 1
    case .dismissed: reminders[event.request.reminder.index].dismissed += 1
    default: break
    }
  }

  private mutating func take(_ effect: EngineEffect, _ stamp: RecordStamp) {
    switch effect {
    case .noRequest(let reminder, let reason, let failed):
      reminders[reminder.index].matches += 1
      reminders[reminder.index].noRequest[reason] += 1
      if reason != .conditionFailed { dues.declined(reminder, at: stamp.instant, reason) }
      for kind in ConditionKinds.allNames.indices where failed.rawValue >> UInt8(kind) & 1 == 1 {
        reminders[reminder.index].failedKinds[kind] += 1
      }
      if keepsMissesOf.contains(reminder) {
        end(reminder, .notRequested, reason, blockers: ReasonSet(reason), failed: failed, stamp)
      }
    case .request(let request):
      reminders[request.id.reminder.index].matches += 1
      reminders[request.id.reminder.index].requests += 1
      dues.requested(
        request.id.reminder, at: stamp.instant, isBlind: reading.isBlind(request.id.reminder))
      expect(request.id, in: nil, before: .requested)
      open[request.id] = OpenRequest(state: .requested, type: request.type, bucket: request.bucket)
    case .decided(let request, let decision): take(request.id, decision, stamp)
    case .dropped(let request, let reason):
      let reminder = request.id.reminder
      if open.removeValue(forKey: request.id)?.state == .held { reminders[reminder.index].held -= 1 }
      reminders[reminder.index].dropped[reason] += 1
      end(reminder, .lost, reason, blockers: ReasonSet(reason), stamp)
    default: break
    }
  }

  private mutating func take(_ id: RequestID, _ decision: Decision, _ stamp: RecordStamp) {
    let index = id.reminder.index
    if open[id]?.state == .held { reminders[index].held -= 1 }
    let reason = decision.reason ?? .addFailed
    switch decision.outcome {
    case .admit:
      reminders[index].admitted += 1
      open[id]?.state = .admitted
    case .deny:
      reminders[index].denied[reason] += 1
      for blocker in Reason.allCases where decision.blockers.contains(blocker) {
        reminders[index].blockedBy[blocker] += 1
      }
      open[id] = nil
      // There may be millions of them; those that nobody asks about are counted only.
      if keepsMissesOf.contains(id.reminder) {
        end(id.reminder, .denied, reason, blockers: decision.blockers, stamp)
      }
    case .defer:
      reminders[index].held += 1
      reminders[index].deferrals += 1
      open[id]?.state = .held
      end(id.reminder, .deferred, reason, blockers: decision.blockers, until: decision.until, stamp)
    case .fail:
      reminders[index].failed += 1
      open[id] = nil
      end(id.reminder, .failed, reason, blockers: decision.blockers, stamp)
    }
  }

  private mutating func take(_ outcome: PhoneOutcome, _ stamp: RecordStamp) {
    signs.take(outcome)
    reading.take(outcome)
    switch outcome {
    case .refused(let id, let reason):
      // The system did not take what the scheduler had admitted.
      reminders[id.reminder.index].admitted -= 1
      reminders[id.reminder.index].failed += 1
      finish(id, as: .ended)
      end(id.reminder, .failed, reason, blockers: ReasonSet(reason), stamp)
    case .removed(let id, let reason):
      reminders[id.reminder.index].lost[reason] += 1
      finish(id, as: .ended)
      end(id.reminder, .lost, reason, blockers: ReasonSet(reason), stamp)
    case .delivered(let id, let presentation):
      reminders[id.reminder.index].delivered += 1
      if presentation.isPresented {
        reminders[id.reminder.index].presented += 1
        app.presented(id.reminder, at: stamp.instant)
      }
      let request = finish(id, as: .delivered)
      fires.append(
        Fire(
          request: id, instant: stamp.instant, moment: stamp.moment, isPresented: presentation.isPresented,
          type: request?.type ?? TypeID(0), bucket: request?.bucket ?? .standard))
      if !presentation.isPresented {
        end(id.reminder, .lost, .notPresented, blockers: ReasonSet(.notPresented), of: id, stamp)
      }
    case .presentedLate(let id, _):
      reminders[id.reminder.index].presented += 1
      app.presented(id.reminder, at: stamp.instant)
      // It was not lost after all.
      if let index = endings.lastIndex(where: { $0.request == id && $0.reason == .notPresented }) {
        endings.remove(at: index)
      }
      if let index = fires.lastIndex(where: { $0.request == id }) {
        var late = fires.remove(at: index)
        (late.instant, late.moment, late.isPresented) = (stamp.instant, stamp.moment, true)
        fires.append(late)
      }
    case .ignored(let cause): ignored[cause.name, default: 0] += 1
    default: break
    }
  }

  private mutating func take(_ link: LinkRecord, _ stamp: RecordStamp) {
    while links.count <= link.link.index { links.append(LinkAccount()) }
    links[link.link.index].take(link)
    guard let reminder = link.request?.reminder else { return }
    reminders[reminder.index].links.take(link)
    if case .failed(let reason) = link.step, !link.isRepeat {
      end(reminder, .lost, reason, blockers: ReasonSet(reason), stamp)
    }
  }

  private func name(_ reminder: Int) -> String { names.isEmpty ? "reminder \(reminder)" : names[reminder] }

  /// An admitted request comes to its end.
  @discardableResult
  private mutating func finish(_ id: RequestID, as state: State) -> OpenRequest? {
    expect(id, in: .admitted, before: state)
    return open.removeValue(forKey: id)
  }

  private mutating func expect(_ id: RequestID, in expected: State?, before state: State) {
    if open[id]?.state != expected {
      contradictions.append(
        "\(name(id.reminder.index)): request \(id.occurrence) becomes \(state) out of turn")
    }
  }

  private mutating func end(
    _ reminder: ReminderID, _ kind: Ending.Kind, _ reason: Reason, blockers: ReasonSet,
    failed: ConditionKinds = [], until: Instant? = nil, of request: RequestID? = nil, _ stamp: RecordStamp
  ) {
    endings.append(
      Ending(
        reminder: reminder, kind: kind, reason: reason, blockers: blockers, failed: failed, until: until,
        instant: stamp.instant, moment: stamp.moment, request: request))
  }

  /// Says why requests that were due were not made, and checks that everything adds up.
  package mutating func close() {
    for index in reminders.indices {
      reminders[index].notObserved = dues.unanswered(ReminderID(index), signs)
      let unfounded = dues.unfounded(ReminderID(index))
      reminders[index].unfounded = unfounded.count
      if unfounded.blind > 0 {
        reminders[index].unfoundedBecause = [MissCause.readingDenied.name: unfounded.blind]
      }
      let account = reminders[index]
      let ends =
        account.admitted + account.denied.total + account.failed + account.dropped.total + account.held
      if account.requests != ends {
        contradictions.append("\(name(index)): requests: \(account.requests), but ends: \(ends)")
      }
      if account.matches != account.requests + account.noRequest.total {
        contradictions.append("\(name(index)): its matches, \(account.matches), do not add up")
      }
      let answered = account.dueRequests - account.notObserved.values.reduce(0, +)
      if account.requests != answered + account.unfounded {
        contradictions.append("\(name(index)): requests do not add up with those that were due")
      }
      if account.pending < 0 {
        contradictions.append("\(name(index)): more delivered and lost than admitted")
      }
      let links = account.links
      if links.attempted > account.tapped || links.routed + links.lost.total > links.attempted {
        contradictions.append("\(name(index)): the ways of \(account.tapped) taps do not add up")
      }
    }
  }
}

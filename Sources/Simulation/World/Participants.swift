import Journal
import ScenarioModel
import TriggerModel

/// The participants of a device, in the order in which they receive records.
///
/// To add a participant, declare a ``ParticipantID`` and a property. Then add it to each function that lists
/// all participants: `init`, `listen`, `deliver`, `notify` and `pack`. Each participant is boxed, because
/// most devices lack most participants.
struct Participants: Sendable {
  /// The engine on the truth track, or `nil` if the run omits it.
  var groundTruth: Boxed<GroundTruthEngine>?
  /// The reference for an engine under test that is not the built-in one; otherwise, `nil`.
  var reference: Boxed<ReferenceEngine>?
  /// The link handling, or `nil` if routing is not modelled.
  var links: Boxed<LinkDelivery>?
  /// The limit on active reminders, or `nil` if there is none.
  var limit: Boxed<ReminderLimitEnforcer>?
  /// The facts about places, or `nil` if the scenario mentions none.
  var places: Boxed<PlaceFacts>?
  /// The batch and notification actions, or `nil` if the scenario declares none.
  var lists: Boxed<AppListActions>?
  /// The app's behaviour apart from notifications, or `nil` if the run omits it.
  var app: Boxed<SimulatedApp>?
  /// The person model, or `nil` if responses come only from the time line.
  var person: Boxed<ModelledPerson>?
  /// The observer that collects events for the sync service, or `nil` if the devices share nothing.
  var sync: Boxed<SyncObserver>?

  /// - Parameter isBuiltIn: Whether the built-in engine is under test. It needs no reference.
  init(_ program: Program, device: Int, person number: UInt64, _ scope: RunScope, isBuiltIn: Bool) {
    limit = program.app.reminderLimit.map { Boxed(ReminderLimitEnforcer($0)) }
    places = PlaceFacts(program.scenario).map { Boxed($0) }
    lists = AppListActions(program).map { Boxed($0) }
    // None of these participants affects the phone.
    if scope == .everything {
      groundTruth = Boxed(GroundTruthEngine(program, device: device))
      if !isBuiltIn { reference = Boxed(ReferenceEngine(program, device: device)) }
      links = program.links.map { Boxed(LinkDelivery($0)) }
      app = Boxed(SimulatedApp(program, device: device))
    }
    person = program.person.map { Boxed(ModelledPerson($0, person: number, device: device, program)) }
    sync = program.scenario.sync.map { _ in Boxed(SyncObserver(program.scenario)) }
  }

  /// Whether a participant needs nearly all records.
  var needEverything: Bool { groundTruth != nil || links != nil || app != nil }

  /// Returns whether any participant needs a record.
  @inline(__always)
  func listen(to body: JournalRecord.Body) -> Bool {
    Self.listens(groundTruth, to: body) || Self.listens(reference, to: body) || Self.listens(links, to: body)
      || Self.listens(limit, to: body) || Self.listens(places, to: body) || Self.listens(app, to: body)
      || Self.listens(lists, to: body) || Self.listens(person, to: body)
      || Self.listens(sync, to: body)
  }

  /// The kinds of truth-track events that any participant currently needs.
  var truthKinds: EventKinds {
    if needEverything { return .all }
    return person?.value.truthKinds ?? EventKinds()
  }

  /// Returns whether any participant handles a notice.
  @inline(__always)
  func handle(_ notice: Notice) -> Bool {
    switch notice {
    case .answers, .evaluated, .settled: groundTruth != nil
    case .decided: reference != nil
    case .begin, .timer: true
    }
  }

  /// Whether matches on the truth track are waiting for decisions of the engine under test.
  @inline(__always)
  var isHolding: Bool {
    mutating get { groundTruth?.value.isHolding ?? false }
  }

  /// Returns whether the truth track must settle its pending matches before an event.
  @inline(__always)
  mutating func mustSettle(before event: ObservedEvent) -> Bool {
    groundTruth?.value.isUnaffected(by: event) == false
  }

  /// Delivers a record to the participants that need it, in order.
  mutating func deliver(_ body: JournalRecord.Body, _ situation: Situation, into replies: inout Replies) {
    Self.deliver(body, .groundTruth, &groundTruth, situation, into: &replies)
    Self.deliver(body, .reference, &reference, situation, into: &replies)
    Self.deliver(body, .links, &links, situation, into: &replies)
    Self.deliver(body, .limit, &limit, situation, into: &replies)
    Self.deliver(body, .places, &places, situation, into: &replies)
    Self.deliver(body, .lists, &lists, situation, into: &replies)
    Self.deliver(body, .app, &app, situation, into: &replies)
    Self.deliver(body, .person, &person, situation, into: &replies)
    Self.deliver(body, .sync, &sync, situation, into: &replies)
  }

  /// Passes a notice to every participant in order.
  mutating func notify(_ notice: Notice, _ situation: Situation, into replies: inout Replies) {
    Self.notify(notice, .groundTruth, &groundTruth, situation, into: &replies)
    Self.notify(notice, .reference, &reference, situation, into: &replies)
    Self.notify(notice, .links, &links, situation, into: &replies)
    Self.notify(notice, .limit, &limit, situation, into: &replies)
    Self.notify(notice, .places, &places, situation, into: &replies)
    Self.notify(notice, .lists, &lists, situation, into: &replies)
    Self.notify(notice, .app, &app, situation, into: &replies)
    Self.notify(notice, .person, &person, situation, into: &replies)
    Self.notify(notice, .sync, &sync, situation, into: &replies)
  }

  /// Applies a counted denial of the engine to the truth track.
  ///
  /// - Returns: The bits of the reminders that were due.
  mutating func denied(
    _ counted: CountedReminders, _ situation: Situation, into replies: inout Replies
  ) -> UInt64 {
    replies.participant = .groundTruth
    return groundTruth?.value.denied(counted, situation, into: &replies) ?? 0
  }

  /// A notice that participants receive in addition to records.
  enum Notice {
    case begin
    case answers([EngineEffect])
    /// The engine is about to report how it evaluated the reminder's trigger. Counted reminders cause no such
    /// notice.
    case evaluated(ReminderID)
    /// The engine has decided everything that it has observed so far at this instant.
    case settled
    /// The engine has decided everything for this instant.
    case decided
    case timer(ParticipantID, subject: UInt32)
  }

  @inline(__always)
  private static func listens<Part: Participant>(
    _ participant: Boxed<Part>?, to body: JournalRecord.Body
  ) -> Bool {
    participant != nil && Part.listens(to: body)
  }

  @inline(__always)
  private static func deliver<Part: Participant>(
    _ body: JournalRecord.Body, _ id: ParticipantID, _ participant: inout Boxed<Part>?,
    _ situation: Situation, into replies: inout Replies
  ) {
    guard participant != nil, Part.listens(to: body) else { return }
    replies.participant = id
    participant?.value.deliver(body, situation, into: &replies)
  }

  @inline(__always)
  private static func notify(
    _ notice: Notice, _ id: ParticipantID, _ participant: inout Boxed<some Participant>?,
    _ situation: Situation, into replies: inout Replies
  ) {
    if participant == nil { return }
    replies.participant = id
    switch notice {
    case .begin: participant?.value.begin(situation, into: &replies)
    case .evaluated(let reminder): participant?.value.evaluated(reminder, situation, into: &replies)
    case .settled: participant?.value.settled(situation, into: &replies)
    case .decided: participant?.value.decided(situation, into: &replies)
    case .answers(let effects): participant?.value.answered(effects, situation, into: &replies)
    case .timer(let called, let subject):
      if called == id { participant?.value.timerFired(subject, situation, into: &replies) }
    }
  }
}

/// Packs only the person, and keeps the other participants unpacked.
extension Participants: Packable {
  mutating func pack(in parcel: inout Parcel) {
    person?.value.pack(in: &parcel)
    parcel.keep(&groundTruth, unless: groundTruth == nil)
    parcel.keep(&reference, unless: reference == nil)
    parcel.keep(&links, unless: links == nil)
    parcel.keep(&limit, unless: limit == nil)
    parcel.keep(&places, unless: places == nil)
    parcel.keep(&lists, unless: lists == nil)
    parcel.keep(&app, unless: app == nil)
    parcel.keep(&sync, unless: sync == nil)
  }
}

/// The observer does not reply, because all devices share the sync service.
extension SyncObserver: Participant {
  mutating func deliver(
    _ body: JournalRecord.Body, _ situation: Situation, into replies: inout Replies
  ) {
    observe(body, at: situation.moment, isPhoneOn: situation.isPhoneOn)
  }
}

extension EngineEffect {
  /// The reminder whose evaluation the effect reports, or `nil` for other effects.
  var evaluatedReminder: ReminderID? {
    switch self {
    case .request(let request): request.id.reminder
    case .noRequest(let reminder, _, _): reminder
    default: nil
    }
  }
}

/// A value in a heap allocation. An absent value takes only the size of a reference, and moving or testing it
/// is cheap.
///
/// `Boxed` has value semantics: copies share the storage until one of them changes it.
struct Boxed<Value: Sendable>: Sendable {
  /// An array with exactly one element, used as a copy-on-write box.
  private var storage: [Value]

  init(_ value: Value) { storage = [value] }

  var value: Value {
    @inline(__always) _read { yield storage[0] }
    @inline(__always) _modify { yield &storage[0] }
  }
}

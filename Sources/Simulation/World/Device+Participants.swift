import ScenarioPrograms
package import Journal
import ScenarioModel
package import SyncService
package import TriggerModel

/// The participants of a device: all of their wiring. To add one, give it a ``ParticipantID``, a place among the
/// properties, and its turn in the four functions that name them all.
struct Participants: Sendable {
  /// Nil: nobody asks what should have been.
  var groundTruth: GroundTruthEngine?
  /// Nil: where a tap leads is not modelled.
  var links: LinkDelivery?
  /// Which reminders have a place in the plan; nil: every one has.
  var room: ReminderPlaces?
  /// Nil: nothing is done to several things at once.
  var lists: AppLists?
  /// What our app does beside its notifications; nil: nobody asks.
  var app: SimulatedApp?
  /// Nil: only the time line says what the person does.
  var person: ModelledPerson?
  /// Nil: the person's devices share nothing.
  var sync: SyncEar?

  // To ask a large optional whether it is nil copies it.
  let hasGroundTruth: Bool
  private let hasLinks: Bool
  private let hasRoom: Bool
  private let hasLists: Bool
  private let hasApp: Bool
  private let hasPerson: Bool
  private let hasSync: Bool

  init(_ program: Program, device: Int, person number: UInt64, _ scope: RunScope) {
    room = program.app.room.map { ReminderPlaces($0) }
    hasRoom = program.app.room != nil
    lists = AppLists(program)
    hasLists = lists != nil
    // None of these acts on the phone.
    if scope == .everything {
      groundTruth = GroundTruthEngine(program)
      links = program.links.map { LinkDelivery($0) }
      app = SimulatedApp(program, device: device)
    }
    person = program.person.map {
      ModelledPerson($0, person: number, device: device, program)
    }
    (hasGroundTruth, hasApp) = (scope == .everything, scope == .everything)
    hasLinks = scope == .everything && program.links != nil
    hasPerson = program.person != nil
    sync = program.scenario.sync.map { _ in SyncEar(program.scenario) }
    hasSync = program.scenario.sync != nil
  }

  /// Whether there are some that listen to nearly all that happens.
  var hearEverything: Bool { hasGroundTruth || hasLinks || hasApp }

  /// Whether any of them listens to it.
  @inline(__always)
  func listen(to body: JournalRecord.Body) -> Bool {
    hasGroundTruth && GroundTruthEngine.listens(to: body) || hasLinks && LinkDelivery.listens(to: body)
      || hasRoom && ReminderPlaces.listens(to: body) || hasApp && SimulatedApp.listens(to: body)
      || hasLists && AppLists.listens(to: body)
      || hasPerson && ModelledPerson.listens(to: body) || hasSync && SyncEar.listens(to: body)
  }

  /// The kinds of what really happens that any of them listens to now.
  var truthKinds: EventKinds {
    // In place: the optional is large.
    mutating get {
      if hearEverything { return .all }
      return hasPerson ? person?.truthKinds ?? .all : EventKinds()
    }
  }

  /// Whether any of them makes something of it.
  @inline(__always)
  func areTold(_ news: News) -> Bool {
    switch news {
    case .answers, .lookedAt, .settled: hasGroundTruth
    case .begin, .timer: true
    }
  }

  /// The truth track waits for what the engine under test says.
  @inline(__always)
  var isHolding: Bool {
    // In place: the optional is large.
    mutating get { hasGroundTruth && groundTruth?.isHolding ?? false }
  }

  /// What the truth track waits for is not to be said of an event.
  @inline(__always)
  mutating func mustSettle(before event: ObservedEvent) -> Bool {
    hasGroundTruth && groundTruth?.holdsBeside(event) == false
  }

  /// Tells those that listen to a record, in their turn.
  mutating func deliver(_ body: JournalRecord.Body, _ situation: Situation, into replies: inout Replies) {
    if hasGroundTruth { Self.deliver(body, .groundTruth, &groundTruth, situation, into: &replies) }
    if hasLinks { Self.deliver(body, .links, &links, situation, into: &replies) }
    if hasRoom { Self.deliver(body, .room, &room, situation, into: &replies) }
    if hasLists { Self.deliver(body, .lists, &lists, situation, into: &replies) }
    if hasApp { Self.deliver(body, .app, &app, situation, into: &replies) }
    if hasPerson { Self.deliver(body, .person, &person, situation, into: &replies) }
    if hasSync { Self.deliver(body, .sync, &sync, situation, into: &replies) }
  }

  /// Tells every participant in its turn.
  mutating func tell(_ news: News, _ situation: Situation, into replies: inout Replies) {
    if hasGroundTruth { Self.tell(news, .groundTruth, &groundTruth, situation, into: &replies) }
    if hasLinks { Self.tell(news, .links, &links, situation, into: &replies) }
    if hasRoom { Self.tell(news, .room, &room, situation, into: &replies) }
    if hasApp { Self.tell(news, .app, &app, situation, into: &replies) }
    if hasPerson { Self.tell(news, .person, &person, situation, into: &replies) }
  }

  /// The engine was denied alike what it asked for.
  /// - Returns: Those of the bits that were due.
  mutating func denied(
    _ counted: CountedReminders, _ situation: Situation, into replies: inout Replies
  ) -> UInt64 {
    replies.participant = .groundTruth
    return groundTruth?.denied(counted, situation, into: &replies) ?? 0
  }

  /// What a participant is told beside records.
  enum News {
    case begin
    case answers([EngineEffect])
    /// The engine tells that a reminder saw its trigger: alone, and not as one of many alike.
    case lookedAt(ReminderID)
    /// All of this instant is decided on, as far as the engine was told of it.
    case settled
    case timer(ParticipantID, subject: UInt32)
  }

  @inline(__always)
  private static func deliver<Told: Participant>(
    _ body: JournalRecord.Body, _ id: ParticipantID, _ participant: inout Told, _ situation: Situation,
    into replies: inout Replies
  ) {
    guard Told.listens(to: body) else { return }
    replies.participant = id
    participant.deliver(body, situation, into: &replies)
  }

  @inline(__always)
  private static func tell(
    _ news: News, _ id: ParticipantID, _ participant: inout some Participant, _ situation: Situation,
    into replies: inout Replies
  ) {
    replies.participant = id
    switch news {
    case .begin: participant.begin(situation, into: &replies)
    case .lookedAt(let reminder): participant.lookedAt(reminder, situation, into: &replies)
    case .settled: participant.settled(situation, into: &replies)
    case .answers(let effects): participant.answered(effects, situation, into: &replies)
    case .timer(let called, let subject):
      if called == id { participant.timerFired(subject, situation, into: &replies) }
    }
  }
}

/// It hears, and answers nothing: the service stands beside the devices.
extension SyncEar: Participant {
  package mutating func deliver(
    _ body: JournalRecord.Body, _ situation: Situation, into replies: inout Replies
  ) {
    hear(body, at: situation.moment, isPhoneOn: situation.isPhoneOn)
  }
}

/// A participant that a device may be without.
extension Optional: Participant where Wrapped: Participant {
  package static func listens(to body: JournalRecord.Body) -> Bool { Wrapped.listens(to: body) }

  package mutating func begin(_ situation: Situation, into replies: inout Replies) {
    self?.begin(situation, into: &replies)
  }

  package mutating func deliver(
    _ body: JournalRecord.Body, _ situation: Situation, into replies: inout Replies
  ) {
    self?.deliver(body, situation, into: &replies)
  }

  package mutating func answered(
    _ effects: [EngineEffect], _ situation: Situation, into replies: inout Replies
  ) {
    self?.answered(effects, situation, into: &replies)
  }

  package mutating func lookedAt(
    _ reminder: ReminderID, _ situation: Situation, into replies: inout Replies
  ) {
    self?.lookedAt(reminder, situation, into: &replies)
  }

  package mutating func settled(_ situation: Situation, into replies: inout Replies) {
    self?.settled(situation, into: &replies)
  }

  package mutating func timerFired(_ subject: UInt32, _ situation: Situation, into replies: inout Replies) {
    self?.timerFired(subject, situation, into: &replies)
  }
}

extension EngineEffect {
  /// The reminder that saw its trigger, where each is told of.
  var lookedAt: ReminderID? {
    switch self {
    case .request(let request): request.id.reminder
    case .noRequest(let reminder, _, _): reminder
    default: nil
    }
  }
}

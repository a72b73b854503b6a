package import Journal
import ScenarioModel
import TriggerModel

/// The participants of a device: all of their wiring. To add one, give it a ``ParticipantID``, a place among the
/// properties, and its turn in each function below that names them all: `init`, `listen`, `deliver`, `tell` and `pack`.
///
/// Most devices are without most of them, so each is behind a reference.
struct Participants: Sendable {
  /// Nil: nobody asks what should have been.
  var groundTruth: Boxed<GroundTruthEngine>?
  /// Nil: where a tap leads is not modelled.
  var links: Boxed<LinkDelivery>?
  /// Which reminders have a place in the plan; nil: every one has.
  var room: Boxed<ReminderPlaces>?
  /// Nil: nothing is done to several things at once.
  var lists: Boxed<AppLists>?
  /// What our app does beside its notifications; nil: nobody asks.
  var app: Boxed<SimulatedApp>?
  /// Nil: only the time line says what the person does.
  var person: Boxed<ModelledPerson>?
  /// Nil: the person's devices share nothing.
  var sync: Boxed<SyncEar>?

  init(_ program: Program, device: Int, person number: UInt64, _ scope: RunScope) {
    room = program.app.room.map { Boxed(ReminderPlaces($0)) }
    lists = AppLists(program).map { Boxed($0) }
    // None of these acts on the phone.
    if scope == .everything {
      groundTruth = Boxed(GroundTruthEngine(program, device: device))
      links = program.links.map { Boxed(LinkDelivery($0)) }
      app = Boxed(SimulatedApp(program, device: device))
    }
    person = program.person.map { Boxed(ModelledPerson($0, person: number, device: device, program)) }
    sync = program.scenario.sync.map { _ in Boxed(SyncEar(program.scenario)) }
  }

  /// Whether there are some that listen to nearly all that happens.
  var hearEverything: Bool { groundTruth != nil || links != nil || app != nil }

  /// Whether any of them listens to it.
  @inline(__always)
  func listen(to body: JournalRecord.Body) -> Bool {
    Self.does(groundTruth, listenTo: body) || Self.does(links, listenTo: body)
      || Self.does(room, listenTo: body) || Self.does(app, listenTo: body)
      || Self.does(lists, listenTo: body) || Self.does(person, listenTo: body)
      || Self.does(sync, listenTo: body)
  }

  /// The kinds of what really happens that any of them listens to now.
  var truthKinds: EventKinds {
    if hearEverything { return .all }
    return person?.value.truthKinds ?? EventKinds()
  }

  /// Whether any of them makes something of it.
  @inline(__always)
  func areTold(_ news: News) -> Bool {
    switch news {
    case .answers, .lookedAt, .settled: groundTruth != nil
    case .begin, .timer: true
    }
  }

  /// The truth track waits for what the engine under test says.
  @inline(__always)
  var isHolding: Bool {
    mutating get { groundTruth?.value.isHolding ?? false }
  }

  /// What the truth track waits for is not to be said of an event.
  @inline(__always)
  mutating func mustSettle(before event: ObservedEvent) -> Bool {
    groundTruth?.value.holdsBeside(event) == false
  }

  /// Tells those that listen to a record, in their turn.
  mutating func deliver(_ body: JournalRecord.Body, _ situation: Situation, into replies: inout Replies) {
    Self.deliver(body, .groundTruth, &groundTruth, situation, into: &replies)
    Self.deliver(body, .links, &links, situation, into: &replies)
    Self.deliver(body, .room, &room, situation, into: &replies)
    Self.deliver(body, .lists, &lists, situation, into: &replies)
    Self.deliver(body, .app, &app, situation, into: &replies)
    Self.deliver(body, .person, &person, situation, into: &replies)
    Self.deliver(body, .sync, &sync, situation, into: &replies)
  }

  /// Tells every participant in its turn.
  mutating func tell(_ news: News, _ situation: Situation, into replies: inout Replies) {
    Self.tell(news, .groundTruth, &groundTruth, situation, into: &replies)
    Self.tell(news, .links, &links, situation, into: &replies)
    Self.tell(news, .room, &room, situation, into: &replies)
    Self.tell(news, .lists, &lists, situation, into: &replies)
    Self.tell(news, .app, &app, situation, into: &replies)
    Self.tell(news, .person, &person, situation, into: &replies)
    Self.tell(news, .sync, &sync, situation, into: &replies)
  }

  /// The engine was denied alike what it asked for.
  /// - Returns: Those of the bits that were due.
  mutating func denied(
    _ counted: CountedReminders, _ situation: Situation, into replies: inout Replies
  ) -> UInt64 {
    replies.participant = .groundTruth
    return groundTruth?.value.denied(counted, situation, into: &replies) ?? 0
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
  private static func does<Told: Participant>(
    _ participant: Boxed<Told>?, listenTo body: JournalRecord.Body
  ) -> Bool {
    participant != nil && Told.listens(to: body)
  }

  @inline(__always)
  private static func deliver<Told: Participant>(
    _ body: JournalRecord.Body, _ id: ParticipantID, _ participant: inout Boxed<Told>?,
    _ situation: Situation, into replies: inout Replies
  ) {
    guard participant != nil, Told.listens(to: body) else { return }
    replies.participant = id
    participant?.value.deliver(body, situation, into: &replies)
  }

  @inline(__always)
  private static func tell(
    _ news: News, _ id: ParticipantID, _ participant: inout Boxed<some Participant>?,
    _ situation: Situation, into replies: inout Replies
  ) {
    if participant == nil { return }
    replies.participant = id
    switch news {
    case .begin: participant?.value.begin(situation, into: &replies)
    case .lookedAt(let reminder): participant?.value.lookedAt(reminder, situation, into: &replies)
    case .settled: participant?.value.settled(situation, into: &replies)
    case .answers(let effects): participant?.value.answered(effects, situation, into: &replies)
    case .timer(let called, let subject):
      if called == id { participant?.value.timerFired(subject, situation, into: &replies) }
    }
  }
}

/// The person is packed. The others are there only where a report is made of a run, and stay as they are.
extension Participants: Packable {
  mutating func pack(in parcel: inout Parcel) {
    person?.value.pack(in: &parcel)
    parcel.keep(&groundTruth, unless: groundTruth == nil)
    parcel.keep(&links, unless: links == nil)
    parcel.keep(&room, unless: room == nil)
    parcel.keep(&lists, unless: lists == nil)
    parcel.keep(&app, unless: app == nil)
    parcel.keep(&sync, unless: sync == nil)
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

package import Journal
package import TriggerModel

/// Names a participant of a device in a timer.
package enum ParticipantID: UInt8, Sendable, BitwiseCopyable {
  case groundTruth, links, app
}

/// The participants of a device: all of their wiring. To add one, give it a name above, a place among the
/// properties, and its turn in ``tell(_:_:into:)``.
struct Participants: Sendable {
  var groundTruth: GroundTruthEngine
  /// Nil: where a tap leads is not modelled.
  var links: LinkDelivery?
  /// What our app does beside its notifications.
  var app: SimulatedApp

  init(_ program: Program, device: Int) {
    groundTruth = GroundTruthEngine(program)
    links = program.links.map { LinkDelivery($0) }
    app = program.makeApp(device: device)
  }

  /// Tells every participant in its turn.
  mutating func tell(_ news: News, _ situation: Situation, into replies: inout Replies) {
    Self.tell(news, .groundTruth, &groundTruth, situation, into: &replies)
    Self.tell(news, .links, &links, situation, into: &replies)
    Self.tell(news, .app, &app, situation, into: &replies)
  }

  /// What a participant is called for.
  enum News {
    case begin
    case happened(JournalRecord.Body)
    case answers([EngineEffect])
    case timer(ParticipantID, subject: UInt32)
  }

  @inline(__always)
  private static func tell(
    _ news: News, _ id: ParticipantID, _ participant: inout some Participant, _ situation: Situation,
    into replies: inout Replies
  ) {
    replies.participant = id
    switch news {
    case .begin: participant.begin(situation, into: &replies)
    case .happened(let body): participant.deliver(body, situation, into: &replies)
    case .answers(let effects): participant.answered(effects, situation, into: &replies)
    case .timer(let called, let subject):
      if called == id { participant.timerFired(subject, situation, into: &replies) }
    }
  }
}

/// A participant that a device may be without.
extension Optional: Participant where Wrapped: Participant {
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

  package mutating func timerFired(_ subject: UInt32, _ situation: Situation, into replies: inout Replies) {
    self?.timerFired(subject, situation, into: &replies)
  }
}

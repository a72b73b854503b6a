package import Journal
import DeviceSimulation
import ReminderEngine
package import TriggerModel

/// The reminder engine on the truth track: told what really happens, at once and of everything, it shows
/// what should have been asked for.
package struct GroundTruthEngine: Participant {
  private var engine: ReminderEngine
  private var effects: [EngineEffect] = []

  package init(_ program: Program) {
    engine = program.makeReminderEngine(explainsMisses: false)
  }

  package static func listens(to body: JournalRecord.Body) -> Bool {
    switch body {
    case .truth, .outcome: true
    case .happened, .observed, .effect, .due, .link, .app: false
    }
  }

  package mutating func begin(_ situation: Situation, into replies: inout Replies) {
    process(ObservedEvent(.launched, at: situation.moment), situation, into: &replies)
  }

  package mutating func deliver(
    _ body: JournalRecord.Body, _ situation: Situation, into replies: inout Replies
  ) {
    switch body {
    case .truth(let event): process(event, situation, into: &replies)
    // It learns of deliveries, so that it too hands over the occurrences that come after them.
    case .outcome(.delivered(let id, _)):
      process(
        ObservedEvent(.delivered, subject: id.reminder.rawValue, at: situation.moment), situation,
        into: &replies)
    case .outcome(.refused(let id, _)): refused(id, situation, into: &replies)
    default: break
    }
  }

  /// A wish to be woken, which truth grants exactly. One that was taken back does no harm.
  package mutating func timerFired(_ subject: UInt32, _ situation: Situation, into replies: inout Replies) {
    process(ObservedEvent(.woken, subject: subject, at: situation.moment), situation, into: &replies)
  }

  /// What the scheduler says of the app's requests holds for those that should have been made as well: a
  /// match that the app gets back comes back here.
  package mutating func answered(
    _ answers: [EngineEffect], _ situation: Situation, into replies: inout Replies
  ) {
    let moment = situation.moment
    let relevant = answers.filter { $0.concernsMatch(at: moment) }
    if relevant.isEmpty { return }
    engine.settled(relevant.compactMap(own), at: moment, into: &effects)
    pass(situation, into: &replies)
  }

  private mutating func process(
    _ event: ObservedEvent, _ situation: Situation, into replies: inout Replies
  ) {
    engine.process(event, into: &effects)
    pass(situation, because: event, into: &replies)
  }

  /// The system refused a request of the app.
  private mutating func refused(_ request: RequestID, _ situation: Situation, into replies: inout Replies) {
    guard let own = engine.openRequest(of: request.reminder) else { return }
    let refusal = ObservedEvent(
      .addFailed, subject: own.reminder.rawValue, value: Int64(own.occurrence), at: situation.moment)
    engine.process(refusal, into: &effects)
    pass(situation, into: &replies)
  }

  /// An answer about a request of the app, as one about the request that stands for it here: the occurrence
  /// of the same time, or the latest, or that of the same number.
  private func own(_ answer: EngineEffect) -> EngineEffect? {
    func own(_ request: NotificationRequest) -> NotificationRequest {
      let reminder = request.id.reminder
      let occurrence = engine.pendingOccurrence(of: reminder, at: request.scheduledFor)
      var own = request
      own.id = occurrence ?? engine.openRequest(of: reminder) ?? request.id
      return own
    }
    switch answer {
    case .decided(let request, let decision): return .decided(own(request), decision)
    case .dropped(let request, let reason): return .dropped(own(request), reason)
    case .remove(let request, let reason):
      return engine.openRequest(of: request.reminder).map { .remove($0, reason) }
    default: return nil
    }
  }

  /// - Parameter event: What really happened; nil: what is asked for follows from an answer, and is due
  ///   when its trigger comes again.
  private mutating func pass(
    _ situation: Situation, because event: ObservedEvent? = nil, into replies: inout Replies
  ) {
    if effects.isEmpty { return }
    for effect in effects {
      switch effect {
      case .request(let request):
        if let event { replies.record(.due(request.id, because: event)) }
      case .wake(let reminder, let wall) where wall != .distantFuture:
        replies.wake(at: max(situation.clock.instant(ofWall: wall), situation.now), reminder.rawValue)
      default: break
      }
    }
    effects.removeAll(keepingCapacity: true)
  }
}

extension EngineEffect {
  /// Whether it says that a match is not kept, or that this is still open, or no longer.
  fileprivate func concernsMatch(at moment: Moment) -> Bool {
    switch self {
    case .decided(let request, let decision):
      decision.outcome != .admit || request.scheduledFor < moment.wall
    case .dropped, .remove: true
    default: false
    }
  }
}

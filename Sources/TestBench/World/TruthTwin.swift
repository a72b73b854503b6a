import ReminderEngine
package import TriggerModel

/// The reminder engine on the truth track: told what really happens, at once and of everything, it shows
/// what should have been asked for.
package struct TruthTwin: Sendable {
  private var engine: ReminderEngine
  private var effects: [EngineEffect] = []

  package init(_ program: Program) {
    engine = program.makeReminderEngine(explainsMisses: false)
  }

  /// What the twin wants, in one call.
  package struct Wishes: Sendable {
    /// What should be asked for.
    package var due: [RequestID] = []
    /// A wake-up that comes although it has been taken back does no harm.
    package var wakes: [Wake] = []

    mutating func removeAll() {
      due.removeAll(keepingCapacity: true)
      wakes.removeAll(keepingCapacity: true)
    }
  }

  /// A wake-up that the twin asks for.
  package struct Wake: Hashable, Sendable, BitwiseCopyable {
    package var reminder: ReminderID
    /// On the phone's wall clock.
    package var wall: Instant
  }

  /// Takes an event.
  package mutating func process(_ event: ObservedEvent, into wishes: inout Wishes) {
    engine.process(event, into: &effects)
    pass(into: &wishes)
  }

  /// What the scheduler says of the app's requests holds for those that should have been made as well: a
  /// match that the app gets back comes back here.
  package mutating func settled(_ answers: [EngineEffect], at moment: Moment, into wishes: inout Wishes) {
    let relevant = answers.filter { $0.concernsMatch(at: moment) }
    if relevant.isEmpty { return }
    engine.settled(relevant.compactMap(own), at: moment, into: &effects)
    pass(into: &wishes)
  }

  /// The system refused a request of the app.
  package mutating func refused(_ request: RequestID, at moment: Moment, into wishes: inout Wishes) {
    guard let own = engine.openRequest(of: request.reminder) else { return }
    process(
      ObservedEvent(.addFailed, subject: own.reminder.rawValue, value: Int64(own.occurrence), at: moment),
      into: &wishes)
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

  private mutating func pass(into wishes: inout Wishes) {
    if effects.isEmpty { return }
    for effect in effects {
      switch effect {
      case .request(let request): wishes.due.append(request.id)
      case .wake(let reminder, let instant) where instant != .distantFuture:
        wishes.wakes.append(Wake(reminder: reminder, wall: instant))
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

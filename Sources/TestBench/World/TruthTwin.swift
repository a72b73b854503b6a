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

  /// A wake-up that the twin asks for.
  package struct Wake: Hashable, Sendable, BitwiseCopyable {
    package var reminder: ReminderID
    /// On the phone's wall clock.
    package var wall: Instant
  }

  /// Takes an event and appends what should be asked for, and the wake-ups that the twin wants. One that
  /// comes although it has been taken back does no harm.
  package mutating func process(
    _ event: ObservedEvent, due: inout [RequestID], wakes: inout [Wake]
  ) {
    engine.process(event, into: &effects)
    if effects.isEmpty { return }
    for effect in effects {
      switch effect {
      case .request(let request): due.append(request.id)
      case .wake(let reminder, let instant) where instant != .distantFuture:
        wakes.append(Wake(reminder: reminder, wall: instant))
      default: break
      }
    }
    effects.removeAll(keepingCapacity: true)
  }
}

import ScenarioModel
package import TriggerModel

/// The records that gates need in addition to counts: openings of the app, and changes of facts. It keeps
/// only those that a gate of the scenario uses.
package struct GateLedger: Sendable {
  package struct Change: Hashable, Sendable {
    package var instant: Instant
    package var moment: Moment
    package var value: FactValue
  }

  package private(set) var openings: [(instant: Instant, moment: Moment)] = []
  /// The true values of each fact, in chronological order.
  package private(set) var changes: [FactID: [Change]]
  private let keepsOpenings: Bool

  /// Creates a ledger that keeps the records for these gates.
  init(for gates: [Gate]) {
    keepsOpenings = gates.contains { if case .weeklyActive = $0.measure { true } else { false } }
    let facts = gates.compactMap { gate -> FactID? in
      switch gate.measure {
      case .conversion(_, let goal, _): goal
      case .lift(let number, _): number
      case .share, .weeklyActive: nil
      }
    }
    changes = Dictionary(facts.map { ($0, []) }) { first, _ in first }
  }

  /// Records an event of the truth track.
  mutating func take(_ event: ObservedEvent, at instant: Instant) {
    switch event.kind {
    case .opened:
      if keepsOpenings { openings.append((instant, event.moment)) }
    case .factChanged:
      changes[FactID(event.subject)]?.append(
        Change(instant: instant, moment: event.moment, value: FactValue(bits: event.value)))
    default: break
    }
  }
}

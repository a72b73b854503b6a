import ScenarioModel
package import TriggerModel

/// What gates ask of a run that its counts do not hold: when the person opened the app, and what became of
/// the facts that a gate names. Nothing is kept that no gate asks for.
package struct GateLedger: Sendable {
  package struct Change: Hashable, Sendable {
    package var instant: Instant
    package var moment: Moment
    package var value: FactValue
  }

  package private(set) var openings: [(instant: Instant, moment: Moment)] = []
  /// By fact, in the order of happening, what it really was.
  package private(set) var changes: [FactID: [Change]]
  private let keepsOpenings: Bool

  /// Keeps nothing.
  package init() {
    keepsOpenings = false
    changes = [:]
  }

  /// Keeps what these gates ask for.
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

  /// Takes what really happened.
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

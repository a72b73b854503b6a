import DeviceSimulation
import Journal
import ScenarioModel
import TriggerModel

/// Sets the facts `PLACE.entered` when the app observes that the phone enters or leaves a place.
struct PlaceFacts: Participant {
  /// The fact of each region, or `nil` if the scenario does not mention it.
  private let facts: [FactID?]
  /// The regions whose fact has a value.
  private var inside: Set<UInt32> = []

  /// Creates the participant, or returns `nil` if the scenario mentions no such fact.
  init?(_ scenario: Scenario) {
    facts = scenario.places.map { place in
      scenario.facts.firstIndex { $0.name == Place.entered(place.name) && $0.kind == .instant }.map {
        FactID($0)
      }
    }
    if facts.allSatisfy({ $0 == nil }) { return nil }
  }

  static func listens(to body: JournalRecord.Body) -> Bool {
    switch body {
    case .observed(let event): event.kind == .regionEntered || event.kind == .regionExited
    case .happened(.reinstall): true
    default: false
    }
  }

  mutating func deliver(
    _ body: JournalRecord.Body, _ situation: Situation, into replies: inout Replies
  ) {
    switch body {
    case .observed(let event):
      guard let fact = facts[Int(event.subject)] else { return }
      let enters = event.kind == .regionEntered
      // The system can report again that the phone is inside.
      let isNew = enters ? inside.insert(event.subject).inserted : inside.remove(event.subject) != nil
      if isNew { replies.set(fact, enters ? .instant(situation.moment.wall) : .missing) }
    default: inside.removeAll()
    }
  }
}

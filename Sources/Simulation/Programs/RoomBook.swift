import ReminderMatching
package import ScenarioModel
package import TriggerModel

/// What the app knows of plans and places, compiled.
package struct RoomBook: Sendable {
  package let room: ReminderRoom
  /// By reminder: the fact that says whether it has a place.
  package let facts: [FactID]
  /// By reminder: it fires once, ever.
  package let firesOnce: [Bool]
  /// By plan, and then by reminder.
  package let locks: [[Bool]]
  /// Those that are there from the start, in the order in which they count as made.
  package let order: [Int]
  /// The plan at the start.
  package let plan: Int
  /// By reminder: whether it has a place at the start.
  package let places: [Bool]

  /// Nil where every reminder has a place.
  init?(_ scenario: Scenario) {
    guard let room = scenario.app.room, room.limits.contains(where: { $0 != nil }) else { return nil }
    self.room = room
    let declarations = scenario.reminders.map(\.declaration)
    let fact = scenario.facts[room.fact.index]
    let positions = Dictionary(
      scenario.facts.enumerated().map { ($0.element.name, $0.offset) },
      uniquingKeysWith: { first, _ in first })
    facts = declarations.map {
      guard let position = positions[ReminderRoom.factName(of: $0.id)] else {
        preconditionFailure("where places are counted, the reader declares each reminder's fact")
      }
      return FactID(position)
    }
    firesOnce = declarations.map { $0.repeats == .once }
    locks = fact.names.indices.map { name in
      declarations.map { ReminderRoom.isLocked($0, by: fact.name, at: name) }
    }
    order = ReminderRoom.initialOrder(declarations)
    plan = fact.initial.isMissing ? 0 : Int(fact.initial.bits)
    places = facts.map { scenario.facts[$0.index].initial == .truth(true) }
  }
}

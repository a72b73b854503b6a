import ScenarioModel
import TextFormats
import TriggerModel

/// How many reminders may wait at once, as a file says it.
struct ActiveReminders {
  var fact: FactID
  var limits: [TableRow<Int>]
}

extension Format<ActiveReminders> {
  static var activeReminders: Format {
    .object("How many reminders may wait at once, by the value of a fact of names") { fields in
      let fact = fields.required(
        "by", .scalar(.factID), "a fact of names, such as the plan", from: \.fact)
      let limits = fields.required(
        "atMost", .table(of: .scalar(.count(0...100_000))),
        "how many, by the fact's value; as many as there are where it is missing", from: \.limits)
      guard let fact, let limits, let reader = fields.reader else { return nil }
      guard let declaration = reader.names.factDeclarations[fact.index] else { return nil }
      guard declaration.kind == .name, !declaration.initial.isMissing else {
        fields.error("this needs a fact of names with a first value", at: "by")
        return nil
      }
      let names = Set(declaration.names)
      for row in limits where !names.contains(row.name) {
        reader.error(
          "'\(declaration.name)' is never '\(row.name)'", at: row.position,
          hint: NearestNames.hint(for: row.name, among: declaration.names))
      }
      return ActiveReminders(fact: fact, limits: limits)
    }
  }
}

extension ActiveReminders {
  init(_ room: ReminderRoom, _ scenario: Scenario) {
    fact = room.fact
    limits = zip(scenario.facts[room.fact.index].names, room.limits).compactMap { name, limit in
      limit.map { TableRow(name: name, position: .start, value: $0) }
    }
  }

  func room(_ reader: Reader) -> ReminderRoom {
    let names = reader.names.factDeclarations[fact.index]?.names ?? []
    let byName = Dictionary(limits.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
    return ReminderRoom(fact: fact, limits: names.map { byName[$0] ?? nil })
  }
}

import CivilTime
import DeviceSimulation
import ScenarioModel
import TextFormats
import TriggerModel

extension Format<Routine> {
  /// A routine. Its name is the key of the table.
  static var routine: Format {
    .object("What some people do on some days: an action of the time line, or a number that is drawn") {
      fields in
      let actions = fields.optional(
        "do", .oneOrMore(of: .actions), "what happens, one after the other",
        from: { if case .actions(let actions) = $0.deed { actions.map { [$0] } } else { nil } }
      ).map { $0.flatMap(\.self) }
      let fact = fields.optional(
        "set", .scalar(.factID), "the number that takes a value",
        from: { if case .number(let fact, _) = $0.deed { fact } else { nil } })
      let amount = fields.optional(
        "to", .amountHabit, "with 'set': how the value is spread",
        from: { if case .number(_, let amount) = $0.deed { amount } else { nil } })
      fields.exactlyOne(of: ["do", "set"])
      let at = fields.required("at", .timeHabit, "when", from: \.at)
      let weekdays = fields.optional(
        "weekdays", .scalar(.days), "on which days; on all if missing",
        from: { $0.weekdays == .all ? nil : $0.weekdays })
      let perWeek = fields.optional(
        "perWeek", .daysPerWeek,
        "on how many of these days of the week, with the share of people for each number; on all if missing",
        from: \.perWeek)
      let chance = fields.optional(
        "chance", .scalar(.share), "on how many of such days it happens; on all if missing", from: \.chance)
      let people = fields.optional(
        "people", .scalar(.share), "who does it at all; everybody if missing", from: \.people)
      guard let at, let deed = deed(fields, actions, fact, amount) else { return nil }
      return Routine(
        name: "", deed: deed, at: at, weekdays: weekdays ?? .all, perWeek: perWeek,
        chance: chance ?? 1_000_000,
        people: people ?? 1_000_000)
    }
  }

  private static func deed(
    _ fields: Fields<Routine>, _ actions: [TimelineAction]?, _ fact: FactID?, _ amount: AmountHabit?
  ) -> Routine.Deed? {
    if let actions {
      if fields.isPresent("to") { fields.error("'to' needs 'set'", at: "to") }
      if actions.contains(where: \.needsPlan) {
        fields.error(
          "journeys, fixes and steps of a subscription cannot be routines; put them in the time line",
          at: "do")
        return nil
      }
      return .actions(actions)
    }
    guard let fact, let reader = fields.reader else { return nil }
    let declaration = reader.names.factDeclarations[fact.index]
    if let declaration, declaration.kind != .number {
      fields.error(
        "'\(declaration.name)' is not a number", at: "set", hint: "use 'do: set \(declaration.name) = …'")
      return nil
    }
    guard let amount else {
      if !fields.isPresent("to") { fields.error("'set' needs 'to'", at: "set") }
      return nil
    }
    return .number(fact, amount)
  }
}

extension TimelineAction {
  /// Whether later entries of the time line depend on the action.
  fileprivate var needsPlan: Bool {
    switch self {
    case .fix, .subscription, .event(.travel), .event(.fix), .event(.found), .event(.setClock): true
    default: false
    }
  }
}

extension Format<Shares<Int>> {
  /// A number of days such as `3`, or the share of people with each number.
  fileprivate static var daysPerWeek: Format {
    let count = Atom<Int>.count(0...7)
    let names = Atom<String>(
      name: "COUNT", meaning: count.meaning, pattern: "[0-7]", write: { name, _ in .string(name) }
    ) { word, reader in count.parse(word, reader).map { "\($0)" } }
    return .short(
      Format<Int>.scalar(count).map({ count, _, _ in Shares(always: count) }, back: { _, _ in 0 }),
      orLong: .shares(names, value: { word, _ in Int(word.text) }, word: { count, _ in "\(count)" }))
  }
}

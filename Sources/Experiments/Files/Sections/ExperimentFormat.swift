import NotificationGateway
import ScenarioModel
import Scenarios
import TextFormats

extension Format<ExperimentDeclaration> {
  /// Files of the kind `experiment`.
  static var experiment: Format {
    .readOnly(
      .object("A question about a policy, and the people to ask it of") { fields in
        _ = fields.required(
          "kind", .scalar(.choice("KIND", "experiment", [(ExperimentWords.kind, true)])),
          "what this file is: experiment", from: { _ in nil })
        _ = fields.required(
          "version", .version, "the version of the format: 1", from: { _ in nil })
        let title = fields.required("title", .scalar(.text), "the experiment in a line", from: { _ in nil })
        let question = fields.optional("question", .scalar(.text), "what is asked", from: { _ in nil })
        let population = fields.required(
          "population", .scalar(.word("POPULATION", "the name of a population")),
          "whose notifications: popcap-1, or a file of the kind population", from: { _ in nil })
        let seed = fields.optional(
          "seed", .scalar(.count(0...1_000_000_000)),
          "of everybody's luck; what the population says if missing, of popcap-1 it is 1", from: { _ in nil })
        let days = fields.optional(
          "days", .scalar(.count(1...3_650)),
          "how long everybody is watched; what the population says if missing",
          from: { _ in nil })
        let followUp = fields.optional(
          "followUp", .scalar(.followUp),
          "how long after it was shown an answer counts, and everybody is followed after the days; 24 h if missing",
          from: { _ in nil })
        let sections = Self.sections(fields, "only what differs from the population's")
        let choice = fields.exactlyOne(of: ["variants", "grid"], orNone: true)
        let variants = fields.optional(
          "variants", .variants, "what is compared with the base: names, and what each changes",
          from: { _ in nil })
        let grid = fields.optional(
          "grid", .grid, "settings, each with a list of values: every combination is compared with the base",
          from: { _ in nil })
        let metrics = fields.optional(
          "metrics", .oneOrMore(of: .scalar(.metricWord)),
          "what is measured, the first as the figure that matters; if missing, what the population is good for",
          from: { _ in nil })
        let precision = fields.optional(
          "precision", .precision,
          "by metric: how far a difference may be off, with 95 % confidence; if missing, all people are taken",
          from: { _ in nil })
        let budget = fields.optional(
          "people", .budget, "how many people may take part; 10,000 if missing, 200,000 with 'precision'",
          from: { _ in nil })
        let gates = fields.optional(
          "gates", .list(of: .peopleGate), "targets of figures or of differences", from: { _ in nil })
        let sensitivity = fields.optional(
          "sensitivity", .sensitivity,
          "which assumptions the answer hangs on; none: not asked, if missing of the first variant and metric",
          from: { _ in nil })
        guard let title, let population else { return nil }
        var declaration = ExperimentDeclaration(
          title: title, population: population, base: sections, position: fields.position)
        declaration.question = question ?? ""
        declaration.seed = seed.map { UInt64($0) }
        declaration.days = days
        declaration.followUp = followUp
        declaration.variants = variants ?? []
        declaration.grid = grid ?? []
        if choice == "grid" { declaration.gridPosition = fields.position(of: "grid") }
        declaration.metrics = metrics ?? []
        declaration.precision = precision ?? []
        declaration.budget = budget
        declaration.gates = gates ?? []
        declaration.sensitivity = sensitivity
        return declaration
      })
  }

  /// What can be set: of which population which, that says the population.
  fileprivate static func sections<Whole>(_ fields: Fields<Whole>, _ difference: String) -> [Node.Entry] {
    let open: (SchemaBook) -> JSONValue = { _ in ["type": "object"] }
    let policy = fields.optional(
      "policy", .section("policy", like: Format<CapPolicy>.policy.schema),
      "rules of the cap scheduler: \(difference)", from: { _ in nil })
    let person = fields.optional(
      "person", .section("person", like: open), "what is assumed of the people: \(difference)",
      from: { _ in nil })
    let habits = fields.optional(
      "habits", .section("habits", like: open), "how the people of a file live: \(difference)",
      from: { _ in nil })
    let knobs = fields.optional(
      "knobs", .section("knobs", like: open), "rules of the platform, for people of a file: \(difference)",
      from: { _ in nil })
    let reminders = fields.optional(
      "reminders", .section("reminders", like: open),
      "what the app of people of a file reminds of: \(difference)", from: { _ in nil })
    return [policy, person, habits, knobs, reminders].compactMap(\.self)
  }
}

extension Format {
  /// What experiments read, nobody writes.
  static func readOnly(_ format: Format) -> Format {
    .readOnly(schema: format.schema, read: format.read)
  }
}

extension Format<Node.Entry> {
  /// A section that the population reads, laid over its own.
  fileprivate static func section(
    _ key: String, like schema: @escaping (SchemaBook) -> JSONValue
  ) -> Format {
    .readOnly(
      schema: schema,
      read: { node, reader in
        guard case .mapping = node.content else {
          reader.error("expected a mapping, not \(node.kindName)", at: node.position)
          return nil
        }
        return Node.Entry(key: key, keyPosition: node.position, value: node)
      })
  }
}

extension Format<[VariantDeclaration]> {
  fileprivate static var variants: Format {
    Format<[TableRow<[Node.Entry]>]>.table(of: .variantSections, names: .armName, minimum: 1).map(
      { rows, _, _ in
        rows.compactMap { row in
          row.value.map { VariantDeclaration(name: row.name, position: row.position, sections: $0) }
        }
      }, back: { _, _ in [] })
  }
}

extension Atom<String> {
  /// Of a variant: whatever reads well in a table.
  fileprivate static var armName: Atom {
    .simple(
      "NAME", "a name of at most 40 letters, digits, spaces and .,_=-",
      pattern: "[A-Za-z0-9][A-Za-z0-9 .,_=-]{0,39}",
      write: { name, _ in .string(name) }
    ) { text in
      guard let first = text.first, first.isLetter || first.isNumber, text.count <= 40,
        text.allSatisfy({ $0.isLetter || $0.isNumber || " .,_=-".contains($0) })
      else { return nil }
      return text
    }.checked { name, word, reader in
      guard name == ExperimentWords.base else { return name }
      reader.error(
        "'base' is what variants are compared with", at: word.position, hint: "choose another name")
      return nil
    }
  }
}

extension Format<[Node.Entry]> {
  fileprivate static var variantSections: Format {
    .readOnly(
      .object("What a variant changes") { fields in
        Format<ExperimentDeclaration>.sections(fields, "only what differs from the base")
      })
  }
}

extension Format<[GridAxis]> {
  /// Paths of settings with lists of values.
  fileprivate static var grid: Format {
    .readOnly(
      schema: { _ in
        [
          "type": "object", "propertyNames": ["pattern": .string("^[A-Za-z]+(\\.[A-Za-z0-9_]+)+$")],
          "additionalProperties": ["type": "array", "minItems": 1], "minProperties": 1,
        ]
      },
      read: { node, reader in
        guard case .mapping(let entries) = node.content, !entries.isEmpty else {
          reader.error(
            "expected a mapping from settings to lists of values, not \(node.kindName)", at: node.position,
            hint: "such as policy.dailyCap: [2, 3, 4]")
          return nil
        }
        var axes: [GridAxis] = []
        for entry in entries {
          guard case .sequence(let values) = entry.value.content, !values.isEmpty else {
            reader.error(
              "expected a list of values, not \(entry.value.kindName)", at: entry.value.position,
              hint: "such as [2, 3, 4]")
            return nil
          }
          axes.append(
            GridAxis(
              path: Word(entry.key, at: entry.keyPosition), values: values, position: entry.value.position))
        }
        return axes
      })
  }
}

import NotificationGateway
import ScenarioModel
import Scenarios
import TextFormats
import TriggerModel

extension Format<ExperimentDeclaration> {
  /// The format of files of the kind `experiment`.
  static var experiment: Format {
    .readOnly(
      .object("A comparison of policies over a population") { fields in
        _ = fields.required(
          "kind", .scalar(.choice("KIND", "experiment", [(ExperimentWords.kind, true)])),
          "the kind of the file: experiment")
        _ = fields.required(
          "version", .version, "the version of the format: 1")
        let title = fields.required("title", .scalar(.text), "the experiment in one line")
        let question = fields.optional(
          "question", .scalar(.text), "the question that the experiment answers")
        let population = fields.required(
          "population", .scalar(.word("POPULATION", "the name of a population")),
          "the population: popcap-1, or a file of the kind population")
        let seed = fields.optional(
          "seed", .scalar(.count(0...1_000_000_000)),
          "the random seed; default: that of the population, which is 1 for popcap-1")
        let days = fields.optional(
          "days", .scalar(.count(1...3_650)),
          "the number of days to observe each person; default: that of the population")
        let followUp = fields.optional(
          "followUp", .scalar(.followUp),
          "the time after exposure in which a response counts, also after the last day; default 24 h")
        let sections = Self.sections(fields, "only differences from the population")
        let choice = fields.exactlyOne(of: ["variants", "grid"], orNone: true)
        let variants = fields.optional(
          "variants", .variants, "policies to compare with the base, by name, with their differences")
        let grid = fields.optional(
          "grid", .grid, "settings with lists of values; every combination is compared with the base")
        let metrics = fields.optional(
          "metrics", .oneOrMore(of: .scalar(.metricWord)),
          "the metrics, the most important first; default: all that the population supports")
        let primary = fields.optional(
          "primary", .scalar(.metricWord),
          "the metric that answers the question; default: the first one, with a warning if there is a question"
        )
        let precision = fields.optional(
          "precision", .precision,
          "the maximum half width of a difference's 95 % interval, by metric; the experiment then ends when the gates are decided, too; default: play all people"
        )
        let budget = fields.optional(
          "people", .budget, "the maximum number of people; default 10,000, with 'precision' 200,000")
        let gates = fields.optional(
          "gates", .list(of: .peopleGate), "targets of figures or of differences")
        let isFamilywise = fields.optional(
          "family",
          .scalar(.choice("FAMILY", "bonferroni or none", [("bonferroni", true), ("none", false)])),
          "the correction of verdicts and directions for the number of comparisons; default bonferroni")
        let sensitivity = fields.optional(
          "sensitivity", .sensitivity,
          "the assumptions that the result depends on, or none; default: of the first variant and the primary metric"
        )
        guard let title, let population else { return nil }
        return ExperimentDeclaration(
          title: title, question: question ?? "",
          questionPosition: question == nil ? nil : fields.position(of: "question"), primary: primary,
          population: population, seed: seed.map { UInt64($0) },
          days: days, followUp: followUp, base: sections, variants: variants ?? [], grid: grid ?? [],
          gridPosition: choice == "grid" ? fields.position(of: "grid") : nil, metrics: metrics ?? [],
          precision: precision ?? [], budget: budget, gates: gates ?? [], isFamilywise: isFamilywise ?? true,
          sensitivity: sensitivity,
          position: fields.position)
      })
  }

  /// Reads the sections that a policy can change. The population later rejects sections that it does not
  /// support.
  fileprivate static func sections<Whole>(_ fields: Fields<Whole>, _ difference: String) -> [Node.Entry] {
    let open: (SchemaBook) -> JSONValue = { _ in ["type": "object"] }
    let policy = fields.optional(
      "policy", .section("policy", like: Format<CapPolicy>.policy.schema),
      "rules of the cap scheduler: \(difference)")
    let person = fields.optional(
      "person", .section("person", like: open), "assumptions about the people: \(difference)")
    let habits = fields.optional(
      "habits", .section("habits", like: open), "the daily lives of the people of a file: \(difference)")
    let knobs = fields.optional(
      "knobs", .section("knobs", like: open), "platform rules for the people of a file: \(difference)")
    let reminders = fields.optional(
      "reminders", .section("reminders", like: open),
      "the reminders of the people of a file: \(difference)")
    return [policy, person, habits, knobs, reminders].compactMap(\.self)
  }
}

/// Fields without a writer, because the tool never writes experiments.
extension Fields {
  fileprivate func optional<Value>(
    _ key: String, _ format: @autoclosure () -> Format<Value>, _ doc: String
  ) -> Value? {
    optional(key, format(), doc, from: { _ in nil })
  }

  fileprivate func required<Value>(
    _ key: String, _ format: @autoclosure () -> Format<Value>, _ doc: String
  ) -> Value? {
    required(key, format(), doc, from: { _ in nil })
  }
}

extension Format {
  /// Makes a format read-only, because the tool never writes experiments.
  static func readOnly(_ format: Format) -> Format {
    .readOnly(schema: format.schema, read: format.read)
  }
}

extension Format<Node.Entry> {
  /// A section that is passed to the population and overrides the population's own values.
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
  /// The name of a variant, as tables show it.
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
        "'base' is the policy that variants are compared with", at: word.position, hint: "choose another name"
      )
      return nil
    }
  }
}

extension Format<[Node.Entry]> {
  fileprivate static var variantSections: Format {
    .readOnly(
      .object("The differences of a variant") { fields in
        Format<ExperimentDeclaration>.sections(fields, "only differences from the base")
      })
  }
}

extension Format<[GridAxis]> {
  /// The paths of settings, each with a list of values.
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
            hint: "write for example 'policy.dailyCap: [2, 3, 4]'")
          return nil
        }
        var axes: [GridAxis] = []
        for entry in entries {
          guard case .sequence(let values) = entry.value.content, !values.isEmpty else {
            reader.error(
              "expected a list of values, not \(entry.value.kindName)", at: entry.value.position,
              hint: "write for example [2, 3, 4]")
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

extension Format<[PrecisionDeclaration]> {
  /// The required half width of a difference's interval, by metric.
  static var precision: Format {
    let amount = Atom<Amount>.amount
    return .readOnly(
      schema: { _ in
        ["type": "object", "additionalProperties": amount.schema, "minProperties": 1]
      },
      read: { node, reader in
        guard case .mapping(let entries) = node.content, !entries.isEmpty else {
          reader.error(
            "expected a mapping from metrics to half widths of intervals, not \(node.kindName)",
            at: node.position, hint: "write for example 'tapThrough: 0.1 pp'")
          return nil
        }
        let errors = reader.errorCount
        let rows = entries.compactMap { entry in
          Format<Amount>.scalar(amount).read(entry.value, reader).map {
            PrecisionDeclaration(
              metric: Word(entry.key, at: entry.keyPosition), amount: Located($0, at: entry.value.position))
          }
        }
        return reader.errorCount == errors ? rows : nil
      })
  }
}

extension Format<BudgetDeclaration> {
  private static let range = 200...1_000_000_000

  /// A number, or a mapping with the keys `least` and `most`.
  static var budget: Format {
    let short = Format<Int>.scalar(.count(range)).map(
      { most, node, _ in BudgetDeclaration(least: nil, most: Int64(most), position: node.position) },
      back: { budget, _ in Int(budget.most) })
    let long = Format.object("The number of people") { fields in
      let least = fields.optional(
        "least", .scalar(.count(range)), "the number before the first evaluation; default 1,000")
      let most = fields.required(
        "most", .scalar(.count(range)), "the maximum number", from: { Int($0.most) })
      guard let most else { return nil }
      if let least, least > most {
        fields.error("'least' is greater than 'most'", at: "least", hint: "use \(most) or less")
        return nil
      }
      return BudgetDeclaration(
        least: least.map { Int64($0) }, most: Int64(most), position: fields.position)
    }
    return .short(short, orLong: long)
  }
}

extension Format<GateDeclaration> {
  /// A target for a figure of one policy or for a difference.
  static var peopleGate: Format {
    let format = Format.object("A figure or a difference with its target") { fields in
      let metric = fields.required("metric", .scalar(.metricWord), "the metric")
      let choice = fields.exactlyOne(of: ["of", "change"])
      let figure = fields.optional(
        "of", .scalar(.word("ARM", "a variant, or base")),
        "the policy whose figure counts: a variant, or base")
      let change = fields.optional(
        "change", .scalar(.word("VARIANT", "a variant")), "the variant whose difference from the base counts")
      let target = fields.required(
        "target", .located(.scalar(.peopleBound)), "the bound to reach, such as >= 25 %")
      let kill = fields.optional(
        "kill", .located(.scalar(.peopleBound)), "the bound at which to give up the idea, such as < 5 %")
      guard let metric, let target, let subject = figure ?? change else { return nil }
      if let kill,
        kill.value.bound.side.isUpwards == target.value.bound.side.isUpwards
          || kill.value.bound.overlaps(target.value.bound)
      {
        fields.error(
          "the kill criterion overlaps the target", at: "kill",
          hint: "use the other side, such as < 5 %")
        return nil
      }
      return GateDeclaration(
        metric: metric, subject: subject, isChange: choice == "change", target: target, kill: kill)
    }
    return .readOnly(format)
  }
}

extension Format<SensitivityDeclaration> {
  /// A mapping, or `none`.
  static var sensitivity: Format {
    let off = Format<Bool>.scalar(.choice("none", "none, or a mapping", [("none", true)])).map(
      { _, _, _ in SensitivityDeclaration(isOff: true) }, back: { _, _ in true })
    let long = Format.object("The sensitivity of the result to assumptions") { fields in
      SensitivityDeclaration(
        variant: fields.optional(
          "of", .scalar(.word("VARIANT", "a variant")), "the variant; default: the first one"),
        metric: fields.optional(
          "metric", .scalar(.metricWord), "the metric of the difference; default: the primary one"),
        people: fields.optional(
          "people", .scalar(.count(200...1_000_000)),
          "the number of people for each value; default 2,000, for a file 300"),
        draws: fields.optional(
          "draws", .scalar(.count(0...10_000)),
          "the number of random draws of all assumptions, to evaluate the gates; default 100, for a file 30"))
    }
    return .short(off, orLong: .readOnly(long))
  }
}

extension Atom<Word> {
  /// A word with its position, for resolution after parsing.
  static func word(_ name: String, _ meaning: String) -> Atom {
    Atom(
      name: name, meaning: meaning, pattern: ".+", write: { word, _ in .string(word.text) }
    ) { word, _ in word }
  }

  /// A metric with or without a type.
  static var metricWord: Atom {
    let kinds = PeopleMetric.Kind.allCases.map(\.rawValue).joined(separator: "|")
    return Atom(
      name: "METRIC", meaning: "a metric such as tapThrough, or tapThrough of TYPE",
      pattern: "(?:\(kinds))(?: of .+)?", write: { word, _ in .string(word.text) }
    ) { word, _ in word }
  }
}

extension Atom<TimeSpan> {
  /// The time after exposure within which a response is counted.
  static var followUp: Atom {
    duration.checked { span, word, reader in
      if span >= .minutes(1), span <= .days(30) { return span }
      reader.error("'\(word.text)' is out of range", at: word.position, hint: "use 1 min to 30 days")
      return nil
    }
  }
}

extension PeopleMetric {
  /// Resolves the name of a metric, or reports an error and returns `nil`.
  static func read(_ word: Word, types: [String], _ reader: Reader) -> PeopleMetric? {
    let parts = word.text.split(separator: " ", maxSplits: 2).map(String.init)
    guard let kind = parts.first.flatMap({ Kind(rawValue: $0) }) else {
      let names = Kind.allCases.map(\.rawValue)
      reader.error(
        "there is no metric '\(parts.first ?? "")'", at: word.position,
        hint: NearestNames.likely(parts.first ?? "", among: names).map { "did you mean '\($0)'?" }
          ?? "there are \(names.joined(separator: ", "))")
      return nil
    }
    if parts.count == 1 { return PeopleMetric(kind) }
    guard parts.count == 3, parts[1] == "of" else {
      reader.error(
        "'\(word.text)' is not a metric", at: word.position,
        hint: "write for example '\(kind.rawValue) of \(types[0])'")
      return nil
    }
    guard kind.hasTypes else {
      reader.error(
        "'\(kind.rawValue)' does not exist for a single type", at: word.position,
        hint: "leave out 'of \(parts[2])'")
      return nil
    }
    guard let type = types.firstIndex(of: parts[2]) else {
      reader.error(
        "unknown notification type '\(parts[2])'", at: word.position,
        hint: NearestNames.likely(parts[2], among: types).map { "did you mean '\($0)'?" }
          ?? "there are \(types.joined(separator: ", "))")
      return nil
    }
    return PeopleMetric(kind, type: type, types: types)
  }
}

extension Atom<Amount> {
  /// An amount such as `0.1 pp`, `25 %` or `1.5`, with or without a sign.
  static var amount: Atom {
    .simple(
      "AMOUNT", "a number such as 0.1 pp, 25 % or 1.5", pattern: #"[+-]?\d+(?:\.\d+)?(?: *(?:%|pp))?"#,
      jsonTypes: ["string", "number"],
      write: { amount, _ in .string(amount.text) }, Amount.parse)
  }
}

extension Atom<BoundDeclaration> {
  /// A bound such as `>= 25 %`, or `<= +0.3 pp` for a difference.
  static var peopleBound: Atom {
    let number = Atom<Amount>.amount.map(
      { amount, _, _ in amount.millionths },
      back: { millionths, _ in Amount(millionths: millionths, hasUnit: false) })
    return Atom<Bound>.bound(number, such: ">= 25 % or <= 0.3 pp").map(
      { bound, word, _ in
        BoundDeclaration(
          bound: bound, hasUnit: Amount.hasUnit(word.text), isPercentage: word.text.hasSuffix("%"))
      },
      back: { declaration, _ in declaration.bound })
  }
}

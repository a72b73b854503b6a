import ScenarioModel
import TextFormats
import TriggerModel

extension Declarations {
  /// Reads the gates. The facts and reminders to which they refer must be read before.
  static func gates(_ fields: Fields<Scenario>) -> [Gate] {
    let gates = fields.optional(
      "gates", .list(of: .gate), "goals of the product: figures with a target and a kill criterion",
      from: { $0.gates.unlessEmpty })
    if gates == nil, fields.isPresent("gates") { fields.reader?.names.gates = nil }
    var kept: [Gate] = []
    for gate in gates ?? [] {
      if fields.reader?.names.gates?.append(gate.name) != false {
        kept.append(gate)
      } else if let place = kept.firstIndex(where: { $0.name == gate.name }),
        kept[place].position.file != gate.position.file
      {
        // The scenario's gates follow those of its packs and override them.
        kept[place] = gate
      } else {
        fields.reader?.error(
          "the gate '\(gate.name)' is declared twice", at: gate.position,
          hint: "give one of them another 'name'")
      }
    }
    return kept
  }
}

extension Format<Gate> {
  /// A gate, as a sentence or a mapping: a measure with a target, and optionally a kill criterion.
  static var gate: Format {
    Format.short(sentence, orLong: long).named("gate")
  }

  private static var sentence: Format {
    shortForm("a gate", schema: GateSentences.schema) { words, node, reader in
      GateSentences.parse(words.joiningReminders(reader), reader).flatMap {
        checked(
          Gate(
            name: $0.words, measure: $0.measure, words: $0.words, target: $0.target, kill: $0.kill,
            benchmarks: Benchmark.published(for: $0.measure), position: node.position), reader)
      }
    }
  }

  private static var long: Format {
    Format<Gate>.object("A figure with its target and kill criterion") { fields in
      let name = fields.optional(
        "name", .scalar(.text), "the name in expectations and reports; the measure in words if missing",
        from: \.name)
      let measure = measure(fields)
      let target = fields.required(
        "target", .scalar(.bound), "the bound to reach, such as >= 25 %", from: \.target)
      let bound = fields.optional(
        "kill", .scalar(.bound), "the bound at which it is given up, such as < 5 %; none if missing",
        from: \.kill?.bound)
      let after = fields.optional(
        "after", .scalar(.duration), "with 'kill': the time that must have passed before; none if missing",
        from: \.kill?.after)
      let benchmarks = fields.optional(
        "benchmark", .oneOrMore(of: .benchmark),
        "figures that others have reached; the published figures of the metric if missing",
        from: { gate in
          gate.benchmarks == Benchmark.published(for: gate.measure) && gate.benchmarks.isEmpty
            ? nil : gate.benchmarks
        })
      let given = fields.optional(
        "words", .scalar(.text),
        "the measure in the words of reports; derived from the other keys if missing",
        from: { gate in
          let usual = fields.writer.map { writer in
            gate.measure.words { writer.known.scenario.facts[$0.index].name }
          }
          return gate.words == usual ? nil : gate.words.unlessEmpty
        })
      if after != nil, bound == nil { fields.error("'after' needs 'kill'", at: "after") }
      guard let measure, let target, let reader = fields.reader else { return nil }
      let words = measure.words { reader.names.facts.all[$0.index] }
      let spaced = name.map { $0.split(whereSeparator: \.isWhitespace).joined(separator: " ") }
      return Gate(
        name: spaced ?? words, measure: measure, words: given ?? words, target: target,
        kill: bound.map { Gate.KillCriterion(bound: $0, after: after ?? .zero) },
        benchmarks: benchmarks ?? Benchmark.published(for: measure), position: fields.position)
    }.checked { gate, _, reader in checked(gate, reader) }
  }

  /// Reads the keys of the measure. They have the same names as the slots of the sentence.
  private static func measure(_ fields: Fields<Gate>) -> Measure? {
    let kind = fields.required(
      "metric",
      .scalar(.choice("METRIC", "something that a gate judges", MeasureKind.all.map { ($0.name, $0) })),
      "the figure to measure", from: { MeasureKind($0.measure) })
    let group = fields.optional(
      "of", .scalar(.reminderGroup), "a reminder or a notification type; all of them if missing",
      from: { $0.measure.group })
    let fact = fields.optional(
      "fact", .word, "with 'conversion' the goal, with 'lift' the number that is compared",
      from: { gate in
        gate.measure.fact.flatMap { fact in
          fields.writer.map { Word($0.known.scenario.facts[fact.index].name, at: .start) }
        }
      })
    let span = fields.optional(
      "within", .scalar(.duration), "with 'conversion': how long after the notification",
      from: { if case .conversion(_, _, let span) = $0.measure { span } else { nil } })
    guard let kind, let reader = fields.reader else { return nil }
    for (key, isNeeded) in [
      ("fact", kind.needsFact), ("within", kind == .conversion), ("of", kind.needsFact),
    ] {
      if isNeeded, !fields.isPresent(key) {
        fields.error("'\(kind.name)' needs '\(key)'", at: "metric")
      } else if !isNeeded, key != "of", fields.isPresent(key) {
        fields.error("'\(kind.name)' takes no '\(key)'", at: key)
      }
    }
    switch kind {
    case .share(let metric): return .share(metric, of: group)
    case .weeklyActive: return .weeklyActive(of: group)
    case .conversion:
      guard let group, let fact, let span, let goal = Atom<FactID>.truthFact.parse(fact, reader) else {
        return nil
      }
      return .conversion(of: group, goal: goal, within: span)
    case .lift:
      guard let group, let fact, let number = Atom<FactID>.numberFact.parse(fact, reader) else { return nil }
      return .lift(number, by: group)
    }
  }

  /// Returns the gate, or `nil` after reporting that a measure or bound is invalid.
  private static func checked(_ gate: Gate, _ reader: Reader) -> Gate? {
    if case .share(let metric, .some(let group)) = gate.measure, metric.isOfPerson {
      reader.error(
        "'\(metric.name)' is a figure of the person, not of a reminder", at: gate.position,
        hint: "leave out 'of \(group.name)'")
      return nil
    }
    if gate.measure.isShare,
      let wrong = [gate.target, gate.kill?.bound].compactMap(\.self).first(where: { !$0.dividesShares })
    {
      reader.error(
        wrong.contains(0) && wrong.contains(1_000_000)
          ? "'\(wrong.text)' holds for every share"
          : "no measurement can show that a share is '\(wrong.text)'",
        at: gate.position, hint: "name a share between 0 and 100 %, or more than 0 %, or less than 100 %")
      return nil
    }
    guard let kill = gate.kill?.bound else { return gate }
    if kill.side.isUpwards == gate.target.side.isUpwards {
      reader.error(
        "the kill criterion '\(kill.text)' points in the same direction as the target '\(gate.target.text)'",
        at: gate.position, hint: gate.target.side.isUpwards ? "it begins with <" : "it begins with >")
      return nil
    }
    if kill.overlaps(gate.target) {
      reader.error(
        "the kill criterion '\(kill.text)' overlaps the target '\(gate.target.text)'", at: gate.position)
      return nil
    }
    return gate
  }
}

extension Measure {
  /// Returns the short form of the measure.
  fileprivate func words(_ name: (FactID) -> String) -> String {
    let of = group.map { " of \($0.name)" } ?? ""
    return switch self {
    case .share(let metric, _): metric.name + of
    case .weeklyActive: MeasureKind.weeklyActive.name + of
    case .conversion(_, let goal, let span): "conversion\(of) to \(name(goal)) within \(span.inWords)"
    case .lift(let number, let group): "lift of \(name(number)) by \(group.name)"
    }
  }

  fileprivate var group: ReminderGroup? {
    switch self {
    case .share(_, let group), .weeklyActive(let group): group
    case .conversion(let group, _, _), .lift(_, let group): group
    }
  }

  fileprivate var fact: FactID? {
    switch self {
    case .share, .weeklyActive: nil
    case .conversion(_, let fact, _), .lift(let fact, _): fact
    }
  }

  /// Whether the values of the measure are between 0 and 100 %.
  fileprivate var isShare: Bool {
    switch self {
    case .share, .conversion: true
    case .lift, .weeklyActive: false
    }
  }
}

extension Bound {
  /// Whether the bound can distinguish shares, that is, whether some confidence intervals lie entirely within
  /// it and others at least partly outside. Every interval has a positive width, so none consists only of 0 %
  /// or 100 %.
  fileprivate var dividesShares: Bool {
    switch side {
    case .above, .atMost: (side == .above ? 0 : 1)..<1_000_000 ~= millionths
    case .below, .atLeast: 1...(side == .below ? 1_000_000 : 999_999) ~= millionths
    }
  }
}

/// The value of the key `metric` in a gate's long form.
private enum MeasureKind: Hashable {
  case share(Metric)
  case conversion, lift, weeklyActive

  init(_ measure: Measure) {
    switch measure {
    case .share(let metric, _): self = .share(metric)
    case .conversion: self = .conversion
    case .lift: self = .lift
    case .weeklyActive: self = .weeklyActive
    }
  }

  static let all = Metric.allCases.filter(\.isShare).map(Self.share) + [.conversion, .lift, .weeklyActive]

  var name: String {
    switch self {
    case .share(let metric): metric.name
    case .conversion: "conversion"
    case .lift: "lift"
    case .weeklyActive: "weeklyActive"
    }
  }

  var needsFact: Bool { self == .conversion || self == .lift }
}

extension Format<Benchmark> {
  fileprivate static var benchmark: Format {
    .object("A figure that others have published") { fields in
      let value = fields.required(
        "value", .scalar(.ratio), "a number or a percentage such as 14.4 %", from: \.millionths)
      let subject = fields.optional(
        "of", .scalar(.text), "what it is a figure of", from: { $0.subject.unlessEmpty })
      let source = fields.required(
        "source", .scalar(.text), "who published it, and where", from: \.source)
      guard let value, let source else { return nil }
      return Benchmark(millionths: value, subject: subject ?? "", source: source)
    }
  }
}

import ScenarioGrammar
import ScenarioModel
import TextFormats
import CivilTime
import ReminderEngine
import TriggerModel

extension Format<Expectation> {
  /// One statement about a run: a sentence, or a mapping.
  static var expectation: Format {
    Format.short(sentence, orLong: long).named("expectation")
  }

  private static var sentence: Format {
    Format(
      schema: { _ in ExpectationSentences.schema },
      read: { node, reader in
        guard case .scalar(let text) = node.content, !text.isEmpty else {
          reader.error("expected an expectation, not \(node.kindName)", at: node.position)
          return nil
        }
        let words = Words(text, of: node)
        return ExpectationSentences.parse(words, reader).map {
          Expectation(claim: $0, text: words.joined.text, position: node.position)
        }
      })
  }

  private static var long: Format {
    Format<Expectation.Claim>.claim.map { claim, node, reader in
      Expectation(
        claim: claim, text: claim.sentence(reminders: reader.names.reminders.all), position: node.position)
    }
  }
}

extension Format<Expectation.Claim> {
  fileprivate static var claim: Format {
    .object("An expectation") { fields in
      let id = fields.optional("reminder", .scalar(.reminderID), "which reminder it is about")
      let verbs = verbs(fields)
      let count = fields.optional("times", .scalar(.longCount), "how often; at least once if missing")
      let occasion = occasion(fields)
      let until = fields.optional("until", .scalar(.timeOfDay), "with 'deferred': when it is released")
      let metric = metric(fields, of: id)
      let only = fields.optional(
        "only", .list(of: .scalar(.reminderID), minimum: 1), "no reminder but these fires")
      let exact = fields.optional(
        "exact", .list(of: .exactFire), "these fires, each once, and no others; an empty list: none at all")
      let app = fields.optional("app", AppSentences.long, "something that the app shows, asks or reaches")
      let gate = fields.optional("gate", .scalar(.gate), "the gate that comes out with 'verdict'")
      let verdict = fields.optional("verdict", .scalar(.verdict), "with 'gate': how it comes out")
      let kind = fields.exactlyOne(of: ["metric", "gate", "only", "exact", "app"] + verbs.map(\.key))
      if fields.isPresent("gate") != fields.isPresent("verdict") {
        fields.error("'gate' and 'verdict' go together", at: fields.isPresent("gate") ? "gate" : "verdict")
      }
      if let metric { return metric }
      if let gate, let verdict { return .gate(gate, verdict) }
      if let only { return .only(only) }
      if let exact { return .exact(exact) }
      if var app {
        app.count = count ?? .atLeast(1)
        app.occasion = occasion
        return .app(app)
      }
      guard let kind, let verb = verbs.first(where: { $0.key == kind }) else { return nil }
      if !fields.isPresent("reminder") { fields.error("'\(kind)' needs 'reminder'", at: kind) }
      if until != nil, kind != "deferred" { fields.error("'until' belongs to 'deferred'", at: "until") }
      if fields.isPresent("times"), kind == "fires" {
        fields.error("'fires' says how often itself", at: "times")
      }
      guard let id, var ending = verb.claim else { return nil }
      if case .ends(_, .deferred(let reason, _), _, _) = ending {
        ending = .ends(id, .deferred(reason, until: until), .atLeast(1), .always)
      }
      switch ending {
      case .fires(_, let number, _): return .fires(id, number, occasion)
      case .ends(_, let ending, _, _): return .ends(id, ending, count ?? .atLeast(1), occasion)
      default: return nil
      }
    }
  }

  /// The keys that say what is expected of a reminder; the reminder, count and occasion are filled in later.
  private static func verbs(_ fields: Fields) -> [(key: String, claim: Expectation.Claim?)] {
    let anyone = ReminderID(UInt32(0))
    func ending(_ key: String, _ atom: Atom<Reason?>, _ doc: String, _ make: (Reason?) -> Expectation.Ending?)
      -> (key: String, claim: Expectation.Claim?)
    {
      let reason = fields.optional(key, .scalar(atom), doc)
      return (key, reason.flatMap(make).map { .ends(anyone, $0, .atLeast(1), .always) })
    }
    let fires = fields.optional("fires", .scalar(.longCount), "how often it fires")
    return [
      ("fires", fires.map { .fires(anyone, $0, .always) }),
      ending("denied", .anyOr(.schedulerReason), "the scheduler's reason, or any") { .denied($0) },
      ending("deferred", .anyOr(.schedulerReason), "the scheduler's reason, or any") {
        .deferred($0, until: nil)
      },
      ending("notRequested", .some(.noRequestReason), "why no request is made") {
        $0.map { .notRequested($0) }
      },
      ending("lost", .some(.lossReason), "what it is lost to") { $0.map { .lost($0) } },
    ]
  }

  private static func occasion(_ fields: Fields) -> Occasion {
    let between = fields.optional("between", .window, "the part of the day in which it is expected")
    let at = fields.optional("at", .scalar(.timeOfDay), "the minute, or with seconds the second")
    let offset = fields.optional(
      "offset", .scalar(.utcOffset), "with 'at': the offset from UTC, where clocks show a time twice")
    let date = fields.optional("date", .scalar(.date), "the local date")
    if offset != nil, at == nil { fields.error("'offset' needs 'at'", at: "offset") }
    if between != nil, at != nil { fields.error("'at' cannot stand beside 'between'", at: "at") }
    if let between, between.isEmpty { fields.error("an empty window", at: "between") }
    var time = between.map { Occasion.Range(from: Int32($0.from * 60_000), to: Int32($0.to * 60_000)) }
    if let at {
      let end = at + (at % 60_000 == 0 ? 60_000 : 1_000)
      time = Occasion.Range(from: at, to: end == 86_400_000 ? 0 : end)
    }
    return Occasion(time: time, date: date, offset: offset)
  }

  private static func metric(_ fields: Fields, of id: ReminderID?) -> Expectation.Claim? {
    let metric = fields.optional("metric", .scalar(.metric), "a figure of the run, or of 'reminder'")
    let comparison = fields.optional("comparison", .scalar(.comparison), "with 'metric': how it is compared")
    let value = fields.optional("value", .word, "with 'metric': the bound, a number or a percentage")
    guard let metric else { return nil }
    if id != nil, metric.isOfPerson {
      fields.error("'\(metric.name)' is a figure of the person, not of a reminder", at: "metric")
    }
    guard let comparison, let value, let reader = fields.reader else {
      if !fields.isPresent("comparison") || !fields.isPresent("value") {
        fields.error("'metric' needs 'comparison' and 'value'", at: "metric")
      }
      return nil
    }
    return ExpectationSentences.bound(value, of: metric, reader).map {
      .metric(metric, of: id, comparison, millionths: $0)
    }
  }
}

extension Format<Expectation.ExactFire> {
  fileprivate static var exactFire: Format {
    Format.short(
      .scalar(.exactFire),
      orLong: .object("A reminder, and when it fires") { fields in
        let id = fields.required("reminder", .scalar(.reminderID), "which reminder")
        let at = fields.required("at", .scalar(.timeOfDay), "the minute, or with seconds the second")
        let date = fields.optional("date", .scalar(.date), "the local date; any if missing")
        guard let id, let at else { return nil }
        let end = at + (at % 60_000 == 0 ? 60_000 : 1_000)
        let range = Occasion.Range(from: at, to: end == 86_400_000 ? 0 : end)
        return Expectation.ExactFire(reminder: id, occasion: Occasion(time: range, date: date))
      })
  }
}

extension Atom<Reason?> {
  /// The reason as it is.
  fileprivate static func some(_ atom: Atom<Reason>) -> Atom {
    atom.map { reason, _, _ in .some(reason) }
  }

  /// A reason, or the word `any`.
  fileprivate static func anyOr(_ atom: Atom<Reason>) -> Atom {
    Atom(name: atom.name, meaning: "\(atom.meaning), or any", pattern: "any|\(atom.pattern)") {
      word, reader in
      word.text == "any" ? .some(nil) : atom.parse(word, reader).map { .some($0) }
    }
  }
}

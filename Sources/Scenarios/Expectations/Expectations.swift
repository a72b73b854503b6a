import ReminderMatching
package import ScenarioModel
package import TextFormats
import TriggerModel

extension Format<Expectation> {
  /// An expectation of a run: a sentence, or a mapping.
  package static var expectation: Format<Expectation> {
    Format.short(sentence, orLong: long).checked { expectation, _, reader in
      guard expectation.claim.isAboutDuplicates, !reader.names.hasSync else { return expectation }
      reader.error(
        "'\(expectation.text)' cannot be checked: the scenario has no sync", at: expectation.position,
        hint: "doubled notifications are counted where devices share changes: 'sync: {delay: 10 s}'")
      return nil
    }.named("expectation")
  }

  private static var sentence: Format {
    shortForm("an expectation", schema: ExpectationSentences.schema) { words, node, reader in
      let words = words.joiningReminders(reader)
      return ExpectationSentences.parse(words, reader).map {
        Expectation(claim: $0, text: words.joined.text, position: node.position)
      }
    }
  }

  private static var long: Format {
    .object("An expectation") { fields in
      let claim = claim(fields)
      let words = fields.optional(
        "words", .scalar(.text),
        "the statement in the words of reports; derived from the other keys if missing",
        from: { expectation in
          fields.writer.flatMap { writer in
            let reminders = writer.known.scenario.reminders.map(\.declaration.id)
            return expectation.text == expectation.claim.sentence(reminders: reminders)
              ? nil : expectation.text.unlessEmpty
          }
        })
      guard let claim, let reader = fields.reader else { return nil }
      return Expectation(
        claim: claim, text: words ?? claim.sentence(reminders: reader.names.reminders.all),
        position: fields.position)
    }
    .writing { expectation in
      guard let occasion = expectation.claim.occasion else { return nil }
      return occasion.offset == nil || occasion.moment != nil
        ? nil : "an offset goes with a minute or a second"
    }
  }

  private static func claim(_ fields: Fields<Expectation>) -> Expectation.Claim? {
    let id = fields.optional(
      "reminder", .scalar(.reminderID), "which reminder it is about", from: \.claim.reminder)
    let verbs = verbs(fields)
    let count = fields.optional(
      "times", .scalar(.longCount), "how often; at least once if missing", from: \.claim.times)
    var occasion = occasion(fields)
    occasion.device = fields.optional(
      "device", .scalar(.deviceName),
      "with 'reminder': the person's device on which it is; any of them if missing",
      from: \.claim.occasion?.device)
    if occasion.device != nil, id == nil { fields.error("'device' needs 'reminder'", at: "device") }
    let until = fields.optional(
      "until", .scalar(.timeOfDay), "with 'deferred': when it is released",
      from: { if case .ends(_, .deferred(_, let until), _, _) = $0.claim { until } else { nil } })
    let metric = metric(fields, of: id)
    let only = fields.optional(
      "only", .list(of: .scalar(.reminderID), minimum: 1), "only these reminders fire",
      from: { if case .only(let reminders) = $0.claim { reminders } else { nil } })
    let exact = fields.optional(
      "exact", .list(of: .exactFire), "these fires, each once, and no others; an empty list: none at all",
      from: { if case .exact(let fires) = $0.claim { fires } else { nil } })
    let app = fields.optional(
      "app", AppSentences.long, "something that the app shows, asks or reaches",
      from: { if case .app(let claim) = $0.claim { claim } else { nil } })
    let view = fields.optional(
      "view", ViewSentences.long, "what a list of the app shows at the moment of 'at' and 'date'",
      from: { if case .view(let claim) = $0.claim { claim } else { nil } })
    let gate = fields.optional(
      "gate", .scalar(.gate), "the gate whose verdict is 'verdict'",
      from: { if case .gate(let gate, _) = $0.claim { gate } else { nil } })
    let verdict = fields.optional(
      "verdict", .scalar(.oneCase("VERDICT", "pass, kill or inconclusive", \.rawValue)),
      "with 'gate': the expected verdict",
      from: { if case .gate(_, let verdict) = $0.claim { verdict } else { nil } })
    let kind = fields.exactlyOne(of: ["metric", "gate", "only", "exact", "app", "view"] + verbs.map(\.key))
    if fields.isPresent("gate") != fields.isPresent("verdict") {
      fields.error("'gate' and 'verdict' go together", at: fields.isPresent("gate") ? "gate" : "verdict")
    }
    if let metric {
      if occasion.device != nil { fields.error("a figure covers all devices", at: "device") }
      return metric
    }
    if let gate, let verdict { return .gate(gate, verdict) }
    if let only { return .only(only) }
    if let exact { return .exact(exact) }
    if var app {
      app.count = count ?? .atLeast(1)
      app.occasion = occasion
      return .app(app)
    }
    if var view {
      view.occasion = occasion
      guard ViewSentences.isMoment(occasion) else {
        fields.error("'view' needs 'date' and 'at'", at: "view")
        return nil
      }
      return .view(view)
    }
    guard let kind, let verb = verbs.first(where: { $0.key == kind }) else { return nil }
    if !fields.isPresent("reminder") { fields.error("'\(kind)' needs 'reminder'", at: kind) }
    if until != nil, kind != "deferred" { fields.error("'until' belongs to 'deferred'", at: "until") }
    if fields.isPresent("times"), kind == "fires" {
      fields.error("'fires' gives the count already", at: "times")
    }
    guard let id, var ending = verb.claim else { return nil }
    if case .ends(_, .deferred(let reason, _), _, _) = ending {
      ending = .ends(id, .deferred(reason, until: until), .atLeast(1), .always)
    }
    switch ending {
    case .fires(_, let number, _): return .fires(id, number, occasion)
    case .shows(_, let title, _, _): return .shows(id, title: title, count ?? .atLeast(1), occasion)
    case .ends(_, let ending, _, _): return .ends(id, ending, count ?? .atLeast(1), occasion)
    default: return nil
    }
  }

  /// Reads the keys for claims about a reminder. The reminder, the count and the occasion in the result are
  /// placeholders, which the caller replaces.
  private static func verbs(_ fields: Fields<Expectation>) -> [(key: String, claim: Expectation.Claim?)] {
    let anyone = ReminderID(UInt32(0))
    func ending<Said>(
      _ key: String, _ atom: Atom<Said>, _ doc: String, _ make: (Said) -> Expectation.Ending,
      from part: (Expectation.Ending) -> Said?
    ) -> (key: String, claim: Expectation.Claim?) {
      let reason = fields.optional(
        key, .scalar(atom), doc,
        from: { if case .ends(_, let ending, _, _) = $0.claim { part(ending) } else { nil } })
      return (key, reason.map { .ends(anyone, make($0), .atLeast(1), .always) })
    }
    let fires = fields.optional(
      "fires", .scalar(.longCount), "how often it fires",
      from: { if case .fires(_, let count, _) = $0.claim { count } else { nil } })
    let shows = fields.optional(
      "shows", .scalar(.text), "the title of its notifications",
      from: { if case .shows(_, let title, _, _) = $0.claim { title } else { nil } })
    return [
      ("shows", shows.map { .shows(anyone, title: $0, .atLeast(1), .always) }),
      ("fires", fires.map { .fires(anyone, $0, .always) }),
      ending("denied", .anyOr(.schedulerReason), "the scheduler's reason, or any", { .denied($0) }) {
        if case .denied(let reason) = $0 { .some(reason) } else { nil }
      },
      ending(
        "deferred", .anyOr(.schedulerReason), "the scheduler's reason, or any", { .deferred($0, until: nil) }
      ) { if case .deferred(let reason, _) = $0 { .some(reason) } else { nil } },
      ending("notRequested", .noRequestReason, "why no request is made", { .notRequested($0) }) {
        if case .notRequested(let reason) = $0 { reason } else { nil }
      },
      ending("lost", .lossReason, "what it is lost to", { .lost($0) }) {
        if case .lost(let reason) = $0 { reason } else { nil }
      },
      ending(
        "doubled", .anyOr(.syncCause), "why a second device shows one for the same occasion, or any",
        { .doubled($0) }
      ) { if case .doubled(let cause) = $0 { .some(cause) } else { nil } },
    ]
  }

  private static func occasion(_ fields: Fields<Expectation>) -> Occasion {
    let between = fields.optional(
      "between", Format<Occasion.Range>.window, "the part of the day in which it is expected",
      from: { $0.claim.occasion?.window })
    let at = fields.optional(
      "at", .scalar(.moment), "the minute, or with seconds the second", from: { $0.claim.occasion?.moment })
    let offset = fields.optional(
      "offset", .scalar(.utcOffset), "with 'at': the offset from UTC, where clocks show a time twice",
      from: { $0.claim.occasion?.offset })
    let date = fields.optional("date", .scalar(.date), "the local date", from: { $0.claim.occasion?.date })
    if offset != nil, at == nil { fields.error("'offset' needs 'at'", at: "offset") }
    if between != nil, at != nil { fields.error("'at' and 'between' exclude each other", at: "at") }
    if let between, between.from == between.to { fields.error("an empty window", at: "between") }
    return Occasion(time: at ?? between, date: date, offset: offset)
  }

  private static func metric(_ fields: Fields<Expectation>, of id: ReminderID?) -> Expectation.Claim? {
    let metric = fields.optional(
      "metric", .scalar(.metric), "a figure of the run, or of 'reminder'",
      from: { if case .metric(let metric, _, _, _) = $0.claim { metric } else { nil } })
    let comparison = fields.optional(
      "comparison", .scalar(.comparison), "with 'metric': how it is compared",
      from: { if case .metric(_, _, let comparison, _) = $0.claim { comparison } else { nil } })
    let value = fields.optional(
      "value", .word, "with 'metric': the bound, a number or a percentage",
      from: {
        if case .metric(_, _, _, let bound) = $0.claim {
          Word(Decimal.text(bound, decimals: 6), at: .start)
        } else {
          nil
        }
      })
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
        let id = fields.required("reminder", .scalar(.reminderID), "which reminder", from: \.reminder)
        let at = fields.required(
          "at", .scalar(.moment), "the minute, or with seconds the second", from: \.occasion.moment)
        let offset = fields.optional(
          "offset", .scalar(.utcOffset),
          "the offset from UTC, where clocks show a time twice; any if missing",
          from: \.occasion.offset)
        let date = fields.optional(
          "date", .scalar(.date), "the local date; any if missing", from: \.occasion.date)
        guard let id, let at else { return nil }
        return Expectation.ExactFire(
          reminder: id, occasion: Occasion(time: at, date: date, offset: offset))
      })
  }
}

// MARK: - Writing

extension Expectation.Claim {
  fileprivate var reminder: ReminderID? {
    switch self {
    case .fires(let reminder, _, _), .ends(let reminder, _, _, _), .shows(let reminder, _, _, _): reminder
    case .metric(_, let reminder, _, _): reminder
    case .gate, .only, .exact, .app, .view: nil
    }
  }

  /// The expected count, or `nil` if the claim has none.
  var count: Expectation.Count? {
    if case .fires(_, let count, _) = self { count } else { times }
  }

  /// The expected count, or `nil` if the long form has no separate key for it.
  fileprivate var times: Expectation.Count? {
    switch self {
    case .ends(_, _, let count, _), .shows(_, _, let count, _): count
    case .app(let claim): claim.count
    case .fires, .metric, .gate, .only, .exact, .view: nil
    }
  }

  var occasion: Occasion? {
    switch self {
    case .fires(_, _, let occasion), .ends(_, _, _, let occasion), .shows(_, _, _, let occasion): occasion
    case .app(let claim): claim.occasion
    case .view(let claim): claim.occasion
    case .metric, .gate, .only, .exact: nil
    }
  }
}

extension Occasion {
  /// The time if it is exactly one minute or second; otherwise, `nil`.
  fileprivate var moment: Range? { time.flatMap { $0.moment == nil ? nil : $0 } }

  /// The time if it is a longer part of the day; otherwise, `nil`.
  fileprivate var window: Range? { time.flatMap { $0.moment == nil ? $0 : nil } }
}

extension Atom {
  /// Returns an atom that also accepts the word `any` and parses it as `nil`.
  fileprivate static func anyOr<Said>(_ atom: Atom<Said>) -> Atom where Value == Said? {
    Atom(
      name: atom.name, meaning: "\(atom.meaning), or any", pattern: "any|\(atom.pattern)",
      write: { said, writer in said.map { atom.write($0, writer) } ?? "any" }
    ) { word, reader in
      word.text == "any" ? .some(nil) : atom.parse(word, reader).map { .some($0) }
    }
  }
}

extension Expectation.Claim {
  /// Returns the claim in the notation of scenario files. Parsing the text returns the same claim.
  ///
  /// `only` and `exact` have no short form, so they are written as a mapping on one line.
  package func sentence(reminders: [String]) -> String {
    func name(_ id: ReminderID) -> String {
      reminders[id.index] + (occasion?.device.map { " on \($0)" } ?? "")
    }
    switch self {
    case .fires(let id, .exactly(0), let occasion): return name(id) + " never" + occasion.phrase
    case .fires(let id, let count, let occasion): return "\(name(id)) fires \(count.phrase)\(occasion.phrase)"
    case .shows(let id, let title, .exactly(0), let occasion):
      return "\(name(id)) never shows \(QuotedText.write(title, inSentence: true))\(occasion.phrase)"
    case .shows(let id, let title, let count, let occasion):
      return
        "\(name(id)) shows \(QuotedText.write(title, inSentence: true)) \(count.phrase)\(occasion.phrase)"
    case .ends(let id, let ending, let count, let occasion):
      return "\(name(id)) is \(ending.phrase) \(count.phrase)\(occasion.phrase)"
    case .metric(let metric, let id, let comparison, let value):
      let sign = ExpectationSentences.comparisons.first { $0.1 == comparison }?.0 ?? "="
      return "\(id.map { name($0) + " " } ?? "")\(metric.name) \(sign) \(metric.text(ofMillionths: value))"
    case .gate(let name, .pass): return "gate \(name) passes"
    case .gate(let name, .kill): return "gate \(name) kills"
    case .gate(let name, .inconclusive): return "gate \(name) is inconclusive"
    case .only(let ids): return "only: [" + ids.map(name).joined(separator: ", ") + "]"
    case .app(let claim): return claim.sentence
    case .view(let claim): return claim.sentence(reminders: reminders)
    case .exact(let fires):
      let items = fires.map { $0.sentence(reminders: reminders) }
      return "exact: [" + items.joined(separator: ", ") + "]"
    }
  }
}

extension Expectation.ExactFire {
  /// Returns one element of the list, such as `milk at 17:42 on 2026-03-02`.
  package func sentence(reminders: [String]) -> String { reminders[reminder.index] + occasion.phrase }
}

extension Expectation.Count {
  var phrase: String {
    func times(_ number: Int) -> String {
      switch number {
      case 1: "once"
      case 2: "twice"
      default: "\(number) times"
      }
    }
    return switch self {
    case .exactly(let number): times(number)
    case .atLeast(let number): "at least " + times(number)
    case .atMost(let number): "at most " + times(number)
    }
  }
}

extension Expectation.Ending {
  fileprivate var phrase: String {
    func by(_ reason: Reason?) -> String { reason.map { " by \($0.name)" } ?? "" }
    return switch self {
    case .denied(let reason): "denied" + by(reason)
    case .deferred(let reason, let until):
      "deferred" + by(reason) + (until.map { " until \(Clock.text($0))" } ?? "")
    case .notRequested(let reason): "not requested because " + reason.name
    case .lost(let reason): "lost to " + reason.name
    case .doubled(let cause): "doubled" + (cause.map { " by \($0.name)" } ?? "")
    }
  }
}

extension Occasion {
  /// The occasion with a leading space, or an empty string if it is any time.
  var phrase: String {
    var phrase = ""
    if let time {
      phrase =
        time.moment.map { " at \($0)" + (offset.map { " \(UTCOffset.text($0))" } ?? "") }
        ?? " between \(Clock.text(time.from)) and \(Clock.text(time.to))"
    }
    if let date { phrase += " on \(date.text)" }
    return phrase
  }
}

extension Metric {
  /// Returns a bound as a percentage for shares, and as a number for other metrics.
  fileprivate func text(ofMillionths value: Int64) -> String {
    isShare ? Decimal.text(value, decimals: 4) + " %" : Decimal.text(value, decimals: 6)
  }
}

import ReminderMatching
package import ScenarioModel
package import TextFormats
package import TriggerModel

extension Grammar<Measure> {
  /// The measure of a gate.
  static var measure: Grammar {
    Grammar(
      meaning: "something that a gate judges",
      phrases: [
        Phrase("conversion of", .reminderGroup, "to", .truthFact, "within", .duration) {
          .conversion(of: $0, goal: $1, within: $2)
        },
        Phrase("lift of", .numberFact, "by", .reminderGroup) { .lift($0, by: $1) },
        Phrase("weeklyActive") { .weeklyActive(of: nil) },
        Phrase("weeklyActive of", .reminderGroup) { .weeklyActive(of: $0) },
        Phrase("", .share, "of", .reminderGroup) { .share($0, of: $1) },
        Phrase("", .share) { .share($0, of: nil) },
      ])
  }
}

/// Gates as sentences: `tapThrough of trainingDay >= 25 %, kill < 10 % after 30 days`.
package enum GateSentences {
  static let example = "tapThrough >= 25 %, kill < 5 % after 30 days"

  /// The values of the sentence's parts.
  package struct Parts {
    package var measure: Measure
    package var words: String
    package var target: Bound
    package var kill: Gate.KillCriterion?
  }

  package static func parse(_ sentence: Words, _ reader: Reader) -> Parts? {
    let (head, clauses) = sentence.clauses(at: ["kill", "after"])
    let signs = Bound.Side.allCases.map(\.rawValue)
    guard let split = head.texts.firstIndex(where: signs.contains), split > 0 else {
      reader.error(
        "a gate needs a measure and a target", at: sentence.position,
        hint: "such as '\(example)'")
      return nil
    }
    let measured = head.prefix(split)
    let measure = Grammar<Measure>.measure.parse(measured, reader)
    let target = Atom<Bound>.bound.parse(withoutComma(head.dropFirst(split).joined), reader)
    var kill: Gate.KillCriterion?
    if let first = clauses.first {
      kill = killCriterion(first, clauses.dropFirst(), reader)
      if kill == nil { return nil }
    }
    guard let measure, let target else { return nil }
    return Parts(measure: measure, words: measured.joined.text, target: target, kill: kill)
  }

  private static func killCriterion(
    _ first: (keyword: Word, body: Words), _ others: ArraySlice<(keyword: Word, body: Words)>,
    _ reader: Reader
  ) -> Gate.KillCriterion? {
    let isInOrder = first.keyword.text == "kill" && others.allSatisfy { $0.keyword.text == "after" }
    guard isInOrder, others.count <= 1 else {
      reader.error(
        "'\(first.keyword.text)' is in the wrong place", at: first.keyword.position,
        hint: "such as '\(example)'")
      return nil
    }
    guard !first.body.isEmpty else {
      reader.error(
        "a bound is missing after 'kill'", at: first.keyword.position, hint: "such as 'kill < 5 %'")
      return nil
    }
    guard let bound = Atom<Bound>.bound.parse(first.body.joined, reader) else { return nil }
    guard let after = others.first else { return Gate.KillCriterion(bound: bound, after: .zero) }
    guard !after.body.isEmpty else {
      reader.error(
        "a duration is missing after 'after'", at: after.keyword.position, hint: "such as 30 days")
      return nil
    }
    return Atom<TimeSpan>.duration.parse(after.body.joined, reader)
      .map { Gate.KillCriterion(bound: bound, after: $0) }
  }

  /// Returns the word without its trailing comma. There may be a comma before `kill`.
  private static func withoutComma(_ word: Word) -> Word {
    guard word.text.hasSuffix(",") else { return word }
    return Word(
      word.text.dropLast().split(separator: " ").joined(separator: " "), at: word.position)
  }

  /// The schema of a sentence.
  package static var schema: JSONValue {
    let bound = Atom<Bound>.bound.pattern
    let duration = Atom<TimeSpan>.duration.pattern
    let kill = ",? +kill +(?:\(bound))(?: +after +(?:\(duration)))?"
    let measure = Grammar<Measure>.measure
    return [
      "type": "string",
      "description": .string("A gate: '\(example)'. \(measure.waysToSayIt)"),
      "pattern": .string("^(?:\(measure.pattern)) +(?:\(bound))(?:\(kill))?$"),
    ]
  }
}

extension Grammar<Expectation.Claim> {
  /// The expected verdict of a gate.
  static var gateClaim: Grammar {
    Grammar(
      meaning: "a claim about a gate",
      phrases: [
        Phrase("gate", .gate, "passes") { .gate($0, .pass) },
        Phrase("gate", .gate, "kills") { .gate($0, .kill) },
        Phrase("gate", .gate, "is inconclusive") { .gate($0, .inconclusive) },
      ])
  }
}

extension Atom<Metric> {
  /// A metric that is a share. A gate names it without a keyword, as in `tapThrough of milk`.
  static var share: Atom {
    let shares = Metric.allCases.filter(\.isShare)
    let names = shares.map(\.name)
    return Atom(
      name: "SHARE", meaning: "a share such as tapThrough", pattern: names.joined(separator: "|"),
      write: onlyInSentences
    ) { word, reader in
      if let share = shares.first(where: { $0.name == word.text }) { return share }
      if let metric = Metric(rawValue: word.text) {
        reader.error(
          "'\(metric.name)' is not a share, and gates judge only shares", at: word.position,
          hint: "put its bound under 'expect'")
        return nil
      }
      let phrases = Grammar<Measure>.measure.phrases.map(\.template)
      // Suggest a phrase that begins with the word. If there is none, suggest the nearest name, or list all
      // options.
      let begun = phrases.first { $0.hasPrefix(word.text + " ") }
      let meant =
        begun ?? NearestNames.likely(word.text, among: names + ["conversion", "lift", "weeklyActive"])
      reader.error(
        "'\(word.text)' is not something that a gate judges", at: word.position,
        hint: meant.map { "did you mean '\($0)'?" }
          ?? "it is one of \((names + phrases.filter { !$0.hasPrefix("SHARE") }).joined(separator: ", "))")
      return nil
    }
  }
}

extension Atom<ReminderGroup> {
  /// The reminders of a notification type, the reminders in a bucket, or a single reminder. If a name has
  /// several of these meanings, the first one applies.
  package static var reminderGroup: Atom {
    let reminder = Atom<String>.reminder
    return Atom(
      name: "REMINDER", meaning: "the name of a reminder, of a notification type, or of a bucket",
      pattern: reminder.pattern,
      write: { group, _ in .string(group.name) }
    ) { word, reader in
      let all = reader.names.reminders.all
      let declarations = reader.names.reminderDeclarations
      let ids = all.indices.filter { index in
        (declarations[index]?.notification.type ?? ReminderName.template(of: all[index])) == word.text
      }.map { ReminderID($0) }
      if !ids.isEmpty {
        return ReminderGroup(name: word.text, reminders: ids)
      }
      let inBucket = all.indices.filter { index in
        (declarations[index]?.notification.bucket ?? .standard).name == word.text
      }.map { ReminderID($0) }
      if !inBucket.isEmpty, reader.names.reminders.position(of: word.text) == nil {
        return ReminderGroup(name: word.text, reminders: inBucket)
      }
      return Atom<ReminderID>.reminderID.parse(word, reader).map {
        ReminderGroup(name: word.text, reminders: [$0])
      }
    }
  }
}

extension Atom<FactID> {
  /// A fact of the kind `truth`.
  package static var truthFact: Atom<FactID> { factID(of: .truth, "true or false") }

  /// A fact of the kind `number`.
  package static var numberFact: Atom<FactID> { factID(of: .number, "a number") }

  private static func factID(of kind: FactKind, _ what: String) -> Atom {
    Atom<FactID>.factID.checked { fact, word, reader in
      // Errors in the declaration have already been reported.
      guard let declaration = reader.names.factDeclarations[fact.index] else { return nil }
      if declaration.kind == kind { return fact }
      reader.error("'\(word.text)' is not a fact that is \(what)", at: word.position)
      FactConstants.reportConflict(of: declaration, from: word.position, reader)
      return nil
    }
  }
}

extension Atom<Bound> {
  /// A bound such as `>= 25 %`.
  package static var bound: Atom { bound(.ratio, such: ">= 25 % or < 5 %") }

  /// Returns an atom for a comparison operator followed by a number.
  ///
  /// - Parameter examples: Two examples for the reference.
  package static func bound(_ number: Atom<Int64>, such examples: String) -> Atom<Bound> {
    let sides = Bound.Side.allCases.map(\.rawValue)
    return Atom(
      name: "BOUND", meaning: "a bound such as \(examples)",
      pattern: "(?:\(sides.joined(separator: "|"))) *(?:\(number.pattern))",
      write: { bound, _ in .string(bound.text) }
    ) { word, reader in
      guard let side = Bound.Side.allCases.first(where: { word.text.hasPrefix($0.rawValue) }) else {
        reader.error(
          "'\(word.text)' is not a bound such as >= 25 %", at: word.position,
          hint: "it begins with one of \(sides.joined(separator: ", "))")
        return nil
      }
      let rest = word.text.dropFirst(side.rawValue.count)
      let digits = rest.drop { $0 == " " }
      let column = word.text.unicodeScalars.count - digits.unicodeScalars.count
      guard !digits.isEmpty else {
        reader.error("a number is missing after '\(side.rawValue)'", at: word.position)
        return nil
      }
      return number.parse(Word(String(digits), at: word.position.advanced(by: column)), reader)
        .map { Bound(side: side, millionths: $0) }
    }
  }
}

extension Atom<String> {
  /// The name of a gate in this file.
  static var gate: Atom {
    Atom(
      name: "GATE", meaning: "the name of a gate", pattern: ".+", write: { name, _ in .string(name) }
    ) { word, reader in
      guard let known = reader.names.gates else { return word.text }
      guard known.position(of: word.text) != nil else {
        reader.error(
          "unknown gate '\(word.text)'", at: word.position,
          declaredUnder: "gates",
          hint: NearestNames.hint(for: word.text, among: known.all) ?? "declare it under 'gates'")
        return nil
      }
      return word.text
    }
  }
}

package import ScenarioModel
package import TextFormats
package import TriggerModel

extension Atom<Metric> {
  /// A metric that a gate can judge without saying more than its name.
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
          "'\(metric.name)' is no share, and a gate judges shares", at: word.position,
          hint: "put its bound under 'expect'")
        return nil
      }
      let phrases = Grammar<Measure>.measure.phrases.map(\.template)
      // A phrase that begins so and goes on otherwise, a misspelt name, or all that there is.
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
  /// A type of notification for all reminders that send it, a bucket for all that are in it, or else a reminder: a
  /// name that is several of these means the first.
  package static var reminderGroup: Atom {
    let reminder = Atom<String>.reminder
    return Atom(
      name: "REMINDER", meaning: "the name of a reminder, of a notification type, or of a bucket",
      pattern: reminder.pattern,
      write: { group, _ in .string(group.name) }
    ) { word, reader in
      let types = reader.names.typesOfReminders
      let ids = types.indices.filter { types[$0] == word.text }.map { ReminderID($0) }
      if !ids.isEmpty {
        return ReminderGroup(name: word.text, reminders: ids)
      }
      let buckets = reader.names.bucketsOfReminders
      let inBucket = buckets.indices.filter { buckets[$0].name == word.text }.map { ReminderID($0) }
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
  /// A fact that is true or false.
  package static var truthFact: Atom<FactID> { factID(of: .truth, "true or false") }

  /// A fact that is a number.
  package static var numberFact: Atom<FactID> { factID(of: .number, "a number") }

  private static func factID(of kind: FactKind, _ what: String) -> Atom {
    Atom<FactID>.factID.checked { fact, word, reader in
      // Wrong declarations have been reported.
      guard let declaration = reader.names.factDeclarations[fact.index] else { return nil }
      if declaration.kind == kind { return fact }
      reader.error("'\(word.text)' is not a fact that is \(what)", at: word.position)
      FactConstants.pointToChange(of: declaration, from: word.position, reader)
      return nil
    }
  }
}

extension Atom<Bound> {
  /// `>= 25 %`
  package static var bound: Atom { bound(.ratio, such: ">= 25 % or < 5 %") }

  /// A side, and a number behind it.
  ///
  /// - Parameter examples: Two of them, for the reference.
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
        reader.error("a number is missing behind '\(side.rawValue)'", at: word.position)
        return nil
      }
      return number.parse(Word(String(digits), at: word.position.advanced(by: column)), reader)
        .map { Bound(side: side, millionths: $0) }
    }
  }
}

extension Atom<GateVerdict> {
  static var verdict: Atom {
    .choice("VERDICT", "pass, kill or inconclusive", GateVerdict.allCases.map { ($0.rawValue, $0) })
  }
}

extension Atom<String> {
  /// The name of a gate of this file.
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

package import CivilTime
package import ReminderMatching
package import TextFormats

extension Format<Condition> {
  /// A condition that must hold when the trigger occurs. It is a sentence, or a mapping with one key.
  package static var condition: Format {
    Format.short(sentence, orLong: long).named("condition")
  }

  private static var grammar: Grammar<Condition> {
    Grammar(
      meaning: "a condition", topic: "conditions",
      phrases: [
        Phrase("charging") { .charging(true) },
        Phrase("not charging") { .charging(false) },
        Phrase("on", .days) { .weekdays($0) },
        Phrase("after", .laterMinute) { .timeWindow(DailyWindow(from: $0, to: 0)) },
        Phrase("before", .laterMinute) { .timeWindow(DailyWindow(from: 0, to: $0)) },
        Phrase("between", .minuteOfDay, "and", .minuteOfDay) { .timeWindow(DailyWindow(from: $0, to: $1)) },
        Phrase("inside", .place) { .inside($0) },
        Phrase("outside", .place) { .outside($0) },
        Phrase("weekdays") { .weekdays(.weekdays) },
        Phrase("weekend") { .weekdays(.weekend) },
      ])
  }

  private static var sentence: Format {
    let grammar = grammar
    let window = Atom<DailyWindow>.window
    return .readOnly(
      schema: { _ in
        .fitting(
          "\(grammar.pattern)|\(window.pattern)|\(FactSentences.pattern)",
          description:
            "A condition: charging, a time of day, weekdays, a place, or a comparison of a fact with a constant"
        )
      },
      read: { node, reader in
        guard case .scalar(let text) = node.content, !text.isEmpty else {
          if !CombinedConditions.isReported(node, reader) {
            reader.error("expected a condition, not \(node.kindName)", at: node.position)
          }
          return nil
        }
        let words = Words(text, of: node)
        if CombinedConditions.isReported(words, reader) { return nil }
        return reader.read(words, as: grammar.meaning, in: .conditions) {
          read($0, grammar, window, reader)
        }
      })
  }

  private static func read(
    _ words: Words, _ grammar: Grammar<Condition>, _ window: Atom<DailyWindow>, _ reader: Reader
  ) -> Condition? {
    if words.count == 1, let first = words.first, first.text.first?.isNumber == true {
      return window.parse(first, reader).flatMap { checked(.timeWindow($0), at: first.position, reader) }
    }
    if !isOfPlace(words), FactSentences.isFact(words, reader) {
      return FactSentences.parse(words, reader).map { .fact($0) }
    }
    return grammar.parse(words, reader).flatMap { checked($0, at: words.position, reader) }
  }

  /// Returns whether a sentence is about a place, even if the place has the name of an operator, such as
  /// `in`.
  private static func isOfPlace(_ words: Words) -> Bool {
    words.count == 2 && (words.first?.text == "inside" || words.first?.text == "outside")
  }

  /// Returns the condition, after a warning if it is an empty window, which never holds. This is not an error,
  /// because generated files may contain empty windows.
  private static func checked(_ condition: Condition, at position: SourcePosition, _ reader: Reader)
    -> Condition?
  {
    if case .timeWindow(let window) = condition, window.isEmpty {
      reader.warning(
        "an empty window: this never holds", at: position, hint: "windows include their start, not their end")
    }
    return condition
  }

  private static var long: Format {
    let object = oneKey(
      "A condition",
      of: [
        Alternative(
          "timeWindow", .window, "a part of every local day", make: { .timeWindow($0) },
          from: { if case .timeWindow(let window) = $0 { window } else { nil } }),
        Alternative(
          "weekdays", .scalar(.days), "local days of the week", make: { .weekdays($0) },
          from: { if case .weekdays(let days) = $0 { days } else { nil } }),
        Alternative(
          "inside", .scalar(.place), "a place in which the phone must be", make: { .inside($0) },
          from: { if case .inside(let place) = $0 { place } else { nil } }),
        Alternative(
          "outside", .scalar(.place), "a place in which it must not be", make: { .outside($0) },
          from: { if case .outside(let place) = $0 { place } else { nil } }),
        Alternative(
          "charging", .scalar(.truth), "whether the phone is being charged", make: { .charging($0) },
          from: { if case .charging(let wanted) = $0 { wanted } else { nil } }),
        Alternative(
          "fact", .factCondition, "a comparison of a fact with constants", make: { .fact($0) },
          from: { if case .fact(let fact) = $0 { fact } else { nil } }),
      ])
    return Format(
      schema: object.schema,
      read: { node, reader in
        CombinedConditions.isReported(node, reader) ? nil : object.read(node, reader)
      },
      write: object.write)
  }
}

extension FactWords {
  /// Returns the short form of a condition.
  package func text(_ condition: Condition) -> String {
    switch condition {
    case .timeWindow(let window):
      return "between \(MinuteOfDay.text(window.from)) and \(MinuteOfDay.text(window.to))"
    case .weekdays(.weekdays): return "weekdays"
    case .weekdays(.weekend): return "weekend"
    case .weekdays(let days):
      return "on " + days.names
    case .inside(let place): return "inside \(place)"
    case .outside(let place): return "outside \(place)"
    case .charging(let wanted): return wanted ? "charging" : "not charging"
    case .fact(let fact): return text(fact)
    }
  }

  private func text(_ fact: FactCondition) -> String {
    let constants = fact.constants.map { text($0, of: fact.quantity) }.joined(separator: ", ")
    return "\(fact.quantity.words { $0 }) \(fact.sign(isOfWords: false)) \(constants)"
  }
}

extension FactCondition.Quantity {
  /// Returns the short form of the quantity.
  ///
  /// - Parameter name: Returns the name of a fact in the notation of the sentence.
  func words(_ name: (String) -> String) -> String {
    switch self {
    case .value(let fact): name(fact)
    case .ratio(let a, let b): "\(name(a)) / \(name(b))"
    case .age(let fact): "age(\(fact))"
    case .days(let fact): "days since \(name(fact))"
    case .time(let fact): "time since \(name(fact))"
    }
  }
}

extension FactCondition {
  /// Returns the comparison operator.
  ///
  /// - Parameter isOfWords: Whether the constant is a truth value or a name. Such comparisons use `is`.
  func sign(isOfWords: @autoclosure () -> Bool) -> String {
    let isList = constants.count > 1
    return switch comparison {
    case .less: "<"
    case .lessOrEqual: "<="
    case .greaterOrEqual: ">="
    case .greater: ">"
    case .equal: isList ? "in" : isOfWords() ? "is" : "="
    case .notEqual: isList ? "not in" : isOfWords() ? "is not" : "!="
    }
  }
}

extension Atom<Int> {
  /// A minute of the day other than 00:00. `after 00:00` would always hold, and `before 00:00` never.
  fileprivate static var laterMinute: Atom {
    minuteOfDay.checked { minute, word, reader in
      guard minute > 0 else {
        reader.error(
          "'after 00:00' always holds, and 'before 00:00' never", at: word.position,
          hint: "leave the condition out")
        return nil
      }
      return minute
    }
  }
}

extension Atom<DailyWindow> {
  /// A window of the day, such as `22:00-07:00`.
  package static var window: Atom<DailyWindow> {
    .simple(
      "TIME-TIME", "a window of the day such as 22:00-07:00", pattern: #"\d{1,2}:\d{2} *- *\d{1,2}:\d{2}"#,
      hint: Clock.windowHint,
      write: onlyInSentences
    ) { text in
      let parts = text.split(separator: "-", omittingEmptySubsequences: false)
      let edges = parts.compactMap { part -> Int? in
        let text = part.filter { $0 != " " }
        return text.count > 5 ? nil : Clock.milliseconds(text).map { Int($0 / 60_000) }
      }
      return parts.count == 2 && edges.count == 2 ? DailyWindow(from: edges[0], to: edges[1]) : nil
    }
  }
}

extension Format<DailyWindow> {
  /// A window of the day: `22:00-07:00`, or a mapping with `from` and `to`.
  package static var window: Format<DailyWindow> {
    Format.short(
      .scalar(.window),
      orLong: .object(
        "A part of every local day, half-open; it wraps past midnight when 'to' is not after 'from'"
      ) {
        fields in
        let from = fields.required(
          "from", .scalar(.minuteOfDay), "the first minute of the window", from: \.from)
        let to = fields.required(
          "to", .scalar(.minuteOfDay), "the first minute after the window", from: \.to)
        guard let from, let to else { return nil }
        return DailyWindow(from: from, to: to)
      })
  }
}

extension Format {
  /// Returns a format for windows such as `08:00-20:00`, in milliseconds after midnight. The long form may
  /// contain seconds.
  package static func window(
    _ make: @escaping (_ from: Int32, _ to: Int32) -> Value, orLong long: Format
  ) -> Format {
    let short = Format<DailyWindow>.scalar(.window)
    return .short(
      .readOnly(
        schema: short.schema,
        read: { node, reader in
          short.read(node, reader).map { make(Int32($0.from * 60_000), Int32($0.to * 60_000)) }
        }),
      orLong: long)
  }
}

/// Reports nested conditions, and conditions joined by "or" or "and". Conditions can only be listed, and all listed
/// conditions must hold.
enum CombinedConditions {
  private static let advice =
    "all conditions must hold; for alternatives list several triggers under 'when', or write two reminders"

  private static let alternatives = ["or", "OR", "||"]
  private static let additions = ["and", "AND", "&&"]

  /// Returns whether a sentence combines conditions in an unsupported way. Reports the problem if so.
  static func isReported(_ words: Words, _ reader: Reader) -> Bool {
    if let word = words.words.first(where: { alternatives.contains($0.text) }) {
      reader.error("conditions cannot be joined by 'or'", at: word.position, hint: advice)
      return true
    }
    let isWindow = words.first?.text == "between"
    if !isWindow, let word = words.words.first(where: { additions.contains($0.text) }) {
      reader.error(
        "conditions cannot be joined by 'and'", at: word.position,
        hint: "list them: 'if: [charging, weekdays]'")
      return true
    }
    return false
  }

  /// Returns whether a value nests conditions. Reports the problem if so.
  static func isReported(_ node: Node, _ reader: Reader) -> Bool {
    switch node.content {
    case .sequence:
      reader.error("conditions cannot be nested", at: node.position, hint: advice)
      return true
    case .mapping(let entries):
      if let entry = entries.first(where: { ["or", "any", "all", "and", "not"].contains($0.key) }) {
        reader.error("conditions cannot be nested under '\(entry.key)'", at: entry.keyPosition, hint: advice)
        return true
      }
      // YAML parses `days(since: onboarding) in [2, 5]` without quotes as a mapping.
      if let entry = entries.first(where: { $0.key.hasPrefix("days(") }) {
        reader.error(
          "YAML reads ': ' as the end of a key", at: entry.keyPosition,
          hint: "write 'days since FACT in 2, 5, 10', or put the condition into quotes")
        return true
      }
      return false
    case .scalar: return false
    }
  }
}

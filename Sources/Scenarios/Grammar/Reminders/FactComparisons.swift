import CivilTime
package import ReminderMatching
package import ScenarioModel
package import TextFormats
package import TriggerModel

/// The constants that facts are compared with. The quantity on the left-hand side determines the type of the
/// constants.
package enum FactConstants {
  static func read(_ words: [Word], of quantity: FactCondition.Quantity, _ reader: Reader) -> [FactValue]? {
    let values = words.map { word -> FactValue? in
      switch quantity {
      case .value(let name):
        guard let fact = declaration(name, reader) else { return nil }
        return value(word, of: fact, reader)
      case .ratio: return Atom<Int64>.number.parse(word, reader).map { .number(thousandths: $0) }
      case .age, .time:
        return Atom<TimeSpan>.duration.parse(word, reader).map { .number(thousandths: $0.milliseconds) }
      case .days:
        let unit = [" days", " day"].first { word.text.hasSuffix($0) } ?? ""
        let number = String(word.text.dropLast(unit.count))
        let plain = Word(number, at: word.position)
        return Atom<Int>.count(0...40_000).parse(plain, reader).map {
          .number(thousandths: Int64($0) * 1_000)
        }
      }
    }
    let good = values.compactMap { $0 }
    return good.count == values.count ? good : nil
  }

  /// Reads a value of a fact, according to its declaration.
  package static func value(_ word: Word, of fact: FactDeclaration, _ reader: Reader) -> FactValue? {
    let value = read(word, of: fact, reader)
    if value == nil { reportConflict(of: fact, from: word.position, reader) }
    return value
  }

  /// Reports that a pack uses a fact as one kind while another file declares it as a different kind. The
  /// error is at the declaration.
  package static func reportConflict(
    of fact: FactDeclaration, from position: SourcePosition, _ reader: Reader
  ) {
    guard position.file != 0, position.file != fact.position.file else { return }
    reader.error(
      "this makes '\(fact.name)' a fact of the kind \(fact.kind), but \(reader.files.name(of: position))"
        + " uses it as another kind",
      at: fact.position, hint: "keep its kind, or change what the pack says about it as well")
  }

  private static func read(_ word: Word, of fact: FactDeclaration, _ reader: Reader) -> FactValue? {
    switch fact.kind {
    case .truth: return Atom<Bool>.truth.parse(word, reader).map { .truth($0) }
    case .number: return Atom<Int64>.number.parse(word, reader).map { .number(thousandths: $0) }
    case .instant:
      return Atom<LocalDateTime>.dateTime.parse(word, reader).flatMap { local in
        reader.scenario.startZone.map { .instant($0.instant(of: local.localTime)) }
      }
    case .date: return Atom<CivilDate>.knownDate.parse(word, reader).map { .date($0) }
    case .name:
      guard let position = fact.names.firstIndex(of: word.text) else {
        reader.error(
          "'\(word.text)' is not a value of '\(fact.name)'", at: word.position,
          hint: NearestNames.hint(for: word.text, among: fact.names))
        return nil
      }
      return .name(position)
    }
  }

  /// Returns the comparison, or `nil` after reporting that the operator does not apply to the quantity.
  static func condition(
    _ quantity: FactCondition.Quantity, _ comparison: FactCondition.Comparison, _ constants: [FactValue],
    reason: Reason?, at position: SourcePosition, _ reader: Reader
  ) -> FactCondition? {
    let isEquality = comparison == .equal || comparison == .notEqual
    if constants.count > 1, !isEquality {
      reader.error(
        "this comparison takes one constant", at: position, hint: "use 'in' or 'not in' with a list")
      return nil
    }
    let needs: [(String, [FactKind])] =
      switch quantity {
      case .value, .age: []
      case .ratio(let a, let b): [(a, [.number]), (b, [.number])]
      case .days(let name): [(name, [.instant, .date])]
      case .time(let name): [(name, [.instant])]
      }
    for (name, kinds) in needs {
      guard let fact = declaration(name, reader) else { return nil }
      guard kinds.contains(fact.kind) else {
        reader.error("the fact '\(name)' is of the kind \(fact.kind), not \(kinds[0])", at: position)
        reportConflict(of: fact, from: position, reader)
        return nil
      }
    }
    if case .value(let name) = quantity, !isEquality, let fact = declaration(name, reader),
      fact.kind == .truth || fact.kind == .name
    {
      reader.error(
        "the values of the fact '\(name)' have no order", at: position,
        hint: "compare it with 'is', 'is not', 'in' or 'not in'")
      reportConflict(of: fact, from: position, reader)
      return nil
    }
    return FactCondition(quantity, comparison, constants, reason: reason ?? .conditionFailed)
  }

  package static func declaration(_ name: String, _ reader: Reader) -> FactDeclaration? {
    reader.names.facts.position(of: name).flatMap { reader.names.factDeclarations[$0] }
  }
}

// MARK: - Writing

extension FactConstants {
  /// Returns a constant of a comparison in the notation of scenario files.
  package static func word(
    _ constant: FactValue, of quantity: FactCondition.Quantity, _ writer: Writer
  ) -> Word {
    let text =
      switch quantity {
      case .value(let name): writer.known.fact(named: name).map { self.text(constant, of: $0, writer) }
      case .ratio: Decimal.text(constant.bits, decimals: 3)
      case .age, .time: Atom<TimeSpan>.text(TimeSpan(milliseconds: constant.bits))
      case .days: Decimal.text(constant.bits, decimals: 3)
      }
    return Word(text ?? "", at: .start)
  }

  /// Returns a fact's value in the notation of scenario files, or empty text if the value is missing.
  package static func text(_ value: FactValue, of fact: FactDeclaration, _ writer: Writer) -> String {
    guard !value.isMissing else { return "" }
    switch fact.kind {
    case .truth: return value == .truth(true) ? "true" : "false"
    case .number: return Decimal.text(value.bits, decimals: 3)
    case .instant: return writer.local(Instant(millisecondsSince1970: value.bits)).text
    case .date: return value.date.text
    case .name: return fact.names.indices.contains(Int(value.bits)) ? fact.names[Int(value.bits)] : ""
    }
  }
}

extension Format<FactCondition> {
  /// The long form of a comparison.
  static var factCondition: Format {
    .object("A comparison of a quantity with constants") { fields in
      let value = fields.optional(
        "value", .scalar(.fact), "a fact whose value is compared",
        from: {
          switch $0.quantity {
          case .value(let fact), .ratio(let fact, _): fact
          case .age, .days, .time: nil
          }
        })
      let divisor = fields.optional(
        "dividedBy", .scalar(.fact), "a fact that the value is divided by",
        from: { if case .ratio(_, let divisor) = $0.quantity { divisor } else { nil } })
      let age = fields.optional(
        "age", .scalar(.fact), "a fact whose time since it was last set is compared",
        from: { if case .age(let fact) = $0.quantity { fact } else { nil } })
      let since = fields.optional(
        "daysSince", .scalar(.fact), "an instant fact: local dates crossed since it",
        from: { if case .days(let fact) = $0.quantity { fact } else { nil } })
      let time = fields.optional(
        "timeSince", .scalar(.fact), "an instant fact: the time that has passed since it",
        from: { if case .time(let fact) = $0.quantity { fact } else { nil } })
      let comparison = fields.required(
        "comparison", .scalar(.comparison), "how the quantity is compared", from: \.comparison)
      let constants = fields.required(
        "constants", .oneOrMore(of: .word), "a constant, or several with 'equal' and 'notEqual'",
        from: { condition in
          fields.writer.map { writer in
            condition.constants.map { FactConstants.word($0, of: condition.quantity, writer) }
          }
        })
      let reason = fields.optional(
        "reason", .scalar(.matchReason),
        "the reason that is reported if it does not hold; conditionFailed if missing",
        from: \.reason)
      fields.exactlyOne(of: ["value", "age", "daysSince", "timeSince"])
      if divisor != nil, value == nil { fields.error("'dividedBy' needs 'value'", at: "dividedBy") }
      let quantity =
        value.map { value in divisor.map { .ratio(value, $0) } ?? .value(value) } ?? age.map { .age($0) }
        ?? since.map { FactCondition.Quantity.days(since: $0) } ?? time.map { .time(since: $0) }
      guard let quantity, let comparison, let constants, let reader = fields.reader,
        let values = FactConstants.read(constants, of: quantity, reader)
      else { return nil }
      return FactConstants.condition(
        quantity, comparison, values, reason: reason, at: fields.position(of: "constants"), reader)
    }
  }
}

extension Format<Word> {
  /// A scalar that is parsed later, when the key that determines its meaning is known.
  package static var word: Format<Word> {
    Format(
      schema: { _ in ["type": ["string", "number", "boolean"]] },
      read: { node, reader in
        guard case .scalar(let text) = node.content, !text.isEmpty else {
          reader.error("expected a value, not \(node.kindName)", at: node.position)
          return nil
        }
        return Word(text, at: node.position(ofScalar: 0))
      },
      write: { word, writer in
        switch word.text {
        case "": return writer.problem("the text is empty")
        case "true": return true
        case "false": return false
        default:
          guard let number = Decimal.thousandths(word.text) else { return .string(word.text) }
          return .decimal(thousandths: number)
        }
      })
  }
}

extension Atom<FactCondition.Comparison> {
  package static var comparison: Atom<FactCondition.Comparison> {
    .oneCase("COMPARISON", "a comparison")
  }
}

/// Comparisons of facts with constants: `protein.current / protein.target < 50 %`.
enum FactSentences {
  private static let operators: [(String, FactCondition.Comparison)] = [
    ("<=", .lessOrEqual), (">=", .greaterOrEqual), ("<", .less), (">", .greater), ("==", .equal),
    ("=", .equal),
    ("!=", .notEqual), ("is", .equal), ("in", .equal),
  ]

  static var pattern: String {
    let name = Atom<String>.newName.pattern
    let quantity = [
      #"age\( *\#(name) *\)"#, #"days\( *since: *\#(name) *\)"#, "days +since +\(name)",
      "time +since +\(name)",
      "\(name) */ *\(name)", name,
    ].joined(separator: "|")
    let comparison = "<=|>=|<|>|==|=|!=|is +not|is|not +in|in"
    return "(?:\(quantity)) +(?:\(comparison)) +[^ ].*"
  }

  /// Returns whether a sentence compares a fact: it contains an operator or begins with a fact's name.
  static func isFact(_ words: Words, _ reader: Reader) -> Bool {
    guard let first = words.first?.text else { return false }
    return words.words.contains { hasSign($0.text) }
      || words.words.dropFirst().contains { isOperator($0.text) }
      || first.hasPrefix("age(") || first.hasPrefix("days(") || reader.names.facts.position(of: first) != nil
  }

  private static func hasSign(_ word: String) -> Bool {
    // The range works because <, = and > are consecutive in ASCII.
    word.utf8.contains { UInt8(ascii: "<")...UInt8(ascii: ">") ~= $0 }
  }

  private static func isOperator(_ word: String) -> Bool {
    // Comparing lengths first is faster, because most words are longer than the operators.
    word.utf8.count <= 2 && operators.contains { $0.0 == word }
  }

  static func parse(_ words: Words, _ reader: Reader) -> FactCondition? {
    var (sentence, clauses) = words.clauses(at: ["else"])
    var reason: Reason?
    if let clause = clauses.last {
      guard let value = Atom<Reason>.matchReason.parse(clause.body.joined, reader) else { return nil }
      reason = value
    }
    guard
      let split = sentence.texts.firstIndex(where: { word in
        word == "not" || isOperator(word)
      })
    else {
      reader.error(
        "a comparison is missing", at: sentence.position,
        hint: "such as 'FACT < 50 %', 'FACT is false' or 'age(FACT) <= 12 h', with spaces around the sign")
      return nil
    }
    let quantityWords = sentence.prefix(split)
    sentence = sentence.dropFirst(split)
    guard let comparison = takeComparison(&sentence, reader),
      let quantity = quantity(quantityWords, reader)
    else { return nil }
    guard !sentence.isEmpty else {
      reader.error("a constant is missing after the comparison", at: words.position)
      return nil
    }
    let texts = sentence.joined
    guard let constants = FactConstants.read(list(texts), of: quantity, reader) else { return nil }
    return FactConstants.condition(
      quantity, comparison, constants, reason: reason, at: texts.position, reader)
  }

  private static func takeComparison(_ words: inout Words, _ reader: Reader) -> FactCondition.Comparison? {
    if words.take("is", "not") || words.take("not", "in") { return .notEqual }
    guard let word = words.next(), let found = operators.first(where: { $0.0 == word.text }) else {
      reader.error("a comparison is missing", at: words.position)
      return nil
    }
    return found.1
  }

  /// Returns the constants of a comma-separated list, with or without brackets.
  private static func list(_ word: Word) -> [Word] {
    var text = word.text[...]
    if text.hasPrefix("["), text.hasSuffix("]") { text = text.dropFirst().dropLast() }
    return text.split(separator: ",", omittingEmptySubsequences: false).map { part in
      Word(part.split(separator: " ").joined(separator: " "), at: word.position)
    }
  }

  private static func quantity(_ words: Words, _ reader: Reader) -> FactCondition.Quantity? {
    let whole = words.joined
    let text = whole.text
    if let inner = argument(of: "age(", in: text) {
      return fact(inner, whole, reader).map { .age($0) }
    }
    if let inner = argument(of: "days(", in: text) {
      let name = inner.hasPrefix("since:") ? String(inner.dropFirst(6)) : inner
      return fact(name, whole, reader).map { .days(since: $0) }
    }
    if words.texts.prefix(2) == ["days", "since"] {
      return fact(words.dropFirst(2).joined.text, words.dropFirst(2).joined, reader).map { .days(since: $0) }
    }
    if words.texts.prefix(2) == ["time", "since"] {
      return fact(words.dropFirst(2).joined.text, words.dropFirst(2).joined, reader).map { .time(since: $0) }
    }
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    if parts.count == 2 {
      let divisor = Word(String(parts[1]), at: words.words.last?.position ?? whole.position)
      guard let a = fact(String(parts[0]), whole, reader), let b = fact(divisor.text, divisor, reader) else {
        return nil
      }
      return .ratio(a, b)
    }
    return fact(text, whole, reader).map { .value($0) }
  }

  private static func argument(of function: String, in text: String) -> String? {
    text.hasPrefix(function) && text.hasSuffix(")") ? String(text.dropFirst(function.count).dropLast()) : nil
  }

  private static func fact(_ name: String, _ word: Word, _ reader: Reader) -> String? {
    let trimmed = name.split(separator: " ").joined(separator: " ")
    return Atom<String>.fact.parse(Word(trimmed, at: word.position), reader)
  }
}

extension Atom<Reason> {
  /// The loss reasons that a comparison can report when it fails.
  static var matchReason: Atom {
    .choice(
      "REASON", "conditionFailed, staleData, lowConfidence or notEntitled",
      [Reason.conditionFailed, .staleData, .lowConfidence, .notEntitled].map { ($0.name, $0) })
  }
}

extension Format<FactCondition> {
  /// A comparison of a fact with constants, as a sentence or with keys.
  package static var factSentence: Format<FactCondition> {
    .short(
      shortForm(
        "a comparison of a fact",
        schema: [
          "type": "string", "description": "A comparison of a fact with a constant",
          "pattern": .string("^(?:\(FactSentences.pattern))$"),
        ]
      ) { words, node, reader in
        guard FactSentences.isFact(words, reader) else {
          if case .scalar(let text) = node.content {
            reader.error(
              "'\(text)' does not compare a fact", at: node.position,
              hint: "such as 'account.signedIn is true'")
          }
          return nil
        }
        return FactSentences.parse(words, reader)
      }, orLong: .factCondition)
  }
}

package import ReminderMatching
package import TextFormats
import TriggerModel

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

  /// Whether a sentence speaks of a fact: it has an operator, or begins with a fact's name.
  static func isFact(_ words: Words, _ reader: Reader) -> Bool {
    guard let first = words.first?.text else { return false }
    return words.words.contains { hasSign($0.text) }
      || words.words.dropFirst().contains { isOperator($0.text) }
      || first.hasPrefix("age(") || first.hasPrefix("days(") || reader.names.facts.position(of: first) != nil
  }

  private static func hasSign(_ word: String) -> Bool {
    // In the order of their bytes: <, =, >.
    word.utf8.contains { UInt8(ascii: "<")...UInt8(ascii: ">") ~= $0 }
  }

  private static func isOperator(_ word: String) -> Bool {
    // None is longer, and most words are.
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
      reader.error("a constant is missing behind the comparison", at: words.position)
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

  /// The constants between brackets or commas.
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
  /// What may be reported when a fact does not compare.
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
      .readOnly(
        schema: { _ in
          [
            "type": "string", "description": "A comparison of a fact with a constant",
            "pattern": .string("^(?:\(FactSentences.pattern))$"),
          ]
        },
        read: { node, reader in
          guard case .scalar(let text) = node.content, !text.isEmpty else {
            reader.error("expected a comparison of a fact, not \(node.kindName)", at: node.position)
            return nil
          }
          let words = Words(text, of: node)
          guard FactSentences.isFact(words, reader) else {
            reader.error(
              "'\(text)' does not compare a fact", at: node.position,
              hint: "such as 'account.signedIn is true'")
            return nil
          }
          return FactSentences.parse(words, reader)
        }), orLong: .factCondition)
  }
}

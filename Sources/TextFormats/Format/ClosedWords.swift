/// The fixed words among the alternatives of a pattern. `on|off` has two; `none|\\d+` has one word and a
/// number.
///
/// An editor can offer fixed words, but not the texts that a pattern matches.
package struct ClosedWords: Hashable, Sendable {
  /// The alternatives that are fixed words. If an alternative has several words, single spaces separate them.
  package private(set) var words: [String] = []
  /// The other alternatives, as patterns.
  package private(set) var rest: [String] = []

  /// - Parameter pattern: The alternatives, separated by `|` and without anchors.
  package init(_ pattern: String) {
    for alternative in Self.alternatives(of: pattern) {
      if let word = Self.literal(alternative) { words.append(word) } else { rest.append(alternative) }
    }
  }

  /// Splits a pattern at the bars outside groups.
  private static func alternatives(of pattern: String) -> [String] {
    var parts = [""]
    var (depth, isEscaped, isInSet) = (0, false, false)
    for character in pattern {
      if !isEscaped {
        switch character {
        case "[": isInSet = true
        case "]": isInSet = false
        case "(" where !isInSet: depth += 1
        case ")" where !isInSet: depth -= 1
        case "|" where depth == 0 && !isInSet:
          parts.append("")
          continue
        default: break
        }
      }
      isEscaped = character == "\\" && !isEscaped
      parts[parts.count - 1].append(character)
    }
    return parts
  }

  /// Returns the only text that matches a pattern, or `nil` if several texts match. Treats a repeated space
  /// in the pattern as one space.
  private static func literal(_ pattern: String) -> String? {
    var text = ""
    var rest = pattern[...]
    while let character = rest.popFirst() {
      switch character {
      case "\\":
        // An escaped letter or digit is a character class.
        guard let next = rest.popFirst(), !next.isLetter, !next.isNumber else { return nil }
        text.append(next)
      case "+" where text.hasSuffix(" "): break
      case ".", "^", "$", "*", "+", "?", "(", ")", "[", "]", "{", "}", "|": return nil
      default: text.append(character)
      }
    }
    return text.isEmpty ? nil : text
  }
}

extension JSONValue {
  /// Returns the schema of texts that match a pattern. Fixed words become a list that an editor can offer.
  ///
  /// - Parameters:
  ///   - pattern: The pattern, without anchors.
  ///   - types: The JSON types, or `nil` for any scalar.
  package static func fitting(
    _ pattern: String, description: String?, types: [String]? = ["string"]
  ) -> JSONValue {
    let head = description.map { [Member("description", .string($0))] } ?? []
    let closed = ClosedWords(pattern)
    let words = Member("enum", .array(closed.words.map { typed($0, types) }))
    if closed.words.isEmpty { return .object(head + open(pattern, types)) }
    // Language servers offer `true` and `false` for the type `boolean`, so no list is needed.
    let isTruth = types?.contains("boolean") == true && Set(closed.words) == ["true", "false"]
    if closed.rest.isEmpty { return .object(head + [isTruth ? Member("type", "boolean") : words]) }
    return .object(head + [.init("anyOf", [.object([words]), .object(open(pattern, types))])])
  }

  /// Returns the word as a JSON value. The words `true` and `false` become truth values if the types allow
  /// them.
  private static func typed(_ word: String, _ types: [String]?) -> JSONValue {
    guard types?.contains("boolean") == true else { return .string(word) }
    return word == "true" ? true : word == "false" ? false : .string(word)
  }

  private static func open(_ pattern: String, _ types: [String]?) -> [Member] {
    let pattern = Member("pattern", .string("^(?:\(pattern))$"))
    guard let types else {
      // A YAML parser may treat 22:00 as a number and 2026-03-02 as a date, so any scalar is allowed. The
      // pattern constrains only texts.
      return [.init("not", ["type": ["object", "array"]]), pattern]
    }
    let names = types.map(JSONValue.string)
    return [.init("type", names.count == 1 ? names[0] : .array(names)), pattern]
  }
}

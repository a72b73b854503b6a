/// The fixed words among the alternatives of a pattern. `on|off` has two fixed words; `none|\\d+` has one and
/// a number.
///
/// An editor can offer fixed words, but not the strings that a pattern matches.
package struct ClosedWords: Hashable, Sendable {
  /// The alternatives that are fixed words. Single spaces separate the words of an alternative.
  package private(set) var words: [String] = []
  /// The other alternatives, as patterns.
  package private(set) var rest: [String] = []

  /// - Parameter pattern: A pattern without anchors. Bars separate its alternatives.
  package init(_ pattern: String) {
    for alternative in Self.alternatives(of: pattern) {
      if let word = Self.literal(alternative) { words.append(word) } else { rest.append(alternative) }
    }
  }

  /// Splits a pattern at the bars outside of groups.
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

  /// Returns the only string that matches a pattern, or `nil` if several strings match. Treats a repeated
  /// space as a single space.
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
  /// Returns the schema of strings that match a pattern. Fixed words become a list that an editor can offer.
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
    // For the type `boolean`, language servers offer `true` and `false` without a list.
    let isTruth = types?.contains("boolean") == true && Set(closed.words) == ["true", "false"]
    if closed.rest.isEmpty { return .object(head + [isTruth ? Member("type", "boolean") : words]) }
    return .object(head + [.init("anyOf", [.object([words]), .object(open(pattern, types))])])
  }

  /// Returns a word as a JSON value. The words `true` and `false` become Boolean values if the types allow
  /// it.
  private static func typed(_ word: String, _ types: [String]?) -> JSONValue {
    guard types?.contains("boolean") == true else { return .string(word) }
    return word == "true" ? true : word == "false" ? false : .string(word)
  }

  private static func open(_ pattern: String, _ types: [String]?) -> [Member] {
    let pattern = Member("pattern", .string("^(?:\(pattern))$"))
    guard let types else {
      // A YAML parser may read 22:00 as a number and 2026-03-02 as a date, so any scalar is allowed. The
      // pattern constrains only strings.
      return [.init("not", ["type": ["object", "array"]]), pattern]
    }
    let names = types.map(JSONValue.string)
    return [.init("type", names.count == 1 ? names[0] : .array(names)), pattern]
  }
}

/// The fixed words of a pattern: `on|off` are two of them, and `none|\\d+` is one and a number.
///
/// An editor can offer words, but not the texts that a pattern matches.
package struct ClosedWords: Hashable, Sendable {
  /// The alternatives that are fixed words, with single spaces.
  package private(set) var words: [String] = []
  /// The other alternatives, as patterns.
  package private(set) var rest: [String] = []

  /// - Parameter pattern: Alternatives separated by `|`, without anchors.
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

  /// Returns the only text that matches a pattern, or `nil` if there are several. Any number of spaces counts
  /// as one.
  private static func literal(_ pattern: String) -> String? {
    var text = ""
    var rest = pattern[...]
    while let character = rest.popFirst() {
      switch character {
      case "\\":
        // An escaped letter is a class of characters.
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
  /// Returns the schema of texts that match a pattern, with fixed words as a list that an editor can offer.
  ///
  /// - Parameters:
  ///   - pattern: Without anchors.
  ///   - types: JSON types, or `nil` for any scalar.
  package static func fitting(
    _ pattern: String, description: String?, types: [String]? = ["string"]
  ) -> JSONValue {
    let head = description.map { [Member("description", .string($0))] } ?? []
    let closed = ClosedWords(pattern)
    let words = Member("enum", .array(closed.words.map { typed($0, types) }))
    if closed.words.isEmpty { return .object(head + open(pattern, types)) }
    // Language servers complete truth values by their type.
    let isTruth = types?.contains("boolean") == true && Set(closed.words) == ["true", "false"]
    if closed.rest.isEmpty { return .object(head + [isTruth ? Member("type", "boolean") : words]) }
    return .object(head + [.init("anyOf", [.object([words]), .object(open(pattern, types))])])
  }

  /// YAML treats true and false as truth values.
  private static func typed(_ word: String, _ types: [String]?) -> JSONValue {
    guard types?.contains("boolean") == true else { return .string(word) }
    return word == "true" ? true : word == "false" ? false : .string(word)
  }

  private static func open(_ pattern: String, _ types: [String]?) -> [Member] {
    let pattern = Member("pattern", .string("^(?:\(pattern))$"))
    guard let types else {
      // YAML readers treat 22:00 as a number and 2026-03-02 as a date. The pattern applies to texts only.
      return [.init("not", ["type": ["object", "array"]]), pattern]
    }
    let names = types.map(JSONValue.string)
    return [.init("type", names.count == 1 ? names[0] : .array(names)), pattern]
  }
}

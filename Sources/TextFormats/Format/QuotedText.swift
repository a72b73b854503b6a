/// Reads and writes quoted strings, which represent any text on a single line.
package enum QuotedText {
  private static let names: [(Unicode.Scalar, Unicode.Scalar)] = [
    ("\n", "n"), ("\r", "r"), ("\t", "t"), ("\"", "\""), ("\\", "\\"),
  ]

  /// Returns a text in quotes, with the characters escaped that YAML does not allow within a line.
  ///
  /// - Parameter inSentence: Whether to escape the spaces that a sentence would lose too: leading, trailing
  ///   and repeated spaces.
  package static func write(_ text: String, inSentence: Bool = false) -> String {
    let scalars = Array(text.unicodeScalars)
    var result = "\""
    for (index, scalar) in scalars.enumerated() {
      if let name = names.first(where: { $0.0 == scalar })?.1 {
        result += "\\\(name)"
      } else if mustBeEscaped(scalar) || inSentence && isLost(index, of: scalars) {
        result += "\\u{\(String(scalar.value, radix: 16))}"
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }

  /// Returns whether a sentence that is split at spaces would lose this space.
  private static func isLost(_ index: Int, of scalars: [Unicode.Scalar]) -> Bool {
    guard scalars[index].properties.isWhitespace else { return false }
    let isInside = index > 0 && index < scalars.count - 1
    return scalars[index] != " " || !isInside || scalars[index - 1].properties.isWhitespace
  }

  /// Returns whether a scalar is a control character, a Unicode line end, a byte order mark or a
  /// noncharacter.
  private static func mustBeEscaped(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0...0x1F, 0x7F...0x9F, 0x2028, 0x2029, 0xFEFF, 0xFFFE, 0xFFFF: true
    default: false
    }
  }

  /// Returns the text between the quotes with its escapes resolved. Keeps unknown escapes unchanged.
  package static func read(_ text: String) -> String {
    guard text.contains("\\") else { return text }
    var result = String.UnicodeScalarView()
    var rest = text.unicodeScalars[...]
    while let scalar = rest.popFirst() {
      guard scalar == "\\" else {
        result.append(scalar)
        continue
      }
      if let meant = names.first(where: { $0.1 == rest.first })?.0 {
        result.append(meant)
        rest.removeFirst()
      } else if let (meant, length) = code(rest) {
        result.append(meant)
        rest = rest.dropFirst(length)
      } else {
        result.append(scalar)
      }
    }
    return String(result)
  }

  /// Parses an escape such as `u{2028}`. Returns the scalar and the length of the escape, or `nil` if the
  /// escape is invalid.
  private static func code(_ rest: Substring.UnicodeScalarView) -> (Unicode.Scalar, Int)? {
    guard rest.starts(with: "u{".unicodeScalars) else { return nil }
    let digits = rest.dropFirst(2).prefix(7).prefix { $0 != "}" }
    guard rest.dropFirst(2 + digits.count).first == "}",
      let scalar = UInt32(String(digits), radix: 16).flatMap(Unicode.Scalar.init)
    else { return nil }
    return (scalar, digits.count + 3)
  }
}

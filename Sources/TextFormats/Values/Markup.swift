/// Escaping for XML, HTML and Markdown.
package enum Markup {
  /// Text as content or as an attribute's value. Control characters, which XML cannot hold, become U+FFFD.
  package static func escape(_ text: String) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"": escaped += "&quot;"
      case "\n": escaped += "&#10;"
      case "\t": escaped += "&#9;"
      default: escaped.unicodeScalars.append(scalar.value < 0x20 ? "\u{FFFD}" : scalar)
      }
    }
    return escaped
  }

  /// Text that Markdown would otherwise read as markup.
  package static func markdown(_ text: String) -> String {
    Printable.text(text).reduce(into: "") { escaped, character in
      if "\\`*_[]<>|#".contains(character) { escaped.append("\\") }
      escaped.append(character)
    }
  }
}

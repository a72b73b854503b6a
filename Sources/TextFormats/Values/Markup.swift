/// Escapes text for XML, HTML and Markdown.
package enum Markup {
  /// Escapes text for content and attribute values. Replaces control characters, which XML cannot contain,
  /// with U+FFFD.
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

  /// Escapes the characters that Markdown would treat as markup.
  package static func markdown(_ text: String) -> String {
    Printable.text(text).reduce(into: "") { escaped, character in
      if "\\`*_[]<>|#".contains(character) { escaped.append("\\") }
      escaped.append(character)
    }
  }
}

/// Makes text from files safe to print.
package enum Printable {
  /// Replaces control characters with U+FFFD. Otherwise they could move a terminal's cursor, change its
  /// colours or break a line of Markdown.
  package static func text(_ text: String, keeping kept: Set<Unicode.Scalar> = []) -> String {
    let shown = text.unicodeScalars.map { scalar in
      let isControl = scalar.properties.generalCategory == .control && !kept.contains(scalar)
      return isControl ? "\u{FFFD}" : scalar
    }
    return String(String.UnicodeScalarView(shown))
  }
}

/// Formats rows of cells as lines for a terminal. Each column is as narrow as its cells allow, and two spaces
/// separate columns.
package enum TextColumns {
  /// - Parameters:
  ///   - rows: The rows, all with the same number of cells.
  ///   - isNumber: Returns whether a column is right-aligned.
  package static func lines(_ rows: [[String]], isNumber: (Int) -> Bool = { _ in false }) -> [String] {
    let columns = rows.first?.indices ?? 0..<0
    let widths = columns.map { column in rows.map { $0[column].count }.max() ?? 0 }
    return rows.map { row in
      let line = columns.map { column in
        let gap = String(repeating: " ", count: widths[column] - row[column].count)
        return isNumber(column) ? gap + row[column] : row[column] + gap
      }.joined(separator: "  ")
      return String(line.reversed().drop { $0 == " " }.reversed())
    }
  }
}

import TextFormats

/// A table of plain text. Each renderer escapes the text for its own format.
package struct ReportTable: Hashable, Sendable {
  package struct Column: Hashable, Sendable {
    package var title: String
    package var isNumber: Bool
    /// Whether terminal output omits the column to save space.
    package var isLong = false

    static func text(_ title: String) -> Column { Column(title: title, isNumber: false) }
    static func longText(_ title: String) -> Column { Column(title: title, isNumber: false, isLong: true) }
    static func number(_ title: String) -> Column { Column(title: title, isNumber: true) }
  }

  package var columns: [Column]
  package var rows: [[String]]
  /// The sentences that follow the table.
  package var notes: [String] = []

  /// The lines of the table in Markdown, without the notes.
  var markdown: [String] {
    let rule = "|" + columns.map { $0.isNumber ? "--:" : "---" }.joined(separator: "|") + "|"
    return [Self.markdownRow(columns.map(\.title)), rule] + rows.map(Self.markdownRow)
  }

  static func markdownRow(_ cells: [String]) -> String {
    "| " + cells.map(Markup.markdown).joined(separator: " | ") + " |"
  }

  /// The lines of the table for a terminal, without long columns and without notes.
  var terminalLines: [String] {
    let shown = columns.indices.filter { !columns[$0].isLong }
    let cells = ([columns.map(\.title)] + rows).map { row in shown.map { row[$0] } }
    return TextColumns.lines(cells) { columns[shown[$0]].isNumber }.map { "  " + $0 }
  }
}

extension String {
  /// Returns the text padded with trailing spaces to a width in characters.
  func padded(to width: Int) -> String { self + spaces(to: width) }

  /// Returns the text padded with leading spaces to a width in characters.
  func aligned(to width: Int) -> String { spaces(to: width) + self }

  private func spaces(to width: Int) -> String { String(repeating: " ", count: max(0, width - count)) }

  /// Returns the text, truncated with an ellipsis if it is longer than `width` characters.
  func cut(to width: Int) -> String { count > width ? prefix(width - 1) + "…" : self }

  /// The local time in ISO 8601 to the minute, with a space instead of the `T`, for example "2026-03-02
  /// 10:10".
  var minuteText: String { String(replacing("T", with: " ").prefix(16)) }
}

/// Returns a number with its noun, for example "1 scenario" or "3 scenarios".
func counted(_ number: Int, _ noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }

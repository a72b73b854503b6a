/// A table of a report: the same one on a terminal, in Markdown and in HTML.
package struct ResultTable: Hashable, Sendable {
  package struct Column: Hashable, Sendable {
    package var title: String
    package var isNumber: Bool
    /// A terminal has no room for it: the other reports have it.
    package var isLong = false

    static func text(_ title: String) -> Column { Column(title: title, isNumber: false) }
    static func longText(_ title: String) -> Column { Column(title: title, isNumber: false, isLong: true) }
    static func number(_ title: String) -> Column { Column(title: title, isNumber: true) }
  }

  package var columns: [Column]
  package var rows: [[String]]
}

/// A table of a report: the same one on a terminal, in Markdown and in HTML.
package struct ResultTable: Hashable, Sendable {
  package struct Column: Hashable, Sendable {
    package var title: String
    package var isNumber: Bool

    static func text(_ title: String) -> Column { Column(title: title, isNumber: false) }
    static func number(_ title: String) -> Column { Column(title: title, isNumber: true) }
  }

  package var columns: [Column]
  package var rows: [[String]]
}

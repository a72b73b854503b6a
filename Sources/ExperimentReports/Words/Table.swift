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

/// A part of a report: what is to be said, a chart, and the table of what the chart shows.
package struct ResultSection: Sendable {
  package var title: String
  package var sentences: [String] = []
  package var chart: Chart?
  package var table: ResultTable?
  /// Below the table.
  package var notes: [String] = []

  init(
    _ title: String, _ sentences: [String] = [], chart: Chart? = nil, table: ResultTable? = nil,
    notes: [String] = []
  ) {
    self.title = title
    self.sentences = sentences
    self.chart = chart
    self.table = table
    self.notes = notes
  }
}

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

import Experiments
import TextFormats

/// What an experiment found, for a terminal.
package struct ExperimentText {
  private let report: ExperimentReport

  package init(_ report: ExperimentReport) { self.report = report }

  package var text: String {
    var lines = [report.result.plan.title]
    if !report.result.plan.question.isEmpty { lines.append(report.result.plan.question) }
    if let warning = report.warning { lines.append(warning) }
    lines += [""] + report.answers
    for section in report.sections {
      lines += ["", section.title] + section.sentences
      if let table = section.table {
        lines += Self.lines(table)
        let left = table.columns.filter(\.isLong).map { "'\($0.title)'" }
        if !left.isEmpty { lines.append("The reports have \(left.joined(separator: " and ")) of each too.") }
      }
      lines += section.notes
    }
    return Printable.text(lines.joined(separator: "\n"), keeping: ["\n"])
  }

  static func lines(_ table: ResultTable) -> [String] {
    let shown = table.columns.indices.filter { !table.columns[$0].isLong }
    return TextColumns.lines(([table.columns.map(\.title)] + table.rows).map { row in shown.map { row[$0] } })
    {
      table.columns[shown[$0]].isNumber
    }.map { "  " + $0 }
  }
}

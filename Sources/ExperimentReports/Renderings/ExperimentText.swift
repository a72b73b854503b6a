import Experiments

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
      if let table = section.table { lines += Self.lines(table) }
      lines += section.notes
    }
    return lines.joined(separator: "\n")
  }

  /// Columns as wide as they need to be, two spaces apart.
  static func lines(_ table: ResultTable) -> [String] {
    let all = [table.columns.map(\.title)] + table.rows
    let widths = table.columns.indices.map { column in all.map { $0[column].count }.max() ?? 0 }
    return all.map { row in
      let cells = row.indices.map { column -> String in
        let padding = String(repeating: " ", count: widths[column] - row[column].count)
        return table.columns[column].isNumber ? padding + row[column] : row[column] + padding
      }
      return "  " + cells.joined(separator: "  ").trimmingEnd
    }
  }
}

extension String {
  fileprivate var trimmingEnd: String {
    var text = self
    while text.hasSuffix(" ") { text.removeLast() }
    return text
  }
}

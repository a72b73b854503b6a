import Experiments
import TextFormats

/// What an experiment found, for a pull request.
package struct ExperimentMarkdown {
  private let report: ExperimentReport

  package init(_ report: ExperimentReport) { self.report = report }

  package var text: String {
    let plan = report.result.plan
    var lines = ["# \(Self.escape(plan.title))", ""]
    if !plan.question.isEmpty { lines += [Self.escape(plan.question), ""] }
    if let warning = report.warning { lines += ["**\(Self.escape(warning))**", ""] }
    lines += report.answers.map { "- \(Self.escape($0))" }
    lines += ["", "Made by `\(report.command)` with triggerbench \(report.tool)."]
    for section in report.sections {
      lines += ["", "## \(Self.escape(section.title))", ""]
      for sentence in section.sentences { lines += [Self.escape(sentence), ""] }
      if let table = section.table { lines += Self.lines(table) }
      for note in section.notes { lines += ["", Self.escape(note)] }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func lines(_ table: ResultTable) -> [String] {
    func line(_ cells: [String]) -> String { "| " + cells.joined(separator: " | ") + " |" }
    let rule = "|" + table.columns.map { $0.isNumber ? "--:" : "---" }.joined(separator: "|") + "|"
    return [line(table.columns.map { escape($0.title) }), rule] + table.rows.map { line($0.map(escape)) }
  }

  private static func escape(_ text: String) -> String { Markup.markdown(text) }
}

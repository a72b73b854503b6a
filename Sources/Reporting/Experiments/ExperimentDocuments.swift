import Experiments
import TextFormats

/// The documents of an experiment, with their file names.
package struct ExperimentDocuments {
  package static let names: Set<String> = ["experiment.json", "experiment.html", "experiment.md"]

  package let all: [(name: String, text: String)]

  package init(_ report: ExperimentReport) {
    all = [
      ("experiment.json", ExperimentJSON(report).document.text + "\n"),
      ("experiment.html", ExperimentHTML(report).text),
      ("experiment.md", ExperimentMarkdown(report).text),
    ]
  }
}

/// The report as one HTML page with charts. It has no scripts and no external resources.
package struct ExperimentHTML {
  private let report: ExperimentReport

  package init(_ report: ExperimentReport) { self.report = report }

  package var text: String {
    let plan = report.result.plan
    var page = HTMLPage("\(plan.title)", kind: "triggerbench-experiment", style: Self.style)
    var body = [
      "<h1>\(escape(plan.title))</h1>", "<p class=\"answer\"><strong>\(escape(report.answer))</strong></p>",
    ]
    if !plan.question.isEmpty { body.append("<p>\(escape(plan.question))</p>") }
    if let warning = report.warning {
      body.append("<p class=\"warning\" role=\"note\">\(escape(warning))</p>")
    }
    body.append("<ul class=\"answers\">" + report.answers.map { "<li>\(escape($0))</li>" }.joined() + "</ul>")
    for (index, section) in report.sections.enumerated() { body += lines(section, number: index + 1) }
    body.append(
      "<footer>Made by <code>\(escape(report.command))</code> with triggerbench \(escape(report.tool)).</footer>"
    )
    page.body = body
    return page.text
  }

  private func lines(_ section: ResultSection, number: Int) -> [String] {
    var lines = ["<h2>\(escape(section.title))</h2>"]
    lines += section.sentences.map { "<p>\(escape($0))</p>" }
    if let chart = section.chart {
      lines.append("<figure>\(ChartDrawing.svg(chart, id: "chart\(number)"))</figure>")
    }
    if let table = section.table {
      var markup = HTMLTable(
        section.title,
        table.columns.map { $0.isNumber ? HTMLTable.Column.number("\($0.title)") : .text("\($0.title)") },
        bytes: .max)
      for row in table.rows { markup.add(row.map { HTMLText($0) }) }
      lines += markup.markup
    }
    lines += section.notes.map { "<p class=\"note\">\(escape($0))</p>" }
    return lines
  }

  private static let style = """
    .warning { border-left: .3rem solid var(--second); padding: .5rem 1rem; font-weight: 600 }
    .answer { font-size: 1.2rem } .answers { font-size: 1.1rem; padding-left: 1.2rem }
    figure { margin: 1rem 0 } svg { display: block; width: 100%; max-width: 40rem; height: auto }
    svg text { fill: currentColor; font: 13px system-ui, sans-serif } svg .strong { font-weight: 600 }
    svg .small { font-size: 10px } @media (max-width: 40rem) { svg text { font-size: 17px } svg .small { font-size: 13px } }
    svg line { stroke: currentColor; stroke-width: 1 } svg .axis { stroke: var(--quiet) }
    svg .zero { stroke: var(--quiet); stroke-dasharray: 4 3 }
    svg line.clear { stroke: var(--first); stroke-width: 3 } svg line.unclear { stroke: var(--quiet); stroke-width: 3 }
    svg circle.clear { fill: var(--first) } svg circle.unclear { fill: var(--quiet) }
    svg .beaten { fill: none; stroke: var(--quiet); stroke-width: 1.5 }
    svg .ring { fill: none; stroke: var(--second); stroke-width: 2 }
    svg .up { fill: var(--first) } svg .down { fill: var(--second) } svg .bar { fill: var(--first); fill-opacity: .45 }
    svg .end { stroke: var(--first); stroke-width: 2 } svg .end.low { fill: var(--paper) } svg .end.high { fill: var(--first) }

    """

  private func escape(_ text: String) -> String { Markup.escape(text) }
}

/// The report for a pull request.
package struct ExperimentMarkdown {
  private let report: ExperimentReport

  package init(_ report: ExperimentReport) { self.report = report }

  package var text: String {
    let plan = report.result.plan
    var lines = ["# \(Self.escape(plan.title))", "", "**\(Self.escape(report.answer))**", ""]
    if !plan.question.isEmpty { lines += [Self.escape(plan.question), ""] }
    if let warning = report.warning { lines += ["**\(Self.escape(warning))**", ""] }
    lines += report.answers.map { "- \(Self.escape($0))" }
    lines += ["", "Made by `\(report.command)` with triggerbench \(report.tool)."]
    for section in report.sections {
      lines += ["", "## \(Self.escape(section.title))", ""]
      for sentence in section.sentences { lines += [Self.escape(sentence), ""] }
      if let table = section.table { lines += table.markdown }
      for note in section.notes { lines += ["", Self.escape(note)] }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func escape(_ text: String) -> String { Markup.markdown(text) }
}

/// The report for a terminal.
package struct ExperimentText {
  private let report: ExperimentReport

  package init(_ report: ExperimentReport) { self.report = report }

  package var text: String {
    var lines = [report.result.plan.title, report.answer]
    if !report.result.plan.question.isEmpty { lines.append(report.result.plan.question) }
    if let warning = report.warning { lines.append(warning) }
    lines += [""] + report.answers
    for section in report.sections {
      lines += ["", section.title] + section.sentences
      if let table = section.table {
        lines += table.terminalLines
        let left = table.columns.filter(\.isLong).map { "'\($0.title)'" }
        if !left.isEmpty { lines.append("The reports also have \(left.joined(separator: " and ")) of each.") }
      }
      lines += section.notes
    }
    return Printable.text(lines.joined(separator: "\n"), keeping: ["\n"])
  }
}

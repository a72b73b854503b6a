import Experiments
import TextFormats

/// What an experiment found, as one page with drawn charts: no script, nothing loaded from anywhere.
package struct ExperimentHTML {
  private let report: ExperimentReport

  package init(_ report: ExperimentReport) { self.report = report }

  package var text: String {
    let plan = report.result.plan
    var body = ["<h1>\(escape(plan.title))</h1>"]
    if !plan.question.isEmpty { body.append("<p>\(escape(plan.question))</p>") }
    if let warning = report.warning {
      body.append("<p class=\"warning\" role=\"note\">\(escape(warning))</p>")
    }
    body.append("<ul class=\"answers\">" + report.answers.map { "<li>\(escape($0))</li>" }.joined() + "</ul>")
    for (index, section) in report.sections.enumerated() { body += lines(section, number: index + 1) }
    body.append(
      "<footer>Made by <code>\(escape(report.command))</code> with triggerbench \(escape(report.tool)).</footer>"
    )
    return head + body.joined(separator: "\n") + "\n</main></body></html>\n"
  }

  private func lines(_ section: ResultSection, number: Int) -> [String] {
    var lines = ["<h2>\(escape(section.title))</h2>"]
    lines += section.sentences.map { "<p>\(escape($0))</p>" }
    if let chart = section.chart {
      lines.append("<figure>\(ChartDrawing.svg(chart, id: "chart\(number)"))</figure>")
    }
    if let table = section.table { lines += self.table(table, named: section.title) }
    lines += section.notes.map { "<p class=\"note\">\(escape($0))</p>" }
    return lines
  }

  /// What is wider than the page scrolls within itself, also from the keyboard.
  private func table(_ table: ResultTable, named name: String) -> [String] {
    let head = table.columns.map { column in
      "<th scope=\"col\"\(column.isNumber ? " class=\"number\"" : "")>\(escape(column.title))</th>"
    }.joined()
    let rows = table.rows.map { row in
      "<tr>"
        + zip(table.columns, row).map { column, cell in "<td\(Self.style(cell, column))>\(escape(cell))</td>"
        }
        .joined() + "</tr>"
    }
    return [
      "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Table: \(escape(name))\">",
      "<table><thead><tr>\(head)</tr></thead><tbody>",
    ] + rows + ["</tbody></table></div>"]
  }

  /// Numbers stay in one line, words do not: what is said in place of a number, and what would make a tall column.
  private static func style(_ cell: String, _ column: ResultTable.Column) -> String {
    let isLong = cell.count > 30
    if column.isNumber { return isLong ? " class=\"number words\"" : " class=\"number\"" }
    return isLong ? " class=\"words\"" : ""
  }

  private var head: String {
    """
    <!doctype html>
    <html lang="en"><head><meta charset="utf-8"><title>\(escape(report.result.plan.title))</title>
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">
    <link rel="icon" href="data:,">
    <style>
    :root { color-scheme: light dark; --paper: light-dark(#ffffff, #0d1117); --ink: light-dark(#1f2328, #e6edf3);
      --first: light-dark(#0b5cad, #6cb6ff); --second: light-dark(#a34700, #ffa657); --quiet: light-dark(#59636e, #9198a1) }
    body { font: 16px/1.5 system-ui, sans-serif; margin: 0; background: var(--paper); color: var(--ink) }
    main { max-width: 74rem; margin: auto; padding: 1rem; overflow-wrap: anywhere }
    main > p, main > ul { max-width: 48rem }
    .warning { border-left: .3rem solid var(--second); padding: .5rem 1rem; font-weight: 600 }
    .answers { font-size: 1.1rem; padding-left: 1.2rem }
    .note { color: var(--quiet); font-size: .9rem }
    .scroll { overflow-x: auto; margin: 1rem 0 }
    table { border-collapse: collapse; overflow-wrap: normal }
    th, td { border-bottom: 1px solid #8888; padding: .25rem .6rem; text-align: left; vertical-align: top; min-width: 4rem }
    th.number, td.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap }
    th:not(.number) { min-width: 6rem } td.words { min-width: 14rem; white-space: normal }
    @media (max-width: 40rem) { th:not(.number) { min-width: 4rem } th, td { padding: .25rem .4rem; font-size: .9rem } }
    figure { margin: 1rem 0 } svg { display: block; width: 100%; max-width: 40rem; height: auto }
    svg text { fill: currentColor; font: 13px system-ui, sans-serif } svg .strong { font-weight: 600 }
    svg .small { font-size: 10px } @media (max-width: 40rem) { svg text { font-size: 17px } svg .small { font-size: 13px } }
    svg line { stroke: currentColor; stroke-width: 1 } svg .axis { stroke: var(--quiet) }
    svg .zero { stroke: var(--quiet); stroke-dasharray: 4 3 }
    svg line.clear { stroke: var(--first); stroke-width: 3 } svg line.unclear { stroke: var(--quiet); stroke-width: 3 }
    svg .dot.clear { fill: var(--first) } svg .dot.unclear { fill: var(--quiet) }
    svg .dot.beaten { fill: none; stroke: var(--quiet); stroke-width: 1.5 }
    svg .ring { fill: none; stroke: var(--second); stroke-width: 2 }
    svg .up { fill: var(--first) } svg .down { fill: var(--second) } svg .bar { fill: var(--first); fill-opacity: .45 }
    svg .end { stroke: var(--first); stroke-width: 2 } svg .end.low { fill: var(--paper) } svg .end.high { fill: var(--first) }
    code { overflow-wrap: anywhere } footer { margin-top: 3rem; font-size: .85rem }
    </style></head><body><main>

    """
  }

  private func escape(_ text: String) -> String { Markup.escape(text) }
}

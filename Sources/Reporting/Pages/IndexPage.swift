import ScenarioModel
import Simulation
import Statistics
import TestBench
import TextFormats

extension ReportPages {
  /// How the suite came out: what failed first, then every scenario with a link to its page.
  var index: HTMLPage {
    var page = HTMLPage("TriggerBench: \(report.verdict.rawValue)", kind: Self.kind, style: Self.style)
    let verdict = HTMLText.span("\(report.verdict.rawValue)", report.verdict.rawValue)
    let heading: HTMLText = "TriggerBench: \(verdict)"
    let summary: HTMLText = "\(summary)"
    let command: HTMLText = "Made by \(.code("\(report.command)"))."
    page.body = [
      "<h1>\(heading.markup)</h1>", "<p>\(summary.markup)</p>", "<p>\(command.markup)</p>",
    ]
    page.body += unusable + failures + scenarios
    page.body.append("<h2>All scenarios together</h2>")
    page.body += Self.funnel(report.total, report.isModelled) + Self.denials(report.total)
    page.body += Self.sections(report.suite.scenarios, ofSuite: true)
    page.body.append(
      "<p>What the words mean: <a href=\"\(WordLinks.page)\">the words of reports</a>.</p>")
    page.body.append(footer)
    return page
  }

  private var summary: String {
    let suite = report.suite
    return "\(suite.scenarios.count - report.failedScenarios) of \(suite.scenarios.count) scenarios and "
      + "\(report.expectationCount - report.failedExpectations) of \(report.expectationCount) expectations passed"
      + report.killedTogether + "."
  }

  private var unusable: [String] {
    let diagnostics = report.suite.diagnostics
    if diagnostics.isEmpty { return [] }
    let shown = diagnostics.prefix(20).map { "<li>\(HTMLText.code("\($0.summary)").markup)</li>" }
    let more = diagnostics.count > 20 ? ["<li>and \(diagnostics.count - 20) more</li>"] : []
    return ["<h2>Files that cannot be used</h2>", "<ul>"] + shown + more + ["</ul>"]
  }

  /// Of each scenario that failed what failed of it first.
  private var failures: [String] {
    let failed = report.suite.scenarios.indices.filter { !report.suite.scenarios[$0].passed }
    if failed.isEmpty { return [] }
    var lines = ["<h2>What failed</h2>"]
    for index in failed.prefix(30) {
      let result = report.suite.scenarios[index]
      let title = HTMLText.link("\(result.program.scenario.title)", to: names[index])
      lines.append("<div class=\"failure\"><p>\(title.markup)</p>")
      let all = result.expectations.filter { !$0.passed }
      if let first = all.first {
        let place = HTMLText.link(
          "line \(first.position.line)", to: "\(names[index])#line-\(first.position.line)")
        let expected: HTMLText = "expected \(first.text) (\(place))"
        let got: HTMLText = "got \(first.got)"
        lines.append("<p>\(expected.markup)<br>\(got.markup)</p>")
        lines += first.reasons.prefix(3).map { "<p>\(WordLinks.link($0).markup)</p>" }
      }
      for gate in result.gates.filter(\.fails).prefix(3) {
        let words: HTMLText = "gate \(gate.gate.name): \(gate.summary)"
        lines.append("<p>\(words.markup)</p>")
      }
      if let problem = result.accounts.contradictions.first {
        let words: HTMLText = "the accounts do not close: \(problem)"
        lines.append("<p>\(words.markup)</p>")
      }
      if all.count > 1 {
        let more = all.count == 2 ? "1 more expectation" : "\(all.count - 1) more expectations"
        lines.append("<p class=\"note\">\(more) failed</p>")
      }
      lines.append("</div>")
    }
    if failed.count > 30 {
      lines.append("<p>\(failed.count - 30) more scenarios failed; they come first below.</p>")
    }
    return lines
  }

  private var scenarios: [String] {
    let results = report.suite.scenarios
    var table = HTMLTable(
      "scenarios",
      [
        .text("verdict"), .text("scenario"), .text("file"), .number("expectations"), .number("due"),
        .number("fires"), .number("tapped"),
      ], bytes: 190_000)
    let order = results.indices.filter { !results[$0].passed } + results.indices.filter { results[$0].passed }
    for index in order {
      let result = results[index]
      let total = result.accounts.total
      table.add([
        Self.verdict(result.passed), .link("\(result.program.scenario.title)", to: names[index]),
        .code("\(result.program.scenario.file)"),
        "\(result.expectations.count { $0.passed }) of \(result.expectations.count)", "\(total.dueRequests)",
        "\(total.exposed)", "\(total.tapped)",
      ])
    }
    return ["<h2>Scenarios</h2>"] + Self.lines(table, rest: "their pages are in this folder")
  }
}

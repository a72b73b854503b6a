import ScenarioModel
import Simulation
import Statistics
import TestBench
import TextFormats

extension ReportPages {
  /// The index of the suite, with its failures and a link to the page of each scenario.
  var index: HTMLPage {
    var page = HTMLPage("TriggerBench: \(report.verdict.rawValue)", kind: Self.kind, style: Self.style)
    let verdict = HTMLText.span("\(report.verdict.rawValue)", report.verdict.rawValue)
    let summary = "\(report.passedScenarios) and \(report.passedExpectations) passed\(report.killedTogether)."
    page.body = [
      Self.element("h1", "TriggerBench: \(verdict)"), Self.element("p", "\(summary)"),
      Self.element("p", "Made by \(.code("\(report.command)"))."),
    ]
    page.body += unusable + failures + scenarios
    page.body.append("<h2>All scenarios together</h2>")
    page.body += Self.funnel(report.total, report.isModelled) + Self.denials(report.total)
    page.body += Self.sections(report.suite.scenarios, ofSuite: true)
    page.body += [
      "<p>Meanings of the words: <a href=\"\(WordLinks.page)\">the words of reports</a>.</p>", footer,
    ]
    return page
  }

  private var unusable: [String] {
    let diagnostics = report.suite.diagnostics
    if diagnostics.isEmpty { return [] }
    let shown = diagnostics.prefix(20).map { Self.element("li", .code("\($0.summary)")) }
    let more = diagnostics.count > 20 ? ["<li>and \(diagnostics.count - 20) more</li>"] : []
    return ["<h2>Files that cannot be used</h2>", "<ul>"] + shown + more + ["</ul>"]
  }

  /// The first failures of the failed scenarios.
  private var failures: [String] {
    let failed = report.suite.scenarios.indices.filter { !report.suite.scenarios[$0].passed }
    if failed.isEmpty { return [] }
    var lines = ["<h2>Failures</h2>"]
    func add(_ text: HTMLText) { lines.append(Self.element("p", text)) }
    for index in failed.prefix(30) {
      let result = report.suite.scenarios[index]
      let title = HTMLText.link("\(result.program.scenario.title)", to: names[index])
      lines.append("<div class=\"failure\"><p>\(title.markup)</p>")
      let all = result.expectations.filter { !$0.passed }
      if let first = all.first {
        let place = HTMLText.link(
          "line \(first.position.line)", to: "\(names[index])#line-\(first.position.line)")
        add("expected \(first.text) (\(place))\(.lineBreak)got \(first.got)")
        for reason in first.reasons.prefix(3) { add(WordLinks.link(reason)) }
      }
      for gate in result.gates.filter(\.fails).prefix(3) { add("gate \(gate.gate.name): \(gate.summary)") }
      if let problem = result.accounts.contradictions.first { add("the accounts do not close: \(problem)") }
      if all.count > 1 {
        lines.append("<p class=\"note\">\(counted(all.count - 1, "more expectation")) failed</p>")
      }
      lines.append("</div>")
    }
    if failed.count > 30 {
      lines.append("<p>\(failed.count - 30) more scenarios failed; they are first in the table below.</p>")
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

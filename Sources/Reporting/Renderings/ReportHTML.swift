import PersonModel
import Simulation
import Statistics
import TestBench
import TextFormats
import ScenarioModel
import Recordings
import TriggerModel

/// The report as one plain HTML page: no script, nothing loaded from anywhere.
package struct ReportHTML {
  private let report: Report

  package init(_ report: Report) {
    self.report = report
  }

  package var text: String {
    var body: [String] = []
    body.append(
      "<h1>TriggerBench: <span class=\"\(report.verdict.rawValue)\">\(report.verdict.rawValue)</span></h1>")
    body.append("<p>\(summary)</p>")
    body.append("<p>Made by <code>\(escape(report.command))</code></p>")
    body += errors
    body.append("<h2>All scenarios together</h2>")
    body += funnel(report.total, report.isModelled)
    body += denials(report.total)
    body += sections(ReportSections.tables(report.suite.scenarios, ofSuite: true))
    for result in report.suite.scenarios { body += scenario(result) }
    body.append(
      "<footer>triggerbench \(escape(report.versions.tool)), time-zone data \(escape(report.versions.timeZoneData)),"
        + " GEOS \(escape(report.versions.geos)). Counts are instrumented. \(report.responses)</footer>"
    )
    return Self.head + body.joined(separator: "\n") + "\n</main></body></html>\n"
  }

  private static let head = """
    <!doctype html>
    <html lang="en"><head><meta charset="utf-8"><title>TriggerBench report</title>
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
    <style>
    :root { color-scheme: light dark }
    body { font: 16px/1.5 system-ui, sans-serif; margin: 0;
      background: light-dark(#ffffff, #0d1117); color: light-dark(#1f2328, #e6edf3) }
    main { max-width: 60rem; margin: auto; padding: 1rem; overflow-wrap: anywhere }
    .scroll { overflow-x: auto; margin: 1rem 0 } table { border-collapse: collapse; overflow-wrap: normal }
    th, td { border-bottom: 1px solid #8888; padding: .25rem .75rem; text-align: left; vertical-align: top }
    td.number { text-align: right; font-variant-numeric: tabular-nums }
    .passed { color: light-dark(#116329, #57d364) } .failed, .invalid { color: light-dark(#a40e26, #ff7b72) }
    code { overflow-wrap: anywhere } footer { margin-top: 3rem; font-size: .85rem }
    </style></head><body><main>

    """

  private var summary: String {
    let suite = report.suite
    return "\(suite.scenarios.count - report.failedScenarios) of \(suite.scenarios.count) scenarios and "
      + "\(report.expectationCount - report.failedExpectations) of \(report.expectationCount) expectations passed"
      + escape(report.killedTogether) + "."
  }

  private var errors: [String] {
    if report.suite.diagnostics.isEmpty { return [] }
    let items = report.suite.diagnostics.map { "<li><code>\(escape($0.summary))</code></li>" }
    return ["<h2>Files that cannot be used</h2>", "<ul>"] + items + ["</ul>"]
  }

  private func scenario(_ result: ScenarioResult) -> [String] {
    let scenario = result.program.scenario
    let words = RunWords(result.program)
    let verdict = result.passed ? "passed" : "failed"
    var body = ["<h2>\(escape(scenario.title)) <span class=\"\(verdict)\">\(verdict)</span></h2>"]
    body.append(
      "<p><code>\(escape(scenario.file))</code>, profile \(escape(scenario.profile.value))"
        + "\(knobs(scenario.knobs))\(person(scenario.person)), seed \(scenario.seed),"
        + " \(words.localDays) local days\(packs(scenario.packs))</p>")
    body += result.accounts.contradictions.map {
      "<p class=\"failed\">The accounts do not close: \(escape($0))</p>"
    }
    body += expectations(result)
    body += funnel(result.accounts.total, result.isModelled)
    body += denials(result.accounts.total)
    if !result.accounts.ignored.isEmpty {
      body.append("<p>Happened without effect: \(escape(result.accounts.ignored.inWords)).</p>")
    }
    body += reminders(result, words)
    body += sections(ReportSections.tables([result]))
    body += imports(result)
    return body
  }

  /// What the scenario sets of its profile.
  private func knobs(_ knobs: [Knob]) -> String {
    let settings = knobs.map { "\($0.name) \($0.value)" }
    return settings.isEmpty ? "" : " with " + escape(settings.joined(separator: ", "))
  }

  private func person(_ setup: PersonSetup?) -> String {
    setup.map { ", person \($0.number) of \(TapModel.name)" } ?? ""
  }

  private func packs(_ names: [String]) -> String {
    names.isEmpty ? "" : ", with " + names.map { "<code>\(escape($0))</code>" }.joined(separator: ", ")
  }

  private func expectations(_ result: ScenarioResult) -> [String] {
    if result.expectations.isEmpty { return [] }
    let rows = result.expectations.map { expectation in
      let verdict = expectation.passed ? "passed" : "failed"
      let why = ([expectation.nearest.map { "nearest: \($0)" }].compactMap(\.self) + expectation.reasons)
        .map { "<br>\(escape($0))" }.joined()
      return [
        "\(escape(expectation.text)) <small>line \(expectation.position.line)</small>",
        "<span class=\"\(verdict)\">\(verdict)</span>", escape(expectation.got) + why,
      ]
    }
    return table(["expected", "verdict", "got"], rows, numbers: [])
  }

  private func funnel(_ account: ReminderAccount, _ isModelled: Bool) -> [String] {
    let rows = Funnel(account, isModelled: isModelled).steps.map { step in
      [step.name, "\(step.count)", escape(step.changes), step.evidence.rawValue]
    }
    return table(["step", "count", "lost before it", "evidence"], rows, numbers: [1])
  }

  private func denials(_ account: ReminderAccount) -> [String] {
    let rows = Reason.allCases.filter { account.blockedBy[$0] > 0 }.map {
      [$0.name, "\(account.denied[$0])", "\(account.blockedBy[$0])"]
    }
    return rows.isEmpty
      ? [] : table(["denied because of", "as first reason", "among all blockers"], rows, numbers: [1, 2])
  }

  private func sections(_ sections: [(title: String, table: ReportTable)]) -> [String] {
    sections.flatMap { section in
      let columns = section.table.columns
      return ["<h3>\(escape(section.title))</h3>"]
        + table(
          columns.map { escape($0.title) }, section.table.rows.map { $0.map(escape) },
          numbers: Set(columns.indices.filter { columns[$0].isNumber }))
        + (section.table.note.map { ["<p>\(escape($0))</p>"] } ?? [])
    }
  }

  private func reminders(_ result: ScenarioResult, _ words: RunWords) -> [String] {
    let rows = result.accounts.reminders.enumerated().map { index, account in
      [
        escape(words.name(ReminderID(index))), "\(account.dueRequests)",
        escape(account.notObserved.inWords), account.unfoundedWords, "\(account.matches)",
        "\(account.requests)",
        "\(account.admitted)",
        "\(account.exposed)", "\(account.tapped)", "\(Figure(.tapThrough, account, days: 1))",
      ]
    }
    return table(
      [
        "reminder", "due", "due and not made, because", "made without cause", "matches", "requests",
        "admitted",
        "exposed", "tapped", "tap-through",
      ], rows, numbers: [1, 3, 4, 5, 6, 7, 8, 9])
  }

  private func imports(_ result: ScenarioResult) -> [String] {
    result.program.imports.flatMap { report in
      let derivations = report.derivations.map { derivation in
        let counts = derivation.counts.map { "\($0.count) by \($0.rule)" }.joined(separator: ", ")
        return "\(derivation.event): \(counts); used: \(derivation.chosen)"
      }
      return ["<ul>"] + (report.summary.lines + derivations).map { "<li>\(escape($0))</li>" } + ["</ul>"]
    }
  }

  /// What is wider than the page scrolls within itself, also from the keyboard.
  private func table(_ header: [String], _ rows: [[String]], numbers: Set<Int>) -> [String] {
    let head = header.map { "<th scope=\"col\">\($0)</th>" }.joined()
    let body = rows.map { row in
      "<tr>"
        + row.enumerated().map { numbers.contains($0) ? "<td class=\"number\">\($1)</td>" : "<td>\($1)</td>" }
        .joined()
        + "</tr>"
    }
    let label = header.first.map { " aria-label=\"Table: \($0)\"" } ?? ""
    return [
      "<div class=\"scroll\" tabindex=\"0\" role=\"group\"\(label)>",
      "<table><thead><tr>\(head)</tr></thead><tbody>",
    ] + body + ["</tbody></table></div>"]
  }

  private func escape(_ text: String) -> String { Markup.escape(text) }
}

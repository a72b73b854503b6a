import ScenarioModel
import Simulation
import Statistics
import TestBench
import TextFormats
import TriggerModel

/// The report as a summary for a pull request.
package struct ReportMarkdown {
  private let report: Report

  package init(_ report: Report) {
    self.report = report
  }

  package var text: String {
    var lines = ["# TriggerBench: \(verdict)", ""]
    lines.append("\(counts). Made by `\(Printable.text(report.command))`.")
    let failed = report.suite.scenarios.filter { !$0.passed }
    if !failed.isEmpty { lines += ["", "## What failed"] + failed.flatMap(failure) }
    if !report.suite.diagnostics.isEmpty {
      lines += ["", "## Files that cannot be used", ""]
      lines += report.suite.diagnostics.map { "- `\(Printable.text($0.summary))`" }
    }
    let total = report.total
    lines += ["", "## All scenarios together", ""] + funnel(total)
    let denied = total.denied.nonZero
    if !denied.isEmpty {
      lines += ["", "| denied because of | as first reason | among all blockers |", "|---|--:|--:|"]
      for reason in Reason.allCases where total.blockedBy[reason] > 0 {
        lines.append(
          "| \(reason.name) | \(total.denied[reason]) | \(total.blockedBy[reason]) |")
      }
    }
    for section in ReportSections.tables(report.suite.scenarios, ofSuite: true) {
      lines += ["", "## \(section.title)", ""] + table(section.table)
    }
    lines += unmade
    lines += [
      "", "## Scenarios", "",
      "| scenario | verdict | due | requested | admitted | exposed | tapped | tap-through |",
      "|---|---|--:|--:|--:|--:|--:|--:|",
    ]
    lines += report.suite.scenarios.map(row)
    lines += remarks("Happened without effect:") {
      $0.accounts.ignored.isEmpty ? nil : $0.accounts.ignored.inWords
    }
    lines += remarks("More was delivered than a cap allows:") { CapSection([$0]).excess }
    lines += chronologies + sentences
    let engine = report.versions.engine.map { ", engine under test `\(Printable.text($0))`" } ?? ""
    lines += [
      "",
      "Counts are instrumented: made in this run. \(report.responses)",
      "triggerbench \(report.versions.tool), time-zone data \(report.versions.timeZoneData), GEOS \(report.versions.geos)\(engine).",
    ]
    return lines.joined(separator: "\n") + "\n"
  }

  /// What fired when, of the scenarios that failed first; folded up, and no longer than one reads in a pull request.
  private var chronologies: [String] {
    let results = report.suite.scenarios
    let order = results.filter { !$0.passed } + results.filter(\.passed)
    var lines = ["", "## What fired when"]
    var room = Self.mostChronologyRows
    for result in order {
      let entries = result.chronology.entries
      if entries.isEmpty { continue }
      if room == 0 {
        return lines + ["", "More is in the pages: one for each scenario, from `index.html`."]
      }
      let words = ChronologyWords(RunWords(result.program), result.texts)
      let shown = entries.prefix(min(room, Self.mostChronologyRowsOfOne))
      room -= shown.count
      lines += [
        "", "<details><summary>\(Markup.escape(Printable.text(result.program.scenario.title)))</summary>", "",
      ]
      lines += ["| time | reminder | what became of it | why not |", "|---|---|---|---|"]
      for entry in shown {
        let row = words.row(entry)
        lines.append(
          "| \(row.time) | \(escape(row.reminder)) | \(escape(row.fate)) | \(escape(row.reason)) |")
      }
      let left = entries.count - shown.count + result.chronology.untold
      if left > 0 { lines += ["", "and \(left) more"] }
      lines += ["", "</details>"]
    }
    return lines.count == 2 ? [] : lines
  }

  /// What the reminders are, folded up; those of scenarios that failed first.
  private var sentences: [String] {
    let results = report.suite.scenarios
    var lines = ["", "## What the reminders are"]
    var room = Self.mostSentences
    for result in results.filter({ !$0.passed }) + results.filter(\.passed) {
      let text = SentencesText(result.program.scenario)
      let rows = text.rows
      if rows.isEmpty { continue }
      if room == 0 {
        return lines + ["", "More is in the pages, and 'triggerbench sentences' prints all of them."]
      }
      let shown = rows.prefix(min(room, Self.mostSentencesOfOne))
      room -= shown.count
      let title = Markup.escape(Printable.text(result.program.scenario.title))
      lines += ["", "<details><summary>\(title)</summary>", ""]
      lines += shown.map { "- \(escape(text.title($0))): \(escape(text.sentence($0)))" }
      if rows.count > shown.count { lines += ["", "and \(rows.count - shown.count) more"] }
      lines += ["", "</details>"]
    }
    return lines.count == 2 ? [] : lines
  }

  // Of a suite, and of one scenario: a comment on a pull request holds 65,536 characters.
  private static let mostSentences = 200
  private static let mostSentencesOfOne = 20
  private static let mostChronologyRows = 400
  private static let mostChronologyRowsOfOne = 40

  private var verdict: String {
    switch report.verdict {
    case .passed: "passed"
    case .failed: "failed"
    case .invalid: "a file cannot be used"
    }
  }

  private var counts: String {
    let suite = report.suite
    let passed = suite.scenarios.count - report.failedScenarios
    var text =
      "\(passed) of \(suite.scenarios.count) scenarios passed, "
      + "\(report.expectationCount - report.failedExpectations) of \(report.expectationCount) expectations"
      + escape(report.killedTogether)
    if suite.otherFiles > 0 { text += "; files of other kinds, left alone: \(suite.otherFiles)" }
    return text
  }

  private func failure(_ result: ScenarioResult) -> [String] {
    let file = Printable.text(result.program.scenario.file)
    var lines = ["", "### \(escape(result.program.scenario.title)) (`\(file)`)", ""]
    for expectation in result.expectations where !expectation.passed {
      lines.append("- `\(file):\(expectation.position.line)` **expected** \(escape(expectation.text))")
      lines.append("  - **got** \(escape(expectation.got))")
      if let nearest = expectation.nearest { lines.append("  - **nearest** \(escape(nearest))") }
      lines += expectation.reasons.map { "  - \(escape($0))" }
    }
    lines += result.gates.filter(\.fails).map { outcome in
      let gate = outcome.gate
      let file = Printable.text(result.program.scenario.sources.name(of: gate.position))
      return "- `\(file):\(gate.position.line)` **gate** \(escape(gate.name)): \(escape(outcome.summary))"
    }
    lines += result.accounts.contradictions.map { "- the accounts do not close: \(escape($0))" }
    return lines
  }

  private func funnel(_ account: ReminderAccount) -> [String] {
    ["| step | count | lost before it | evidence |", "|---|--:|---|---|"]
      + Funnel(account, isModelled: report.isModelled).steps.map { step in
        "| \(step.name) | \(step.count) | \(step.changes) | \(step.evidence.rawValue) |"
      }
  }

  private func table(_ table: ReportTable) -> [String] {
    func line(_ cells: [String]) -> String { "| " + cells.joined(separator: " | ") + " |" }
    let rule = "|" + table.columns.map { $0.isNumber ? "--:" : "---" }.joined(separator: "|") + "|"
    return [line(table.columns.map(\.title)), rule] + table.rows.map { line($0.map(escape)) }
      + (table.notes.count == 1 ? ["", escape(table.notes[0])] : [])
      + (table.notes.count > 1 ? [""] + table.notes.map { "- " + escape($0) } : [])
  }

  /// What was due and not made, or made without cause.
  private var unmade: [String] {
    let losers = report.suite.scenarios.flatMap { result in
      let words = RunWords(result.program)
      return result.accounts.reminders.enumerated().compactMap { index, account -> String? in
        if account.notObserved.isEmpty && account.unfounded == 0 { return nil }
        return "| \(escape(result.program.scenario.title)) | \(escape(words.name(ReminderID(index))))"
          + " | \(account.dueRequests) | \(account.requests) | \(account.notObserved.inWords) | \(account.unfoundedWords) |"
      }
    }
    if losers.isEmpty { return [] }
    return [
      "", "| scenario | reminder | due | requested | due and not made, because | made without cause |",
      "|---|---|--:|--:|---|--:|",
    ] + losers
  }

  /// A list of what is to be said of single scenarios.
  private func remarks(_ head: String, _ words: (ScenarioResult) -> String?) -> [String] {
    let items = report.suite.scenarios.compactMap { result in
      words(result).map { "- \(escape(result.program.scenario.title)): \($0)" }
    }
    return items.isEmpty ? [] : ["", head, ""] + items
  }

  private func row(_ result: ScenarioResult) -> String {
    let total = result.accounts.total
    let tapThrough = Figure(.tapThrough, total, days: 1)
    let cells = [
      "[\(escape(result.program.scenario.title))](\(Printable.text(result.program.scenario.file)))",
      result.passed ? "passed" : "**failed**",
      "\(total.dueRequests)", "\(total.requests)", "\(total.admitted)", "\(total.exposed)",
      "\(total.tapped)",
      "\(tapThrough)",
    ]
    return "| " + cells.joined(separator: " | ") + " |"
  }

  private func escape(_ text: String) -> String { Markup.markdown(text) }
}

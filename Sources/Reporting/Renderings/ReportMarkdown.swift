import ScenarioModel
import Simulation
import Statistics
import TestBench
import TextFormats
import TriggerModel

/// The report as a summary in a pull request.
package struct ReportMarkdown {
  private let report: Report

  package init(_ report: Report) {
    self.report = report
  }

  package var text: String {
    let verdict = report.verdict == .invalid ? "a file cannot be used" : report.verdict.rawValue
    var lines = ["# TriggerBench: \(verdict)", ""]
    lines.append("\(counts). Made by `\(Printable.text(report.command))`.")
    let failed = report.suite.scenarios.filter { !$0.passed }
    if !failed.isEmpty { lines += ["", "## Failures"] + failed.flatMap(failure) }
    if !report.suite.diagnostics.isEmpty {
      lines += ["", "## Files that cannot be used", ""]
      lines += report.suite.diagnostics.map { "- `\(Printable.text($0.summary))`" }
    }
    let total = report.total
    lines += ["", "## All scenarios together", ""]
    lines += Funnel(total, isModelled: report.isModelled).table.markdown
    if !total.denied.nonZero.isEmpty { lines += [""] + ReportTable.denials(total).markdown }
    for section in ReportSections.tables(report.suite.scenarios, ofSuite: true) {
      lines += ["", "## \(section.title)", ""] + section.table.markdown
      let notes = section.table.notes.map(escape)
      if !notes.isEmpty { lines += [""] + (notes.count == 1 ? notes : notes.map { "- " + $0 }) }
    }
    lines += unmade
    lines += [
      "", "## Scenarios", "",
      "| scenario | verdict | due | requested | admitted | exposed | tapped | tap-through |",
      "|---|---|--:|--:|--:|--:|--:|--:|",
    ]
    lines += report.suite.scenarios.map(row)
    lines += remarks("Events without effect:") {
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

  // MARK: Collapsed lists

  /// The maximum number of lines in the whole suite and in each scenario.
  private typealias Limits = (suite: Int, scenario: Int)

  // GitHub limits a pull-request comment to 65,536 characters.
  private static let chronologyLimits: Limits = (suite: 400, scenario: 40)
  private static let sentenceLimits: Limits = (suite: 200, scenario: 20)

  private var chronologies: [String] {
    folded(
      "Chronology", Self.chronologyLimits,
      more: "More is in the pages: one for each scenario, from `index.html`.",
      head: ["| time | reminder | outcome | reason |", "|---|---|---|---|"]
    ) { result in
      let entries = result.chronology.entries
      let words = ChronologyWords(RunWords(result.program), result.texts)
      func line(_ index: Int) -> String {
        let row = words.row(entries[index])
        return ReportTable.markdownRow([row.time, row.reminder, row.fate, row.reason])
      }
      return (entries.count, result.chronology.omitted, line)
    }
  }

  private var sentences: [String] {
    folded(
      "Reminders as sentences", Self.sentenceLimits,
      more: "More is in the pages, and 'triggerbench sentences' prints all of them."
    ) { result in
      let text = SentencesText(result.program.scenario)
      return (
        text.rows.count, 0,
        { "- \(escape(text.title(text.rows[$0]))): \(escape(text.sentence(text.rows[$0])))" }
      )
    }
  }

  /// Returns a collapsed list for each scenario, failed scenarios first, up to the limit of the suite.
  ///
  /// - Parameters:
  ///   - content: The number of lines in a scenario's list, the number of omitted entries, and a closure for
  ///     each line.
  private func folded(
    _ title: String, _ limits: Limits, more: String, head: [String] = [],
    _ content: (ScenarioResult) -> (count: Int, rest: Int, line: (Int) -> String)
  ) -> [String] {
    var lines = ["", "## \(title)"]
    var room = limits.suite
    for result in report.failedFirst {
      let (count, rest, line) = content(result)
      if count == 0 { continue }
      if room == 0 { return lines + ["", more] }
      let shown = min(count, room, limits.scenario)
      room -= shown
      let summary = Markup.escape(Printable.text(result.program.scenario.title))
      lines += ["", "<details><summary>\(summary)</summary>", ""] + head + (0..<shown).map(line)
      let left = count - shown + rest
      if left > 0 { lines += ["", "and \(left) more"] }
      lines += ["", "</details>"]
    }
    return lines.count == 2 ? [] : lines
  }

  // MARK: Parts

  private var counts: String {
    let others = report.suite.otherFiles
    return "\(report.passedScenarios) passed, \(report.passedExpectations)\(escape(report.killedTogether))"
      + (others > 0 ? "; files of other kinds, left alone: \(others)" : "")
  }

  private func failure(_ result: ScenarioResult) -> [String] {
    let file = Printable.text(result.program.scenario.file)
    var lines = ["", "### \(escape(result.program.scenario.title)) (`\(file)`)", ""]
    for expectation in result.expectations where !expectation.passed {
      let details = expectation.details.map { "**\($0)** \(escape($1))" }
      lines.append("- `\(file):\(expectation.position.line)` \(details[0])")
      lines += (details.dropFirst() + expectation.reasons.map(escape)).map { "  - \($0)" }
    }
    lines += result.gates.filter(\.fails).map { outcome in
      let gate = outcome.gate
      let file = Printable.text(result.program.scenario.sources.name(of: gate.position))
      return "- `\(file):\(gate.position.line)` **gate** \(escape(gate.name)): \(escape(outcome.summary))"
    }
    lines += result.accounts.contradictions.map { "- the accounts do not close: \(escape($0))" }
    return lines
  }

  /// The reminders whose due requests were not made, or that made unfounded requests.
  private var unmade: [String] {
    let table = ReportTable(
      columns: [
        .text("scenario"), .text("reminder"), .number("due"), .number("requested"),
        .text("not requested because"), .number("unfounded requests"),
      ],
      rows: report.suite.scenarios.flatMap { result in
        let words = RunWords(result.program)
        return result.accounts.reminders.enumerated().compactMap { index, account -> [String]? in
          if account.unmade == 0 && account.unfounded == 0 { return nil }
          return [
            result.program.scenario.title, words.name(ReminderID(index)), "\(account.dueRequests)",
            "\(account.requests)", account.unmadeBecause.inWords, account.unfoundedWords,
          ]
        }
      })
    return table.rows.isEmpty ? [] : [""] + table.markdown
  }

  /// Returns a list of the scenarios for which the closure returns a text.
  private func remarks(_ head: String, _ words: (ScenarioResult) -> String?) -> [String] {
    let items = report.suite.scenarios.compactMap { result in
      words(result).map { "- \(escape(result.program.scenario.title)): \($0)" }
    }
    return items.isEmpty ? [] : ["", head, ""] + items
  }

  private func row(_ result: ScenarioResult) -> String {
    let total = result.accounts.total
    let cells = [
      "[\(escape(result.program.scenario.title))](\(Printable.text(result.program.scenario.file)))",
      result.passed ? "passed" : "**failed**",
      "\(total.dueRequests)", "\(total.requests)", "\(total.admitted)", "\(total.exposed)",
      "\(total.tapped)", "\(Figure(.tapThrough, total, days: 1))",
    ]
    return "| " + cells.joined(separator: " | ") + " |"
  }

  private func escape(_ text: String) -> String { Markup.markdown(text) }
}

import ScenarioModel
import Simulation
import Statistics
package import TestBench
import TextFormats

/// The report for a terminal: the failures with their reasons, the scenarios, the gates, and the events that
/// the app observed.
///
/// The report fits on a screen. If it has more than ``rowLimit`` scenarios, or more than
/// ``rowLimitAfterFailures`` after failures, it counts the passed scenarios by folder. It truncates lines to
/// the terminal's width.
package struct ReportText {
  private let report: Report
  private let width: Int

  private static let rowLimit = 32
  /// The row limit if there are failures. It is lower, so that the failures above the rows stay on the
  /// screen.
  private static let rowLimitAfterFailures = 10
  /// The maximum number of lines about failures.
  private static let failureLineLimit = 20
  /// The maximum number of failed scenarios that get a row in a long report.
  private static let failedRowLimit = 12

  /// - Parameter width: The width of the terminal in columns.
  package init(_ report: Report, width: Int = 80) {
    self.report = report
    self.width = max(width, 40)
  }

  /// Returns the report without its last line, the verdict.
  package func text(colored: Bool) -> String {
    let results = report.suite.scenarios
    let failed = results.filter { !$0.passed }
    var lines: [String] = []
    var hidden = 0
    for block in failed.flatMap(failures) {
      if lines.isEmpty || hidden == 0 && lines.count + block.count <= Self.failureLineLimit {
        lines += block
      } else {
        hidden += 1
      }
    }
    if hidden > 0 { lines.append("\(hidden) more failed: see the reports") }
    if !failed.isEmpty { lines.append("") }
    let isLong = results.count > (failed.isEmpty ? Self.rowLimit : Self.rowLimitAfterFailures)
    let rows = isLong ? Array(failed.prefix(Self.failedRowLimit)) : results
    let fileWidth = rows.map { Printable.text($0.program.scenario.file).count }.max() ?? 0
    lines += rows.map { row($0, fileWidth, colored: colored) }
    if isLong, rows.count < failed.count {
      lines.append("\(paint("FAIL", false, colored)) \(failed.count - rows.count) more scenarios")
    }
    if isLong { lines += folders(results.filter(\.passed), colored: colored) }
    let gates = GateSection(results)
    if results.count == 1, !gates.results.isEmpty {
      lines += ["", "gates"] + gates.lines.map { "  " + $0 }
    } else if !gates.results.isEmpty {
      lines += ["", "gates (intervals and published benchmarks: see the reports)".cut(to: width)]
      lines += gates.shortLines(of: results, width: width - 2).map { ("  " + $0).cut(to: width) }
    }
    let observed = ObservationSection.summary(report)
    if !observed.isEmpty { lines += [""] + observed }
    return lines.joined(separator: "\n")
  }

  /// Returns the last line, which counts the passed scenarios and expectations.
  package func verdict(colored: Bool) -> String {
    let isEmpty = report.suite.scenarios.isEmpty
    var verdict = isEmpty ? "nothing was run" : "\(report.passedScenarios) passed"
    let expectations = isEmpty ? "" : ", \(report.passedExpectations)"
    // The counts of expectations may be omitted if they do not fit; gates and unusable files may not.
    if verdict.count + expectations.count <= width { verdict += expectations }
    verdict += report.killedTogether
    if report.suite.hasInvalidFiles { verdict += "; problems in files: \(report.suite.diagnostics.count)" }
    if report.suite.otherFiles > 0 { verdict += "; files of other kinds: \(report.suite.otherFiles)" }
    return paint(verdict, report.verdict == .passed, colored)
  }

  private func paint(_ text: String, _ passed: Bool, _ colored: Bool) -> String {
    colored ? "\u{1B}[\(passed ? 32 : 31)m\(text)\u{1B}[0m" : text
  }

  /// Returns the line of a scenario with its name, its expectations, and more details if they fit.
  private func row(_ result: ScenarioResult, _ fileWidth: Int, colored: Bool) -> String {
    let scenario = result.program.scenario
    let total = result.accounts.total
    let expected = "\(result.expectations.count { $0.passed })/\(result.expectations.count)"
    let mark = result.passed ? "ok  " : "FAIL"
    let room = width - mark.count - 1 - 2 - 5
    let name = Printable.text(scenario.file)
    let width = min(fileWidth, room)
    let file = name.count > width ? "…" + name.suffix(width - 1) : name
    var line = " " + file.padded(to: width) + "  " + expected.aligned(to: 5)
    for part in [
      "  \(count(total.requests, "request")) \(count(total.exposed, "fire"))",
      "  \(Printable.text(scenario.title))",
    ] where mark.count + line.count + min(part.count, 12) <= self.width {
      line += part
    }
    return paint(mark, result.passed, colored) + line.cut(to: self.width - mark.count)
  }

  /// Returns one line for each folder of scenarios.
  private func folders(_ results: [ScenarioResult], colored: Bool) -> [String] {
    var folders: [String: (scenarios: Int, expectations: Int)] = [:]
    for result in results {
      let file = Printable.text(result.program.scenario.file)
      let name = file.lastIndex(of: "/").map { String(file[...$0]) } ?? "./"
      folders[name, default: (0, 0)].scenarios += 1
      folders[name, default: (0, 0)].expectations += result.expectations.count
    }
    return folders.sorted { $0.key < $1.key }.map { name, counts in
      let line = " \(name)  \(counted(counts.scenarios, "scenario")), all \(counts.expectations) expectations"
      return paint("ok  ", true, colored) + line.cut(to: width - 4)
    }
  }

  /// Returns the lines of each failure of a scenario.
  private func failures(_ result: ScenarioResult) -> [[String]] {
    let file = Printable.text(result.program.scenario.file)
    func line(_ label: String, _ text: String) -> String {
      "  \(label.padded(to: 10))\(Printable.text(text))"
    }
    let expectations = result.expectations.filter { !$0.passed }.map { expectation in
      ["\(file):\(expectation.position.line):\(expectation.position.column): expectation failed"]
        + expectation.details.map { line($0, $1) }
        + expectation.reasons.enumerated().map { line($0 == 0 ? "because" : "", $1) }
    }
    let gates = result.gates.filter(\.fails).map { outcome in
      [
        Printable.text("\(outcome.place): gate \(outcome.gate.name) kills"),
        line("target", outcome.gate.target.text), outcome.gate.kill.map { line("kill", $0.text) },
        line("got", outcome.summary),
      ].compactMap(\.self)
    }
    return expectations + gates
      + result.accounts.contradictions.map { ["\(file): the accounts do not close: \($0)"] }
  }

  /// Returns a count and its noun in a fixed width, for example "    1 request ".
  private func count(_ number: Int, _ noun: String) -> String {
    "\(number)".aligned(to: 5) + " " + noun + (number == 1 ? " " : "s")
  }
}

extension ExpectationResult {
  /// The expectation, the actual result and the nearest match, each with its label.
  var details: [(label: String, text: String)] {
    [("expected", text), ("got", got)] + (nearest.map { [("nearest", $0)] } ?? [])
  }
}

/// The chronology of each scenario for a terminal. It has one line for each notification, and one for each
/// trigger that led to none.
package struct ChronologyText {
  private let results: [ScenarioResult]

  package init(_ results: [ScenarioResult]) { self.results = results }

  package var text: String { results.flatMap(lines).joined(separator: "\n") }

  private func lines(_ result: ScenarioResult) -> [String] {
    let words = ChronologyWords(RunWords(result.program), result.texts)
    let rows = result.chronology.entries.map(words.row)
    var lines = ["", "\(Printable.text(result.program.scenario.file)): chronology"]
    if rows.isEmpty { lines.append("  no notification was due, and none fired") }
    let times = rows.map(\.time.count).max() ?? 0
    let names = min(rows.map(\.reminder.count).max() ?? 0, 24)
    for row in rows {
      let reason = row.reason.isEmpty ? "" : ": " + row.reason
      lines.append(
        Printable.text(
          "  \(row.time.padded(to: times))  \(row.reminder.padded(to: names))  \(row.fate)\(reason)"))
    }
    if result.chronology.omitted > 0 {
      lines.append("  and \(result.chronology.omitted) more: --journal writes all of them")
    }
    if !result.chronology.listsMisses {
      lines.append("  denied requests, and triggers without a request, are too many to list: see the counts")
    }
    return lines
  }
}

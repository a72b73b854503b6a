import Statistics
import Simulation
import TestBench
import ScenarioModel
import TextFormats

/// The report for a terminal: what failed and why, then a table.
package struct ReportText {
  private let report: Report

  package init(_ report: Report) {
    self.report = report
  }

  package func text(colored: Bool) -> String {
    func paint(_ text: String, _ passed: Bool) -> String {
      colored ? "\u{1B}[\(passed ? 32 : 31)m\(text)\u{1B}[0m" : text
    }
    var lines: [String] = []
    for result in report.suite.scenarios where !result.passed { lines += failure(result) + [""] }
    let width = report.suite.scenarios.map(\.program.scenario.file.count).max() ?? 0
    for result in report.suite.scenarios {
      let scenario = result.program.scenario
      let total = result.accounts.total
      let name = Printable.text(scenario.file)
      let file = name + String(repeating: " ", count: max(0, width - name.count))
      let expected = "\(result.expectations.count { $0.passed })/\(result.expectations.count)"
      lines.append(
        "\(paint(result.passed ? "ok  " : "FAIL", result.passed)) \(file)  \(pad(expected, 5))"
          + "  \(count(total.requests, "request")) \(count(total.exposed, "fire"))  \(Printable.text(scenario.title))"
      )
      if !result.accounts.ignored.isEmpty {
        lines.append("       happened without effect: \(result.accounts.ignored.inWords)")
      }
    }
    let passed = report.suite.scenarios.count - report.failedScenarios
    var summary =
      "\(passed) of \(report.suite.scenarios.count) scenarios passed,"
      + " \(report.expectationCount - report.failedExpectations) of \(report.expectationCount) expectations"
    summary += report.killedTogether
    if report.suite.hasInvalidFiles { summary += "; problems in files: \(report.suite.diagnostics.count)" }
    if report.suite.otherFiles > 0 { summary += "; files of other kinds: \(report.suite.otherFiles)" }
    lines += ["", summary, ObservationSection.summary(report)]
    let gates = GateSection(report.suite.scenarios)
    if !gates.results.isEmpty { lines += ["", "gates"] + gates.lines.map { "  " + $0 } }
    return lines.joined(separator: "\n")
  }

  private func failure(_ result: ScenarioResult) -> [String] {
    let file = Printable.text(result.program.scenario.file)
    var lines: [String] = []
    for expectation in result.expectations where !expectation.passed {
      lines.append("\(file):\(expectation.position.line):\(expectation.position.column): expectation failed")
      lines.append("  expected  \(Printable.text(expectation.text))")
      lines.append("  got       \(Printable.text(expectation.got))")
      if let nearest = expectation.nearest { lines.append("  nearest   \(Printable.text(nearest))") }
      for (index, reason) in expectation.reasons.enumerated() {
        lines.append((index == 0 ? "  because   " : "            ") + Printable.text(reason))
      }
    }
    for result in result.gates where result.fails {
      lines.append(Printable.text("\(result.place): gate \(result.gate.name) kills"))
      lines.append("  target    \(result.gate.target.text)")
      if let kill = result.gate.kill { lines.append("  kill      \(kill.text)") }
      lines.append("  got       \(Printable.text(result.summary))")
    }
    lines += result.accounts.contradictions.map { "\(file): the accounts do not close: \($0)" }
    return lines
  }

  /// "    1 request ", as wide as any number of them.
  private func count(_ number: Int, _ noun: String) -> String {
    pad("\(number)", 5) + " " + noun + (number == 1 ? " " : "s")
  }

  private func pad(_ text: String, _ width: Int) -> String {
    String(repeating: " ", count: max(0, width - text.count)) + text
  }
}

import Scenarios
import TestBench

/// The report for a terminal: what failed and why, then a table, then where the files are.
package struct ReportText {
  private let report: Report
  private let reports: String

  package init(_ report: Report, reports: String) {
    self.report = report
    self.reports = reports
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
      let file = scenario.file + String(repeating: " ", count: width - scenario.file.count)
      let expected = "\(result.expectations.count { $0.passed })/\(result.expectations.count)"
      lines.append(
        "\(paint(result.passed ? "ok  " : "FAIL", result.passed)) \(file)  \(pad(expected, 5))"
          + "  \(pad("\(total.requests)", 5)) requests \(pad("\(total.presented)", 5)) fires  \(scenario.title)"
      )
    }
    let passed = report.suite.scenarios.count - report.failedScenarios
    var summary =
      "\(passed) of \(report.suite.scenarios.count) scenarios passed,"
      + " \(report.expectationCount - report.failedExpectations) of \(report.expectationCount) expectations"
    if report.suite.hasInvalidFiles { summary += "; problems in files: \(report.suite.diagnostics.count)" }
    if report.suite.otherFiles > 0 { summary += "; files of other kinds: \(report.suite.otherFiles)" }
    return (lines + ["", summary, Observation.summary(report), "reports in \(reports)/"]).joined(
      separator: "\n")
  }

  private func failure(_ result: ScenarioResult) -> [String] {
    let file = result.program.scenario.file
    var lines: [String] = []
    for expectation in result.expectations where !expectation.passed {
      lines.append("\(file):\(expectation.position.line):\(expectation.position.column): expectation failed")
      lines.append("  expected  \(expectation.text)")
      lines.append("  got       \(expectation.got)")
      if let nearest = expectation.nearest { lines.append("  nearest   \(nearest)") }
      for (index, reason) in expectation.reasons.enumerated() {
        lines.append((index == 0 ? "  because   " : "            ") + reason)
      }
    }
    lines += result.accounts.contradictions.map { "\(file): the accounts do not close: \($0)" }
    return lines
  }

  private func pad(_ text: String, _ width: Int) -> String {
    String(repeating: " ", count: max(0, width - text.count)) + text
  }
}

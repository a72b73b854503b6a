import Scenarios
import TestBench
import TriggerModel

/// The report as JUnit XML: a suite per scenario, a case per expectation, and one for the scenario itself.
/// Times are virtual: the simulated seconds.
package struct ReportJUnit {
  private let report: Report

  package init(_ report: Report) {
    self.report = report
  }

  package var text: String {
    let failures =
      report.failedExpectations + report.suite.scenarios.count { !$0.accounts.contradictions.isEmpty }
    let invalid = invalidFiles
    var lines = [#"<?xml version="1.0" encoding="UTF-8"?>"#]
    lines.append(
      "<testsuites name=\"triggerbench\" tests=\"\(report.expectationCount + report.suite.scenarios.count + invalid.count)\""
        + " failures=\"\(failures)\" errors=\"\(invalid.count)\">")
    for (path, outcome) in report.suite.files {
      switch outcome {
      case .ran(let result): lines += suite(result)
      case .invalid(let diagnostics): lines += suite(path, diagnostics)
      case .otherKind: break
      }
    }
    return (lines + ["</testsuites>"]).joined(separator: "\n") + "\n"
  }

  private var invalidFiles: [String] {
    report.suite.files.compactMap { if case .invalid = $0.outcome { $0.path } else { nil } }
  }

  private func suite(_ result: ScenarioResult) -> [String] {
    let scenario = result.program.scenario
    let contradictions = result.accounts.contradictions
    let failures = result.expectations.count { !$0.passed } + (contradictions.isEmpty ? 0 : 1)
    let seconds = (result.program.end - scenario.start).milliseconds / 1_000
    var lines = [
      "  <testsuite name=\"\(escape(scenario.file))\" tests=\"\(result.expectations.count + 1)\""
        + " failures=\"\(failures)\" errors=\"0\" time=\"\(seconds)\">"
    ]
    lines += testCase(
      scenario.title, in: scenario.file, line: 1, seconds: seconds,
      failure: contradictions.isEmpty
        ? nil : ("the accounts do not close", contradictions.joined(separator: "\n")))
    for expectation in result.expectations {
      var detail = ["expected: \(expectation.text)", "got: \(expectation.got)"]
      if let nearest = expectation.nearest { detail.append("nearest: \(nearest)") }
      detail += expectation.reasons
      detail.append("\(scenario.file):\(expectation.position.line):\(expectation.position.column)")
      lines += testCase(
        expectation.text, in: scenario.file, line: Int(expectation.position.line), seconds: seconds,
        failure: expectation.passed ? nil : ("got \(expectation.got)", detail.joined(separator: "\n")))
    }
    return lines + ["  </testsuite>"]
  }

  private func suite(_ path: String, _ diagnostics: [Diagnostic]) -> [String] {
    let text = diagnostics.map(\.summary).joined(separator: "\n")
    return [
      "  <testsuite name=\"\(escape(path))\" tests=\"1\" failures=\"0\" errors=\"1\" time=\"0\">",
      "    <testcase name=\"can be used\" classname=\"\(escape(path))\" file=\"\(escape(path))\" time=\"0\">",
      "      <error message=\"\(escape(diagnostics.first?.message ?? ""))\">\(escape(text))</error>",
      "    </testcase>", "  </testsuite>",
    ]
  }

  private func testCase(
    _ name: String, in file: String, line: Int, seconds: Int64, failure: (message: String, text: String)?
  ) -> [String] {
    let head =
      "    <testcase name=\"\(escape(name))\" classname=\"\(escape(file))\" file=\"\(escape(file))\""
      + " line=\"\(line)\" time=\"\(seconds)\""
    guard let failure else { return [head + "/>"] }
    return [
      head + ">",
      "      <failure message=\"\(escape(failure.message))\">\(escape(failure.text))</failure>",
      "    </testcase>",
    ]
  }

  private func escape(_ text: String) -> String { Markup.escape(text) }
}

/// Escaping for XML and HTML.
enum Markup {
  /// Text as content or as an attribute's value. Control characters, which XML cannot hold, become U+FFFD.
  static func escape(_ text: String) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"": escaped += "&quot;"
      case "\n": escaped += "&#10;"
      case "\t": escaped += "&#9;"
      default: escaped.unicodeScalars.append(scalar.value < 0x20 ? "\u{FFFD}" : scalar)
      }
    }
    return escaped
  }
}

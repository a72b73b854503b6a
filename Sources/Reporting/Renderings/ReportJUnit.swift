import Simulation
import Statistics
import TestBench
import ScenarioModel
import TextFormats
import TriggerModel

/// The report as JUnit XML: a suite per scenario, with a case for the scenario itself, and one for each
/// expectation and gate; and a suite of the gates that several scenarios carry. A gate that kills is a
/// failure, one that is inconclusive is skipped.
/// Times are virtual: the simulated seconds.
package struct ReportJUnit {
  private let report: Report

  package init(_ report: Report) {
    self.report = report
  }

  package var text: String {
    let gates = report.suite.scenarios.flatMap(\.gates) + sharedGates
    let failures =
      report.failedExpectations + report.suite.scenarios.count { !$0.accounts.contradictions.isEmpty }
      + gates.count(where: \.fails)
    let invalid = invalidFiles
    let tests = report.expectationCount + gates.count + report.suite.scenarios.count + invalid.count
    var lines = [#"<?xml version="1.0" encoding="UTF-8"?>"#]
    lines.append(
      "<testsuites name=\"triggerbench\" tests=\"\(tests)\" failures=\"\(failures)\" errors=\"\(invalid.count)\""
        + skipped(gates) + ">")
    for (path, outcome) in report.suite.files {
      switch outcome {
      case .ran(let result): lines += suite(result)
      case .invalid(let diagnostics): lines += suite(path, diagnostics)
      case .otherKind: break
      }
    }
    if !sharedGates.isEmpty {
      lines.append(
        "  <testsuite name=\"gates\" tests=\"\(sharedGates.count)\" failures=\"\(sharedGates.count(where: \.fails))\""
          + " errors=\"0\"\(skipped(sharedGates)) time=\"0\">")
      for gate in sharedGates { lines += testCase(gate, in: "gates", seconds: 0) }
      lines.append("  </testsuite>")
    }
    return (lines + ["</testsuites>"]).joined(separator: "\n") + "\n"
  }

  /// Of one scenario alone they are its own.
  private var sharedGates: [GateResult] { report.suite.gates.filter { $0.carriers > 1 } }

  /// Nothing where no gate is inconclusive.
  private func skipped(_ gates: [GateResult]) -> String {
    let count = gates.count { $0.verdict == .inconclusive }
    return count == 0 ? "" : " skipped=\"\(count)\""
  }

  private var invalidFiles: [String] {
    report.suite.files.compactMap { if case .invalid = $0.outcome { $0.path } else { nil } }
  }

  private func suite(_ result: ScenarioResult) -> [String] {
    let scenario = result.program.scenario
    let contradictions = result.accounts.contradictions
    let failures =
      result.expectations.count { !$0.passed } + (contradictions.isEmpty ? 0 : 1)
      + result.gates.count(where: \.fails)
    let seconds = (result.program.end - scenario.start).milliseconds / 1_000
    var lines = [
      "  <testsuite name=\"\(escape(scenario.file))\" tests=\"\(result.expectations.count + result.gates.count + 1)\""
        + " failures=\"\(failures)\" errors=\"0\"\(skipped(result.gates)) time=\"\(seconds)\">"
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
    for gate in result.gates {
      lines += testCase(gate, in: gate.file, seconds: seconds)
    }
    return lines + ["  </testsuite>"]
  }

  private func testCase(_ result: GateResult, in group: String, seconds: Int64) -> [String] {
    let detail = ([result.summary, "target: \(result.gate.bounds)"] + result.remarks).joined(separator: "\n")
    return testCase(
      "gate \(result.gate.name)", of: group, in: result.file, line: Int(result.gate.position.line),
      seconds: seconds,
      failure: result.fails ? (result.summary, detail) : nil,
      skipped: result.verdict == .inconclusive ? result.summary : nil)
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
    _ name: String, of group: String? = nil, in file: String, line: Int, seconds: Int64,
    failure: (message: String, text: String)?, skipped: String? = nil
  ) -> [String] {
    let head =
      "    <testcase name=\"\(escape(name))\" classname=\"\(escape(group ?? file))\" file=\"\(escape(file))\""
      + " line=\"\(line)\" time=\"\(seconds)\""
    if let skipped {
      return [head + ">", "      <skipped message=\"\(escape(skipped))\"/>", "    </testcase>"]
    }
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

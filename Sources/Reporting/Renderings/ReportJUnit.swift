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
    let suites = report.suite.files.compactMap { path, outcome -> JUnitDocument.Suite? in
      switch outcome {
      case .ran(let result): suite(result)
      case .invalid(let diagnostics): suite(path, diagnostics)
      case .otherKind: nil
      }
    }
    let gates = sharedGates.map { testCase($0, of: "gates", seconds: 0) }
    let shared = gates.isEmpty ? [] : [JUnitDocument.Suite("gates", gates, seconds: 0)]
    return JUnitDocument("triggerbench", suites + shared).text
  }

  /// Of one scenario alone they are its own.
  private var sharedGates: [GateResult] { report.suite.gates.filter { $0.carriers > 1 } }

  private func suite(_ result: ScenarioResult) -> JUnitDocument.Suite {
    let scenario = result.program.scenario
    let contradictions = result.accounts.contradictions
    let seconds = (result.program.end - scenario.start).milliseconds / 1_000
    func testCase(_ name: String, line: Int, _ outcome: JUnitDocument.Outcome) -> JUnitDocument.Case {
      .init(name, of: scenario.file, file: scenario.file, line: line, seconds: seconds, outcome)
    }
    let whole = testCase(
      scenario.title, line: 1,
      contradictions.isEmpty
        ? .passed : .failed("the accounts do not close", detail: contradictions.joined(separator: "\n")))
    let expectations = result.expectations.map { expectation in
      var detail = ["expected: \(expectation.text)", "got: \(expectation.got)"]
      if let nearest = expectation.nearest { detail.append("nearest: \(nearest)") }
      detail += expectation.reasons
      detail.append("\(scenario.file):\(expectation.position.line):\(expectation.position.column)")
      return testCase(
        expectation.text, line: Int(expectation.position.line),
        expectation.passed
          ? .passed : .failed("got \(expectation.got)", detail: detail.joined(separator: "\n")))
    }
    let gates = result.gates.map { self.testCase($0, of: $0.file, seconds: seconds) }
    return .init(scenario.file, [whole] + expectations + gates, seconds: seconds)
  }

  private func testCase(_ result: GateResult, of group: String, seconds: Int64) -> JUnitDocument.Case {
    let detail = ([result.summary, "target: \(result.gate.bounds)"] + result.remarks).joined(separator: "\n")
    let outcome: JUnitDocument.Outcome =
      result.verdict == .inconclusive
      ? .skipped(result.summary) : result.fails ? .failed(result.summary, detail: detail) : .passed
    return .init(
      "gate \(result.gate.name)", of: group, file: result.file, line: Int(result.gate.position.line),
      seconds: seconds, outcome)
  }

  private func suite(_ path: String, _ diagnostics: [Diagnostic]) -> JUnitDocument.Suite {
    let text = diagnostics.map(\.summary).joined(separator: "\n")
    let broken = JUnitDocument.Outcome.broken(diagnostics.first?.message ?? "", detail: text)
    return .init(path, [.init("can be used", of: path, file: path, seconds: 0, broken)], seconds: 0)
  }
}

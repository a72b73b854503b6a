import ScenarioModel
import Simulation
import Statistics
import TestBench
import TextFormats
import TriggerModel

/// The report as JUnit XML.
///
/// Each scenario is a test suite. It has one test case for the scenario itself and one for each expectation
/// and gate. Gates of several scenarios have a test suite of their own. A gate with the verdict kill is a
/// failure, and an inconclusive gate is a skipped test.
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
    let gates = sharedGates.map { testCase($0, of: "gates") }
    let shared = gates.isEmpty ? [] : [JUnitDocument.Suite("gates", gates)]
    return JUnitDocument("triggerbench", suites + shared).text
  }

  /// The gates of several scenarios. The gates of a single scenario are in that scenario's test suite.
  private var sharedGates: [GateResult] { report.suite.gates.filter { $0.carriers > 1 } }

  private func suite(_ result: ScenarioResult) -> JUnitDocument.Suite {
    let scenario = result.program.scenario
    let contradictions = result.accounts.contradictions
    let whole = JUnitDocument.Case(
      scenario.title, of: scenario.file,
      contradictions.isEmpty
        ? .passed : .failed("the accounts do not close", detail: contradictions.joined(separator: "\n")))
    let expectations = result.expectations.map { expectation in
      let detail =
        expectation.details.map { "\($0): \($1)" } + expectation.reasons
        + ["\(scenario.file):\(expectation.position.line):\(expectation.position.column)"]
      return JUnitDocument.Case(
        expectation.text, of: scenario.file,
        expectation.passed
          ? .passed : .failed("got \(expectation.got)", detail: detail.joined(separator: "\n")))
    }
    let gates = result.gates.map { self.testCase($0, of: scenario.file) }
    return .init(scenario.file, file: RepositoryPath.reported(scenario.file), [whole] + expectations + gates)
  }

  private func testCase(_ result: GateResult, of group: String) -> JUnitDocument.Case {
    let detail = ([result.summary, "target: \(result.gate.bounds)"] + result.remarks + ["\(result.place)"])
      .joined(separator: "\n")
    let outcome: JUnitDocument.Outcome =
      result.verdict == .inconclusive
      ? .skipped(result.summary) : result.fails ? .failed(result.summary, detail: detail) : .passed
    return .init("gate \(result.gate.name)", of: group, outcome)
  }

  private func suite(_ path: String, _ diagnostics: [Diagnostic]) -> JUnitDocument.Suite {
    let text = diagnostics.map(\.summary).joined(separator: "\n")
    let broken = JUnitDocument.Outcome.broken(diagnostics.first?.message ?? "", detail: text)
    return .init(path, file: RepositoryPath.reported(path), [.init("can be used", of: path, broken)])
  }
}

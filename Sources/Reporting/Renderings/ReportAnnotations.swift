import ScenarioModel
import Simulation
import Statistics
import TestBench
import TextFormats

/// What is wrong, as commands that GitHub's runners turn into annotations of the files, a line each: see "Workflow
/// commands" in GitHub's documentation of its Actions, for the escapes too.
package struct ReportAnnotations {
  private let report: Report
  private let paths: RepositoryPath

  package init(_ report: Report, _ paths: RepositoryPath) {
    self.report = report
    self.paths = paths
  }

  package var text: String {
    let suite = report.suite
    var lines = (suite.diagnostics + suite.scenarios.flatMap(\.warnings)).map { diagnostic in
      annotation(
        diagnostic.severity == .error ? "error" : "warning", file: diagnostic.file,
        line: diagnostic.position.map { Int($0.line) }, column: diagnostic.position.map { Int($0.column) },
        [diagnostic.message] + [diagnostic.hint].compactMap(\.self))
    }
    for result in suite.scenarios {
      let file = result.program.scenario.file
      for expectation in result.expectations where !expectation.passed {
        lines.append(
          annotation(
            "error", file: file, line: Int(expectation.position.line),
            column: Int(expectation.position.column),
            ["expected \(expectation.text)", "got \(expectation.got)"]
              + [expectation.nearest.map { "nearest \($0)" }].compactMap(\.self) + expectation.reasons))
      }
      for gate in result.gates where gate.fails {
        lines.append(
          annotation(
            "error", file: gate.file, line: Int(gate.gate.position.line),
            column: Int(gate.gate.position.column), ["gate \(gate.gate.name) kills: \(gate.summary)"]))
      }
      lines += result.accounts.contradictions.map {
        annotation("error", file: file, line: nil, column: nil, ["the accounts do not close: \($0)"])
      }
    }
    return lines.map { $0 + "\n" }.joined()
  }

  private func annotation(_ level: String, file: String, line: Int?, column: Int?, _ message: [String])
    -> String
  {
    var properties: [String] = []
    if let file = ReportedFile.name(file) {
      properties.append("file=\(property(paths.name(file)))")
      if let line { properties.append("line=\(line)") }
      if let column { properties.append("col=\(column)") }
    }
    let place = properties.isEmpty ? "" : " " + properties.joined(separator: ",")
    return "::\(level)\(place)::\(data(message.joined(separator: "\n")))"
  }

  private func data(_ text: String) -> String {
    text.replacing("%", with: "%25").replacing("\r", with: "%0D").replacing("\n", with: "%0A")
  }

  private func property(_ text: String) -> String {
    data(text).replacing(":", with: "%3A").replacing(",", with: "%2C")
  }
}

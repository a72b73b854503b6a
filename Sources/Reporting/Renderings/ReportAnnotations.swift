import ScenarioModel
import Simulation
import Statistics
import TestBench
import TextFormats

/// Failures and diagnostics as workflow commands, one per line. GitHub shows them as annotations in the
/// files.
///
/// The syntax and the escapes follow "Workflow commands" in the documentation of GitHub Actions.
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
        diagnostic.severity == .error ? "error" : "warning", diagnostic.file, diagnostic.position,
        [diagnostic.message, diagnostic.hint].compactMap(\.self))
    }
    for result in suite.scenarios {
      let file = result.program.scenario.file
      for expectation in result.expectations where !expectation.passed {
        lines.append(
          annotation(
            "error", file, expectation.position,
            expectation.details.map { "\($0) \($1)" } + expectation.reasons))
      }
      for gate in result.gates where gate.fails {
        lines.append(
          annotation(
            "error", gate.file, gate.gate.position, ["gate \(gate.gate.name) kills: \(gate.summary)"]))
      }
      lines += result.accounts.contradictions.map {
        annotation("error", file, nil, ["the accounts do not close: \($0)"])
      }
    }
    return lines.map { $0 + "\n" }.joined()
  }

  private func annotation(
    _ level: String, _ file: String, _ position: SourcePosition?, _ message: [String]
  ) -> String {
    var properties: [String] = []
    if let file = RepositoryPath.reported(file) {
      properties.append("file=\(property(paths.name(file)))")
      if let position { properties += ["line=\(position.line)", "col=\(position.column)"] }
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

/// Makes file names relative to the root of the repository, as annotations require.
package struct RepositoryPath: Sendable {
  private let folder: String
  private let tops: [[Substring]]

  /// - Parameters:
  ///   - folder: The absolute path of the working folder.
  ///   - workspace: The absolute path of the repository's root, or `nil` to use the working folder.
  package init(folder: String, workspace: String?) {
    self.folder = folder
    tops = [workspace ?? "", folder].map(Self.parts).filter { !$0.isEmpty }
  }

  /// Returns the path relative to the root. Returns the name of a file outside the repository unchanged.
  func name(_ file: String) -> String {
    let parts = Self.parts(file.hasPrefix("/") ? file : "\(folder)/\(file)")
    let top = tops.first { parts.count > $0.count && parts.starts(with: $0) }
    return top.map { parts.dropFirst($0.count).joined(separator: "/") } ?? file
  }

  private static func parts(_ path: String) -> [Substring] {
    path.split(separator: "/").reduce(into: []) { parts, part in
      switch part {
      case ".": break
      case "..": _ = parts.popLast()
      default: parts.append(part)
      }
    }
  }

  /// Returns the name of a file that other tools can open, or `nil` for standard input and built-in files.
  static func reported(_ file: String) -> String? {
    file == "-" || file.hasPrefix("<") ? nil : file
  }
}

import Experiments
import Foundation
package import TextFormats

/// A comparison of two experiment reports: the settings that differ, and both answers.
package struct ExperimentComparison: Sendable {
  private let first: Report
  private let second: Report

  /// Whether both experiments have the same configuration, people and answer.
  package var isSame: Bool {
    first.configurationHash == second.configurationHash && first.people == second.people
      && first.answer == second.answer && differences.isEmpty
  }

  /// The parts of `experiment.json` that a comparison uses.
  private struct Report: Decodable, Sendable {
    var format: String
    var answer: String
    var people: Int64
    var configurationHash: String
    var configuration: [Configuration.Line]
  }

  /// Creates a comparison of two reports, or returns `nil` if neither is the report of an experiment.
  ///
  /// - Parameters:
  ///   - first: A folder that contains `experiment.json`, or the path of such a file.
  ///   - second: Another folder or file of this kind.
  /// - Throws: A diagnostic if only one of them is the report of an experiment.
  package init?(_ first: String, _ second: String) throws(Diagnostic) {
    switch (Self.read(first), Self.read(second)) {
    case (let one?, let other?): (self.first, self.second) = (one, other)
    case (nil, nil): return nil
    case (let one, _):
      throw Diagnostic(
        "this is not the report of an experiment, as the other one is", file: one == nil ? first : second,
        hint: "name two folders with experiment.json, or two such files")
    }
  }

  private static func read(_ path: String) -> Report? {
    let file = RunReader.file("experiment.json", at: path)
    guard file.hasSuffix(".json"), RegularFile.problem(file) == nil,
      let data = try? Data(contentsOf: URL(fileURLWithPath: file)),
      let report = try? JSONDecoder().decode(Report.self, from: data), report.format == ExperimentJSON.format
    else { return nil }
    return report
  }

  private var differences: [Configuration.Difference] {
    func configuration(_ report: Report) -> Configuration {
      Configuration(
        report.configuration + [Configuration.Line("people", "\(report.people)")])
    }
    return configuration(first).differences(from: configuration(second))
  }

  /// The comparison for a terminal.
  package var text: String {
    let head =
      differences.isEmpty
      ? "no setting differs"
      : counted(differences.count, "setting") + (differences.count == 1 ? " differs:" : " differ:")
    var lines = [head]
    lines += differences.map { "  \($0.name): \($0.first ?? "missing") → \($0.second ?? "missing")" }
    lines += ["first: \(first.answer)", "second: \(second.answer)", isSame ? "same" : "different"]
    return lines.joined(separator: "\n")
  }

  /// The comparison for a pull request.
  package var markdown: String {
    let table = ReportTable(
      columns: [.text("setting"), .text("first"), .text("second")],
      rows: differences.map { [$0.name, $0.first ?? "missing", $0.second ?? "missing"] })
    var lines = differences.isEmpty ? ["No setting differs."] : table.markdown
    lines += ["", "- first: \(Markup.markdown(first.answer))", "- second: \(Markup.markdown(second.answer))"]
    return lines.joined(separator: "\n")
  }

  /// The comparison for programs.
  package var document: JSONValue {
    [
      "isSame": .truth(isSame),
      "settings": .array(
        differences.map { difference in
          .present([
            "name": .string(difference.name), "first": difference.first.map(JSONValue.string),
            "second": difference.second.map(JSONValue.string),
          ])
        }), "first": .string(first.answer), "second": .string(second.answer),
    ]
  }
}

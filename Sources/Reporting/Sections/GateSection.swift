import PersonModel
import ScenarioModel
import Statistics
package import TestBench
import TextFormats
import TriggerModel

/// The results of the gates of a scenario or a suite. A suite pools the data of equal gates from several
/// scenarios.
struct GateSection: ReportSection {
  static let key = "gates"
  static let title = "Gates"
  static let isOfSuite = true

  let results: [GateResult]

  init(_ results: [ScenarioResult]) {
    self.results = results.count == 1 ? results[0].gates : SuiteGates.judge(results)
  }

  private static let benchmarkFields: [ReportField<Benchmark>] = [
    .integer("value", { Int($0.millionths) }, "Millionths."),
    .text("of", { $0.subject }, "Empty if the subject is evident."), .text("source", { $0.source }),
  ]

  private static let boundFields: [ReportField<Bound>] = [
    .choice("comparison", Bound.Side.allCases.map(\.rawValue)) { $0.side.rawValue },
    .integer("value", { Int($0.millionths) }, "Millionths."),
  ]
  private static let bound = ReportSchema.object(of: boundFields)

  private static let fields: [ReportField<GateResult>] = [
    .text("name", { $0.gate.name }),
    .text("measured", { $0.gate.words }, "In the words of a scenario file."),
    .choice("verdict", GateVerdict.allCases.map(\.rawValue)) { $0.verdict.rawValue },
    .truth("fails", { $0.fails }, "Whether it kills although no scenario expects it to."),
    .integer("numerator", { $0.estimate.numerator }),
    .integer("denominator", { $0.estimate.denominator }, "Of a lift both are means, in thousandths."),
    .count(
      "unknown", { $0.estimate.unknown },
      "Not in the denominator: the scenario does not state it, or the run ends too early."),
    .text("text", { $0.figure }), .value("evidence", ReportSchema.evidence) { .string($0.evidence.rawValue) },
    .value("target", bound) { JSONValue($0.gate.target, boundFields) },
    .optional("kill", bound) { $0.gate.kill.map { JSONValue($0.bound, boundFields) } },
    .optional("killAfter", ReportSchema.count("Milliseconds.")) {
      $0.gate.kill.map { .count($0.after.milliseconds) }
    },
    .count(
      "watched", { Int($0.watched.milliseconds) }, "Milliseconds: the length of the longest run."),
    .optional("value", ReportSchema.integer("Millionths; missing if there is nothing to divide by.")) {
      $0.estimate.value.map(JSONValue.count)
    },
    .optional("lower", ReportSchema.integer("Of the 95 % interval, millionths; missing if there is none.")) {
      $0.estimate.interval.map { .count($0.lower) }
    },
    .optional(
      "upper", ReportSchema.integer("Millionths; missing with 'lower' present if there is no upper bound.")
    ) {
      $0.estimate.interval.flatMap { $0.upper < .max ? .count($0.upper) : nil }
    },
    .count("runs", { $0.estimate.runs }, "The number of runs that contributed."),
    .count(
      "designEffect", { Int($0.estimate.designEffect) },
      "The variance between runs divided by that of chance, in thousandths; at least 1,000."),
    .list("benchmarks", of: benchmarkFields) { $0.gate.benchmarks }, .texts("remarks", { $0.remarks }),
  ]

  static let schema = ReportSchema.array(of: fields)
  var document: JSONValue { .array(results.map { JSONValue($0, Self.fields) }) }

  var table: ReportTable {
    ReportTable(
      columns: [
        "gate", "figure", "95 % interval", "target", "kill criterion", "verdict", "evidence",
      ].map { .text($0) },
      rows: results.map { result in
        let gate = result.gate
        return [
          result.title, result.figure, result.estimate.interval.map { "\($0)" } ?? "none",
          gate.target.text, gate.kill?.text ?? "none", result.verdict.rawValue, result.evidenceWords,
        ]
      }, notes: notes)
  }

  /// One sentence for each gate that has remarks. Each published benchmark is cited only once.
  private var notes: [String] {
    var cited: [String: String] = [:]
    return results.compactMap { result in
      var remarks = result.observations
      if let standing = result.standing {
        if let first = cited[standing.figures] {
          remarks.append("\(standing.place), cited at \(first)")
        } else {
          cited[standing.figures] = result.gate.name
          remarks.append("\(standing.place): \(standing.figures)")
        }
      }
      return remarks.isEmpty ? nil : "\(result.gate.name): \(remarks.joined(separator: "; "))"
    }
  }

  // MARK: In a terminal

  /// Two lines for each gate, and one line for each remark.
  var lines: [String] {
    results.flatMap { result in
      let indent = String(repeating: " ", count: 14)
      let interval = result.estimate.interval.map { ", 95 % interval \($0)" } ?? ""
      return [
        result.verdict.rawValue.padded(to: indent.count) + "\(result.title): \(result.figure)\(interval)",
        "\(indent)target \(result.gate.bounds); evidence: \(result.evidenceWords), "
          + counted(result.estimate.runs, "run"),
      ] + result.remarks.map { indent + $0 }
    }
    .map { Printable.text($0) }
  }

  /// Returns one line for each gate. A long name is truncated, so that the figure fits.
  ///
  /// The line contains the target if at least 12 characters of the name still fit, and the scenarios if there
  /// is room for them.
  func shortLines(of scenarios: [ScenarioResult], width: Int) -> [String] {
    let verdicts = results.map(\.verdict.rawValue.count).max() ?? 0
    return results.map { result in
      let head = result.verdict.rawValue.padded(to: verdicts) + "  "
      let name = Printable.text(result.gate.name)
      let figure = Printable.text(": \(result.figure)")
      let target = Printable.text(", target \(result.gate.target.text)")
      let least = min(name.count, 12)
      let tail = head.count + least + figure.count + target.count <= width ? figure + target : figure
      let room = max(8, width - head.count - tail.count)
      let line = head + name.cut(to: room) + tail
      let files = SuiteGates.carriers(of: result, among: scenarios)
      let last = files.first?.split(separator: "/").last.map { Printable.text(String($0)) } ?? ""
      let whose = "; \(last)" + (files.count > 1 ? " and \(files.count - 1) more" : "")
      return line.count + whose.count <= width ? line + whose : line
    }
  }
}

extension GateResult {
  /// The name of the gate, followed by its measure if that differs from the name.
  fileprivate var title: String { gate.name == gate.words ? gate.name : "\(gate.name) (\(gate.words))" }

  /// The evidence, with the model's name if the figure depends on a model.
  fileprivate var evidenceWords: String {
    let isOfModel = evidence == .assumed && gate.measure.evidence(isModelled: false) != .assumed
    return evidence.rawValue + (isOfModel ? " (\(TapModel.name))" : "")
  }

  /// Remarks on the figure: missing data, cautions and published benchmarks.
  var remarks: [String] {
    observations + (standing.map { ["\($0.place): \($0.figures)"] } ?? [])
  }

  /// The remarks without published benchmarks.
  fileprivate var observations: [String] {
    var remarks = [lack, silence].compactMap(\.self)
    if verdict == .kill, expected.contains(.kill) { remarks.append("as its scenario expects") }
    if estimate.designEffect > 1_000 {
      let tenths = (estimate.designEffect + 50) / 100
      remarks.append(
        "\(estimate.runs) runs that differ: the interval is widened by a design effect of \(tenths / 10).\(tenths % 10)"
      )
    }
    if leftOut > 0 { remarks.append("scenarios that expect the kill are left out: \(leftOut)") }
    if let caution = gate.measure.caution { remarks.append(caution) }
    return remarks
  }

  /// The rank of the target among published benchmarks, and those benchmarks with their sources.
  fileprivate var standing: (place: String, figures: String)? {
    gate.benchmarks.standing(of: gate.target.millionths).map { ("the target is \($0.place)", $0.figures) }
  }
}

/// Lines for a terminal about the gates of a suite that are inconclusive or that kill only on pooled data.
package struct GateLines {
  private let suite: SuiteResult

  package init(_ suite: SuiteResult) {
    self.suite = suite
  }

  /// One line for each gate that kills only on the pooled data of its scenarios.
  package var killedTogether: [String] {
    suite.gates.filter(\.killsTogether).map { gate in
      "\(gate.place): gate \(gate.gate.name), of \(gate.carriers) scenarios together: \(gate.summary); they are "
        + carriers(gate)
    }
  }

  /// One line for each inconclusive gate, except gates whose scenario expects that verdict.
  package var open: [String] {
    suite.openGates.map { gate in
      // The line also lists the scenarios if the gate is from a pack or belongs to several scenarios, because
      // the gate's file is then not a scenario.
      let others =
        SuiteGates.carriers(of: gate, among: suite.scenarios) == [gate.file] ? "" : "; of " + carriers(gate)
      return "\(gate.place): gate \(gate.gate.name) is not decided: \(gate.summary)\(others)"
    }
  }

  /// Returns the scenarios that contain a gate. If there are more than four, returns the first three and the
  /// number of the others.
  private func carriers(_ gate: GateResult) -> String {
    let files = SuiteGates.carriers(of: gate, among: suite.scenarios).map { Printable.text($0) }
    let shown = files.prefix(files.count > 4 ? 3 : 4).joined(separator: ", ")
    return files.count > 4 ? "\(shown) and \(files.count - 3) more" : shown
  }
}

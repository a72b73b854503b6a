import PersonModel
import ScenarioModel
import Statistics
import TestBench
import TextFormats
import TriggerModel

/// How the product's goals came out: a scenario's own, or those of a suite, the same ones judged together.
struct GateSection: ReportSection {
  static let key = "gates"
  static let title = "Gates"
  static let isOfSuite = true

  let results: [GateResult]

  init(_ results: [ScenarioResult]) {
    self.results = results.count == 1 ? results[0].gates : SuiteGates.judge(results)
  }

  static let schema = ReportSchema.array(
    ReportSchema.object(
      [
        ("name", ReportSchema.string()),
        ("measured", ReportSchema.string("In the words of a scenario file.")),
        ("verdict", ReportSchema.choice(GateVerdict.allCases.map(\.rawValue))),
        ("fails", ["type": "boolean", "description": "It kills, and no scenario expects it to."]),
        ("numerator", ReportSchema.integer()),
        ("denominator", ReportSchema.integer("Of a lift both are means, in thousandths.")),
        (
          "unknown",
          ReportSchema.count("Not in the denominator: the scenario does not say, or the run ends too early.")
        ),
        ("text", ReportSchema.string()), ("evidence", ReportSchema.evidence), ("target", boundSchema),
        ("watched", ReportSchema.count("Milliseconds: the run, or the longest of several.")),
        ("runs", ReportSchema.count("Those that contributed.")),
        (
          "designEffect",
          ReportSchema.count("How much more than chance the runs differ, in thousandths; 1,000 at least.")
        ),
        (
          "benchmarks",
          ReportSchema.array(
            ReportSchema.object([
              ("value", ReportSchema.integer("Millionths.")),
              ("of", ReportSchema.string("Empty where it needs no saying.")),
              ("source", ReportSchema.string()),
            ]))
        ),
        ("remarks", ReportSchema.array(ReportSchema.string())),
      ],
      optional: [
        ("kill", boundSchema), ("killAfter", ReportSchema.count("Milliseconds.")),
        ("value", ReportSchema.integer("Millionths; missing: nothing to divide by.")),
        ("lower", ReportSchema.integer("Of the 95 % interval, millionths; missing: there is none.")),
        ("upper", ReportSchema.integer("Millionths; missing beside 'lower': there is no bound above.")),
      ]))

  private static let boundSchema = ReportSchema.object([
    ("comparison", ReportSchema.choice(Bound.Side.allCases.map(\.rawValue))),
    ("value", ReportSchema.integer("Millionths.")),
  ])

  var table: ReportTable {
    ReportTable(
      columns: [
        "gate", "figure", "95 % interval", "target", "kill criterion", "verdict", "evidence",
      ].map { .text($0) },
      rows: results.map { result in
        let gate = result.gate
        return [
          result.title, result.figure, result.estimate.interval.map { "\($0)" } ?? "none",
          gate.target.text, gate.kill?.text ?? "none", result.verdict.rawValue,
          result.evidenceWords,
        ]
      }, notes: notes)
  }

  /// What has to be known beside the figures, a sentence a gate; what others have reached is cited once.
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

  /// For a terminal: two lines for each, and one for each remark.
  var lines: [String] {
    results.flatMap { result in
      let gate = result.gate
      let verdict = result.verdict.rawValue
      let indent = String(repeating: " ", count: 14)
      let interval = result.estimate.interval.map { ", 95 % interval \($0)" } ?? ""
      let runs = "\(result.estimate.runs) run" + (result.estimate.runs == 1 ? "" : "s")
      let head = verdict + String(repeating: " ", count: max(0, indent.count - verdict.count))
      return [
        "\(head)\(result.title): \(result.figure)\(interval)",
        "\(indent)target \(gate.bounds); evidence: \(result.evidenceWords), \(runs)",
      ] + result.remarks.map { indent + $0 }
    }
    .map { Printable.text($0) }
  }

  /// For a terminal: a line for each, in which a long name gives way to the figure, and so does the target where there is
  /// little room; where there is room, whose it is stands behind.
  func shortLines(of scenarios: [ScenarioResult], width: Int) -> [String] {
    let verdicts = results.map(\.verdict.rawValue.count).max() ?? 0
    return results.map { result in
      let verdict = result.verdict.rawValue
      let head = verdict + String(repeating: " ", count: verdicts - verdict.count) + "  "
      let name = Printable.text(result.gate.name)
      let figure = Printable.text(": \(result.figure)")
      let target = Printable.text(", target \(result.gate.target.text)")
      let least = min(name.count, 12)
      let tail = head.count + least + figure.count + target.count <= width ? figure + target : figure
      let room = max(8, width - head.count - tail.count)
      let line = head + (name.count > room ? name.prefix(room - 1) + "…" : name) + tail
      let files = SuiteGates.carriers(of: result, among: scenarios)
      let last = files.first?.split(separator: "/").last.map { Printable.text(String($0)) } ?? ""
      let whose = "; \(last)" + (files.count > 1 ? " and \(files.count - 1) more" : "")
      return line.count + whose.count <= width ? line + whose : line
    }
  }

  var document: JSONValue { .array(results.map(document)) }

  private func document(_ result: GateResult) -> JSONValue {
    let gate = result.gate
    let estimate = result.estimate
    var members: [JSONValue.Member] = [
      .init("name", .string(gate.name)), .init("measured", .string(gate.words)),
      .init("verdict", .string(result.verdict.rawValue)), .init("fails", .truth(result.fails)),
      .init("numerator", .integer(estimate.numerator)), .init("denominator", .integer(estimate.denominator)),
      .init("unknown", .integer(estimate.unknown)),
      .init("text", .string(result.figure)),
      .init("evidence", .string(result.evidence.rawValue)),
      .init("target", bound(gate.target)),
    ]
    if let kill = gate.kill {
      members.append(.init("kill", bound(kill.bound)))
      members.append(.init("killAfter", .integer(Int(kill.after.milliseconds))))
    }
    members.append(.init("watched", .integer(Int(result.watched.milliseconds))))
    if let value = estimate.value { members.append(.init("value", .integer(Int(value)))) }
    if let interval = estimate.interval {
      members.append(.init("lower", .integer(Int(interval.lower))))
      if interval.upper < .max { members.append(.init("upper", .integer(Int(interval.upper)))) }
    }
    members += [
      .init("runs", .integer(estimate.runs)), .init("designEffect", .integer(Int(estimate.designEffect))),
      .init(
        "benchmarks",
        .array(
          gate.benchmarks.map {
            [
              "value": .integer(Int($0.millionths)), "of": .string($0.subject), "source": .string($0.source),
            ]
          })),
      .init("remarks", .array(result.remarks.map { .string($0) })),
    ]
    return .object(members)
  }

  private func bound(_ bound: Bound) -> JSONValue {
    ["comparison": .string(bound.side.rawValue), "value": .integer(Int(bound.millionths))]
  }
}

extension GateResult {
  /// The name, and what is measured where the name is another.
  fileprivate var title: String { gate.name == gate.words ? gate.name : "\(gate.name) (\(gate.words))" }

  /// Where the figure comes from, with the name of the model.
  fileprivate var evidenceWords: String {
    let isOfModel = evidence == .assumed && gate.measure.evidence(isModelled: false) != .assumed
    return evidence.rawValue + (isOfModel ? " (\(TapModel.name))" : "")
  }

  /// What has to be known beside the figure: what is missing, how it is to be read, and what others reached.
  var remarks: [String] {
    observations + (standing.map { ["\($0.place): \($0.figures)"] } ?? [])
  }

  /// The same without what others reached.
  fileprivate var observations: [String] {
    var remarks: [String] = []
    if let lack { remarks.append(lack) }
    if let silence { remarks.append(silence) }
    if verdict == .kill, expected.contains(.kill) { remarks.append("as its scenario expects") }
    if estimate.designEffect > 1_000 {
      let tenths = (estimate.designEffect + 50) / 100
      remarks.append(
        "\(estimate.runs) runs that differ: the interval is widened by a design effect of \(tenths / 10).\(tenths % 10)"
      )
    }
    if leftOut > 0 {
      remarks.append("scenarios that expect to be killed are left out: \(leftOut)")
    }
    if let caution = gate.measure.caution { remarks.append(caution) }
    return remarks
  }

  /// Where the target stands among what is published, and each figure with its source.
  fileprivate var standing: (place: String, figures: String)? {
    gate.benchmarks.standing(of: gate.target.millionths).map { ("the target is \($0.place)", $0.figures) }
  }
}

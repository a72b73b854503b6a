import Foundation
import TextFormats

/// The result of a comparison of two builds.
package struct ComparisonReport: Sendable {
  package var suite: String
  package var sizeName: String
  /// The names of the two builds.
  package var a: String
  package var b: String
  /// The smallest relevant change, as the natural logarithm of a ratio. See
  /// ``SequentialComparison/precision``.
  package var precision: Double
  package var rows: [SequentialComparison.Row]
  /// The instruction counts, or `nil` if they were not measured.
  package var instructions: Instructions?

  /// The exact counts that differ between the builds.
  package var countChanges: [CountChange] {
    rows.flatMap { CountChange.changes("\($0.key)", from: $0.firstA.counts, to: $0.firstB.counts) }
  }

  /// The most severe verdict on times, counts and instructions.
  ///
  /// From most to least severe, the verdicts are regression, inconclusive, improvement and no change. Counts
  /// that only one build reports are ignored.
  package var verdict: Verdict {
    let counts = countChanges.map(\.verdict).filter { $0 != .inconclusive }
    let verdicts = rows.map(\.judgement.verdict) + counts + (instructions.map { [$0.verdict] } ?? [])
    for verdict in [Verdict.regression, .inconclusive, .improvement] where verdicts.contains(verdict) {
      return verdict
    }
    return .noChange
  }
}

extension ComparisonReport {
  /// The cells of the table. The first row contains the titles.
  var cells: [[String]] {
    let titles = [
      "mode", sizeName, "A ns", "B ns", "change", "95 % interval", "A against A", "blocks", "verdict",
    ]
    return [titles]
      + rows.map { row in
        let change = row.look.change
        let reason = row.judgement.reason
        return [
          row.key.mode, String(row.key.size), brief(row.a), brief(row.b),
          percent(change.estimate), "\(percent(change.low)) to \(percent(change.high))",
          "± " + brief(RatioInterval.percent(row.look.noiseFloor)) + " %", String(row.look.blocks),
          row.judgement.verdict.rawValue + (reason.isEmpty ? "" : " (\(reason))"),
        ]
      }
  }

  /// The lines below the table.
  var remarks: [String] {
    let counted = rows.reduce(0) { $0 + $1.firstA.counts.count }
    let changes = countChanges
    var remarks = [
      "A: \(a)", "B: \(b)",
      "A ns, B ns: medians of all runs; change: the median over blocks of consecutive runs, which can differ from "
        + "B ns / A ns",
      "counts: \(changes.count) of \(counted) differ",
    ]
    remarks += changes.map { "\($0.verdict.rawValue): \($0.description)" }
    if let instructions {
      remarks.append(
        "instructions of a round: \(instructions.a) -> \(instructions.b) "
          + "(\(signed(instructions.percent)) %): \(instructions.verdict.rawValue)")
    }
    remarks.append("verdict: \(verdict.rawValue)")
    return remarks
  }

  private func percent(_ logRatio: Double) -> String { signed(RatioInterval.percent(logRatio)) + " %" }
}

/// The change of one exact count of a row. Counts have no noise.
package struct CountChange: Hashable, Sendable {
  package var row: String
  package var name: String
  /// The older count, or `nil` if the older build does not report it.
  package var before: Int?
  /// The newer count, or `nil` if the newer build does not report it.
  package var after: Int?

  /// The tolerated increase of a count in per cent. A greater increase is a regression.
  package static let limit = 2

  package var verdict: Verdict {
    guard let before, let after else { return .inconclusive }
    if after * 100 > before * (100 + Self.limit) { return .regression }
    if after * 100 < before * (100 - Self.limit) { return .improvement }
    return .noChange
  }

  /// The change in per cent, or `nil` if the old count is 0 or missing.
  package var percent: Double? {
    guard let before, let after, before > 0 else { return nil }
    return (Double(after) / Double(before) - 1) * 100
  }

  /// The change as text, for example `daily 1000: looks 100 -> 110 (+10 %)`.
  package var description: String {
    let change = percent.map { " (\(signed($0)) %)" } ?? ""
    return "\(row): \(name) \(before.map(String.init) ?? "not counted") -> "
      + "\(after.map(String.init) ?? "not counted")\(change)"
  }

  /// Returns the differences between two sets of counts, sorted by name.
  package static func changes(
    _ row: String, from before: [String: Int], to after: [String: Int]
  ) -> [CountChange] {
    let names = Set(before.keys).union(after.keys).sorted()
    return names.filter { before[$0] != after[$0] }
      .map { CountChange(row: row, name: $0, before: before[$0], after: after[$0]) }
  }
}

/// Returns a number with its sign and about three digits.
func signed(_ number: Double) -> String { (number < 0 ? "" : "+") + brief(number) }

extension ComparisonReport {
  /// The report as a table for a terminal.
  package var table: String {
    let lines = TextColumns.lines(cells) { [last = cells[0].count - 1] in $0 > 0 && $0 < last }
    return (["bench compare \(suite)"] + lines + remarks.map { "- \($0)" }).joined(separator: "\n") + "\n"
  }

  /// The report as a table for a pull request.
  package var markdown: String {
    var lines = ["### bench compare \(suite): \(verdict.rawValue)", ""]
    lines.append("| " + cells[0].joined(separator: " | ") + " |")
    lines.append("|" + cells[0].indices.map { $0 == 0 || $0 == 8 ? "---|" : "---:|" }.joined())
    for line in cells.dropFirst() { lines.append("| " + line.joined(separator: " | ") + " |") }
    return (lines + [""] + remarks.map { "- \($0)" }).joined(separator: "\n") + "\n"
  }

  /// The report as JUnit XML, with a test case for each row and one for all counts. Inconclusive rows are
  /// skipped tests, not failures.
  package var junit: String {
    var cases = rows.map { row in
      testCase("\(row.key)", row.judgement.verdict, row.judgement.reason, change: row.look.change)
    }
    let changes = countChanges.filter { $0.verdict == .regression }
    let detail = changes.map(\.description).joined(separator: "; ")
    cases.append(testCase("counts", changes.isEmpty ? .noChange : .regression, detail))
    if let instructions {
      let change = "\(signed(instructions.percent)) %"
      cases.append(testCase("instructions", instructions.verdict, change))
    }
    return JUnitDocument("triggerbench bench compare", [.init(suite, cases)]).text
  }

  private func testCase(
    _ name: String, _ verdict: Verdict, _ reason: String, change: RatioInterval? = nil
  ) -> JUnitDocument.Case {
    let interval = change.map { change in
      [change.estimate, change.low, change.high].map { signed(RatioInterval.percent($0)) + " %" }
    }
    let size = interval.map { "\($0[0]) (\($0[1]) to \($0[2])) " } ?? ""
    let outcome: JUnitDocument.Outcome =
      switch verdict {
      case .regression: .failed(size + reason, detail: "")
      case .inconclusive: .skipped(size + reason)
      case .improvement, .noChange: .passed
      }
    return .init(name, of: "bench.\(suite)", outcome)
  }
}

extension ComparisonReport {
  /// The report as JSON with sorted keys. Times are in nanoseconds per event, and changes in per cent of A.
  package var json: String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    guard let data = try? encoder.encode(Document(self)) else { return "{}\n" }
    return String(decoding: data, as: UTF8.self) + "\n"
  }

  private struct Document: Encodable {
    var suite, a, b, verdict: String
    var precisionPercent: Double
    var rows: [Row]
    var counts: [Count]
    var instructions: Totals?

    init(_ report: ComparisonReport) {
      suite = report.suite
      a = report.a
      b = report.b
      verdict = report.verdict.rawValue
      precisionPercent = roundedPercent(report.precision)
      rows = report.rows.map(Row.init)
      counts = report.countChanges.map(Count.init)
      instructions = report.instructions.map(Totals.init)
    }
  }

  private struct Row: Encodable {
    var mode: String
    var size, blocks: Int
    var aNanoseconds, bNanoseconds, changePercent, lowPercent, highPercent, noiseFloorPercent: Double
    /// `nil` if there are too few blocks for a p-value.
    var pValue: Double?
    var verdict, reason: String

    init(_ row: SequentialComparison.Row) {
      mode = row.key.mode
      size = row.key.size
      blocks = row.look.blocks
      aNanoseconds = row.a
      bNanoseconds = row.b
      changePercent = roundedPercent(row.look.change.estimate)
      lowPercent = roundedPercent(row.look.change.low)
      highPercent = roundedPercent(row.look.change.high)
      pValue = row.look.blocks >= Look.minimumBlocks ? row.look.change.pValue : nil
      noiseFloorPercent = roundedPercent(row.look.noiseFloor)
      verdict = row.judgement.verdict.rawValue
      reason = row.judgement.reason
    }
  }

  private struct Count: Encodable {
    var row, name, verdict: String
    var before, after: Int?

    init(_ change: CountChange) {
      row = change.row
      name = change.name
      verdict = change.verdict.rawValue
      before = change.before
      after = change.after
    }
  }

  private struct Totals: Encodable {
    var a, b: Int
    var changePercent: Double
    var verdict: String

    init(_ instructions: Instructions) {
      a = instructions.a
      b = instructions.b
      changePercent = instructions.percent
      verdict = instructions.verdict.rawValue
    }
  }
}

/// Returns a change in per cent, rounded to three decimals.
private func roundedPercent(_ logRatio: Double) -> Double {
  (RatioInterval.percent(logRatio) * 1_000).rounded() / 1_000
}

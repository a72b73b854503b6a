/// What a comparison of two builds found.
package struct ComparisonReport: Sendable {
  package var suite: String
  package var sizeName: String
  /// Names of the two builds.
  package var a: String
  package var b: String
  /// As a natural logarithm; see ``SequentialComparison/precision``.
  package var precision: Double
  package var rows: [SequentialComparison.Row]
  /// nil where they were not counted.
  package var instructions: Instructions?

  package init(
    suite: String, sizeName: String, a: String, b: String, precision: Double,
    rows: [SequentialComparison.Row], instructions: Instructions? = nil
  ) {
    self.suite = suite
    self.sizeName = sizeName
    self.a = a
    self.b = b
    self.precision = precision
    self.rows = rows
    self.instructions = instructions
  }

  /// The exact counts that differ.
  package var countChanges: [CountChange] {
    rows.flatMap { CountChange.changes("\($0.key)", from: $0.firstA.counts, to: $0.firstB.counts) }
  }

  /// A regression in time, in a count or in instructions; else an inconclusive time; else an improvement
  /// somewhere; else no change. A count that only one side keeps decides nothing.
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
  /// The cells of the table: a line of titles and one for each row.
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

  /// What the table leaves to say.
  var remarks: [String] {
    let counted = rows.reduce(0) { $0 + $1.firstA.counts.count }
    let changes = countChanges
    var remarks = [
      "A: \(a)", "B: \(b)",
      "A ns, B ns: medians of all runs; change: the median of what each block of neighbouring runs says, which need not "
        + "be B ns by A ns",
    ]
    remarks.append("counts: \(changes.count) of \(counted) differ")
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

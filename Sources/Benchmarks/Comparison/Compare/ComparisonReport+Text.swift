import TextFormats

extension ComparisonReport {
  /// A table to read on a terminal.
  package var table: String {
    let lines = TextColumns.lines(cells) { [last = cells[0].count - 1] in $0 > 0 && $0 < last }
    return (["bench compare \(suite)"] + lines + remarks.map { "- \($0)" }).joined(separator: "\n") + "\n"
  }

  /// A table for a pull request.
  package var markdown: String {
    var lines = ["### bench compare \(suite): \(verdict.rawValue)", ""]
    lines.append("| " + cells[0].joined(separator: " | ") + " |")
    lines.append("|" + cells[0].indices.map { $0 == 0 || $0 == 8 ? "---|" : "---:|" }.joined())
    for line in cells.dropFirst() { lines.append("| " + line.joined(separator: " | ") + " |") }
    return (lines + [""] + remarks.map { "- \($0)" }).joined(separator: "\n") + "\n"
  }

  /// A test case for each row and one for the counts; an inconclusive row is skipped, not failed.
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

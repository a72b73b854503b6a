package import TestBench
package import TextFormats

/// Where the decisions of two engines part, scenario by scenario.
package struct ContestText {
  private let outcomes: [EngineContest.Outcome]

  package init(_ outcomes: [EngineContest.Outcome]) {
    self.outcomes = outcomes
  }

  private var comparisons: [EngineContest.Comparison] {
    outcomes.compactMap { if case .made(let comparison) = $0 { comparison } else { nil } }
  }

  /// Of the files that cannot be used.
  package var diagnostics: [Diagnostic] {
    outcomes.flatMap {
      if case .invalid(let diagnostics) = $0 { diagnostics } else { [] as [Diagnostic] }
    }
  }

  /// Whether no decision differs in what could be compared.
  package var isSame: Bool { comparisons.allSatisfy(\.differences.isEmpty) }

  /// A line for each scenario, and below it a sentence for each reminder that differs; empty where nothing was compared.
  package var text: String {
    comparisons.flatMap { comparison -> [String] in
      let count = comparison.differences.count
      let reminders = "\(comparison.reminders) reminder\(comparison.reminders == 1 ? "" : "s")"
      if count == 0 { return ["same  \(comparison.file)  \(reminders)"] }
      return ["DIFFERS  \(comparison.file)  \(count) of \(reminders)"]
        + comparison.differences.map { "  " + $0.sentence }
    }.joined(separator: "\n")
  }
}

import ScenarioModel
import Statistics
package import TestBench
package import TextFormats

/// For each scenario, the values of a platform rule under which it passes, as text and as JSON.
package struct SweepReport {
  private let rule: String
  private let outcomes: [RuleSweep.Outcome]

  package init(rule: String, _ outcomes: [RuleSweep.Outcome]) {
    self.rule = rule
    self.outcomes = outcomes
  }

  private var scenarios: [RuleSweep.Scenario] {
    outcomes.compactMap { if case .made(let scenario) = $0 { scenario } else { nil } }
  }

  package var diagnostics: [Diagnostic] {
    outcomes.flatMap {
      if case .invalid(let diagnostics) = $0 { diagnostics } else { [] as [Diagnostic] }
    }
  }

  package var isEmpty: Bool { scenarios.isEmpty && diagnostics.isEmpty }

  /// Whether every scenario passes with its profile's own value of the rule.
  package var allPassAsTheyAre: Bool { scenarios.allSatisfy { $0.variants.first?.passed ?? false } }

  package var text: String {
    var lines: [String] = []
    for scenario in scenarios {
      lines.append(
        "\(scenario.file): holds under \(scenario.holds) of \(scenario.variants.count) \(scenario.key) rules")
      for (index, variant) in scenario.variants.enumerated() {
        let own = index == 0 ? " (its own)" : ""
        lines.append("  \(variant.passed ? "ok  " : "FAIL") \(variant.value)\(own)")
        lines += variant.failed.map { "       expected \($0.text), got \($0.got)" }
        lines += variant.killed.map { "       gate \($0.gate.name) kills, got \($0.summary)" }
      }
    }
    let all = scenarios.count { $0.holds == $0.variants.count }
    lines += ["", "\(all) of \(scenarios.count) scenarios hold under every value of \(rule)"]
    return lines.joined(separator: "\n")
  }

  package var document: JSONValue {
    [
      "format": "triggerbench-sweep", "version": 1, "rule": .string(rule),
      "scenarios": .array(scenarios.map(document)), "errors": .strings(diagnostics.map(\.summary)),
    ]
  }

  private func document(_ scenario: RuleSweep.Scenario) -> JSONValue {
    [
      "file": .string(scenario.file), "title": .string(scenario.title), "profile": .string(scenario.profile),
      "rule": .string(scenario.key), "holds": .integer(scenario.holds),
      "values": .array(
        scenario.variants.enumerated().map { index, variant in
          [
            "value": .string(variant.value), "own": .truth(index == 0), "passed": .truth(variant.passed),
            "failed": .array(
              variant.failed.map { ["text": .string($0.text), "got": .string($0.got)] }),
            "killed": .array(
              variant.killed.map { ["gate": .string($0.gate.name), "got": .string($0.summary)] }),
          ]
        }),
    ]
  }
}

/// The differences between the decisions of two engines, by scenario.
package struct ContestText {
  private let outcomes: [EngineContest.Outcome]

  package init(_ outcomes: [EngineContest.Outcome]) {
    self.outcomes = outcomes
  }

  private var comparisons: [EngineContest.Comparison] {
    outcomes.compactMap { if case .made(let comparison) = $0 { comparison } else { nil } }
  }

  /// The diagnostics of unusable files.
  package var diagnostics: [Diagnostic] {
    outcomes.flatMap {
      if case .invalid(let diagnostics) = $0 { diagnostics } else { [] as [Diagnostic] }
    }
  }

  /// Whether the engines made equal decisions in all compared scenarios.
  package var isSame: Bool { comparisons.allSatisfy(\.differences.isEmpty) }

  /// One line for each scenario, followed by one sentence for each reminder whose decisions differ. Empty if
  /// no scenario was compared.
  package var text: String {
    comparisons.flatMap { comparison -> [String] in
      let count = comparison.differences.count
      let reminders = counted(comparison.reminders, "reminder")
      if count == 0 { return ["same  \(comparison.file)  \(reminders)"] }
      return ["DIFFERS  \(comparison.file)  \(count) of \(reminders)"]
        + comparison.differences.map { "  " + $0.sentence }
    }.joined(separator: "\n")
  }
}

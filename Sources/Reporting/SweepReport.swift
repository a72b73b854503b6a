import ScenarioModel
import Statistics
package import TestBench
package import TextFormats

/// Under how many values of a platform rule each scenario holds, to read and as a document.
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

  /// Whether every scenario holds under the value that it runs with.
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
      "scenarios": .array(scenarios.map(document)),
      "errors": .array(diagnostics.map { .string($0.summary) }),
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

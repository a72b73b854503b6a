import Foundation
import RandomScenarios
import ScenarioModel
import ScenarioSamples
import Scenarios
import TestSupport
import Testing
import TextFormats

/// Tests that reading a scenario that the tool has written returns the same scenario.
@Suite struct DocumentTests {
  /// Returns the valid scenarios in a folder.
  private static func scenarios(in folder: URL) throws -> [Scenario] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
      .filter { $0.hasSuffix(".yaml") }
      .compactMap { name in
        guard case .scenario(let scenario, _) = ScenarioFile.load(folder.appendingPathComponent(name).path)
        else { return nil }
        return scenario
      }
  }

  private static let shipped = Repository.scenarios

  private func checkSurvival(of scenarios: [Scenario]) throws {
    for scenario in scenarios {
      let document = try ScenarioDocument.write(scenario)
      for text in [document.text, document.line] {
        let outcome = ScenarioDocument.read(Array(text.utf8), file: scenario.file) { _ in true }
        guard case .scenario(let again, let warnings) = outcome else {
          Issue.record("\(scenario.file): \(outcome.problems.joined(separator: "\n"))")
          continue
        }
        #expect(again.withoutSources == scenario.withoutSources, "\(scenario.file)")
        #expect(warnings.allSatisfy { $0.severity == .warning })
        #expect(try ScenarioDocument.write(again) == document, "\(scenario.file)")
      }
      let authored = try ScenarioDocument.write(scenario.asAuthored)
      let outcome = ScenarioDocument.read(authored, file: scenario.file) { _ in true }
      guard case .scenario(let again, _) = outcome else {
        Issue.record("\(scenario.file): \(outcome.problems.joined(separator: "\n"))")
        continue
      }
      #expect(again.withoutSources == scenario.withoutSources, "\(scenario.file), as its author wrote it")
    }
  }

  @Test func `shipped scenarios are unchanged after writing and reading`() throws {
    let scenarios = try Self.scenarios(in: Self.shipped)
    #expect(scenarios.count > 25)
    try checkSurvival(of: scenarios)
  }

  @Test(.enabled(if: Shared.isAvailable, Shared.skipReason))
  func `scenarios of the shared cases are unchanged after writing and reading`() throws {
    let folder = try #require(Shared.folder).appendingPathComponent("cases")
    let scenarios = try Self.scenarios(in: folder)
    #expect(scenarios.count > 20)
    try checkSurvival(of: scenarios)
  }

  /// Tests 10,000 scenarios in a release build or with TRIGGERBENCH_ALL. All of them are parsed from JSON
  /// values. Only some are also parsed from text, because this is slower.
  @Test(arguments: 0..<8)
  func `random scenarios are unchanged after writing and reading`(
    part: Int
  ) throws {
    for seed in stride(from: part, to: Self.count, by: 8) {
      let scenario = try RandomScenario.scenario(seed: UInt64(seed))
      let document = try ScenarioDocument.write(scenario)
      var outcomes = [ScenarioDocument.read(document, file: "seed \(seed)") { _ in true }]
      if seed % 100 == 0 {
        outcomes.append(
          ScenarioDocument.read(Array(document.text.utf8), file: "seed \(seed)") { _ in true })
      }
      for outcome in outcomes {
        guard case .scenario(let again, _) = outcome else {
          Issue.record("\(outcome.problems.joined(separator: "\n"))")
          continue
        }
        if again.withoutSources != scenario.withoutSources {
          Issue.record("seed \(seed): \(try difference(scenario, again))")
        }
      }
    }
  }

  private static let count: Int = {
    #if DEBUG
      ProcessInfo.processInfo.environment["TRIGGERBENCH_ALL"] == nil ? 300 : 10_000
    #else
      10_000
    #endif
  }()

  /// Returns the first difference between the documents of two scenarios.
  private func difference(_ a: Scenario, _ b: Scenario) throws -> String {
    let (first, second) = (try ScenarioDocument.write(a).text, try ScenarioDocument.write(b).text)
    let lines = zip(first.split(separator: "\n"), second.split(separator: "\n")).first { $0 != $1 }
    if let lines { return "\(lines.0) became \(lines.1)" }
    let parts = zip(
      Mirror(reflecting: a.withoutSources).children, Mirror(reflecting: b.withoutSources).children)
    for (first, second) in parts {
      if let value = first.value as? any Equatable, !value.isEqual(to: second.value) {
        return "\(first.label ?? ""): \(first.value) became \(second.value)"
      }
    }
    return "nothing"
  }
}

extension Equatable {
  fileprivate func isEqual(to other: Any) -> Bool { self == other as? Self }
}

import Foundation
import ScenarioFiles
import ScenarioModel
import TestSupport
import TextFormats
import Testing

/// What is written of a scenario reads back as the same scenario.
@Suite struct DocumentTests {
  /// Every file of a folder that loads, with its scenario.
  private static func scenarios(in folder: URL) throws -> [Scenario] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
      .filter { $0.hasSuffix(".yaml") }
      .compactMap { name in
        guard case .scenario(let scenario, _) = ScenarioFile.load(folder.appendingPathComponent(name).path)
        else { return nil }
        return scenario
      }
  }

  private static let shipped = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("scenarios")

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
    }
  }

  @Test func `shipped scenarios survive being written and read`() throws {
    let scenarios = try Self.scenarios(in: Self.shipped)
    #expect(scenarios.count > 25)
    try checkSurvival(of: scenarios)
  }

  @Test(.enabled(if: Shared.isAvailable, Shared.skipReason))
  func `scenarios of the shared cases survive it`() throws {
    let folder = try #require(Shared.folder).appendingPathComponent("cases")
    let scenarios = try Self.scenarios(in: folder)
    #expect(scenarios.count > 20)
    try checkSurvival(of: scenarios)
  }
}

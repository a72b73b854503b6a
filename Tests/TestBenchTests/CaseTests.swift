import Foundation
import ScenarioModel
import TestBench
import TestSupport
import Testing
import TriggerModel

/// Small scenarios that reproduce former defects. Their expectations state the correct results.
@Suite(.enabled(if: Shared.isAvailable, Shared.skipReason))
struct CaseTests {
  private func reports() throws -> [String: ScenarioReport] {
    let folder = try #require(Shared.folder).appendingPathComponent("cases")
    let scenarios = try Scenario.all(in: folder.path)
    return Dictionary(
      uniqueKeysWithValues: try scenarios.map { scenario in
        (URL(fileURLWithPath: scenario.file).lastPathComponent, try scenario.run())
      })
  }

  @Test func `former defects stay fixed`() throws {
    let reports = try reports()
    #expect(reports.count >= 35)
    for (file, report) in reports.sorted(by: { $0.key < $1.key }) {
      #expect(report.failures.isEmpty, "\(file)")
    }
  }

  /// Compares two forms of a story that differ by an unrelated line or by the order of two lines.
  @Test func `luck depends on names and not on positions in the file`() throws {
    let reports = try reports()
    for pair in ["luck-place", "luck-android"] {
      let fires = try ["", "2"].map { form in
        try #require(reports["\(pair)\(form).yaml"]).fires.filter { $0.reminder == "a" }.map(\.instant)
      }
      #expect(!fires[0].isEmpty && fires[0] == fires[1], "\(pair)")
    }
  }
}

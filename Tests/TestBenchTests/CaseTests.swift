import Foundation
import ScenarioModel
import TestBench
import TestSupport
import Testing
import TriggerModel

/// Runs small scenarios that reproduce former defects. Their expectations state the correct results.
@Suite(.enabled(if: Shared.isAvailable, Shared.skipReason))
struct CaseTests {
  private static let folder = Shared.folder?.appendingPathComponent("cases")

  /// The files of the folder. Subfolders contain files of other kinds, and stories that the format cannot
  /// express.
  private static let files: [String] = {
    let names = folder.flatMap { try? FileManager.default.contentsOfDirectory(atPath: $0.path) } ?? []
    return names.filter { $0.hasSuffix(".yaml") }.sorted()
  }()

  /// The cases that must be rejected, each with an excerpt of the message.
  private static let rejected = ["braces-on-the-screen.yaml": "'{left}' stands for nothing here"]

  private static func report(_ file: String) throws -> ScenarioReport {
    let folder = try #require(folder)
    return try Scenario(contentsOf: folder.appendingPathComponent(file).path).run()
  }

  @Test func `the folder contains cases, including the rejected ones`() {
    #expect(Self.files.count >= 35 && Set(Self.rejected.keys).isSubset(of: Self.files))
  }

  @Test(arguments: files) func `a defect stays fixed`(file: String) throws {
    if let message = Self.rejected[file] {
      let error = #expect(throws: ScenarioError.self) { try Self.report(file) }
      #expect(error?.description.contains(message) == true)
      return
    }
    let failures = try Self.report(file).failures
    #expect(failures.isEmpty, "\(file)")
  }

  /// Compares two versions of a scenario that differ in an unrelated line or in the order of two lines.
  @Test(arguments: ["luck-place", "luck-android"])
  func `random draws depend on names, not on positions in the file`(pair: String) throws {
    let fires = try ["", "2"].map { form in
      try Self.report("\(pair)\(form).yaml").fires.filter { $0.reminder == "a" }.map(\.instant)
    }
    #expect(!fires[0].isEmpty && fires[0] == fires[1])
  }
}

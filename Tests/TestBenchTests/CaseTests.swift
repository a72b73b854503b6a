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

  private static func report(_ file: String) throws -> ScenarioReport {
    let folder = try #require(folder)
    return try Scenario(contentsOf: folder.appendingPathComponent(file).path).run()
  }

  @Test func `the folder contains cases`() { #expect(Self.files.count >= 35) }

  @Test(arguments: files) func `a defect stays fixed`(file: String) throws {
    let failures = try Self.report(file).failures
    #expect(failures.isEmpty, "\(file)")
  }

  /// The wanted stories whose words differ in this format, each with its words and those of the format.
  private static let translations: [String: KeyValuePairs<String, String>] = [
    "user-asked-for-half-past-one.yaml": ["{quietHours:": "{bypassQuietHours: oven, quietHours:"],
    "ticked-after-midnight.yaml": ["1 day after taken at 22:00": "every day 22:00"],
  ]
  /// The wanted stories that the format cannot express.
  private static let inexpressible: Set = ["digest-at-eight.yaml"]

  private static let wanted: [String] = {
    let folder = Self.folder?.appendingPathComponent("wanted")
    let names = folder.flatMap { try? FileManager.default.contentsOfDirectory(atPath: $0.path) } ?? []
    return names.filter { $0.hasSuffix(".yaml") && !inexpressible.contains($0) }.sorted()
  }()

  @Test(arguments: wanted) func `a wanted story holds`(file: String) throws {
    let path = try #require(Self.folder).appendingPathComponent("wanted/\(file)").path
    var text = try String(contentsOfFile: path, encoding: .utf8)
    for (theirs, ours) in Self.translations[file] ?? [:] {
      #expect(text.contains(theirs))
      text.replace(theirs, with: ours)
    }
    let failures = try Scenario(text: text, file: file).run().failures
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

package import Foundation

/// The repository that contains these tests.
package enum Repository {
  package static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// The folder of the shipped scenarios, populations, experiments and packs.
  package static let scenarios = root.appendingPathComponent("scenarios", isDirectory: true)

  /// Returns the shipped scenario that explains the whole format in its comments.
  package static func annotatedScenario() throws -> String {
    try String(contentsOf: scenarios.appendingPathComponent("milk.yaml"), encoding: .utf8)
  }
}

package import Foundation

/// The repository that contains these tests.
package enum Repository {
  package static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// The folder of the shipped scenarios, populations, experiments and packs.
  package static let scenarios = root.appendingPathComponent("scenarios", isDirectory: true)
}

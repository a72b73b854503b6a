import Foundation
import TestSupport

/// Counts the tool's instructions with cachegrind. The counts depend neither on time nor on the machine.
final class Work: Sendable {
  private static let release = Repository.root.appendingPathComponent(".build/release/triggerbench")
  /// Whether counting is enabled and possible. Counting takes minutes.
  static let isCountable =
    ProcessInfo.processInfo.environment["TRIGGERBENCH_ALL"] != nil
    && FileManager.default.isExecutableFile(atPath: release.path) && Tool.isInstalled("valgrind")
    && Tool.isInstalled("strip")

  private let tool: URL
  private let folder: URL

  /// Copies the release executable without its debugging information, which valgrind 3.19 cannot read.
  init(in folder: Folder) async throws {
    tool = folder.url("triggerbench")
    self.folder = folder.root
    let outcome = try await Tool.run(
      ["strip", "-o", tool.path, Self.release.path], of: URL(fileURLWithPath: "/usr/bin/env"), in: folder.root
    )
    guard outcome.code == 0 else { throw Problem(text: outcome.errors) }
  }

  struct Problem: Error {
    var text: String
  }

  /// Returns the number of instructions that a run in a temporary folder executes.
  ///
  /// - Parameter codes: The accepted exit codes.
  func count(_ story: GrowingStory, codes: Set<Int32>) async throws -> Int {
    let place = try Folder()
    try place.write(story.text, to: "story.yaml")
    for file in story.files { try place.write(file.text, to: file.name) }
    let log = place.url("cachegrind.log").path
    let outcome = try await Tool.run(
      [
        "valgrind", "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null",
        "--log-file=\(log)", tool.path, "run", "story.yaml", "--jobs", "1", "--reports", "reports",
      ], of: URL(fileURLWithPath: "/usr/bin/env"), in: place.root,
      // Otherwise the order of dictionaries, and therefore the amount of work, would differ between runs.
      environment: ["SWIFT_DETERMINISTIC_HASHING": "1"])
    guard codes.contains(outcome.code) else {
      throw Problem(
        text: "exit code \(outcome.code): \(outcome.errors.prefix(400)) \(outcome.output.prefix(200))")
    }
    // The line with the count looks like `==7== I   refs:      282,292,518`.
    let line = try place.read("cachegrind.log").split(separator: "\n").first { $0.contains(" refs: ") }
    guard let digits = line?.split(separator: ":").last?.filter(\.isNumber), let count = Int(digits) else {
      throw Problem(text: "cachegrind does not say how much it counted")
    }
    return count
  }
}

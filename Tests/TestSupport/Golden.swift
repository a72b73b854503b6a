package import Foundation
package import Testing

/// The expected texts in the folder `Golden` next to the tests. Set TRIGGERBENCH_RECORD=1 to record them
/// again.
package enum Golden {
  /// Whether this test run records golden files instead of comparing texts with them.
  package static let isRecording = ProcessInfo.processInfo.environment["TRIGGERBENCH_RECORD"] == "1"

  /// - Parameter test: The path of the test's source file.
  package static func expect(
    _ text: String, matches name: String, test: String = #filePath,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let file = URL(fileURLWithPath: test).deletingLastPathComponent()
      .appendingPathComponent("Golden", isDirectory: true).appendingPathComponent(name)
    try expect(text, matches: file, sourceLocation: sourceLocation)
  }

  package static func expect(
    _ text: String, matches file: URL, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    if isRecording {
      try Data(text.utf8).write(to: file)
    }
    let kept = String(decoding: try Data(contentsOf: file), as: UTF8.self)
    guard text != kept else { return }
    let lines = zip(text.split(separator: "\n"), kept.split(separator: "\n"))
    let first = lines.first { $0 != $1 }
    Issue.record(
      """
      \(file.lastPathComponent) differs, first in:
        now   \(first?.0 ?? "(length)")
        kept  \(first?.1 ?? "(length)")
      """, sourceLocation: sourceLocation)
  }
}

import Foundation
import Testing

/// Texts that are kept beside the tests; TRIGGERBENCH_RECORD=1 writes them anew.
enum Golden {
  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("Golden", isDirectory: true)

  static func expect(
    _ text: String, matches name: String, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let file = folder.appendingPathComponent(name)
    if ProcessInfo.processInfo.environment["TRIGGERBENCH_RECORD"] == "1" {
      try Data(text.utf8).write(to: file)
    }
    let kept = String(decoding: try Data(contentsOf: file), as: UTF8.self)
    guard text != kept else { return }
    let lines = zip(text.split(separator: "\n"), kept.split(separator: "\n"))
    let first = lines.first { $0 != $1 }
    Issue.record(
      "\(name) differs, first in:\n  now   \(first?.0 ?? "(length)")\n  kept  \(first?.1 ?? "(length)")",
      sourceLocation: sourceLocation)
  }
}

import Foundation
import TestSupport
import Testing

/// Tests the steps on the page "An engine of your own". `.ci/own-engine` runs the steps for Swift.
@Suite(.serialized, .timeLimit(.minutes(10))) struct OwnEngineTests {
  @Test(.enabled(if: ["node", "tsc"].allSatisfy(Tool.isInstalled), "needs node and tsc: .ci/setup-tests"))
  func `the engine in TypeScript first fails and passes after the fix`() async throws {
    try await follow("TypeScript")
  }

  @Test(.enabled(if: ["java", "kotlinc"].allSatisfy(Tool.isInstalled), "needs kotlinc: .ci/setup-tests"))
  func `the engine in Kotlin first fails and passes after the fix`() async throws {
    try await follow("Kotlin")
  }

  /// Follows the steps of the page in an empty folder.
  private func follow(_ language: String) async throws {
    let page = try String(
      decoding: Data(
        contentsOf: Repository.root.appendingPathComponent(
          "Sources/TestBench/Documentation.docc/AnEngineOfYourOwn.md")), as: UTF8.self)
    let pieces = ["The story", language].flatMap { (section: String) in Markdown.pieces(of: section, in: page)
    }
    let folder = try Folder()
    // The expected exit codes of each kind of run, in order.
    var codes: [String: [Int32]] = [:]
    for piece in pieces {
      switch piece {
      case .file(let name, let text):
        try folder.write(text, to: name)
      case .block("sh", let commands):
        let outcome = try await folder.shell("set -e\n\(commands)")
        #expect(outcome.code == 0, "\(commands)\(outcome.output)")
      case .block("console", let shown):
        var printed = ""
        for line in shown.split(separator: "\n") where line.hasPrefix("$ ") {
          let outcome = try await folder.shell(String(line.dropFirst(2)))
          printed += "\(line)\n\(outcome.output)"
          let kind = line.split(separator: " ").first { $0.hasPrefix("--") } ?? "alone"
          codes[String(kind), default: []].append(outcome.code)
        }
        #expect(printed == shown)
      case .block(let other, _):
        Issue.record("a block of \(other) without a name")
      }
    }
    #expect(codes["alone"] == [0])
    #expect(codes["--engine"] == [2, 0])
    #expect(codes["--against"] ?? [2, 0] == [2, 0])
  }
}

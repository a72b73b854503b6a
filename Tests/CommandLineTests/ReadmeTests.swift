import Foundation
import Testing

/// What the README shows is what happens.
@Suite(.timeLimit(.minutes(10))) struct ReadmeTests {
  private func readme() throws -> String {
    String(
      decoding: try Data(contentsOf: Repository.root.appendingPathComponent("README.md")), as: UTF8.self)
  }

  @Test func `its console blocks print what they show`() async throws {
    let folder = try Folder()
    let shown = Markdown.blocks("console", in: try readme()).joined()
    var printed = ""
    for line in shown.split(separator: "\n") where line.hasPrefix("$ ") {
      printed += "\(line)\n" + (try await folder.shell(String(line.dropFirst(2))).output)
    }
    #expect(printed == shown)
  }

  @Test func `its scenario passes`() async throws {
    let scenario = try #require(Markdown.blocks("yaml", in: try readme()).first)
    let folder = try Folder()
    try folder.write(scenario, to: "milk.yaml")
    let trace = "traces/way-home.gpx"
    try folder.write(
      try Data(contentsOf: Repository.root.appendingPathComponent("scenarios/\(trace)")), to: trace)
    let outcome = try await folder.run("run", "milk.yaml")
    #expect(outcome.code == 0, "\(outcome.output)\(outcome.errors)")
  }

  @Test func `its code for test suites is what the example package runs`() throws {
    let package = Repository.root.appendingPathComponent("Tests/ExamplePackage/Tests/ExampleTests")
    let tests = try String(
      decoding: Data(contentsOf: package.appendingPathComponent("ScenarioTests.swift")), as: UTF8.self)
    let blocks = Markdown.blocks("swift", in: try readme())
    #expect(!blocks.isEmpty && blocks.allSatisfy(tests.contains))
  }

  @Test func `it counts the scenarios that are shipped`() throws {
    let spelling = NumberFormatter()
    spelling.numberStyle = .spellOut
    spelling.locale = Locale(identifier: "en_US")
    let count = try Repository.scenarios().count
    let word = try #require(spelling.string(from: NSNumber(value: count)))
    #expect(try readme().contains("`scenarios/` holds \(word) stories"))
  }
}

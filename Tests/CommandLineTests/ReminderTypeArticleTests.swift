import Foundation
import TestSupport
import Testing

/// Tests the article about reminder types, which adds a seventh type with one declaration and one scenario.
@Suite(.timeLimit(.minutes(10))) struct ReminderTypeArticleTests {
  /// Returns the two blocks of the article.
  private func blocks() throws -> (declaration: String, scenario: String) {
    let article = Repository.root.appendingPathComponent(
      "Sources/TestBench/Documentation.docc/AddingAReminderType.md")
    let blocks = Markdown.blocks("yaml", in: String(decoding: try Data(contentsOf: article), as: UTF8.self))
    try #require(blocks.count == 2)
    return (blocks[0], blocks[1])
  }

  private func run(_ scenario: String) async throws -> Tool.Outcome {
    let folder = try Folder()
    try folder.write(scenario, to: "hydration.yaml")
    return try await folder.run("run", "hydration.yaml")
  }

  @Test func `the scenario contains the declaration and passes without warnings`() async throws {
    let (declaration, scenario) = try blocks()
    #expect(scenario.contains(declaration))
    let outcome = try await run(scenario)
    #expect(outcome.code == 0, "\(outcome.output)\(outcome.errors)")
    #expect(outcome.errors.isEmpty, "\(outcome.errors)")
  }

  /// A mistake in the declaration, with the expected message.
  struct Mistake: Sendable {
    var line: String
    var instead: String
    var why: String
  }

  @Test(arguments: [
    Mistake(line: "every day 15:00, ", instead: "", why: "nothing makes the engine look at three"),
    Mistake(line: "      - between 15:00 and 20:00\n", instead: "", why: "it fires at noon"),
    Mistake(
      line: "      - age(water.today) <= 12 h else staleData\n", instead: "", why: "yesterday's value counts"),
    Mistake(line: "< 50 %", instead: "< 20 %", why: "a quarter is not too little"),
    Mistake(line: "    repeat: daily\n", instead: "    repeat: always\n", why: "it is said twice"),
    Mistake(line: "fitme://action/log-meal", instead: "fitme://water", why: "the link leads nowhere"),
  ])
  func `the scenario fails if the declaration contains a mistake`(_ mistake: Mistake) async throws {
    let (declaration, scenario) = try blocks()
    let other = declaration.replacing(mistake.line, with: mistake.instead)
    try #require(other != declaration, "\(mistake.why)")
    let outcome = try await run(scenario.replacing(declaration, with: other))
    #expect(outcome.code == 2, "\(mistake.why): \(outcome.output)\(outcome.errors)")
  }
}

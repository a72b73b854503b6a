import Foundation
import TestSupport
import Testing

/// Tests that 'triggerbench sentences' prints each reminder as a sentence that can replace its declaration.
@Suite(.timeLimit(.minutes(10))) struct SentencesCommandTests {
  private static let article = Repository.root.appendingPathComponent(
    "Sources/TestBench/Documentation.docc/AddingAReminderType.md")

  /// Returns the scenario and the sentence in the article.
  private func article() throws -> (scenario: String, sentence: String) {
    let text = String(decoding: try Data(contentsOf: Self.article), as: UTF8.self)
    let sentence = try #require(Markdown.blocks("text", in: text).first)
    return (
      try #require(Markdown.blocks("yaml", in: text).last),
      sentence.split(separator: "\n").joined(separator: " ")
    )
  }

  @Test func `the reminder in the article prints the sentence in the article, which can replace it`()
    async throws
  {
    let (scenario, sentence) = try article()
    let folder = try Folder()
    try folder.write(scenario, to: "hydration.yaml")
    let printed = try await folder.run("sentences", "hydration.yaml")
    #expect(printed.code == 0 && printed.errors.isEmpty, "\(printed)")
    #expect(printed.output.split(separator: "\n").contains { $0 == "hydration: \(sentence)" }, "\(printed)")

    let start = try #require(scenario.range(of: "  hydration:\n    when"))
    let end = try #require(scenario.range(of: "\npolicy:"))
    let spoken = scenario.replacingCharacters(
      in: start.lowerBound..<end.lowerBound, with: "  hydration: \(sentence)\n")
    try folder.write(spoken, to: "spoken.yaml")
    let outcome = try await folder.run("run", "spoken.yaml")
    #expect(outcome.code == 0 && outcome.errors.isEmpty, "\(outcome)")
    #expect(try await folder.run("sentences", "spoken.yaml").output == printed.output)
  }

  @Test func `each reminder and edit has a line, with the file if there are several`() async throws {
    let one = try await Tool.run(["sentences", "scenarios/milk.yaml"], in: Repository.root)
    let lines = one.output.split(separator: "\n").map(String.init)
    #expect(
      lines.map { $0.prefix { $0 != ":" } } == ["milk", "milk, edited to anytime", "protein", "account"])
    #expect(lines[1] == "milk, edited to anytime: Remind me to buy milk when I enter shop (bucket user)")
    let two = try await Tool.run(
      ["sentences", "scenarios/milk.yaml", "scenarios/watering.yaml"], in: Repository.root)
    #expect(two.output.hasPrefix("scenarios/milk.yaml\n  milk: Remind me to buy milk when I enter shop"))
    #expect(two.output.contains("\n\nscenarios/watering.yaml\n  basil: "))
  }

  @Test func `a reminder's sentence omits additional conditions of its plan`() async throws {
    let outcome = try await Tool.run(["sentences", "scenarios/fourth-reminder.yaml"], in: Repository.root)
    #expect(outcome.code == 0 && outcome.output.contains("Remind me"), "\(outcome)")
    #expect(!outcome.output.contains("notEntitled"), "\(outcome)")
  }

  @Test func `sentences are available as JSON, and for packs`() async throws {
    let folder = try Folder()
    #expect(try await folder.run("init", "--pack", "fitme", "packs/mine.yaml").code == 0)
    let outcome = try await folder.run("sentences", "packs/mine.yaml", "--json")
    #expect(outcome.code == 0, "\(outcome)")
    let files = try #require(
      try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [[String: Any]])
    #expect(files.count == 1 && files[0]["file"] as? String == "packs/mine.yaml")
    let reminders = try #require(files[0]["reminders"] as? [[String: String]])
    #expect(reminders.count == 8)
    #expect(
      reminders.first?["sentence"]?.hasPrefix(
        "Remind me to connect your health data 2, 5, 10 days after onboarding at 11:00, if") == true)
  }

  /// A sentence that YAML would parse as a mapping or a comment must be quoted.
  @Test func `the output is YAML`() async throws {
    let folder = try Folder()
    let story = """
      kind: scenario
      version: 1
      title: Titles
      start: 2026-03-02T07:00
      zone: UTC
      reminders:
        a: {when: unlock, notify: "Note: it's #1 # and \\"so\\" on\\n"}
        b: {when: unlock, notify: Buy milk}
      expect: [fires >= 0]

      """
    try folder.write(story, to: "a.yaml")
    let printed = try await folder.run("sentences", "a.yaml")
    let start = try #require(story.range(of: "  a: {"))
    let end = try #require(story.range(of: "expect:"))
    let spoken = story.replacingCharacters(
      in: start.lowerBound..<end.lowerBound,
      with: printed.output.split(separator: "\n").map { "  \($0)\n" }.joined())
    try folder.write(spoken, to: "b.yaml")
    let again = try await folder.run("sentences", "b.yaml")
    #expect(again.code == 0 && again.output == printed.output, "\(again)")
  }

  @Test func `invalid files are reported, and the sentences of the others are printed`() async throws {
    let folder = try Folder()
    let story = """
      kind: scenario
      version: 1
      title: A mistake
      start: 2026-03-02T07:00
      zone: UTC
      reminders:
        - Remind me to buy milk when I unlok my phone
      expect: [fires >= 0]

      """
    try folder.write(story, to: "bad.yaml")
    try folder.write(story.replacing("unlok", with: "unlock"), to: "good.yaml")
    let outcome = try await folder.run("sentences", "bad.yaml", "good.yaml")
    #expect(outcome.code == 1 && outcome.output.contains("buy-milk: Remind me to buy milk"), "\(outcome)")
    #expect(outcome.errors.contains("bad.yaml:7:34: error: 'unlok my phone' is not a trigger; did you mean"))
    let none = try await folder.run("sentences", "packs")
    #expect(none.code == 1, "\(none)")
  }

  @Test func `a template is printed instead of its reminders, even for a pack without items`()
    async throws
  {
    let shipped = try await Tool.run(["sentences", "scenarios/houseplants.yaml"], in: Repository.root)
    #expect(
      shipped.output.hasPrefix(
        "water: Remind me \"Water {plant} ({plant.latin})\" 7 days after plant.watered at 09:00, for each plant"
      ),
      "\(shipped)")
    #expect(!shipped.output.contains("water for"))
    let folder = try Folder()
    let pack = """
      kind: pack
      version: 1
      title: Plants
      items: {plant: {attributes: {watered: instant, dry: false}}}
      reminders:
        - water: Remind me to water {plant} 7 days after plant.watered at 09:00, if plant.dry is true, for each plant

      """
    try folder.write(pack, to: "pack.yaml")
    let outcome = try await folder.run("sentences", "pack.yaml")
    #expect(
      outcome.output
        == "water: Remind me to water {plant} 7 days after plant.watered at 09:00, for each plant, if plant.dry is true\n",
      "\(outcome)")
  }

  @Test func `explain prints the sentence of the reminder`() async throws {
    let outcome = try await Tool.run(
      ["explain", "scenarios/in-sentences.yaml", "call-mum", "--at", "2026-03-02 07:30", "--json"],
      in: Repository.root)
    #expect(
      outcome.output.contains(#""sentence": "Remind me to call mum when I unlock my phone, after 18:00""#),
      "\(outcome)")
  }
}

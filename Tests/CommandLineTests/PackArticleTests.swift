import Foundation
import TestSupport
import Testing

/// Tests packs for other kinds of apps. An article shows each of them completely.
@Suite(.timeLimit(.minutes(10))) struct PackArticleTests {
  struct Article: Sendable, CustomTestStringConvertible {
    var name: String
    /// The file name of the pack in the article.
    var file: String
    var mistakes: [Mistake]

    var testDescription: String { name }
  }

  /// A mistake in a pack, and its effect.
  struct Mistake: Sendable {
    var words: String
    var instead: String
    var why: String
  }

  private static let articles = [
    Article(
      name: "APackForMedicines", file: "medication.yaml",
      mistakes: [
        Mistake(words: "8 h after", instead: "9 h after", why: "the dose comes an hour late"),
        Mistake(
          words: "8 h after medicine.taken", instead: "1 day after medicine.taken at 14:00",
          why: "it is of the calendar"),
        Mistake(words: "policy: {quietHours: none}", instead: "", why: "a dose waits for the morning"),
        Mistake(words: "    if: medicine.doses >= 30\n", instead: "", why: "a full box is asked for again"),
        Mistake(words: ">= 30", instead: ">= 31", why: "the last dose is the thirtieth"),
      ]),
    Article(
      name: "APackForHabits", file: "habits.yaml",
      mistakes: [
        Mistake(words: ", endOfDay: false", instead: "", why: "done once is done for ever"),
        Mistake(words: "    if: habit.done is false\n", instead: "", why: "it comes though it was done"),
        Mistake(
          words: "every day 20:00 ahead 7", instead: "every day 20:00 ahead 2",
          why: "the third evening is not with the phone"),
        Mistake(words: ", habit.streak >= 3]", instead: "]", why: "a streak that ended is warned of"),
        Mistake(words: "streak >= 3]", instead: "streak >= 5]", why: "four days are a streak"),
      ]),
  ]

  /// Returns the pack, and the scenario that includes it.
  private func blocks(of article: Article) throws -> (pack: String, story: String) {
    let url = Repository.root.appendingPathComponent(
      "Sources/TestBench/Documentation.docc/\(article.name).md")
    let text = String(decoding: try Data(contentsOf: url), as: UTF8.self)
    #expect(text.contains("Save it as `\(article.file)`."))
    let blocks = Markdown.blocks("yaml", in: text)
    try #require(blocks.count == 2)
    return (blocks[0], blocks[1])
  }

  private func run(_ pack: String, _ story: String, of article: Article) async throws -> Tool.Outcome {
    let folder = try Folder()
    try folder.write(pack, to: article.file)
    try folder.write(story, to: "story.yaml")
    return try await folder.run("run", "story.yaml")
  }

  @Test(arguments: articles) func `the scenario includes the pack, and passes without warnings`(
    _ article: Article
  )
    async throws
  {
    let (pack, story) = try blocks(of: article)
    let outcome = try await run(pack, story, of: article)
    #expect(outcome.code == 0 && outcome.errors.isEmpty, "\(outcome.output)\(outcome.errors)")
  }

  @Test(arguments: articles) func `the scenario fails if the pack is broken`(_ article: Article) async throws
  {
    let (pack, story) = try blocks(of: article)
    for mistake in article.mistakes {
      let other = pack.replacing(mistake.words, with: mistake.instead)
      try #require(other != pack, "\(mistake.why)")
      let outcome = try await run(other, story, of: article)
      #expect(outcome.code == 2, "\(mistake.why): \(outcome.output)\(outcome.errors)")
    }
  }
}

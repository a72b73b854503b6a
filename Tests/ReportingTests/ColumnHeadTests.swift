import Statistics
import Testing
import TextFormats

@testable import Reporting

/// What stands at the head of a report's columns can be looked up: `triggerbench reasons recall`.
@Suite struct ColumnHeadTests {
  /// Heads that say no more than what the cell shows.
  private static let plain: Set<String> = [
    "", "gate", "figure", "sign", "of", "step", "count", "link", "handled by", "the person switched off",
    "times",
    "reminder", "device", "list", "group", "entries", "what it shows", "limit",
  ]

  @Test func `every head of a section is explained`() {
    let heads = ReportSections.all.flatMap { $0.init([]).table.columns.map(\.title) }
    #expect(heads.count > 30)
    for head in Set(heads).subtracting(Self.plain).sorted() {
      #expect(!ReportWord.named(head).isEmpty, "\(head)")
    }
  }

  @Test func `every step of the funnel is explained`() {
    for step in Funnel(.init(), isModelled: true).steps {
      #expect(!ReportWord.named(step.name).isEmpty, "\(step.name)")
    }
  }

  /// A figure is called by a usual word, which the sentences of a report use as well.
  @Test func `figures are linked where they stand alone, and not within a text`() {
    #expect(WordLinks.alone("recall").markup.contains("words.html#recall"))
    #expect(!WordLinks.link("told because of that").markup.contains("href"))
    #expect(WordLinks.link("3 notWoken").markup.contains("words.html#notWoken"))
  }
}

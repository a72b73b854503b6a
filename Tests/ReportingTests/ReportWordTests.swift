import DeviceSimulation
import Experiments
import Foundation
import ScenarioModel
import Statistics
import Testing
import TextFormats
import TriggerModel

@testable import Reporting

@Suite struct ReportWordTests {
  /// The names in the enumerations that reports print, listed independently of the table.
  private static let printed: [(names: [String], kind: ReportWord.Kind)] = [
    (Reason.allCases.map(\.name), .reason),
    (MissCause.allCases.map(\.name), .notTold), (RegionSuppression.allCases.map(\.name), .notTold),
    (KnowledgeGap.allCases.map(\.rawValue), .notTold),
    (IgnoreCause.allCases.map(\.name), .withoutEffect), (ConditionKinds.allNames, .condition),
    (UnexplainedLoss.allCases.map(\.rawValue), .funnel),
    (Metric.allCases.map(\.name), .figure), (Evidence.allCases.map(\.rawValue), .figure),
    (GateVerdict.allCases.map(\.rawValue), .figure),
    (PeopleMetric.Kind.allCases.map(\.rawValue) + [PeopleVerdict.missed.rawValue], .experiment),
  ]

  @Test func `every reason, cause, loss and metric has one explanation`() {
    for (names, kind) in Self.printed {
      for name in names {
        let words = ReportWord.named(name).filter { $0.kind == kind }
        #expect(words.count == 1, "\(name) as \(kind.rawValue)")
        #expect(words.first?.name == name)
      }
    }
    let known = Set(Self.printed.flatMap(\.names))
    // All other words for figures are column heads.
    #expect(ReportWord.all.allSatisfy { known.contains($0.name) || $0.kind == .figure })
  }

  @Test func `the stage of a reason is the stage at which the code decides it`() {
    for reason in Reason.allCases {
      let word = ReportWord.named(reason.name).first { $0.kind == .reason }
      #expect(word?.stage.rawValue == "\(reason.stage)")
    }
  }

  @Test func `each word has one short sentence and one remedy, and no two sentences of a kind are equal`() {
    for word in ReportWord.all {
      for text in [word.sentence, word.remedy] {
        #expect(text.hasSuffix(".") && text.first?.isUppercase == true, "\(word.name): \(text)")
        #expect(!text.contains(". "), "\(word.name) has more than one sentence: \(text)")
        #expect(text.count >= 10 && text.count <= 130, "\(word.name): \(text.count) letters")
      }
      #expect(word.sentence != word.remedy)
    }
    for (kind, words) in Dictionary(grouping: ReportWord.all, by: \.kind) {
      #expect(Set(words.map(\.sentence)).count == words.count, "\(kind)")
    }
  }

  @Test func `the message about a misspelled word suggests the nearest one, and case is ignored`() {
    #expect(ReportWord.named("quiethours").map(\.name) == ["quietHours"])
    #expect(ReportWord.named("alredySo").isEmpty)
    #expect(ReportWord.hint(for: "alredySo") == "did you mean 'alreadySo'?")
    #expect(ReportWord.hint(for: "zzzzzzzz") == "'triggerbench reasons' lists all words")
  }

  @Test func `the explanation of a failed condition depends on its subject`() {
    for (name, subject) in [
      ("timeWindow", "the time of day"), ("weekdays", "the day of the week"), ("region", "the place"),
      ("charging", "charging"), ("fact", "a fact"),
    ] {
      let words = ReportWord.named(name).filter { $0.kind == .condition }
      #expect(words.map(\.sentence) == ["A condition on \(subject) did not hold when the trigger occurred."])
    }
  }

  @Test func `permission is explained as a reason and as the cause of a missing region report`() {
    #expect(ReportWord.named("permission").map(\.kind) == [.reason, .notTold])
  }

  @Test func `the text and the document contain the same words in the order of the stages`() {
    let text = ReasonsText().text
    let document = ReasonsText().document.text
    var last = text.startIndex
    for stage in ReportWord.Stage.allCases {
      guard let found = text.range(of: "\n\(stage.rawValue): ") ?? text.range(of: "\(stage.rawValue): ")
      else {
        Issue.record("no stage \(stage.rawValue)")
        continue
      }
      #expect(found.lowerBound >= last)
      last = found.lowerBound
    }
    for word in ReportWord.all {
      #expect(text.contains("  \(word.name)  (") && text.contains(word.sentence))
      #expect(document.contains("\"\(word.name)\""))
    }
    #expect(text.split(separator: "\n").allSatisfy { $0.count <= 140 })
  }

  @Test func `the text has a paragraph for each word, grouped by stage`() {
    var printed: [String] = []
    for paragraph in ReasonsText().text.components(separatedBy: "\n\n") {
      let lines = paragraph.split(separator: "\n", omittingEmptySubsequences: false)
      if lines.count == 1 {
        printed.append(String(lines[0].prefix { $0 != ":" }))
      } else {
        #expect(lines.count == 3, "\(paragraph)")
        printed.append(lines[0].components(separatedBy: "  (")[0])
      }
    }
    let expected = ReportWord.Stage.allCases.flatMap { stage in
      [stage.rawValue] + ReportWord.all.filter { $0.stage == stage }.map { "  " + $0.name }
    }
    #expect(printed == expected)
  }
}

/// Tests that column heads can be looked up, for example with `triggerbench reasons recall`.
@Suite struct ColumnHeadTests {
  /// The column heads that need no explanation.
  private static let plain: Set<String> = [
    "", "gate", "figure", "sign", "of", "step", "count", "link", "handled by", "switched off",
    "times",
    "reminder", "device", "list", "group", "entries", "what it shows", "limit",
  ]

  @Test func `every column head of a section has an explanation`() {
    let heads = ReportSections.all.flatMap { $0.init([]).table.columns.map(\.title) }
    #expect(heads.count > 30)
    for head in Set(heads).subtracting(Self.plain).sorted() {
      #expect(!ReportWord.named(head).isEmpty, "\(head)")
    }
  }

  @Test func `every step of the funnel has an explanation`() {
    for step in Funnel(.init(), isModelled: true).steps {
      #expect(!ReportWord.named(step.name).isEmpty, "\(step.name)")
    }
  }

  /// The names of figures are common words, which may have another meaning in a sentence.
  @Test func `a figure is linked only if it is the whole text`() {
    #expect(WordLinks.exact("recall").markup.contains("words.html#recall"))
    #expect(!WordLinks.link("told because of that").markup.contains("href"))
    #expect(WordLinks.link("3 notWoken").markup.contains("words.html#notWoken"))
  }
}

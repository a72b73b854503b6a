import DeviceSimulation
import Experiments
import Foundation
import Reporting
import ScenarioModel
import Statistics
import Testing
import TextFormats
import TriggerModel

@Suite struct ReportWordTests {
  /// What the enumerations print, which is what this suite knows without the table.
  private static let printed: [(names: [String], kind: ReportWord.Kind)] = [
    (Reason.allCases.map(\.name), .reason),
    (MissCause.allCases.map(\.name), .notTold), (RegionSuppression.allCases.map(\.name), .notTold),
    (KnowledgeGap.allCases.map(\.rawValue), .notTold),
    (IgnoreCause.allCases.map(\.name), .withoutEffect), (ConditionKinds.allNames, .condition),
    (FunnelWord.allCases.map(\.rawValue), .funnel),
    (Metric.allCases.map(\.name), .figure), (Evidence.allCases.map(\.rawValue), .figure),
    (GateVerdict.allCases.map(\.rawValue), .figure),
    (PeopleMetric.Kind.allCases.map(\.rawValue), .experiment),
  ]

  @Test func `every reason, cause, loss and metric is explained once for its kind`() {
    for (names, kind) in Self.printed {
      for name in names {
        let words = ReportWord.named(name).filter { $0.kind == kind }
        #expect(words.count == 1, "\(name) as \(kind.rawValue)")
        #expect(words.first?.name == name)
      }
    }
    let known = Set(Self.printed.flatMap(\.names))
    // The heads of columns are known to those who print them.
    #expect(ReportWord.all.allSatisfy { known.contains($0.name) || $0.kind == .figure })
  }

  @Test func `the stage of a reason is the one where the code decides it`() {
    for reason in Reason.allCases {
      let word = ReportWord.named(reason.name).first { $0.kind == .reason }
      #expect(word?.stage.rawValue == "\(reason.stage)")
    }
  }

  @Test func `each has one plain sentence and a remedy that another does not have by mistake`() {
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

  @Test func `a misspelt word leads to the nearest, and case does not count`() {
    #expect(ReportWord.named("quiethours").map(\.name) == ["quietHours"])
    #expect(ReportWord.named("alredySo").isEmpty)
    #expect(ReportWord.hint(for: "alredySo") == "did you mean 'alreadySo'?")
    #expect(ReportWord.hint(for: "zzzzzzzz") == "'triggerbench reasons' lists all words")
  }

  @Test func `a condition that failed is called by what it is about`() {
    for (name, subject) in [
      ("timeWindow", "the time of day"), ("weekdays", "the day of the week"), ("region", "the place"),
      ("charging", "charging"), ("fact", "a fact"),
    ] {
      let words = ReportWord.named(name).filter { $0.kind == .condition }
      #expect(words.map(\.sentence) == ["A condition on \(subject) did not hold when the trigger came."])
    }
  }

  /// A word that stands for several things is explained for each.
  @Test func `permission is a reason, and why a region is not reported`() {
    #expect(ReportWord.named("permission").map(\.kind) == [.reason, .notTold])
  }

  @Test func `the text and the document say the same, in the order of the stages`() {
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

  @Test func `the text tells the words stage by stage, each in a paragraph of its own`() {
    var told: [String] = []
    for paragraph in ReasonsText().text.components(separatedBy: "\n\n") {
      let lines = paragraph.split(separator: "\n", omittingEmptySubsequences: false)
      if lines.count == 1 {
        told.append(String(lines[0].prefix { $0 != ":" }))
      } else {
        #expect(lines.count == 3, "\(paragraph)")
        told.append(lines[0].components(separatedBy: "  (")[0])
      }
    }
    let expected = ReportWord.Stage.allCases.flatMap { stage in
      [stage.rawValue] + ReportWord.all.filter { $0.stage == stage }.map { "  " + $0.name }
    }
    #expect(told == expected)
  }
}

package import TextFormats

/// The words of reports as a text to read and as a document.
package struct ReasonsText {
  private let words: [ReportWord]

  package init(_ words: [ReportWord] = ReportWord.all) {
    self.words = words
  }

  /// Grouped by the stage at which they are decided.
  package var text: String {
    var lines: [String] = []
    for stage in ReportWord.Stage.allCases {
      let words = words.filter { $0.stage == stage }
      if words.isEmpty { continue }
      if !lines.isEmpty { lines.append("") }
      lines.append("\(stage.rawValue): \(stage.summary)")
      for word in words {
        lines += [
          "", "  \(word.name)  (\(word.kind.title))", "    \(word.sentence)", "    \(word.remedy)",
        ]
      }
    }
    return lines.joined(separator: "\n")
  }

  package var document: JSONValue {
    .array(
      words.map { word in
        [
          "name": .string(word.name), "kind": .string(word.kind.rawValue),
          "stage": .string(word.stage.rawValue), "sentence": .string(word.sentence),
          "remedy": .string(word.remedy),
        ]
      })
  }
}

extension ReportWord.Kind {
  /// Where a report prints it, for a person.
  package var title: String {
    switch self {
    case .reason: "reason"
    case .notTold: "why the app did not know"
    case .withoutEffect: "happened without effect"
    case .condition: "condition that failed"
    case .funnel: "step of the funnel"
    case .figure: "figure of a report"
    case .experiment: "figure of an experiment"
    }
  }
}

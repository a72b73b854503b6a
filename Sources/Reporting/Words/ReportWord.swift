package import TextFormats
import TriggerModel

/// A word that reports print, with its meaning: a reason, a cause, a loss, a metric or a column head.
package struct ReportWord: Hashable, Sendable {
  /// The kind of a word, which determines where reports print it.
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    /// The reason that a request was not made, admitted, shown or routed.
    case reason
    /// The cause of an event that the app missed or observed late.
    case notTold
    /// The cause of a time-line entry without an effect.
    case withoutEffect
    /// The kind of a condition that failed.
    case condition
    /// A loss in the funnel without a reason.
    case funnel
    /// A figure in a report, or a property of a figure.
    case figure
    /// A figure in the report of an experiment.
    case experiment

    /// The title of the kind.
    package var title: String {
      switch self {
      case .reason: "reason"
      case .notTold: "why the app did not know"
      case .withoutEffect: "event without effect"
      case .condition: "condition that failed"
      case .funnel: "loss in the funnel"
      case .figure: "figure of a report"
      case .experiment: "figure of an experiment"
      }
    }
  }

  /// The stage of a word on the way from an event to a routed link, in chronological order.
  package enum Stage: String, Hashable, Sendable, CaseIterable {
    case timeLine, observation, match, scheduler, platform, presentation, response, routing
    /// The evaluation after the run.
    case report

    init(_ stage: Reason.Stage) {
      switch stage {
      case .match: self = .match
      case .scheduler: self = .scheduler
      case .platform: self = .platform
      case .presentation: self = .presentation
      case .routing: self = .routing
      }
    }

    /// A summary of what happens at this stage.
    package var summary: String {
      switch self {
      case .timeLine: "the scenario states what happens to the phone"
      case .observation: "the system reports events to the app"
      case .match: "the reminder engine decides whether to request a notification"
      case .scheduler: "the cap scheduler admits, denies or defers the request"
      case .platform: "the system keeps the admitted request until it is due"
      case .presentation: "the system shows the notification"
      case .response: "the person responds to the notification"
      case .routing: "the app follows the notification's link"
      case .report: "the report counts outcomes and compares them"
      }
    }
  }

  /// The word as reports print it.
  package var name: String
  package var kind: Kind
  package var stage: Stage
  /// The meaning, in one sentence.
  package var sentence: String
  /// The remedy if the outcome is unintended, in one sentence.
  package var remedy: String

  init(_ name: String, _ kind: Kind, _ stage: Stage, _ explanation: Explanation) {
    self.name = name
    self.kind = kind
    self.stage = stage
    sentence = explanation.sentence
    remedy = explanation.remedy
  }

  struct Explanation {
    var sentence: String
    var remedy: String

    init(_ sentence: String, remedy: String) {
      self.sentence = sentence
      self.remedy = remedy
    }
  }
}

extension ReportWord {
  /// All words, by kind and in the order of declaration.
  package static let all: [ReportWord] =
    reasons + notTold + withoutEffect + conditions + funnel + figures + experiment

  /// Returns all words with a name, ignoring case.
  ///
  /// Several words may have the same name: `permission` is a reason, and also the cause of a missing region
  /// report.
  package static func named(_ name: String) -> [ReportWord] {
    all.filter { $0.name.lowercased() == name.lowercased() }
  }

  /// The current names of renamed words. The old names are accepted for one more version.
  package static let renamed = [
    "told": "observed", "never told because": "missed because", "lost before it": "losses",
    "beyond it": "over the limit", "due and not made, because": "not requested because",
    "made without cause": "unfounded requests",
  ]

  /// Returns a hint for a name that no word has.
  package static func hint(for name: String) -> String {
    NearestNames.hint(for: name, among: all.map(\.name)) ?? "'triggerbench reasons' lists all words"
  }
}

/// Words and their meanings as text and as JSON.
package struct ReasonsText {
  private let words: [ReportWord]

  package init(_ words: [ReportWord] = ReportWord.all) {
    self.words = words
  }

  /// The words with their meanings, grouped by stage.
  package var text: String {
    ReportWord.Stage.allCases.compactMap { stage -> String? in
      let words = words.filter { $0.stage == stage }
      if words.isEmpty { return nil }
      let lines = words.flatMap { word in
        ["", "  \(word.name)  (\(word.kind.title))", "    \(word.sentence)", "    \(word.remedy)"]
      }
      return (["\(stage.rawValue): \(stage.summary)"] + lines).joined(separator: "\n")
    }.joined(separator: "\n\n")
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

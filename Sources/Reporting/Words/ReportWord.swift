package import TextFormats
import TriggerModel

/// A word that reports print, with its meaning: a reason, a cause, a loss, a metric or the head of a column.
package struct ReportWord: Hashable, Sendable {
  /// The kind of a word, which determines where a report prints it.
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    /// Why a request was not made, admitted, shown or routed.
    case reason
    /// Why the app missed an event or observed it late.
    case notTold
    /// Why a line of the time line had no effect.
    case withoutEffect
    /// The kind of condition that failed.
    case condition
    /// A loss in the funnel that has no reason.
    case funnel
    /// A figure of a report, or a property of a figure.
    case figure
    /// A figure of an experiment.
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

  /// The stage to which a word belongs, on the way from an event to a routed link. In chronological order.
  package enum Stage: String, Hashable, Sendable, CaseIterable {
    case timeLine, observation, match, scheduler, platform, presentation, response, routing
    /// After the run.
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
  /// Advice for the case that the outcome is not intended, in one sentence.
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
  /// All words by kind, in the order of their declaration.
  package static let all: [ReportWord] =
    reasons + notTold + withoutEffect + conditions + funnel + figures + experiment

  /// Returns all words with the given name, ignoring case.
  ///
  /// A name can have several meanings: `permission` is a reason, and also the cause of a missing region
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

  /// Returns a hint for a name that is not a word.
  package static func hint(for name: String) -> String {
    NearestNames.hint(for: name, among: all.map(\.name)) ?? "'triggerbench reasons' lists all words"
  }
}

/// Words and their meanings as text and JSON.
package struct ReasonsText {
  private let words: [ReportWord]

  package init(_ words: [ReportWord] = ReportWord.all) {
    self.words = words
  }

  /// The words, grouped by stage.
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

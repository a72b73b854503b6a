import TriggerModel

/// A word that a report prints, and what it means: why something did not go on, or what is counted.
package struct ReportWord: Hashable, Sendable {
  /// What kind of a word it is, which is where a report prints it.
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    /// Why a request was not made, not admitted, not shown or not followed.
    case reason
    /// Why the app was not told of something, or not in time.
    case notTold
    /// Why a line of the time line changed nothing.
    case withoutEffect
    /// Which kind of condition did not hold.
    case condition
    /// What the funnel counts beside the reasons.
    case funnel
    /// What a report counts, or says of a count.
    case figure
    /// What an experiment compares.
    case experiment
  }

  /// Where on the way from what happens to a link that is followed the word is decided, in order.
  package enum Stage: String, Hashable, Sendable, CaseIterable {
    case timeLine, observation, match, scheduler, platform, presentation, response, routing
    /// Nowhere on the way: behind it.
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

    /// What is done at this stage, and by whom.
    package var summary: String {
      switch self {
      case .timeLine: "the scenario says what happens to the phone"
      case .observation: "the system tells the app what happens"
      case .match: "the reminder engine looks whether to ask for a notification"
      case .scheduler: "the cap scheduler admits, denies or holds the request"
      case .platform: "the system keeps the admitted request until it is due"
      case .presentation: "the system shows the notification"
      case .response: "the person answers the notification"
      case .routing: "the app follows the notification's link"
      case .report: "the report counts what became of all, and compares"
      }
    }
  }

  /// As reports print it.
  package var name: String
  package var kind: Kind
  package var stage: Stage
  /// What it means, in one sentence.
  package var sentence: String
  /// What to do about it where it is not wanted, in one sentence.
  package var remedy: String

  init(_ name: String, _ kind: Kind, _ stage: Stage, _ explanation: Explanation) {
    self.name = name
    self.kind = kind
    self.stage = stage
    sentence = explanation.sentence
    remedy = explanation.remedy
  }

  /// What a word means and what to do about it.
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
  /// All of them, by kind and then in the order of the code.
  package static let all: [ReportWord] =
    reasons + notTold + withoutEffect + conditions + funnel + figures
    + experiment

  /// Those of a name, of which there may be several: `permission` is a reason, and also why a region is not
  /// reported. Case does not count.
  package static func named(_ name: String) -> [ReportWord] {
    all.filter { $0.name.lowercased() == name.lowercased() }
  }

  /// What to say of a name that no word has.
  package static func hint(for name: String) -> String {
    NearestNames.hint(for: name, among: all.map(\.name)) ?? "'triggerbench reasons' lists all words"
  }
}

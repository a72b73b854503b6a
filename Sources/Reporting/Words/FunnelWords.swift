import TriggerModel

/// What the funnel counts at its steps beside the reasons.
package enum FunnelWord: String, Hashable, Sendable, CaseIterable {
  case plannedAndNotDue = "planned, and not due"
  case heldAtTheEnd = "held at the end"
  case pendingAtTheEnd = "pending at the end"
  case dismissed
  case acted = "acted on"
  case ignored
  case responseNotStated = "response not stated"
  case notModelled = "not modelled"
  case onTheWayAtTheEnd = "on the way at the end"

  fileprivate var stage: ReportWord.Stage {
    switch self {
    case .plannedAndNotDue: .match
    case .heldAtTheEnd: .scheduler
    case .pendingAtTheEnd: .platform
    case .dismissed, .acted, .ignored, .responseNotStated: .response
    case .notModelled, .onTheWayAtTheEnd: .routing
    }
  }

  fileprivate var explanation: ReportWord.Explanation {
    switch self {
    case .plannedAndNotDue:
      .init(
        "The app had asked for a time that did not come: it was taken back, or the run ended before.",
        remedy: "Expected of schedules with 'ahead'; let the run end later to see them come.")
    case .heldAtTheEnd:
      .init(
        "The scheduler was still holding the request when the run ended.",
        remedy: "Let the run end later: after the quiet hours, say.")
    case .pendingAtTheEnd:
      .init(
        "The system had taken the request, and its time had not come when the run ended.",
        remedy: "Let the run end later.")
    case .dismissed:
      .init(
        "The person saw the notification and cleared it away.",
        remedy: "Expected where the story or the person's model says so.")
    case .acted:
      .init(
        "The person chose an action on the notification itself: 'done', or to put it off.",
        remedy: "Expected where the story says so, with 'press'.")
    case .ignored:
      .init(
        "The person saw the notification and neither tapped nor dismissed it.",
        remedy: "Expected where the story or the person's model says so.")
    case .responseNotStated:
      .init(
        "It was shown, and the scenario does not say what the person did with it.",
        remedy: "Write 'tap', 'dismiss' or 'ignore' into the time line, or give the scenario a 'person'.")
    case .notModelled:
      .init(
        "It was tapped, and the scenario does not say where links lead.",
        remedy: "Declare 'consumers', the parts of the app that handle links.")
    case .onTheWayAtTheEnd:
      .init(
        "It was tapped, and the link had not arrived when the run ended.",
        remedy: "Let the run end later.")
    }
  }
}

extension ReportWord {
  static let funnel = FunnelWord.allCases.map { ReportWord($0.rawValue, .funnel, $0.stage, $0.explanation) }
}

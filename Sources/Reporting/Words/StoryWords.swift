import DeviceSimulation
import TriggerModel

extension ReportWord {
  /// Why lines of the time line changed nothing.
  static let withoutEffect = IgnoreCause.allCases.map {
    ReportWord($0.name, .withoutEffect, .timeLine, $0.explanation)
  }

  /// The kinds of condition that a report counts under "conditions that failed".
  static let conditions = ConditionKinds.allNames.map { name in
    ReportWord(
      name, .condition, .match,
      Explanation("\(conditionSubject(name)) did not hold when the trigger came.", remedy: conditionRemedy))
  }

  private static let conditionRemedy =
    "Look with 'triggerbench explain' what it was at that moment, and when it holds next."

  private static func conditionSubject(_ name: String) -> String {
    let subjects: [(kind: ConditionKinds, words: String)] = [
      (.timeWindow, "the time of day"), (.weekdays, "the day of the week"), (.region, "the place"),
      (.charging, "charging"), (.fact, "a fact"),
    ]
    guard let subject = subjects.first(where: { $0.kind.names == [name] }) else {
      fatalError("nothing says what the condition '\(name)' is about")
    }
    return "A condition on \(subject.words)"
  }
}

extension IgnoreCause {
  fileprivate var explanation: ReportWord.Explanation {
    switch self {
    case .poweredOff:
      .init(
        "The phone was off, so this could not happen.",
        remedy: "Let the story switch it on first: 'power on'.")
    case .alreadySo:
      .init(
        "It was so already, so nothing changed.",
        remedy: "Take the line out, or undo it first: 'unplug' before a second 'plug in'.")
    case .nothingToSee:
      .init(
        "There was no such notification to tap, dismiss or clear.",
        remedy: "Look whether the reminder fired before that line, and was still to be seen.")
    case .promptAlreadyAnswered:
      .init(
        "The system shows its permission prompt only once, and it had been answered.",
        remedy: "Change the permission with 'grant notifications' or 'deny notifications'.")
    case .notOffered:
      .init(
        "The system's prompt does not offer this answer.",
        remedy:
          "Ask for the place while in use first; the prompt for always then offers 'always' and 'denied'.")
    case .settingsOnly:
      .init(
        "The system does not ask for this: the person decides it in the system's settings.",
        remedy: "Write what the person decides there: 'location always', 'screen time approved'.")
    case .notInFront:
      .init(
        "Our app was not in front, so nothing could be done in it.",
        remedy: "Let the story open it first: 'open'.")
    case .onItsWay:
      .init(
        "The phone is on its way to a later fix of a recording already.",
        remedy: "Leave the place to the recording while it lasts.")
    case .notOnThisPlatform:
      .init(
        "The platform of this profile has nothing of the kind.",
        remedy: "Choose another profile, or take the line out.")
    case .opensElsewhere:
      .init(
        "The link is none of the app's schemes and domains, so a browser or another app opens, or nothing.",
        remedy: "Correct the link, or declare its scheme or domain under 'links'.")
    }
  }
}

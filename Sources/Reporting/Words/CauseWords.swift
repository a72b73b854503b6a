import DeviceSimulation
import Statistics
import TriggerModel

extension ReportWord {
  /// The causes for which the app missed an event or observed it late.
  static let notTold =
    MissCause.allCases.map { ReportWord($0.name, .notTold, .observation, $0.explanation) }
    + RegionSuppression.allCases.filter { MissCause(sameAs: $0) == nil }
    .map { ReportWord($0.name, .notTold, .observation, $0.explanation) }
    + KnowledgeGap.allCases.map { ReportWord($0.rawValue, .notTold, .observation, $0.explanation) }

  /// The causes of time-line entries without an effect.
  static let withoutEffect = IgnoreCause.allCases.map {
    ReportWord($0.name, .withoutEffect, .timeLine, $0.explanation)
  }

  /// The kinds of conditions that a report lists as failed.
  static let conditions = ConditionKinds.allNames.map { name in
    ReportWord(
      name, .condition, .match,
      Explanation(
        "A condition on \(conditionSubject(name)) did not hold when the trigger occurred.",
        remedy:
          "Ask 'triggerbench explain' for its value at that time, and for the time at which it holds next."))
  }

  private static func conditionSubject(_ name: String) -> String {
    let subjects: [(kind: ConditionKinds, words: String)] = [
      (.timeWindow, "the time of day"), (.weekdays, "the day of the week"), (.region, "the place"),
      (.charging, "charging"), (.fact, "a fact"),
    ]
    guard let subject = subjects.first(where: { $0.kind.names == [name] }) else {
      fatalError("no words for the kind of condition '\(name)'")
    }
    return subject.words
  }

  static let funnel = UnexplainedLoss.allCases.map {
    ReportWord($0.rawValue, .funnel, $0.stage, $0.explanation)
  }
}

// MARK: Missed events

extension MissCause {
  /// The cause of a missed event with the same name, or `nil` if the cause applies only to regions.
  fileprivate init?(sameAs suppression: RegionSuppression) {
    switch suppression {
    case .poweredOff: self = .poweredOff
    case .forceQuit: self = .forceQuit
    case .forceStopped: self = .forceStopped
    case .notMonitored, .permission, .unavailable, .dwell, .cushion, .alreadyInside, .regionLimit: return nil
    }
  }

  fileprivate var explanation: ReportWord.Explanation {
    switch self {
    case .poweredOff:
      .init("The phone was off.", remedy: "Power it on in the story, or expect nothing at that time.")
    case .notRunning:
      .init(
        "The app was not running, and the system does not start it for this kind of event.",
        remedy: "Open the app in the story, or use a trigger for which the system wakes the app.")
    case .forceQuit:
      .init(
        "The person had force-quit the app, and the system reports nothing to it until it is opened again.",
        remedy: "Open the app in the story.")
    case .forceStopped:
      .init(
        "The person had force-stopped the app in the system's settings, and it stays stopped until opened.",
        remedy: "Open the app in the story.")
    case .noSign:
      .init(
        "The system does not report this event to apps.",
        remedy: "See 'triggerbench rules' for the profile's signs, such as 'unlockSign' for unlocking.")
    case .usageLimit:
      .init(
        "The system monitors a limited number of other apps, and this one is not among them.",
        remedy: "Declare fewer apps, or first those on which reminders depend.")
    case .usageFault:
      .init(
        "A known fault of the system, which the profile's knob 'usageFault' enables, suppressed it.",
        remedy: "Change the knob to see the run without the fault.")
    case .readingDenied:
      .init(
        "The person does not let the app read this fact's source, which looks like missing data.",
        remedy: "Allow it in the story: 'allow reading SOURCE'.")
    case .screenTimeDenied:
      .init(
        "The person does not let the app observe the use of other apps.",
        remedy: "Write 'phone: {screenTime: approved}', or ask in the story: 'prompt screen time approved'.")
    case .appNotChosen:
      .init(
        "The person has not chosen this app among those that the app under test may observe.",
        remedy: "Choose it in the story: 'choose apps APP'.")
    }
  }
}

extension RegionSuppression {
  fileprivate var explanation: ReportWord.Explanation {
    switch self {
    case .notMonitored:
      .init(
        "The app had not asked the system to monitor this place, or the system had refused.",
        remedy: "Look for 'regionLimit', and check whether the app ran before the phone arrived.")
    case .regionLimit: Reason.regionLimit.explanation
    case .permission:
      .init(
        "The person does not allow location access, or not always, or not precisely.",
        remedy: "Write 'phone: {location: always}', or allow it in the story.")
    case .unavailable:
      .init(
        "Airplane mode was on, or location services or background refresh were off.",
        remedy: "Switch it back in the story.")
    case .poweredOff: MissCause.poweredOff.explanation
    case .dwell:
      .init(
        "The phone did not stay long enough on the other side of the boundary.",
        remedy: "Let it stay longer; the knob 'regionDwell' states the time.")
    case .cushion:
      .init(
        "The phone did not move far enough beyond the boundary.",
        remedy: "Let it move further; the knob 'regionCushion' states the distance.")
    case .alreadyInside:
      .init(
        "The phone was already inside when the app asked the system to monitor the place.",
        remedy: "Let the phone arrive later, or see the knob 'initialTrigger'.")
    case .forceQuit: MissCause.forceQuit.explanation
    case .forceStopped: MissCause.forceStopped.explanation
    }
  }
}

extension KnowledgeGap {
  fileprivate var explanation: ReportWord.Explanation {
    switch self {
    case .toldLate:
      .init(
        "The app observed the event too late to request the notification in time.",
        remedy: "See the median delay of the sign, and 'triggerbench rules' for its causes.")
    case .notTold:
      .init(
        "The app never observed the event, and no cause is known: the run ended first, or no system reports it.",
        remedy: "Let the run end later.")
    case .conditionUnseen:
      .init(
        "The app observed the trigger, but not an event on which one of the conditions depends.",
        remedy: "See the section 'Truth against observation' for the sign behind the condition.")
    case .notWoken:
      .init(
        "The scheduled time was reached while the app was not running, and nothing woke it.",
        remedy: "Schedule it in advance: write 'ahead' in the reminder's schedule.")
    case .storeStale:
      .init(
        "The app loaded an old state from its store, and handled again what it had handled before.",
        remedy: "Look for 'store stale' in the time line.")
    case .unfounded:
      .init(
        "The app requested it although nothing was due: it had observed an event that did not happen.",
        remedy: "See the section 'Truth against observation' for false signs.")
    case .uncalledFor:
      .init(
        "The engine under test requested it although nothing that it observed called for it, for example twice.",
        remedy: "Correct the engine; 'run --against' lists where it differs from the built-in one.")
    }
  }
}

// MARK: Time-line entries without an effect

extension IgnoreCause {
  fileprivate var explanation: ReportWord.Explanation {
    switch self {
    case .poweredOff:
      .init(
        "The phone was off, so this could not happen.", remedy: "Switch it on first in the story: 'power on'."
      )
    case .alreadySo:
      .init(
        "The state was already the requested one, so nothing changed.",
        remedy: "Remove the line, or undo the state first: 'unplug' before a second 'plug in'.")
    case .nothingToSee:
      .init(
        "There was no such notification to tap, dismiss or clear.",
        remedy: "Check whether the reminder fired before that line, and whether it was still visible.")
    case .promptAlreadyAnswered:
      .init(
        "The system shows its permission prompt only once, and it had been answered.",
        remedy: "Change the permission with 'grant notifications' or 'deny notifications'.")
    case .notOffered:
      .init(
        "The system's prompt does not offer this answer.",
        remedy:
          "Ask for location while in use first; the prompt for always then offers 'always' and 'denied'.")
    case .settingsOnly:
      .init(
        "The system has no prompt for this: the person decides it in the system's settings.",
        remedy: "Write the person's decision: 'location always', 'screen time approved'.")
    case .notInFront:
      .init(
        "The app under test was not in front, so nothing could be done in it.",
        remedy: "Open it first in the story: 'open'.")
    case .onItsWay:
      .init(
        "The phone is already moving to a later fix of a recording.",
        remedy: "Set no place while the recording lasts.")
    case .notOnThisPlatform:
      .init(
        "This profile's platform does not have this feature.",
        remedy: "Choose another profile, or remove the line.")
    case .opensElsewhere:
      .init(
        "The link matches no scheme or domain of the app, so a browser, another app or nothing opens.",
        remedy: "Correct the link, or declare its scheme or domain under 'links'.")
    }
  }
}

// MARK: Losses of the funnel without a reason

/// The losses of the funnel that have no reason.
package enum UnexplainedLoss: String, Hashable, Sendable, CaseIterable {
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
        "The app requested it for a time that was not reached: it was withdrawn, or the run ended before.",
        remedy: "This is expected of schedules with 'ahead'; let the run end later to see them fire.")
    case .heldAtTheEnd:
      .init(
        "The scheduler was still deferring the request when the run ended.",
        remedy: "Let the run end later, for example after the quiet hours.")
    case .pendingAtTheEnd:
      .init(
        "The system had accepted the request, but it was not yet due when the run ended.",
        remedy: "Let the run end later.")
    case .dismissed:
      .init(
        "The person saw the notification and dismissed it.",
        remedy: "This is expected where the story or the person's model states so.")
    case .acted:
      .init(
        "The person chose an action on the notification itself: 'done' or a snooze.",
        remedy: "This is expected where the story states so with 'press'.")
    case .ignored:
      .init(
        "The person saw the notification, and neither tapped nor dismissed it.",
        remedy: "This is expected where the story or the person's model states so.")
    case .responseNotStated:
      .init(
        "It was shown, and the scenario does not state the person's response.",
        remedy: "Write 'tap', 'dismiss' or 'ignore' into the time line, or give the scenario a 'person'.")
    case .notModelled:
      .init(
        "It was tapped, and the scenario does not declare where links lead.",
        remedy: "Declare 'consumers', the parts of the app that handle links.")
    case .onTheWayAtTheEnd:
      .init(
        "It was tapped, and the link had not arrived when the run ended.",
        remedy: "Let the run end later.")
    }
  }
}

import DeviceSimulation
import Statistics
import TriggerModel

extension ReportWord {
  /// Why the app was not told of something, or not in time, and what came of that.
  static let notTold =
    MissCause.allCases.map { ReportWord($0.name, .notTold, .observation, $0.explanation) }
    + RegionSuppression.allCases.filter { MissCause(sameAs: $0) == nil }
    .map { ReportWord($0.name, .notTold, .observation, $0.explanation) }
    + KnowledgeGap.allCases.map { ReportWord($0.rawValue, .notTold, .observation, $0.explanation) }
}

extension MissCause {
  /// The cause of that name: what keeps one sign from the app may keep a region too.
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
      .init("The phone was off.", remedy: "Let the story switch it on, or expect nothing then.")
    case .notRunning:
      .init(
        "The app was not running, and the system starts it for nothing of this kind.",
        remedy: "Let the story open the app, or use a trigger that the system wakes the app for.")
    case .forceQuit:
      .init(
        "The person had swiped the app away, and the system tells it nothing until it is opened again.",
        remedy: "Let the story open the app.")
    case .forceStopped:
      .init(
        "The person had stopped the app in the system's settings, and it stays so until it is opened.",
        remedy: "Let the story open the app.")
    case .noSign:
      .init(
        "The system gives the app no sign of it.",
        remedy: "See 'triggerbench rules' for what this profile tells: 'unlockSign' for unlocking, say.")
    case .usageLimit:
      .init(
        "The system watches only so many other apps, and this one is not among them.",
        remedy: "Declare fewer apps, or those first that reminders wait for.")
    case .usageFault:
      .init(
        "A known fault of the system kept it back, which the profile's knob 'usageFault' switches on.",
        remedy: "Set the knob otherwise to see the run without the fault.")
    case .readingDenied:
      .init(
        "The person does not let the app read the source of this fact, which looks like no data.",
        remedy: "Let the story allow it: 'allow reading SOURCE'.")
    case .screenTimeDenied:
      .init(
        "The person does not let the app know of the use of other apps.",
        remedy: "Write 'phone: {screenTime: approved}', or let the story ask: 'prompt screen time approved'.")
    case .appNotChosen:
      .init(
        "The person has not chosen this one of the other apps for ours to know of.",
        remedy: "Let the story choose it: 'choose apps APP'.")
    }
  }
}

extension RegionSuppression {
  fileprivate var explanation: ReportWord.Explanation {
    switch self {
    case .notMonitored:
      .init(
        "The app had not asked the system to watch this place, or the system had refused.",
        remedy: "Look for 'regionLimit', and whether the app ran before the phone came there.")
    case .regionLimit: Reason.regionLimit.explanation
    case .permission:
      .init(
        "The person does not allow the location, or not always, or not precisely enough.",
        remedy: "Write 'phone: {location: always}', or let the story allow it.")
    case .unavailable:
      .init(
        "Airplane mode was on, or location services or background refresh were off.",
        remedy: "Let the story switch it back.")
    case .poweredOff: MissCause.poweredOff.explanation
    case .dwell:
      .init(
        "The phone did not stay long enough on the other side of the boundary.",
        remedy: "Let it stay longer; the knob 'regionDwell' says how long.")
    case .cushion:
      .init(
        "The phone did not go far enough beyond the boundary.",
        remedy: "Let it go further; the knob 'regionCushion' says how far.")
    case .alreadyInside:
      .init(
        "The phone was inside already when the app asked the system to watch the place.",
        remedy: "Let the phone come there later, or see the knob 'initialTrigger'.")
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
        "The app was told, but too late to ask in time.",
        remedy: "See the median delay of the sign, and 'triggerbench rules' for what delays it.")
    case .notTold:
      .init(
        "The app was never told, and nothing says why: the run ended before, or no system tells of it.",
        remedy: "Let the run end later.")
    case .conditionUnseen:
      .init(
        "The app was told of the trigger, but not of something that one of the conditions needs.",
        remedy: "Look in the section 'Truth against observation' for the sign behind the condition.")
    case .notWoken:
      .init(
        "The time of the schedule came while the app did not run, and nothing woke it.",
        remedy: "Schedule it beforehand: write 'ahead' in the reminder's schedule.")
    case .storeStale:
      .init(
        "The app found an old state in its store, and dealt once more with what it had done before.",
        remedy: "Look for 'store stale' in the time line.")
    case .unfounded:
      .init(
        "The app asked for it although nothing was due: it had been told of what never happened.",
        remedy: "Look in the section 'Truth against observation' for signs without cause.")
    }
  }
}

import TriggerModel

extension ReportWord {
  /// Of every ``TriggerModel/Reason``.
  static let reasons = Reason.allCases.map {
    ReportWord($0.name, .reason, Stage($0.stage), $0.explanation)
  }
}

extension Reason {
  /// Every case is named, so that a new reason does not compile without its words.
  var explanation: ReportWord.Explanation {
    switch self {
    case .conditionFailed: .conditionFailed
    case .snoozed: .snoozed
    case .expired: .expired
    case .alreadyFired: .alreadyFired
    case .notEntitled: .notEntitled
    case .staleData: .staleData
    case .lowConfidence: .lowConfidence
    case .notRegistered: .notRegistered
    case .userDisabled: .userDisabled
    case .userDailyCap: .userDailyCap
    case .permission: .permission
    case .lifetimeCap: .lifetimeCap
    case .lapseCap: .lapseCap
    case .quietHours: .quietHours
    case .typeDailyCap: .typeDailyCap
    case .typeWeeklyCap: .typeWeeklyCap
    case .dailyCap: .dailyCap
    case .criticalDailyCap: .criticalDailyCap
    case .minimumInterval: .minimumInterval
    case .addFailed: .addFailed
    case .pendingLimit: .pendingLimit
    case .regionLimit: .regionLimit
    case .cancelled: .cancelled
    case .preempted: .preempted
    case .superseded: .superseded
    case .permissionRevoked: .permissionRevoked
    case .staleAtRelease: .staleAtRelease
    case .expiredAtRelease: .expiredAtRelease
    case .notPresented: .notPresented
    case .linkUnresolved: .linkUnresolved
    case .linkLost: .linkLost
    case .linkUnconsumed: .linkUnconsumed
    }
  }
}

extension ReportWord.Explanation {
  fileprivate static let conditionFailed = Self(
    "The trigger came, and at least one condition of the reminder did not hold at that moment.",
    remedy: "Look with 'triggerbench explain' which condition failed, and change 'if' or the story.")

  fileprivate static let snoozed = Self(
    "The trigger came while the person had put the reminder off.",
    remedy: "Wait until the snooze ends, or snooze for a shorter time.")

  fileprivate static let expired = Self(
    "The trigger came after the reminder's 'expires'.",
    remedy: "Set 'expires' to a later time, or leave it out.")

  fileprivate static let alreadyFired = Self(
    "The reminder has asked once already, and its 'repeat' allows no second time yet.",
    remedy: "Write 'repeat: daily' or 'repeat: always' if it may fire again.")

  fileprivate static let notEntitled = Self(
    "A condition marked 'else notEntitled' did not hold: the person has not paid for this reminder.",
    remedy: "Set the fact that stands for what the person has paid for, or take the condition away.")

  fileprivate static let staleData = Self(
    "A condition marked 'else staleData' did not hold: the app's value is too old, or there is none.",
    remedy: "Let the story set the fact shortly before, or allow an older value.")

  fileprivate static let lowConfidence = Self(
    "A condition marked 'else lowConfidence' did not hold: too few measurements stand behind the value.",
    remedy: "Let the story set the facts that the condition counts, or ask for fewer of them.")

  fileprivate static let notRegistered = Self(
    "The scheduler does not know the notification's type: the app has not registered it.",
    remedy: "Register the type before the first request of it.")

  fileprivate static let userDisabled = Self(
    "The person has turned this type of notification off, or all of them, in the app's own settings.",
    remedy: "Look for 'turn off' in the time line and for 'preferences' in the file.")

  fileprivate static let userDailyCap = Self(
    "The person's own limit for one day, set in the app's settings, was reached.",
    remedy: "Let the story set 'own daily cap' to more, or to none.")

  fileprivate static let permission = Self(
    "The person does not allow the app to show notifications.",
    remedy: "Write 'phone: {notifications: authorized}', or let the story grant it.")

  fileprivate static let lifetimeCap = Self(
    "This type has been shown as often as it may ever be shown to one person.",
    remedy: "Raise the type's number under 'policy: lifetimeCap', or take it away.")

  fileprivate static let lapseCap = Self(
    "This type has been shown as often as it may be while the person stays away from the app.",
    remedy: "Let the story open the app, or raise the type's number under 'policy: lapseCap'.")

  fileprivate static let quietHours = Self(
    "The notification would have come within the quiet hours.",
    remedy: "Change 'policy: quietHours', or hold it until they end with 'quietAction: defer'.")

  fileprivate static let typeDailyCap = Self(
    "This type has been shown as often as it may be on one day.",
    remedy: "Raise 'policy: typeDailyCap', or the type's own number under 'typeDailyCaps'.")

  fileprivate static let typeWeeklyCap = Self(
    "This type has been shown as often as it may be in one calendar week.",
    remedy: "Raise the type's number under 'policy: typeWeeklyCaps'.")

  fileprivate static let dailyCap = Self(
    "As many notifications of the standard bucket as one day may have were shown or are planned.",
    remedy: "Raise 'policy: dailyCap', or move the reminder to another bucket.")

  fileprivate static let criticalDailyCap = Self(
    "As many notifications of the critical bucket as one day may have were shown or are planned.",
    remedy: "Raise 'policy: criticalDailyCap'.")

  fileprivate static let minimumInterval = Self(
    "Another notification is too close in time, before or after.",
    remedy: "Shorten 'policy: minimumInterval', or let the triggers come further apart.")

  fileprivate static let addFailed = Self(
    "The system refused to take the request when the app handed it over.",
    remedy:
      "Look for 'adds fail' in the time line, and for an attachment that is too large; a failed request uses "
      + "up no cap.")

  fileprivate static let pendingLimit = Self(
    "The system keeps only so many requests of one app, and there was no room for this one.",
    remedy: "Schedule fewer occurrences ahead, or leave 'planner' on so that the next due come first.")

  fileprivate static let regionLimit = Self(
    "The system watches only so many places for one app, and this one was too many.",
    remedy: "Use fewer places at a time; 'triggerbench rules' says how many the profile allows.")

  fileprivate static let cancelled = Self(
    "The app took the request back: it was cancelled, or its reason had gone.",
    remedy: "Look for 'cancel' in the time line and for 'withdraw' in the reminder.")

  fileprivate static let preempted = Self(
    "A critical notification within the minimum interval took its place.",
    remedy: "Write 'policy: {criticalPreempts: false}' if both may be shown.")

  fileprivate static let superseded = Self(
    "A newer plan of the same reminder took its place.",
    remedy: "Nothing is lost where the newer one is shown; otherwise follow what became of that one.")

  fileprivate static let permissionRevoked = Self(
    "The person took the permission away while the request was waiting, and the system threw it out.",
    remedy: "Let the app ask for it again once the permission is back.")

  fileprivate static let staleAtRelease = Self(
    "Its conditions no longer held when it was to be released after having been held.",
    remedy: "Expected of a reminder that waits; to keep it, take the condition away.")

  fileprivate static let expiredAtRelease = Self(
    "It was of no more use when it could have been shown.",
    remedy: "Give it a longer 'usefulFor' or a later 'expires', or let it be held for a shorter time.")

  fileprivate static let notPresented = Self(
    "It was delivered, and the person could not see it: the app was in front, say, or its channel off.",
    remedy: "See the knobs 'presentsInForeground', 'channels' and 'channelsSilent', and the story's settings."
  )

  fileprivate static let linkUnresolved = Self(
    "No part of the app handles the notification's link.",
    remedy: "Declare a pattern that fits it under 'consumers', or correct the link.")

  fileprivate static let linkLost = Self(
    "The system or the app lost the link on its way after the tap.",
    remedy: "Look for 'next tap lost' in the time line, and whether the app was killed in between.")

  fileprivate static let linkUnconsumed = Self(
    "The link found its part of the app, and nobody there took it.",
    remedy: "Write 'observed: true' for that consumer, or let its screen listen for links.")
}

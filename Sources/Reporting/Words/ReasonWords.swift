import TriggerModel

extension ReportWord {
  static let reasons = Reason.allCases.map {
    ReportWord($0.name, .reason, Stage($0.stage), $0.explanation)
  }
}

extension Reason {
  var explanation: ReportWord.Explanation {
    switch self {
    case .conditionFailed:
      .init(
        "The trigger occurred, but at least one condition of the reminder did not hold at that time.",
        remedy: "Find the failed condition with 'triggerbench explain', and change 'if' or the story.")
    case .snoozed:
      .init(
        "The trigger occurred while the reminder was snoozed.",
        remedy: "Wait until the snooze ends, or snooze for a shorter time.")
    case .expired:
      .init(
        "The trigger occurred after the reminder's 'expires'.",
        remedy: "Set 'expires' to a later time, or leave it out.")
    case .alreadyFired:
      .init(
        "The reminder has already requested a notification, and its 'repeat' does not allow another yet.",
        remedy: "Write 'repeat: daily' or 'repeat: always' if it may fire again.")
    case .notEntitled:
      .init(
        "A condition marked 'else notEntitled' did not hold: the person has not paid for this reminder.",
        remedy: "Set the fact that states what the person has paid for, or remove the condition.")
    case .staleData:
      .init(
        "A condition marked 'else staleData' did not hold: the app's value is missing or too old.",
        remedy: "Set the fact in the story shortly before, or allow an older value.")
    case .lowConfidence:
      .init(
        "A condition marked 'else lowConfidence' did not hold: the value is based on too few measurements.",
        remedy: "Set the facts that the condition counts in the story, or require fewer of them.")
    case .notRequested:
      .init(
        "The app observed the trigger or could have, all conditions held, and the engine under test requested "
          + "nothing.",
        remedy: "Correct the engine; 'triggerbench explain' prints the conditions as the app knew them.")
    case .notRegistered:
      .init(
        "The scheduler does not know the notification's type: the app has not registered it.",
        remedy: "Register the type before its first request.")
    case .userDisabled:
      .init(
        "The person has turned off this type of notification, or all types, in the app's own settings.",
        remedy: "Look for 'turn off' in the time line and for 'preferences' in the file.")
    case .userDailyCap:
      .init(
        "The person's own daily limit, set in the app's settings, was reached.",
        remedy: "Raise the limit in the story with 'own daily cap', or set it to none.")
    case .permission:
      .init(
        "The person does not allow the app to show notifications.",
        remedy: "Write 'phone: {notifications: authorized}', or grant the permission in the story.")
    case .lifetimeCap:
      .init(
        "This type has reached the number of notifications that one person may ever receive.",
        remedy: "Raise the type's number under 'policy: lifetimeCap', or remove it.")
    case .lapseCap:
      .init(
        "This type has reached the number of notifications allowed while the person stays away from the app.",
        remedy: "Open the app in the story, or raise the type's number under 'policy: lapseCap'.")
    case .quietHours:
      .init(
        "The notification would have been delivered during quiet hours.",
        remedy: "Change 'policy: quietHours', or defer it until they end with 'quietAction: defer'.")
    case .typeDailyCap:
      .init(
        "This type has reached its number of notifications for one day.",
        remedy: "Raise 'policy: typeDailyCap', or the type's own number under 'typeDailyCaps'.")
    case .typeWeeklyCap:
      .init(
        "This type has reached its number of notifications for one calendar week.",
        remedy: "Raise the type's number under 'policy: typeWeeklyCaps'.")
    case .typeMonthlyCap:
      .init(
        "This type has reached its number of notifications for one calendar month.",
        remedy: "Raise the type's number under 'policy: typeMonthlyCaps'.")
    case .typeRollingCap:
      .init(
        "This type has reached its number of notifications for the days of its rolling cap.",
        remedy: "Raise the type's number under 'policy: typeRollingCaps', or count over fewer days.")
    case .dailyCap:
      .init(
        "The standard bucket has reached its daily number of notifications, delivered or reserved.",
        remedy: "Raise 'policy: dailyCap', or move the reminder to another bucket.")
    case .weeklyCap:
      .init(
        "The standard bucket has reached its number of notifications for one calendar week.",
        remedy: "Raise 'policy: weeklyCap', or move the reminder to another bucket.")
    case .monthlyCap:
      .init(
        "The standard bucket has reached its number of notifications for one calendar month.",
        remedy: "Raise 'policy: monthlyCap', or move the reminder to another bucket.")
    case .rollingCap:
      .init(
        "The standard bucket has reached its number of notifications for the days of the rolling cap.",
        remedy: "Raise 'policy: rollingCap', count over fewer days, or move the reminder to another bucket.")
    case .criticalDailyCap:
      .init(
        "The critical bucket has reached its daily number of notifications, delivered or reserved.",
        remedy: "Raise 'policy: criticalDailyCap'.")
    case .minimumInterval:
      .init(
        "Another notification is too close in time, before or after.",
        remedy: "Shorten 'policy: minimumInterval', or move the triggers further apart.")
    case .addFailed:
      .init(
        "The system rejected the request when the app added it.",
        remedy:
          "Look for 'adds fail' in the time line, and for an attachment that is too large; a failed request "
          + "uses no cap.")
    case .pendingLimit:
      .init(
        "The system keeps a limited number of requests per app, and this one did not fit.",
        remedy: "Schedule fewer occurrences ahead, or leave 'planner' on so that the next due come first.")
    case .regionLimit:
      .init(
        "The system monitors a limited number of places per app, and this one was too many.",
        remedy: "Use fewer places at a time; 'triggerbench rules' states the profile's limit.")
    case .cancelled:
      .init(
        "The app withdrew the request: the reminder was cancelled, or its conditions no longer held.",
        remedy: "Look for 'cancel' in the time line and for 'withdraw' in the reminder.")
    case .clearedByReboot:
      .init(
        "The system forgot the request when the phone booted, and the app did not run in time to request it "
          + "again.",
        remedy: "See the knob 'bootStart', or open the app in the story after 'power on' or 'reboot'.")
    case .clearedByUpdate:
      .init(
        "The system forgot the request when the app was updated, and the app did not run in time to request "
          + "it again.",
        remedy: "See the knobs 'updateLosesPending' and 'updateStarts', or open the app after 'update app'.")
    case .clearedByForceStop:
      .init(
        "The person force-stopped the app, and the system removed the app's requests.",
        remedy: "Open the app in the story before the request is due; nothing else starts a stopped app.")
    case .exactAlarmsRevoked:
      .init(
        "The person revoked the permission for exact alarms, and the system removed the app's requests.",
        remedy: "Allow exact alarms in the story again, or open the app before the request is due.")
    case .preempted:
      .init(
        "A critical notification within the minimum interval replaced it.",
        remedy: "Write 'policy: {criticalPreempts: false}' if both may be shown.")
    case .superseded:
      .init(
        "A newer plan of the same reminder replaced it.",
        remedy: "Check the outcome of the newer plan; if that one is shown, nothing is lost.")
    case .permissionRevoked:
      .init(
        "The person revoked the permission while the request was pending, and the system removed it.",
        remedy: "Let the app request it again once the permission is back.")
    case .staleAtRelease:
      .init(
        "Its conditions no longer held when the deferred request was released.",
        remedy: "This is expected of a deferred reminder; to keep it, remove the condition.")
    case .expiredAtRelease:
      .init(
        "It was no longer useful when it could have been shown.",
        remedy: "Give it a longer 'usefulFor' or a later 'expires', or defer it for a shorter time.")
    case .notPresented:
      .init(
        "It was delivered but not visible: the app was in front, for example, or its channel was off.",
        remedy:
          "See the knobs 'presentsInForeground', 'channels' and 'channelsSilent', and the story's settings.")
    case .linkUnresolved:
      .init(
        "No part of the app handles the notification's link.",
        remedy: "Declare a pattern that fits it under 'consumers', or correct the link.")
    case .linkLost:
      .init(
        "The system or the app lost the link after the tap.",
        remedy: "Look for 'next tap lost' in the time line, and check whether the app was killed in between.")
    case .linkUnconsumed:
      .init(
        "The link reached its part of the app, but no screen there consumed it.",
        remedy: "Write 'observed: true' for that consumer, or make its screen listen for links.")
    }
  }
}

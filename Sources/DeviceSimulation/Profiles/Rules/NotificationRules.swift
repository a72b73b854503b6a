import TriggerModel

extension PlatformRules {
  /// Notifications: rules N1 to N20 and A1.
  static let notifications: [RuleDefinition] = [
    RuleDefinition(
      "N1", "pendingCapacity", .count(\.centre.pendingCapacity, 1...10_000), unit: "requests", ideal: 64,
      ios: 64, alternatives: [64], .stated,
      source: "Apple, Local and Push Notification Programming Guide, quoted in "
        + "katzer/cordova-plugin-local-notifications#942 and #47",
      "The maximum number of pending requests of one app."),
    RuleDefinition(
      "N1", "pendingDropSeen", choice: \.pendingDropSeen, ideal: .atOnce, ios: .never,
      alternatives: [.never, .nextRun, .atOnce], .stated,
      source: "katzer/cordova-plugin-local-notifications#942",
      "When the app observes that a request was dropped; by default the excess is discarded silently."),
    RuleDefinition(
      "N2", "pendingEviction", choice: \.centre.pendingEviction, ideal: .lastAdded, ios: .lastAdded,
      alternatives: [.lastAdded, .soonest, .rejectNew], .disputed,
      source: "lionheart/openradar-mirror#19448; MaikuB/flutter_local_notifications#2275, #2312",
      "Which requests stay when too many are pending."),
    RuleDefinition(
      "N3", "replacementKeepsPlace", .flag(\.centre.replacementKeepsPlace), ideal: false, ios: false,
      alternatives: [false, true], .disputed, source: "developer.apple.com, UNNotificationRequest.identifier",
      "A request that replaces another of the same identifier also takes its place in the order of adding."),
    RuleDefinition(
      "N3", "requestIdentifier", choice: \.centre.identifier, ideal: .perOccurrence, ios: .perOccurrence,
      android: .perOccurrence, alternatives: [.perOccurrence, .perReminder, .perRequest], .stated,
      source: "developer.apple.com, UNNotificationRequest.identifier",
      "What the app uses as identifier; a later request with the same identifier replaces a pending one."),
    RuleDefinition(
      "N6", "repeatsIgnoreStart", .flag(\.repeatsIgnoreStart), ideal: false, ios: true,
      alternatives: [true, false], .stated, source: "marcocrupi/react-native-notify-kit#15",
      "A request that the system repeats has no first date: it fires at the first time that matches its "
        + "pattern."),
    RuleDefinition(
      "N6", "repeatsIgnoreStart", .flag(\.repeatsIgnoreStart), ideal: false, android: false,
      alternatives: [true, false], .stated,
      source: "developer.android.com, AlarmManager.setRepeating: triggerAtMillis is the first time",
      "A repeated alarm begins at its stated first time."),
    RuleDefinition(
      "N16", "missedRepeatsOnce", .flag(\.missedRepeatsOnce), ideal: true, ios: true, android: true,
      alternatives: [true, false], .memory,
      source: "developer.android.com, AlarmManager.setRepeating: a skipped repeat is delivered as soon as "
        + "possible, later ones by the original schedule; iOS: one next date is pending (N1)",
      "A repeated request that was missed several times is shown once."),
    RuleDefinition(
      "N7", "floatingMoves", .flag(\.floatingMoves), ideal: true, ios: true, alternatives: [true, false],
      .stated, source: "newbe.dev, understanding UILocalNotification timezone; SuntimesWidget#643",
      "Requests for a local time move with the phone's zone."),
    RuleDefinition(
      "N7", "jumpedOverShown", .flag(\.jumpedOverShown), ideal: true, ios: false, android: true,
      alternatives: [true, false], .disputed,
      source: "developer.apple.com, UNCalendarNotificationTrigger.nextTriggerDate: none for a date that has "
        + "passed; davedelong/calendar_fallacies#69; tidepool-org/LoopKit#440; Android: AlarmManager.set: a "
        + "time in the past is triggered immediately",
      "A request for a local time that the clock jumps over by a change of zone is shown on arrival; "
        + "otherwise it is lost."),
    RuleDefinition(
      "N9", "permissionPrompt", choice: \.permissionPrompt, ideal: .always, ios: .once, .stated,
      source: "developer.apple.com, UNAuthorizationStatus; flutter_local_notifications#710",
      "The system asks the person once; afterwards only the settings change the permission."),
    RuleDefinition(
      "N9", "permissionPrompt", choice: \.permissionPrompt, ideal: .always, android: .twice, .memory,
      source: "developer.android.com, request runtime permissions: a second denial is for good",
      "The system asks again after a first denial; closing the prompt without an answer is no denial."),
    RuleDefinition(
      "N9", "reinstallResetsPermission", .flag(\.reinstallResetsPermission), ideal: false, ios: true,
      android: true, alternatives: [true, false], .stated,
      source: "developer.android.com, notification runtime permission; invertase/notifee#432; old iOS kept "
        + "it for a day: Zom-iOS-XMPP#256",
      "A reinstalled app must request notifications and location again."),
    RuleDefinition(
      "N10", "provisionalIsQuiet", .flag(\.provisionalIsQuiet), ideal: true, ios: true, .stated,
      source: "useyourloaf.com, provisional authorization of user notifications",
      "With provisional permission, notifications are in the list only."),
    RuleDefinition(
      "N11", "criticalLevel", choice: \.criticalLevel, ideal: .timeSensitive, ios: .timeSensitive,
      alternatives: [.timeSensitive, .active], .stated,
      source: "developer.apple.com, UNNotificationInterruptionLevel",
      "The level of the critical bucket; time sensitive breaks through focus and summary."),
    RuleDefinition(
      "N11", "focusHides", .flag(\.focusHides), ideal: true, ios: true, .stated,
      source: "developer.apple.com, UNNotificationInterruptionLevel",
      "With a focus on, notifications that are not time sensitive are in the list only."),
    RuleDefinition(
      "N12", "summaryHolds", .flag(\.summaryHolds), ideal: true, ios: true, android: false, .stated,
      source: "help.batch.com 5543431; docs.jiguang.cn, timeSensitive",
      "With the scheduled summary on, notifications that are not time sensitive are held; no app can "
        + "observe this. Android has no summary."),
    RuleDefinition(
      "N12", "summaryTime", .count(\.summaryMinute, 0...1_439), unit: "minute of the local day", ideal: 1_080,
      ios: 1_080, alternatives: [480, 1_080], .assumed,
      source: "no source gives the times: each user chooses them", "When the summary is shown."),
    RuleDefinition(
      "N13", "presentsInForeground", .flag(\.presentsInForeground), ideal: true, ios: false,
      alternatives: [false, true], .stated, source: "developer.apple.com, willPresent; ryanbr/noop#251",
      "Whether notifications delivered while the app is in front are shown; an iOS app must ask for that."),
    RuleDefinition(
      "N14", "deliveredLimit", .count(\.centre.deliveredLimit, 0...10_000),
      unit: "notifications, 0: no limit", ideal: 0, ios: 0, alternatives: [0, 100], .disputed,
      source: "developer.apple.com, getDeliveredNotifications; no limit is documented",
      "The maximum number of visible notifications."),
    RuleDefinition(
      "N14", "deliveredLimit", .count(\.centre.deliveredLimit, 0...10_000),
      unit: "notifications, 0: no limit", ideal: 0, android: 50, alternatives: [0, 50], .stated,
      source: "AOSP, NotificationManagerService: MAX_PACKAGE_NOTIFICATIONS = 50",
      "The maximum number of visible notifications of an app."),
    RuleDefinition(
      "N14", "deliveredEviction", choice: \.centre.deliveredEviction, ideal: .removeOldest,
      ios: .removeOldest, android: .refuseNew, .stated,
      source: "AOSP, NotificationManagerService.checkDisqualifyingFeatures: not showing more",
      "Which notification is not visible when an app has too many."),
    RuleDefinition(
      "N15", "dismissSeen", choice: \.dismissSeen, ideal: .atOnce, ios: .never,
      alternatives: [.never, .atOnce], .memory, source: "UNNotificationCategory.customDismissAction",
      "When the app observes a dismissal; on iOS only if its category asks for it."),
    RuleDefinition(
      "N16", "pendingAfterReboot", choice: \.centre.afterReboot, ideal: .deliverMissed, ios: .deliverMissed,
      android: .loseAll, alternatives: [.deliverMissed, .dropMissed], .disputed,
      source: "xamarin.plugins#11; flutter_local_notifications#1696; Android (A2): uhabits#93",
      "What a reboot does to pending requests and to those that were due while the phone was off."),
    RuleDefinition(
      "N17", "deliveredSeen", choice: \.deliveredSeen, ideal: .atOnce, ios: .nextRun,
      alternatives: [.nextRun, .never], .stated,
      source: "invertase/notifee#146; katzer/cordova-plugin-local-notifications#1313",
      "When the app observes a delivery; its code does not run for one in the background."),
    RuleDefinition(
      "N19", "titleLimit", .count(\.titleLimit, 0...100_000), unit: "letters, 0: all", ideal: 0, ios: 0,
      .memory,
      source: "developer.apple.com, UNMutableNotificationContent.title: short, a couple of words; no number",
      "The number of letters of a title that reach the screen; how many fit a line depends on the screen."),
    RuleDefinition(
      "N19", "titleLimit", .count(\.titleLimit, 0...100_000), unit: "letters, 0: all", ideal: 0,
      android: 1_024, alternatives: [1_024, 5_120], .stated,
      source: "AOSP, Notification.MAX_CHARSEQUENCE_LENGTH: 1,024 since the security update of Android 8.0 "
        + "(android-security-8.0.0_r52), 5,120 before",
      "The number of letters of a title that reach the screen; how many fit a line depends on the screen."),
    RuleDefinition(
      "N20", "attachmentsLimited", .flag(\.attachmentsLimited), ideal: false, ios: true, android: false,
      alternatives: [true, false], .stated,
      source: "developer.apple.com, UNNotificationAttachment: audio 5 MB, image 10 MB, movie 50 MB; what "
        + "is invalid is not scheduled",
      "A request with a file that is too large is refused."),
    RuleDefinition(
      "A1", "pendingCapacity", .count(\.centre.pendingCapacity, 1...10_000), unit: "requests", ideal: 64,
      android: 500, alternatives: [500], .stated, source: "AOSP constant, tutanota#1800; notifee#340",
      "The maximum number of pending alarms of one app."),
    RuleDefinition(
      "A1", "pendingEviction", choice: \.centre.pendingEviction, ideal: .lastAdded, android: .refuse, .stated,
      source: "AOSP constant, tutanota#1800; notifee#340",
      "An alarm above the limit is refused with an exception."),
  ]
}

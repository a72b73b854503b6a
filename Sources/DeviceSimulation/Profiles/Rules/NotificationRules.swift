import TriggerModel

extension PlatformRules {
  /// Notifications: rules N1 to N20 and A1.
  static let notifications: [RuleDefinition] = [
    RuleDefinition(
      "N1", "pendingCapacity", .count(\.centre.pendingCapacity, 1...10_000), unit: "requests",
      ideal: 64, ios: 64, alternatives: [64], .stated,
      source: "Apple, Local and Push Notification Programming Guide, quoted in "
        + "katzer/cordova-plugin-local-notifications#942 and #47",
      "So many requests of one app may be pending."),
    RuleDefinition(
      "N1", "pendingDropSeen", .choice(\.pendingDropSeen), ideal: .of(Visibility.atOnce),
      ios: .of(Visibility.never),
      alternatives: [.of(Visibility.never), .of(Visibility.nextRun), .of(Visibility.atOnce)], .stated,
      source: "katzer/cordova-plugin-local-notifications#942",
      "When the app learns that a request was dropped; the excess is discarded silently."),
    RuleDefinition(
      "N2", "pendingEviction", .choice(\.centre.pendingEviction), ideal: .of(PendingEviction.lastAdded),
      ios: .of(PendingEviction.lastAdded),
      alternatives: [
        .of(PendingEviction.lastAdded), .of(PendingEviction.soonest), .of(PendingEviction.rejectNew),
      ], .disputed,
      source: "lionheart/openradar-mirror#19448; MaikuB/flutter_local_notifications#2275, #2312",
      "Which requests survive when too many are pending."),
    RuleDefinition(
      "N3", "replacementKeepsPlace", .flag(\.centre.replacementKeepsPlace), ideal: false, ios: false,
      alternatives: [false, true], .disputed,
      source: "developer.apple.com, UNNotificationRequest.identifier",
      "A request that replaces another of the same identifier also takes its place in the order of adding."),
    RuleDefinition(
      "N3", "requestIdentifier", .choice(\.centre.identifier), ideal: .of(RequestIdentifier.perOccurrence),
      ios: .of(RequestIdentifier.perOccurrence), android: .of(RequestIdentifier.perOccurrence),
      alternatives: [
        .of(RequestIdentifier.perOccurrence), .of(RequestIdentifier.perReminder),
        .of(RequestIdentifier.perRequest),
      ], .stated,
      source: "developer.apple.com, UNNotificationRequest.identifier",
      "What the app takes as identifier; a later request with the same one replaces a pending one."),
    RuleDefinition(
      "N6", "repeatsIgnoreStart", .flag(\.repeatsIgnoreStart), ideal: false, ios: true,
      alternatives: [true, false], .stated, source: "marcocrupi/react-native-notify-kit#15",
      "A request that the system repeats has no first date: it fires when its pattern comes round first."),
    RuleDefinition(
      "N6", "repeatsIgnoreStart", .flag(\.repeatsIgnoreStart), ideal: false, android: false,
      alternatives: [true, false], .stated,
      source: "developer.android.com, AlarmManager.setRepeating: triggerAtMillis is the first time",
      "A repeated alarm begins at the first time that it is given."),
    RuleDefinition(
      "N16", "missedRepeatsOnce", .flag(\.missedRepeatsOnce), ideal: true, ios: true, android: true,
      alternatives: [true, false], .memory,
      source: "developer.android.com, AlarmManager.setRepeating: a skipped repeat is delivered as soon as "
        + "possible, later ones by the original schedule; iOS: one next date is pending (N1)",
      "A repeated request that came round several times while nothing could show it is shown once."),
    RuleDefinition(
      "N7", "floatingMoves", .flag(\.floatingMoves), ideal: true, ios: true, alternatives: [true, false],
      .stated, source: "newbe.dev, understanding UILocalNotification timezone; SuntimesWidget#643",
      "Requests for a time of the local day move with the phone's zone."),
    RuleDefinition(
      "N9", "permissionPrompt", .choice(\.permissionPrompt), ideal: .of(PermissionPrompt.always),
      ios: .of(PermissionPrompt.once), .stated,
      source: "developer.apple.com, UNAuthorizationStatus; flutter_local_notifications#710",
      "The system asks the person once; afterwards only Settings change the permission."),
    RuleDefinition(
      "N9", "permissionPrompt", .choice(\.permissionPrompt), ideal: .of(PermissionPrompt.always),
      android: .of(PermissionPrompt.twice), .memory,
      source: "developer.android.com, request runtime permissions: a second denial is for good",
      "The system asks again after a first denial; closing the prompt without an answer is none."),
    RuleDefinition(
      "N9", "reinstallResetsPermission", .flag(\.reinstallResetsPermission), ideal: false, ios: true,
      android: true, alternatives: [true, false], .stated,
      source: "developer.android.com, notification runtime permission; invertase/notifee#432; old iOS kept "
        + "it for a day: Zom-iOS-XMPP#256",
      "A reinstalled app has to ask anew, for notifications and for the place."),
    RuleDefinition(
      "N10", "provisionalIsQuiet", .flag(\.provisionalIsQuiet), ideal: true, ios: true, .stated,
      source: "useyourloaf.com, provisional authorization of user notifications",
      "With provisional permission notifications go to the list only."),
    RuleDefinition(
      "N11", "criticalLevel", .choice(\.criticalLevel), ideal: .of(InterruptionLevel.timeSensitive),
      ios: .of(InterruptionLevel.timeSensitive),
      alternatives: [.of(InterruptionLevel.timeSensitive), .of(InterruptionLevel.active)], .stated,
      source: "developer.apple.com, UNNotificationInterruptionLevel",
      "The level of the critical bucket; time sensitive breaks through focus and summary."),
    RuleDefinition(
      "N11", "focusHides", .flag(\.focusHides), ideal: true, ios: true, .stated,
      source: "developer.apple.com, UNNotificationInterruptionLevel",
      "With a focus on, what is not time sensitive goes to the list only."),
    RuleDefinition(
      "N12", "summaryHolds", .flag(\.summaryHolds), ideal: true, ios: true, android: false, .stated,
      source: "help.batch.com 5543431; docs.jiguang.cn, timeSensitive",
      "With the scheduled summary on, what is not time sensitive is held; no app can see this. Android has none."
    ),
    RuleDefinition(
      "N12", "summaryTime", .count(\.summaryMinute, 0...1_439), unit: "minute of the local day",
      ideal: 1_080, ios: 1_080, alternatives: [480, 1_080], .assumed,
      source: "no source gives the times: each user chooses them",
      "When the summary is shown."),
    RuleDefinition(
      "N13", "presentsInForeground", .flag(\.presentsInForeground), ideal: true, ios: false,
      alternatives: [false, true], .stated,
      source: "developer.apple.com, willPresent; ryanbr/noop#251",
      "What is delivered while our app is in front is shown; otherwise only if the app asks for it."),
    RuleDefinition(
      "N14", "deliveredLimit", .count(\.centre.deliveredLimit, 0...10_000),
      unit: "notifications, 0: no limit",
      ideal: 0, ios: 0, alternatives: [0, 100], .disputed,
      source: "developer.apple.com, getDeliveredNotifications; no limit is documented",
      "So many notifications stay to be seen."),
    RuleDefinition(
      "N15", "dismissSeen", .choice(\.dismissSeen), ideal: .of(Visibility.atOnce), ios: .of(Visibility.never),
      alternatives: [.of(Visibility.never), .of(Visibility.atOnce)], .memory,
      source: "UNNotificationCategory.customDismissAction",
      "When the app learns of a dismissal: only if its category asks for it."),
    RuleDefinition(
      "N16", "pendingAfterReboot", .choice(\.centre.afterReboot),
      ideal: .of(PendingAfterReboot.deliverMissed),
      ios: .of(PendingAfterReboot.deliverMissed), android: .of(PendingAfterReboot.loseAll),
      alternatives: [.of(PendingAfterReboot.deliverMissed), .of(PendingAfterReboot.dropMissed)], .disputed,
      source: "xamarin.plugins#11; flutter_local_notifications#1696; Android (A2): uhabits#93",
      "What a reboot does to pending requests and to those that were due while the phone was off."),
    RuleDefinition(
      "N17", "deliveredSeen", .choice(\.deliveredSeen), ideal: .of(Visibility.atOnce),
      ios: .of(Visibility.nextRun), alternatives: [.of(Visibility.nextRun), .of(Visibility.never)], .stated,
      source: "invertase/notifee#146; katzer/cordova-plugin-local-notifications#1313",
      "When the app learns of a delivery; its code does not run for one in the background."),
    RuleDefinition(
      "N19", "titleLimit", .count(\.titleLimit, 0...100_000), unit: "letters, 0: all", ideal: 0, ios: 0,
      .memory,
      source: "developer.apple.com, UNMutableNotificationContent.title: short, a couple of words; no number",
      "So many letters of a title reach the screen; how many of them fit a line is up to the screen."),
    RuleDefinition(
      "N19", "titleLimit", .count(\.titleLimit, 0...100_000), unit: "letters, 0: all", ideal: 0,
      android: 1_024,
      alternatives: [1_024, 5_120], .stated,
      source: "AOSP, Notification.MAX_CHARSEQUENCE_LENGTH: 1,024 since the security update of Android 8.0 "
        + "(android-security-8.0.0_r52), 5,120 before",
      "So many letters of a title reach the screen; how many of them fit a line is up to the screen."),
    RuleDefinition(
      "N20", "attachmentsLimited", .flag(\.attachmentsLimited), ideal: false, ios: true, android: false,
      alternatives: [true, false], .stated,
      source: "developer.apple.com, UNNotificationAttachment: audio 5 MB, image 10 MB, movie 50 MB; what is "
        + "invalid is not scheduled",
      "A request with a file that is too large is refused."),
    RuleDefinition(
      "A1", "pendingCapacity", .count(\.centre.pendingCapacity, 1...10_000), unit: "requests",
      ideal: 64, android: 500, alternatives: [500], .stated,
      source: "AOSP constant, tutanota#1800; notifee#340", "So many alarms of one app may be pending."),
    RuleDefinition(
      "A1", "pendingEviction", .choice(\.centre.pendingEviction), ideal: .of(PendingEviction.lastAdded),
      android: .of(PendingEviction.refuse), .stated, source: "AOSP constant, tutanota#1800; notifee#340",
      "One alarm too many is refused with an exception."),
  ]
}

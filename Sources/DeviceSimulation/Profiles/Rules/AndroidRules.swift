import TriggerModel

extension PlatformRules {
  private static let exceptions = "developer.android.com/guide/components/broadcast-exceptions"

  /// The life of an app on Android, and what its user decides there: rules A5 to A11.
  static let androidApps: [RuleDefinition] = [
    RuleDefinition(
      "A5", "backgroundExecution", .choice(\.backgroundExecution), ideal: .of(BackgroundExecution.always),
      android: .of(BackgroundExecution.limited),
      alternatives: [.of(BackgroundExecution.limited), .of(BackgroundExecution.always)], .stated,
      source: exceptions + "; source.android.com, cached apps freezer",
      "Chargers, unlocks and the use of other apps are told to a process that runs, and start none."),
    RuleDefinition(
      "A5", "backgroundTime", .span(\.backgroundTime, in: .seconds(1), 1...86_400), unit: "s", ideal: 10,
      android: 60, alternatives: [10, 60, 3_600], .assumed,
      source:
        "developer.android.com/about/versions/14/behavior-changes-all: cached apps are told later; they "
        + "are frozen 10 s after they are cached, which is some time after they are left",
      "How long an app that was woken, or left, executes in the background."),
    RuleDefinition(
      "A5", "chargerSeen", .choice(\.chargerSeen), ideal: .of(Visibility.atOnce),
      android: .of(Visibility.nextRun), alternatives: [.of(Visibility.nextRun), .of(Visibility.never)],
      .stated, source: exceptions + ": ACTION_POWER_CONNECTED is none",
      "When an app that does not run learns that the charger came or went; nothing wakes it for that."),
    RuleDefinition(
      "A5", "unlockSign", .choice(\.unlockSign), ideal: .of(UnlockSign.everyUnlock),
      android: .of(UnlockSign.everyUnlock),
      alternatives: [.of(UnlockSign.everyUnlock), .of(UnlockSign.didBecomeActive)], .stated,
      source: exceptions + ": ACTION_USER_PRESENT is none",
      "The sign that an app takes for an unlock: the broadcast, if it runs; or that it comes to the front."),
    RuleDefinition(
      "A5", "clockChangeWakes", .flag(\.clockChangeWakes), ideal: true, ios: false, android: true,
      alternatives: [true, false], .stated, source: exceptions + ": TIME_SET, ACTION_TIMEZONE_CHANGED",
      "An app that does not run is started when clock or zone change, so that it can set its alarms anew."),
    RuleDefinition(
      "N7", "floatingMoves", .flag(\.floatingMoves), ideal: true, android: true, alternatives: [true, false],
      .stated, source: exceptions + ": ACTION_TIMEZONE_CHANGED; SuntimesWidget#643 where nobody listens",
      "Requests for a time of the local day move with the phone's zone: the app that is told sets them anew."),
    RuleDefinition(
      "A6", "bootStart", .choice(\.bootStart), ideal: .of(BootStart.atBoot), ios: .of(BootStart.never),
      android: .of(BootStart.atBoot),
      alternatives: [.of(BootStart.atBoot), .of(BootStart.atFirstUnlock), .of(BootStart.never)], .stated,
      source: exceptions + ": ACTION_BOOT_COMPLETED; with a screen lock it comes at the first unlock",
      "When a boot starts the app, which then hands over again what was lost."),
    RuleDefinition(
      "A6", "updateStarts", .flag(\.updateStarts), ideal: true, ios: false, android: true,
      alternatives: [true, false], .stated,
      source: "developer.android.com, Intent.ACTION_MY_PACKAGE_REPLACED; super-productivity#7254",
      "An update of the app starts it, if it listens for that."),
    RuleDefinition(
      "A6", "updateLosesPending", .flag(\.updateLosesPending), ideal: false, ios: false, android: true,
      alternatives: [true, false], .stated, source: "super-productivity#7254",
      "An update of the app takes what is pending, until the app hands it over again."),
    RuleDefinition(
      "A7", "forceStopRemoves", .flag(\.forceStopRemoves), ideal: false, ios: false, android: true,
      alternatives: [true, false], .stated,
      source: "developer.android.com/about/versions/15/behavior-changes-all",
      "Force stop takes alarms, regions, jobs and what is shown; the app is not started until its user opens it. "
        + "Elsewhere it is the same as force quit."),
    RuleDefinition(
      "A8", "locationOffRemovesRegions", .flag(\.locationOffRemovesRegions), ideal: false, ios: false,
      android: true, alternatives: [true, false], .stated,
      source: "developer.android.com/develop/sensors-and-location/location/geofencing; "
        + "cordova-plugin-geofence#253",
      "Switching location off takes the regions away until the app registers them again."),
    RuleDefinition(
      "A9", "targetVersion", .count(\.targetVersion, 26...99), unit: "API level", ideal: 34, android: 34,
      alternatives: [32, 34], .stated,
      source: "developer.android.com, notification runtime permission",
      "The version that the app was made for: below 33 the system asks by itself, and a denial is for good."),
    RuleDefinition(
      "A10", "channels", .flag(\.channels), ideal: true, ios: false, android: true,
      alternatives: [true, false], .stated,
      source: "developer.android.com/develop/ui/views/notifications/channels; daily-dozen#260",
      "The user can switch each type of notification off, or silence it, in the system's settings."),
    RuleDefinition(
      "A10", "channelsSilent", .flag(\.channelsSilent), ideal: false, android: false,
      alternatives: [false, true], .assumed,
      source: "developer.android.com, NotificationManager.IMPORTANCE_LOW: the app's choice",
      "The app makes its channels of low importance: what comes on them is in the list only."),
    RuleDefinition(
      "A11", "focusHides", .flag(\.focusHides), ideal: true, android: true, alternatives: [true, false],
      .memory, source: "Android's settings of do not disturb",
      "With do not disturb on, what may not interrupt goes to the list only."),
    RuleDefinition(
      "A11", "focusHidesList", .flag(\.focusHidesList), ideal: false, android: false,
      alternatives: [false, true], .memory,
      source: "Android's settings of do not disturb: hidden notifications, the user's choice",
      "With do not disturb on, what may not interrupt is not in the list either."),
    RuleDefinition(
      "A11", "criticalLevel", .choice(\.criticalLevel), ideal: .of(InterruptionLevel.timeSensitive),
      android: .of(InterruptionLevel.active),
      alternatives: [.of(InterruptionLevel.active), .of(InterruptionLevel.timeSensitive)], .memory,
      source: "NotificationChannel.setBypassDnd: only the user can allow it",
      "The level of the critical bucket; time sensitive breaks through do not disturb."),
  ]
}

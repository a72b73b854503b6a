import TriggerModel

extension PlatformRules {
  private static let exceptions = "developer.android.com/guide/components/broadcast-exceptions"

  /// The life cycle of apps and the user settings of Android: rules A5 to A11.
  static let androidApps: [RuleDefinition] = [
    RuleDefinition(
      "A5", "backgroundExecution", choice: \.backgroundExecution, ideal: .always, android: .limited,
      alternatives: [.limited, .always], .stated,
      source: exceptions + "; source.android.com, cached apps freezer",
      "Chargers, unlocks and the use of other apps are reported to a running process and start none."),
    RuleDefinition(
      "A5", "backgroundTime", .span(\.backgroundTime, in: .seconds(1), 1...86_400), unit: "s", ideal: 10,
      android: 60, alternatives: [10, 60, 3_600], .assumed,
      source: "developer.android.com/about/versions/14/behavior-changes-all: cached apps are told later; "
        + "they are frozen 10 s after they are cached, which is some time after they are left",
      "How long an app that was woken or left executes in the background."),
    RuleDefinition(
      "A5", "chargerSeen", choice: \.chargerSeen, ideal: .atOnce, android: .nextRun,
      alternatives: [.nextRun, .never], .stated, source: exceptions + ": ACTION_POWER_CONNECTED is none",
      "When an app that does not run observes that the charger was connected or disconnected; that does not "
        + "wake it."),
    RuleDefinition(
      "A5", "unlockSign", choice: \.unlockSign, ideal: .everyUnlock, android: .everyUnlock,
      alternatives: [.everyUnlock, .didBecomeActive], .stated,
      source: exceptions + ": ACTION_USER_PRESENT is none",
      "The sign that an app takes for an unlock: the broadcast, if it runs, or coming to the front."),
    RuleDefinition(
      "A5", "clockChangeWakes", .flag(\.clockChangeWakes), ideal: true, ios: false, android: true,
      alternatives: [true, false], .stated, source: exceptions + ": TIME_SET, ACTION_TIMEZONE_CHANGED",
      "An app that does not run is started when the clock or the zone changes, so that it can reschedule "
        + "its alarms."),
    RuleDefinition(
      "N7", "floatingMoves", .flag(\.floatingMoves), ideal: true, android: true, alternatives: [true, false],
      .stated, source: exceptions + ": ACTION_TIMEZONE_CHANGED; SuntimesWidget#643 where nobody listens",
      "Requests for a local time move with the phone's zone: the app is notified and reschedules them."),
    RuleDefinition(
      "A6", "bootStart", choice: \.bootStart, ideal: .atBoot, ios: .never, android: .atBoot,
      alternatives: [.atBoot, .atFirstUnlock, .never], .stated,
      source: exceptions + ": ACTION_BOOT_COMPLETED; with a screen lock it comes at the first unlock",
      "When a boot starts the app, which then requests again what was lost."),
    RuleDefinition(
      "A6", "updateStarts", .flag(\.updateStarts), ideal: true, ios: false, android: true,
      alternatives: [true, false], .stated,
      source: "developer.android.com, Intent.ACTION_MY_PACKAGE_REPLACED; super-productivity#7254",
      "An update of the app starts it, if it listens for that."),
    RuleDefinition(
      "A6", "updateLosesPending", .flag(\.updateLosesPending), ideal: false, ios: false, android: true,
      alternatives: [true, false], .stated, source: "super-productivity#7254",
      "An update of the app removes its pending requests until the app requests them again."),
    RuleDefinition(
      "A7", "forceStopRemoves", .flag(\.forceStopRemoves), ideal: false, ios: false, android: true,
      alternatives: [true, false], .stated,
      source: "developer.android.com/about/versions/15/behavior-changes-all",
      "Force stop removes alarms, regions, jobs and visible notifications; the app is not started until its "
        + "user opens it. On other platforms it equals force quit."),
    RuleDefinition(
      "A8", "locationOffRemovesRegions", .flag(\.locationOffRemovesRegions), ideal: false, ios: false,
      android: true, alternatives: [true, false], .stated,
      source: "developer.android.com/develop/sensors-and-location/location/geofencing; "
        + "cordova-plugin-geofence#253",
      "Switching location off removes the regions until the app registers them again."),
    RuleDefinition(
      "A9", "targetVersion", .count(\.targetVersion, 26...99), unit: "API level", ideal: 34, android: 34,
      alternatives: [32, 34], .stated, source: "developer.android.com, notification runtime permission",
      "The version that the app targets: below 33 the system requests the permission itself, and a denial "
        + "is final."),
    RuleDefinition(
      "A10", "channels", .flag(\.channels), ideal: true, ios: false, android: true,
      alternatives: [true, false], .stated,
      source: "developer.android.com/develop/ui/views/notifications/channels; daily-dozen#260",
      "The user can switch each type of notification off, or silence it, in the system's settings."),
    RuleDefinition(
      "A10", "channelsSilent", .flag(\.channelsSilent), ideal: false, android: false,
      alternatives: [false, true], .assumed,
      source: "developer.android.com, NotificationManager.IMPORTANCE_LOW: the app's choice",
      "The app creates its channels with low importance: their notifications are in the list only."),
    RuleDefinition(
      "A11", "focusHides", .flag(\.focusHides), ideal: true, android: true, alternatives: [true, false],
      .memory, source: "Android's settings of do not disturb",
      "With do not disturb on, notifications that may not interrupt are in the list only."),
    RuleDefinition(
      "A11", "focusHidesList", .flag(\.focusHidesList), ideal: false, android: false,
      alternatives: [false, true], .memory,
      source: "Android's settings of do not disturb: hidden notifications, the user's choice",
      "With do not disturb on, notifications that may not interrupt are not in the list either."),
    RuleDefinition(
      "A11", "criticalLevel", choice: \.criticalLevel, ideal: .timeSensitive, android: .active,
      alternatives: [.active, .timeSensitive], .memory,
      source: "NotificationChannel.setBypassDnd: only the user can allow it",
      "The level of the critical bucket; time sensitive breaks through do not disturb."),
  ]
}

import TriggerModel

extension PlatformRules {
  private static let alarmGuide = "developer.android.com/develop/background-work/services/alarms"
  private static let powerDetails = "developer.android.com/topic/performance/power/power-details"

  /// Alarms: rules A2 to A4. On Android, the system implements wake requests and notifications for a later
  /// time as alarms. A notification for immediate delivery is not an alarm.
  static let alarms: [RuleDefinition] = [
    RuleDefinition(
      "A2", "deliveryLatenessFrom", .span(\.deliveryLatenessFrom, in: .minutes(1), 0...1_440),
      unit: "minutes", ideal: 0, android: 0, alternatives: [0, 54], .stated,
      source: alarmGuide + "; 54 were seen: 5calls#133",
      "The minimum lateness of an inexact alarm, which is never early."),
    RuleDefinition(
      "A2", "deliveryLatenessTo", .span(\.deliveryLatenessTo, in: .minutes(1), 0...1_440), unit: "minutes",
      ideal: 0, android: 60, alternatives: [0, 60, 91], .stated,
      source: alarmGuide + ", Android 12 and later; 91 were seen: Etar#2069; AOSP, LazyAlarmStore",
      "The maximum lateness of an inexact alarm if nothing saves the battery. With every alarm, those of the "
        + "app go off whose time has passed."),
    RuleDefinition(
      "A2", "exactAlarms", choice: \.exactAlarms, ideal: .always, android: .denied,
      alternatives: [.denied, .granted], .stated,
      source: "developer.android.com/about/versions/14/behavior-changes-all; uhabits#93",
      "Alarms are exact: always, or with the permission, which the app has initially or not."),
    RuleDefinition(
      "A2", "backgroundWake", choice: \.backgroundWake, ideal: .exact, android: .alarm,
      alternatives: [.alarm, .never], .stated, source: alarmGuide,
      "A wake request is an alarm, with the lateness of alarms."),
    RuleDefinition(
      "A3", "dozeAfter", .span(\.dozeAfter, in: .minutes(1), 0...1_440), unit: "minutes, 0: never", ideal: 0,
      android: 60, alternatives: [0, 30, 60], .stated,
      source: "developer.android.com/training/monitoring-device-state/doze-standby; the time is of gist "
        + "eb7f369bbf2fd7ab65d790e4fa5754e4",
      "How long after its lock an unplugged, unmoved phone begins to doze. In Doze, alarms wait for the "
        + "next window or for the user. A scenario without 'lock' has no Doze."),
    RuleDefinition(
      "A3", "dozeFirstWindow", .span(\.dozeFirstWindow, in: .minutes(1), 1...1_440), unit: "minutes",
      ideal: 60, android: 60, alternatives: [30, 60], .measured,
      source: "gist eb7f369bbf2fd7ab65d790e4fa5754e4: windows after 1, 2, 4 and then every 6 hours",
      "The time from the beginning of Doze to the first maintenance window; each later gap is twice the one "
        + "before."),
    RuleDefinition(
      "A3", "dozeLongestWindow", .span(\.dozeLongestWindow, in: .minutes(1), 1...2_880), unit: "minutes",
      ideal: 360, android: 360, alternatives: [120, 360], .measured,
      source: "gist eb7f369bbf2fd7ab65d790e4fa5754e4", "The longest gap between maintenance windows."),
    RuleDefinition(
      "A3", "alarmsWhileIdle", .flag(\.alarmsWhileIdle), ideal: true, android: false,
      alternatives: [false, true], .assumed, source: alarmGuide + ", setAndAllowWhileIdle: the app's choice",
      "The app uses alarms that Doze does not defer."),
    RuleDefinition(
      "A3", "idleAlarmInterval", .span(\.idleAlarmInterval, in: .minutes(1), 0...1_440), unit: "minutes",
      ideal: 0, android: 9, alternatives: [0, 9, 15], .stated, source: powerDetails,
      "The minimum time between inexact alarms of this kind in Doze; exact ones have none."),
    RuleDefinition(
      "A4", "saverLateness", .span(\.saverLateness, in: .minutes(1), 0...1_440), unit: "minutes", ideal: 0,
      android: 120, alternatives: [0, 60, 120], .assumed,
      source: alarmGuide + ": no bound while battery saver is on",
      "The maximum additional lateness of an inexact alarm with battery saver on (low power mode) and off "
        + "the charger."),
  ]
}

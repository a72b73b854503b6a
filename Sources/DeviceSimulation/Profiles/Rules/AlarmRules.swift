import TriggerModel

extension PlatformRules {
  private static let alarmGuide = "developer.android.com/develop/background-work/services/alarms"
  private static let powerDetails = "developer.android.com/topic/performance/power/power-details"

  /// Alarms, which is what requests for later and wishes to be woken are on Android: rules A2 to A4. What
  /// an app posts now is no alarm, and is shown at once.
  static let alarms: [RuleDefinition] = [
    RuleDefinition(
      "A2", "deliveryLatenessFrom", .span(\.deliveryLatenessFrom, in: .minutes(1), 0...1_440),
      unit: "minutes", ideal: 0, android: 0, alternatives: [0, 54], .stated,
      source: alarmGuide + "; 54 were seen: 5calls#133",
      "An inexact alarm is late by at least so much, and never early."),
    RuleDefinition(
      "A2", "deliveryLatenessTo", .span(\.deliveryLatenessTo, in: .minutes(1), 0...1_440),
      unit: "minutes", ideal: 0, android: 60, alternatives: [0, 60, 91], .stated,
      source: alarmGuide + ", Android 12 and later; 91 were seen: Etar#2069",
      "An inexact alarm is late by at most so much, where nothing saves the battery."),
    RuleDefinition(
      "A2", "exactAlarms", .choice(\.exactAlarms), ideal: .of(ExactAlarms.always),
      android: .of(ExactAlarms.denied), alternatives: [.of(ExactAlarms.denied), .of(ExactAlarms.granted)],
      .stated,
      source: "developer.android.com/about/versions/14/behavior-changes-all; uhabits#93",
      "Alarms come at their time: always, or with the permission, which the app has or has not at first."),
    RuleDefinition(
      "A2", "backgroundWake", .choice(\.backgroundWake), ideal: .of(BackgroundWake.exact),
      android: .of(BackgroundWake.alarm),
      alternatives: [.of(BackgroundWake.alarm), .of(BackgroundWake.never)],
      .stated, source: alarmGuide, "A time to be woken at is an alarm, as late as alarms are."),
    RuleDefinition(
      "A3", "dozeAfter", .span(\.dozeAfter, in: .minutes(1), 0...1_440), unit: "minutes, 0: never",
      ideal: 0, android: 60, alternatives: [0, 30, 60], .stated,
      source: "developer.android.com/training/monitoring-device-state/doze-standby; the time is of "
        + "gist eb7f369bbf2fd7ab65d790e4fa5754e4",
      "So long after its lock, unplugged and not moved, a phone dozes: alarms wait for the next window, or for "
        + "its user. A story that never says 'lock' has no Doze."),
    RuleDefinition(
      "A3", "dozeFirstWindow", .span(\.dozeFirstWindow, in: .minutes(1), 1...1_440), unit: "minutes",
      ideal: 60, android: 60, alternatives: [30, 60], .measured,
      source: "gist eb7f369bbf2fd7ab65d790e4fa5754e4: windows after 1, 2, 4 and then every 6 hours",
      "The first maintenance window comes so long after the beginning of Doze; each gap is twice the last."),
    RuleDefinition(
      "A3", "dozeLongestWindow", .span(\.dozeLongestWindow, in: .minutes(1), 1...2_880), unit: "minutes",
      ideal: 360, android: 360, alternatives: [120, 360], .measured,
      source: "gist eb7f369bbf2fd7ab65d790e4fa5754e4",
      "Maintenance windows are no farther apart than this."),
    RuleDefinition(
      "A3", "alarmsWhileIdle", .flag(\.alarmsWhileIdle), ideal: true, android: false,
      alternatives: [false, true], .assumed,
      source: alarmGuide + ", setAndAllowWhileIdle: the app's choice",
      "The app asks for alarms that Doze does not defer."),
    RuleDefinition(
      "A3", "idleAlarmInterval", .span(\.idleAlarmInterval, in: .minutes(1), 0...1_440), unit: "minutes",
      ideal: 0, android: 9, alternatives: [0, 9, 15], .stated, source: powerDetails,
      "In Doze inexact alarms of this kind come no closer together; exact ones do."),
    RuleDefinition(
      "A4", "saverLateness", .span(\.saverLateness, in: .minutes(1), 0...1_440), unit: "minutes", ideal: 0,
      android: 120, alternatives: [0, 60, 120], .assumed,
      source: alarmGuide + ": no bound while battery saver is on",
      "With battery saver on (low power mode) and off the charger an inexact alarm is later by anything up to "
        + "this."),
  ]
}

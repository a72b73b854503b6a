import TriggerModel

extension PlatformRules {
  /// Power: rules P1 to P8.
  static let battery: [RuleDefinition] = [
    RuleDefinition(
      "P1", "batteryMonitored", .flag(\.batteryMonitored), ideal: true, ios: true, android: true,
      alternatives: [true, false], .stated, source: "developer.apple.com, UIDevice.batteryState",
      "The app monitors the battery; without that the state is unknown and nothing is reported."),
    RuleDefinition(
      "P3", "levelThrottle", .span(\.levelThrottle, in: .seconds(1), 0...3_600), unit: "s", ideal: 0, ios: 60,
      alternatives: [0, 60], .stated, source: "developer.apple.com, batteryLevelDidChangeNotification",
      "The minimum time between level notifications; state notifications are not delayed."),
    RuleDefinition(
      "P4", "levelStep", .count(\.levelStep, 1...50), unit: "%", ideal: 1, ios: 5, alternatives: [1, 5],
      .disputed,
      source: "openradar#13224; plus_plugins#3470; RetroArch#16135; owntracks#847; nst/BatteryChart data",
      "The reported level is a multiple of this."),
    RuleDefinition(
      "P5", "chargerSeen", choice: \.chargerSeen, ideal: .atOnce, ios: .nextRun,
      alternatives: [.nextRun, .never], .stated, source: "home-assistant/iOS#1111, #644, #2522",
      "When an app that does not run observes that the charger was connected or disconnected; that does not "
        + "wake it."),
    RuleDefinition(
      "P6", "chargeHold", choice: \.chargeHold, ideal: .off, ios: .off, android: .off,
      alternatives: [.off, .seenAsCharging, .seenAsUnplugged], .disputed,
      source: "home-assistant/android#2785, #5415",
      "Whether the system holds the battery at 80 %, and what the app sees then."),
    RuleDefinition(
      "P6", "chargeHoldLength", .span(\.chargeHoldLength, in: .minutes(1), 1...1_440), unit: "minutes",
      ideal: 240, ios: 240, android: 240, .assumed,
      source: "no source gives a length: the system learns the habits of its user",
      "How long the hold lasts."),
    RuleDefinition(
      "P7", "chargeLimit", .count(\.chargeLimit, 80...100), unit: "%", ideal: 100, ios: 100,
      alternatives: [80, 90, 100], .stated, source: "apple.fandom.com, Low Power Mode; madstarmobile",
      "The user's charge limit: charging ends there."),
    RuleDefinition(
      "P7", "lowPowerOnAt", .count(\.lowPowerOnAt, 0...100), unit: "%, 0: never", ideal: 0, ios: 0,
      alternatives: [0, 10, 20], .stated,
      source: "apple.fandom.com, Low Power Mode: the phone proposes it at 20 % and at 10 %",
      "The person accepts the proposal of low power mode at this level."),
    RuleDefinition(
      "P7", "lowPowerOffAt", .count(\.lowPowerOffAt, 1...100), unit: "%", ideal: 80, ios: 80, .stated,
      source: "apple.fandom.com, Low Power Mode", "Low power mode ends when charging reaches this level."),
    RuleDefinition(
      "P7", "lowPowerStopsRefresh", .flag(\.lowPowerStopsRefresh), ideal: false, ios: true, .stated,
      source: "apple.fandom.com, Low Power Mode", "Low power mode disables background refresh."),
    RuleDefinition(
      "P8", "dischargeRate", .decimal(\.curve.dischargeRate, 0.01...1_000), unit: "%/h", ideal: 16.25,
      ios: 16.25, android: 16.25, .measured, source: "nst/BatteryChart, 844 samples, R² 0.9994",
      "The discharge rate in use."),
    RuleDefinition(
      "P8", "chargeRate", .decimal(\.curve.chargeRate, 0.01...1_000), unit: "%/h", ideal: 59.9, ios: 59.9,
      android: 59.9, .measured, source: "nst/BatteryChart, 844 samples, R² 0.9996",
      "The charge rate up to the knee."),
    RuleDefinition(
      "P8", "chargeKnee", .decimal(\.curve.knee, 0...99), unit: "%", ideal: 80, ios: 80, android: 80,
      .measured, source: "nst/BatteryChart, 844 samples", "The level at which charging stops being linear."),
    RuleDefinition(
      "P8", "chargeTimeConstant", .decimal(\.curve.timeConstant, 0.1...1_000), unit: "minutes", ideal: 18.8,
      ios: 18.8, android: 18.8, .measured, source: "nst/BatteryChart, 844 samples, R² 0.994",
      "Above the knee the battery approaches full exponentially."),
  ]
}

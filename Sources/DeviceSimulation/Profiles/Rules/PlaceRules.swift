import TriggerModel

extension PlatformRules {
  /// Location: rules L1 to L15.
  static let place: [RuleDefinition] = [
    RuleDefinition(
      "L1", "regionReporting", choice: \.regionReporting, ideal: .geometric, ios: .delayed, android: .delayed,
      .stated, source: "developer.apple.com, startMonitoring(for:)",
      "Whether regions are reported as the system detects them, or at the exact crossing."),
    RuleDefinition(
      "L1", "regionLimit", .count(\.regionLimit, 0...128), unit: "regions, 0: no limit", ideal: 0, ios: 20,
      alternatives: [20], .stated,
      source: "developer.apple.com, startMonitoring(for:), CLError.regionMonitoringFailure",
      "The maximum number of monitored regions of one app; the next one fails."),
    RuleDefinition(
      "L2", "maximumRadius", .decimal(\.maximumRadius, 0...20_000_000), unit: "m, 0: no limit", ideal: 0,
      ios: 400_000, alternatives: [1_000, 400_000], .assumed,
      source: "developer.apple.com, maximumRegionMonitoringDistance: depends on the device",
      "The maximum radius; a larger region fails."),
    RuleDefinition(
      "L3", "regionDwell", .span(\.regionDwell, in: .seconds(1), 0...3_600), unit: "s", ideal: 0, ios: 20,
      android: 0, alternatives: [0, 20], .stated, source: "Apple, Location Awareness Programming Guide",
      "How long the phone must stay beyond the boundary before a crossing counts."),
    RuleDefinition(
      "L3", "regionCushion", .decimal(\.regionCushion, 0...10_000), unit: "m", ideal: 0, ios: 200, android: 0,
      alternatives: [0, 100, 200], .stated,
      source: "Apple, Location Awareness Programming Guide: depends on hardware, assume 200 m",
      "How far beyond the boundary a crossing counts; for entering, at most half the radius."),
    RuleDefinition(
      "L4", "regionLatency", .span(\.regionLatency, in: .seconds(1), 0...3_600), unit: "s, mean", ideal: 0,
      ios: 240, alternatives: [0, 180, 240, 300], .stated,
      source: "developer.apple.com, startMonitoring(for:): 3 to 5 minutes on average, or sooner",
      "The mean delay of a report, which is uniform from zero to twice the mean."),
    RuleDefinition(
      "L5", "minimumRadius", .decimal(\.minimumRadius, 0...10_000), unit: "m", ideal: 0, ios: 100,
      android: 100, alternatives: [0, 100, 150], .stated,
      source: "kevfoo.com 2012/07; owntracks/ios#522; developer.android.com, geofencing (L15)",
      "The minimum radius; a smaller region is treated as if it had this one."),
    RuleDefinition(
      "L5", "exitFactor", .decimal(\.exitFactor, 1...10), unit: "radii", ideal: 1, ios: 1.5, android: 1,
      alternatives: [1, 1.5], .measured, source: "owntracks/ios#667, #675",
      "A region counts as left at this many radii from its centre."),
    RuleDefinition(
      "L6", "initialTrigger", choice: \.initialTrigger, ideal: .state, ios: InitialTrigger.none,
      android: .enter,
      alternatives: [.none, .state, .enter], .disputed,
      source: "rn-boundary#17; cordova-plugin-geofence PR125; native_geofence PR39; Android (L15): "
        + "INITIAL_TRIGGER_ENTER",
      "What is reported for a region that the phone is already in when it is registered, or when the "
        + "position becomes known."),
    RuleDefinition(
      "L7", "exitMinimumDistance", .decimal(\.exitMinimumDistance, 0...100_000), unit: "m from the centre",
      ideal: 0, ios: 0, alternatives: [0, 5_000], .measured,
      source: "openradar#12407: exit seen only at about 5 km",
      "A fault of some systems: a region does not count as left before this distance."),
    RuleDefinition(
      "L9", "regionsNeedAlways", .flag(\.regionsNeedAlways), ideal: false, ios: true, android: true,
      alternatives: [true], .stated, source: "flutter_background_geolocation#841",
      "Regions require the permission Always."),
    RuleDefinition(
      "L9", "locationPrompt", choice: \.locationPrompt, ideal: .always, ios: .once, .stated,
      source: "developer.apple.com, requestWhenInUseAuthorization; PromiseKit/CoreLocation#19",
      "The system asks for location once, and again after the answer 'once'."),
    RuleDefinition(
      "L9", "locationPrompt", choice: \.locationPrompt, ideal: .always, android: .twice, .memory,
      source: "developer.android.com, request runtime permissions: a second denial is for good",
      "The system asks for location again after a first denial."),
    RuleDefinition(
      "L9", "alwaysPrompt", choice: \.alwaysPrompt, ideal: .atOnce, ios: .afterWhenInUse, .stated,
      source: "developer.apple.com, requestAlwaysAuthorization: after when in use, and further calls have "
        + "no effect",
      "Always is offered by a second prompt, once, to an app that has When In Use."),
    RuleDefinition(
      "L9", "alwaysPrompt", choice: \.alwaysPrompt, ideal: .atOnce, android: .inSettings, .stated,
      source: "developer.android.com/about/versions/11/privacy/location",
      "Always is offered only in the system's settings, not by a prompt."),
    RuleDefinition(
      "L9", "regionsNeedPrecise", .flag(\.regionsNeedPrecise), ideal: false, ios: true, .stated,
      source: "developer.apple.com, kCLLocationAccuracyReduced",
      "With reduced accuracy, no region is monitored."),
    RuleDefinition(
      "L10", "regionsNeedRefresh", .flag(\.regionsNeedRefresh), ideal: false, ios: true, .stated,
      source: "Apple text quoted in geek-questions 959505",
      "With background refresh switched off, no region is reported."),
    RuleDefinition(
      "L4", "regionsNeedNetwork", .flag(\.regionsNeedNetwork), ideal: false, ios: true, android: true,
      .stated, source: "developer.apple.com, startMonitoring(for:); geek-questions 959505 (L10)",
      "In airplane mode, no region is reported."),
    RuleDefinition(
      "L11", "forceQuitBlocksRegions", .decimal(\.forceQuitBlocksRegions, 0...100), unit: "% of crossings",
      ideal: 0, ios: 100, alternatives: [0, 50, 100], .disputed,
      source: "developer.apple.com/forums/thread/719222, /826964: 0 up to iOS 18, 100 on iOS 26; boohere "
        + "10255407; flutter_background_geolocation#1551, #1650",
      "The percentage of crossings that do not start an app which its user swiped away."),
    RuleDefinition(
      "L12", "significantChangeWakes", .flag(\.significantChangeWakes), ideal: false, ios: false,
      alternatives: [false, true], .stated, source: "Apple forum 71792",
      "The app uses the significant-change service, so that moving wakes it."),
    RuleDefinition(
      "L12", "significantChangeDistance", .decimal(\.significantChangeDistance, 1...100_000), unit: "m",
      ideal: 500, ios: 500, .stated, source: "Apple forum 71792",
      "The minimum distance of a significant change."),
    RuleDefinition(
      "L12", "significantChangeInterval", .span(\.significantChangeInterval, in: .seconds(1), 0...86_400),
      unit: "s", ideal: 300, ios: 300, .stated, source: "Apple forum 71792",
      "The minimum time between two significant changes."),
    RuleDefinition(
      "L13", "regionsSurviveReboot", .flag(\.regionsSurviveReboot), ideal: true, ios: true, android: false,
      alternatives: [true, false], .disputed,
      source: "developer.apple.com, monitoring the user's proximity; developer.android.com (L15)",
      "Regions stay registered when the phone is rebooted."),
    RuleDefinition(
      "L15", "regionLimit", .count(\.regionLimit, 0...128), unit: "regions, 0: no limit", ideal: 0,
      android: 100, .stated, source: "developer.android.com, geofencing",
      "The maximum number of monitored regions of one app; the next one fails."),
    RuleDefinition(
      "L15", "regionLatency", .span(\.regionLatency, in: .seconds(1), 0...3_600), unit: "s, mean", ideal: 0,
      android: 120, alternatives: [60, 120, 180], .stated,
      source: "developer.android.com, geofencing: under 2 minutes, 2 to 3 in the background, up to 6",
      "The mean delay of a report, which is uniform from zero to twice the mean."),
  ]
}

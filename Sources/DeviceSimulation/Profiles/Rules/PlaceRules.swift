import TriggerModel

extension PlatformRules {
  /// Location: rules L1 to L15.
  static let place: [RuleDefinition] = [
    RuleDefinition(
      "L1", "regionReporting", .choice(\.regionReporting), ideal: .of(RegionReporting.geometric),
      ios: .of(RegionReporting.delayed), android: .of(RegionReporting.delayed), .stated,
      source: "developer.apple.com, startMonitoring(for:)",
      "Regions are reported as the system sees them, not as geometry has it."),
    RuleDefinition(
      "L1", "regionLimit", .count(\.regionLimit, 0...128), unit: "regions, 0: no limit", ideal: 0, ios: 20,
      alternatives: [20], .stated,
      source: "developer.apple.com, startMonitoring(for:), CLError.regionMonitoringFailure",
      "So many regions of one app are watched; the next fails."),
    RuleDefinition(
      "L2", "maximumRadius", .decimal(\.maximumRadius, 0...20_000_000), unit: "m, 0: no limit", ideal: 0,
      ios: 400_000, alternatives: [1_000, 400_000], .assumed,
      source: "developer.apple.com, maximumRegionMonitoringDistance: depends on the device",
      "A larger region fails."),
    RuleDefinition(
      "L3", "regionDwell", .span(\.regionDwell, in: .seconds(1), 0...3_600), unit: "s", ideal: 0, ios: 20,
      android: 0, alternatives: [0, 20], .stated, source: "Apple, Location Awareness Programming Guide",
      "A crossing counts after the phone has stayed beyond the boundary so long."),
    RuleDefinition(
      "L3", "regionCushion", .decimal(\.regionCushion, 0...10_000), unit: "m", ideal: 0, ios: 200,
      android: 0, alternatives: [0, 100, 200], .stated,
      source: "Apple, Location Awareness Programming Guide: depends on hardware, assume 200 m",
      "A crossing counts so far beyond the boundary; entering asks for no more than half the radius."),
    RuleDefinition(
      "L4", "regionLatency", .span(\.regionLatency, in: .seconds(1), 0...3_600), unit: "s, mean", ideal: 0,
      ios: 240, alternatives: [0, 180, 240, 300], .stated,
      source: "developer.apple.com, startMonitoring(for:): 3 to 5 minutes on average, or sooner",
      "A report is late by anything from nothing to twice this."),
    RuleDefinition(
      "L5", "minimumRadius", .decimal(\.minimumRadius, 0...10_000), unit: "m", ideal: 0, ios: 100,
      android: 100, alternatives: [0, 100, 150], .stated,
      source: "kevfoo.com 2012/07; owntracks/ios#522; developer.android.com, geofencing (L15)",
      "A smaller region is treated as if it had this radius."),
    RuleDefinition(
      "L5", "exitFactor", .decimal(\.exitFactor, 1...10), unit: "radii", ideal: 1, ios: 1.5, android: 1,
      alternatives: [1, 1.5], .measured, source: "owntracks/ios#667, #675",
      "A region is left at this many radii from its centre."),
    RuleDefinition(
      "L6", "initialTrigger", .choice(\.initialTrigger), ideal: .of(InitialTrigger.state),
      ios: .of(InitialTrigger.none), android: .of(InitialTrigger.enter),
      alternatives: [.of(InitialTrigger.none), .of(InitialTrigger.state), .of(InitialTrigger.enter)],
      .disputed,
      source: "rn-boundary#17; cordova-plugin-geofence PR125; native_geofence PR39; "
        + "Android (L15): INITIAL_TRIGGER_ENTER",
      "What is told of a region that the phone is already inside of when it is registered."),
    RuleDefinition(
      "L7", "exitMinimumDistance", .decimal(\.exitMinimumDistance, 0...100_000), unit: "m from the centre",
      ideal: 0, ios: 0, alternatives: [0, 5_000], .measured,
      source: "openradar#12407: exit seen only at about 5 km",
      "A fault of some systems: a region is not left before this distance."),
    RuleDefinition(
      "L9", "regionsNeedAlways", .flag(\.regionsNeedAlways), ideal: false, ios: true, android: true,
      alternatives: [true], .stated, source: "flutter_background_geolocation#841",
      "Regions need the permission Always."),
    RuleDefinition(
      "L9", "locationPrompt", .choice(\.locationPrompt), ideal: .of(PermissionPrompt.always),
      ios: .of(PermissionPrompt.once), .stated,
      source: "developer.apple.com, requestWhenInUseAuthorization; PromiseKit/CoreLocation#19",
      "The system asks for the place once, and again after an answer that was for once only."),
    RuleDefinition(
      "L9", "locationPrompt", .choice(\.locationPrompt), ideal: .of(PermissionPrompt.always),
      android: .of(PermissionPrompt.twice), .memory,
      source: "developer.android.com, request runtime permissions: a second denial is for good",
      "The system asks for the place again after a first denial."),
    RuleDefinition(
      "L9", "alwaysPrompt", .choice(\.alwaysPrompt), ideal: .of(AlwaysPrompt.atOnce),
      ios: .of(AlwaysPrompt.afterWhenInUse), .stated,
      source: "developer.apple.com, requestAlwaysAuthorization: after when in use, and further calls have no "
        + "effect",
      "Always is offered by a second prompt, once, to an app that may know the place while it is in use."),
    RuleDefinition(
      "L9", "alwaysPrompt", .choice(\.alwaysPrompt), ideal: .of(AlwaysPrompt.atOnce),
      android: .of(AlwaysPrompt.inSettings), .stated,
      source: "developer.android.com/about/versions/11/privacy/location",
      "Always is offered in the system's settings, and at no prompt."),
    RuleDefinition(
      "L9", "regionsNeedPrecise", .flag(\.regionsNeedPrecise), ideal: false, ios: true, .stated,
      source: "developer.apple.com, kCLLocationAccuracyReduced",
      "With reduced accuracy no region is watched."),
    RuleDefinition(
      "L10", "regionsNeedRefresh", .flag(\.regionsNeedRefresh), ideal: false, ios: true, .stated,
      source: "Apple text quoted in geek-questions 959505",
      "With background refresh switched off no region is reported."),
    RuleDefinition(
      "L4", "regionsNeedNetwork", .flag(\.regionsNeedNetwork), ideal: false, ios: true, android: true,
      .stated, source: "developer.apple.com, startMonitoring(for:); geek-questions 959505 (L10)",
      "In airplane mode no region is reported."),
    RuleDefinition(
      "L11", "forceQuitBlocksRegions", .decimal(\.forceQuitBlocksRegions, 0...100), unit: "% of crossings",
      ideal: 0, ios: 100, alternatives: [0, 50, 100], .disputed,
      source: "developer.apple.com/forums/thread/719222, /826964: 0 up to iOS 18, 100 on iOS 26; "
        + "boohere 10255407; flutter_background_geolocation#1551, #1650",
      "Crossings that do not start an app which its user has swiped away."),
    RuleDefinition(
      "L12", "significantChangeWakes", .flag(\.significantChangeWakes), ideal: false, ios: false,
      alternatives: [false, true], .stated, source: "Apple forum 71792",
      "The app uses the significant-change service, so that moving about wakes it."),
    RuleDefinition(
      "L12", "significantChangeDistance", .decimal(\.significantChangeDistance, 1...100_000), unit: "m",
      ideal: 500, ios: 500, .stated, source: "Apple forum 71792", "What counts as a significant change."),
    RuleDefinition(
      "L12", "significantChangeInterval", .span(\.significantChangeInterval, in: .seconds(1), 0...86_400),
      unit: "s", ideal: 300, ios: 300, .stated, source: "Apple forum 71792",
      "The least time between two significant changes."),
    RuleDefinition(
      "L13", "regionsSurviveReboot", .flag(\.regionsSurviveReboot), ideal: true, ios: true, android: false,
      alternatives: [true, false], .disputed,
      source: "developer.apple.com, monitoring the user's proximity; developer.android.com (L15)",
      "Regions stay registered when the phone is rebooted."),
    RuleDefinition(
      "L15", "regionLimit", .count(\.regionLimit, 0...128), unit: "regions, 0: no limit", ideal: 0,
      android: 100, .stated, source: "developer.android.com, geofencing",
      "So many regions of one app are watched; the next fails."),
    RuleDefinition(
      "L15", "regionLatency", .span(\.regionLatency, in: .seconds(1), 0...3_600), unit: "s, mean", ideal: 0,
      android: 120, alternatives: [60, 120, 180], .stated,
      source: "developer.android.com, geofencing: under 2 minutes, 2 to 3 in the background, up to 6",
      "A report is late by anything from nothing to twice this."),
  ]
}

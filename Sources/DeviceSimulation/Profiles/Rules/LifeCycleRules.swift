import TriggerModel

extension PlatformRules {
  /// Life cycle, unlock, Screen Time, background and health: rules U1 to U7, D1 to D3, H2.
  static let lifeCycle: [RuleDefinition] = [
    RuleDefinition(
      "U1", "unlockSign", choice: \.unlockSign, ideal: .everyUnlock, ios: .didBecomeActive,
      alternatives: [.didBecomeActive, .protectedData], .stated,
      source: "openradar#21113; OneSignal-iOS#1451; capacitor-plugins#1132",
      "The sign that an app takes for an unlock; didBecomeActive is not one."),
    RuleDefinition(
      "U1", "activationsPerPull", .count(\.activationsPerPull, 0...10), unit: "times", ideal: 0, ios: 2,
      alternatives: [1, 2], .stated, source: "openradar#21113 (iOS 11 to 12.1.4); OneSignal-iOS#1451",
      "How often an app in front becomes active when Notification Centre is opened and closed."),
    RuleDefinition(
      "U1", "activationsPerSheet", .count(\.activationsPerSheet, 0...10), unit: "times", ideal: 0, ios: 1,
      .stated, source: "capacitor-plugins#1132; Siren#347",
      "How often an app in front becomes active after an alert, Control Centre or a Face ID sheet."),
    RuleDefinition(
      "U2", "unlockRecall", .decimal(\.unlockRecall, 0...100), unit: "% of signs", ideal: 100, ios: 100,
      alternatives: [90, 100], .assumed,
      source: "seed 002 claims about 90 % without support; what counts is that other apps' unlocks are "
        + "unseen",
      "The percentage of true signs that reach the app."),
    RuleDefinition(
      "U3", "protectedDataFrom", .span(\.protectedDataFrom, in: .seconds(1), 0...3_600), unit: "s", ideal: 0,
      ios: 10, .stated,
      source: "developer.apple.com, applicationProtectedDataDidBecomeAvailable; Apple forum",
      "The minimum time that protected data stays available after a lock."),
    RuleDefinition(
      "U3", "protectedDataTo", .span(\.protectedDataTo, in: .seconds(1), 0...3_600), unit: "s", ideal: 0,
      ios: 40, .stated,
      source: "developer.apple.com, applicationProtectedDataDidBecomeAvailable; Apple forum",
      "The maximum time that protected data stays available after a lock."),
    RuleDefinition(
      "U4", "storeNeedsFirstUnlock", .flag(\.storeNeedsFirstUnlock), ideal: false, ios: true, .stated,
      source: "openradar#12487; LoopFollow#710; Meshtastic#2247",
      "Between a boot and the first unlock the app finds its store empty. Opening an app implies an unlock."),
    RuleDefinition(
      "U5", "forceQuitStopsRefresh", .flag(\.forceQuitStopsRefresh), ideal: false, ios: true, .stated,
      source: "Apple forum 793189; NetNewsWire#5415",
      "An app that its user has swiped away gets no background refresh; its pending requests are delivered."),
    RuleDefinition(
      "U5", "forceQuitUntilOpened", .flag(\.forceQuitUntilOpened), ideal: false, ios: true, android: false,
      alternatives: [true, false], .stated,
      source: "developer.apple.com/forums/thread/719222, /826964 (iOS 26); Android: a swipe is no wish",
      "An app that its user has swiped away runs again only when the user opens it; regions (L11) and "
        + "refresh have rules of their own."),
    RuleDefinition(
      "U6", "backgroundWake", choice: \.backgroundWake, ideal: .exact, ios: .opportunistic,
      alternatives: [.opportunistic, .never], .stated,
      source: "developer.apple.com, BGTaskScheduler.submit(_:); Apple forum 823699",
      "A wake request states only the earliest time; one refresh is pending at a time."),
    RuleDefinition(
      "U6", "refreshDelay", .span(\.refreshDelay, in: .minutes(1), 0...1_440), unit: "minutes, mean",
      ideal: 0, ios: 30, alternatives: [0, 30, 120], .assumed,
      source: "no source gives a distribution: the system decides",
      "The mean delay of a refresh, which is uniform from zero to twice the mean."),
    RuleDefinition(
      "U7", "backgroundExecution", choice: \.backgroundExecution, ideal: .always, ios: .limited, .stated,
      source: "developer.apple.com, applicationSignificantTimeChange",
      "An app that does not run observes a new zone, clock or permission when it runs again, and only the "
        + "last one."),
    RuleDefinition(
      "U1", "sessionLength", .span(\.sessionLength, in: .minutes(1), 0...10_080), unit: "minutes, 0: no end",
      ideal: 30, ios: 30, android: 30, alternatives: [5, 30], .assumed,
      source: "no source measures it: what analytics usually take for the longest pause within a session",
      "How long after a tap the app leaves the front, if the scenario does not say when."),
    RuleDefinition(
      "L11", "backgroundTime", .span(\.backgroundTime, in: .seconds(1), 1...86_400), unit: "s", ideal: 10,
      ios: 10, alternatives: [10, 30], .stated, source: "boohere 10255407",
      "How long an app that was woken or left executes in the background."),
    RuleDefinition(
      "D1", "usageAppLimit", .count(\.usageAppLimit, 0...1_000), unit: "apps, 0: no limit", ideal: 0, ios: 20,
      alternatives: [20], .stated, source: "developer.apple.com, DeviceActivityCenter.MonitoringError",
      "The number of other apps whose usage can be monitored."),
    RuleDefinition(
      "D1", "screenTimePrompt", choice: \.screenTimePrompt, ideal: .always, ios: .always, .measured,
      source: "Team-HMH/HMH-iOS#79: Screen Time can be asked for again after a denial, notifications cannot",
      "The system asks for Screen Time whenever the app requests it, unless it is approved."),
    RuleDefinition(
      "D1", "screenTimePrompt", choice: \.screenTimePrompt, ideal: .always, android: .never, .stated,
      source: "developer.android.com, PACKAGE_USAGE_STATS: granted by the person in the system's settings",
      "Usage access is granted in the system's settings only; there is no prompt."),
    RuleDefinition(
      "D1", "usageInterval", .span(\.usageInterval, in: .minutes(1), 15...10_080), unit: "minutes", ideal: 15,
      ios: 15, alternatives: [15, 60], .stated,
      source: "developer.apple.com, DeviceActivityCenter.startMonitoring: 15 minutes to a week",
      "Usage is added up, and reported at most once, per interval of the local day."),
    RuleDefinition(
      "D2", "usageThreshold", .span(\.usageThreshold, in: .seconds(1), 0...86_400), unit: "s", ideal: 0,
      ios: 60, alternatives: [60, 300], .stated, source: "developer.apple.com, DeviceActivityEvent.threshold",
      "There is no event for opening an app: this much usage counts as one."),
    RuleDefinition(
      "D2", "usageLag", .span(\.usageLag, in: .seconds(1), 0...3_600), unit: "s, mean", ideal: 0, ios: 30,
      alternatives: [0, 30], .assumed, source: "no source gives a distribution",
      "The mean delay of a usage report, which is uniform from zero to twice the mean."),
    RuleDefinition(
      "D3", "usageFault", choice: \.usageFault, ideal: .none, ios: UsageFault.none,
      alternatives: [.none, .earlyBurst, .neverWakes, .dailyStall], .measured,
      source: "Apple forums, device-activity (FB21267341), thread 733402",
      "Faults that were observed in usage reports."),
    RuleDefinition(
      "H2", "lockedFacts", choice: \.lockedFacts, ideal: .atOnce, ios: .atOnce,
      alternatives: [.atOnce, .atUnlock], .stated,
      source: "developer.apple.com, HKUpdateFrequency; Apple forum 823699",
      "Facts that change on a locked phone are read at the unlock, like HealthKit's; a scenario does not "
        + "state which of its facts come from there."),
  ]
}

import TriggerModel

extension PlatformRules {
  /// Life cycle, unlock, Screen Time, background and health: rules U1 to U7, D1 to D3, H2.
  static let lifeCycle: [RuleDefinition] = [
    RuleDefinition(
      "U1", "unlockSign", .choice(\.unlockSign), ideal: .of(UnlockSign.everyUnlock),
      ios: .of(UnlockSign.didBecomeActive),
      alternatives: [.of(UnlockSign.didBecomeActive), .of(UnlockSign.protectedData)], .stated,
      source: "openradar#21113; OneSignal-iOS#1451; capacitor-plugins#1132",
      "The sign that an app takes for an unlock; didBecomeActive is not one."),
    RuleDefinition(
      "U1", "activationsPerPull", .count(\.activationsPerPull, 0...10), unit: "times", ideal: 0, ios: 2,
      alternatives: [1, 2], .stated, source: "openradar#21113 (iOS 11 to 12.1.4); OneSignal-iOS#1451",
      "How often an app in front becomes active when Notification Centre is pulled and closed."),
    RuleDefinition(
      "U1", "activationsPerSheet", .count(\.activationsPerSheet, 0...10), unit: "times", ideal: 0, ios: 1,
      .stated, source: "capacitor-plugins#1132; Siren#347",
      "How often an app in front becomes active after an alert, Control Centre or a Face ID sheet."),
    RuleDefinition(
      "U2", "unlockRecall", .decimal(\.unlockRecall, 0...100), unit: "% of signs", ideal: 100, ios: 100,
      alternatives: [90, 100], .assumed,
      source:
        "seed 002 claims about 90 % without support; what counts is that other apps' unlocks are unseen",
      "The share of true signs that reach the app."),
    RuleDefinition(
      "U3", "protectedDataFrom", .span(\.protectedDataFrom, in: .seconds(1), 0...3_600), unit: "s", ideal: 0,
      ios: 10, .stated,
      source: "developer.apple.com, applicationProtectedDataDidBecomeAvailable; Apple forum",
      "Protected data stays available after a lock for at least so long."),
    RuleDefinition(
      "U3", "protectedDataTo", .span(\.protectedDataTo, in: .seconds(1), 0...3_600), unit: "s", ideal: 0,
      ios: 40, .stated,
      source: "developer.apple.com, applicationProtectedDataDidBecomeAvailable; Apple forum",
      "Protected data stays available after a lock for at most so long."),
    RuleDefinition(
      "U4", "storeNeedsFirstUnlock", .flag(\.storeNeedsFirstUnlock), ideal: false, ios: true, .stated,
      source: "openradar#12487; LoopFollow#710; Meshtastic#2247",
      "Between a boot and the first unlock the app finds its store empty."),
    RuleDefinition(
      "U5", "forceQuitStopsRefresh", .flag(\.forceQuitStopsRefresh), ideal: false, ios: true, .stated,
      source: "Apple forum 793189; NetNewsWire#5415",
      "An app that its user has swiped away gets no background refresh; what it has scheduled is delivered."),
    RuleDefinition(
      "U5", "forceQuitUntilOpened", .flag(\.forceQuitUntilOpened), ideal: false, ios: true, android: false,
      alternatives: [true, false], .stated,
      source: "developer.apple.com/forums/thread/719222, /826964 (iOS 26); Android: a swipe is no wish",
      "An app that its user has swiped away runs again only when the user opens it; regions (L11) and "
        + "refresh have rules of their own."),
    RuleDefinition(
      "U6", "backgroundWake", .choice(\.backgroundWake), ideal: .of(BackgroundWake.exact),
      ios: .of(BackgroundWake.opportunistic),
      alternatives: [.of(BackgroundWake.opportunistic), .of(BackgroundWake.never)], .stated,
      source: "developer.apple.com, BGTaskScheduler.submit(_:); Apple forum 823699",
      "A time to be woken at is only a lower bound; one refresh is pending at a time."),
    RuleDefinition(
      "U6", "refreshDelay", .span(\.refreshDelay, in: .minutes(1), 0...1_440), unit: "minutes, mean",
      ideal: 0, ios: 30, alternatives: [0, 30, 120], .assumed,
      source: "no source gives a distribution: the system decides",
      "A refresh comes after anything from nothing to twice this."),
    RuleDefinition(
      "U7", "backgroundExecution", .choice(\.backgroundExecution), ideal: .of(BackgroundExecution.always),
      ios: .of(BackgroundExecution.limited), .stated,
      source: "developer.apple.com, applicationSignificantTimeChange",
      "An app that does not run learns of a new zone, clock or permission when it runs again, of the last only."
    ),
    RuleDefinition(
      "U1", "sessionLength", .span(\.sessionLength, in: .minutes(1), 0...10_080), unit: "minutes, 0: no end",
      ideal: 30, ios: 30, android: 30, alternatives: [5, 30], .assumed,
      source: "no source measures it: what analytics usually take for the longest pause within a session",
      "How long after a tap our app goes from the front by itself, where nothing else is said of it."),
    RuleDefinition(
      "L11", "backgroundTime", .span(\.backgroundTime, in: .seconds(1), 1...86_400), unit: "s", ideal: 10,
      ios: 10, alternatives: [10, 30], .stated, source: "boohere 10255407",
      "How long an app that was woken, or left, executes in the background."),
    RuleDefinition(
      "D1", "usageAppLimit", .count(\.usageAppLimit, 0...1_000), unit: "apps, 0: no limit", ideal: 0, ios: 20,
      alternatives: [20], .stated, source: "developer.apple.com, DeviceActivityCenter.MonitoringError",
      "The usage of so many other apps can be watched."),
    RuleDefinition(
      "D1", "screenTimePrompt", .choice(\.screenTimePrompt), ideal: .of(PermissionPrompt.always),
      ios: .of(PermissionPrompt.always), .measured,
      source: "Team-HMH/HMH-iOS#79: Screen Time can be asked for again after a denial, notifications cannot",
      "The system asks for Screen Time whenever the app does, unless it is approved."),
    RuleDefinition(
      "D1", "screenTimePrompt", .choice(\.screenTimePrompt), ideal: .of(PermissionPrompt.always),
      android: .of(PermissionPrompt.never), .stated,
      source: "developer.android.com, PACKAGE_USAGE_STATS: granted by the person in the system's settings",
      "Usage access is given in the system's settings, and no prompt asks for it."),
    RuleDefinition(
      "D1", "usageInterval", .span(\.usageInterval, in: .minutes(1), 15...10_080), unit: "minutes", ideal: 15,
      ios: 15, alternatives: [15, 60], .stated,
      source: "developer.apple.com, DeviceActivityCenter.startMonitoring: 15 minutes to a week",
      "Usage is added up, and reported at most once, in each interval of the local day."),
    RuleDefinition(
      "D2", "usageThreshold", .span(\.usageThreshold, in: .seconds(1), 0...86_400), unit: "s", ideal: 0,
      ios: 60, alternatives: [60, 300], .stated, source: "developer.apple.com, DeviceActivityEvent.threshold",
      "There is no event for an app's opening: this much usage is one."),
    RuleDefinition(
      "D2", "usageLag", .span(\.usageLag, in: .seconds(1), 0...3_600), unit: "s, mean", ideal: 0, ios: 30,
      alternatives: [0, 30], .assumed, source: "no source gives a distribution",
      "A usage report is late by anything from nothing to twice this."),
    RuleDefinition(
      "D3", "usageFault", .choice(\.usageFault), ideal: .of(UsageFault.none), ios: .of(UsageFault.none),
      alternatives: [
        .of(UsageFault.none), .of(UsageFault.earlyBurst), .of(UsageFault.neverWakes),
        .of(UsageFault.dailyStall),
      ], .measured, source: "Apple forums, device-activity (FB21267341), thread 733402",
      "Faults that were seen in usage reports."),
    RuleDefinition(
      "H2", "lockedFacts", .choice(\.lockedFacts), ideal: .of(LockedFacts.atOnce),
      ios: .of(LockedFacts.atOnce),
      alternatives: [.of(LockedFacts.atOnce), .of(LockedFacts.atUnlock)], .stated,
      source: "developer.apple.com, HKUpdateFrequency; Apple forum 823699",
      "Facts that change on a locked phone are read at the unlock, as HealthKit's are; a scenario does not "
        + "say which of its facts come from there."),
  ]
}

import DeviceSimulation
import TriggerModel

extension RuleDemonstration {
  private static let usage = ["usageLag": "0"]

  /// Demonstrations of the rules about the life cycle of an app.
  static let lifeCycle: [RuleDemonstration] = [
    RuleDemonstration(
      "unlockSign", .ios, ["protectedDataFrom": "0", "protectedDataTo": "0", "backgroundTime": "86400"],
      ("didBecomeActive", "opened unlock"), ("protectedData", "unlock opened"),
      ("everyUnlock", "unlock opened")
    ) { rig in
      rig.apply(.openOwnApp, .leaveOwnApp, .lock)
      rig.forget()
      rig.wait(.minutes(1))
      rig.apply(.unlock, .openOwnApp)
      return rig.story
    },
    RuleDemonstration("activationsPerPull", .ios, [:], ("2", "2 false"), ("1", "1 false"), ("0", "0 false")) {
      rig in
      rig.apply(.unlock, .openOwnApp)
      rig.apply(.pullNotificationCentre)
      return "\(rig.falseUnlocks) false"
    },
    RuleDemonstration("activationsPerSheet", .ios, [:], ("1", "1 false"), ("0", "0 false")) { rig in
      rig.apply(.unlock, .openOwnApp)
      rig.apply(.systemSheet)
      return "\(rig.falseUnlocks) false"
    },
    RuleDemonstration(
      "unlockRecall", .ideal, [:], ("100", "1000"), ("0", "0"), ("90", "about 900")
    ) { rig in
      for _ in 0..<1_000 {
        rig.apply(.lock, .unlock)
        rig.wait(.seconds(1))
      }
      let seen = rig.count(.unlock)
      return (870...930).contains(seen) ? "about 900" : "\(seen)"
    },
    RuleDemonstration(
      "protectedDataFrom", .ios,
      ["unlockSign": "protectedData", "protectedDataTo": "40", "backgroundExecution": "always"],
      ("40", "0"), ("0", "some")
    ) { rig in
      for _ in 0..<50 {
        rig.apply(.unlock, .lock)
        rig.wait(.seconds(30))
      }
      // The first unlock follows a night. Each later unlock follows a lock by 30 s.
      return rig.count(.unlock) - 1 == 0 ? "0" : "some"
    },
    RuleDemonstration(
      "protectedDataTo", .ios,
      ["unlockSign": "protectedData", "protectedDataFrom": "10", "backgroundExecution": "always"],
      ("20", "49"), ("90", "some")
    ) { rig in
      for _ in 0..<50 {
        rig.apply(.unlock, .lock)
        rig.wait(.seconds(30))
      }
      return rig.count(.unlock) - 1 == 49 ? "49" : "some"
    },
    RuleDemonstration(
      "storeNeedsFirstUnlock", .ios, ["regionLatency": "0"], ("true", "launched 1 storeAvailable"),
      ("false", "launched 0")
    ) { rig in
      rig.perform(.monitor(RegionID(0)))
      rig.apply(.powerOff, .powerOn, .enterRegion(RegionID(0)))
      rig.wait(.seconds(25))
      rig.apply(.unlock)
      return rig.log.observed.compactMap { event in
        switch event.kind {
        case .launched: "launched \(event.value)"
        case .storeAvailable: "storeAvailable"
        default: nil
        }
      }.joined(separator: " ")
    },
    RuleDemonstration(
      "forceQuitStopsRefresh", .ios, [:], ("true", ""), ("false", "launched woken")
    ) { rig in
      rig.perform(.wake(ReminderID(0), at: PhoneRig.start + .hours(1)))
      rig.apply(.forceQuit)
      rig.wait(.hours(5))
      return rig.story
    },
    RuleDemonstration(
      "backgroundWake", .ios, [:], ("exact", "60"), ("opportunistic", "later"), ("never", "300")
    ) { rig in
      rig.perform(.wake(ReminderID(0), at: PhoneRig.start + .hours(1)))
      rig.wait(.hours(5))
      rig.apply(.openOwnApp)
      let minutes = rig.minutes(.woken)
      return ["60", "300"].contains(minutes) ? minutes : rig.count(.woken) == 1 ? "later" : "never"
    },
    RuleDemonstration("refreshDelay", .ios, [:], ("0", "60"), ("30", "later")) { rig in
      rig.perform(.wake(ReminderID(0), at: PhoneRig.start + .hours(1)))
      rig.wait(.hours(2))
      return rig.minutes(.woken) == "60" ? "60" : rig.count(.woken) == 1 ? "later" : "never"
    },
    RuleDemonstration(
      "backgroundExecution", .ios, [:], ("limited", "zoneChanged opened"),
      ("always", "zoneChanged zoneChanged zoneChanged opened")
    ) { rig in
      rig.apply(
        .unlock, .travel(PhoneRig.tokyo), .travel(PhoneRig.berlin), .travel(PhoneRig.tokyo), .openOwnApp)
      return rig.observed.filter { $0 != .unlock }.map(\.name).joined(separator: " ")
    },
    RuleDemonstration("backgroundTime", .ios, [:], ("10", "no"), ("30", "yes")) { rig in
      rig.apply(.openOwnApp, .leaveOwnApp)
      rig.wait(.seconds(20))
      rig.apply(.plugIn)
      return rig.count(.chargingStarted) == 1 ? "yes" : "no"
    },
    RuleDemonstration("usageAppLimit", .ios, usage, ("20", "0 19"), ("0", "0 19 20")) { rig in
      for app in [0, 19, 20] {
        rig.apply(.openApp(AppID(app)))
        rig.wait(.minutes(2))
      }
      return rig.log.observed.filter { $0.kind == .appOpened }.map { "\($0.subject)" }.joined(separator: " ")
    },
    RuleDemonstration(
      "screenTimePrompt", .ios, [:], ("always", "4 prompts, approved"), ("once", "2 prompts, denied"),
      ("twice", "3 prompts, denied"), ("never", "0 prompts, notDetermined")
    ) { rig in
      rig.apply(.screenTimePermission(.notDetermined))
      for answer: ScreenTimePermission in [.notDetermined, .denied, .denied, .approved] {
        rig.apply(.answerPrompt(.screenTime(answer)))
      }
      let prompts = rig.log.outcomes.count { if case .prompted = $0 { true } else { false } }
      return "\(prompts) prompts, \(rig.phone.permissions.screenTime)"
    },
    RuleDemonstration("sessionLength", .ideal, [:], ("5", "6"), ("30", "31"), ("0", "")) { rig in
      rig.add(0)
      rig.wait(.minutes(1))
      rig.apply(.unlock, .tap(ReminderID(0)))
      rig.wait(.hours(24))
      return rig.minutes(.backgrounded)
    },
    RuleDemonstration("usageInterval", .ios, usage, ("15", "1 16 31"), ("60", "1")) { rig in
      rig.apply(.openApp(AppID(0)))
      rig.wait(.minutes(40))
      return rig.minutes(.appOpened)
    },
    RuleDemonstration("usageThreshold", .ios, usage, ("60", "60"), ("300", "300"), ("0", "0")) { rig in
      rig.apply(.openOwnApp, .openApp(AppID(0)))
      rig.wait(.minutes(10))
      return rig.seconds(.appOpened)
    },
    RuleDemonstration("usageLag", .ios, [:], ("0", "60"), ("30", "later")) { rig in
      rig.apply(.openApp(AppID(0)))
      rig.wait(.minutes(10))
      return rig.seconds(.appOpened) == "60" ? "60" : rig.count(.appOpened) == 1 ? "later" : "never"
    },
    RuleDemonstration(
      "usageFault", .ios, usage, ("none", "0 1"), ("neverWakes", ""), ("dailyStall", "0"),
      ("earlyBurst", (0..<20).map { "\($0)" }.joined(separator: " ") + " 0 1")
    ) { rig in
      rig.apply(.unlock)
      for app in [0, 1] {
        rig.apply(.openApp(AppID(app)))
        rig.wait(.minutes(2))
      }
      return rig.log.observed.filter { $0.kind == .appOpened }.map { "\($0.subject)" }.joined(separator: " ")
    },
    RuleDemonstration("lockedFacts", .ios, [:], ("atOnce", "0"), ("atUnlock", "60")) {
      rig in
      rig.apply(.openOwnApp)
      rig.apply(.fact(FactID(0), .truth(true)))
      rig.wait(.hours(1))
      rig.apply(.unlock)
      return rig.minutes(.factChanged)
    },
  ]
}

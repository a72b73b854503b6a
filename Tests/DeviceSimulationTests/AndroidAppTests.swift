import DeviceSimulation
import SimulationKernel
import Testing
import TriggerModel

/// The life cycle of an app on Android, and the system settings (rules A5 to A11, L15).
@Suite struct AndroidAppTests {
  private static let around: [PhoneEvent] = [
    .plugIn, .unplug, .unlock, .lock, .openApp(AppID(2)), .openApp(AppID(3)), .batteryLevel(400),
  ]

  /// Broadcasts about chargers, unlocks and the use of other apps.
  private static let implicit: Set<ObservedEvent.Kind> = [
    .chargingStarted, .chargingStopped, .unlock, .lock, .appOpened,
  ]

  @Test func `only a running app observes chargers, unlocks and other apps`() throws {
    for round in 0..<40 {
      let luck = RandomKey(seed: UInt64(round), person: 2, purpose: .device)
      var rig = try PhoneRig(.android)
      for step in 0..<40 as Range<UInt64> {
        let all = Self.around + [.openOwnApp, .leaveOwnApp, .terminate, .forceQuit]
        let event = all[Int(luck.below(UInt64(all.count), step))]
        let isAlive = rig.phone.process.isRunning(at: rig.now)
        let isByUser = event == .openOwnApp
        rig.forget()
        rig.apply(event)
        let told = rig.observed.filter { Self.implicit.contains($0) || $0 == .launched }
        if !isAlive, !isByUser { #expect(told.isEmpty, "\(round) \(step) \(event): \(told)") }
        if isAlive, event == .openApp(AppID(2)) { #expect(told.contains(.appOpened), "\(round) \(step)") }
        rig.wait(.minutes(Int64(luck.below(5, 500 + step))))
      }
    }
  }

  @Test func `a stopped app observes nothing until its user opens it`() throws {
    let others: [PhoneEvent] =
      Self.around + [
        .powerOff, .powerOn, .updateApp, .travel(PhoneRig.tokyo), .setClock(ahead: .hours(1)),
        .enterRegion(RegionID(0)), .exitRegion(RegionID(0)), .terminate, .fact(FactID(0), .truth(true)),
        .notificationPermission(.provisional), .exactAlarms(true), .locationServices(false),
      ]
    for round in 0..<40 {
      let luck = RandomKey(seed: UInt64(round), person: 3, purpose: .device)
      var rig = try PhoneRig(.android, regions: [PhoneRig.region(0, radius: 150)])
      rig.perform(.monitor(RegionID(0)), .wake(ReminderID(1), at: PhoneRig.start + .hours(1)))
      rig.add(0, in: .hours(1))
      rig.apply(.openOwnApp, .forceStop)
      rig.forget()
      for step in 0..<20 as Range<UInt64> {
        rig.apply(others[Int(luck.below(UInt64(others.count), step))])
        rig.wait(.minutes(Int64(luck.below(60, 100 + step))))
      }
      #expect(rig.observed.isEmpty, "round \(round): \(rig.observed)")
      #expect(rig.delivered.isEmpty)
      if !rig.phone.isOn { rig.apply(.powerOn) }
      rig.apply(.openOwnApp)
      #expect(rig.observed.first == .launched)
      #expect(rig.count(.opened) == 1)
      // Requests that fell due while the app was stopped are lost. The app makes all other requests again.
      let isLost = rig.count(.pendingDropped) == 1
      #expect(isLost || rig.phone.centre.pending.count == 1)
      rig.wait(.days(1))
      #expect(rig.delivered == (isLost ? [] : [0]))
    }
  }

  @Test func `events missed by a stopped app have the cause forceStopped`() throws {
    var rig = try PhoneRig(
      .android, ["backgroundWake": "exact"], regions: [PhoneRig.region(0, radius: 150)])
    rig.apply(.openOwnApp, .forceStop)
    // The app's last requests fall due after its process has ended.
    rig.perform(.monitor(RegionID(0)), .wake(ReminderID(1), at: PhoneRig.start + .hours(1)))
    rig.apply(.enterRegion(RegionID(0)))
    rig.wait(.hours(2))
    #expect(rig.suppressed == [.forceStopped])
    #expect(rig.missed(.woken) == [.forceStopped])
  }

  @Test func `the system starts an updated app, which repeats its requests`() throws {
    var rig = try PhoneRig(.android)
    rig.add(0, in: .hours(5))
    rig.apply(.updateApp)
    #expect(rig.observed == [.launched])
    rig.wait(.hours(6))
    #expect(rig.delivered == [0])
    var iphone = try PhoneRig(.ios)
    iphone.add(0, in: .hours(5))
    iphone.apply(.updateApp)
    iphone.wait(.hours(6))
    #expect(iphone.observed.isEmpty)
    #expect(iphone.delivered == [0])
  }

  @Test func `the app is started at boot, at the first unlock or not at all`() throws {
    for (rule, boot, unlock) in [("atBoot", 1, 1), ("atFirstUnlock", 0, 1), ("never", 0, 0)] {
      var rig = try PhoneRig(.android, ["bootStart": rule])
      rig.add(0, in: .hours(5))
      rig.apply(.powerOff, .powerOn)
      #expect(rig.count(.launched) == boot, "\(rule)")
      rig.apply(.unlock)
      #expect(rig.count(.launched) == unlock, "\(rule)")
      rig.wait(.hours(9))
      #expect(rig.delivered == (unlock == 1 ? [0] : []), "\(rule)")
    }
  }

  // MARK: - Places

  @Test func `the system monitors a hundred regions`() throws {
    var rig = try PhoneRig(.android)
    for region in 0..<101 { rig.perform(.monitor(RegionID(region))) }
    #expect(rig.log.observed.filter { $0.kind == .regionFailed }.map(\.subject) == [100])
  }

  @Test func `registering a region from inside reports an initial enter, not a state`() throws {
    var rig = try PhoneRig(.android, ["regionLatency": "0"])
    rig.apply(.enterRegion(RegionID(0)))
    rig.perform(.monitor(RegionID(0)))
    rig.wait(.minutes(1))
    let enters = rig.log.observed.filter { $0.kind == .regionEntered }
    #expect(enters.map(\.value) == [ObservedEvent.initialEnter])
  }

  @Test func `switching location services off removes regions until they are registered again`() throws {
    for (profile, isKept) in [(PlatformProfile.android, false), (.ios, true)] {
      var rig = try PhoneRig(profile, ["regionLatency": "0"])
      rig.perform(.monitor(RegionID(0)))
      rig.apply(.locationServices(false))
      rig.apply(.enterRegion(RegionID(0)))
      rig.wait(.minutes(5))
      rig.apply(.exitRegion(RegionID(0)))
      rig.wait(.minutes(5))
      #expect(rig.count(.regionEntered) == 0, "\(profile.name)")
      rig.apply(.locationServices(true), .enterRegion(RegionID(0)))
      rig.wait(.minutes(5))
      #expect(rig.count(.regionEntered) == (isKept ? 1 : 0), "\(profile.name)")
      // Registering a region from inside reports an enter immediately.
      rig.apply(.openOwnApp)
      rig.wait(.minutes(5))
      #expect(rig.count(.regionEntered) == 1, "\(profile.name)")
      rig.apply(.exitRegion(RegionID(0)))
      rig.wait(.minutes(5))
      #expect(rig.count(.regionExited) == 1, "\(profile.name)")
    }
  }

  // MARK: - Permissions

  @Test func `each channel is switched off separately`() throws {
    var rig = try PhoneRig(.android)
    func show(_ type: Int) -> String {
      var request = rig.request(type, in: .zero)
      request.type = TypeID(type)
      rig.perform(.add(request))
      rig.wait(.zero)
      return rig.presentationOfLast
    }
    rig.apply(.channel(TypeID(1), .off), .channel(TypeID(2), .silent))
    #expect([show(0), show(1), show(2)] == ["banner", "none channelOff", "list channelSilent"])
    rig.apply(.channel(TypeID(1), .alerting))
    #expect(show(1) == "banner")
    rig.apply(.channel(TypeID(1), .off), .reinstall, .notificationPermission(.authorized))
    #expect(show(1) == "banner")
  }

  @Test func `do not disturb silences notifications and can hide them`() throws {
    for (overrides, bucket, expected) in [
      ([:], Bucket.standard, "list focus"), ([:], .critical, "list focus"),
      (["focusHidesList": "true"], .standard, "none focus"),
      (["criticalLevel": "timeSensitive"], .critical, "banner"),
    ] as [([String: String], Bucket, String)] {
      var rig = try PhoneRig(.android, overrides)
      rig.apply(.focus(true))
      rig.perform(.add(rig.request(0, in: .zero, bucket: bucket)))
      rig.wait(.zero)
      #expect(rig.presentationOfLast == expected, "\(overrides) \(bucket)")
    }
  }

  @Test func `a reinstalled app must request its permissions again`() throws {
    for (profile, overrides, resets) in [
      (PlatformProfile.android, [:], true), (.ios, [:], true), (.ideal, [:], false),
      (.ios, ["reinstallResetsPermission": "false"], false),
      (.ideal, ["reinstallResetsPermission": "true"], true),
    ] as [(PlatformProfile, [String: String], Bool)] {
      var rig = try PhoneRig(profile, overrides)
      rig.apply(.notificationPermission(.denied), .notificationPermission(.authorized), .reinstall)
      #expect(rig.phone.centre.permission == (resets ? .notDetermined : .authorized), "\(profile.name)")
      #expect(rig.phone.permissions.location == (resets ? .notDetermined : .always), "\(profile.name)")
      rig.apply(.answerPrompt(.notifications(.provisional)))
      #expect(rig.phone.centre.permission == (resets ? .provisional : .authorized), "\(profile.name)")
    }
  }

  @Test func `a denial is final for apps that target older system versions`() throws {
    for (version, prompts) in [("34", 2), ("33", 2), ("32", 1)] {
      var rig = try PhoneRig(.android, ["targetVersion": version]) {
        $0.notificationPermission = .notDetermined
      }
      for answer: NotificationPermission in [.denied, .authorized, .authorized] {
        rig.apply(.answerPrompt(.notifications(answer)))
      }
      #expect(
        rig.log.outcomes.count { if case .prompted = $0 { true } else { false } } == prompts, "\(version)")
      #expect(rig.phone.centre.permission == (prompts == 2 ? .authorized : .denied), "\(version)")
    }
  }

  // MARK: - iOS

  @Test func `only the user can start a force-quit app on an iPhone`() throws {
    let others: [PhoneEvent] =
      Self.around + [
        .openApp(AppID(0)), .travel(PhoneRig.tokyo), .enterRegion(RegionID(0)), .exitRegion(RegionID(0)),
        .fact(FactID(0), .truth(true)), .notificationPermission(.provisional),
      ]
    for round in 0..<40 {
      let luck = RandomKey(seed: UInt64(round), person: 4, purpose: .device)
      var rig = try PhoneRig(.ios, ["pendingDropSeen": "atOnce", "deliveredSeen": "atOnce"])
      rig.perform(.monitor(RegionID(0)), .wake(ReminderID(1), at: PhoneRig.start + .hours(1)))
      rig.add(0, in: .hours(1))
      rig.apply(.forceQuit)
      rig.forget()
      for step in 0..<20 as Range<UInt64> {
        rig.apply(others[Int(luck.below(UInt64(others.count), step))])
        rig.wait(.minutes(Int64(luck.below(60, 100 + step))))
      }
      rig.wait(.hours(1))
      #expect(rig.observed.isEmpty, "round \(round): \(rig.observed)")
      // The pending requests of an ended app are still delivered (U5).
      #expect(rig.delivered == [0])
      rig.apply(.openOwnApp)
      #expect(rig.observed.first == .launched)
      #expect(rig.count(.delivered) == 1)
    }
  }

  @Test func `a phone without charger events never enters low power mode`() throws {
    for isTold in [false, true] {
      var rig = try PhoneRig(.ios, ["lowPowerOnAt": "20"]) { $0.isBatterySpecified = isTold }
      rig.wait(.days(2))
      #expect(rig.phone.isInLowPowerMode == isTold)
    }
  }
}

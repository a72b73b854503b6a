import DeviceSimulation
import Testing
import TriggerModel

/// Tests which events an app on an iPhone observes and which it misses.
@Suite struct AppProcessTests {
  /// Some apps interpret `didBecomeActive` as an unlock. This test counts their true and false signs.
  @Test func `didBecomeActive is not an unlock`() throws {
    var rig = try PhoneRig(.ios)
    for _ in 0..<10 {
      // The phone is unlocked, and another app is opened.
      rig.apply(.unlock, .openApp(AppID(0)), .lock)
    }
    #expect(rig.count(.unlock) == 0)
    #expect(rig.missed(.unlock) == Array(repeating: .noSign, count: 10))
    rig.apply(.unlock, .openOwnApp, .pullNotificationCentre, .pullNotificationCentre)
    #expect(rig.count(.unlock) == 5)
    #expect(rig.falseUnlocks == 4)
    // An app that is in the foreground when the phone is locked becomes active again at the unlock. This sign
    // is true.
    rig.apply(.lock, .unlock)
    #expect(rig.count(.unlock) == 6)
    #expect(rig.falseUnlocks == 4)
    #expect(rig.truth.count { $0 == .unlock } == 12)
  }

  @Test func `protected data becoming available reveals an unlock only while the process runs`() throws {
    var rig = try PhoneRig(.ios, ["unlockSign": "protectedData", "backgroundTime": "120"])
    rig.apply(.unlock, .openOwnApp, .leaveOwnApp, .lock)
    rig.wait(.seconds(60))
    rig.apply(.unlock)
    #expect(rig.count(.unlock) == 1)
    rig.apply(.lock)
    rig.wait(.minutes(10))
    rig.apply(.unlock)
    #expect(rig.count(.unlock) == 1)
    #expect(rig.missed(.unlock).last == .notRunning)
  }

  @Test func `a suspended app observes only the last state`() throws {
    var rig = try PhoneRig(.ios)
    rig.wait(.minutes(1))
    rig.apply(.plugIn, .travel(PhoneRig.tokyo), .travel(PhoneRig.berlin), .setClock(ahead: .minutes(3)))
    rig.apply(.fact(FactID(1), .truth(true)), .fact(FactID(2), .truth(true)), .fact(FactID(1), .truth(false)))
    rig.apply(.notificationPermission(.provisional))
    #expect(rig.observed.isEmpty)
    rig.apply(.openOwnApp)
    #expect(
      rig.observed == [
        .permissionChanged, .clockChanged, .chargingStarted, .factChanged, .factChanged, .opened, .unlock,
      ])
    let facts = rig.log.observed.filter { $0.kind == .factChanged }
    #expect(facts.map(\.subject) == [2, 1])
    #expect(facts.map(\.value) == [1, 0])
    #expect(rig.missed(.chargingStarted) == [.notRunning])
  }

  @Test func `the app observes the initial state at its start`() throws {
    for profile in PlatformProfile.all {
      let rig = try PhoneRig(profile) { $0.isPluggedIn = true }
      #expect(rig.log.truth.map(\.kind) == [.chargingStarted], "\(profile.name)")
      #expect(rig.log.truth == rig.log.observed, "\(profile.name)")
      #expect(rig.log.truth.first?.value == ObservedEvent.reportedState, "\(profile.name)")
      var phone = rig.phone
      var out = PhoneOutput()
      phone.find([(FactID(3), .truth(true))], at: rig.now, into: &out)
      phone.begin(at: rig.now, into: &out)
      #expect(out.observed.map(\.kind) == [.factFound, .chargingStarted], "\(profile.name)")
      #expect(out.truth == out.observed, "\(profile.name)")
    }
  }

  @Test func `the app observes every action of the person in it`() throws {
    for end in [PhoneEvent.leaveOwnApp, .terminate, .forceQuit] {
      var rig = try PhoneRig(.ios)
      rig.apply(end)
      rig.wait(.hours(1))
      rig.apply(.snooze(ReminderID(4), for: .days(3)), .cancel(ReminderID(5)))
      let told = rig.log.observed.filter { $0.kind != .launched && $0.kind != .batteryLevel }
      #expect(told.map(\.kind) == [.snooze, .cancel], "\(end)")
      #expect(told[0].value == (PhoneRig.start + .hours(1) + .days(3)).millisecondsSince1970, "\(end)")
      #expect(rig.count(.launched) == (end == .leaveOwnApp ? 0 : 1), "\(end)")
    }
  }

  /// B30 to B32: the app must receive a tap that starts it after the launch.
  @Test func `a tap starts the app and is reported after the launch`() throws {
    for end in [PhoneEvent.terminate, .forceQuit] {
      var rig = try PhoneRig(.ios)
      rig.add(3)
      rig.apply(end)
      rig.wait(.hours(1))
      #expect(rig.delivered == [3], "\(end)")
      rig.apply(.tap(ReminderID(3)))
      #expect(rig.observed == [.launched, .delivered, .opened, .unlock, .tapped], "\(end)")
      #expect(rig.phone.process.state == .foreground, "\(end)")
    }
  }

  /// B39: an app that starts before the first unlock finds an empty store.
  @Test func `the store is empty before the first unlock`() throws {
    var rig = try PhoneRig(.ios, ["regionLatency": "0"])
    rig.perform(.monitor(RegionID(0)))
    rig.apply(.powerOff, .powerOn, .enterRegion(RegionID(0)))
    rig.wait(.minutes(1))
    let launch = try #require(rig.log.observed.first)
    #expect(launch.kind == .launched && launch.value == 1)
    rig.apply(.unlock)
    // The app ran for only ten seconds, so it observes the available store when it next runs.
    #expect(rig.count(.storeAvailable) == 0)
    rig.apply(.openOwnApp)
    #expect(rig.observed == [.launched, .regionEntered, .storeAvailable, .opened, .unlock])
  }

  @Test func `a launch after the first unlock finds the store`() throws {
    var rig = try PhoneRig(.ios)
    rig.apply(.powerOff, .powerOn, .unlock, .openOwnApp)
    #expect(rig.log.observed.first { $0.kind == .launched }?.value == 0)
    #expect(rig.count(.storeAvailable) == 0)
  }

  @Test func `one refresh serves all overdue wake requests`() throws {
    var rig = try PhoneRig(.ios)
    rig.apply(.terminate)
    for reminder in 0..<5 { rig.perform(.wake(ReminderID(reminder), at: PhoneRig.start + .hours(1))) }
    rig.perform(.wakeForRelease(at: PhoneRig.start + .hours(1)))
    rig.wait(.hours(3))
    #expect(rig.count(.launched) == 1)
    #expect(rig.log.observed.filter { $0.kind == .woken }.map(\.subject) == [0, 1, 2, 3, 4, UInt32.max])
    #expect(Set(rig.times(.woken)).count == 1)
  }

  @Test func `without background refresh, a wake request is served when the app is opened`() throws {
    var rig = try PhoneRig(.ios)
    rig.apply(.backgroundRefresh(false))
    rig.perform(.wake(ReminderID(0), at: PhoneRig.start + .hours(1)))
    rig.wait(.hours(9))
    #expect(rig.count(.woken) == 0)
    rig.apply(.openOwnApp)
    #expect(rig.times(.woken) == [.hours(9)])
  }

  @Test func `a draw depends only on its own event`() throws {
    func enters(disturbed: Bool) throws -> [TimeSpan] {
      var rig = try PhoneRig(.ios)
      rig.perform(.monitor(RegionID(0)), .monitor(RegionID(1)))
      for _ in 0..<5 {
        rig.apply(.enterRegion(RegionID(0)))
        if disturbed { rig.apply(.enterRegion(RegionID(1)), .unlock, .openApp(AppID(0))) }
        rig.wait(.hours(1))
        rig.apply(.exitRegion(RegionID(0)), .lock)
        if disturbed { rig.apply(.exitRegion(RegionID(1))) }
        rig.wait(.hours(1))
      }
      return rig.log.observed.filter { $0.kind == .regionEntered && $0.subject == 0 }
        .map { $0.moment.wall - PhoneRig.start }
    }
    let plain = try enters(disturbed: false)
    #expect(plain.count == 5)
    #expect(try plain == enters(disturbed: true))
  }
}

import DeviceSimulation
import Testing
import TriggerModel

/// The profile `ideal`: the app observes every true event immediately, except while the phone is off.
@Suite struct IdealPhoneTests {
  /// Events of all kinds, in an order in which each one has an effect.
  static let everything: [PhoneEvent] = [
    .unlock, .plugIn, .openApp(AppID(3)), .openOwnApp, .fact(FactID(1), .number(thousandths: 1_500)),
    .snooze(ReminderID(2), for: .days(3)), .snoozeUntil(ReminderID(2), PhoneRig.start),
    .cancel(ReminderID(1)),
    .edit(ReminderID(0), 4), .cancelAll, .leaveOwnApp, .enterRegion(RegionID(7)), .exitRegion(RegionID(7)),
    .travel(PhoneRig.tokyo), .setClock(ahead: .minutes(5)), .notificationPermission(.denied), .unplug,
    .answerPrompt(.notifications(.provisional)), .lock, .unlock, .batteryLevel(415), .openOwnApp, .lock,
    .unlock, .reinstall,
  ]

  @Test func `the app observes every true event`() throws {
    var rig = try PhoneRig()
    for event in Self.everything {
      rig.apply(event)
      rig.wait(.seconds(7))
    }
    let untold: Set<ObservedEvent.Kind> = [.launched]
    #expect(rig.log.truth == rig.log.observed.filter { !untold.contains($0.kind) })
    #expect(rig.truth.count > Self.everything.count)
  }

  @Test func `the app observes nothing while the phone is off, and the difference at the boot`() throws {
    var rig = try PhoneRig()
    rig.apply(.plugIn, .powerOff)
    rig.forget()
    rig.apply(.unplug, .enterRegion(RegionID(3)), .travel(PhoneRig.tokyo), .unlock, .openOwnApp)
    #expect(rig.truth == [.chargingStopped, .regionEntered, .zoneChanged])
    #expect(rig.observed.isEmpty)
    #expect(rig.log.outcomes.filter { $0 == .ignored(.poweredOff) }.count == 2)

    rig.wait(.hours(1))
    rig.apply(.powerOn)
    #expect(rig.observed == [.launched, .zoneChanged, .chargingStopped, .regionEntered])
    #expect(rig.log.observed.allSatisfy { $0.moment.uptime == Uptime(boot: 1, span: .zero) })
  }

  @Test func `changes reversed while the phone is off are never observed`() throws {
    var rig = try PhoneRig()
    rig.apply(.powerOff, .plugIn, .enterRegion(RegionID(3)), .exitRegion(RegionID(3)), .unplug, .powerOn)
    #expect(rig.observed == [.launched])
  }

  @Test func `the three clocks are independent`() throws {
    var rig = try PhoneRig()
    rig.wait(.minutes(10))
    rig.apply(.setClock(ahead: .hours(-2)), .travel(PhoneRig.tokyo))
    rig.wait(.minutes(5))
    let moment = rig.phone.moment(at: rig.now)
    #expect(moment.wall == PhoneRig.start + .minutes(15) + .hours(-2))
    #expect(moment.uptime == Uptime(boot: 0, span: .minutes(15)))
    #expect(moment.zone == PhoneRig.tokyo)
    rig.apply(.powerOff, .powerOn)
    rig.wait(.minutes(1))
    #expect(rig.phone.moment(at: rig.now).uptime == Uptime(boot: 1, span: .minutes(1)))
    #expect(rig.phone.moment(at: rig.now).wall == moment.wall + .minutes(1))
  }

  @Test func `charging starts once, and unlocking an unlocked phone counts as an unlock`() throws {
    var rig = try PhoneRig()
    rig.apply(.plugIn, .plugIn, .unlock, .unlock, .unplug)
    #expect(rig.truth == [.chargingStarted, .unlock, .unlock, .chargingStopped])
    #expect(rig.log.outcomes.contains(.ignored(.alreadySo)))
  }

  @Test func `locking sends the app to the background, and unlocking returns it`() throws {
    var rig = try PhoneRig()
    rig.apply(.unlock, .openOwnApp, .lock)
    #expect(rig.phone.process.state == .background)
    rig.apply(.unlock)
    #expect(rig.observed == [.unlock, .opened, .lock, .backgrounded, .unlock, .opened])
    rig.forget()
    rig.apply(.openApp(AppID(0)), .lock, .unlock)
    #expect(rig.observed == [.backgrounded, .appOpened, .lock, .unlock])
  }

  @Test func `any event starts a terminated process`() throws {
    for end in [PhoneEvent.terminate, .forceQuit] {
      var rig = try PhoneRig { $0.isLocked = false }
      rig.apply(end)
      #expect(rig.observed.isEmpty)
      rig.apply(.lock, .plugIn)
      #expect(rig.observed == [.launched, .lock, .chargingStarted], "\(end)")
      #expect(rig.log.observed.first?.value == 0)
    }
  }

  @Test func `a wake-up follows the wall clock`() throws {
    var rig = try PhoneRig()
    rig.perform(.wake(ReminderID(5), at: PhoneRig.start + .hours(3)))
    rig.perform(.wakeForRelease(at: PhoneRig.start + .hours(2)))
    rig.wait(.hours(1))
    // The wall clock jumps to 09:30, which is after the release but before the wake-up.
    rig.apply(.setClock(ahead: .minutes(90)))
    rig.wait(.hours(1))
    let woken = rig.log.observed.filter { $0.kind == .woken }
    #expect(woken.map(\.subject) == [ReminderID.heldRequests.rawValue, 5])
    #expect(woken.map(\.moment.wall) == [PhoneRig.start + .minutes(150), PhoneRig.start + .hours(3)])
  }

  @Test func `a later wake request replaces an earlier one, and distantFuture cancels it`() throws {
    var rig = try PhoneRig()
    rig.perform(.wake(ReminderID(0), at: PhoneRig.start + .hours(1)))
    rig.perform(.wake(ReminderID(0), at: PhoneRig.start + .hours(2)))
    rig.perform(.wake(ReminderID(1), at: PhoneRig.start + .hours(1)))
    rig.perform(.wake(ReminderID(1), at: .distantFuture))
    rig.wait(.days(1))
    #expect(rig.times(.woken) == [.hours(2)])
  }

  @Test func `a wake-up that fell due while the phone was off is served at the boot`() throws {
    var rig = try PhoneRig()
    rig.perform(.wake(ReminderID(0), at: PhoneRig.start + .hours(1)))
    rig.apply(.powerOff)
    rig.wait(.hours(5))
    #expect(rig.count(.woken) == 0)
    rig.apply(.powerOn)
    rig.wait(.hours(1))
    #expect(rig.times(.launched).last == .hours(5))
    #expect(rig.times(.woken) == [.hours(5)])
  }

  @Test func `a copy continues exactly as the original does`() throws {
    var rig = try PhoneRig()
    rig.add(1, in: .minutes(20))
    rig.apply(.plugIn, .openOwnApp, .lock)
    var copy = rig
    for event in Self.everything {
      rig.apply(event)
      rig.wait(.minutes(3))
    }
    for event in Self.everything {
      copy.apply(event)
      copy.wait(.minutes(3))
    }
    #expect(rig.log == copy.log)
    #expect(rig.delivered == [] || rig.delivered == [1])
  }
}

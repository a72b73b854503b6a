import DeviceSimulation
import RandomScenarios
import TestSupport
import Testing
import TriggerModel

/// The session in an app that a tap starts.
@Suite struct SessionTests {
  /// Returns an unlocked phone on which a notification was just delivered.
  private static func rig(
    _ profile: PlatformProfile = .ideal, _ knobs: [String: String] = [:], seed: UInt64 = 1
  )
    throws -> PhoneRig
  {
    var rig = try PhoneRig(profile, knobs, seed: seed)
    rig.apply(.unlock)
    rig.add(0)
    rig.wait(.minutes(2))
    rig.forget()
    return rig
  }

  @Test func `the app leaves the foreground when its session ends`() throws {
    var rig = try Self.rig()
    rig.apply(.tap(ReminderID(0)))
    rig.wait(.minutes(29))
    #expect(rig.phone.isAppInFront)
    rig.wait(.minutes(2))
    #expect(!rig.phone.isAppInFront)
    #expect(rig.observed == [.opened, .tapped, .backgrounded])
    #expect(rig.times(.backgrounded) == [.minutes(32)])
  }

  @Test func `a locked app returns at the unlock until its session ends`() throws {
    var rig = try Self.rig()
    rig.apply(.tap(ReminderID(0)))
    rig.wait(.minutes(10))
    rig.apply(.lock)
    rig.wait(.minutes(10))
    rig.apply(.unlock)
    #expect(rig.phone.isAppInFront)
    rig.apply(.lock)
    rig.wait(.minutes(15))
    rig.apply(.unlock)
    #expect(!rig.phone.isAppInFront)
    #expect(rig.count(.opened) == 2)
  }

  @Test func `an explicit end replaces the timed end of a session`() throws {
    // A later event ends the session.
    var rig = try Self.rig()
    var out = PhoneOutput()
    rig.phone.apply(.tap(ReminderID(0)), at: rig.now, hasDeclaredEnd: true, into: &out)
    #expect(!out.timers.contains { $0.timer == .session })
    rig.wait(.hours(100))
    #expect(rig.phone.isAppInFront)
    // The person opened the app, so it stays in the foreground until the next event.
    rig = try Self.rig()
    rig.apply(.tap(ReminderID(0)))
    rig.wait(.minutes(10))
    rig.apply(.openOwnApp)
    rig.wait(.hours(100))
    #expect(rig.phone.isAppInFront)
  }

  /// Whatever the events, the app is in the foreground only during a session that a tap started.
  @Test(arguments: ["ideal", "ios"])
  func `the app is in the foreground only during a session`(_ profile: String) throws {
    for seed in 0..<60 {
      var random = SplitMix64(seed: UInt64(seed))
      let minutes = random.int(1...60)
      var rig = try Self.rig(
        PlatformProfile.named(profile), ["sessionLength": "\(minutes)"], seed: UInt64(seed))
      var tapped: Instant?
      for number in 1..<80 {
        rig.wait(TimeSpan(milliseconds: Int64(random.int(1_000...2_400_000))))
        let event = random.one(
          of: [.unlock, .lock, .unlock, .lock, .tap(ReminderID(number)), .leaveOwnApp] as [PhoneEvent])
        if case .tap(let reminder) = event {
          rig.add(reminder.index, in: .seconds(1))
          rig.wait(.seconds(2))
          let isThere = rig.delivered.contains(number)
          rig.apply(event)
          if isThere, rig.phone.isAppInFront { tapped = rig.now }
        } else {
          rig.apply(event)
        }
        let mayBeInFront = tapped.map { rig.now < $0 + .minutes(Int64(minutes)) } ?? false
        if !mayBeInFront { #expect(!rig.phone.isAppInFront, "seed \(seed)") }
      }
      #expect(tapped != nil, "seed \(seed)")
    }
  }
}

import DeviceSimulation
import RandomScenarios
import Testing
import TriggerModel

/// An app that was opened does not stay in front for weeks.
@Suite struct SessionTests {
  @Test func anAppGoesFromTheFrontWhenItsSessionIsOver() throws {
    var rig = try PhoneRig()
    rig.apply(.unlock, .openOwnApp)
    rig.wait(.minutes(29))
    #expect(rig.phone.isAppInFront)
    rig.wait(.minutes(2))
    #expect(!rig.phone.isAppInFront)
    #expect(rig.observed == [.unlock, .opened, .backgrounded])
    #expect(rig.times(.backgrounded) == [.minutes(30)])
  }

  @Test func aLockWithinTheSessionIsAPause() throws {
    var rig = try PhoneRig()
    rig.apply(.unlock, .openOwnApp)
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

  @Test func whoSaysWhenItGoesIsBelieved() throws {
    var rig = try PhoneRig()
    rig.apply(.unlock)
    var out = PhoneOutput()
    rig.phone.apply(.openOwnApp, at: rig.now, isEndSaid: true, into: &out)
    #expect(!out.timers.contains { $0.timer == .session })
    rig.wait(.hours(100))
    #expect(rig.phone.isAppInFront)
  }

  /// Whatever happens, the app is in front only within a session of an opening by the person.
  @Test(arguments: ["ideal", "ios", "android"])
  func noOpeningReachesBeyondItsSession(_ profile: String) throws {
    for seed in 0..<60 {
      var random = SplitMix64(seed: UInt64(seed))
      let minutes = random.int(1...60)
      var rig = try PhoneRig(
        PlatformProfile.named(profile), ["sessionLength": "\(minutes)"], seed: UInt64(seed))
      var opened: Instant?
      for _ in 0..<80 {
        rig.wait(TimeSpan(milliseconds: Int64(random.int(1_000...2_400_000))))
        let event = random.one(
          of: [.unlock, .lock, .unlock, .lock, .openOwnApp, .leaveOwnApp] as [PhoneEvent])
        if event == .openOwnApp { opened = rig.now }
        rig.apply(event)
        let mayBeInFront = opened.map { rig.now < $0 + .minutes(Int64(minutes)) } ?? false
        if !mayBeInFront { #expect(!rig.phone.isAppInFront, "seed \(seed)") }
        if event == .openOwnApp { #expect(rig.phone.isAppInFront) }
      }
    }
  }
}

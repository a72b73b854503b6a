import DeviceSimulation
import Testing
import TriggerModel

/// Every rule has a story that comes out differently under its values: one of these, or one that `rules` prints
/// and `RuleStoryTests` runs.
@Suite struct RuleTests {
  static let demonstrations =
    RuleDemonstration.notifications + RuleDemonstration.place + RuleDemonstration.battery
    + RuleDemonstration.lifeCycle

  @Test func everyRuleIsDemonstrated() {
    let shown = Set(Self.demonstrations.map(\.key) + PlatformRules.stories.map(\.key))
    let missing = PlatformRules.all.map(\.key).filter { !shown.contains($0) }
    #expect(missing.isEmpty)
  }

  @Test func eachRuleHasItsEffect() throws {
    for demonstration in Self.demonstrations {
      for (value, outcome) in demonstration.cases {
        let played = try demonstration.outcome(under: value)
        #expect(played == outcome, "\(demonstration.key): \(value)")
      }
      #expect(Set(demonstration.cases.map(\.outcome)).count > 1, "\(demonstration.key) changes nothing")
    }
  }

  @Test func fullIsPluggedAndAHundredPerCent() throws {
    var rig = try PhoneRig { $0.batteryLevel = 97 }
    rig.apply(.plugIn)
    rig.wait(.minutes(58))
    #expect(rig.phone.batteryState == .charging)
    rig.wait(.minutes(2))
    #expect(rig.phone.batteryState == .full)
    // Charging to full is no second start.
    #expect(rig.observed == [.chargingStarted])
    rig.apply(.unplug)
    #expect(rig.phone.batteryState == .unplugged)
  }
}

import DeviceSimulation
import Testing
import TriggerModel

@Suite struct ProfileTests {
  @Test func `the default settings are those of the ideal profile`() {
    #expect(PlatformProfile.ideal.settings == ProfileSettings())
  }

  @Test func `every rule has a source, a summary and a platform`() {
    for rule in PlatformRules.all {
      #expect(!rule.source.isEmpty && !rule.summary.isEmpty, "\(rule.id) \(rule.key)")
      #expect(rule.ios != nil || rule.android != nil, "\(rule.id) \(rule.key) is in no platform's profile")
      #expect(rule.summary.hasSuffix("."), "\(rule.id) \(rule.key)")
      var settings = ProfileSettings()
      for value in rule.alternatives + [rule.ideal] + [rule.ios, rule.android].compactMap({ $0 }) {
        #expect(rule.knob.set(value, in: &settings), "\(rule.id) \(rule.key) cannot be \(value)")
      }
    }
  }

  @Test func `the values of a sweep are distinct, and a flag has both values`() {
    for rule in PlatformRules.all where !rule.alternatives.isEmpty {
      let values = Set(rule.alternatives)
      #expect(values.count == rule.alternatives.count, "\(rule.id) \(rule.key)")
      if case .flag = rule.ideal {
        let all = values.union([rule.ideal, rule.ios, rule.android].compactMap(\.self))
        #expect(all == [.flag(false), .flag(true)], "\(rule.id) \(rule.key)")
      }
    }
  }

  @Test func `a rejected value changes nothing, and an accepted value changes the settings`() throws {
    for rule in PlatformRules.all {
      var settings = ProfileSettings()
      for value in [RuleValue.number(0.5), .number(-1e9), .number(.nan), .choice("no such choice")] {
        let before = settings
        #expect(rule.knob.set(value, in: &settings) || settings == before, "\(rule.key): \(value)")
        if case .number = rule.ideal { continue }
        #expect(!rule.knob.set(value, in: &settings), "\(rule.key): \(value)")
      }
    }
    let limit = try #require(PlatformRules.all.first { $0.key == "pendingCapacity" })
    var settings = ProfileSettings()
    #expect(limit.knob.set(.number(3), in: &settings) && !limit.knob.set(.number(3.5), in: &settings))
    #expect(limit.knob.value(of: "2.5") == nil && limit.knob.value(of: "2") == .number(2))
  }

  @Test func `a sweep tries every value, starting with the profile's own`() throws {
    let variants = try PlatformProfile.ios.sweep("pendingEviction")
    #expect(variants.map(\.settings.centre.pendingEviction) == [.lastAdded, .soonest, .rejectNew])
    #expect(variants.first == .ios)
    #expect(try PlatformProfile.ios.sweep("N2") == variants)
    #expect(try PlatformProfile.android.sweep("pendingAfterReboot").first == .android)
    for profile in [PlatformProfile.ios, .android] {
      for rule in profile.rules where rule.confidence == .disputed {
        #expect(try profile.sweep(rule.key).count >= 2, "\(profile.name) \(rule.key)")
      }
    }
    #expect(throws: RuleError.cannotSweep("permissionPrompt", keys: [])) {
      try PlatformProfile.ios.sweep("permissionPrompt")
    }
    #expect(throws: RuleError.cannotSweep("N3", keys: ["replacementKeepsPlace", "requestIdentifier"])) {
      try PlatformProfile.ios.sweep("N3")
    }
    #expect(throws: RuleError.unknownRule("pendingEvicton", profile: "ios", nearest: ["pendingEviction"])) {
      try PlatformProfile.ios.sweep("pendingEvicton")
    }
  }

  /// The facts of sections 1 to 4, and A3 to A11 from section 8, which is about Android.
  @Test func `every platform fact is a rule or is omitted with a reason`() {
    var lines: [String] = []
    for (letter, count) in [
      ("N", 20), ("A", 11), ("L", 15), ("P", 8), ("U", 7), ("D", 4), ("H", 2), ("S", 1),
    ] {
      lines += (1...count).map { letter + String($0) }
    }
    let notes = PlatformRules.leftOut + PlatformRules.builtIn
    let known = Set(PlatformRules.all.map(\.id) + notes.map(\.id))
    #expect(Set(lines).subtracting(known).isEmpty)
    #expect(known.subtracting(lines).isEmpty)
    let both = Set(PlatformRules.all.map(\.id)).intersection(PlatformRules.leftOut.map(\.id))
    #expect(both.isEmpty)
  }

  @Test func `keys are unique in a profile`() {
    for profile in PlatformProfile.all {
      #expect(Set(profile.rules.map(\.key)).count == profile.rules.count, "\(profile.name)")
    }
  }

  @Test func `overrides are checked`() throws {
    var profile = PlatformProfile.ios
    try profile.override("pendingEviction", with: "soonest")
    try profile.override("regionDwell", with: "12.5")
    try profile.override("presentsInForeground", with: "true")
    #expect(profile.settings.centre.pendingEviction == .soonest)
    #expect(profile.settings.regionDwell == TimeSpan(milliseconds: 12_500))
    #expect(profile.settings.presentsInForeground)
    #expect(profile.rules.first { $0.key == "regionDwell" }?.value == .number(12.5))
    #expect(profile.rules.first { $0.key == "regionDwell" }?.defaultValue == .number(20))
    #expect(PlatformProfile.ios.settings.regionDwell == .seconds(20))
  }

  @Test func `messages about invalid names and values list the valid ones`() {
    func message(_ key: String, _ text: String) -> String? {
      var profile = PlatformProfile.ios
      do {
        try profile.override(key, with: text)
        return nil
      } catch {
        return error.description
      }
    }
    #expect(
      message("pendingEvicton", "soonest")
        == "profile ios has no rule 'pendingEvicton'; did you mean pendingEviction?")
    #expect(
      message("pendingEviction", "sonest")
        == "pendingEviction cannot be 'sonest': it must be lastAdded, soonest, rejectNew, refuse")
    #expect(
      message("pendingCapacity", "64.5")
        == "pendingCapacity cannot be '64.5': it must be a whole number from 1 to 10000")
    #expect(
      message("regionDwell", "nan") == "regionDwell cannot be 'nan': it must be a number from 0 to 3600")
    #expect(
      message("regionDwell", "1e300") == "regionDwell cannot be '1e300': it must be a number from 0 to 3600")
    #expect(
      message("presentsInForeground", "1") == "presentsInForeground cannot be '1': it must be true or false")
    #expect(throws: RuleError.unknownProfile("andriod", hint: "did you mean 'android'?")) {
      try PlatformProfile.named("andriod")
    }
  }
}

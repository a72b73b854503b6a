import DeviceSimulation
import ScenarioModel
import Simulation
import Testing
import TextFormats

@testable import TestBench

/// Tests scenarios that run on one platform and have knobs of another.
@Suite struct ForeignKnobTests {
  private func load(_ own: String, knob: PlatformRule, on profile: String?) -> ProgramLoader.Loaded {
    var options = Suite.Options()
    options.profile = profile
    let text = """
      kind: scenario
      version: 1
      title: Knobs
      start: 2026-03-02T07:00
      zone: Europe/Berlin
      for: 1 day
      profile: \(own)
      knobs: {\(knob.key): \(knob.value)}
      reminders: {a: {when: unlock, notify: A}}
      timeline: [08:00 unlock]
      expect: [fires >= 0]

      """
    return ProgramLoader(options: options).load("knobs.yaml", bytes: Array(text.utf8))
  }

  @Test func `a knob that the other profile lacks is ignored with a warning`() {
    for own in PlatformProfile.all {
      for other in PlatformProfile.all {
        for knob in own.rules {
          guard case .program(let program, let warnings) = load(own.name, knob: knob, on: other.name) else {
            Issue.record("\(knob.key) of \(own.name) on \(other.name)")
            continue
          }
          let isKnown = other.rules.contains { $0.key == knob.key }
          let words = "profile \(other.name) has no rule '\(knob.key)'"
          #expect(warnings.contains { $0.message.contains(words) } != isKnown, "\(knob.key)")
          #expect(program.scenario.knobs.isEmpty != isKnown, "\(knob.key)")
        }
      }
    }
  }

  @Test func `an unknown knob of the file's own profile is an error`() throws {
    let knob = try #require(PlatformProfile.android.rules.first { $0.key == "exactAlarms" })
    guard case .invalid = load("ios", knob: knob, on: nil) else {
      Issue.record("accepted")
      return
    }
  }
}

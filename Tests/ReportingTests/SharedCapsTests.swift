import Simulation
import TestBench
import Testing
import TextFormats

@testable import Reporting

/// What a report says of the caps of a person with several devices.
@Suite struct SharedCapsTests {
  /// On each device one is shown beyond the cap of its type, because the counters lag behind.
  private static func story(devices: String, timeline: [String]) -> String {
    """
    kind: scenario
    version: 1
    title: Two devices
    start: 2026-03-02T07:00
    zone: Europe/Berlin
    for: 1 day
    profile: ideal
    \(devices)
    policy: {counterLag: 10 h, minimumInterval: 0 s, dailyCap: none, typeDailyCap: 1}
    reminders:
      a: {when: unlock, repeat: always, notify: A}
    timeline:
    \((["08:00 unlock", "08:10 lock", "09:00 unlock"] + timeline).map { "  - " + $0 }.joined(separator: "\n"))
    expect: [requests >= 0]
    """
  }

  private static func caps(_ story: String) throws -> JSONValue? {
    guard case .array(let scenarios)? = ReportJSON(try SampleReport.make(story)).document["scenarios"] else {
      throw SampleReport.NoScenario()
    }
    return scenarios.first?["caps"]
  }

  @Test func `what is beyond a cap is counted on each device and over all of them`() throws {
    let story = Self.story(
      devices: "devices: {tablet: {profile: ideal}}",
      timeline: ["on tablet 10:00 unlock", "on tablet 10:10 lock", "on tablet 11:00 unlock"])
    let devices = try #require(Self.caps(story)?["devices"])
    #expect(devices["caps"] == "device")
    #expect(devices["beyondOfDevice"] == 2)
    #expect(devices["beyondOfPerson"] == 3)
    #expect(
      ReportPages(try SampleReport.make(story)).scenario(0).text.contains(
        "The devices count each its own: 3 beyond the caps counted per person, 2 counted per device."))
  }

  @Test func `of one device there is nothing to add up`() throws {
    #expect(try Self.caps(Self.story(devices: "", timeline: []))?["devices"] == nil)
  }
}

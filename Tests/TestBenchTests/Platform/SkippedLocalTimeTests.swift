import CivilTime
import PlatformRuns
import ScenarioModel
import Simulation
import TestBench
import TestSupport
import Testing
import TriggerModel

@testable import Statistics

/// Tests requests whose local time is skipped by a change of zone (rule N7).
@Suite struct SkippedLocalTimeTests {
  private static func story(_ profile: String, _ zone: String, at time: String, due: String) -> String {
    """
    for: 3 days
    profile: \(profile)
    policy: {quietHours: none}
    reminders: {a: {when: every day \(due) ahead 3, notify: {title: A, bucket: user}}}
    timeline:
      - 07:01 open
      - 07:02 leave
      - \(time) travel to \(zone)
    expect: [a fires >= 0]
    """.replacing("[a fires >= 0]", with: "[fires >= 0]")
  }

  @Test(arguments: [
    ("ios", "", "a never on day 1"),
    ("ios", "knobs: {jumpedOverShown: true}", "a fires once at 15:30 on day 1"),
    ("ideal", "", "a fires once at 15:30 on day 1"),
    ("android", "knobs: {exactAlarms: granted}", "a fires once at 15:30 on day 1"),
  ])
  func `a request at a skipped local time is lost on iOS and shown on arrival elsewhere`(
    _ profile: String, _ knobs: String, _ expectation: String
  ) throws {
    let story = Self.story(profile, "Europe/Istanbul", at: "13:30", due: "15:00")
    let run = try PlatformRun(
      (knobs.isEmpty ? "" : knobs + "\n")
        + story.replacing("fires >= 0", with: expectation + ", a fires once at 15:00 on day 2"))
    run.expectSound()
    let endings = run.accounts.endings.filter { $0.reason == .expiredAtRelease }
    #expect(endings.isEmpty == !expectation.contains("never"), "the loss has a reason")
  }

  @Test func `an iPhone shows no request at a local time other than the requested one`() throws {
    let zones = ["Europe/Berlin", "Europe/Istanbul", "Asia/Tokyo", "America/New_York", "Pacific/Apia"]
    for seed in UInt64(0)..<300 {
      var random = SplitMix64(seed: seed)
      let due = random.int(8...22)
      let story = Self.story(
        "ios", random.one(of: zones), at: "\(random.int(8...23)):30", due: "\(due):00")
      let run = try PlatformRun(story)
      for fire in run.accounts.fires {
        let zone = run.program.scenario.zones[fire.moment.zone]
        let local = zone.local(at: fire.moment.wall)
        #expect(Int(local.millisecondOfDay) == due * 3_600_000, "seed \(seed)")
      }
      #expect(run.accounts.contradictions.isEmpty, "seed \(seed)")
    }
  }
}

import PlatformRuns
import ScenarioModel
import Simulation
import TestSupport
import Testing
import TriggerModel

@testable import Statistics
@testable import TestBench

/// Tests snoozes for a length of time, in complete runs in which the wall clock is set.
///
/// A length of time is elapsed time (`UNTimeIntervalNotificationTrigger`, `AlarmManager.ELAPSED_REALTIME`).
@Suite("Snoozes and the clock")
struct SnoozeLengthTests {
  /// A snooze for some minutes at 09:05, during which the clock is set.
  private struct Case {
    var minutes: Int
    var lines: [String]

    init(_ seed: UInt64, profile: String) {
      var random = SplitMix64(seed: seed)
      minutes = random.int(5...600)
      lines = ["07:01 open", "07:02 leave", "09:05 snooze egg for \(minutes) min"]
      if random.chance(60) { lines.append("09:06 leave") }
      // The process may end. On Android, its alarms stay.
      if random.chance(30) { lines.append("09:06 \(profile == "android" ? "terminate" : "force quit")") }
      var minute = 545
      for _ in 0..<random.int(1...3) {
        minute += random.int(2...(max(3, minutes / 3)))
        if minute >= 545 + minutes { break }
        let sign = random.chance(50) ? "+" : "-"
        let change = random.one(of: [random.int(1...90), random.int(90...1_500), random.int(1_500...9_000)])
        lines.append("\(Self.text(minute)) set clock \(sign)\(change) min")
        if random.chance(40), minute + 1 < 545 + minutes { lines.append("\(Self.text(minute + 1)) unlock") }
        if random.chance(30), minute + 1 < 545 + minutes { lines.append("\(Self.text(minute + 1)) open") }
      }
    }

    private static func text(_ minute: Int) -> String {
      let (hour, rest) = (minute / 60, minute % 60)
      return "\(hour < 10 ? "0" : "")\(hour):\(rest < 10 ? "0" : "")\(rest)"
    }
  }

  private func run(_ profile: String, _ lines: [String], expect: String = "egg fires >= 0") throws
    -> PlatformRun
  {
    let knobs = profile == "android" ? "knobs: {exactAlarms: granted}\n" : ""
    return try PlatformRun(
      "for: 1 day\nprofile: \(profile)\n\(knobs)policy: {quietHours: none}\nreminders:\n"
        + "  egg: {when: on 2026-03-02 at 09:00 ahead 1, notify: {title: Egg, bucket: user}}\n"
        + "timeline:\n\(lines.map { "  - \($0)\n" }.joined())expect: [\(expect)]\n")
  }

  @Test(arguments: ["ideal", "ios", "android"])
  func `a snooze for a length of time lasts that long, however the clock is set`(profile: String) throws {
    for seed in 1...(Trial.isWhole ? 2_000 : 60) as ClosedRange<UInt64> {
      let story = Case(seed, profile: profile)
      let run = try run(profile, story.lines)
      run.expectSound("\(profile), seed \(seed)")
      let start = run.program.scenario.start
      let minutes = run.accounts.fires.map { ($0.instant - start).milliseconds / 60_000 }
      #expect(minutes == [120, 125 + Int64(story.minutes)], "\(profile), seed \(seed): \(story.lines)")
      let account = try run.account("egg")
      #expect(account.notObserved.isEmpty && account.unfounded == 0, "\(profile), seed \(seed)")
    }
  }

  @Test(arguments: ["ideal", "ios", "android"])
  func `a snooze until a time of day ends when the clock shows that time`(profile: String) throws {
    let run = try run(
      profile, ["09:05 snooze egg until 10:35", "09:06 leave", "09:10 set clock +1 h"],
      expect: "egg fires once at 10:35")
    run.expectSound(Comment(rawValue: profile))
    let start = run.program.scenario.start
    #expect(run.accounts.fires.last.map { $0.instant - start } == .minutes(155))
  }
}

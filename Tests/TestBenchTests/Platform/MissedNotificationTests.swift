import CivilTime
import PlatformRuns
import ReminderMatching
import ScenarioModel
import Simulation
import Statistics
import TestSupport
import Testing
import TriggerModel

@testable import TestBench

/// Tests notifications that become due while the app cannot run. They are shown once when it runs again, or
/// lost with a reason.
@Suite struct MissedNotificationTests {
  private struct Story {
    var name: String
    var lines: String

    init(_ name: String, _ lines: String) { (self.name, self.lines) = (name, lines) }
  }

  private static let android = "profile: android\nknobs: {exactAlarms: granted, dozeAfter: 0}\n"
  private static let free = "policy: {quietHours: none, minimumInterval: none}\n"

  private static let stories = [
    Story(
      "the phone was off",
      """
      for: 1 day
      \(android)reminders:
        handed: {when: every day 17:30 ahead 1, notify: {title: A, bucket: user}}
        woken: {when: every day 17:30, notify: {title: B, bucket: user}}
      timeline: [08:01 open, 08:02 leave, 17:00 power off, 18:00 power on]
      expect: [handed fires once at 18:00, woken fires once at 18:00, deliveryRate = 100 %]
      """),
    Story(
      "the app was stopped for days: the last day is shown",
      """
      for: 4 days
      \(android)reminders:
        handed: {when: every day 17:30 ahead 2, notify: {title: A, bucket: user}}
        woken: {when: every day 17:30, notify: {title: B, bucket: user}}
      timeline: [08:01 open, 08:02 force stop, day 4 09:00 open, day 4 09:01 leave]
      expect:
        - handed fires once at 09:00 on day 4
        - woken fires once at 09:00 on day 4
        - handed fires 2 times
        - woken fires 2 times
      """),
    Story(
      "an update ends the app, and an expired or useless notification is not shown",
      """
      for: 2 days
      \(android)reminders:
        short: {when: every day 09:00 ahead 1, notify: {title: A, bucket: user, usefulFor: 1 h}}
        woken: {when: every day 09:00, notify: {title: B, bucket: user, usefulFor: 1 h}}
        long: {when: every day 09:00 ahead 1, notify: {title: C, bucket: user, usefulFor: 8 h}}
        over: {when: every day 09:00 ahead 1, expires: 2026-03-02T11:00, notify: {title: D, bucket: user}}
      timeline: [08:01 open, 08:02 force stop, 12:00 update app, 12:01 open, 12:02 leave]
      expect:
        - short never on day 1
        - woken never on day 1
        - short is lost to expiredAtRelease once at 12:01
        - woken is lost to expiredAtRelease once at 12:01
        - long fires once at 12:01
        - over never
      """),
    Story(
      "conditions on the time of day are evaluated for the occurrence",
      """
      for: 6 days
      \(android)reminders:
        handed: {when: every day 17:30 ahead 8, if: on weekdays, notify: {title: A, bucket: user}}
        woken: {when: every day 17:30, if: on weekdays, notify: {title: B, bucket: user}}
      timeline: [08:01 open, 08:02 leave, day 5 17:00 power off, day 6 20:00 power on]
      expect:
        - handed fires once at 20:00 on day 6
        - woken fires once at 20:00 on day 6
        - handed fires 5 times
        - woken fires 5 times
      """),
    Story(
      "a snooze that ended while the app was stopped",
      """
      for: 1 day
      \(android)\(free)reminders: {pill: {when: every day 09:00 ahead 1, notify: {title: A, bucket: user}}}
      timeline: [08:01 open, 08:02 leave, 09:05 snooze pill for 2 h, 10:00 force stop, 12:00 open]
      expect: [pill fires once at 12:00, pill fires 2 times]
      """),
    Story(
      "a stage of an absence that was due while the phone was off",
      """
      for: 5 days
      \(android)reminders: {gone: {when: closed for 2 days at 18:00, notify: {title: A, bucket: user}}}
      timeline: [08:01 open, 08:02 leave, day 3 17:00 power off, day 3 19:00 power on]
      expect: [gone fires once at 19:00 on day 3]
      """),
    Story(
      "a request that quiet hours deferred",
      """
      for: 2 days
      \(android)policy: {quietHours: 22:00-07:00}
      reminders: {late: {when: every day 23:00 ahead 1, notify: {title: A, bucket: user}}}
      timeline: [08:01 open, 08:02 leave, day 2 06:00 power off, day 2 08:00 power on]
      expect: [late fires once at 08:00 on day 2]
      """),
    Story(
      "a snooze of an occurrence that nobody saw",
      """
      for: 1 day
      profile: ios
      reminders: {a: {when: every day 20:00, notify: {title: A, bucket: user}}}
      knobs: {backgroundWake: never}
      timeline: [08:01 open, 08:02 leave, 20:10 snooze a for 15 min]
      expect: [a fires once at 20:25, a fires once]
      """),
  ]

  @Test(arguments: 0..<8)
  func `a missed notification has the expected outcome`(number: Int) throws {
    let story = Self.stories[number]
    try PlatformRun(story.lines).expectSound("\(story.name)")
  }

  @Test func `every story is tested`() { #expect(Self.stories.count == 8) }

  /// The last occurrence of each day is shown at the latest when the person opens the app, however the
  /// process ended. No occurrence is shown twice.
  @Test func `the latest occurrence is shown once in every random world`() throws {
    var late = 0
    for seed in 0..<UInt64(Trial.isWhole ? 2_000 : 300) {
      var random = SplitMix64(seed: seed)
      let days = 4
      let profile = random.one(of: ["android", "android", "ios", "ideal"])
      let knobs = profile == "android" ? "exactAlarms: granted, dozeAfter: 0" : "presentsInForeground: true"
      let start = random.one(of: ["atBoot", "atFirstUnlock", "never"])
      let reminders = (0..<2).map { number in
        (hour: random.int(1...20), ahead: random.chance(50) ? " ahead 8" : "", name: "r\(number)")
      }
      var lines = ["00:00:01 open", "00:00:02 leave"]
      for day in 1...days {
        var minutes = random.several(of: Array(stride(from: 7, to: 1_320, by: 11)), 1...4).sorted()
        if day == days { minutes.append(1_330) }
        for minute in minutes {
          let word = random.one(of: [
            "power off", "power on", "power on", "force stop", "force quit", "terminate", "update app",
            "reboot",
            "unlock", "open", "leave",
          ])
          lines.append("day \(day) \(minute / 60):\(minute % 60 < 10 ? "0" : "")\(minute % 60) \(word)")
        }
      }
      lines += ["day \(days) 23:00 power on", "day \(days) 23:01 unlock", "day \(days) 23:02 open"]
      let declared = reminders.map {
        "  \($0.name): {when: every day \($0.hour):00\($0.ahead), notify: {title: A, bucket: user}}"
      }
      let text = """
        kind: scenario
        version: 1
        title: test
        start: 2026-03-02T00:00
        zone: Asia/Shanghai
        for: \(days) days
        profile: \(profile)
        knobs: {\(knobs), bootStart: \(start)}
        policy: {quietHours: none}
        reminders:
        \(declared.joined(separator: "\n"))
        timeline:
        \(lines.map { "  - " + $0 }.joined(separator: "\n"))
        expect: [fires >= 0]
        """
      let run = try PlatformRun(whole: text)
      #expect(run.accounts.contradictions.isEmpty, "seed \(seed)\n\(text)")
      let midnight = run.program.scenario.start
      for reminder in reminders {
        let id = try #require(run.program.reminders.reminder(named: reminder.name))
        let fires = run.accounts.fires.filter { $0.request.reminder == id }.map { $0.instant - midnight }
          .sorted()
        let occurrences = (0..<days).map { TimeSpan.hours(Int64($0 * 24 + reminder.hour)) }
        let last = try #require(occurrences.last)
        #expect(fires.contains { $0 >= last }, "seed \(seed), \(reminder.name): \(fires)\n\(text)")
        for (index, fire) in fires.enumerated() {
          #expect(
            occurrences.count { $0 <= fire } > index, "seed \(seed), \(reminder.name): \(fires)\n\(text)")
        }
        late += fires.count { fire in
          !occurrences.contains { (.zero...TimeSpan.minutes(61)).contains(fire - $0) }
        }
      }
    }
    #expect(late > 50, "the worlds delay notifications")
  }
}

import Journal
import PlatformRuns
import RandomScenarios
import Simulation
import TestSupport
import Testing
import TriggerModel

@testable import Statistics
@testable import TestBench

/// Tests that a late alarm stays pending between its due time and its delivery, so that it can be withdrawn.
@Suite struct LateAlarmTests {
  typealias Story = PhoneStoryTests.Story

  /// A kind of request, and the period between its due time and its late delivery.
  private struct Kind {
    var name: String
    var when: String
    var before = ""
    var day = "day 1"
    var repeats = "daily"
    var quiet = "none"
  }

  private static let kinds = [
    Kind(name: "an occurrence", when: "every day 09:00 ahead 2"),
    Kind(name: "a stage of a lapse", when: "closed for 2 days at 09:00", day: "day 3"),
    Kind(
      name: "the request of a snooze", when: "[every day 12:00 ahead 2, unlock]",
      before: "07:40 unlock, 07:45 snooze a until 09:00, ", repeats: "always"),
    Kind(
      name: "a request deferred by quiet hours", when: "unlock", before: "07:40 unlock, ",
      quiet: "07:35-09:00"),
  ]

  private static let commands = [
    "cancel all", "turn off x", "cancel a", "open, 09:10 set done = true", "snooze a until 12:00",
  ]

  static let withdrawals = kinds.flatMap { kind in
    // Opening the app ends a lapse, so do not combine this command with lapses.
    commands.filter { !($0.hasPrefix("open") && kind.when.hasPrefix("closed")) }.map { command in
      Story(
        "\(kind.name), and \(command)",
        head(kind.quiet)
          + "reminders: {a: {when: \(kind.when), repeat: \(kind.repeats), withdraw: done is true, "
          + "notify: {title: a, type: x, bucket: user}}}\n"
          + "timeline: [07:30 open, \(kind.before)07:50 leave, \(kind.day) 09:10 \(command)]\n"
          + "expect: [a never between 08:00 and 11:00 on \(kind.day)]")
    }
  }

  static let shown = [
    Story(
      "a request snoozed while its alarm is late is delivered at the end of the snooze",
      head("none") + "reminders: {a: {when: every day 09:00 ahead 2, notify: {title: a, bucket: user}}}\n"
        + "timeline: [07:30 open, 07:31 leave, 09:10 snooze a until 11:00]\n"
        + "expect: [a fires once between 11:40 and 12:00 on day 1, a fires once on day 1]"),
    Story(
      "a delivered notification that is snoozed is not delivered before the end",
      head("none") + "reminders: {a: {when: every day 09:00 ahead 2, notify: {title: a, bucket: user}}}\n"
        + "timeline: [07:30 open, 07:31 leave, 10:10 snooze a until 12:00]\n"
        + "expect: [a fires 2 times on day 1, a fires once between 12:40 and 13:00 on day 1]"),
    Story(
      "a withdrawn late alarm counts nowhere",
      head("none", "dailyCap: 1, minimumInterval: 4 h")
        + "reminders: {a: {when: on 2026-03-02 at 09:00 ahead 1, notify: a}, b: {when: unlock, notify: b}}\n"
        + "timeline: [07:30 open, 07:31 leave, 09:10 open, 09:11 cancel all, 09:20 unlock]\n"
        + "expect: [a never, b fires once at 09:20]"),
    Story(
      "a pending late alarm counts",
      head("none", "dailyCap: none, minimumInterval: 4 h")
        + "reminders: {a: {when: on 2026-03-02 at 09:00 ahead 1, notify: a}, b: {when: unlock, notify: b}}\n"
        + "timeline: [07:30 open, 07:31 leave, 09:10 open, 09:11 unlock, 09:12 leave]\n"
        + "expect: [a fires once, b never]"),
    Story(
      "the turn of a withdrawn alarm is free again",
      head("none") + "reminders: {a: {when: [every day 09:00 ahead 2, unlock], repeat: daily, notify: a}}\n"
        + "timeline: [07:30 open, 07:31 leave, 09:10 open, 09:11 cancel all, 09:20 unlock]\n"
        + "expect: [a fires once at 09:20 on day 1, a fires once on day 1]"),
  ]

  @Test(arguments: ["ideal", "ios", "android", "android\nknobs: {deliveryLatenessFrom: 30}"])
  func
    `a withdrawn request is not delivered and the accounts close; 2,000 stories each with TRIGGERBENCH_ALL`(
      profile: String
    ) throws
  {
    var late = 0
    for seed in 1...(Trial.isWhole ? 2_000 : 60) as ClosedRange<UInt64> {
      let program = try PlatformRun.program(Self.story(seed, profile: profile))
      var world = World(program: program, engine: program.makeEngine())
      var sinks = TeeSink(RunAccounts(program), WithdrawalCheck(program))
      world.run(into: &sinks)
      sinks.first.close()
      let faults = sinks.first.contradictions + sinks.second.faults
      #expect(faults.isEmpty, "\(profile), seed \(seed): \(faults.prefix(3))")
      late += sinks.second.late
    }
    #expect(profile.hasPrefix("android") ? late > 10 : late == 0, "\(late)")
  }

  @Test(arguments: ["daily", "weekly"])
  func `a delivery after midnight counts for the day of its occurrence`(repeats: String) throws {
    func fires(_ ahead: String) throws -> Int {
      let run = try PlatformRun(
        "for: 29 days\nprofile: android\npolicy: {quietHours: none}\nreminders: {a: {when: every day 23:30\(ahead), "
          + "repeat: \(repeats), notify: {title: a, bucket: user}}}\n"
          + "timeline: [07:01 open, 07:02 leave]\nexpect: [a fires >= 0]\n")
      run.expectSound()
      return run.accounts.total.exposed
    }
    let expected = try fires(" ahead 8")
    #expect(expected == (repeats == "daily" ? 29 : 5))
    #expect(try fires("") == expected)
  }

  @Test func `an app that observes no deliveries uses the clock, and only exposed ones count`() throws {
    let run = try PlatformRun(
      "for: 1 day\nknobs: {deliveredSeen: never, exactAlarms: denied, deliveryLatenessTo: 30}\n"
        + "facts: {done: {initial: false, endOfDay: false}}\npolicy: {quietHours: none, dailyCap: 1}\nreminders:\n"
        + "  a: {when: on 2026-03-02 at 09:00 ahead 1, withdraw: done is true, notify: a}\n"
        + "  b: {when: unlock, notify: b}\n"
        + "timeline: [12:00 set done = true, 14:00 unlock]\n"
        + "expect: [a fires once, b never, b is denied by dailyCap once]\n")
    run.expectSound()
  }

  /// Returns a story of mornings with many scheduled requests that are withdrawn around their due times.
  private static func story(_ seed: UInt64, profile: String) -> String {
    var dice = Dice(seed)
    func pick(_ words: [String]) -> String { dice.one(of: words) }
    let triggers = [
      "every day 09:00 ahead 2", "closed for 2 days at 09:30", "[every day 10:00 ahead 3, unlock]",
      "every day 09:20 ahead repeating", "open",
    ]
    let reminders = triggers.enumerated().map { number, when in
      let repeats = when.hasSuffix("repeating") ? "always" : pick(["once", "daily", "always"])
      return "  r\(number): {when: \(when), repeat: \(repeats), withdraw: done is true, "
        + "notify: {title: r, type: \(number % 2 == 0 ? "x" : "y"), "
        + "bucket: \(pick(["user", "standard", "critical"]))}}\n"
    }
    var lines = ""
    for day in 1...4 {
      var minute = 450 + dice.below(60)
      while minute < 720 {
        let reminder = "r\(dice.below(triggers.count))"
        let act = pick([
          "open", "leave", "unlock", "lock", "cancel all", "turn off x", "turn on x", "set done = true",
          "set done = false", "snooze \(reminder) for \(10 + dice.below(200)) min", "plug in", "unplug",
          day < 3 ? "leave" : "cancel \(reminder)",
        ])
        let time = "\(minute / 60):\(minute % 60 < 10 ? "0" : "")\(minute % 60)"
        lines += "  - day \(day) \(minute < 600 ? "0" : "")\(time) \(act)\n"
        minute += 1 + dice.below(25)
      }
    }
    return "for: 5 days\nprofile: \(profile)\nfacts: {done: {initial: false, endOfDay: false}}\n"
      + "policy: {quietHours: \(pick(["none", "08:30-09:30"])), minimumInterval: \(pick(["none", "1 h"])), "
      + "dailyCap: \(pick(["none", "3"]))}\n"
      + "reminders:\n\(reminders.joined())timeline:\n\(lines)expect: [r0 never]\n"
  }

  private static func head(_ quiet: String, _ caps: String = "minimumInterval: none") -> String {
    "for: 3 days\nprofile: android\nknobs: {deliveryLatenessFrom: 40}\n"
      + "facts: {done: {initial: false, endOfDay: false}}\npolicy: {quietHours: \(quiet), \(caps)}\n"
  }
}

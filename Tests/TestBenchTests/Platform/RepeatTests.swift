import PlatformRuns
import Testing
import TextFormats
import TriggerModel

@testable import Statistics
@testable import TestBench

/// Tests requests that the system repeats, in complete runs. 2026-03-02 is a Monday.
@Suite("Repeating requests")
struct RepeatTests {
  private func run(
    when: String = "every day 20:00 ahead repeating", more: String = "", profile: String = "ios",
    head: String = "policy: {quietHours: none}", _ timeline: [String], expect: [String]
  ) throws -> PlatformRun {
    let run = try PlatformRun(
      """
      for: 6 days
      profile: \(profile)
      \(head)
      reminders: {r: {when: '\(when)', \(more)notify: {title: R, bucket: user}}}
      timeline:
      \(timeline.map { "  - " + $0 }.joined(separator: "\n"))
      expect:
      \(expect.map { "  - " + $0 }.joined(separator: "\n"))
      """)
    run.expectSound("\(when) on \(profile)")
    return run
  }

  @Test(arguments: ["ideal", "ios"])
  func `a repeating request survives the end of the app and a reboot`(profile: String) throws {
    let run = try run(
      profile: profile, ["07:02 force quit", "day 2 12:00 reboot"],
      expect: (1...6).map { "r fires once at 20:00 on day \($0)" } + ["r fires 6 times"])
    let account = try run.account("r")
    #expect(account.requests == 7 && account.repeated == 6 && account.pending == 1 && account.early == 1)
    #expect(account.dueRequests == 6 && account.delivered == 6)
  }

  @Test func `on Android, a boot or force stop loses a repeating request until the app runs again`() throws {
    let knobs = "knobs: {exactAlarms: granted, bootStart: never}\npolicy: {quietHours: none}"
    let booted = try run(
      profile: "android", head: knobs,
      ["07:01 open", "07:02 leave", "day 2 12:00 reboot", "day 4 12:00 open"],
      expect: ["r fires 4 times", "r never on day 2", "r never on day 3", "r fires once at 20:00 on day 4"])
    #expect(try booted.account("r").lost[.clearedByReboot] == 2)
    _ = try run(
      profile: "android", head: "knobs: {exactAlarms: granted}\npolicy: {quietHours: none}",
      ["07:01 open", "07:02 leave", "day 2 12:00 reboot"], expect: ["r fires 6 times"])
    _ = try run(
      profile: "android", head: "knobs: {exactAlarms: granted}\npolicy: {quietHours: none}",
      ["07:01 open", "07:02 force stop"], expect: ["r never"])
  }

  @Test func `repetitions while the phone is off are shown once`() throws {
    let run = try run(
      ["07:02 force quit", "day 2 12:00 power off", "day 5 12:00 power on"],
      expect: ["r fires 4 times", "r fires once at 12:00 on day 5", "r fires once at 20:00 on day 5"])
    let account = try run.account("r")
    #expect(account.lost[.expiredAtRelease] == 2 && account.dueRequests == 6 && account.notObserved.isEmpty)
  }

  @Test func `conditions are evaluated when the app observes a change, not every day`() throws {
    let never = try run(
      more: "if: charging, ", ["07:02 force quit", "day 2 19:00 plug in"],
      expect: ["r never"])
    #expect(never.warnings.contains { $0.summary.contains("not for each occurrence") })
    _ = try run(
      more: "if: on weekdays, ", ["07:02 force quit"], expect: ["r fires 6 times", "r fires once on day 6"])
  }

  @Test func `a failed condition withdraws the repeating request until the condition holds again`() throws {
    let head = "policy: {quietHours: none}\nfacts: {done: false}"
    _ = try run(
      more: "withdraw: done is true, ", head: head,
      [
        "07:02 open", "07:03 leave", "day 2 12:00 open", "day 2 12:00 set done = true", "day 2 12:01 leave",
        "day 4 12:00 open", "day 4 12:00 set done = false", "day 4 12:10 leave",
      ],
      expect: ["r fires 4 times", "r never on day 2", "r never on day 3", "r fires once at 20:00 on day 4"])
  }

  @Test func `a revoked permission removes the request, and the next opening adds it again`() throws {
    _ = try run(
      ["07:01 open", "07:02 leave", "day 2 12:00 cancel all", "day 4 12:00 open", "day 4 12:01 leave"],
      expect: ["r fires 4 times", "r never on day 2", "r never on day 3", "r fires once at 20:00 on day 4"])
    _ = try run(
      ["07:01 open", "07:02 leave", "day 2 12:00 cancel r", "day 4 12:00 open"], expect: ["r fires once"])
  }

  @Test func `a snooze until an occurrence does not affect later occurrences`() throws {
    let run = try run(profile: "ideal", ["20:09 snooze r until day 2 20:00"], expect: ["r fires 7 times"])
    #expect(try run.account("r").dueRequests == 6)
    // The snooze makes an additional request for the same time.
    #expect(try run.account("r").unfounded == 1)
  }

  @Test func `an iOS app misses repetitions until it observes that they were removed`() throws {
    let away = try run(
      [
        "07:01 open", "07:02 leave", "day 2 12:00 deny notifications", "day 4 12:00 grant notifications",
        "day 4 12:01 open", "day 4 12:02 leave",
      ], expect: ["r fires once"])
    #expect(try away.account("r").notRequested == ["permissionRevoked": 4])
    _ = try run(
      [
        "07:01 open", "07:02 leave", "day 2 12:00 deny notifications", "day 3 12:00 open",
        "day 3 12:01 leave",
        "day 4 12:00 grant notifications", "day 4 12:01 open", "day 4 12:02 leave",
      ], expect: ["r fires 4 times", "r never on day 2", "r never on day 3"])
    _ = try run(
      profile: "ideal", ["day 2 12:00 deny notifications", "day 4 12:00 grant notifications"],
      expect: ["r fires 4 times", "r never on day 3"])
  }

  @Test func `a snooze adds one request and loses no later day (B35)`() throws {
    _ = try run(
      [
        "07:01 open", "07:02 leave", "day 2 20:05 tap r", "day 2 20:06 snooze r for 3 h",
        "day 2 20:07 force quit",
      ],
      expect: ["r fires 7 times", "r fires once at 23:06 on day 2", "r fires once at 20:00 on day 3"])
  }

  @Test func `a repeating request on iOS has no first date (N6)`() throws {
    let when = "every day 20:00 from 2026-03-04 ahead repeating"
    let run = try run(when: when, ["07:02 force quit"], expect: ["r fires 6 times"])
    let account = try run.account("r")
    #expect(account.unfounded == 2 && account.dueRequests == 4)
    #expect(run.warnings.contains { $0.summary.contains("first date") })
    _ = try self.run(when: when, profile: "ideal", ["07:02 force quit"], expect: ["r fires 4 times"])
  }

  @Test func `quiet hours deny a repeating request, because it cannot be deferred`() throws {
    let run = try run(
      when: "every day 23:00 ahead repeating", head: "policy: {quietHours: 22:00-07:00}",
      ["07:02 force quit"],
      expect: ["r never", "r is denied by quietHours once on day 1"])
    #expect(try run.account("r").held == 0)
  }

  @Test func `occurrences of a repeating request count towards the interval and the daily cap`() throws {
    let run = try PlatformRun(
      """
      for: 3 days
      profile: ios
      policy: {dailyCap: 2, minimumInterval: 1 h, quietHours: none}
      reminders:
        r: {when: every day 12:00 ahead repeating, notify: {title: R}}
        a: {when: open, repeat: always, notify: {title: A, type: a}}
        b: {when: charging starts, repeat: always, notify: {title: B, type: b}}
      timeline:
        - day 3 11:30 open
        - day 3 11:31 leave
        - day 3 14:00 open
        - day 3 14:01 leave
        - day 3 17:00 open
        - day 3 17:01 plug in
      expect:
        - r fires once at 12:00 on day 3
        - a is denied by minimumInterval once at 11:30 on day 3
        - b is denied by dailyCap once at 17:01 on day 3
      """)
    run.expectSound()
  }

  @Test func `a repeating request counts as one pending request`() throws {
    let others = (0..<63).map {
      "  o\($0): {when: 'on 2026-03-20 10:\($0 % 60 < 10 ? "0" : "")\($0 % 60) ahead 1', notify: O}"
    }
    let run = try PlatformRun(
      """
      for: 40 days
      profile: ios
      policy: {quietHours: none, dailyCap: 100, minimumInterval: 0 h, typeDailyCap: 9}
      reminders:
      \(others.joined(separator: "\n"))
        r: {when: every day 20:00 ahead repeating, notify: {title: R, bucket: user}}
      timeline: [07:02 force quit]
      expect: [r fires 40 times]
      """)
    run.expectSound()
    #expect(run.accounts.total.lost[.pendingLimit] == 0)
  }

  @Test func `a stored repeating request is not added again by the next process`() throws {
    let run = try run(
      when: "every monday, thursday 20:00 ahead repeating",
      [
        "07:01 open", "07:02 terminate", "08:00 open", "08:01 leave", "day 3 08:00 terminate",
        "day 3 09:00 open", "day 3 09:01 leave",
      ],
      expect: ["r fires twice", "r fires once at 20:00 on day 1", "r fires once at 20:00 on day 4"])
    let account = try run.account("r")
    #expect(account.requests - account.repeated == 2)
  }

  @Test func `a schedule that the system cannot repeat or end is an error at its line`() {
    func problem(_ reminder: String) -> String {
      do {
        _ = try PlatformRun("reminders: {r: {\(reminder), notify: R}}\nexpect: [r never]")
        return ""
      } catch {
        return "\(error)"
      }
    }
    #expect(problem("when: every 30 s ahead repeating").contains("at most once a minute"))
    #expect(problem("when: every 90 min").contains("only the system can repeat a span"))
    #expect(problem("when: every 90 min ahead 3").contains("every 90 min ahead repeating"))
    #expect(problem("when: on 2026-03-04 09:00 ahead repeating").contains("a single occurrence"))
    #expect(
      problem("when: every 2 days at 09:00 from 2026-03-02 ahead repeating").contains(
        "only every day, week, month or year"))
    #expect(problem("when: monthly on 31 at 09:00 ahead repeating").contains("skip forward"))
    #expect(problem("when: every day 09:00 ahead repeating, repeat: daily").contains("every occurrence"))
    #expect(
      problem("when: every day 09:00 ahead repeating, expires: 2026-04-02T09:00").contains("cannot expire"))
    #expect(problem("when: monthly on 31 at 09:00 skip forward ahead repeating").isEmpty)
  }
}

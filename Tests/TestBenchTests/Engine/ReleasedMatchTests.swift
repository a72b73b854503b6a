import PlatformRuns
import Statistics
import Testing
import TriggerModel

@testable import TestBench

/// Tests, in complete runs, that a denied permission or a failed add consumes no match.
@Suite("Released matches")
struct ReleasedMatchTests {
  @Test(arguments: ["ideal", "ios"])
  func `a missing permission does not consume the match of a one-time reminder`(profile: String) throws {
    let run = try PlatformRun(
      """
      for: 4 days
      profile: \(profile)
      knobs: {presentsInForeground: true}
      phone: {notifications: notDetermined}
      reminders:
        hello: {when: open, notify: {title: r}}
        weekly: {when: every day 18:00 ahead 2, repeat: weekly, notify: {title: r, bucket: user}}
      timeline:
        - 10:00 open
        - 10:05 leave
        - day 2 10:00 open
        - 10:05 leave
        - 11:00 grant notifications
        - day 3 10:00 open
        - 10:05 leave
        - day 4 10:00 open
      expect:
        - hello is denied by permission once on day 1
        - hello is denied by permission once on day 2
        - hello fires = 1
        - weekly fires = 1
      """)
    run.expectSound("\(profile)")
    #expect(try run.account("hello").unfounded == 0, "the truth track knows of the denials")
    #expect(try run.account("weekly").unfounded == 0)
  }

  @Test func `a failed add is retried at the next trigger, not before`() throws {
    let run = try PlatformRun(
      """
      for: 1 day
      reminders:
        r: {when: unlock, notify: {title: r}}
      timeline:
        - 09:00 next add fails
        - 10:00 unlock
        - 12:00 unlock
        - 14:00 unlock
      expect: [{exact: [r at 12:00]}]
      """)
    run.expectSound()
    #expect(try run.account("r").failed == 1)
    #expect(try run.account("r").unfounded == 0)
  }

  @Test func `a daily reminder that a cap denied can still fire on the same day`() throws {
    let run = try PlatformRun(
      """
      for: 1 day
      reminders:
        tip: {when: unlock, repeat: daily, notify: {title: tip}}
        news: {when: charging starts, repeat: daily, notify: {title: news}}
      policy: {minimumInterval: 2 h}
      timeline:
        - 09:00 plug in
        - 10:00 unlock
        - 10:59 unlock
        - 11:00 unlock
        - 14:00 unlock
      expect:
        - tip is denied by minimumInterval 2 times
        - tip fires once at 11:00
        - tip fires = 1
      """)
    run.expectSound()
    #expect(try run.account("tip").unfounded == 0)
  }

  @Test func `an undelivered deferred request releases its match, unless it was cancelled`() throws {
    let run = try PlatformRun(
      """
      for: 3 days
      facts: {done: false}
      reminders:
        stale: {when: charging starts, if: done is false, notify: {title: r, bucket: user}}
        gone: {when: charging starts, notify: {title: r, bucket: user}}
      timeline:
        - 23:00 plug in
        - 23:10 set done = true
        - 23:20 cancel gone
        - day 2 09:00 set done = false
        - 10:00 unplug
        - 10:01 plug in
      expect:
        - stale is lost to staleAtRelease once at 23:10 on day 1
        - {exact: [stale at 10:01 on day 2]}
      """)
    run.expectSound()
  }

  @Test func `a failed critical request withdraws nothing`() throws {
    try PlatformRun(
      """
      for: 1 day
      policy: {minimumInterval: 4 h}
      facts: {low: false}
      reminders:
        standard: {when: every day 14:00 ahead 1, notify: {title: s}}
        critical: {when: fact low changes, notify: {title: c, bucket: critical}}
      timeline: [13:00 next add fails, 13:01 set low = true]
      expect: [standard fires once at 14:00, critical is lost to addFailed once]
      """
    ).expectSound()
  }

  @Test func `an expired deferral keeps the day's match in the app and on the truth track`() throws {
    let run = try PlatformRun(
      """
      for: 3 days
      reminders:
        a:
          when: every 2 h from 04:18 until 18:00 ahead 1
          repeat: daily
          notify: {title: a, bucket: user, usefulFor: 2 h}
      expect: [a fires once at 08:18 on day 2]
      """)
    run.expectSound()
    #expect(try run.account("a").unfounded == 0)
  }

  @Test(arguments: ["once", "always"])
  func `a lapse planned without a permission is planned again after the grant`(repeats: String) throws {
    let run = try PlatformRun(
      """
      for: 8 days
      phone: {notifications: notDetermined}
      reminders:
        back:
          when: closed for 1, 2, 4 days at 18:00
          repeat: \(repeats)
          notify: {stages: [{title: one}, {title: two}, {title: four}]}
      timeline:
        - 10:00 open
        - 10:01 leave
        - day 2 19:00 grant notifications
        - day 3 10:00 deny notifications
        - 11:00 grant notifications
      expect:
        - exact: [\(repeats == "once" ? "" : "back at 18:00 on day 5, ")back at 18:00 on day 3]
      """)
    run.expectSound("\(repeats)")
    #expect(try run.account("back").unfounded == 0)
  }

  @Test func `a denied stage of a lapse does not consume the reminder's match`() throws {
    let run = try PlatformRun(
      """
      for: 8 days
      phone: {notifications: denied}
      reminders:
        back: {when: closed for 2 days at 18:00, repeat: once, notify: {title: r}}
      timeline:
        - 10:00 open
        - 10:01 leave
        - 11:00 grant notifications
        - day 2 10:00 open
        - 10:01 leave
      expect: [{exact: [back at 18:00 on day 4]}]
      """)
    run.expectSound()
  }

  @Test(arguments: ["ideal", "ios"])
  func `a failed add of a scheduled request is retried at the next opening or start`(profile: String) throws {
    let run = try PlatformRun(
      """
      for: 2 days
      profile: \(profile)
      phone: {notifications: notDetermined}
      reminders: {a: {when: on 2026-03-02 at 12:00 ahead 1, notify: {title: a, bucket: user}}}
      timeline: [08:00 open, 08:01 next add fails, 08:02 prompt authorized, 08:03 leave, 09:00 open, 09:01 leave]
      expect: [a fires once at 12:00, a is lost to addFailed once]
      """)
    run.expectSound("\(profile)")
    #expect(try run.account("a").unfounded == 0 && run.account("a").notObserved.isEmpty)
  }

  @Test(arguments: ["next add fails", "deny notifications", "unlock"], ["daily", "once"])
  func `a snooze that never fires keeps the day's match on the truth track`(line: String, repeats: String)
    throws
  {
    let caps = line == "unlock" ? "policy: {lifetimeCap: {a: 1}}" : ""
    let run = try PlatformRun(
      """
      for: 2 days
      \(caps)
      reminders: {a: {when: unlock, repeat: \(repeats), notify: {title: a, bucket: user}}}
      timeline:
        - 08:00 unlock
        - 08:01 \(line)
        - 08:02 snooze a for 1 h
        - 09:30 notifications authorized
        - 10:00 unlock
      expect: [{exact: [a at 08:00]}]
      """)
    run.expectSound()
    #expect(try run.account("a").notObserved.isEmpty, "nothing is due at ten")
    #expect(try run.account("a").dueRequests == 2, "the unlock's, and the snooze's")
  }

  @Test func `a failed request of one trigger releases that trigger's match`() throws {
    let run = try PlatformRun(
      """
      for: 1 day
      reminders:
        a: {when: [every sunday 12:00 ahead 2, unlock], repeat: daily, notify: {title: a, bucket: user}}
      timeline:
        - 08:00 unlock
        - 08:10 deny notifications
        - 08:20 next add fails
        - 08:30 grant notifications
        - 10:00 unlock
      expect: [{exact: [a at 08:00]}, a is lost to addFailed once]
      """)
    run.expectSound()
    #expect(try run.account("a").notObserved.isEmpty, "the day has had its match, at eight")
  }
}

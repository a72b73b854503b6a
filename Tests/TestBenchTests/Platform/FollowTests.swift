import PlatformRuns
import Testing

@testable import TestBench

/// Tests plans and accounts after late deliveries, a charger that is connected later, withdrawals by the
/// person, and removals by the system.
@Suite struct FollowTests {
  /// The stories with their profiles and expected results.
  private static let stories: [(name: String, story: String, expected: String)] = [
    (
      "intervals count from the delivery of a phone that was off",
      """
      for: 1 day
      reminders:
        p: {when: every day 10:00 ahead 3, notify: {title: P}}
        a: {when: unlock, repeat: always, notify: {title: A}}
      policy: {typeDailyCap: none, dailyCap: none, quietHours: none, minimumInterval: 4 h}
      timeline: [09:00 power off, 13:00 power on, 16:59 unlock, 17:00 unlock]
      """,
      "p fires once at 13:00, a is denied by minimumInterval once at 16:59, a fires once at 17:00"
    ),
    (
      "intervals count from the delivery of an inexact alarm",
      """
      for: 1 day
      profile: android
      knobs: {deliveryLatenessFrom: 54}
      reminders:
        p: {when: every day 10:00 ahead 1, notify: {title: P}}
        a: {when: open, repeat: always, notify: {title: A}}
      policy: {typeDailyCap: none, dailyCap: none, quietHours: none, minimumInterval: 4 h}
      timeline: [14:30 open, 14:31 leave]
      """,
      "p fires once at 10:54, a is denied by minimumInterval once at 14:30"
    ),
    (
      "intervals count from a delivery that the app observes at its next run",
      """
      for: 1 day
      profile: ios
      phone: {notifications: authorized}
      knobs: {presentsInForeground: true}
      reminders:
        p: {when: every day 10:00 ahead 3, notify: {title: P}}
        a: {when: open, repeat: always, notify: {title: A}}
      policy: {typeDailyCap: none, dailyCap: none, quietHours: none, minimumInterval: 4 h}
      timeline: [07:01 open, 07:02 leave, 13:59 open, 13:59:30 leave, 14:01 open, 14:02 leave]
      """,
      "p fires once at 10:00, a is denied by minimumInterval once at 13:59, a fires once at 14:01"
    ),
    (
      "plans with a condition on charging follow the charger",
      """
      for: 1 day
      reminders:
        a: {when: every day 10:00 ahead 3, if: charging, notify: {title: A, bucket: user}}
        b: {when: every day 10:00, if: charging, notify: {title: B, bucket: user}}
      timeline: [07:01 open, 07:02 leave, 08:00 plug in]
      """,
      "a fires once at 10:00, b fires once at 10:00"
    ),
    (
      "a second cancellation of all requests has no further effect",
      """
      for: 6 days
      reminders: {a: {when: every day 18:00 ahead 3, notify: {title: A, bucket: user}}}
      timeline: [07:01 open, 07:02 leave, 12:00 cancel all, 12:01 cancel all]
      """,
      "{exact: [a at 2026-03-05 18:00, a at 2026-03-06 18:00, a at 2026-03-07 18:00]}"
    ),
    (
      "Android has no scheduled summary",
      """
      for: 16 h
      profile: android
      knobs: {exactAlarms: granted}
      reminders:
        a: {when: every day 10:00 ahead 3, notify: {title: A, bucket: user}}
        c: {when: every day 10:30 ahead 3, notify: {title: C, bucket: critical}}
      timeline: [07:01 open, 07:02 leave, 07:03 summary on]
      """,
      "a fires once at 10:00, c fires once at 10:30"
    ),
    (
      "a notification held for the summary is lost with the permission",
      """
      for: 16 h
      profile: ios
      reminders: {a: {when: every day 10:00 ahead 3, notify: {title: A, bucket: user}}}
      timeline: [07:01 open, 07:02 leave, 07:03 summary on, 17:00 deny notifications]
      """,
      "a never"
    ),
    (
      "a new installation does not count as an opt-out",
      """
      for: 90 days
      profile: ios
      reminders: {a: {when: every day 10:00 ahead 5, notify: {title: A, bucket: user}}}
      timeline:
        [07:01 open, 07:02 leave, day 3 08:00 reinstall, 08:01 open, 08:02 prompt authorized, 08:03 leave]
      """,
      "disableRate = 0 %"
    ),
    (
      "a time that a journey west repeats is delivered again",
      """
      for: 1 day
      profile: ios
      reminders: {a: {when: every day 12:00 ahead 2, notify: {title: A, bucket: user}}}
      timeline:
        [12:30 open, 12:31 leave, 14:00 travel to America/New_York, 2026-03-02 08:30 open, 08:31 leave]
      """,
      "a fires 2 times at 12:00 on 2026-03-02"
    ),
    (
      "an occurrence that a journey moves to the instant of another stays separate",
      """
      for: 60 h
      reminders: {a: {when: every 4 h from 08:10 until 20:50 ahead 4, notify: {title: A, bucket: user}}}
      timeline: [21:00 travel to Indian/Chagos]
      """,
      "{exact: [a at 2026-03-02 08:10, a at 2026-03-02 12:10, a at 2026-03-02 16:10, a at 2026-03-02 20:10,"
        + " a at 2026-03-03 08:10, a at 2026-03-03 12:10, a at 2026-03-03 16:10, a at 2026-03-03 20:10,"
        + " a at 2026-03-04 08:10, a at 2026-03-04 12:10, a at 2026-03-04 16:10, a at 2026-03-04 20:10]}"
    ),
    (
      "an app that was in front when the phone was locked observes its unlock",
      """
      for: 1 day
      profile: android
      reminders: {a: {when: unlock, repeat: always, notify: {title: A, bucket: user}}}
      timeline: [10:00 open, 10:05 lock, 10:06 unlock, 11:00 lock, 11:10 unlock]
      """,
      "{exact: [a at 2026-03-02 10:06, a at 2026-03-02 11:10]}"
    ),
    (
      "a phone is not in two places",
      """
      for: 1 day
      places: {shop: {at: [52.52, 13.405], radius: 150 m}, home: {at: [52.50, 13.39], radius: 150 m}}
      reminders:
        xh: {when: exit home, repeat: always, notify: {title: X, bucket: user}}
        h: {when: enter home, repeat: always, notify: {title: H, bucket: user}}
      timeline: [08:00 at home, 09:00 enter shop, 10:00 at home]
      """,
      "xh fires once at 09:00, h fires once at 10:00"
    ),
  ]

  @Test(arguments: stories.indices)
  func `each event has the expected result`(_ index: Int) throws {
    let story = Self.stories[index]
    try PlatformRun("\(story.story)\nexpect: [\(story.expected)]\n").expectSound("\(story.name)")
  }
}

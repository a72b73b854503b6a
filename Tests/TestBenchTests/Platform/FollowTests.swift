@testable import TestBench
import Testing

/// Plans and accounts follow what happens: late deliveries, chargers that come later, what the person takes back, and
/// what the system takes away.
@Suite struct FollowTests {
  /// What happens on which profile, and what comes of it.
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
      "intervals count from a delivery that the app learns of at its next run",
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
      "what is planned for a charger follows it",
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
      "taking everything back once more takes nothing more",
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
      "what waits for the summary goes with the permission",
      """
      for: 16 h
      profile: ios
      reminders: {a: {when: every day 10:00 ahead 3, notify: {title: A, bucket: user}}}
      timeline: [07:01 open, 07:02 leave, 07:03 summary on, 17:00 deny notifications]
      """,
      "a never"
    ),
    (
      "a new installation is nobody's wish for less",
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
      "nobody is in two places",
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
  func `what comes of it is what happened`(_ index: Int) throws {
    let story = Self.stories[index]
    try PlatformRun("\(story.story)\nexpect: [\(story.expected)]\n").expectSound("\(story.name)")
  }
}

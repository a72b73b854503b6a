import PlatformRuns
import Testing

@testable import Statistics
@testable import TestBench

/// Tests minimal stories that reproduce defects found by ``AnyRunTests``.
@Suite struct AnyRunExamples {
  @Test func `a denied request that a journey moves past its reminder's end is not due`() throws {
    let run = try PlatformRun(
      """
      for: 4 days
      profile: ideal
      reminders:
        a: {when: every day 13:00 ahead 3, repeat: always, expires: 2026-03-04T14:00, notify: {title: A, bucket: user}}
      timeline:
        [07:01 deny notifications, 07:02 terminate, 07:03 open, 07:04 leave, day 2 20:00 travel to America/New_York]
      expect: [a never]
      """)
    run.expectSound()
    #expect(try run.account("a").dueRequests == 2)
  }

  @Test func `a delivery at a repeated local time at which nothing was due is not a duplicate`() throws {
    // The app's cancellations are lost, and the journey repeats 11:59 of the same day.
    let run = try PlatformRun(
      """
      for: 2 days
      profile: ideal
      reminders:
        a: {when: every day 11:59 ahead repeating, if: charging, notify: {title: A, bucket: user}}
      timeline:
        [08:47 cancel all, 12:44 plug in, 15:00 store lost, 20:47 reboot, day 2 15:08 travel to America/New_York]
      expect: [a fires 2 times]
      """)
    run.expectSound()
    #expect(try run.account("a").delivered == 2)
    #expect(try run.account("a").deliveredDue == 0)
  }

  @Test func `the plans of one installation are not due in the next one`() throws {
    let run = try PlatformRun(
      """
      for: 6 days
      profile: ideal
      reminders: {a: {when: 'closed for 2, 4 days at 18:00', repeat: always, notify: {title: A, bucket: user}}}
      timeline: [07:01 open, 07:02 leave, day 2 12:00 reinstall]
      expect: [{exact: [a at 2026-03-05 18:00, a at 2026-03-07 18:00]}]
      """)
    run.expectSound()
    #expect(try run.account("a").dueRequests == 2)
  }

  @Test func `opening the app after a reboot unlocks the phone and makes the store readable`() throws {
    let run = try PlatformRun(
      """
      for: 1 day
      profile: ios
      reminders:
        a: {when: open, repeat: always, notify: {title: A, bucket: user}}
      timeline: [08:00 reboot, 09:00 open, 12:00 unlock]
      expect: [{exact: [a at 09:00]}]
      knobs: {presentsInForeground: true}
      """
    )
    run.expectSound()
    #expect(try run.account("a").requests == 1)
  }

  @Test func `events observed while the store is locked are processed when it becomes readable`() throws {
    // The enter starts a process that runs for ten seconds from 08:33:07.
    let run = try PlatformRun(
      """
      for: 2 days
      profile: ios
      places: {home: {at: [52.52, 13.405], radius: 150 m}}
      reminders:
        a: {when: every day 10:00 ahead repeating, notify: {title: A, bucket: user}}
        b: {when: exit home, notify: {title: B, bucket: user}}
      timeline:
        [07:01 open, 07:02 leave, 08:00 store lost, 08:01 reboot, 08:30 enter home, 08:33:09 deny notifications,
         08:33:11 grant notifications, 12:00 unlock, 12:01 exit home]
      expect: [a fires once]
      """
    )
    run.expectSound()
    #expect(try run.account("a").unfounded == 0, "its time is to come")
  }

  @Test func `a new installation starts with an empty state, even before the first unlock`() throws {
    try PlatformRun(
      """
      for: 1 day
      profile: ios
      reminders: {a: {when: open, notify: {title: A, bucket: user}}}
      timeline:
        [08:00 open, 08:01 leave, 09:00 reboot, 10:00 reinstall, 10:01 force quit, 11:00 unlock,
         11:01 grant notifications, 12:00 snooze a for 90 min]
      expect: [{exact: []}]
      """
    ).expectSound()
  }

  /// While it is off, the phone moves to a zone in which 18:00 is later. At the origin, 18:00 has already
  /// passed.
  @Test(arguments: [
    ("cancel a", "{exact: []}"),
    ("snooze a until 20:00", "{exact: [a at 2026-03-02 20:00]}"),
    ("snooze a for 1 h", "{exact: [a at 2026-03-02 18:00]}"),
  ])
  func `a request that a journey postpones can be withdrawn`(command: String, expected: String) throws {
    try PlatformRun(
      """
      for: 1 day
      profile: ios
      reminders: {a: {when: every day 18:00 ahead 1, notify: {title: A, bucket: user}}}
      timeline:
        [07:01 open, 07:02 leave, 17:00 power off, 17:30 travel to America/New_York, 14:00 power on, 14:04 unlock,
         14:05 open, 14:06 \(command), 14:07 leave]
      expect: [\(expected)]
      """
    ).expectSound()
  }
}

import PlatformRuns
import Statistics
import Testing

/// Tests that the engine evaluates the conditions of a deferred request again at its release. The conditions
/// concern charging, weekday, time of day and place.
@Suite struct ReleaseConditionTests {
  private static func story(_ condition: String, _ line: String, _ expect: String) -> String {
    """
    for: 2 days
    profile: ideal
    places: {home: {at: [52.5, 13.4], radius: 150 m}}
    policy: {quietHours: 22:00-07:00}
    reminders:
      a: {when: unlock, if: \(condition), repeat: once, notify: {title: A, bucket: user}}
    timeline:
      - "day 5 20:00 at [52.5, 13.4]"
      - 20:01 plug in
      - 23:00 unlock
      \(line)
    expect: [a is deferred by quietHours once until 07:00, \(expect)]
    """.replacing("for: 2 days", with: "for: 7 days")
  }

  /// Each pair consists of a condition and a line that makes it fail before the release on Saturday morning.
  /// An empty line changes nothing.
  @Test(
    arguments: [
      ("charging", ""), ("charging", "- 23:05 unplug"), ("'on friday, saturday'", ""), ("weekdays", nil),
      ("between 20:00 and 08:00", ""), ("after 20:00", nil), ("inside home", ""),
      ("inside home", "- \"23:30 at [53.5, 13.4]\""), ("outside home", nil),
    ] as [(String, String?)])
  func `a deferred request is released if its conditions hold, and is lost otherwise`(
    condition: String, line: String?
  ) throws {
    if condition == "outside home" {
      let away = Self.story("outside home", "", "a fires once at 07:00 on day 6")
        .replacing("20:00 at [52.5, 13.4]", with: "20:00 at [53.5, 13.4]")
      try PlatformRun(away).expectSound()
      try PlatformRun(
        away.replacing("23:00 unlock", with: "23:00 unlock\n  - \"23:30 at [52.5, 13.4]\"")
          .replacing("a fires once at 07:00 on day 6", with: "a never, a is lost to staleAtRelease once")
      ).expectSound()
      return
    }
    let holds = line == ""
    let ending = holds ? "a fires once at 07:00 on day 6" : "a never, a is lost to staleAtRelease once"
    try PlatformRun(Self.story(condition, line ?? "", ending)).expectSound("\(condition) \(line ?? "")")
  }

  /// Combines a trigger whose request is deferred with changes that withdraw the request and restore it. The
  /// changes affect its condition, a permission or a preference.
  @Test(
    arguments: ["unlock", "on 2026-03-03 22:30", "every day 22:30 ahead 1", "closed for 1 days at 22:30"],
    [
      ("set done = true", "set done = false"), ("deny notifications", "grant notifications"),
      ("turn off a", "turn on a"),
    ])
  func `a withdrawn request is released if it is allowed again before quiet hours end`(
    trigger: String, change: (gone: String, back: String)
  ) throws {
    for (time, fires) in [
      ("day 2 23:30", "a fires once at 07:00 on day 3"), ("day 3 07:30", "a never on day 3"),
    ] {
      try PlatformRun(
        """
        for: 53 h
        profile: ideal
        facts: {done: false}
        reminders:
          a: {when: \(trigger), withdraw: done is true, notify: {title: A, bucket: user}}
        timeline:
          - 20:00 open
          - 20:01 leave
          - day 2 22:30 unlock
          - day 2 23:00 \(change.gone)
          - day 2 23:10 reboot
          - \(time) \(change.back)
        expect: [\(fires), a is deferred by quietHours at least once]
        """
      ).expectSound("\(trigger), \(change.back) at \(time)")
    }
  }

  @Test(arguments: ["unlock", "on 2026-03-02 22:30"])
  func `a notification deferred past the end of a snooze fires once`(trigger: String) throws {
    try PlatformRun(
      """
      for: 2 days
      reminders: {a: {when: \(trigger), notify: {title: A, bucket: user}}}
      timeline: [22:30 unlock, 23:00 snooze a for 30 min]
      expect: [{exact: [a at 07:00 on day 2]}]
      """
    ).expectSound("\(trigger)")
  }

  @Test func `a request that the person cancelled stays cancelled when notifications are allowed again`()
    throws
  {
    for line in ["cancel all", "cancel a"] {
      try PlatformRun(
        """
        for: 2 days
        reminders: {a: {when: unlock, notify: {title: A, bucket: user}}}
        timeline: [22:30 unlock, 23:00 \(line), 23:10 deny notifications, 23:20 grant notifications]
        expect: [a never]
        """
      ).expectSound("\(line)")
    }
  }

  @Test func `an occurrence at the end of the schedule is excluded, and one a second before is included`()
    throws
  {
    let story = """
      for: 1 day
      profile: ideal
      reminders:
        a: {when: every day 09:00, repeat: always, expires: 2026-03-02T09:00, notify: {title: A, bucket: user}}
        b: {when: every day 09:00, repeat: always, expires: 2026-03-02T09:00:01, notify: {title: B, bucket: user}}
        c: {when: every day 09:00 ahead 2, repeat: always, expires: 2026-03-02T09:00, notify: {title: C, bucket: user}}
        d: {when: unlock, repeat: always, expires: 2026-03-02T09:00, notify: {title: D, bucket: user}}
        e: {when: unlock, repeat: always, expires: 2026-03-02T09:00:01, notify: {title: E, bucket: user}}
      timeline: [08:00 unlock, 09:00 unlock]
      expect:
        - exact: [d at 08:00, e at 08:00, b at 09:00, e at 09:00]
        - a never
        - c never
      """
    try PlatformRun(story).expectSound()
  }

  /// Case 28 of the cap semantics: a deferral follows the quiet hours at the phone's location, even if the
  /// system already holds the request. The app observes the journey when it is opened at the destination.
  @Test(
    arguments: [
      ("America/New_York", "2026-03-02T17:31", "17:31 on 2026-03-02"),
      // The system has already delivered the notification.
      ("Asia/Tokyo", "2026-03-03T07:31", "07:30 on 2026-03-03"),
      // It is 10:30 in Reykjavik, so quiet hours last until the morning.
      ("Atlantic/Reykjavik", "2026-03-02T22:31", "07:00 on 2026-03-03"),
    ])
  func `after a journey, the release follows the local time at the destination`(
    zone: String, told: String, time: String
  )
    throws
  {
    let run = try PlatformRun(
      """
      for: 2 days
      profile: ios
      knobs: {presentsInForeground: true, jumpedOverShown: true}
      reminders: {a: {when: open, notify: {title: a, bucket: user}}}
      timeline: [23:00 open, 23:01 leave, 23:30 travel to \(zone), "\(told) open"]
      expect: [a fires once at \(time), a is deferred by quietHours once until 07:00]
      """)
    run.expectSound("\(zone)")
    let account = try run.account("a")
    #expect(account.requests == 1 && account.admitted == 1 && account.delivered == 1 && account.held == 0)
    #expect(account.unfounded == 0 && account.notObserved.isEmpty)
  }

  @Test func `the request is released immediately if the app observes the journey immediately`() throws {
    for (zone, time) in [
      ("America/New_York", "17:30"), ("Asia/Tokyo", "07:30"), ("Atlantic/Reykjavik", "07:00"),
    ] {
      let run = try PlatformRun(
        """
        for: 2 days
        reminders: {a: {when: unlock, notify: {title: a, bucket: user}}}
        timeline: [23:00 unlock, 23:30 travel to \(zone)]
        expect: [a fires once at \(time), a is deferred by quietHours once]
        """)
      run.expectSound("\(zone)")
    }
  }
}

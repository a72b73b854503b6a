import CivilTime
import DeviceSimulation
import Journal
import PlatformRuns
import Simulation
import Testing
import TriggerModel

/// Tests snoozes in complete runs, including cases 63 to 65 of the cap semantics.
@Suite("Snoozes")
struct SnoozeTests {
  /// Returns a story of a plant that needs water on 31 January at 09:00, seven days after the last watering.
  private static func story(
    profile: String, _ timeline: [String], days: Int = 40, policy: String = "quietHours: none",
    expect: [String]
  ) -> String {
    """
    kind: scenario
    version: 1
    title: test
    start: 2026-01-30T12:00
    zone: Europe/Berlin
    for: \(days) days
    profile: \(profile)
    policy: {\(policy)}
    facts: {watered: 2026-01-24T18:00}
    reminders: {water: {when: 7 days after watered at 09:00, notify: {title: Water, bucket: user}}}
    timeline:
    \((["12:01 open", "12:02 leave"] + timeline).map { "  - " + $0 }.joined(separator: "\n"))
    expect:
    \(expect.map { "  - " + $0 }.joined(separator: "\n"))
    """
  }

  @Test func `case 63: a snooze that ends in quiet hours moves to their end, as a user request`() throws {
    // The snooze would end at 23:00, so the request is deferred to 07:00 the next morning. The daily cap does
    // not apply to the user bucket.
    let run = try PlatformRun(
      whole: Self.story(
        profile: "ios", ["day 2 10:00 open", "day 2 10:01 snooze water until 23:00", "day 2 10:02 leave"],
        policy: "quietHours: 22:00-07:00, dailyCap: 0",
        expect: [
          "{exact: [water at 09:00 on 2026-01-31, water at 07:00 on 2026-02-01]}",
          "water is deferred by quietHours until 07:00",
        ]))
    run.expectSound()
    // A window is half-open: it contains its start but not its end.
    for (until, at) in [("day 3 07:00", "07:00"), ("day 3 06:59", "07:00"), ("22:00", "07:00")] {
      try PlatformRun(
        whole: Self.story(
          profile: "ideal", ["day 2 10:01 snooze water until \(until)"], policy: "quietHours: 22:00-07:00",
          expect: ["water fires once at \(at) on 2026-02-01", "water fires twice"])
      ).expectSound("\(until)")
    }
    try PlatformRun(
      whole: Self.story(
        profile: "ideal", ["day 2 10:01 snooze water until 21:59"], policy: "quietHours: 22:00-07:00",
        expect: ["water fires once at 21:59 on 2026-01-31", "water deferred = 0"])
    ).expectSound()
  }

  @Test(arguments: ["ideal", "ios"])
  func `case 64: thirty days after 31 January is 2 March`(profile: String) throws {
    for (words, time) in [
      ("for 720 h", "10:01 on 2026-03-02"), ("until 2026-02-28 10:01", "10:01 on 2026-02-28"),
      ("for 72 h", "10:01 on 2026-02-03"), ("for 168 h", "10:01 on 2026-02-07"),
      ("for 336 h", "10:01 on 2026-02-14"),
    ] {
      try PlatformRun(
        whole: Self.story(
          profile: profile, ["day 2 10:00 open", "day 2 10:01 snooze water \(words)", "day 2 10:02 leave"],
          expect: ["{exact: [water at 09:00 on 2026-01-31, water at \(time)]}"])
      ).expectSound("\(words) on \(profile)")
    }
  }

  @Test(arguments: ["ideal", "ios"])
  func `case 65: a snooze replaces the request, so only one is pending`(profile: String)
    throws
  {
    // The first snooze precedes the notification, and the second follows it.
    let timeline = [
      "day 2 08:00 open", "day 2 08:02 snooze water for 72 h", "day 2 08:03 leave",
      "day 5 10:00 open", "day 5 10:02 snooze water until 2026-03-05 09:00", "day 5 10:03 leave",
    ]
    let text = Self.story(
      profile: profile, timeline,
      expect: ["{exact: [water at 08:02 on 2026-02-03, water at 09:00 on 2026-03-05]}"])
    let run = try PlatformRun(whole: text)
    run.expectSound(Comment(rawValue: profile))

    // The notification is visible from the morning of the fifth day until the next snooze, and again at the
    // end of that snooze.
    let shown = try Instant(iso8601: "2026-02-03T07:02:00Z")..<Instant(iso8601: "2026-02-03T09:02:00Z")
    let over = try Instant(iso8601: "2026-03-05T08:00:00Z")
    var snoozes = 0
    for (instant, pending, hasSnoozed) in Self.pending(in: run.program) {
      if hasSnoozed { snoozes += 1 }
      if snoozes == 0 { continue }
      #expect(pending == (shown.contains(instant) || instant >= over ? 0 : 1), "\(instant)")
    }
    #expect(snoozes == 2)
  }

  @Test(arguments: ["ideal", "ios"])
  func `case 65: a snoozed reminder can be snoozed again`(profile: String) throws {
    let run = try PlatformRun(
      whole: Self.story(
        profile: profile,
        [
          "day 2 10:00 open", "day 2 10:01 snooze water for 3 h", "day 2 10:02 snooze water for 72 h",
          "day 2 10:03 leave",
        ], expect: ["{exact: [water at 09:00 on 2026-01-31, water at 10:02 on 2026-02-03]}"]))
    run.expectSound(Comment(rawValue: profile))
    for (instant, pending, _) in Self.pending(in: run.program) { #expect(pending <= 1, "\(instant)") }
  }

  @Test(arguments: ["ideal", "ios"])
  func `a snooze until the next occurrence delivers once`(profile: String) throws {
    let text = Self.story(
      profile: profile,
      ["day 2 10:00 open", "day 2 10:01 snooze water until 2026-02-02 09:00", "day 2 10:02 leave"],
      days: 5,
      expect: [
        "{exact: [water at 09:00 on 2026-01-31, water at 09:00 on 2026-02-02, water at 09:00 on 2026-02-03, "
          + "water at 09:00 on 2026-02-04]}"
      ])
    try PlatformRun(whole: text.replacing("7 days after watered at 09:00", with: "every day 09:00 ahead 5"))
      .expectSound(Comment(rawValue: profile))
  }

  /// Returns the number of pending requests after each instant, and whether the person snoozed at that
  /// instant. Events of one instant are a transaction, so only their combined result is visible.
  private static func pending(in program: Program) -> [(instant: Instant, pending: Int, hasSnoozed: Bool)] {
    var world = World(program: program, engine: program.makeEngine())
    var journal = RecordingSink()
    world.run(into: &journal)
    var found: [(instant: Instant, pending: Int, hasSnoozed: Bool)] = []
    var pending = 0
    for record in journal.records {
      if found.last?.instant != record.instant { found.append((record.instant, pending, false)) }
      switch record.body {
      case .happened(.snooze), .happened(.snoozeUntil): found[found.count - 1].hasSnoozed = true
      case .outcome(.reserved): pending += 1
      case .outcome(.delivered), .outcome(.removed): pending -= 1
      default: break
      }
      found[found.count - 1].pending = pending
    }
    return found
  }

  /// The app's list offers a snooze for a reminder that was overdue before the run, or whose notification was
  /// lost while notifications were disabled.
  @Test(arguments: ["ideal", "ios"])
  func `a reminder without a notification can be snoozed`(profile: String) throws {
    let late = Self.story(
      profile: profile, ["12:03 open", "12:04 snooze water for 1 day", "12:05 leave"],
      expect: [
        "today on day 1 at 12:02 shows water overdue", "today on day 2 at 08:00 shows water today",
        "water fires once at 12:04 on 2026-01-31", "water fires once",
      ]
    ).replacing("2026-01-24T18:00", with: "2026-01-20T18:00")
    try PlatformRun(whole: late).expectSound()
    let lost = Self.story(
      profile: profile,
      [
        "12:10 notifications denied", "day 2 10:00 notifications authorized", "day 2 10:01 open",
        "day 2 10:02 snooze water for 3 days", "day 2 10:03 leave",
      ], expect: ["water fires once at 10:02 on 2026-02-03", "water fires once"])
    try PlatformRun(whole: lost).expectSound()
  }

  @Test func `a single date within a snooze is delivered when the snooze ends, scheduled or not`() throws {
    for when in ["on 2026-02-02 at 09:00", "on 2026-02-02 at 09:00 ahead 1", "7 days after watered at 09:00"]
    {
      let story = Self.story(
        profile: "ideal", ["12:03 open", "12:04 snooze water for 5 days", "12:05 leave"],
        expect: [
          "upcoming on day 2 at 08:00 shows 1 entry",
          "water fires once at 12:04 on 2026-02-04", "water fires once",
        ]
      ).replacing("when: 7 days after watered at 09:00", with: "when: \(when)")
      try PlatformRun(whole: story).expectSound("\(when)")
    }
  }

  @Test func `a snooze that ends before the due time has no effect`() throws {
    try PlatformRun(
      whole: Self.story(
        profile: "ideal", ["12:03 open", "12:04 snooze water for 12 h", "12:05 leave"],
        expect: [
          "upcoming on day 1 at 13:00 shows 1 entry",
          "upcoming on day 2 at 08:00 shows water today, nothing overdue",
          "water fires once at 09:00 on 2026-01-31", "water fires once",
        ])
    ).expectSound()
  }
}

import PlatformRuns
import ScenarioModel
import Simulation
import Testing
import TextFormats
import TriggerModel

@testable import Statistics
@testable import TestBench

/// Tests plans, limits and offers in complete runs.
@Suite struct PlanRunTests {
  private static let setup = """
    for: 10 days
    plans:
      free: {reminders: 2, triggers: [unlock, time]}
      paid: {products: {monthly: month}}
    subscription: {start: free}
    reminders:
      a: {when: unlock, if: after 20:00, notify: {title: A, bucket: user}}
      b: {when: unlock, repeat: always, notify: {title: B, bucket: user}}
      c: {exists: later, when: unlock, repeat: always, notify: {title: C, bucket: user}}
      d: {exists: later, when: every day 09:00 ahead 3, notify: {title: D, bucket: user}}
      e: {exists: later, when: charging starts, repeat: always, notify: {title: E, bucket: user}}
    surfaces:
      paywall: {unlockedBy: plan is paid, shownWhen: refused}

    """

  private func run(_ timeline: String..., expecting: [String]) throws -> PlatformRun {
    try run(timeline, expecting: expecting)
  }

  private func run(_ timeline: [String], expecting: [String]) throws -> PlatformRun {
    try PlatformRun(
      Self.setup + "timeline:\n" + timeline.map { "  - \($0)\n" }.joined() + "expect:\n"
        + expecting.map { "  - \($0)\n" }.joined())
  }

  @Test func `each offer without a preceding refusal has a warning that states the broken rule`() throws {
    let run = try PlatformRun(
      """
      for: 4 days
      plans:
        free: {reminders: 1}
        paid: {products: {monthly: month}}
      subscription: {start: free}
      surfaces: {paywall: {unlockedBy: plan is paid, shownWhen: refused}}
      reminders:
        a: {exists: later, when: unlock, notify: {title: A, bucket: user}}
        b: {exists: later, when: unlock, notify: {title: B, bucket: user}}
      timeline:
        - 08:00 open
        - 08:00 show paywall
        - 08:01 not now
        - 08:02 show paywall
        - 08:03 not now
        - 08:04 create a
        - 08:05 show paywall
        - 08:06 not now
        - 08:07 create b
        - 08:08 not now
        - 08:09 show paywall
        - 08:09:30 not now
        - 08:10 leave
        - 09:00 open
        - 09:00 show paywall
      expect: [surface paywall is unasked 4 times]
      """)
    run.expectSound()
    let told = run.result.warnings.map { "\($0.excerpt ?? "") \($0.message)" }
    #expect(
      told == [
        "  - 08:00 show paywall this offer is misplaced: the app shows it on its first launch",
        "  - 08:02 show paywall this offer is misplaced: the app shows it before there was a reminder",
        "  - 08:05 show paywall this offer is misplaced: the app shows it although nothing was refused since it was "
          + "opened", "  - 09:00 show paywall this offer is misplaced: the app shows it when it is opened",
      ])
  }

  @Test func `an explanation suggests the plan for a reminder that the plan deactivates`() throws {
    let run = try PlatformRun(
      """
      for: 2 days
      plans:
        free: {reminders: 1}
        paid: {products: {monthly: month}}
      subscription: {start: free}
      reminders:
        a: {when: unlock, if: after 20:00, notify: {title: A, bucket: user}}
        b: {when: unlock, notify: {title: B, bucket: user}}
      timeline: [10:00 unlock]
      policy: {quietHours: none}
      expect: [b is not requested because notEntitled once at 10:00]
      """)
    run.expectSound()
    let answer = try #require(
      try Explainer(run.program).explain(ReminderID(1), at: run.program.scenario.start + .minutes(180)))
    #expect(
      answer.smallestChange.hasSuffix("09:59 set plan = paid"), "\(answer.smallestChange)")
  }

  @Test func `a reminder beyond the limit is inactive until another one fires or is deleted`() throws {
    try run(
      "08:00 open", "08:10 create c", "08:20 leave", "09:00 unlock", "21:00 unlock", "21:10 unlock",
      expecting: [
        "creating c is refused once at 08:10", "c is not requested because notEntitled once at 09:00",
        "a fires once at 21:00", "c fires once at 21:10", "surface paywall is shown once at 08:10",
        "surface paywall is never unasked",
      ]
    ).expectSound()
    try run(
      "08:10 create c", "09:00 unlock", "09:10 delete b", "09:20 unlock",
      expecting: ["c is not requested because notEntitled once", "c fires once at 09:20"]
    ).expectSound()
  }

  @Test
  func `the end of a plan keeps the oldest reminders active, and a new purchase reactivates the others`()
    throws
  {
    try run(
      "08:00 buy monthly", "08:10 create c", "08:20 create d", "08:30 create e", "08:40 unlock",
      "09:30 plug in",
      "10:00 refund", "10:10 unlock", "10:20 unplug", "10:30 plug in", "day 3 10:00 buy monthly",
      "day 3 10:10 unlock", "day 3 10:20 unplug", "day 3 10:30 plug in",
      expecting: [
        "creating c is never refused", "creating e is never refused", "c fires once at 08:40",
        "d fires once at 09:00 on day 1", "e fires once at 09:30", "b fires once at 10:10 on day 1",
        "c is not requested because notEntitled once at 10:10 on day 1",
        "e is not requested because notEntitled once at 10:30 on day 1", "d never on day 2",
        "d never on day 3",
        "c fires once at 10:10 on day 3", "e fires once at 10:30 on day 3", "d fires once at 09:00 on day 4",
      ]
    ).expectSound()
  }

  @Test(arguments: [("create e", "plug in", "e"), ("create d", "unlock", "d")])
  func `the end of a plan withdraws snoozed requests, and a new purchase restores them`(
    _ create: String, _ occasion: String, _ reminder: String
  ) throws {
    let before = [
      "08:00 buy monthly", "08:05 create c", "08:10 \(create)", "09:00 \(occasion)",
      "09:30 snooze \(reminder) for 2 h", "10:00 refund",
    ]
    for (after, expected) in [
      ("12:00 lock", ["\(reminder) is lost to cancelled at least once at 10:00", "\(reminder) fires once"]),
      ("11:00 buy monthly", ["\(reminder) fires once at 11:30", "\(reminder) fires twice on day 1"]),
    ] {
      try run(before + [after], expecting: expected).expectSound()
    }
  }

  @Test func `an offer without a preceding refusal has a warning at any time`() throws {
    let run = try run(
      "08:00 open", "08:00 show paywall", "08:01 not now", "08:05 leave", "day 2 08:00 open",
      "day 2 08:00 show paywall", "day 2 08:05 not now", "day 2 08:10 create c", "day 2 08:11 not now",
      "day 2 08:12 show paywall", "day 2 08:13 follow paywall", "day 2 08:14 leave", "day 3 08:00 open",
      "day 3 15:00 show paywall",
      expecting: [
        "surface paywall is unasked once at 08:00 on day 1",
        "surface paywall is unasked once at 08:00 on day 2",
        "surface paywall is unasked once at 15:00 on day 3", "surface paywall is unasked 3 times",
        "surface paywall is shown 5 times", "surface paywall is dismissed 3 times",
        "surface paywall is followed once",
      ])
    run.expectSound()
  }
}

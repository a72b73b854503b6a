import PlatformRuns
import ScenarioModel
import TestSupport
import Testing
import TriggerModel

@testable import Statistics
@testable import TestBench

/// Tests milestones and locked surfaces in complete runs.
@Suite struct AppRunTests {
  private static let setup = """
    for: 40 days
    facts: {workouts.total: 0, account.signedIn: false, level: number}
    reminders:
      ask: {when: unlock, repeat: always, notify: {title: Ask, type: accountRegistration, bucket: user}}
      other: {when: charging starts, repeat: always, notify: {title: Other, bucket: user}}
    milestones:
      firstWorkout: {when: fact workouts.total changes, if: workouts.total >= 1, prime: first_workout}
      evening: {when: [open, unlock], if: after 20:00}
    surfaces:
      insights: {unlockedBy: account.signedIn is true, benefit: Your weeks, remindedBy: accountRegistration}
      coach: {unlockedBy: [account.signedIn is true, level >= 3]}

    """

  private func run(_ timeline: String..., expecting: [String], more: String = "") throws -> PlatformRun {
    try PlatformRun(
      Self.setup + more + "timeline:\n" + timeline.map { "  - \($0)\n" }.joined() + "expect:\n"
        + expecting.map { "  - \($0)\n" }.joined())
  }

  @Test func `case 80: the first workout is reached once per installation`() throws {
    let run = try run(
      "08:00 open", "08:10 set workouts.total = 1", "08:11 set workouts.total = 2", "09:00 terminate",
      "09:10 open", "09:20 set workouts.total = 3", "10:00 reboot", "10:10 unlock", "10:15 open",
      "10:20 set workouts.total = 4",
      expecting: [
        "milestone firstWorkout is reached once", "milestone firstWorkout is reached once at 08:10",
        "milestone evening is never reached",
      ])
    run.expectSound()
    let again = try self.run(
      "08:10 set workouts.total = 1", "day 2 08:00 reinstall", "day 2 08:10 set workouts.total = 2",
      "day 2 08:20 set workouts.total = 3",
      expecting: [
        "milestone firstWorkout is reached twice", "milestone firstWorkout is reached once at 08:10 on day 2",
      ])
    again.expectSound("a new install has a first workout of its own")
  }

  @Test func `a milestone is reached by any of its triggers if its condition holds`() throws {
    let run = try run(
      "08:00 set workouts.total = 0.5", "09:00 set workouts.total = 1", "19:00 unlock", "20:30 unlock",
      "20:40 open",
      expecting: [
        "milestone firstWorkout is reached once at 09:00", "milestone evening is reached once at 20:30",
      ])
    run.expectSound()
  }

  @Test func `a milestone shows a priming view only while the permission is undecided`() throws {
    let open = try run(
      "08:00 open", "08:10 set workouts.total = 1",
      expecting: ["priming first_workout is shown once at 08:10"],
      more: "phone: {notifications: notDetermined}\n")
    open.expectSound()
    let decided = try run(
      "08:00 open", "08:10 set workouts.total = 1", expecting: ["priming first_workout is never shown"])
    decided.expectSound()
    #expect(decided.accounts.ignored.isEmpty, "it is no mistake of the author's")
  }

  @Test func `milestones and surfaces make no requests to the engine under test`() throws {
    let run = try run(
      "08:00 open", "08:05 visit insights", "08:10 set workouts.total = 1", "09:00 cancel ask",
      "10:00 unlock", expecting: ["requests = 0"])
    run.expectSound()
  }

  @Test func `the overlay covers a locked surface but not an unlocked one`() throws {
    let run = try run(
      "08:00 visit insights",  // the app is not in front
      "08:05 open", "08:10 visit insights", "08:11 visit insights", "08:12 maybe later", "08:13 maybe later",
      "08:20 visit coach", "08:25 visit insights", "08:26 create account from coach",
      "08:27 create account from insights", "08:40 set account.signedIn = true", "08:45 visit insights",
      "08:50 visit coach", "09:00 set level = 3", "09:05 visit coach", "09:10 set level = 2",
      "09:15 visit coach", "09:20 terminate", "09:30 open", "09:31 maybe later",
      expecting: [
        "surface insights is shown 2 times", "surface insights is dismissed once at 08:12",
        "surface insights is followed once at 08:27", "surface coach is shown 3 times",
        "surface coach is unlocked once at 09:00", "surface insights is unlocked once at 08:40",
      ])
    run.expectSound()
    let (insights, coach) = (run.accounts.app.surfaces[0], run.accounts.app.surfaces[1])
    #expect(insights.leftOpen == 0 && coach.leftOpen == 3, "left for another, unlocked, ended")
    #expect(
      run.accounts.ignored == ["notInFront": 1, "alreadySo": 1, "nothingToSee": 3],
      "\(run.accounts.ignored)")
  }

  @Test
  func `an overlay can be acted on only while it is visible, and it waits for the person`()
    throws
  {
    let run = try run(
      "08:00 open", "08:01 visit insights", "08:02 leave", "08:03 create account from insights",
      "08:04 lock", "08:05 maybe later", "08:06 skip priming", "08:10 unlock", "08:11 open",
      "08:12 maybe later",
      expecting: [
        "surface insights is never followed", "surface insights is dismissed once at 08:12",
      ])
    run.expectSound()
    #expect(run.accounts.ignored == ["notInFront": 3], "\(run.accounts.ignored)")
  }

  @Test func `guest conversion counts reminded people who sign in within 7 days, like a gate`() throws {
    let cases: [(name: String, lines: [String], reminded: Int, converted: Int)] = [
      ("never reminded", ["10:00 set account.signedIn = true"], 0, 0),
      ("by another type", ["09:00 plug in", "10:00 set account.signedIn = true"], 0, 0),
      ("at once", ["09:00 unlock", "10:00 set account.signedIn = true"], 1, 1),
      ("on the last day", ["09:00 unlock", "day 8 09:00 set account.signedIn = true"], 1, 1),
      ("too late", ["09:00 unlock", "day 8 09:01 set account.signedIn = true"], 1, 0),
      (
        "of the first", ["09:00 unlock", "day 6 09:00 unlock", "day 12 09:00 set account.signedIn = true"],
        1, 0
      ),
      ("reminded when a member", ["08:00 set account.signedIn = true", "09:00 unlock"], 0, 0),
      (
        "a guest again counts once",
        [
          "09:00 unlock", "10:00 set account.signedIn = true", "11:00 set account.signedIn = false",
          "12:00 unlock",
        ], 1, 1
      ),
      ("in vain", ["09:00 unlock", "day 10 09:00 plug in"], 1, 0),
    ]
    let gate = "gates: [conversion of accountRegistration to account.signedIn within 7 days >= 10 %]\n"
    for (name, lines, reminded, converted) in cases {
      let run = try PlatformRun(
        Self.setup + gate + "timeline:\n" + lines.map { "  - \($0)\n" }.joined()
          + "expect: [requests >= 0]\n")
      let account = run.accounts.app.surfaces[0]
      #expect(account.remindedGuests == reminded && account.converted == converted, "\(name)")
      #expect(account.conversion == Ratio(converted, of: reminded), "\(name)")
      #expect(
        run.result.gates.map { [$0.estimate.numerator, $0.estimate.denominator] } == [[converted, reminded]],
        "\(name)")
    }
    // A person who is reminded near the end of the run may still convert. Counting only people who have
    // already converted would bias the figure.
    for line in ["12:00 lock", "12:00 set account.signedIn = true"] {
      let open = try PlatformRun(
        Self.setup.replacing("40 days", with: "9 days") + gate
          + "timeline: [day 4 09:00 unlock, day 4 \(line)]\nexpect: [requests >= 0]\n")
      #expect(open.accounts.app.surfaces[0].remindedGuests == 1)
      #expect(open.accounts.app.surfaces[0].conversion == Ratio(0, of: 0))
      #expect(open.result.gates[0].estimate.denominator == 0 && open.result.gates[0].estimate.unknown == 1)
      #expect(open.result.gates[0].lack == "1 reminded person was not watched for 7 days")
    }
  }

  @Test func `accounts of surfaces add up, and conversions never exceed reminders`() throws {
    let actions = [
      "open", "leave", "terminate", "visit insights", "visit coach", "maybe later",
      "create account from insights", "create account from coach", "set account.signedIn = true",
      "set account.signedIn = false", "set level = 3", "unlock", "plug in", "unplug", "reinstall",
    ]
    var random = SplitMix64(seed: 7)
    for round in 0..<40 {
      var lines: [String] = []
      for minute in 0..<50 {
        lines.append("+\(minute + 1)min \(random.one(of: actions))")
      }
      let run = try PlatformRun(
        Self.setup + "timeline:\n" + lines.map { "  - \($0)\n" }.joined() + "expect: [requests >= 0]\n")
      run.expectSound("round \(round)")
      for (index, account) in run.accounts.app.surfaces.enumerated() {
        #expect(account.leftOpen >= 0, "round \(round), surface \(index)")
        #expect(account.converted <= account.remindedGuests, "round \(round), surface \(index)")
        let entries = run.accounts.app.entries.map(\.event)
        var isUnlocked = false
        for event in entries {
          if event == .surfaceUnlocked(.init(index)) { isUnlocked = true }
          if event == .surfaceLocked(.init(index)) { isUnlocked = false }
          if event == .surfaceShown(.init(index)) { #expect(!isUnlocked, "round \(round)") }
        }
      }
    }
  }
}

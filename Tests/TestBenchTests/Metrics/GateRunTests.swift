import PlatformRuns
import ScenarioModel
import Statistics
import Testing
import TriggerModel

@testable import TestBench

/// Tests the figures and verdicts of gates in runs.
@Suite("Gates of runs")
struct GateRunTests {
  /// Runs a scenario with a daily notification at 10:00 and the given time-line entries.
  private static func run(
    days: Int, gates: String, facts: String = "", timeline: String = "- 07:30 lock",
    expect: String = "a fires"
  ) throws -> ScenarioResult {
    try PlatformRun(
      """
      for: \(days) days
      facts: {signedIn: false, protein: 0\(facts)}
      reminders:
        a: {when: every day 10:00, notify: A}
        b: {when: every day 18:00, notify: {title: B, type: other}}
      gates: \(gates)
      timeline:
      \(timeline.split(separator: "\n").map { "  \($0)" }.joined(separator: "\n"))
      expect: [\(expect)]
      """
    ).result
  }

  private static func estimate(_ result: ScenarioResult, _ index: Int = 0) throws -> (Int, Int) {
    let gate = try #require(result.gates.indices.contains(index) ? result.gates[index] : nil)
    return (gate.estimate.numerator, gate.estimate.denominator)
  }

  @Test func `a share covers its reminder, its type, or all reminders`() throws {
    let result = try Self.run(
      days: 10,
      gates:
        "[tapThrough >= 25 %, tapThrough of a >= 25 %, acknowledgement of other >= 20 %, acknowledgement >= 20 %]",
      timeline: "- every day 10:05 tap a\n- every day 10:10 leave\n- day 3 18:05 dismiss b")
    #expect(try Self.estimate(result, 0) == (10, 20), "a dismissal speaks for all of its reminder")
    #expect(try Self.estimate(result, 1) == (10, 10))
    #expect(try Self.estimate(result, 2) == (1, 10))
    #expect(try Self.estimate(result, 3) == (11, 20))
    #expect(result.gates[1].verdict == .pass)
    #expect(result.passed)
  }

  @Test func `a conversion counts people who convert in time, too late, not yet, never or before`() throws {
    func converted(_ timeline: String, days: Int = 12, facts: String = "") throws -> (Int, Int) {
      // Only the first day has a notification. On the other days, only time passes.
      let text = """
        for: \(days) days
        facts: {signedIn: \(facts.isEmpty ? "false" : facts)}
        reminders: {a: {when: on day 1 10:00, notify: A}}
        gates: [conversion of a to signedIn within 7 days >= 10 %]
        timeline: [\(timeline)]
        expect: [a fires]
        """
      return try Self.estimate(try PlatformRun(text).result)
    }
    #expect(try converted("day 2 12:00 set signedIn = true") == (1, 1))
    #expect(try converted("day 8 10:00 set signedIn = true") == (1, 1), "the span's last instant")
    #expect(try converted("day 8 10:01 set signedIn = true") == (0, 1))
    #expect(try converted("day 2 12:00 lock") == (0, 1))
    #expect(try converted("day 2 12:00 lock", days: 5) == (0, 0), "it may still come")
    #expect(
      try converted("day 2 12:00 set signedIn = true", days: 5) == (0, 0),
      "nor does who is quick count sooner")
    #expect(try converted("day 2 12:00 lock", facts: "true") == (0, 0))
    #expect(try converted("08:00 set signedIn = true") == (0, 0), "before any notification")
  }

  @Test func `a lift compares whole days by the last value of each day`() throws {
    // The reminder is cancelled on day 11 and does not fire afterwards.
    let result = try Self.run(
      days: 31, gates: "[lift of protein by a >= 15 %, lift of unknown by a >= 15 %]",
      facts: ", unknown: number",
      timeline: """
        - every day 07:10 set protein = 0
        - every day 20:00 from day 1 until day 11 set protein = 120
        - every day 20:00 from day 11 set protein = 100
        - day 11 09:00 cancel a
        """)
    let gate = result.gates[0]
    #expect((gate.estimate.numerator, gate.estimate.denominator) == (120_000, 100_000))
    #expect(gate.estimate.value == 200_000)
    #expect(gate.verdict == .pass)
    // The run ends at 07:00 on day 32, before the value of that day is recorded.
    #expect(gate.figure == "20.0 % (mean 120.0 with, 100.0 without)")
    #expect(result.gates[1].lack?.hasPrefix("0 days with and 0 days without") == true)
  }

  @Test func `a daily fact has no value on a day on which it is not set`() throws {
    let result = try Self.run(
      days: 31, gates: "[lift of meals by a >= 15 %]", facts: ", meals: {initial: 0, endOfDay: 0}",
      timeline: """
        - every day 20:00 from day 1 until day 11 set meals = 120
        - day 11 09:00 cancel a
        - day 12 20:00 set meals = 80
        """)
    // Only one of twenty-one days has a value.
    #expect(result.gates[0].figure.hasSuffix("(mean 120.0 with, 3.8 without)"), "\(result.gates[0].figure)")
  }

  @Test func `weekly activity is counted with and without openings that may follow a notification`() throws {
    let result = try Self.run(
      days: 28, gates: "[weeklyActive >= 6 %, weeklyActive of b >= 6 %]",
      timeline: """
        - day 1 10:30 open
        - day 1 10:40 leave
        - day 8 12:00 open
        - day 8 12:10 leave
        - day 15 11:00 open
        - day 15 11:10 leave
        """)
    #expect(try Self.estimate(result, 0) == (3, 1), "within an hour of a, twice; the fourth week is idle")
    #expect(try Self.estimate(result, 1) == (3, 3))
    #expect(result.gates[0].evidence == .assumed)
    let silent = try Self.run(
      days: 7, gates: "[weeklyActive >= 6 %]", timeline: "- 08:00 cancel a\n- 08:01 cancel b\n- 12:00 open",
      expect: "a never")
    #expect(silent.gates[0].lack == "the denominator is 0")
  }

  @Test
  func `the disable rate counts months that begin with the permission, and those in which it is revoked`()
    throws
  {
    func months(_ timeline: String, days: Int = 75) throws -> (Int, Int) {
      try Self.estimate(try Self.run(days: days, gates: "[disableRate <= 10 %]", timeline: timeline))
    }
    #expect(try months("- 08:00 lock") == (0, 2), "the third month is not over")
    #expect(try months("- 08:00 lock", days: 29) == (0, 0))
    #expect(try months("- 08:00 lock", days: 30) == (0, 1), "as local days go, over the start of summer time")
    #expect(try months("- 08:00 lock", days: 31) == (0, 1))
    #expect(try months("- day 2 08:00 turn off other", days: 14) == (0, 0), "a month cut short")
    #expect(try months("- day 40 08:00 deny notifications") == (1, 2))
    #expect(try months("- day 10 08:00 turn off other\n- day 11 08:00 turn off other") == (1, 2))
    #expect(try months("- day 10 08:00 turn off other\n- day 70 08:00 turn off all notifications") == (1, 2))
    #expect(try months("- day 40 08:00 deny notifications\n- day 50 08:00 grant notifications") == (1, 2))
    let result = try Self.run(
      days: 75, gates: "[disableRate <= 10 %]",
      timeline: "- 08:00 deny notifications\n- day 2 08:00 grant notifications", expect: "disableRate <= 50 %"
    )
    #expect(try Self.estimate(result) == (1, 2))
    #expect(result.expectations[0].passed)
  }

  @Test func `the opt-in rate is the share of primed people who grant the permission at the prompt`()
    throws
  {
    func persons(_ timeline: String) throws -> (Int, Int) {
      let text = """
        for: 40 days
        phone: {notifications: notDetermined}
        reminders: {a: {when: every day 10:00, notify: A}}
        gates: [optIn >= 40 %]
        timeline: [07:30 open, \(timeline)]
        expect: [a fires]
        """
      return try Self.estimate(try PlatformRun(text).result)
    }
    let often =
      "every day 08:01 from day 1 until day 30 prime a, every day 08:02 from day 1 until day 30 skip priming"
    #expect(try persons(often) == (0, 1))
    #expect(try persons(often + ", day 31 08:03 prompt authorized") == (1, 1))
    #expect(try persons("08:00 prime a, 08:01 prompt denied") == (0, 1))
    #expect(try persons("08:00 prompt authorized") == (0, 0), "nobody was primed")
    #expect(try persons("08:00 prime a") == (0, 0), "nobody says what the person did")
    let text = """
      for: 5 days
      phone: {notifications: notDetermined}
      reminders: {a: {when: every day 10:00, notify: A}}
      gates: [optIn >= 40 %]
      timeline:
        - 08:00 open
        - 08:01 prime first_workout
        - 08:02 skip priming
        - day 3 08:00 prime first_workout
        - 08:01 prompt authorized
      expect: [optIn = 100 %]
      """
    let result = try PlatformRun(text).result
    #expect(try Self.estimate(result) == (1, 1))
    #expect(result.expectations[0].passed)
    #expect(result.gates[0].figure == "100.0 % (1 of 1 primed persons)")
  }

  @Test func `a gate that kills fails the run, unless the scenario expects this verdict`() throws {
    let gates = "['tapThrough >= 25 %, kill < 10 % after 30 days']"
    let silence = "- 07:30 ignore a\n- 07:31 ignore b"
    let killed = try Self.run(days: 40, gates: gates, timeline: silence)
    #expect(killed.gates[0].verdict == .kill && killed.gates[0].fails && !killed.passed)
    let expected = try Self.run(days: 40, gates: gates, timeline: silence, expect: "gate tapThrough kills")
    #expect(expected.gates[0].verdict == .kill && !expected.gates[0].fails && expected.passed)
    let wrong = try Self.run(days: 40, gates: gates, timeline: silence, expect: "gate tapThrough passes")
    #expect(!wrong.passed && !wrong.gates[0].fails)
    #expect(wrong.expectations[0].instead == .gate("tapThrough", .kill))
    let early = try Self.run(days: 20, gates: gates, timeline: silence)
    #expect(early.gates[0].verdict == .inconclusive && early.passed)
  }

  @Test func `a gate over two reminders is inconclusive if the responses to one are unknown`() throws {
    let gates = "['tapThrough >= 25 %, kill < 5 %', 'tapThrough of a >= 25 %, kill < 5 %']"
    let result = try Self.run(
      days: 90, gates: gates, timeline: "- 07:01 ignore a",
      expect: "gate tapThrough is inconclusive, gate tapThrough of a is inconclusive")
    #expect(result.gates.map(\.verdict) == [.inconclusive, .kill])
    #expect(result.gates[0].silence == "besides, no response is stated to 90 exposed")
    #expect(result.gates[1].expected == [.inconclusive] && !result.gates[1].fails)
    #expect(result.expectations.map(\.passed) == [true, false])
  }

  @Test func `equal gates of several scenarios are judged together`() throws {
    func result(_ gates: String, expect: String = "a fires", taps: String = "- day 1 10:05 tap a") throws
      -> (path: String, outcome: FileOutcome)
    {
      ("x", .ran(try Self.run(days: 6, gates: gates, timeline: taps, expect: expect)))
    }
    let taps = "- every day 10:05 tap a\n- every day 10:10 leave"
    let gate = "['tapThrough of a >= 50 %, kill < 10 % after 5 days']"
    let one = SuiteResult(files: [try result(gate, taps: taps)])
    #expect(one.gates[0].verdict == .pass)
    let few = SuiteResult(files: [try result("[tapThrough of a >= 70 %]", taps: taps)])
    #expect(few.gates[0].verdict == .inconclusive)
    let many = SuiteResult(
      files: try (0..<5).map { _ in try result("[tapThrough of a >= 70 %]", taps: taps) })
    #expect(many.gates.count == 1)
    #expect(many.gates[0].verdict == .pass && many.gates[0].carriers == 5)
    #expect((many.gates[0].estimate.numerator, many.gates[0].estimate.denominator) == (30, 30))
    #expect(many.scenarios.allSatisfy { $0.gates[0].verdict == .inconclusive })

    // No one taps. A single run is too small for a verdict, but all runs together are sufficient.
    let idle = SuiteResult(files: try (0..<7).map { _ in try result(gate, taps: "- 07:30 ignore a") })
    #expect(idle.scenarios.allSatisfy { $0.passed })
    #expect(idle.gates[0].verdict == .kill && idle.isKilled && !idle.allPassed)

    // A gate with other bounds is judged separately. A gate that is expected to kill is excluded.
    let kills = "['tapThrough of a >= 99 %, kill < 90 %']"
    let mixed = SuiteResult(files: [
      try result(kills, expect: "gate tapThrough of a kills", taps: "- 07:30 ignore a"),
      try result(kills, taps: taps), try result(gate, taps: taps),
    ])
    #expect(mixed.gates.map(\.carriers) == [2, 1])
    #expect(mixed.gates[0].leftOut == 1)
    #expect((mixed.gates[0].estimate.numerator, mixed.gates[0].estimate.denominator) == (6, 6))
    #expect(mixed.allPassed)
    let single = SuiteResult(files: [
      try result(kills, expect: "gate tapThrough of a kills", taps: "- 07:30 ignore a")
    ])
    #expect(single.gates[0].verdict == .kill && single.gates[0].leftOut == 0 && single.allPassed)
  }

  @Test func `the shipped example has the documented result`() throws {
    let run = try PlatformRun(shipped: "gates.yaml")
    run.expectSound()
    #expect(Set(run.result.gates.map(\.verdict)) == Set(GateVerdict.allCases))
    #expect(run.result.passed)
  }

  @Test func `one of ten guests converts, and a single guest is inconclusive`() throws {
    func result(_ days: Int, converts: Bool) throws -> (path: String, outcome: FileOutcome) {
      let line = converts ? "day 2 12:00 set signedIn = true" : "day 2 12:00 lock"
      let text = """
        for: \(days) days
        facts: {signedIn: false}
        reminders: {a: {when: every day 10:00, notify: A}}
        gates: [conversion of a to signedIn within 7 days >= 10 %]
        timeline: [\(line)]
        expect: [a fires]
        """
      return ("x", .ran(try PlatformRun(text).result))
    }
    // With daily reminders, the last reminder is never a week old, but the first one is.
    for (days, figure) in [
      (20, "10.0 % (1 of 10 reminded persons)"), (5, "none (0 of 0 reminded persons)"),
    ] {
      let ten = SuiteResult(files: try (0..<10).map { try result(days, converts: $0 == 3) })
      #expect(ten.gates[0].figure == figure)
      #expect(ten.gates[0].verdict == .inconclusive && ten.openGates.count == 1)
      #expect(ten.gates[0].estimate.unknown == (days == 5 ? 10 : 0))
      #expect(ten.gates[0].estimate.designEffect == 1_000, "persons are independent trials")
    }
    let one = SuiteResult(files: [try result(20, converts: true)])
    #expect(one.gates[0].figure == "100.0 % (1 of 1 reminded persons)")
    #expect(one.gates[0].verdict == .inconclusive)
    let mixed = SuiteResult(files: [try result(20, converts: true), try result(5, converts: false)])
    #expect(mixed.gates[0].silence == "besides, 1 reminded person was not watched for 7 days")
  }
}

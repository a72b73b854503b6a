import CivilTime
import Foundation
import PlatformRuns
import RandomScenarios
import ReminderEngine
import ScenarioModel
import ScenarioSamples
import Scenarios
import TestSupport
import Testing
import TriggerModel

@testable import Simulation
@testable import Statistics
@testable import TestBench

/// Tests reminders whose occurrences are scheduled in advance, in complete runs. 2026-03-02 is a Monday.
@Suite("Occurrences scheduled in advance")
struct AheadTests {
  /// Returns the days of March on which the reminder is delivered. Checks that the accounts have no
  /// contradictions.
  private func days(_ reminder: String, policy: String = "{dailyCap: 3}", _ timeline: [String]) throws
    -> [Int]
  {
    let text = """
      kind: scenario
      version: 1
      title: Ahead
      start: 2026-03-02T07:00
      zone: UTC
      for: 15 days
      reminders:
        r: {\(reminder), notify: {title: r}}
      policy: \(policy)
      timeline:
        \(timeline.map { "- " + $0 }.joined(separator: "\n  "))
      expect: [r fires at least once]
      """
    let program = try Program(Scenario.sample(text))
    var accounts = RunAccounts(program)
    var world = World(program: program, engine: program.makeEngine())
    world.run(into: &accounts)
    accounts.close()
    #expect(accounts.contradictions.isEmpty)
    return accounts.fires.map {
      CivilDate(dayNumber: Int32($0.moment.wall.millisecondsSince1970 / 86_400_000)).day
    }
  }

  @Test func `a failed condition skips only one occurrence`() throws {
    let fires = try days(
      "when: every day 09:00 ahead 1, if: on tuesday, repeat: always", ["day 1 08:00 unlock"])
    #expect(fires == [3, 10])
  }

  @Test func `a reminder fires again after the permission is restored`() throws {
    let fires = try days(
      "when: every day 09:00 ahead 2, repeat: always",
      ["day 3 12:00 deny notifications", "day 5 12:00 grant notifications"])
    #expect(fires == [2, 3, 4] + Array(7...16))
  }

  @Test func `a schedule continues after a reinstall`() throws {
    let fires = try days(
      "when: every day 09:00 ahead 2, repeat: always", ["day 3 12:00 reinstall"])
    #expect(fires == Array(2...16))
  }

  @Test func `a cap skips only one occurrence`() throws {
    let fires = try days(
      "when: every day 09:00 ahead 1, repeat: always", policy: "{minimumInterval: 30 h}",
      ["day 1 08:00 unlock"])
    #expect(fires == [2, 4, 6, 8, 10, 12, 14, 16])
  }

  @Test func `a weekly reminder fires once a week`() throws {
    #expect(
      try days("when: every day 09:00 ahead 3, repeat: weekly", ["day 1 08:00 unlock"]) == [2, 9, 16])
  }

  /// In particular, a deferral to the end of quiet hours must not interrupt the schedule.
  @Test(arguments: 0..<40 as Range<UInt64>)
  func `scheduling in advance makes no difference on a phone that wakes the app immediately`(seed: UInt64)
    throws
  {
    var random = SplitMix64(seed: seed)
    let every = Int.random(in: 1...5, using: &random)
    let from = Int.random(in: 0...8, using: &random)
    let until = Int.random(in: from + 1...23, using: &random)
    let useful = Bool.random(using: &random) ? ", usefulFor: \(Int.random(in: 1...4, using: &random)) h" : ""
    func fires(_ ahead: String) throws -> [Instant] {
      let run = try PlatformRun(
        """
        for: 5 days
        reminders:
          r: {when: every \(every) h from \(from):10 until \(until):50\(ahead), notify: {title: r, bucket: user\(useful)}}
        timeline: [day 1 07:30 unlock, day 2 10:00 unlock]
        expect: [r fires >= 0]
        """)
      run.expectSound("\(seed)")
      let account = try run.account("r")
      #expect(account.unfounded == 0 && account.notObserved.isEmpty, "\(seed)")
      return run.accounts.fires.map(\.moment.wall)
    }
    let expected = try fires("")
    #expect(try fires(" ahead \(Int.random(in: 1...4, using: &random))") == expected)
  }

  /// Compares random weeks with one or two clock changes, with and without scheduling in advance. At a
  /// repeated local time, an occurrence is delivered twice. If a journey skips an occurrence's time, the
  /// occurrence is delivered on arrival, which is not at a whole minute here. If a journey skips several
  /// occurrences, the system shows the pending ones. Their conditions may have been evaluated on arrival or
  /// earlier.
  @Test(arguments: 0..<60 as Range<UInt64>)
  func `scheduling in advance makes no difference on a journey`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    func any<T>(_ values: [T]) -> T { values.randomElement(using: &random)! }
    let zones = [
      "Europe/Berlin", "America/New_York", "Asia/Kathmandu", "Asia/Tokyo", "Atlantic/Azores",
      "Pacific/Auckland", "Pacific/Honolulu", "Australia/Lord_Howe",
    ]
    let hour = { (hour: Int) in (hour < 10 ? "0" : "") + "\(hour)" }
    let first = Int.random(in: 6...9, using: &random)
    let every = any([
      "every day \(hour(first)):10", "every weekday \(hour(first + 10)):30",
      "every \(Int.random(in: 2...5, using: &random)) h from \(hour(first)):10 until 22:50",
    ])
    let conditions = any(["", ", if: between 06:00 and 20:00", ", if: [time since x > 60 h]"])
    let start = any(["2026-03-06", "2026-03-26", "2026-10-23"])
    let home = any(zones)
    let lines = (2...5).map { day in
      let time = "\(hour(Int.random(in: 0...23, using: &random))):\(any(["05", "20", "35"])):30"
      let what =
        any([true, true, true, false])
        ? "travel to \(any(zones))" : "set clock \(any(["+30 min", "-30 min", "+2 h"]))"
      return "- day \(2 * day) \(time) \(what)"
    }
    func fires(_ ahead: String, profile: String = "ideal") throws -> [Instant] {
      let run = try PlatformRun(
        whole: """
          kind: scenario
          version: 1
          title: journeys
          start: \(start)T00:00
          zone: \(home)
          for: 14 days
          profile: \(profile)
          facts: {x: \(start)T00:00}
          policy: {quietHours: none}
          reminders: {r: {when: \(every)\(ahead)\(conditions), notify: {title: r, bucket: user}}}
          timeline:
            \(lines.joined(separator: "\n  "))
          expect: [r fires >= 0]
          """)
      run.expectSound("\(seed)")
      let isAlike = conditions.isEmpty && !every.contains(" h ")
      return run.accounts.fires.map(\.moment.wall).filter {
        isAlike || $0.millisecondsSince1970 % 60_000 == 0
      }
    }
    let expected = try fires("")
    #expect(!expected.isEmpty, "\(seed)")
    let ahead = " ahead \(Int.random(in: 1...4, using: &random))"
    #expect(try fires(ahead) == expected, "\(seed)")
    guard conditions.isEmpty, !every.contains(" h ") else { return }
    // Some deliveries are minutes early or late. No journey takes place in that period.
    let late = "android\nknobs: {deliveryLatenessTo: 5}"
    let (often, oftenAhead) = (try fires("", profile: late), try fires(ahead, profile: late))
    #expect(oftenAhead.count == often.count, "\(seed)")
  }

  /// A request that was denied in advance is made again when the reason for the denial no longer applies.
  @Test(
    arguments: ["ideal", "ios"],
    [
      ("", "08:05 turn off all notifications, 08:06 turn on all notifications"),
      ("", "08:05 turn off a, day 2 10:00 turn on a"),
      ("preferences: {notifications: off}", "day 2 10:00 turn on all notifications"),
      ("preferences: {dailyCap: 0}", "08:06 own daily cap none"),
      ("policy: {lapseCap: {a: 2}}", "08:06 lock"),
    ])
  func `an early denial makes no difference if the app is opened every day`(
    profile: String, story: (head: String, lines: String)
  ) throws {
    func fires(_ ahead: String) throws -> [Instant] {
      let run = try PlatformRun(
        """
        for: 8 days
        profile: \(profile)
        \(story.head)
        reminders: {a: {when: every day 18:00\(ahead), notify: {title: a}}}
        timeline: [08:00 open, \(story.lines), every day 13:00 open, every day 13:01 leave]
        expect: [a fires >= 0]
        """)
      run.expectSound("\(profile) \(story)")
      return run.accounts.fires.map(\.moment.wall)
    }
    let expected = try fires(" ahead 1")
    #expect(expected.count >= 6)
    #expect(try fires(" ahead 5") == expected)
  }
}

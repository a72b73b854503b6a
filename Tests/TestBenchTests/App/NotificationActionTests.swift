import PlatformRuns
import ScenarioSamples
import Scenarios
import Testing
import TriggerModel

@testable import Statistics
@testable import TestBench

/// Tests notification actions, which the app performs in the background without being opened.
@Suite struct NotificationActionTests {
  private func run(_ profile: String, _ timeline: [String], expecting: [String]) throws -> PlatformRun {
    try PlatformRun(
      """
      for: 20 days
      profile: \(profile)
      facts: {watered: 2026-02-23T18:00}
      reminders:
        water:
          when: 7 days after watered at 09:00
          notify: {title: Water, bucket: user, actions: [done, snooze 3 days, snooze 1 month]}
      policy: {quietHours: none}
      timeline:
      \((["07:30 open", "07:31 leave"] + timeline).map { "  - \($0)" }.joined(separator: "\n"))
      expect:
      \(expecting.map { "  - \($0)" }.joined(separator: "\n"))
      """)
  }

  @Test(arguments: ["ideal", "ios", "android"])
  func `the action 'done' restarts the count of days in the background`(_ profile: String) throws {
    let run = try run(
      profile, ["10:00 press done on water"],
      expecting: [
        "water fires once on day 1", "water fires once on day 8", "water never on day 7",
        "fires = 2",
        "acted = 1", "tapped = 0", "dismissed = 0", "tapThrough = 0 %", "acknowledgement = 50 %",
        "snoozed = 0",
        "today on day 1 at 10:01 shows 1 of 1 done",
      ])
    run.expectSound()
    #expect(run.accounts.observed[Int(ObservedEvent.Kind.opened.rawValue)] == 1)
  }

  @Test(arguments: ["ideal", "ios", "android"], ["leave", "force quit", "terminate"])
  func `a snooze works regardless of how the app was ended`(_ profile: String, _ end: String) throws {
    try run(
      profile, ["08:00 open", "08:01 \(end)", "10:00 press snooze 3 days on water"],
      expecting: ["water fires at least once on day 4", "acted = 1", "snoozed = 1", "water never on day 2"]
    ).expectSound()
  }

  @Test(arguments: ["ideal", "ios", "android"])
  func `the action 'done' on a recurring reminder counts for its last due time`(_ profile: String) throws {
    try PlatformRun(
      """
      for: 3 days
      profile: \(profile)
      \(profile == "android" ? "knobs: {exactAlarms: granted}" : "")
      policy: {quietHours: none, minimumInterval: none}
      reminders:
        evening:
          when: every day 22:00 ahead 2
          notify: {title: Evening tablet, bucket: user, actions: [done, snooze 1 h]}
      timeline:
        - 12:01 open
        - 12:02 leave
        - 22:20 press snooze 1 h on evening
        - 23:40 press snooze 1 h on evening
        - day 2 01:20 press done on evening
        - day 2 22:20 press done on evening
      expect:
        - evening fires at least once on day 1
        - evening fires once between 22:00 and 22:20 on day 2
        - evening fires once between 22:00 and 22:20 on day 3
        - today on day 2 at 12:00 shows evening today, 0 of 1 done
        - today on day 2 at 22:30 shows 1 of 1 done
      """
    ).expectSound()
  }

  @Test func `a notification that is not visible has no actions`() throws {
    for lines in [["08:00 press done on water"], ["10:00 dismiss water", "10:01 press done on water"]] {
      let run = try run(
        "ideal", lines, expecting: ["acted = 0", "today on day 1 at 10:05 shows 0 of 1 done", "fires = 1"])
      run.expectSound()
    }
  }

  @Test func `an action removes its notification`() throws {
    try run(
      "ideal", ["10:00 press snooze 3 days on water", "10:01 press done on water", "10:02 tap water"],
      expecting: ["acted = 1", "tapped = 0", "water fires once on day 4"]
    ).expectSound()
  }

  @Test(arguments: [
    ("press done on milk", "unknown reminder 'milk'"), ("press don on water", "did you mean 'done'?"),
    ("press snooze 2 days on water", "has no action 'snooze 2 d'"),
    ("press done water", "did you mean 'press done on water'?"),
    ("press snooze 1 calendar month on water", "30 days"),
  ])
  func `an impossible action is an error`(_ line: String, _ words: String) throws {
    do {
      _ = try run("ideal", ["10:00 \(line)"], expecting: ["fires >= 0"])
      Issue.record("\(line) is taken")
    } catch let problem as UnusableScenario {
      #expect(problem.description.contains(words), "\(problem.description)")
    }
  }

  @Test func `the action 'done' needs an instant from which the reminder counts`() throws {
    do {
      _ = try PlatformRun(
        """
        for: 1 day
        reminders: {milk: {when: unlock, notify: {title: Milk, actions: done}}}
        expect: [fires >= 0]
        """)
      Issue.record("it is taken")
    } catch let problem as UnusableScenario {
      #expect(problem.description.contains("counts from no fact"), "\(problem.description)")
    }
  }
}

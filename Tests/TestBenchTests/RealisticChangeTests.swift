import PlatformRuns
import ReminderMatching
import ScenarioModel
import Simulation
import Testing
import TriggerEngine
import TriggerModel

@testable import TestBench

/// Tests that an explanation names what decided, and suggests what a person would change.
@Suite struct RealisticChangeTests {
  /// A question about a story, and the answer that a person would give.
  struct Story: CustomTestStringConvertible, Sendable {
    var name: String
    /// The scenario without its first three keys, its start (2026-03-02 07:00) and its zone. The first line is
    /// line 6 of the file.
    var text: String
    var reminder: String
    var at: String
    /// A part of each sentence that names what decided.
    var because: [String]
    var change: String

    var testDescription: String { name }
  }

  private static let gym = """
    for: 10 days
    profile: android
    phone: {location: always}
    places: {gym: {at: [52.52, 13.405], radius: 150 m}}
    facts: {gym.visitsThisWeek: 0}
    reminders:
      gym: {when: enter gym, if: gym.visitsThisWeek < 1, repeat: always, notify: {title: Train, bucket: user}}
    timeline:
      - 2026-03-03 18:00 enter gym
      - 2026-03-03 19:00 exit gym
      - 2026-03-03 19:30 set gym.visitsThisWeek = 1
      - 2026-03-10 08:00 open
      - 2026-03-10 08:01 leave
      - 2026-03-10 18:10 enter gym
    """

  private static let manyReminders = """
    profile: ios
    reminders:
    \((1...70).map { number in
      let time = "\(19 + number / 60):\(number % 60 < 10 ? "0" : "")\(number % 60)"
      return "  r\(number): {when: 'every day \(time) ahead 1', notify: {title: R, bucket: user}}"
    }.joined(separator: "\n"))
    timeline: [08:00 open, 08:01 leave]
    """

  private static let stories = [
    Story(
      name: "a trigger that iOS never reports",
      text: """
        for: 2 days
        profile: ios
        reminders:
          sleep: {when: unlock, if: between 00:00 and 05:00, notify: Go to sleep}
        timeline: [22:00 open, 22:05 leave, 2026-03-03 00:10 unlock]
        """, reminder: "sleep", at: "2026-03-03 00:10",
      because: ["iOS does not report unlocks to an app that is not in front"],
      change: "write reminders: {sleep: {when: every day at 00:10 ahead 1}}; "
        + "and write policy: {quietHours: 00:15-07:00}"),
    Story(
      name: "the app is in front",
      text: """
        profile: ios
        reminders:
          pills: {when: every day 07:10, notify: {title: Take your pills, bucket: user}}
        timeline:
          - 07:00 open
        """, reminder: "pills", at: "day 1 07:10",
      because: ["the app is in front since 2026-03-02 07:00 (line 10)"],
      change: "add to the time line: - 2026-03-02 07:01 leave; "
        + "and write reminders: {pills: {when: every day at 07:10 ahead 1}}"),
    Story(
      name: "a fact that became true",
      text: """
        for: 4 days
        profile: ios
        facts: {account.signedIn: false}
        reminders:
          account: {when: every day 18:00 ahead 3, if: account.signedIn is false, repeat: always, notify: Sign in}
        timeline:
          - 12:00 open
          - 12:01 set account.signedIn = true
          - 12:05 leave
        """, reminder: "account", at: "day 3 18:00",
      because: ["account.signedIn is true since 2026-03-02 12:01 (line 13)"],
      change: "leave out of the time line: 12:01 set account.signedIn = true (line 13)"),
    Story(
      name: "a reminder that fired in the same week",
      text: """
        for: 4 days
        profile: ios
        phone: {location: always}
        places: {gym: {at: [52.52, 13.405], radius: 150 m}}
        reminders:
          gym: {when: enter gym, repeat: weekly, notify: {title: Train, bucket: user}}
        timeline: [2026-03-03 18:00 enter gym, 2026-03-03 19:00 exit gym, 2026-03-04 18:00 enter gym]
        """, reminder: "gym", at: "2026-03-04 18:00",
      because: [
        "and iOS reported it at",
        "'repeat: weekly' means the calendar week and allows it again on 2026-03-09 (line 11)",
      ],
      change: "write reminders: {gym: {repeat: daily}}"),
    Story(
      name: "a trigger that was reported later", text: gym, reminder: "gym", at: "2026-03-10 18:10",
      because: [
        "the phone crossed the boundary of gym at 2026-03-10 18:10 (line 19), and Android reported it at",
        "gym.visitsThisWeek is 1 since 2026-03-03 19:30 (line 16)",
      ], change: "add to the time line: - 2026-03-10 00:00 set gym.visitsThisWeek = 0"),
    Story(
      name: "a counter that was not reset", text: gym, reminder: "gym", at: "2026-03-10 18:11",
      because: ["and Android reported it at", "gym.visitsThisWeek is 1 since 2026-03-03 19:30 (line 16)"],
      change: "add to the time line: - 2026-03-10 00:00 set gym.visitsThisWeek = 0"),
    Story(
      name: "a plan inside quiet hours",
      text: """
        for: 2 days
        profile: ios
        policy: {quietHours: 23:00-07:00, quietAction: drop}
        reminders:
          pills: {when: every day 23:47 ahead 1, notify: Take your pills}
        timeline: [08:00 open, 08:05 leave]
        """, reminder: "pills", at: "2026-03-03 02:00",
      because: ["2026-03-02 23:47 is inside quiet hours (line 8): dropped"],
      change: "write policy: {quietAction: defer}"),
    Story(
      name: "a minimum interval",
      text: """
        policy: {minimumInterval: 4 h}
        reminders:
          a: {when: unlock, notify: A}
          b: {when: charging starts, notify: B}
        timeline: [08:00 unlock, 09:00 plug in]
        """, reminder: "b", at: "day 1 09:00",
      because: ["a fired at 2026-03-02 08:00, so the next can fire from 2026-03-02 12:00 (line 6)"],
      change: "write policy: {minimumInterval: 1 h}"),
    Story(
      name: "a trigger inside quiet hours",
      text: """
        for: 2 days
        policy: {quietHours: 22:00-07:00, quietAction: drop}
        reminders: {a: {when: unlock, notify: A}}
        timeline: [23:00 unlock]
        """, reminder: "a", at: "day 1 23:00",
      because: ["2026-03-02 23:00 is inside quiet hours (line 7): dropped"],
      change: "write policy: {quietAction: defer}; it then fires at 2026-03-03 07:00"),
    Story(
      name: "a phone that was off",
      text: """
        profile: ios
        reminders: {a: {when: every day 09:00 ahead 1, notify: A}}
        timeline:
          - 08:00 open
          - 08:01 leave
          - 08:30 power off
          - 11:00 power on
        """, reminder: "a", at: "day 1 11:00",
      because: [
        "due at 2026-03-02 09:00, and the phone was off from 2026-03-02 08:30 (line 11) to 2026-03-02 11:00 (line 12)"
      ], change: "none: it fired"),
    Story(
      name: "a condition that failed at the nearest trigger",
      text: """
        profile: ios
        phone: {location: always}
        places: {gym: {at: [52.52, 13.405], radius: 150 m}}
        reminders:
          gym: {when: enter gym, if: after 18:20, notify: {title: Train, bucket: user}}
        timeline: [18:16 enter gym]
        """, reminder: "gym", at: "2026-03-02 18:10",
      because: ["and iOS reported it at", "'after 18:20' fails at 2026-03-02 18:1"],
      change: "write reminders: {gym: {if: after 18:00}}"),
    Story(
      name: "an app that was force quit",
      text: """
        profile: ios
        reminders: {a: {when: charging starts, notify: A}}
        timeline:
          - 08:00 open
          - 08:05 force quit
          - 20:00 plug in
        """, reminder: "a", at: "day 1 20:00",
      because: ["the app was force quit at 2026-03-02 08:05 (line 10), and then nothing wakes it"],
      change: "write reminders: {a: {when: [charging starts, every day at 20:00 ahead 1]}}"),
    Story(
      name: "more requests than the system keeps", text: manyReminders, reminder: "r66", at: "day 1 20:06",
      because: ["iOS keeps 64 pending requests, and others were due earlier"],
      change:
        "add to the time line: - 2026-03-02 20:04 open; and add to the time line: - 2026-03-02 20:05 leave"),
    Story(
      name: "a focus",
      text: """
        profile: ios
        reminders: {a: {when: every day 09:00 ahead 1, notify: A}}
        timeline:
          - 08:00 open
          - 08:01 leave
          - 08:30 focus on
        """, reminder: "a", at: "day 1 09:00",
      because: ["it reached the list only, without a banner: focus is on since 2026-03-02 08:30 (line 11)"],
      change: "none: it fired"),
  ]

  @Test("an explanation gives the answer of a person", arguments: stories)
  func answers(_ story: Story) throws {
    let program = try PlatformRun.program(story.text + "\nexpect: [fires >= 0]")
    let id = try #require(program.reminders.reminder(named: story.reminder))
    let answer = try #require(try Explainer(program).explain(id, at: program.instant(written: story.at)))
    for part in story.because {
      #expect(answer.because.contains { $0.contains(part) }, "\(answer.because)")
    }
    #expect(answer.because.count == story.because.count, "\(answer.because)")
    #expect(answer.smallestChange.hasPrefix(story.change), "\(answer.smallestChange)")
  }

  @Test func `an explanation of a silent engine names what the engine observed`() throws {
    let program = try PlatformRun.program(
      """
      reminders: {a: {when: unlock, if: charging, notify: A}}
      timeline: [09:00 plug in, 09:30 unlock]
      expect: [fires >= 0]
      """)
    let instant = try program.instant(written: "day 1 09:30")
    let answer = try #require(
      try Explainer(program).explain(ReminderID(0), at: instant) { (program, _) throws(EngineFailure) in
        SilentEngine(engine: program.makeEngine())
      })
    #expect(
      answer.happened == [
        "due: the engine observed the unlock, all conditions held, and it requested nothing: "
          + "notRequested at 2026-03-02 09:30"
      ])
    #expect(answer.smallestChange == "no change to the file helps: the engine under test must request it")
  }

  private struct SilentEngine: EngineUnderTest {
    var engine: BuiltInEngine

    mutating func launch(_ launch: ProcessLaunch, into effects: inout [EngineEffect]) {}
    mutating func open(_ store: StoreContents, into effects: inout [EngineEffect]) {}
    mutating func process(_ event: ObservedEvent, into effects: inout [EngineEffect]) {}
    mutating func settle(at moment: Moment, into effects: inout [EngineEffect]) -> Bool { false }
    func storedState() -> [UInt8] { engine.storedState() }
  }

  /// Generated stories contain obstacles of all kinds.
  @Test func `a suggested change never edits the profile or the phone, unless asked`() throws {
    var suggested = 0
    var unrealistic = 0
    for seed in 1...60 as ClosedRange<UInt64> {
      var story = StoryToExplain(seed: seed)
      guard let program = try? PlatformRun(whole: story.text()).program else { continue }
      let instant = program.scenario.start + .minutes(Int64(seed) * 7 % 600)
      guard let answer = try Explainer(program).explain(ReminderID(0), at: instant) else { continue }
      guard case .edits(let edits) = answer.change else {
        if case .unrealistic = answer.change { unrealistic += 1 }
        continue
      }
      suggested += 1
      for edit in edits {
        #expect(!["profile", "knobs"].contains(edit.keys?.first), "story \(seed): \(edit.words)")
        #expect(!edit.words.contains(#/\d:\d\d:\d\d\.\d|\dms/#), "story \(seed): \(edit.words)")
      }
    }
    #expect(suggested > 20, "\(suggested), \(unrealistic)")
  }

  @Test func `without a time, the first failed expectation is explained`() throws {
    let program = try PlatformRun.program(
      """
      for: 3 days
      reminders:
        a: {when: unlock, if: after 18:00, repeat: always, notify: {title: A, bucket: user}}
        b: {when: charging starts, notify: {title: B, bucket: user}}
      timeline: [09:00 plug in, 10:00 unlock, 19:00 unlock, day 2 12:00 unlock]
      expect:
        - a fires once on day 1
        - a fires once on day 2
        - b never
      """)
    let first = try #require(try Explainer(program).firstFailure(of: nil))
    #expect(first.expectation == "a fires once on day 2 (line 13)")
    #expect(first.reminder == ReminderID(0))
    #expect(try first.instant == program.instant(written: "day 2 12:00"))
    let second = try #require(try Explainer(program).firstFailure(of: ReminderID(1)))
    #expect(second.expectation == "b never (line 14)")
    #expect(try second.instant == program.instant(written: "day 1 09:00"))
    let passing = try PlatformRun.program(
      "reminders: {a: {when: unlock, notify: A}}\ntimeline: [08:00 unlock]\nexpect: [a fires once]")
    #expect(try Explainer(passing).firstFailure(of: nil) == nil)
  }
}

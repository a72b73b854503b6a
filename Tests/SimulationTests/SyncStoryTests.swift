import Journal
import ScenarioModel
import ScenarioSamples
import Scenarios
import Simulation
import Statistics
import TestBench
import Testing
import TextFormats
import TriggerModel

/// Tests changes that two devices share.
@Suite struct SyncStoryTests {
  private static func outcome(_ text: String) -> ScenarioFile.Outcome {
    let head = "kind: scenario\nversion: 1\ntitle: T\nstart: 2026-03-02T07:00\nzone: Europe/Berlin\n"
    return ScenarioFile.read(Array((head + text).utf8), file: "x.yaml", fileExists: { _ in false })
  }

  private static func run(_ text: String) throws -> ScenarioResult {
    ScenarioRun(try Program(outcome(text).get()), stopwatch: { 0 }).run().result
  }

  /// Runs a story with a daily reminder, and a reminder that the person creates.
  private static func story(
    _ timeline: [String], expect: [String], sync: String = "{delay: 10 s}", profile: String = "ideal",
    policy: String = "{}"
  ) throws -> ScenarioResult {
    try run(
      """
      for: 6 days
      profile: \(profile)
      devices: {tablet: {profile: \(profile)}}
      sync: \(sync)
      policy: \(policy)
      facts: {done: 2026-03-01T18:00, score: 1}
      reminders:
        water: {when: 1 day after done at 09:00, notify: {title: Water, bucket: user}}
        feed: {exists: later, when: every day 12:00, notify: {title: Feed, bucket: user}}
      timeline:
      \(timeline.map { "  - \($0)" }.joined(separator: "\n"))
      expect:
      \(expect.map { "  - \($0)" }.joined(separator: "\n"))

      """)
  }

  private static func check(_ result: ScenarioResult, _ comment: Comment = "") {
    for expectation in result.expectations {
      #expect(expectation.passed, "\(expectation.text): \(expectation.got) \(expectation.reasons) \(comment)")
    }
    #expect(result.accounts.contradictions.isEmpty)
  }

  @Test func `a reminder done on the phone does not fire on a tablet that received the change`() throws {
    let early = try Self.story(["08:30 set done = 2026-03-02T08:30"], expect: ["water never on day 1"])
    Self.check(early)
    // Five seconds before the due time, the change has not reached the tablet yet.
    let late = try Self.story(
      ["08:59:55 set done = 2026-03-02T08:59"], expect: ["water fires once on day 1"])
    Self.check(late)
    let untold = late.accounts.sync.excess.filter { $0.kind == .untold }
    #expect(untold.map(\.cause) == [.underway])
  }

  @Test func `both devices notify if nothing is done`() throws {
    let result = try Self.story(
      ["08:00 unlock"],
      expect: [
        "water fires twice", "water is doubled once on day 1", "water is doubled by nothingDone once",
        "doubled = 1",
      ])
    Self.check(result)
  }

  @Test func `a reminder done on both devices while offline is doubled with the cause offline`() throws {
    let result = try Self.story(
      [
        "on tablet 07:30 airplane mode on", "08:30 set done = 2026-03-02T08:30",
        "on tablet 10:00 set done = 2026-03-02T10:00", "day 2 20:00 on tablet airplane mode off",
      ].map { $0.hasPrefix("day 2") ? "on tablet day 2 20:00 airplane mode off" : $0 },
      expect: [
        "water fires once on day 1", "water fires twice on day 2",
        "water is doubled by offline once on day 2",
        "water is doubled once", "water doubled = 1",
      ])
    Self.check(result)
    let counts = result.accounts.sync.devices
    #expect(counts.map(\.written) == [1, 1] && counts.map(\.waiting) == [0, 0])
    // The tablet's change wins because it is later, even if the phone's change reached the server first.
    #expect(counts.map(\.learned) == [1, 0])
  }

  @Test func `a reminder that is created offline exists once on both devices`() throws {
    let result = try Self.story(
      [
        "on tablet 07:30 airplane mode on", "on tablet 10:00 create feed",
        "on tablet day 2 13:00 airplane mode off",
      ],
      expect: [
        "feed fires once on day 1", "feed fires once on day 2", "feed fires twice on day 3",
        "feed is doubled by nothingDone once on day 3",
      ])
    Self.check(result)
    #expect(result.accounts.sync.devices.map(\.learned) == [1, 0])
  }

  @Test func `a device whose app is not running receives a change by a push or at the next launch`() throws {
    for (pushes, expected) in [("silent", "water never on day 1"), ("none", "water fires once on day 1")] {
      let result = try Self.story(
        ["on tablet 07:10 open", "on tablet 07:11 leave", "08:29 open", "08:30 set done = 2026-03-02T08:30"],
        expect: [expected], sync: "{delay: 10 s, pushes: \(pushes)}", profile: "ios")
      Self.check(result, "\(pushes)")
      #expect(result.accounts.sync.excess.contains { $0.cause == .notRun } == (pushes == "none"))
    }
  }

  @Test func `a refused change is sent again, and a repeated one changes nothing`() throws {
    let result = try Self.story(
      [
        "08:00 sync refuses next 2 writes", "08:01 sync repeats next write", "08:02 set score = 2",
        "08:03 set score = 3", "08:10 set score = 4",
      ], expect: ["water fires"])
    Self.check(result)
    let phone = result.accounts.sync.devices[0]
    #expect(phone.refused == [.fault: 2] && phone.repeated == 1 && phone.waiting == 0)
    #expect(phone.stored + phone.overruled == 3 && phone.written == 3)
  }

  @Test func `a quota refuses new records but accepts changes to existing ones`() throws {
    let result = try Self.story(
      ["08:00 set score = 2", "08:01 create feed", "08:02 set score = 3", "09:30 open"],
      expect: ["feed fires 6 times"], sync: "{quota: 1}")
    Self.check(result)
    let phone = result.accounts.sync.devices[0]
    #expect(phone.stored == 2 && phone.waiting == 1)
    // The server refuses the change when it is first sent, and again when the app is opened.
    #expect(phone.refused == [.quota: 2])
  }

  @Test func `the order of the lines has no effect`() throws {
    let lines = [
      "on tablet day 1 07:30 airplane mode on", "day 1 08:30 set done = 2026-03-02T08:30",
      "on tablet day 1 10:00 create feed", "day 2 08:00 create feed",
      "on tablet day 3 08:00 airplane mode off",
    ]
    let expect = ["water fires"]
    let first = try Self.story(lines, expect: expect).accounts
    for order in [Array(lines.reversed()), Array(lines[2...] + lines[..<2])] {
      let other = try Self.story(order, expect: expect).accounts
      #expect(other.fires == first.fires && other.sync == first.sync)
    }
  }

  @Test(arguments: [
    ("devices: {tablet: {}}\nsync: {delai: 5 s}\n", "x.yaml:7:8"),
    ("devices: {tablet: {}}\nsync: {pushes: loud}\n", "x.yaml:7:16"),
    ("devices: {tablet: {}}\nsync: {quota: 0}\n", "x.yaml:7:15"),
    ("devices: {tablet: {}}\nsync: {caps: everybody}\n", "x.yaml:7:14"),
    ("devices: {tablet: {}}\ntimeline: [08:00 sync repeats next write]\n", "x.yaml:7:12"),
  ])
  func `an error is reported at its position`(text: String, place: String) {
    let whole = text + "reminders: {a: {when: unlock, notify: A}}\nexpect: [a fires]\n"
    guard case .unusable(let diagnostics) = Self.outcome(whole) else {
      Issue.record("accepted: \(text)")
      return
    }
    let places = diagnostics.map { "x.yaml:\($0.position?.line ?? 0):\($0.position?.column ?? 0)" }
    #expect(places.contains(place), "\(diagnostics.map(\.message))")
  }

  /// The scenario is valid, because a person of a population may own only one of the devices.
  @Test(arguments: ["sync: {delay: 5 s}\n", "sync: {caps: person}\n"])
  func `a sync section without a second device is a warning`(text: String) {
    let whole = text + "reminders: {a: {when: unlock, notify: A}}\nexpect: [a fires]\n"
    guard case .scenario(_, let warnings) = Self.outcome(whole) else {
      Issue.record("rejected: \(text)")
      return
    }
    #expect(warnings.map(\.position?.line) == [6] && warnings.map(\.position?.column) == [7])
  }

  @Test func `an expectation of doubled notifications requires a sync section`() throws {
    let text = """
      devices: {tablet: {}}
      reminders: {a: {when: every day 09:00, notify: A}}
      for: 1 day
      expect: [a is doubled once]

      """
    guard case .unusable(let diagnostics) = Self.outcome(text) else {
      Issue.record("accepted")
      return
    }
    #expect(diagnostics.contains { $0.message.contains("the scenario has no sync") })
  }

  @Test func `an expectation of a loss to a cap requires caps per person`() throws {
    for (caps, isMeetable) in [("person", true), ("device", false)] {
      let text = """
        devices: {tablet: {}}
        sync: {caps: \(caps)}
        reminders: {a: {when: every day 09:00 ahead 2, notify: A}}
        for: 1 day
        expect: [a is lost to dailyCap once]

        """
      let scenario = try Self.outcome(text).get()
      #expect(UnmeetableExpectations.diagnostics(scenario).isEmpty == isMeetable)
    }
  }
}

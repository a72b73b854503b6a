import PlatformRuns
import ScenarioModel
import Scenarios
import Simulation
import Testing
import TextFormats
import TriggerModel

@testable import Statistics
@testable import TestBench

/// Tests the texts and attachments of shown notifications.
@Suite struct ShownTextTests {
  private static let edited = """
    for: 4 days
    profile: ideal
    reminders: {a: {when: unlock, repeat: daily, notify: {stages: [{title: One}, {title: Two}], bucket: user}}}
    edits: {a: {later: {when: unlock, repeat: daily, notify: {title: New, bucket: user}}}}

    """

  @Test func `each request shows the stage of the text that is in force at its time`() throws {
    let run = try PlatformRun(
      Self.edited + """
        timeline: [07:01 unlock, day 2 08:00 unlock, day 3 07:30 edit a to later, day 3 08:00 unlock]
        expect:
          - a shows "One" once at 07:01 on day 1
          - a shows "Two" once on day 2
          - a shows "New" once on day 3
          - a fires 3 times

        """)
    #expect(run.result.passed, "\(run.result.expectations)")
  }

  /// The person's second device receives the edit with a delay.
  @Test func `a device shows the old text until it receives the new one`() throws {
    let run = try PlatformRun(
      Self.edited + """
        devices: {tablet: {profile: ideal}}
        sync: {delay: 2 min}
        timeline:
          - 07:30 edit a to later
          - on tablet 07:31 unlock
          - day 2 08:00 unlock
          - on tablet day 2 08:00 unlock
        expect:
          - a shows "One" once at 07:31 on day 1
          - a shows "New" twice on day 2

        """)
    #expect(run.result.passed, "\(run.result.expectations)")
  }

  @Test(
    "a long title is cut between characters",
    arguments: [
      ("Water", 0, "Water"), ("Water", 5, "Water"), ("Water", 4, "Wate"), ("🌵🌵", 3, "🌵"), ("🌵", 1, ""),
      ("", 3, ""),
    ])
  func cut(_ title: String, _ limit: Int, _ shown: String) {
    #expect(title.cut(to: limit) == shown)
  }

  @Test(
    "any title can be expected in a sentence",
    arguments: [
      "Milk", "Water for basil", "a \"quoted\" word", "back\\slash", "two  spaces", " at both ends ",
      "tab\tand\nline",
      "until 08:00 on day 3", "ends in \\", "\"", "🌵\u{2028}", "never", "a: b # c",
    ])
  func sentences(_ title: String) throws {
    let escaped = title.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing(
      "\n", with: "\\n"
    )
    .replacing("\t", with: "\\t").replacing("\u{2028}", with: "\\L")
    let scenario = try PlatformRun.program(
      """
      for: 1 day
      reminders: {a: {when: unlock, notify: A}}
      expect: [{reminder: a, shows: "\(escaped)", times: twice, at: 08:00}]

      """
    ).scenario
    let claim = scenario.expectations[0].claim
    let sentence = claim.sentence(reminders: ["a"])
    let yaml = sentence.replacing("'", with: "''")
    let again = try PlatformRun.program(
      """
      for: 1 day
      reminders: {a: {when: unlock, notify: A}}
      expect: ['\(yaml)']

      """
    ).scenario
    #expect(again.expectations[0].claim == claim, "\(sentence)")
    guard case .shows(_, let read, .exactly(2), _) = claim else {
      Issue.record("\(claim)")
      return
    }
    #expect(read == title)
  }

  @Test func `check rejects a title that the reminder does not have`() throws {
    let program = try PlatformRun.program(
      Self.edited + "expect: [a shows \"One\", a shows \"New\", a shows \"Three\", a never shows \"Four\"]\n")
    let refused = TitleAdvice.unmeetable(program)
    #expect(refused.map(\.message) == ["nothing can meet 'a shows \"Three\"': 'a' has no such title"])
    #expect(refused.first?.hint == "it has \"One\", \"Two\", \"New\"")
  }

  @Test func `a truncated title has a warning, and expectations match the truncated title`() throws {
    let run = try PlatformRun(
      """
      for: 1 day
      profile: android
      knobs: {titleLimit: 5}
      reminders: {a: {when: every day 10:00 ahead 2, notify: {title: Water the fern, bucket: user}}}
      timeline: [07:01 open, 07:02 leave]
      expect: [a shows "Water" once]

      """)
    #expect(run.result.passed)
    #expect(
      TitleAdvice.warnings(run.program).map(\.message)
        == ["the title of 'a' has 14 letters, and the phone shows 5 of them"])
  }

  @Test func `a failed expectation reports the shown title or the time of the title`() throws {
    let run = try PlatformRun(
      Self.edited + """
        timeline: [07:01 unlock, day 2 08:00 unlock]
        expect: [a shows "One" once on day 2, a shows "Two" on day 1, a shows "Two" at 09:00 on day 2]

        """)
    let results = run.result.expectations
    #expect(results.map(\.passed) == [false, false, false])
    #expect(
      results.map(\.nearest).map { $0 ?? "" } == [
        "showed \"Two\" at 2026-03-03 08:00", "showed \"One\" at 2026-03-02 07:01",
        "showed \"Two\" at 2026-03-03 08:00",
      ])
    let instead = results.map { $0.instead?.sentence(reminders: ["a"]) ?? "" }
    #expect(
      instead == [
        "a shows \"Two\" once on 2026-03-03", "a shows \"One\" at least once on 2026-03-02",
        "a shows \"Two\" at least once at 08:00 on 2026-03-03",
      ])
  }

  // MARK: Attachments

  @Test(
    "an attachment that is too large fails the request on iOS exactly from its limit",
    arguments: [
      ("image 10 MB", "ios", true), ("image 10241 KB", "ios", false), ("audio 5 MB", "ios", true),
      ("audio 5121 KB", "ios", false), ("movie 50 MB", "ios", true), ("movie 51201 KB", "ios", false),
      ("movie 60 MB", "android", true), ("image 60 MB", "ideal", true),
    ])
  func attachments(_ attachment: String, _ profile: String, _ isTaken: Bool) throws {
    let run = try PlatformRun(
      """
      for: 1 day
      profile: \(profile)
      reminders: {a: {when: every day 10:00 ahead 2, notify: {title: A, attachment: \(attachment), bucket: user}}}
      timeline: [07:01 open, 07:02 leave]
      expect: [\(isTaken ? "a fires once" : "a is lost to addFailed")]

      """)
    #expect(run.result.passed, "\(run.result.expectations)")
    #expect(run.program.warnings.isEmpty == isTaken)
    #expect(run.accounts.contradictions.isEmpty)
  }

  @Test func `an edit keeps the attachment`() {
    let text = """
      for: 1 day
      reminders: {a: {when: unlock, notify: {title: A, attachment: image 1 MB}}}
      edits: {a: {later: {when: unlock, notify: {title: B}}}}

      """
    #expect(throws: (any Error).self) { try PlatformRun.program(text) }
  }
}

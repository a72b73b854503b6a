import CivilTime
import PlatformRuns
import Scenarios
import Statistics
import Testing
import TextFormats
import TriggerModel

@testable import TestBench

/// Tests the conformance cases for the platform, in complete runs.
@Suite struct PlatformConformanceTests {
  private func problems(_ text: String) -> [String] {
    switch ScenarioFile.read(Array(text.utf8), file: "t.yaml", fileExists: { _ in false }) {
    case .scenario: []
    case .unusable(let diagnostics): diagnostics.map(\.summary)
    case .otherKind(let kind): [kind]
    }
  }

  private func scenario(zone: String, places: Int = 0) -> String {
    let rows = (0..<places).map { "  p\($0): {at: [52.\(10 + $0), 13.4], radius: 150 m}\n" }.joined()
    return "kind: scenario\nversion: 1\ntitle: t\nstart: 2026-03-02T07:00\n\(zone)"
      + (places > 0 ? "places:\n\(rows)" : "")
      + "reminders: {a: {when: unlock, notify: A}}\nexpect: [a never]\n"
  }

  @Test func `case 29: an unknown or missing zone is an error at its position`() {
    #expect(
      problems(scenario(zone: "zone: Europe/Berln\n")) == [
        "t.yaml:5:7: error: unknown time zone 'Europe/Berln'; did you mean 'Europe/Berlin'?"
      ])
    let missing = problems(scenario(zone: ""))
    #expect(missing.count == 1 && missing[0].contains("the key 'zone' is missing"), "\(missing)")
    #expect(problems(scenario(zone: "zone: Europe/Berlin\n")).isEmpty)
  }

  @Test func `case 57: 64 of 65 pending requests are kept, and the report names the other`() throws {
    for (rule, lost) in [("lastAdded", "a"), ("soonest", "b"), ("rejectNew", "b")] {
      let run = try PlatformRun(
        """
        for: 70 days
        profile: ios
        planner: off
        knobs: {pendingEviction: \(rule)}
        reminders:
          a: {when: every day 10:00 ahead 64, expires: 2026-05-05T00:00, notify: {title: A, bucket: user}}
          b: {when: on 2026-05-06 10:00 ahead 1, notify: {title: B, bucket: user}}
        expect: [requests = 65, fires = 64, \(lost) is lost to pendingLimit once, failed = 0]
        """)
      run.expectSound("\(rule)")
    }
  }

  @Test(
    "case 58: a 21st region is rejected by the system, and left out by an app that knows the limit"
  )
  func case58() throws {
    #expect(problems(scenario(zone: "zone: UTC\n", places: 1_000)).isEmpty)
    func run(_ planner: String, _ timeline: String = "") throws -> PlatformRun {
      let places = (10..<31).map { "  p\($0): {at: [52.\($0), 13.4], radius: 150 m}\n" }.joined()
      let reminders = (10..<31).map { "  r\($0): {when: enter p\($0), notify: A}\n" }.joined()
      return try PlatformRun(
        "for: 1 day\nprofile: ios\nplanner: \(planner)\nphone: {at: [52.10, 13.4]}\n"
          + "places:\n\(places)reminders:\n\(reminders)\(timeline)expect: [requests = 0]\n")
    }
    let knowing = try run("on")
    knowing.expectSound()
    #expect(try knowing.account("r30").noRequest[.regionLimit] > 0)
    #expect(try knowing.account("r10").noRequest[.regionLimit] == 0)
    let unknowing = try run("off", "timeline: [08:00 enter p30]\n")
    unknowing.expectSound()
    #expect(unknowing.accounts.total.noRequest.total == 0)
    #expect(try unknowing.account("r30").notObserved == ["regionLimit": 1])
  }

  @Test
  func
    `case 59: a closed app evaluates nothing, so a lapse is scheduled in advance and withdrawn on opening`()
    throws
  {
    let run = try PlatformRun(
      """
      for: 10 days
      profile: ios
      reminders: {a: {when: closed for 3 days at 18:00, notify: A}}
      timeline: [08:00 open, 08:10 leave, day 3 08:00 open, 08:10 leave, 08:11 terminate]
      expect: [a never on day 4, a fires once at 18:00 on day 6, a fires once]
      """)
    run.expectSound()
    // The app relies on a wake-up, but misses it because its process has ended.
    let polled = try PlatformRun(
      """
      for: 10 days
      profile: ios
      reminders: {a: {when: every day 18:00, if: days since start in 3, notify: A}}
      facts: {start: 2026-03-02T08:00}
      timeline: [08:00 open, 08:10 leave, 08:11 force quit]
      expect: [fires = 0]
      """)
    polled.expectSound()
  }

  @Test func `case 70: a leap second is rejected with its own message`() throws {
    #expect(throws: InvalidCivilText.self) { try Instant(iso8601: "2016-12-31T23:59:60Z") }
    let last = try Instant(iso8601: "2016-12-31T23:59:59.999Z")
    #expect(try Instant(iso8601: "2017-01-01T00:00:00Z") - last == TimeSpan(milliseconds: 1))
    let messages = problems(
      "kind: scenario\nversion: 1\ntitle: t\nstart: 2016-12-31T20:00\nzone: UTC\n"
        + "reminders: {a: {when: unlock, notify: A}}\ntimeline: [23:59:60 unlock]\nexpect: [a never]\n")
    #expect(messages.count == 1 && messages[0].contains("23:59:60"), "\(messages)")
  }

  @Test func `case 81: a full battery starts nothing, but plugging in at full starts charging`() throws {
    let run = try PlatformRun(
      """
      reminders: {a: {when: charging starts, repeat: always, notify: {title: A, bucket: user}}}
      timeline:
        - 08:00 plug in
        - 09:00 battery 100 %
        - 10:00 battery 99 %
        - 11:00 battery 100 %
        - 12:00 unplug
        - 12:00 battery 100 %
        - 12:30 plug in
      expect: [{exact: [a at 08:00, a at 12:30]}]
      """)
    run.expectSound()
  }

  @Test
  func `case 82: in the foreground, a notification is delivered, but shown only if the app asks for it`()
    throws
  {
    let story = """
      reminders: {a: {when: unlock, repeat: always, notify: {title: A, bucket: user}}}
      timeline: [10:00 open, 10:01 unlock]

      """
    for (knobs, exposed) in [("presentsInForeground: false", 0), ("presentsInForeground: true", 1)] {
      let run = try PlatformRun(
        "profile: ios\nknobs: {\(knobs)}\n" + story + "expect: [delivered = 1, exposed = \(exposed)]\n")
      run.expectSound("\(knobs)")
      #expect(run.accounts.endings.map(\.reason) == (exposed == 0 ? [.notPresented] : []))
    }
  }
}

import Foundation
import ScenarioModel
import Scenarios
import Simulation
import Statistics
import TestBench
import TestSupport
import Testing
import TextFormats

@testable import Reporting

@Suite struct AppReportTests {
  @Test func `every rendering contains the app section if the section has rows`() throws {
    let report = try SampleReport.make(SampleReport.app)
    let plain = try SampleReport.make(SampleReport.eventful)
    #expect(ReportMarkdown(report).text.contains("## Permission and surfaces"))
    #expect(!ReportMarkdown(plain).text.contains("Permission and surfaces"))
    #expect(ReportPages(report).index.text.contains("<h2>Permission and surfaces</h2>"))
    #expect(!ReportPages(plain).index.text.contains("Permission and surfaces"))
    #expect(ReportJSON(report).document["app"]?["rows"] != .array([]))
    #expect(ReportJSON(plain).document["app"]?["rows"] == .array([]))
  }

  @Test func `a suite adds up the rows of its scenarios and omits their names`() throws {
    let result = try #require(try SampleReport.make(SampleReport.app).suite.scenarios.first)
    let once = AppSection([result]).rows
    let twice = AppSection([result, result]).rows
    #expect(twice.map(\.count) == once.map { 2 * $0.count })
    #expect(twice.allSatisfy { $0.name == nil })
    #expect(twice.first { $0.denominator != nil }?.figure == "none (0 of 0)")
  }

  @Test func `each row has a figure with its evidence`() throws {
    let report = try SampleReport.make(SampleReport.app)
    let result = try #require(report.suite.scenarios.first)
    let rows = AppSection([result]).table.rows.map { $0.joined(separator: ", ") }
    #expect(
      rows == [
        "permission, primed, 1, instrumented", "permission, prompts, 1, instrumented",
        "permission, granted, 1, declared", "priming first_workout, shown, 1, instrumented",
        "milestone firstWorkout, reached, 1, instrumented",
        "surface insights: Your weeks, shown, 1, instrumented",
        "surface insights, followed, 0, declared", "surface insights, dismissed, 1, declared",
        "surface insights, left open, 0, declared", "surface insights, guests reminded, 1, instrumented",
        "surface insights, guest conversion within 7 days, none (0 of 0), declared",
        "surface insights, guests not watched for 7 days, 1, instrumented",
        "analytics, emitted, 10, instrumented", "analytics, withheld, 3, instrumented",
      ])
    #expect(result.expectations.map(\.passed) == [true, false])
    #expect(result.expectations[1].got == "1 such event (2026-03-02 08:02)")
  }

  @Test func `analytics events of every shipped scenario match their schema`() throws {
    let folder = Repository.scenarios
    let schema = try Self.parse(AnalyticsCatalogue.schema.text)
    var checked = 0
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    where name.hasSuffix(".yaml") {
      let path = folder.appendingPathComponent(name).path
      guard case .scenario(let scenario, _) = ScenarioFile.load(path), scenario.app.analytics != nil else {
        continue
      }
      let program = try Program(scenario)
      let result = ScenarioRun(program, stopwatch: { 0 }).run().result
      let report = Report(
        suite: SuiteResult(files: [(name, .ran(result))]), command: "triggerbench run",
        versions: Report.Versions(tool: "test", timeZoneData: "test", geos: "test"))
      for line in try #require(AnalyticsEventsDocument(report).text).split(separator: "\n") {
        let problems = Validator(definitions: [:]).problems(try Self.parse(String(line)), schema, "event")
        #expect(problems == [], "\(name): \(line)")
        checked += 1
      }
    }
    #expect(checked > 40)
  }

  @Test func `the validator rejects invalid analytics events`() throws {
    let schema = try Self.parse(AnalyticsCatalogue.schema.text)
    func problems(_ line: String) throws -> [String] {
      Validator(definitions: [:]).problems(try Self.parse(line), schema, "event")
    }
    let base = #""scenario":"s","time":"t","person":0,"device":0"#
    #expect(try problems("{\"event\":\"reminder_shown\",\"type\":\"a\",\(base)}") == [])
    #expect(try problems("{\"event\":\"reminder_a_b_tapped\",\(base)}") == [])
    for wrong in [
      "{\"event\":\"reminder_shown\",\(base)}", "{\"event\":\"reminder_seen\",\"type\":\"a\",\(base)}",
      "{\"event\":\"reminder_shown\",\"type\":\"a\",\"more\":1,\(base)}",
      "{\"event\":\"reminder_suppressed\",\"type\":\"a\",\"reason\":\"bad_luck\",\(base)}",
    ] {
      #expect(try !problems(wrong).isEmpty, "\(wrong)")
    }
  }

  private static func parse(_ text: String) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
  }
}

@Suite struct ObservationTests {
  @Test func `matched and missed events add up to the truth for every event kind, app and region`() throws {
    let result = try #require(try SampleReport.make(SampleReport.observed).suite.scenarios.first)
    #expect(result.accounts.contradictions == [])
    let rows = ObservationSection([result]).rows
    #expect(
      Set(rows.map(\.name)).isSuperset(of: ["unlock", "chargingStarted", "appOpened", "regionEntered"]))
    for row in rows {
      for (name, account) in [(row.name, row.account)] + row.subjects.map({ ($0.name, $0.account) }) {
        #expect(account.truth == account.matched + account.missed.values.reduce(0, +), "\(name)")
        #expect(account.delays.counts.reduce(0) { $0 + $1.count } == account.matched, "\(name)")
      }
    }
  }

  @Test func `an iPhone reports stays late, unlocks rarely and passes never`() throws {
    let result = try #require(try SampleReport.make(SampleReport.observed).suite.scenarios.first)
    let rows = ObservationSection([result]).rows
    let enters = try #require(rows.first { $0.name == "regionEntered" }).account
    #expect(enters.truth == 2)
    #expect(enters.matched == 1)
    #expect(enters.missed == ["dwell": 1])
    // The longest delay includes the dwell time of 20 s and the latency of up to 10 minutes.
    #expect(try #require(enters.delays.longest) >= 20_000)
    #expect(enters.recall.description == "50.0 % (1 of 2)")
    let unlocks = try #require(rows.first { $0.name == "unlock" }).account
    #expect(unlocks.truth == 2)
    #expect(unlocks.matched < 2)
    let c = result.accounts.reminders[2]
    #expect(c.dueRequests == 2)
    #expect(c.requests == 1)
    #expect(c.notObserved == ["dwell": 1])
  }

  @Test func `under the ideal profile the app observes everything immediately and makes every due request`()
    throws
  {
    let text = SampleReport.observed.replacing("profile: ios", with: "profile: ideal")
    let result = try #require(try SampleReport.make(text).suite.scenarios.first)
    for row in ObservationSection([result]).rows {
      #expect(row.account.recall.numerator == row.account.recall.denominator, "\(row.name)")
      #expect(row.account.falseSigns == 0, "\(row.name)")
      #expect(row.account.delays.longest == 0, "\(row.name)")
    }
    #expect(result.accounts.total.notObserved.isEmpty)
    #expect(result.accounts.total.unfounded == 0)
  }

  @Test func `a ratio is printed with both counts, or as none if its denominator is 0`() {
    #expect(Ratio(1, of: 3).description == "33.3 % (1 of 3)")
    #expect(Ratio(2, of: 3).description == "66.7 % (2 of 3)")
    #expect(Ratio(0, of: 0).description == "none (0 of 0)")
  }
}

/// The caps that several devices of a person share.
@Suite struct SharedCapsTests {
  /// Returns a scenario in which one notification on each device exceeds the cap of its type, because the
  /// counters lag behind.
  private static func story(devices: String, timeline: [String]) -> String {
    """
    kind: scenario
    version: 1
    title: Two devices
    start: 2026-03-02T07:00
    zone: Europe/Berlin
    for: 1 day
    profile: ideal
    \(devices)
    policy: {counterLag: 10 h, minimumInterval: 0 s, dailyCap: none, typeDailyCap: 1}
    reminders:
      a: {when: unlock, repeat: always, notify: A}
    timeline:
    \((["08:00 unlock", "08:10 lock", "09:00 unlock"] + timeline).map { "  - " + $0 }.joined(separator: "\n"))
    expect: [requests >= 0]
    """
  }

  private static func caps(_ story: String) throws -> JSONValue? {
    guard case .array(let scenarios)? = ReportJSON(try SampleReport.make(story)).document["scenarios"] else {
      throw SampleReport.NoScenario()
    }
    return scenarios.first?["caps"]
  }

  @Test func `deliveries beyond a cap are counted per device and over all devices`() throws {
    let story = Self.story(
      devices: "devices: {tablet: {profile: ideal}}",
      timeline: ["on tablet 10:00 unlock", "on tablet 10:10 lock", "on tablet 11:00 unlock"])
    let devices = try #require(Self.caps(story)?["devices"])
    #expect(devices["caps"] == "device")
    #expect(devices["beyondOfDevice"] == 2)
    #expect(devices["beyondOfPerson"] == 3)
    #expect(
      ReportPages(try SampleReport.make(story)).scenario(0).text.contains(
        "The devices count their own deliveries: 3 beyond the caps counted per person, 2 counted per device.")
    )
  }

  @Test func `a person with one device has no shared caps`() throws {
    #expect(try Self.caps(Self.story(devices: "", timeline: []))?["devices"] == nil)
  }
}

@Suite struct GateReportTests {
  private func report() throws -> Report { try SampleReport.make(SampleReport.gated) }

  @Test func `a gate with the verdict kill fails the report`() throws {
    let report = try report()
    let verdicts = report.suite.gates.map(\.verdict)
    #expect(verdicts == [.pass, .kill, .inconclusive, .inconclusive, .inconclusive, .pass])
    #expect(report.verdict == .failed)
    #expect(report.failedScenarios == 1)
  }

  @Test
  func `the terminal shows figure, interval, bounds, evidence and published benchmarks with their sources`()
    throws
  {
    let text = ReportText(try report()).text(colored: false)
    #expect(
      text.contains(
        "sample.yaml:13:5: gate the | second kills\n  target    >= 25 %\n  kill      < 10 % after 30 days\n"))
    #expect(
      text.contains(
        "  pass          tapThrough of a: 100.0 % (40 of 40 exposed), 95 % interval 91.2 to 100.0 %\n"))
    #expect(
      text.contains("                target >= 25 %, kill < 10 % after 30 days; evidence: declared, 1 run\n"))
    #expect(
      text.contains("the target is above every benchmark: 14.4 % contextual, 4.19 % generic (Batch 2025"))
    #expect(text.contains("inconclusive  routingSuccess: none (0 of 0 taps)\n"))
    #expect(text.contains("attributed, not caused"))
  }

  @Test func `a kill is marked as expected only if its scenario expects it`() throws {
    for (verdict, isSaid) in [("kills", true), ("is inconclusive", false)] {
      let text = SampleReport.gated.replacing("expect:", with: "expect:\n  - gate the | second \(verdict)")
      let report = try SampleReport.make(text)
      #expect(report.suite.gates[1].verdict == .kill)
      #expect(report.suite.gates[1].remarks.contains("as its scenario expects") == isSaid)
    }
  }

  @Test func `a design effect is rounded to tenths, and omitted if it is 1`() throws {
    var gate = try #require(try report().suite.gates.first)
    let cases: [(Int64, String?)] = [
      (1_000, nil), (1_049, "1.0"), (1_050, "1.1"), (1_949, "1.9"), (1_950, "2.0"),
    ]
    for (thousandths, printed) in cases {
      gate.estimate.designEffect = thousandths
      let remark = gate.remarks.first { $0.contains("design effect") }
      #expect(remark.map { String($0.suffix(3)) } == printed, "\(thousandths)")
    }
  }

  @Test func `the document contains the numerator, denominator and evidence of every rate`() throws {
    let document = ReportJSON(try report()).document
    let parsed = try JSONSerialization.jsonObject(with: Data(document.text.utf8)) as? [String: Any]
    let gates = try #require(parsed?["gates"] as? [[String: Any]])
    #expect(gates.count == 6)
    #expect(gates.map { $0["fails"] as? Bool } == [false, true, false, false, false, false])
    #expect(gates[0]["numerator"] as? Int == 40 && gates[0]["denominator"] as? Int == 40)
    #expect(gates[0]["value"] as? Int == 1_000_000 && gates[3]["value"] == nil)
    #expect(gates[0]["killAfter"] as? Int == 30 * 86_400_000 && gates[3]["kill"] == nil)
    #expect(gates.allSatisfy { ["instrumented", "declared", "assumed"].contains($0["evidence"] as? String) })
    let scenarios = try #require(parsed?["scenarios"] as? [[String: Any]])
    #expect((scenarios[0]["gates"] as? [Any])?.count == 6)
  }

  @Test func `in JUnit, a gate that kills is a failure and an inconclusive gate is skipped`() throws {
    let text = ReportJUnit(try report()).text
    #expect(
      text.contains(
        "<testsuites name=\"triggerbench\" tests=\"8\" failures=\"1\" errors=\"0\">"))
    #expect(text.components(separatedBy: "<skipped").count == 4)
    #expect(text.components(separatedBy: "<failure").count == 2)
    #expect(text.contains("<testcase name=\"gate the | second\""))
    #expect(!text.contains("<testsuite name=\"gates\""), "the gates of one scenario are in its suite")
  }

  @Test func `gates of several scenarios have their own JUnit suite`() throws {
    let one = try report()
    let file = try #require(one.suite.files.first)
    let two = Report(
      suite: SuiteResult(files: [file, file]), command: one.command, versions: one.versions)
    let text = ReportJUnit(two).text
    #expect(text.contains("<testsuite name=\"gates\" tests=\"6\" failures=\"1\" errors=\"0\" skipped=\"2\""))
    #expect(two.suite.gates[0].figure == "100.0 % (80 of 80 exposed)")
  }

  @Test func `a bar in a gate name does not add a column to a Markdown table`() throws {
    let text = ReportMarkdown(try report()).text
    let rows = text.split(separator: "\n").filter { $0.contains("tapThrough of b") && $0.hasPrefix("|") }
    #expect(rows.count == 1)
    #expect(
      rows.first?.replacing("\\|", with: "").count { $0 == "|" } == GateSection([]).table.columns.count + 1)
    #expect(text.contains("**gate** the \\| second: kill: 0.0 % (0 of 40 exposed)"))
  }

  @Test func `gates are on the index page and on the page of their scenario`() throws {
    let pages = ReportPages(try report())
    for text in [pages.index.text, pages.scenario(0).text] {
      #expect(text.components(separatedBy: "<h2>Gates</h2>").count == 2)
      #expect(text.components(separatedBy: "<td>kill</td>").count == 2)
    }
  }

  @Test func `a reminder without events has no account in the document`() throws {
    let text = SampleReport.gated.replacing(
      "a: {when: every day 10:00", with: "idle: {when: unlock, notify: I}\n  a: {when: every day 10:00")
    let document = ReportJSON(try SampleReport.make(text)).document
    guard case .array(let scenarios)? = document["scenarios"],
      case .array(let reminders)? = scenarios[0]["reminders"]
    else {
      Issue.record("no reminders")
      return
    }
    #expect(reminders.map { $0["account"] == nil } == [true, false, false])
  }
}

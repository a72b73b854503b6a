import Foundation
import ScenarioModel
import Scenarios
import Simulation
import Statistics
import TestBench
import Testing
import TextFormats

@testable import Reporting

/// What reports say of permission, milestones, locked surfaces and analytics.
@Suite struct AppReportTests {
  @Test func `the section is in every rendering, and only where there is something to say`() throws {
    let report = try SampleReport.make(SampleReport.app)
    let plain = try SampleReport.make(SampleReport.eventful)
    #expect(ReportMarkdown(report).text.contains("## Permission and surfaces"))
    #expect(!ReportMarkdown(plain).text.contains("Permission and surfaces"))
    #expect(ReportPages(report).index.text.contains("<h2>Permission and surfaces</h2>"))
    #expect(!ReportPages(plain).index.text.contains("Permission and surfaces"))
    #expect(ReportJSON(report).document["app"]?["rows"] != .array([]))
    #expect(ReportJSON(plain).document["app"]?["rows"] == .array([]))
  }

  @Test func `scenarios together are added without the names`() throws {
    let result = try #require(try SampleReport.make(SampleReport.app).suite.scenarios.first)
    let once = AppSection([result]).rows
    let twice = AppSection([result, result]).rows
    #expect(twice.map(\.count) == once.map { 2 * $0.count })
    #expect(twice.allSatisfy { $0.name == nil })
    #expect(twice.first { $0.denominator != nil }?.figure == "none (0 of 0)")
  }

  @Test func `rows are figures with their evidence`() throws {
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

  @Test func `events of every shipped scenario keep to their schema`() throws {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appendingPathComponent("scenarios")
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
      for line in try #require(EventsDocument(report).text).split(separator: "\n") {
        let problems = Validator(definitions: [:]).problems(try Self.parse(String(line)), schema, "event")
        #expect(problems == [], "\(name): \(line)")
        checked += 1
      }
    }
    #expect(checked > 40)
  }

  @Test func `the check of events can fail`() throws {
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

import ScenarioSamples
import Scenarios
import Simulation
import TestBench
import Testing

@testable import Reporting

/// Many scenarios that passed are told folder by folder.
@Suite struct FolderLineTests {
  private static let story = """
    kind: scenario
    version: 1
    title: An unlock
    start: 2026-03-02T07:00
    zone: Europe/Berlin
    for: 1 day
    reminders: {a: {when: unlock, notify: A}}
    timeline: [08:00 unlock]
    expect: [a fires once, requests >= 1]
    """

  private static func lines(_ files: [String]) throws -> [String] {
    let outcomes = try files.map { file -> (String, FileOutcome) in
      let scenario = try ScenarioFile.read(Array(story.utf8), file: file, fileExists: { _ in false }).get()
      return (file, .ran(ScenarioRun(try Program(scenario), stopwatch: { 0 }).run().result))
    }
    let report = Report(
      suite: SuiteResult(files: outcomes), command: "triggerbench run",
      versions: .init(tool: "1", timeZoneData: "1", geos: "1"))
    return ReportText(report).text(colored: false).split(separator: "\n").map(String.init)
  }

  @Test func `with how many there are of them, and by name`() throws {
    let many = (0..<31).map { "suite/many/\($0).yaml" }
    let lines = try Self.lines(["top.yaml"] + many + ["suite/few/1.yaml", "suite/few/2.yaml"])
    #expect(
      lines.prefix(3) == [
        "ok   ./  1 scenario, all 2 expectations", "ok   suite/few/  2 scenarios, all 4 expectations",
        "ok   suite/many/  31 scenarios, all 62 expectations",
      ])
  }

  @Test func `as many as have a line each on a screen have one`() throws {
    let lines = try Self.lines((0..<32).map { "suite/\($0).yaml" })
    #expect(lines.count { $0.hasPrefix("ok  ") } == 32, "\(lines)")
  }
}

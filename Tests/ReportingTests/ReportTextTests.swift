import ScenarioSamples
import Scenarios
import Simulation
import TestBench
import Testing
import TextFormats

@testable import Reporting

@Suite struct RunVerdictTests {
  private static let silent = """
    kind: scenario
    version: 1
    title: Silence
    start: 2026-03-02T07:00
    zone: Europe/Berlin
    for: 2 days
    reminders:
      a: {when: unlock, repeat: always, notify: A}
    gates: [tapThrough >= 25 %]
    timeline:
      - 08:00 unlock
    expect:
      - a fires once
    """

  @Test func `the most severe outcome determines the verdict of a run`() throws {
    let failing = try SampleReport.make(SampleReport.eventful).suite
    let count = failing.failedExpectations
    #expect(count > 0 && RunVerdict(failing) == .refuted)
    #expect(RunVerdict(failing, updated: count - 1) == .refuted)
    #expect(RunVerdict(failing, updated: count) == .passed)
    let torn: (path: String, outcome: FileOutcome) = (
      "torn.yaml", .invalid([Diagnostic("it is torn", file: "torn.yaml")])
    )
    #expect(RunVerdict(SuiteResult(files: failing.files + [torn]), updated: count) == .failed)
    let open = try SampleReport.make(Self.silent).suite
    #expect(RunVerdict(open) == .passed)
    #expect(RunVerdict(open, requiresGates: true) == .inconclusive)
    #expect(RunVerdict(SuiteResult(files: open.files + failing.files), requiresGates: true) == .refuted)
  }

  @Test func `the line of a shared gate names the first scenarios that contain it`() throws {
    let files = try (0..<5).map { number -> (path: String, outcome: FileOutcome) in
      let report = try SampleReport.make(Self.silent, file: "\(number).yaml")
      return ("\(number).yaml", report.suite.files[0].outcome)
    }
    let one = GateLines(SuiteResult(files: [files[0]]))
    #expect(
      one.open.count == 1 && one.open[0].hasPrefix("0.yaml:9:9: gate tapThrough is not decided: inconclusive")
    )
    #expect(!one.open[0].contains("; of "))
    let two = GateLines(SuiteResult(files: Array(files.prefix(2))))
    #expect(two.open[0].hasSuffix("; of 0.yaml, 1.yaml"))
    let five = GateLines(SuiteResult(files: files))
    #expect(five.open[0].hasSuffix("; of 0.yaml, 1.yaml, 2.yaml and 2 more"))
    #expect(five.killedTogether.isEmpty)
  }
}

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

  @Test func `many passed scenarios are counted by folder, sorted by name`() throws {
    let many = (0..<31).map { "suite/many/\($0).yaml" }
    let lines = try Self.lines(["top.yaml"] + many + ["suite/few/1.yaml", "suite/few/2.yaml"])
    #expect(
      lines.prefix(3) == [
        "ok   ./  1 scenario, all 2 expectations", "ok   suite/few/  2 scenarios, all 4 expectations",
        "ok   suite/many/  31 scenarios, all 62 expectations",
      ])
  }

  @Test func `each of 32 scenarios has its own line`() throws {
    let lines = try Self.lines((0..<32).map { "suite/\($0).yaml" })
    #expect(lines.count { $0.hasPrefix("ok  ") } == 32, "\(lines)")
  }
}

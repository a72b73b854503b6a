import TestBench
import Testing
import TextFormats

@testable import Reporting

/// With what a run ends, and what is said of its gates.
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

  @Test func `of several endings the first`() throws {
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

  @Test func `a gate of many scenarios names the first of them`() throws {
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

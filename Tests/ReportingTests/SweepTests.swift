import Foundation
import Testing
import TextFormats
import TriggerModel

@testable import Reporting
@testable import TestBench

@Suite struct SweepTests {
  /// A scenario with 70 requests. The platform keeps 64 of them, but sources disagree about which ones.
  private static let seventy = """
    kind: scenario
    version: 1
    title: Seventy
    start: 2026-03-02T07:00
    zone: UTC
    for: 36 days
    profile: ios
    planner: off
    reminders:
      morning: {when: every day 08:00 ahead 35, notify: {title: Morning, bucket: user}}
      evening: {when: every day 20:00 ahead 35, notify: {title: Evening, bucket: user}}
    timeline:
      - 07:01 lock
    expect:
      - morning never on day 1
    """

  private static func outcomes(_ rule: String) async throws -> [RuleSweep.Outcome] {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("triggerbench-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appendingPathComponent("seventy.yaml").path
    try Data(seventy.utf8).write(to: URL(fileURLWithPath: path))
    let sweep = RuleSweep(Suite(paths: [path], options: Suite.Options()), rule: rule)
    return await sweep.run(stopwatch: { 0 }, progress: { _ in })
  }

  @Test func `a scenario that depends on a disputed rule passes under some of its values`() async throws {
    let outcomes = try await Self.outcomes("pendingEviction")
    let report = SweepReport(rule: "pendingEviction", outcomes)
    #expect(report.diagnostics.isEmpty)
    guard case .made(let scenario) = try #require(outcomes.first) else {
      Issue.record("not swept")
      return
    }
    #expect(scenario.key == "pendingEviction")
    #expect(scenario.variants.map(\.value).first == "lastAdded")
    #expect(Set(scenario.variants.map(\.value)) == ["lastAdded", "soonest", "rejectNew"])
    #expect(scenario.variants[0].passed)
    #expect(scenario.holds < scenario.variants.count)
    #expect(report.allPassAsTheyAre)
    #expect(report.text.contains("holds under \(scenario.holds) of 3 pendingEviction rules"))
  }

  @Test func `a rule that does not exist or has a single value cannot be swept`() async throws {
    for rule in ["pendingEvction", "N3"] {
      let report = SweepReport(rule: rule, try await Self.outcomes(rule))
      #expect(report.diagnostics.count == 1, "\(rule)")
    }
  }
}

@Suite struct ContestTextTests {
  private static func compared(_ file: String, _ reminders: Int, _ sentences: [String])
    -> EngineContest.Outcome
  {
    .made(
      EngineContest.Comparison(
        file: file, reminders: reminders,
        differences: sentences.map {
          EngineComparison.Difference(reminder: "a", instant: .distantPast, sentence: $0)
        }))
  }

  @Test func `each scenario has a line, and so does each reminder whose decisions differ`() {
    let text = ContestText([
      Self.compared("a.yaml", 1, []), .otherKind, Self.compared("b.yaml", 3, ["first", "second"]),
    ])
    #expect(
      text.text == "same  a.yaml  1 reminder\nDIFFERS  b.yaml  2 of 3 reminders\n  first\n  second")
    #expect(!text.isSame && text.diagnostics.isEmpty)
  }

  @Test func `an unusable file has diagnostics but no line`() {
    let problem = Diagnostic("it is torn", file: "c.yaml")
    let text = ContestText([.invalid([problem]), Self.compared("a.yaml", 2, [])])
    #expect(text.diagnostics == [problem])
    #expect(text.isSame && text.text == "same  a.yaml  2 reminders")
    #expect(ContestText([.otherKind]).text.isEmpty)
  }
}

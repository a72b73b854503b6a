import Foundation
import Testing

/// Tests analytics events in the output of the tool.
@Suite(.timeLimit(.minutes(10))) struct EventsTests {
  private static let analytics = Samples.small.replacing(
    "for: 2 days\n", with: "for: 2 days\nanalytics: {consent: granted}\n")

  @Test func `run writes events with the reports only if analytics are declared`() async throws {
    let folder = try Folder()
    try folder.write(Self.analytics, to: "counted.yaml")
    try folder.write(Samples.small, to: "plain.yaml")
    #expect(try await folder.run("run", "counted.yaml", "plain.yaml").code == 0)
    let lines = try folder.read("reports/latest/events.ndjson").split(separator: "\n")
    #expect(
      lines.first == """
        {"event": "reminder_scheduled", "scenario": "counted.yaml", "time": "2026-03-02T17:40:00+01:00", \
        "person": 0, "device": 0, "type": "milk"}
        """)
    #expect(lines.allSatisfy { $0.contains("counted.yaml") }, "the other has no analytics")
    #expect(try await folder.run("run", "plain.yaml").code == 0)
    #expect(!folder.exists("reports/latest/events.ndjson"), "events of an earlier run do not stay")
  }

  @Test func `the events are the same for any number of jobs`() async throws {
    let folder = try Folder()
    for index in 0..<4 { try folder.write(Self.analytics, to: "suite/\(index).yaml") }
    #expect(try await folder.run("run", "suite", "--jobs", "1", "--reports", "one").code == 0)
    #expect(try await folder.run("run", "suite", "--jobs", "4", "--reports", "four").code == 0)
    #expect(try folder.read("one/events.ndjson") == folder.read("four/events.ndjson"))
  }

  @Test func `update writes the counts of app actions`() async throws {
    let folder = try Folder()
    let story = Samples.small.replacing("  - tapThrough >= 25 %", with: "  - prompt is shown once")
    try folder.write(story, to: "asked.yaml")
    let outcome = try await folder.run("run", "asked.yaml", "--update")
    #expect(outcome.code == 0)
    #expect(outcome.output.contains("  expected  prompt is shown once\n  got       no such event\n"))
    #expect(try folder.read("asked.yaml") == story.replacing("is shown once", with: "is never shown"))
  }

  @Test func `schema prints the schema of events`() async throws {
    let folder = try Folder()
    let outcome = try await folder.run("schema", "--events")
    #expect(outcome.code == 0)
    let schema = try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any]
    #expect((schema?["anyOf"] as? [Any])?.count ?? 0 >= 17)
    #expect(try await folder.run("schema", "--events", "--report").code == 64)
  }
}

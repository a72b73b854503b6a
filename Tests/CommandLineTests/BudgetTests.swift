import Foundation
import Testing

/// Tests that a scenario that exceeds its budget is reported as one failure, and that the other scenarios run
/// as usual.
@Suite(.timeLimit(.minutes(10))) struct BudgetTests {
  private static func story(
    _ head: String = "", timeline: String = "[08:00 unlock]", expect: String = "fires >= 0"
  )
    -> String
  {
    """
    kind: scenario
    version: 1
    title: An unlock
    start: 2026-03-02T07:00
    zone: UTC
    for: 23 days
    \(head)
    reminders:
      a: {when: unlock, notify: {title: A, bucket: user}}
      b: {when: charging starts, notify: {title: B, bucket: user}}
    timeline: \(timeline)
    expect: ["\(expect)"]

    """
  }

  @Test func `a scenario over its budget is an error, and the 31 others are reported`() async throws {
    let folder = try Folder()
    for number in 0..<31 { try folder.write(Self.story(), to: "suite/good\(number).yaml") }
    try folder.write(Self.story(timeline: "[every 1 s unlock]"), to: "suite/events.yaml")
    try folder.write(
      Self.story("", timeline: "[every 60 s unlock]").replacing(
        "unlock, notify", with: "unlock, repeat: always, notify"),
      to: "suite/fires.yaml")
    try folder.write("", to: "suite/unreadable.yaml")
    try FileManager.default.removeItem(at: folder.url("suite/unreadable.yaml"))
    #expect(mkfifo(folder.url("suite/unreadable.yaml").path, 0o600) == 0)
    for jobs in ["1", "4000000000"] {
      let outcome = try await folder.run(
        "run", "suite", "--reports", "r", "--jobs", jobs, "--max-fires", "1000")
      #expect(outcome.code == 1, "\(outcome)")
      #expect(
        outcome.output.contains("31 of 31 scenarios passed, 31 of 31 expectations; problems in files: 3"))
      for problem in [
        "suite/events.yaml:11:12: error: this line brings the run to more than 1000000 events",
        "suite/fires.yaml:9:3: error: the run has more than 1000 notifications and other outcomes, most of them of 'a'",
        "suite/unreadable.yaml: error: this is a pipe or a device",
      ] {
        #expect(outcome.errors.contains(problem), "\(problem): \(outcome.errors)")
      }
      let size = try folder.read("r/report.json").utf8.count
      #expect(size < 1_000_000, "\(size)")
    }
  }

  @Test func `every budget is exact and can be raised`() async throws {
    let folder = try Folder()
    let lines = (0..<10).map { #"{"t":"2026-03-02T0\#($0 % 2 + 8):00:0\#($0)Z","event":"unlock"}"# }
    let recording = lines.joined(separator: "\n") + "\n"
    try folder.write(recording, to: "day.ndjson")
    try folder.write(Self.story(timeline: "[ndjson: day.ndjson, 09:00 unlock]"), to: "recorded.yaml")
    try folder.write(
      Self.story(timeline: "[every day 08:00 plug in, every day 09:00 unplug]")
        .replacing("starts, notify", with: "starts, repeat: daily, notify"), to: "daily.yaml")
    let recorded = [
      ("--max-events", 11, "recorded.yaml:11:32: error: this line brings the run to more than 10 events"),
      (
        "--max-bytes", recording.utf8.count,
        "recorded.yaml:11:12: error: day.ndjson: with this file, the recordings exceed"
      ),
    ]
    for (option, enough, problem) in recorded {
      let good = try await folder.run("run", "recorded.yaml", "--reports", "r", option, "\(enough)")
      #expect(good.code == 0, "\(good)")
      let bad = try await folder.run("run", "recorded.yaml", "--reports", "r", option, "\(enough - 1)")
      #expect(bad.code == 1 && bad.errors.contains(problem), "\(option): \(bad)")
      #expect(bad.errors.contains(option), "it says what to do: \(bad)")
    }
    #expect(try await folder.run("run", "daily.yaml", "--reports", "r", "--max-fires", "23").code == 0)
    let daily = try await folder.run("run", "daily.yaml", "--reports", "r", "--max-fires", "22")
    #expect(
      daily.code == 1 && daily.errors.contains("daily.yaml:10:3: error: the run has more than 22"), "\(daily)"
    )
    for option in ["--max-events", "--max-fires", "--max-bytes"] {
      #expect(try await folder.run("run", "daily.yaml", option, "0").code == 64)
    }
  }

  /// The default budget of 500,000 notifications permits a report of 170 MB: 340 bytes for each notification,
  /// including 200 bytes for its name.
  @Test(arguments: [
    "every 60 s unlock", "every 60 s unlock, every 61 s tap a", "every 60 s open, every 60 s prime x",
    "every 60 s turn off all notifications", "every 60 s prompt denied",
    "every 60 s set n = 1, every 61 s set n = 2",
  ])
  func `a report grows only with its notifications, by few bytes for each`(timeline: String) async throws {
    let folder = try Folder()
    let name = String(repeating: "n", count: 200)
    let story = Self.story(
      "policy: {dailyCap: none, minimumInterval: 0 s}\nfacts: {n: 0}", timeline: "[\(timeline)]"
    )
    .replacing("23 days", with: "2 days").replacing(
      "a: {when: unlock", with: "a: {when: unlock, repeat: always")
    try folder.write(
      story.replacing("tap a", with: "tap \(name)").replacing("  a:", with: "  \(name):"), to: "long.yaml")
    let outcome = try await folder.run("run", "long.yaml", "--reports", "r")
    #expect(outcome.code == 0, "\(outcome)")
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.url("r").path)
    let size = try files.reduce(0) { try $0 + folder.read("r/\($1)").utf8.count }
    let fires = try folder.read("r/report.json").components(separatedBy: "\"occurrence\"").count - 1
    #expect(timeline.contains("unlock") == (fires > 1_000), "\(fires)")
    // The pages that explain words and rules take 300 kB.
    #expect(size < 310_000 + fires * (140 + name.utf8.count), "\(size) bytes with \(fires) fires")

    try folder.write(story.replacing("  a:", with: "  \(name)n:"), to: "longer.yaml")
    let longer = try await folder.run("check", "longer.yaml")
    #expect(longer.code == 1 && longer.errors.contains("a name of 201 bytes is too long"), "\(longer)")
  }

  @Test func `only the first twenty problems are printed, with the number of the others`() async throws {
    let folder = try Folder()
    let lines = (0..<3_000).map { "08:00 tap nobody\($0)" }.joined(separator: ", ")
    try folder.write(Self.story(timeline: "[\(lines)]"), to: "many.yaml")
    let outcome = try await folder.run("run", "many.yaml", "--reports", "r")
    #expect(outcome.code == 1)
    #expect(outcome.errors.split(separator: "\n").count { $0.contains(": error: ") } == 20)
    #expect(outcome.errors.contains("many.yaml: and 2980 more"), "\(outcome.errors.suffix(300))")
  }

  @Test func `a consumer can have more than 65,536 patterns`() async throws {
    let folder = try Folder()
    let patterns = (0..<65_537).map { "p/q\($0)" }.joined(separator: ", ")
    try folder.write(
      Self.story(
        "consumers: {c: [\(patterns)]}", timeline: "[08:00 unlock, 08:01 tap a]", expect: "routed = 1"
      )
      .replacing("title: A, bucket", with: "title: A, link: \"app://p/q65536\", bucket"), to: "links.yaml")
    let outcome = try await folder.run("run", "links.yaml")
    #expect(outcome.code == 0, "\(outcome.code) \(outcome.output.suffix(500)) \(outcome.errors.suffix(500))")
  }
}

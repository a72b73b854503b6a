import Foundation
import Testing

/// Tests that no output of a run contains the names of apps that the person did not choose.
@Suite(.timeLimit(.minutes(10))) struct PrivacyTests {
  /// A scenario in which the person opens one chosen app and two others, one of them while the phone is off.
  private static let story = """
    kind: scenario
    version: 1
    title: Three apps, of which one is chosen
    start: 2026-03-02T07:00
    zone: Europe/Berlin
    for: 2 days
    profile: ideal
    apps: [postbox, xylophonebank, quarrelchat]
    analytics: {consent: granted}
    reminders:
      answer: {when: open app postbox, repeat: always, notify: {title: Answer Anna, bucket: user}}
    timeline:
      - 08:00 unlock
      - 08:01 open app postbox
      - 08:20 open app xylophonebank
      - 08:40 open app quarrelchat
      - 09:00 power off
      - 09:01 open app xylophonebank
      - 09:30 power on
    expect:
      - answer fires once

    """
  private static let secrets = ["xylophonebank", "quarrelchat"]

  /// Returns the bytes of all files below a folder, by path.
  private static func files(below folder: URL) throws -> [String: Data] {
    var found: [String: Data] = [:]
    for path in try FileManager.default.subpathsOfDirectory(atPath: folder.path) {
      let file = folder.appendingPathComponent(path)
      if (try file.resourceValues(forKeys: [.isRegularFileKey])).isRegularFile == true {
        found[path] = try Data(contentsOf: file)
      }
    }
    return found
  }

  @Test func `an app that the person may choose in a scenario is named`()
    async throws
  {
    let folder = try Folder()
    let line = "  - 08:00 choose apps quarrelchat\n"
    try folder.write(Self.story.replacing("timeline:\n", with: "timeline:\n" + line), to: "apps.yaml")
    let run = try await folder.run("run", "apps.yaml", "--reports", "r", "--journal", "j.ndjson")
    let journal = String(decoding: try Data(contentsOf: folder.url("j.ndjson")), as: UTF8.self)
    #expect(journal.contains("\"app\":\"quarrelchat\",\"chosen\":true"), "\(run)")
    #expect(journal.contains("\"app\":\"postbox\",\"chosen\":false"))
    #expect(!journal.contains("xylophonebank") && journal.contains("\"cause\":\"appNotChosen\""))
  }

  @Test(arguments: ["ideal", "ios", "android"])
  func `no record names an app that was not chosen`(_ profile: String) async throws {
    let folder = try Folder()
    try folder.write(Self.story, to: "apps.yaml")
    let run = try await folder.run(
      "run", "apps.yaml", "--profile", profile, "--reports", "r", "--journal", "j.ndjson")
    #expect(run.errors.isEmpty || run.errors.contains("without effect"), "\(run)")
    let reports = try Self.files(below: folder.url("r"))
    let journal = try Data(contentsOf: folder.url("j.ndjson"))
    #expect(reports.count >= 6 && reports.keys.contains("events.ndjson"), "\(reports.keys)")
    for (path, bytes) in reports.merging(["j.ndjson": journal], uniquingKeysWith: { first, _ in first }) {
      for secret in Self.secrets { #expect(bytes.range(of: Data(secret.utf8)) == nil, "\(path) \(secret)") }
    }
    for secret in Self.secrets { #expect(!run.output.contains(secret)) }
    // The journal contains the names of chosen apps, and substitute names for all others.
    for name in ["postbox", "not-chosen-2", "not-chosen-3"] {
      #expect(journal.range(of: Data("\"app\":\"\(name)\"".utf8)) != nil, "\(name)")
    }
  }

  @Test func `an engine does not receive the names of apps that were not chosen`() async throws {
    let folder = try Folder()
    try folder.write(Self.story, to: "apps.yaml")
    try folder.write("tee told.ndjson | '\(Tool.executable.path)' engine\n", to: "engine.sh")
    let run = try await folder.run("run", "apps.yaml", "--engine", "sh engine.sh")
    #expect(run.code == 0, "\(run)")
    let told = try folder.read("told.ndjson")
    for secret in Self.secrets { #expect(!told.contains(secret), "\(secret)") }
    #expect(told.contains("postbox") && told.contains("not-chosen-2") && told.contains("not-chosen-3"))
  }

  @Test func `check warns once about each app that was not chosen`() async throws {
    let folder = try Folder()
    try folder.write(Self.story, to: "apps.yaml")
    let check = try await folder.run("check", "apps.yaml")
    #expect(check.code == 0)
    for (secret, line) in zip(Self.secrets, [15, 16]) {
      let advice = "apps.yaml:\(line):5: warning: no reminder waits for the app '\(secret)'"
      #expect(check.errors.contains(advice), "\(check)")
    }
    #expect(check.errors.components(separatedBy: "no reminder waits").count == 3, "each once")
    let all =
      "when: [\(["postbox", "xylophonebank", "quarrelchat"].map { "open app \($0)" }.joined(separator: ", "))]"
    try folder.write(Self.story.replacing("when: open app postbox", with: all), to: "all.yaml")
    #expect(try await folder.run("check", "all.yaml").errors.isEmpty)
  }

  @Test func `an expanded scenario keeps all names`() async throws {
    let folder = try Folder()
    try folder.write(Self.story, to: "apps.yaml")
    let expanded = try await folder.run("expand", "apps.yaml")
    #expect(expanded.output.contains(#""app":"xylophonebank""#), "\(expanded)")
    let again = try await folder.run("run", "-", input: expanded.output)
    #expect(again.code == 0, "\(again)")
  }
}

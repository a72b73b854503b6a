import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct RunTests {
  @Test func `a passed run exits with 0 and writes five reports`() async throws {
    let folder = try Folder()
    try folder.write(Samples.small, to: "scenarios/small.yaml")
    let outcome = try await folder.run("run")
    #expect(outcome.code == 0)
    #expect(outcome.errors.isEmpty)
    #expect(outcome.output.contains("1 of 1 scenarios passed, 4 of 4 expectations"))
    for name in ["report.json", "summary.md", "junit.xml", "index.html", "timing.json"] {
      #expect(folder.exists("reports/latest/\(name)"), "\(name)")
    }
  }

  @Test func `a failed expectation exits with 2 and a reason`() async throws {
    let folder = try Folder()
    try folder.write(Samples.failing, to: "failing.yaml")
    let outcome = try await folder.run("run", "failing.yaml", "--reports", "out")
    #expect(outcome.code == 2)
    #expect(outcome.output.contains("failing.yaml:21:5: expectation failed"))
    #expect(outcome.output.contains("0 of 1 scenarios passed, 2 of 4 expectations"))
    #expect(try folder.read("out/junit.xml").contains("failures=\"2\""))
  }

  @Test func `an invalid file exits with 1, and the other files run`() async throws {
    let folder = try Folder()
    try folder.write(Samples.failing, to: "suite/failing.yaml")
    try folder.write(Samples.small.replacing("unlock\n", with: "unlok\n"), to: "suite/broken.yaml")
    try folder.write(Samples.otherKind, to: "suite/other.yml")
    let outcome = try await folder.run("run", "suite")
    #expect(outcome.code == 1)
    #expect(outcome.errors.contains("suite/broken.yaml:9:"))
    #expect(outcome.output.contains("suite/failing.yaml:21:5: expectation failed"))
    #expect(
      outcome.output.contains("files of other kinds: 1"))
  }

  @Test func `filters select by path`() async throws {
    let folder = try Folder()
    try folder.write(Samples.small, to: "scenarios/small.yaml")
    try folder.write(Samples.failing, to: "scenarios/failing.yaml")
    #expect(try await folder.run("run", "--filter", "small").code == 0)
    #expect(try await folder.run("run", "--filter", "fail").code == 2)
  }

  @Test func `the JSON report goes to standard output`() async throws {
    let folder = try Folder()
    try folder.write(Samples.small, to: "small.yaml")
    let outcome = try await folder.run("run", "small.yaml", "--json")
    #expect(outcome.code == 0)
    #expect(try outcome.output == folder.read("reports/latest/report.json"))
  }

  @Test func `the command in a report contains the seed and the profile`() async throws {
    let folder = try Folder()
    try folder.write(Samples.small, to: "a folder/small.yaml")
    let outcome = try await folder.run(
      "run", "a folder", "--seed", "7", "--profile", "ideal", "--jobs", "2", "--json")
    #expect(outcome.code == 0)
    let document = try #require(
      try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any])
    #expect(document["command"] as? String == "triggerbench run 'a folder' --seed 7 --profile ideal")
  }

  /// The command in a report must generate the same report, byte for byte.
  @Test(arguments: [
    ["--engine", "'\(Tool.executable.path)' engine"],
    ["--allow-path", "other packs"],
    ["--allow-path", "other packs", "--max-events", "3"],
    ["--allow-path", "other packs", "--max-fires", "1", "--max-bytes", "9000"],
    ["--set", "policy.quietHours=none", "--filter", "small", "--seed", "4"],
  ])
  func `the command of a report reproduces it`(_ options: [String]) async throws {
    let folder = try Folder()
    try folder.write("kind: pack\nversion: 1\ntitle: P\nfacts: {plan: 1}\n", to: "other packs/pack.yaml")
    let include = options.contains("--allow-path") ? "include: ../other packs/pack.yaml\n" : ""
    try folder.write(Samples.small + include, to: "p/small.yaml")
    _ = try await Tool.run(["run", "p", "--jobs", "2"] + options, in: folder.root)
    let report = try folder.read("reports/latest/report.json")
    let document = try #require(
      try JSONSerialization.jsonObject(with: Data(report.utf8)) as? [String: Any])
    let outcome = try await folder.shell("\(try #require(document["command"] as? String)) --reports again")
    for name in ["report.json", "summary.md", "index.html", "junit.xml"] {
      #expect(try folder.read("again/\(name)") == folder.read("reports/latest/\(name)"), "\(outcome)")
    }
    // Each of the options must affect this report.
    _ = try await Tool.run(["run", "p", "--reports", "without"], in: folder.root)
    #expect(try folder.read("without/report.json") != report)
  }

  @Test func `update replaces failed expectations, and then all pass`() async throws {
    let folder = try Folder()
    let text = Samples.failing.replacing("tapThrough < 75 %", with: "tapThrough >= 25 %")
    try folder.write(text, to: "failing.yaml")
    let outcome = try await folder.run("run", "failing.yaml", "--update")
    #expect(outcome.code == 0)
    #expect(outcome.errors.contains("failing.yaml: updated 1 of 1 failed expectations; review"))
    let updated = text.replacing("milk fires 2 times on day 1", with: "milk fires once on 2026-03-02")
    #expect(try folder.read("failing.yaml") == updated)
    #expect(try await folder.run("run", "failing.yaml").code == 0)
  }

  @Test func `update prints the difference, and keeps links and file modes`() async throws {
    let folder = try Folder()
    try folder.write(Samples.failing, to: "stories/failing.yaml")
    try FileManager.default.createSymbolicLink(
      atPath: folder.url("stories/link.yaml").path, withDestinationPath: "failing.yaml")
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o640], ofItemAtPath: folder.url("stories/failing.yaml").path)
    let outcome = try await folder.run("run", "stories/link.yaml", "--update")
    #expect(outcome.code == 2)
    #expect(outcome.errors.contains("updated 1 of 2 failed expectations; edit the others yourself"))
    #expect(
      outcome.errors.contains(
        "  21: - milk fires 2 times on day 1\n  21: + milk fires once on 2026-03-02"), "\(outcome.errors)")
    let link = try FileManager.default.destinationOfSymbolicLink(atPath: folder.url("stories/link.yaml").path)
    #expect(link == "failing.yaml")
    #expect(try folder.read("stories/failing.yaml").contains("milk fires once on 2026-03-02"))
    let attributes = try FileManager.default.attributesOfItem(atPath: folder.url("stories/failing.yaml").path)
    #expect(attributes[.posixPermissions] as? Int == 0o640)
  }

  @Test func `update keeps the line endings of a file`() async throws {
    let folder = try Folder()
    let text = Samples.failing.replacing("tapThrough < 75 %", with: "tapThrough >= 25 %")
      .split(separator: "\n", omittingEmptySubsequences: false).joined(separator: "\r\n")
    try folder.write(text, to: "failing.yaml")
    #expect(try await folder.run("run", "failing.yaml", "--update").code == 0)
    let updated = text.replacing("milk fires 2 times on day 1", with: "milk fires once on 2026-03-02")
    #expect(Array(try folder.read("failing.yaml").utf8) == Array(updated.utf8))
  }

  @Test func `a file that is passed several times runs once`() async throws {
    let folder = try Folder()
    try folder.write(Samples.small, to: "suite/small.yaml")
    try FileManager.default.createSymbolicLink(
      at: folder.url("link"), withDestinationURL: folder.url("suite"))
    let linked = try await folder.run("run", "link")
    #expect(linked.code == 0)
    #expect(linked.output.contains("link/small.yaml"))
    let twice = try await folder.run(
      "run", "suite/small.yaml", "./suite/../suite/small.yaml", "link", "suite")
    #expect(twice.output.contains("1 of 1 scenarios passed"))
  }

  @Test func `a superfluous fire is reported without a reason`() async throws {
    let folder = try Folder()
    try folder.write(
      Samples.small.replacing("bread fires once at 07:00 on day 2", with: "bread never"), to: "small.yaml")
    let outcome = try await folder.run("run", "small.yaml")
    #expect(outcome.code == 2)
    #expect(outcome.output.contains("got       1 fire (2026-03-03 07:00)"))
    #expect(!outcome.output.contains("because"))
  }

  @Test func `control characters of a title are not printed`() async throws {
    let folder = try Folder()
    try folder.write(
      Samples.small.replacing(
        "title: A small <story> & its \"report\"", with: "title: \"red \\e[31m\\nline\""),
      to: "small.yaml")
    let outcome = try await folder.run("run", "small.yaml")
    #expect(outcome.output.contains("red \u{FFFD}[31m\u{FFFD}line"))
    #expect(try folder.read("reports/latest/summary.md").contains("red \u{FFFD}\\[31m\u{FFFD}line"))
  }

  @Test func `events without effect are counted`() async throws {
    let folder = try Folder()
    try folder.write(
      Samples.small.replacing("  - 23:10 plug in\n", with: "  - 23:10 plug in\n  - 23:20 plug in\n"),
      to: "small.yaml")
    let outcome = try await folder.run("run", "small.yaml")
    #expect(outcome.errors.contains("this happened without effect"))
    #expect(try folder.read("reports/latest/report.json").contains("\"alreadySo\": 1"))
  }

  @Test func `a report does not depend on the number of jobs or the order of runs`() async throws {
    let scenarios = try Repository.scenarioFiles()
    #expect(scenarios.count >= 13)
    let out = try Folder()
    for (name, jobs) in [("one", "1"), ("two", "2"), ("again", "2")] {
      let outcome = try await Tool.run(
        ["run", "scenarios", "--jobs", jobs, "--reports", out.url(name).path], in: Repository.root)
      #expect(outcome.code == 0, "\(outcome.output)\(outcome.errors)")
    }
    for document in ["report.json", "summary.md", "junit.xml", "index.html", "scenario-milk.html"] {
      let one = try out.read("one/\(document)")
      #expect(try out.read("two/\(document)") == one, "\(document)")
      #expect(try out.read("again/\(document)") == one, "\(document)")
    }
  }
}

@Suite(.timeLimit(.minutes(10))) struct ReportGoldenTests {
  /// The golden files are the complete reports of a small run with one failed expectation.
  @Test(arguments: ["report.json", "summary.md", "junit.xml", "index.html", "scenario-failing.html"])
  func `the reports equal the golden files`(document: String) async throws {
    let folder = try Folder()
    try folder.write(Samples.small, to: "small.yaml")
    try folder.write(Samples.failing, to: "failing.yaml")
    let outcome = try await folder.run("run", "small.yaml", "failing.yaml")
    #expect(outcome.code == 2)
    try Golden.expect(withoutVersions(try folder.read("reports/latest/\(document)")), matches: document)
  }

  /// Returns a text without the version numbers that depend on the machine.
  private func withoutVersions(_ text: String) -> String {
    text.replacing(/("timeZoneData": "|time-zone data )[^",]+/) { "\($0.output.1)VERSION" }
      .replacing(/("geos": "|GEOS )[0-9][^" .]*(\.[0-9][^" .]*)*/) { "\($0.output.1)VERSION" }
  }
}

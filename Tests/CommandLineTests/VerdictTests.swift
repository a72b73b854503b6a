import Foundation
import TestSupport
import Testing

/// Tests that the exit code depends only on the run, not on who reads the output, on the disk, or on when the
/// tool is killed.
@Suite(.timeLimit(.minutes(10))) struct VerdictTests {
  private static let story = """
    kind: scenario
    version: 1
    title: An unlock
    start: 2026-03-02T07:00
    zone: Europe/Berlin
    for: 1 day
    reminders: {a: {when: unlock, notify: {title: A, bucket: user}}}
    timeline: [08:00 unlock]
    expect: [a fires once at 08:00]

    """

  /// Returns a folder with a passing scenario and a failing one.
  private func stories() throws -> Folder {
    let folder = try Folder()
    try folder.write(Self.story, to: "good.yaml")
    try folder.write(Self.story.replacing("once at 08:00]", with: "once at 09:00]"), to: "bad.yaml")
    return folder
  }

  /// Runs a shell command in which `tool` is the built tool.
  private func shell(_ line: String, in folder: Folder) async throws -> Tool.Outcome {
    try await Tool.run(
      ["-c", "tool() { '\(Tool.executable.path)' \"$@\"; }\n\(line)"],
      of: URL(fileURLWithPath: "/bin/bash"), in: folder.url("."))
  }

  private func hasReports(_ name: String, in folder: Folder) throws -> Bool {
    let report = try folder.read("\(name)/report.json")
    return report.hasPrefix("{") && report.hasSuffix("}\n")
  }

  @Test(arguments: [
    "| true", "| head -c 1 > /dev/null", "> /dev/full", ">&-", "2>&-", "2> /dev/full", ">&- 2>&-", "<&-",
  ])
  func `the exit code and the reports do not depend on the reader of the output`(stream: String) async throws
  {
    let folder = try stories()
    let bad = try await shell("tool run bad.yaml --reports r \(stream); exit ${PIPESTATUS[0]}", in: folder)
    let isLost = stream == "> /dev/full"
    #expect(bad.code == (isLost ? 1 : 2), "\(stream): \(bad)")
    #expect(try hasReports("r", in: folder))
    let good = try await shell("tool run good.yaml --reports r \(stream); exit ${PIPESTATUS[0]}", in: folder)
    #expect(good.code == (isLost ? 1 : 0), "\(stream): \(good)")
    #expect(good.errors.contains("cannot write to the standard output: No space left on device") == isLost)
    #expect(try hasReports("r", in: folder))
  }

  @Test func `a failure to write reports is reported with the system's reason`() async throws {
    guard FileManager.default.fileExists(atPath: "/proc/self") else { return }
    let outcome = try await stories().run("run", "good.yaml", "--reports", "/proc/none/here")
    let reasons = ["No such file or directory", "permission to write to proc is denied"]
    let lines = reasons.map { "cannot write reports to /proc/none/here: \($0); name a folder" }
    #expect(outcome.code == 1 && lines.contains { outcome.errors.contains($0) }, "\(outcome)")
    let journal = try await stories().run("run", "good.yaml", "--journal", "/proc/none")
    let why = reasons.map { "cannot write the journal to /proc/none: \($0)\n" }
    #expect(journal.code == 1 && why.contains { journal.errors.contains($0) }, "\(journal)")
  }

  @Test(arguments: [
    (["--set", "policy.dailyCap=1", "--set", "policy.dailyCap=2"], "--set policy.dailyCap is given twice"),
    (["--set", "policy.dailyCap=1,policy.dailyCap=2"], "--set policy.dailyCap is given twice"),
    (["--set", "seed=1", "--seed", "2"], "--set seed and --seed exclude each other"),
    (["--set", "profile=ios", "--profile", "ideal"], "--set profile and --profile exclude each other"),
    (["--update", "--profile", "ideal"], "--profile and --update exclude each other"),
    (["--update", "--seed", "2"], "--seed and --update exclude each other"),
    (["--against", "x", "--update"], "--against and --update exclude each other"),
    (["--against", "x", "--json"], "--against and --json exclude each other"),
    (["--against", "x", "--reports", "r"], "--against and --reports exclude each other"),
    (["--against", "x", "--format", "github"], "--against and --format exclude each other"),
    (["--sweep", "focusHides", "--reports", "r"], "--sweep and --reports exclude each other"),
    (["--sweep", "focusHides", "--format", "github"], "--sweep and --format exclude each other"),
    (["--sweep", "focusHides", "--update"], "--sweep and --update exclude each other"),
  ])
  func `mutually exclusive options are wrong usage`(
    _ options: [String], _ words: String
  ) async throws {
    let folder = try stories()
    let outcome = try await Tool.run(["run", "good.yaml"] + options, in: folder.url("."))
    #expect(outcome.code == 64 && outcome.errors.contains(words), "\(outcome)")
    #expect(!folder.exists("r") && !folder.exists("reports"))
  }

  @Test(.enabled(if: geteuid() != 0, "root can read everything"))
  func `an unreadable folder is one error, and the other files run`() async throws {
    let folder = try stories()
    try folder.write(Samples.small, to: "shut/small.yaml")
    let shut = folder.url("shut").path
    try FileManager.default.setAttributes([.posixPermissions: 0o000], ofItemAtPath: shut)
    defer { try? FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: shut) }
    for path in [".", "shut"] {
      let outcome = try await folder.run("run", path)
      let errors = outcome.errors.split(separator: "\n").filter { $0.contains("the folder may not be read") }
      #expect(outcome.code == 1 && errors.count == 1 && errors[0].contains("shut: "), "\(outcome)")
      #expect(outcome.output.contains("good.yaml") == (path == "."), "\(outcome)")
    }
  }

  @Test func `a setting for an unknown reminder is reported with the nearest name`() async throws {
    let folder = try Folder()
    try folder.write(Samples.small, to: "small.yaml")
    let wrong = try await folder.run("run", "small.yaml", "--set", "reminders.mlik.repeat=once")
    #expect(
      wrong.code == 1
        && wrong.errors.hasPrefix(
          "--set reminders.mlik.repeat=once:2:3: error: unknown reminder 'mlik'; did you mean 'milk'?"),
      "\(wrong)")
    #expect(!wrong.errors.contains("is missing"))
    #expect(try await folder.run("run", "small.yaml", "--set", "reminders.milk.repeat=once").code != 1)
  }

  @Test func `an empty option is wrong usage without effects`() async throws {
    let folder = try stories()
    try folder.write("mine", to: "index.html")
    for option in ["--reports", "--journal", "--engine", "--against"] {
      let outcome = try await folder.run("run", "good.yaml", option, "")
      #expect(outcome.code == 64 && outcome.errors.contains("\(option) is empty"), "\(outcome)")
    }
    #expect(try folder.read("index.html") == "mine")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url(".").path).count == 3)
  }

  @Test func `files that the tool did not write are neither replaced nor removed`() async throws {
    let folder = try stories()
    try folder.write("mine", to: "site/index.html")
    let refused = try await folder.run("run", "good.yaml", "--reports", "site")
    #expect(refused.code == 1 && refused.errors.contains("it holds index.html"), "\(refused)")
    #expect(try folder.read("site/index.html") == "mine")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url("site").path) == ["index.html"])
    // The tool must keep files that it did not write, in the first run and in the second.
    try folder.write("mine", to: "notes/notes.txt")
    for _ in 0..<2 {
      #expect(try await folder.run("run", "good.yaml", "--reports", "notes").code == 0)
      #expect(try folder.read("notes/notes.txt") == "mine")
      #expect(try hasReports("notes", in: folder))
    }
    // The tool must keep a file that merely has the name of a page, but remove its own old pages.
    try folder.write("mine", to: "notes/scenario-mine.html")
    #expect(try await folder.run("run", "good.yaml", "bad.yaml", "--reports", "notes").code == 2)
    #expect(FileManager.default.fileExists(atPath: folder.url("notes/scenario-bad.html").path))
    #expect(try await folder.run("run", "good.yaml", "--reports", "notes").code == 0)
    #expect(!FileManager.default.fileExists(atPath: folder.url("notes/scenario-bad.html").path))
    #expect(try folder.read("notes/scenario-mine.html") == "mine")
    try folder.write("mine", to: "notes/scenario-bad.html")
    let taken = try await folder.run("run", "bad.yaml", "--reports", "notes")
    #expect(taken.code == 1 && taken.errors.contains("it holds scenario-bad.html"), "\(taken)")
    #expect(try folder.read("notes/scenario-bad.html") == "mine")
  }

  /// The file must stay unchanged, and no other file may be created.
  @Test(
    arguments: [
      (
        ["simulate", "EXPERIMENT", "--people", "0:200", "--output", "."], 1,
        "cannot write the part to .: it is a folder"
      ),
      (["run", "good.yaml", "--journal", "."], 1, "cannot write the journal to .: it is a folder"),
      (
        ["bench", "gate", "--baseline", "no ne.json"], 5,
        "no baseline at no ne.json; write one with: triggerbench bench gate --baseline 'no ne.json' --update"
      ),
      (
        ["bench", "gate"], 5,
        "no baseline at reports/baselines/counters.json; write one with: triggerbench bench gate --update"
      ),
      (
        ["bench", "gate", "--baseline", "good.yaml"], 1,
        "good.yaml is not a baseline; name a new file with --baseline, and write it with --update"
      ),
    ] as [([String], Int32, String)])
  func `an unusable file is reported before anything is measured`(
    _ arguments: [String], _ code: Int32, _ words: String
  ) async throws {
    let folder = try stories()
    let experiment = Repository.root.appendingPathComponent("scenarios/experiments/three-hours.yaml").path
    let outcome = try await Tool.run(
      arguments.map { $0 == "EXPERIMENT" ? experiment : $0 }, of: Tool.executable, in: folder.url("."))
    #expect(outcome.code == code && outcome.errors.contains(words), "\(outcome)")
    #expect(!outcome.output.contains("ns/event"))
  }

  @Test(arguments: [
    ["run", "good.yaml", "--reports", "good.yaml"], ["run", "good.yaml", "--journal", "good.yaml"],
    ["run", "good.yaml", "--journal", "way.gpx"],
    ["simulate", "good.yaml", "--people", "0:200", "--output", "good.yaml"],
    ["import", "monica.json", "--output", "monica.json"], ["import", "monica.json", "--output", "good.yaml"],
    ["bench", "gate", "--update", "--baseline", "good.yaml"],
  ])
  func `a file of another kind is not replaced`(_ arguments: [String]) async throws {
    let folder = try stories()
    try folder.write("<gpx/>", to: "way.gpx")
    try folder.write("{\"data\": []}", to: "monica.json")
    let path = arguments[arguments.count - 1]
    let before = try folder.read(path)
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.url(".").path).sorted()
    let outcome = try await Tool.run(arguments, of: Tool.executable, in: folder.url("."))
    #expect(outcome.code == 1 && outcome.errors.contains(path), "\(outcome)")
    #expect(try folder.read(path) == before)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url(".").path).sorted() == files)
  }

  @Test func `a failure to write reports is reported with a reason`() async throws {
    let folder = try stories()
    try folder.write("", to: "file")
    let below = try await folder.run("run", "good.yaml", "--reports", "file/reports")
    #expect(below.code == 1 && below.errors.contains("file is not a folder"), "\(below)")
    // Not even root can write to this file system.
    let system = try await folder.run("run", "good.yaml", "--reports", "/proc/triggerbench")
    #expect(
      system.code == 1 && system.errors.contains("cannot write reports to /proc/triggerbench"), "\(system)")
    // A limit on the file size acts like a full disk. Existing files must stay unchanged.
    #expect(try await folder.run("run", "good.yaml", "--reports", "r", "--seed", "1").code == 0)
    let before = try folder.read("r/report.json")
    let full = try await shell("ulimit -f 4; tool run good.yaml --reports r --seed 2 2> errors", in: folder)
    #expect(full.code == 1, "\(full)")
    #expect(try folder.read("errors").contains("cannot write reports to r"))
    #expect(try folder.read("r/report.json") == before)
    #expect(try leftovers(in: folder) == [])
  }

  @Test func `output beyond the file-size limit is a failure with a reason`() async throws {
    let folder = try Folder()
    let outcome = try await shell("ulimit -f 4; tool schema > out", in: folder)
    #expect(outcome.code == 1, "\(outcome)")
    #expect(outcome.errors.contains("cannot write to the standard output: File too large"), "\(outcome)")
    #expect(try folder.read("out").utf8.count == 4_096)
  }

  @Test func `one invalid file is one failure, and the others are reported`() async throws {
    let folder = try stories()
    try folder.write(Self.story, to: "suite/good.yaml")
    try folder.write("kind: scenario\nversion: 1\n\u{0}", to: "suite/zero.yaml")
    try Data([0x6B, 0xFF, 0xFE]).write(to: folder.url("suite/bytes.yaml"))
    try FileManager.default.createSymbolicLink(
      at: folder.url("suite/nowhere.yaml"), withDestinationURL: folder.url("suite/none"))
    let outcome = try await folder.run("run", "suite", "--reports", "r")
    #expect(outcome.code == 1, "\(outcome)")
    #expect(outcome.output.contains("1 of 1 scenarios passed, 1 of 1 expectations; problems in files: 3"))
    for name in ["zero", "bytes", "nowhere"] {
      #expect(outcome.errors.contains("suite/\(name).yaml:"), "\(name): \(outcome.errors)")
    }
    #expect(try hasReports("r", in: folder))
  }

  // MARK: Killed

  private func leftovers(in folder: Folder) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.url(".").path).filter { $0.hasPrefix(".") }
  }

  /// Returns the reports in a folder without measured times, or `nil` if there are none.
  private func set(_ name: String, in folder: Folder) throws -> [String: String]? {
    let url = folder.url(name)
    guard FileManager.default.fileExists(atPath: url.path) else { return nil }
    var reports: [String: String] = [:]
    for file in try FileManager.default.contentsOfDirectory(atPath: url.path) where file != "timing.json" {
      reports[file] = try folder.read("\(name)/\(file)")
    }
    return reports
  }

  @Test func `a killed run leaves either the old or the new reports`() async throws {
    let folder = try stories()
    try folder.write(
      Self.story.replacing("expect:", with: "analytics: {consent: granted}\nexpect:"), to: "events.yaml")
    let files = ["good.yaml", "events.yaml"]
    var sets: [[String: String]] = []
    for file in files {
      _ = try await folder.run("run", file, "--reports", "r")
      sets.append(try #require(try set("r", in: folder)))
    }
    #expect(sets[0]["events.ndjson"] == nil && sets[1]["events.ndjson"] != nil)
    let whole = ProcessInfo.processInfo.environment["TRIGGERBENCH_ALL"] != nil
    var (old, new) = (0, 0)
    var last = sets[1]
    for kill in 0..<(whole ? 200 : 40) {
      let seconds = Double(kill * 7919 % 97) / 97 * 0.09
      _ = try await shell(
        "'\(Tool.executable.path)' run \(files[kill % 2]) --reports r &> /dev/null & sleep \(seconds); kill -9 $!; wait $!",
        in: folder)
      let found = try #require(try set("r", in: folder))
      #expect(sets.contains(found), "kill \(kill) mixes two sets: \(found.keys.sorted())")
      if found == last { old += 1 } else { new += 1 }
      last = found
    }
    #expect(old > 0)
    _ = try await folder.run("run", "good.yaml", "--reports", "r")
    #expect(try leftovers(in: folder) == [], "the next run clears up")
    #expect(try set("r", in: folder) == sets[0])
  }
}

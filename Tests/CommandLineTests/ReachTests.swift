import Foundation
import Testing

/// Tests that the files of a pull request cannot make the tool read or print other files on the machine.
@Suite(.timeLimit(.minutes(10))) struct ReachTests {
  private static let secret = "hunter2"

  private static func story(_ head: String = "", line: String = "08:00 unlock") -> String {
    """
    kind: scenario
    version: 1
    title: An unlock
    start: 2026-03-02T07:00
    zone: UTC
    for: 1 day
    \(head)
    reminders: {a: {when: unlock, notify: {title: A, bucket: user}}}
    timeline:
      - \(line)
    expect: [fires >= 0]

    """
  }

  private static let people = """
    kind: population
    version: 1
    title: People
    start: 2026-03-02T00:00
    zone: UTC
    for: 2 days
    reminders: {a: {when: unlock, notify: {title: A}}}
    habits: {unlocks: 10 per day}

    """

  /// Creates a repository in `p`, and files outside it that contain the secret.
  ///
  /// If the tool read these files, it would use them.
  private func project() throws -> Folder {
    let folder = try Folder()
    try folder.write("", to: "p/.git/HEAD")
    let pack = "kind: pack\nversion: 1\ntitle: \(Self.secret)\napps: [\(Self.secret)]\n"
    let lines = #"{"t":"2026-03-02T08:00:00Z","event":"unlock"}"# + "\n"
    let track =
      #"<gpx version="1.1"><trk><trkseg><trkpt lat="1" lon="1"><time>2026-03-02T08:00:00Z</time></trkpt></trkseg></trk></gpx>"#
    for place in ["out", "p/.git", "p/.hidden"] {
      try folder.write(pack, to: "\(place)/pack.yaml")
      try folder.write(lines, to: "\(place)/day.ndjson")
      try folder.write(track, to: "\(place)/way.gpx")
      try folder.write(Self.people, to: "\(place)/people.yaml")
      try folder.write(Self.story(), to: "\(place)/story.yaml")
    }
    for (link, target) in [
      ("p/s/link.yaml", "out/pack.yaml"), ("p/s/link.ndjson", "out/day.ndjson"), ("p/s/folder", "out"),
      ("p/s/hidden.yaml", "p/.hidden/pack.yaml"), ("p/s/people-link.yaml", "out/people.yaml"),
    ] {
      try folder.write("", to: "p/s/.keep")
      try FileManager.default.createSymbolicLink(at: folder.url(link), withDestinationURL: folder.url(target))
    }
    try FileManager.default.createSymbolicLink(
      atPath: folder.url("p/s/circle.yaml").path, withDestinationPath: "circle.yaml")
    return folder
  }

  /// The ways in which a scenario can refer to other files: top-level keys and time-line entries.
  private static let ways: [(head: String, line: String)] = [
    ("include: OUT/pack.yaml", ""), ("include: ../../out/pack.yaml", ""), ("include: link.yaml", ""),
    ("include: folder/pack.yaml", ""), ("include: ../.git/pack.yaml", ""), ("include: hidden.yaml", ""),
    ("include: [fitme, ./../../p/../out/pack.yaml]", ""), ("include: circle.yaml", ""),
    ("", "gpx: OUT/way.gpx"), ("", "gpx: ../../out/way.gpx"), ("", "gpx: ../.hidden/way.gpx"),
    ("", "ndjson: link.ndjson"), ("", "ndjson: folder/../out/day.ndjson"),
    ("", "aware: {battery: ../../out/day.ndjson}"), ("", "{aware: {screen: folder/day.ndjson}}"),
    ("", "gpx: /dev/stdin"), ("", "ndjson: /proc/self/environ"),
  ]

  @Test func `a scenario cannot refer to files outside its root`() async throws {
    let folder = try project()
    for (head, line) in Self.ways {
      let out = folder.url("out").path
      let text = Self.story(
        head.replacing("OUT", with: out),
        line: line.isEmpty ? "08:00 unlock" : line.replacing("OUT", with: out))
      try folder.write(text, to: "p/s/story.yaml")
      for command in [["run", "--reports", "r"], ["check"]] {
        let outcome = try await Tool.run(
          [command[0], "s/story.yaml"] + command.dropFirst(), in: folder.url("p"),
          environment: ["TOKEN": Self.secret])
        let all = outcome.output + outcome.errors
        #expect(
          outcome.code == 1 && all.contains("is outside of the readable folders"), "\(head) \(line): \(all)")
        // The message contains the line with the reference, but not the contents of the file.
        #expect(
          outcome.errors.split(separator: "\n").contains {
            $0.hasPrefix("s/story.yaml:") && $0.contains("is outside of")
          },
          "\(head) \(line): \(all)")
        #expect(all.contains("'--allow-path DIR' adds a folder"))
        #expect(!all.contains(Self.secret), "\(head) \(line): \(all)")
      }
      #expect(!folder.exists("p/r/events.ndjson"))
      if folder.exists("p/r/report.json") {
        #expect(try !folder.read("p/r/report.json").contains(Self.secret))
      }
    }
  }

  @Test func `other files and links cannot refer to files outside their root`() async throws {
    let folder = try project()
    let experiment = """
      kind: experiment
      version: 1
      title: T
      population: POPULATION
      variants: {a: {policy: {dailyCap: 1}}}

      """
    for population in [
      "../../out/people.yaml", "folder/people.yaml", "people-link.yaml", "../.git/people.yaml",
    ] {
      try folder.write(experiment.replacing("POPULATION", with: population), to: "p/s/experiment.yaml")
      let outcome = try await folder.run("experiment", "p/s/experiment.yaml", "--people", "200")
      #expect(outcome.code == 1 && outcome.errors.contains("is outside of"), "\(population): \(outcome)")
      #expect(outcome.errors.hasPrefix("p/s/experiment.yaml:4:13: error: "), "\(population): \(outcome)")
    }
    try folder.write(
      Self.people.replacing("zone: UTC", with: "zone: UTC\ninclude: ../../out/pack.yaml"),
      to: "p/s/people.yaml")
    let person = try await folder.run("run", "p/s/people.yaml", "--person", "1")
    #expect(person.code == 1 && person.errors.contains("is outside of"), "\(person)")
    for target in ["out/story.yaml", "p/.git/HEAD", "out/pack.yaml"] {
      try folder.write(Self.story(), to: "p/t/good.yaml")
      try? FileManager.default.removeItem(at: folder.url("p/t/evil.yaml"))
      try FileManager.default.createSymbolicLink(
        at: folder.url("p/t/evil.yaml"), withDestinationURL: folder.url(target))
      let outcome = try await folder.run("run", "p/t", "--reports", "r")
      #expect(outcome.code == 1 && outcome.errors.contains("p/t/evil.yaml: error: this is outside of"))
      #expect(outcome.output.contains("1 of 1 scenarios passed"), "\(outcome)")
      #expect(!(outcome.output + outcome.errors).contains(Self.secret))
    }
  }

  @Test func `an expanded scenario cannot refer to recordings`() async throws {
    let folder = try project()
    try folder.write(Self.story(), to: "story.yaml")
    let lines = try await folder.run("expand", "story.yaml").output
    let recording = #""scenario": {"timeline": ["ndjson: \#(folder.url("out/day.ndjson").path)"], "#
    let hostile = lines.replacing(#""scenario": {"#, with: recording)
    #expect(hostile != lines)
    try folder.write(hostile, to: "p/story.ndjson")
    for arguments in [["run", "p/story.ndjson"], ["run", "-"]] {
      let outcome = try await Tool.run(
        arguments + ["--reports", "r"], in: folder.url("."), input: hostile)
      #expect(outcome.code == 1, "\(outcome)")
    }
    let piped = try await folder.run(
      "run", "-", "--reports", "r", input: Self.story(line: "gpx: \(folder.url("out/way.gpx").path)"))
    #expect(piped.code == 1, "\(piped)")
  }

  @Test func `the contents of other files are not printed`() async throws {
    let folder = try project()
    let secrets = [
      "TOKEN=\(Self.secret)\n", "\(Self.secret): [\n", "kind: Secret\n\(Self.secret): 1\n\(Self.secret): 2\n",
      "{\"\(Self.secret)\":\"\(Self.secret)\"}\n", "\(Self.secret),timestamp\u{0}\n", "<\(Self.secret)>\n",
      "kind: \(Self.secret)\n", "\u{7}\(Self.secret)\n", "- *\(Self.secret)\n",
    ]
    let names = [
      ("include: s.yaml", ""), ("", "gpx: s.yaml"), ("", "ndjson: s.yaml"), ("", "aware: {battery: s.yaml}"),
    ]
    for secret in secrets {
      try folder.write(secret, to: "p/s/s.yaml")
      for (head, line) in names {
        try folder.write(
          Self.story(head, line: line.isEmpty ? "08:00 unlock" : line), to: "p/s/story.yaml")
        let outcome = try await folder.run("check", "p/s/story.yaml")
        #expect(outcome.code == 1 && !outcome.errors.contains(Self.secret), "\(secret) \(line): \(outcome)")
      }
      // A folder of scenarios may contain any files.
      for command in ["check", "run"] {
        let outcome = try await folder.run(command, "p/s/s.yaml")
        #expect(outcome.code == 1 && !outcome.errors.contains(Self.secret), "\(secret): \(outcome)")
      }
    }
    try folder.write(
      "kind: experiment\nversion: 1\ntitle: T\npopulation: s.yaml\nvariants: {a: {policy.dailyCap: 1}}\n",
      to: "p/s/experiment.yaml")
    let outcome = try await folder.run("check", "p/s/experiment.yaml")
    #expect(outcome.code == 1 && !outcome.errors.contains(Self.secret), "\(outcome)")
  }

  @Test func `files below the root or an allowed folder are read`() async throws {
    let folder = try project()
    let inside = [("include: ../packs/pack.yaml", ""), ("", "gpx: ../packs/way.gpx")]
    let outside = [("include: ../../out/pack.yaml", ""), ("", "gpx: ../../out/way.gpx")]
    for file in ["pack.yaml", "way.gpx"] {
      try FileManager.default.createDirectory(at: folder.url("p/packs"), withIntermediateDirectories: true)
      try FileManager.default.copyItem(at: folder.url("out/\(file)"), to: folder.url("p/packs/\(file)"))
    }
    for (head, line) in inside + outside {
      try folder.write(Self.story(head, line: line.isEmpty ? "08:00 unlock" : line), to: "p/s/story.yaml")
      let isInside = inside.contains { $0 == (head, line) }
      #expect(try await folder.run("check", "p/s/story.yaml").code == (isInside ? 0 : 1), "\(head) \(line)")
      #expect(try await folder.run("check", "p/s/story.yaml", "--allow-path", "out").code == 0)
    }
    // Without a repository, the root is the searched folder or the folder of the file.
    try FileManager.default.removeItem(at: folder.url("p/.git"))
    try folder.write(Self.story("include: ../packs/pack.yaml"), to: "p/s/story.yaml")
    #expect(try await folder.run("check", "p/s/story.yaml").code == 1)
    #expect(try await folder.run("check", "p/s/story.yaml", "--allow-path", "p").code == 0)
    #expect(try await folder.run("check", "p", "--filter", "story").code == 0)
    // A scenario in a hidden folder may refer to files in the same folder.
    try folder.write(Self.story("include: pack.yaml"), to: "p/.hidden/own.yaml")
    #expect(try await folder.run("check", "p/.hidden/own.yaml").code == 0)
  }
}

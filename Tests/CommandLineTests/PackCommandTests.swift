import Foundation
import TestSupport
import Testing

/// Tests valid and invalid packs on the command line.
@Suite(.timeLimit(.minutes(10))) struct PackCommandTests {
  private static let story = """
    kind: scenario
    version: 1
    title: Three days without the app
    start: 2026-03-02T07:00
    zone: Europe/Berlin
    for: 7 days
    include: packs/mine.yaml
    timeline:
      - 08:00 open
      - 08:10 leave
    expect:
      - engagement fires once at 18:00 on day 4

    """

  @Test func `init writes a pack that check accepts and that a scenario can include`() async throws {
    let folder = try Folder()
    let first = try await folder.run("init", "--pack", "fitme", "suite/packs/mine.yaml")
    #expect(first.code == 0)
    #expect(
      first.output == "wrote suite/packs/mine.yaml; next: triggerbench check suite/packs/mine.yaml\n")
    let alone = try await folder.run("check", "suite/packs/mine.yaml")
    #expect(alone == .init(code: 0, output: "1 of 1 packs can be included\n", errors: ""))

    try folder.write(Self.story, to: "suite/away.yaml")
    let both = try await folder.run("check", "suite")
    #expect(both.output == "1 of 1 scenarios can be run\n1 of 1 packs can be included\n")
    let run = try await folder.run("run", "suite")
    #expect(run.code == 0, "\(run)")
    #expect(run.output.contains("1 of 1 scenarios passed") && run.output.contains("files of other kinds: 1"))

    let pack = try await folder.run("run", "suite/packs/mine.yaml")
    #expect(
      pack.code == 1
        && pack.errors.hasPrefix("triggerbench: suite/packs/mine.yaml is not a scenario ('kind: scenario'); ")
        && pack.errors.contains("'triggerbench check suite/packs/mine.yaml'"), "\(pack)")

    let events = try await folder.run("expand", "suite/away.yaml")
    #expect(events.output.split(separator: "\n").count == 1 + 2, "what it declares, and what happens")
    let why = try await folder.run("explain", "suite/away.yaml", "trainingDay", "--at", "2026-03-03 10:00")
    #expect(why.code == 0 && why.output.contains("training.plannedToday"), "\(why)")
  }

  @Test func `a scenario can include generated reminders`() async throws {
    let folder = try Folder()
    let story = """
      kind: scenario
      version: 1
      title: A list from elsewhere
      start: 2026-03-02T07:00
      zone: Europe/Berlin
      places: {shop: {at: [52.52, 13.405], radius: 150 m}}
      include: many.ndjson
      timeline: [08:00 enter shop]
      expect: [milk fires once at 08:00]

      """
    try folder.write(story, to: "suite/list.yaml")
    let line = #"{"name": "milk", "when": "enter shop", "notify": "Buy milk"}"#
    try folder.write(line, to: "suite/many.ndjson")
    let run = try await folder.run("run", "suite")
    #expect(run.code == 0 && run.output.contains("1 of 1 scenarios passed"), "\(run)")
    try folder.write(line.replacing("enter", with: "entr"), to: "suite/many.ndjson")
    let wrong = try await folder.run("check", "suite")
    #expect(wrong.code == 1 && wrong.errors.contains("suite/many.ndjson:1:27: error: "), "\(wrong)")
  }

  @Test func `a built-in pack is included by name, and its errors have positions`()
    async throws
  {
    let folder = try Folder()
    try folder.write(Self.story.replacing("packs/mine.yaml", with: "fitme"), to: "away.yaml")
    #expect(try await folder.run("run", "away.yaml").code == 0)
    try folder.write(
      Self.story.replacing("packs/mine.yaml", with: "fitme\nfacts: {workouts.today: none}"), to: "wrong.yaml")
    let wrong = try await folder.run("check", "wrong.yaml")
    #expect(wrong.code == 1)
    #expect(wrong.errors.contains("<fitme>:") && wrong.errors.contains("workouts.today"), "\(wrong.errors)")
    #expect(wrong.output == "0 of 1 scenarios can be run\n")
    let unknown = try await folder.run("init", "--pack", "fitmee", "x.yaml")
    #expect(unknown.code == 1)
    #expect(unknown.errors == "triggerbench: there is no pack 'fitmee'; did you mean 'fitme'?\n")
    #expect(!folder.exists("x.yaml"))
  }

  @Test func `a gate of a pack that kills is reported at its position in the pack`() async throws {
    let folder = try Folder()
    try folder.write(
      "kind: pack\nversion: 1\ntitle: Goals\ngates: ['tapThrough >= 25 %, kill < 5 % after 1 days']\n",
      to: "goals.yaml")
    let ignored = Samples.small
      .replacing("  - 17:45 tap milk\n", with: "  - 17:45 ignore milk\n  - 17:46 ignore bread\n")
      .replacing("  - tapThrough >= 25 %\n", with: "")
      .replacing("for: 2 days", with: "for: 80 days\ninclude: goals.yaml\ngates: [fireRate >= 1 %]")
      .replacing("  - 17:40 unlock", with: "  - every day 17:41 unlock\n  - 17:40 unlock")
    try folder.write(ignored, to: "small.yaml")
    let outcome = try await folder.run("run", "small.yaml")
    #expect(outcome.code == 2, "\(outcome)")
    #expect(outcome.output.contains("goals.yaml:4:9: gate tapThrough kills"), "\(outcome.output)")
    #expect(outcome.output.contains("fireRate"))
    #expect(try folder.read("reports/latest/summary.md").contains("`goals.yaml:4` **gate** tapThrough"))
  }

  @Test func `only the first twenty errors are printed`() async throws {
    let folder = try Folder()
    let lines = (0..<3_000).map { _ in "  - 08:10 unlok\n" }.joined()
    try folder.write(Samples.small.replacing("  - 08:10 unlock\n", with: lines), to: "many.yaml")
    let outcome = try await folder.run("check", "many.yaml")
    #expect(outcome.code == 1)
    let shown = outcome.errors.split(separator: "\n").filter { $0.contains("'unlok'") }
    #expect(shown.count == 20)
    #expect(outcome.errors.hasSuffix("many.yaml: and 2980 more\n"), "\(outcome.errors.suffix(200))")
  }

  @Test func `a pipe and a link to a pipe are rejected`() async throws {
    let folder = try Folder()
    #expect(mkfifo(folder.url("pipe.yaml").path, 0o600) == 0)
    try FileManager.default.createSymbolicLink(
      at: folder.url("link.yaml"), withDestinationURL: folder.url("pipe.yaml"))
    for name in ["pipe.yaml", "link.yaml"] {
      let outcome = try await folder.run("check", name)
      #expect(outcome.code == 1)
      #expect(outcome.errors == "\(name): error: this is a pipe or a device, not a file\n")
    }
    #expect(mkfifo(folder.url("way.gpx").path, 0o600) == 0)
    try folder.write(
      Samples.small.replacing("  - 08:10 unlock\n", with: "  - {gpx: way.gpx, at: 08:10}\n"), to: "gpx.yaml")
    let recording = try await folder.run("run", "gpx.yaml")
    #expect(recording.code == 1 && recording.errors.contains("pipe or a device"), "\(recording.errors)")
    try folder.write(Samples.small, to: "small.yaml")
    try FileManager.default.createSymbolicLink(
      at: folder.url("good.yaml"), withDestinationURL: folder.url("small.yaml"))
    #expect(try await folder.run("check", "good.yaml").code == 0)
  }
}

@Suite(.timeLimit(.minutes(5))) struct ImportCommandTests {
  @Test func `the import writes the shipped pack, and reports skipped reminders`() async throws {
    let outcome = try await Tool.run(["import", "scenarios/monica/reminders.json"], in: Repository.root)
    #expect(outcome.code == 0)
    let shipped = try Data(
      contentsOf: Repository.root.appendingPathComponent("scenarios/monica/contacts.yaml"))
    #expect(outcome.output == String(decoding: shipped, as: UTF8.self))
    #expect(outcome.errors.contains("5 reminders read, 4 taken"))
    #expect(outcome.errors.contains("omitted (first at scenarios/monica/reminders.json:"))
  }

  @Test func `an invalid response is an error with its position`() async throws {
    let folder = try Folder()
    let file = folder.root.appendingPathComponent("a.json")
    try Data("{\"data\":\n  [}".utf8).write(to: file)
    let outcome = try await Tool.run(["import", file.path], in: Repository.root)
    #expect(outcome.code == 1)
    #expect(outcome.errors.contains("a.json:2:4: error:"), "\(outcome.errors)")
    #expect(outcome.output.isEmpty)
    #expect(try await Tool.run(["import", file.path, "--at", "25:00"], in: Repository.root).code == 64)
  }
}

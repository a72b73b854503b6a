import Foundation
import Testing

/// Tests the command `triggerbench experiment`.
@Suite struct ExperimentCommandTests {
  private static let text = """
    kind: experiment
    version: 1
    title: A shorter pause
    population: popcap-1
    days: 2
    variants:
      three: {policy: {minimumInterval: 3 h}}
    people: 200
    sensitivity: none

    """

  private func run(_ arguments: [String], in folder: Folder, more: String = "") async throws -> Tool.Outcome {
    try folder.write(Self.text + more, to: "a.yaml")
    let reports = arguments.contains("--reports") ? [] : ["--reports", "out"]
    return try await Tool.run(["experiment", "a.yaml"] + reports + arguments, in: folder.root)
  }

  @Test func `an experiment prints the changes and writes its reports`() async throws {
    let folder = try Folder()
    let outcome = try await run(["--csv", "people.csv"], in: folder)
    #expect(outcome.code == 0)
    #expect(outcome.errors == "")
    let lines = outcome.output.split(separator: "\n")
    #expect(lines[0] == "A shorter pause")
    let begins = [
      "three raises tapThrough", "three lowers tapThrough", "It is undecided whether three raises",
    ]
    #expect(begins.contains { lines[1].hasPrefix($0) }, "\(lines[1])")
    #expect(lines[1].hasSuffix("; the evidence is assumed, from a model of people; no guardrails."))
    #expect(lines[2].hasPrefix("three: tapThrough "))
    #expect(outcome.output.contains("\nWho gained and who was displaced: three\n"))
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.url("out").path).sorted()
    #expect(names == ["experiment.html", "experiment.json", "experiment.md"])
    let rows = try folder.read("people.csv").split(separator: "\n")
    #expect(rows.count == 401)
    #expect(rows[0].hasPrefix("person,policy,requested,shown,tapped,"))
  }

  /// The printed counts of a person must equal the counts of that person in the experiment.
  @Test func `a replayed person agrees with the experiment`() async throws {
    let folder = try Folder()
    _ = try await run(["--csv", "people.csv"], in: folder)
    let rows = try folder.read("people.csv").split(separator: "\n").map { $0.split(separator: ",") }
    for person in ["3", "117", "199"] {
      let alone = try await run(["--person", person], in: folder)
      #expect(alone.code == 0)
      for row in rows where row[0] == person {
        let line = alone.output.split(separator: "\n").first { $0.hasPrefix("  \(row[1]) ") }
        let words = try #require(line).split(separator: " ").map(String.init)
        #expect(Array(words[1...3]) == row[2...4].map(String.init))
      }
    }
  }

  /// The seed must select the same person as 'run --person'.
  @Test func `an experiment without a seed uses the seed of the population`() async throws {
    let folder = try Folder()
    for (seed, words) in [("seed: 7\n", "seed 7,"), ("", "seed 0,")] {
      try folder.write(
        """
        kind: population
        version: 1
        title: People
        start: 2026-03-02T00:00
        zone: UTC
        for: 2 days
        reminders: {a: {when: unlock, notify: {title: A}}}
        habits: {wake: {median: 07:00, spread: 1 h}, sleep: 23:00, unlocksPerHour: 3}
        \(seed)
        """, to: "people.yaml")
      try folder.write(Self.text.replacing("popcap-1\ndays: 2", with: "people.yaml"), to: "b.yaml")
      let alone = try await folder.run("experiment", "b.yaml", "--person", "3")
      #expect(alone.output.hasPrefix("person 3 of people.yaml, \(words)"), "\(alone)")
    }
  }

  @Test func `the reports are the same for one job and two`() async throws {
    let outputs = try await [1, 2].asyncMap { jobs in
      try await run(["--jobs", "\(jobs)", "--json"], in: try Folder()).output
    }
    #expect(outputs[0].contains("\"ending\": \"complete\""))
    let isSame = outputs[0] == outputs[1]
    #expect(isSame)
  }

  @Test func `an insufficient budget ends with 5 and the required number of people`() async throws {
    let outcome = try await run([], in: try Folder(), more: "precision: {firesPerDay: 0.0001}\n")
    #expect(outcome.code == 5)
    #expect(outcome.errors.hasPrefix("triggerbench: NOT PRECISE ENOUGH: 200 people are spent; about "))
  }

  @Test func `a kill and a missed target end with 2, a required inconclusive gate with 5`() async throws {
    let kills = "gates: [{metric: tapThrough, of: three, target: '>= 90 %', kill: '< 80 %'}]\n"
    #expect(try await run([], in: try Folder(), more: kills).code == 2)
    let missed = "gates: [{metric: tapThrough, of: three, target: '>= 90 %', kill: '< 1 %'}]\n"
    #expect(try await run([], in: try Folder(), more: missed).code == 2)
    let open = "gates: [{metric: optOuts, change: three, target: '<= 0 pp', kill: '> 50 pp'}]\n"
    #expect(try await run([], in: try Folder(), more: open).code == 0)
    #expect(try await run(["--require-gates"], in: try Folder(), more: open).code == 5)
  }

  @Test func `an invalid file ends with 1 and a position`() async throws {
    let folder = try Folder()
    try folder.write(Self.text.replacing("minimumInterval", with: "minimumIntervall"), to: "a.yaml")
    let outcome = try await Tool.run(["experiment", "a.yaml"], in: folder.root)
    #expect(outcome.code == 1)
    #expect(
      outcome.errors.hasPrefix(
        "a.yaml:7:20: error: unknown key 'minimumIntervall'; did you mean 'minimumInterval'?\n"))
    let check = try await Tool.run(["check", "a.yaml"], in: folder.root)
    #expect(check.code == 1)
    #expect(check.output == "0 of 1 experiments can be run\n")
  }

  @Test func `reports are replaced as a set, and other files are kept`() async throws {
    let folder = try Folder()
    try folder.write("mine", to: "out/experiment.md")
    let refused = try await run([], in: folder)
    #expect(refused.code == 1 && refused.errors.contains("it holds experiment.md"), "\(refused)")
    #expect(try folder.read("out/experiment.md") == "mine")
    #expect(try await run(["--reports", "other"], in: folder).code == 0)
    #expect(try await run(["--reports", "other"], in: folder).code == 0, "its own it replaces")
    #expect(try await run(["--reports", " "], in: folder).code == 64)
    let full = try await run(["--csv", "/dev/full", "--reports", "third"], in: folder)
    #expect(full.code == 1 && full.errors.contains("cannot write the people to /dev/full: No space left"))
  }

  @Test func `a comparison of two experiments lists the settings that differ`() async throws {
    let folder = try Folder()
    #expect(try await run(["--reports", "first"], in: folder).code == 0)
    #expect(try await run(["--reports", "second", "--seed", "2"], in: folder).code == 0)
    let same = try await folder.run("compare", "first", "first/experiment.json")
    #expect(same.code == 0 && same.output.hasPrefix("no setting differs\n"), "\(same)")
    let other = try await folder.run("compare", "first", "second")
    #expect(other.code == 2)
    #expect(other.output.hasPrefix("1 setting differs:\n  seed: 1 → 2\nfirst: "), "\(other)")
    let mixed = try await folder.run("compare", "first", "a.yaml")
    #expect(mixed.code == 1 && mixed.errors.contains("this is not the report of an experiment"), "\(mixed)")
  }

  @Test func `settings on the command line are compared`() async throws {
    let outcome = try await run(["--set", "policy.dailyCap=1"], in: try Folder())
    #expect(outcome.code == 0)
    #expect(outcome.output.contains("\ndailyCap 1: tapThrough "))
  }
}

extension Sequence {
  fileprivate func asyncMap<Result>(_ body: (Element) async throws -> Result) async rethrows -> [Result] {
    var results: [Result] = []
    for element in self { results.append(try await body(element)) }
    return results
  }
}

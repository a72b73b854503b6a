import Foundation
import TestSupport
import Testing

/// Tests commands that run one person of a population as a scenario.
@Suite(.timeLimit(.minutes(10))) struct PopulationCommandTests {
  private static let population = """
    kind: population
    version: 1
    title: A few people
    start: 2026-03-02T00:00
    zone: Europe/Berlin
    for: 5 days
    profile: ios
    reminders: {tip: {when: every day 12:00, repeat: always, notify: A tip}}
    habits: {wake: {median: 07:00, spread: 1 h}, sleep: 23:00, unlocksPerHour: 3}

    """

  @Test func `one person can be replayed, expanded and explained`() async throws {
    let folder = try Folder()
    try folder.write(Self.population, to: "people.yaml")
    let run = try await folder.run("run", "people.yaml", "--person", "9", "--reports", "out")
    #expect(run.code == 0 && run.output.contains("A few people: person 9"), "\(run)")
    let report = try folder.read("out/report.json")
    #expect(report.contains("run people.yaml --person 9") && report.contains("\"number\": \"9\""))
    let again = try await folder.run("run", "people.yaml", "--person", "9", "--reports", "again")
    #expect(try again.code == 0 && folder.read("again/report.json") == report)
    let other = try await folder.run("run", "people.yaml", "--person", "10", "--reports", "other")
    #expect(try other.code == 0 && folder.read("other/report.json") != report)

    let quiet = try await folder.run(
      "run", "people.yaml", "--person", "9", "--reports", "quiet", "--set", "policy.quietHours=11:30-12:30")
    #expect(quiet.code == 0)
    #expect(try folder.read("quiet/report.json").contains("\"quietHours\": "))
    #expect(!report.contains("\"quietHours\": "))
    let wrong = try await folder.run(
      "run", "people.yaml", "--person", "9", "--reports", "quiet", "--set", "policy.quiet=11:30-12:30")
    #expect(wrong.code == 1 && wrong.errors.contains("unknown key 'quiet'"), "\(wrong)")

    let lines = try await folder.run("expand", "people.yaml", "--person", "9")
    #expect(lines.code == 0)
    try folder.write(lines.output, to: "nine.ndjson")
    let expanded = try await folder.run("run", "nine.ndjson", "--reports", "expanded")
    #expect(expanded.code == 0)
    func told(_ report: String) -> [Substring] {
      report.split(separator: "\n").filter { !$0.contains("\"file\"") && !$0.contains("\"command\"") }
    }
    #expect(try told(folder.read("expanded/report.json")) == told(report))

    let reason = try await folder.run(
      "explain", "people.yaml", "tip", "--person", "9", "--at", "2026-03-03 12:00")
    #expect(reason.code == 0 && reason.output.contains("tip"), "\(reason)")
  }

  @Test func `run skips a population without --person, and check accepts it`() async throws {
    let folder = try Folder()
    try folder.write(Self.population, to: "all/people.yaml")
    try folder.write(Samples.small, to: "all/small.yaml")
    let run = try await folder.run("run", "all", "--reports", "out")
    #expect(run.code == 0 && run.output.contains("files of other kinds: 1"))
    let check = try await folder.run("check", "all")
    #expect(check.code == 0 && check.output.contains("1 of 1 populations can be drawn from"))
    let explain = try await folder.run("explain", "all/people.yaml", "tip", "--at", "2026-03-03 12:00")
    #expect(explain.code == 1 && explain.errors.contains("choose one of its people with --person"))
    let person = try await folder.run("run", "all/small.yaml", "--person", "3", "--reports", "out")
    #expect(
      person.code == 1 && person.errors.contains("a file of kind 'scenario' has no persons to choose from"))
    let one = try await folder.run("run", "all", "--person", "3", "--reports", "out")
    #expect(one.code == 0 && one.output.contains("files of other kinds: 1"), "\(one)")
    let nobody = try await folder.run("run", "all/people.yaml", "--reports", "out")
    #expect(
      nobody.errors
        == "triggerbench: all/people.yaml is not a scenario ('kind: scenario'); 'triggerbench run all/people.yaml --person 1' "
        + "plays one of its people\n")
    try folder.write(Samples.small, to: "none/small.yaml")
    let none = try await folder.run("run", "none", "--person", "3", "--reports", "out")
    #expect(
      none.errors == "triggerbench: none/small.yaml is not a population ('kind: population')\n", "\(none)")
    try folder.write(Self.population.replacing("wake:", with: "wakes:"), to: "wrong.yaml")
    let wrong = try await folder.run("check", "wrong.yaml")
    #expect(
      wrong.code == 1 && wrong.errors.contains("wrong.yaml:9:10: error: unknown key 'wakes'"), "\(wrong)")
  }
}

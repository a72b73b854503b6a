import Foundation
import Testing

/// Tests the commands `triggerbench simulate` and `merge`, as they are used on several machines.
@Suite struct PartCommandTests {
  private static let text = """
    kind: experiment
    version: 1
    title: A shorter pause
    population: popcap-1
    days: 2
    variants:
      three: {policy: {minimumInterval: 3 h}}
    people: 280
    sensitivity: {people: 200, draws: 2}
    gates: [{metric: tapThrough, of: three, target: '>= 1 %'}]

    """

  @Test func `seven parts merge to the same report as the whole, byte for byte`() async throws {
    let folder = try Folder()
    try folder.write(Self.text, to: "a.yaml")
    #expect(
      try await folder.run("experiment", "a.yaml", "--reports", "whole", "--csv", "whole.csv").code == 0)
    var parts: [String] = []
    for part in 0..<7 {
      let (file, people) = ("part-\(part).json", "\(part * 40):\(part * 40 + 40)")
      let outcome = try await folder.run(
        "simulate", "a.yaml", "--people", people, "--output", file, "--jobs", "\(1 + part % 2)")
      #expect(outcome.code == 0 && outcome.output == "40 people in \(file)\n", "\(outcome)")
      parts.insert(file, at: part / 2)
    }
    let merged = try await Tool.run(
      ["merge", "a.yaml"] + parts + ["--reports", "merged", "--expect", "0:280", "--csv", "merged.csv"],
      in: folder.root)
    #expect(merged.code == 0, "\(merged)")
    for name in ["experiment.json", "experiment.md", "experiment.html"] {
      let isSame = try folder.read("merged/\(name)") == folder.read("whole/\(name)")
      #expect(isSame, "\(name)")
    }
    let rows = try folder.read("merged.csv")
    let areSame = rows == (try folder.read("whole.csv"))
    #expect(areSame && rows.split(separator: "\n").count == 561)
  }

  @Test func `parts that cannot be merged are reported with a hint`() async throws {
    let folder = try Folder()
    try folder.write(Self.text, to: "a.yaml")
    try folder.write(Self.text.replacing("3 h", with: "2 h"), to: "b.yaml")
    for (people, file, experiment, seed) in [
      ("0:20", "1.json", "a.yaml", "1"), ("20:40", "2.json", "a.yaml", "1"),
      ("60:80", "4.json", "a.yaml", "1"),
      ("20:40", "other.json", "b.yaml", "1"), ("20:40", "seed.json", "a.yaml", "2"),
    ] {
      let outcome = try await folder.run(
        "simulate", experiment, "--people", people, "--output", file, "--seed", seed)
      #expect(outcome.code == 0)
    }
    try folder.write(String(try folder.read("2.json").dropLast(9)), to: "cut.json")
    for (parts, words) in [
      (
        ["1.json", "4.json"],
        "no part contains the people 20:60; make one with 'triggerbench simulate … --people 20:60'"
      ),
      (
        ["1.json", "other.json"],
        "other.json belongs to another experiment: variant three is policy.minimumInterval: 2 h instead of "
          + "policy.minimumInterval: 3 h; use the file, the seed and every --set of the 'simulate' command"
      ),
      (["1.json", "seed.json"], "seed.json belongs to another experiment: seed is 2 instead of 1; "),
      (["1.json", "cut.json"], "cut.json: error: this is not a complete part of an experiment; "),
      (["1.json", "missing.json"], "missing.json: error: the file does not exist"),
    ] {
      let outcome = try await Tool.run(["merge", "a.yaml"] + parts, in: folder.root)
      #expect(outcome.code == 1 && outcome.errors.contains(words), "\(outcome.errors)")
    }
    #expect(!folder.exists("reports"))
    for people in ["5", "5:5", "a:9", "0:99999999999"] {
      let outcome = try await folder.run("simulate", "a.yaml", "--people", people, "--output", "x.json")
      #expect(
        outcome.code == 64 && outcome.errors.contains("is not a range of people; write A:B"), "\(outcome)")
    }
    let nowhere = try await folder.run("simulate", "a.yaml", "--people", "0:9", "--output", "a.yaml/x.json")
    #expect(
      nowhere.code == 1
        && nowhere.errors.contains("cannot write the part to a.yaml/x.json: a.yaml is not a folder"))
  }
}

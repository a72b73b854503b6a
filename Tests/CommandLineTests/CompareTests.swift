import Foundation
import TestSupport
import Testing

/// Tests `run --set` and `compare` with a change of the policy.
@Suite(.timeLimit(.minutes(10))) struct CompareTests {
  private static let scenario = "scenarios/low-readiness-workout.yaml"

  /// Writes journals and reports of a scenario, first unchanged and then with a shorter interval.
  private func runs() async throws -> Folder {
    let folder = try Folder()
    for (name, settings) in [("before", []), ("after", ["--set", "policy.minimumInterval=3h"])] {
      _ = try await Tool.run(
        [
          "run", Self.scenario, "--journal", folder.url("\(name).ndjson").path, "--reports",
          folder.url(name).path,
        ] + settings, in: Repository.root)
    }
    return folder
  }

  @Test func `a comparison of journals explains each different decision`() async throws {
    let folder = try await runs()
    let outcome = try await folder.run("compare", "before.ndjson", "after.ndjson")
    #expect(outcome.code == 2 && outcome.errors.isEmpty)
    let lines = outcome.output.split(separator: "\n").map(String.init)
    #expect(
      lines.contains {
        $0.contains("gained") && $0.contains("restDay") && $0.contains("2026-03-09 13:00")
          && $0.hasSuffix("is denied by minimumInterval → fires")
      }, "\(outcome.output)")
    #expect(
      lines.contains {
        $0.contains("otherwise") && $0.hasSuffix("→ is not requested after it fired at 2026-03-09 13:00")
      }, "\(outcome.output)")
    #expect(lines.last == "different: 1 gained, 0 lost, 1 moved, 2 otherwise; 0 of 1 scenarios are the same")
    let back = try await folder.run("compare", "after.ndjson", "before.ndjson")
    #expect(
      back.output.hasSuffix(
        "different: 0 gained, 1 lost, 1 moved, 2 otherwise; 0 of 1 scenarios are the same\n"))
  }

  @Test func `a comparison of a run with itself finds no differences`() async throws {
    let folder = try await runs()
    for run in ["before.ndjson", "before", "after/report.json"] {
      let outcome = try await folder.run("compare", run, run)
      #expect(
        outcome.code == 0 && outcome.output.hasSuffix("\nsame: nothing differs in 1 scenario\n"), "\(outcome)"
      )
    }
  }

  @Test func `a comparison of reports shows the different fires, losses and verdicts`() async throws {
    let folder = try await runs()
    let outcome = try await folder.run("compare", "before", "after")
    #expect(outcome.code == 2)
    #expect(outcome.output.contains("does not fire → fires"), "\(outcome.output)")
    #expect(outcome.output.contains("losses of restDay: minimumInterval"), "\(outcome.output)")
    #expect(outcome.output.contains(": passed → failed"), "\(outcome.output)")
  }

  @Test func `a comparison is available as Markdown and JSON`() async throws {
    let folder = try await runs()
    let markdown = try await folder.run("compare", "before", "after", "--markdown")
    #expect(markdown.code == 2 && markdown.output.hasPrefix("### before → after\n\ndifferent: "))
    let json = try await folder.run("compare", "before.ndjson", "after.ndjson", "--json")
    let document = try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any]
    #expect(document?["verdict"] as? String == "different" && document?["source"] as? String == "journal")
    #expect((document?["counts"] as? [String: Int])?["gained"] == 1)
  }

  @Test func `files that are not runs and invalid settings are rejected`() async throws {
    let folder = try await runs()
    try folder.write("{}", to: "other.json")
    let other = try await folder.run("compare", "before", "other.json")
    #expect(
      other.code == 1 && other.errors.hasPrefix("other.json: error: this is neither a report nor a journal"))
    let missing = try await folder.run("compare", "before", "nowhere")
    #expect(missing.code == 1 && missing.errors.hasPrefix("nowhere: error: the file does not exist"))
    let both = try await folder.run("compare", "before", "after.ndjson")
    #expect(both.code == 1 && both.errors.contains("one is a journal and the other a report"))
    func run(_ setting: String) async throws -> Tool.Outcome {
      try await Tool.run(
        ["run", Self.scenario, "--reports", folder.url("r").path, "--set", setting], in: Repository.root)
    }
    let name = try await run("policy.minimumIntervall=3h")
    #expect(
      name.code == 1
        && name.errors.hasPrefix(
          "--set policy.minimumIntervall=3h:2:3: error: unknown key 'minimumIntervall'; did you mean 'minimumInterval'?"
        ), "\(name.errors)")
    let form = try await run("policy")
    #expect(
      form.code == 64 && form.errors.contains("write a key and a value, such as policy.minimumInterval=3h"))
    let expanded = try await Tool.run(["expand", Self.scenario], in: Repository.root)
    let late = try await Tool.run(
      ["run", "-", "--reports", folder.url("r").path, "--set", "policy.dailyCap=1"], in: Repository.root,
      input: expanded.output)
    #expect(
      late.code == 1 && late.errors.contains("an expanded scenario takes no settings"), "\(late.errors)")
  }

  @Test func `two builds are compared on the user's own file`() async throws {
    let own = Tool.executable.path
    let outcome = try await Tool.run(
      [
        "bench", "compare", own, own, "--scenario", "scenarios/milk.yaml", "--rounds", "1", "--budget", "4",
        "--no-instructions", "--json",
      ], in: Repository.root)
    // The verdict depends on the speed of the machine.
    #expect([0, 4, 5].contains(outcome.code), "\(outcome.errors)")
    let json = try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any]
    #expect(json?["suite"] as? String == "scenario")
    let row = (json?["rows"] as? [[String: Any]])?.first
    #expect(row?["mode"] as? String == "file" && (row?["blocks"] as? Int ?? 0) > 0, "\(outcome.output)")
    let unknown = try await Tool.run(
      ["bench", "compare", own, own, "--suite", "scenario"], in: Repository.root)
    #expect(unknown.code == 64 && unknown.errors.contains("needs a file: --scenario"), "\(unknown.errors)")
  }

  @Test(arguments: [
    (["bench", "machting"], "unknown suite 'machting'; did you mean 'matching'?"),
    (["bench", "x"], "unknown suite 'x'; known: matching, caps"),
    (["bench", "population", "--workload", "fitmee"], "did you mean 'fitme'?"),
    (["bench", "compare", "a", "b", "--suite", "kernle"], "did you mean 'kernel'?"),
    (
      ["bench", "compare", "a", "b", "--scenario", "s.yaml", "--suite", "kernel"], "leave out --suite kernel"
    ),
    (["bench", "compare", "a", "b", "--rounds", "0"], "--rounds must be at least 1"),
    (["bench", "kernel", "--rounds", "0"], "--rounds must be at least 1"),
    (["bench", "kernel", "--format", "markdown", "--json"], "--json and --format exclude each other"),
    (["bench", "scenario"], "bench scenario my.yaml"),
    (["bench", "scenario", "-"], "bench scenario my.yaml"),
    (["bench", "scenario", "s.yaml", "--events", "5"], "leave out --sizes, --mode and --events"),
    (["bench", "matching", "s.yaml"], "use 'bench scenario FILE'"),
    (["bench", "matching", "--reminders", "0"], "--sizes must be whole numbers of at least 1"),
    (["bench", "matching", "--mode", "yearly"], "facts, adding or replacing"),
    (["bench", "compare", "a", "b", "--mode", "yearly"], "unknown mode 'yearly'; use once, daily,"),
    // Comparisons ignore the suite's baseline and therefore do not know this mode.
    (["bench", "compare", "a", "b", "--mode", "adding"], "unknown mode 'adding'"),
    (["bench", "compare", "a", "b", "--suite", "regions", "--sizes", "9"], "has no sizes; use --events"),
    (["bench", "trial", "--suite", "load", "--events", "9"], "has no events; use --sizes"),
    (["bench", "caps", "--events", "9"], "has no events; use --sizes"),
    (["bench", "kernel", "--events", "0"], "--events must be at least 1"),
    (["bench", "kernel", "--mode", "daily"], "the suite kernel has no modes"),
  ])
  func `unsupported bench options are wrong usage with a message`(_ arguments: [String], _ words: String)
    async throws
  {
    let outcome = try await Tool.run(arguments, in: Repository.root)
    #expect(outcome.code == 64 && outcome.errors.contains(words), "\(outcome)")
  }

  @Test func `a trial runs the requested comparisons, and replays events only for the suite matching`()
    async throws
  {
    let little = ["--sizes", "20", "--events", "300", "--rounds", "1", "--budget", "2"]
    let outcome = try await Tool.run(
      ["bench", "trial", "--trials", "1", "--replayed", "3", "--heading"] + little, in: Repository.root)
    #expect(outcome.code == 0, "\(outcome.errors)")
    let rows = outcome.output.split(separator: "\n").map { row in
      row.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
    }
    let place = try #require(rows.first?.firstIndex(of: "trials"), "\(outcome.output)")
    #expect(rows.count == 3 && rows[2][place] == "1", "\(outcome.output)")
    let other = try await Tool.run(
      ["bench", "trial", "--trials", "1", "--replayed", "3", "--suite", "kernel"] + little,
      in: Repository.root)
    #expect(other.code == 64, "\(other)")
    #expect(other.errors.contains("--replayed is available only for the suite matching"), "\(other)")
  }
}

import ArgumentParser
import Experiments
import Foundation
import Reporting
import TextFormats

struct ExperimentCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "experiment",
    abstract: "Says what a change of policy does to people, how sure that is, and what it hangs on.",
    discussion: """
      Every policy meets the same people with the same luck. The experiment ends when the intervals that its \
      file asks for are narrow enough, or when its people are spent (exit code 5). Ctrl-C ends it early, with a \
      report of the people so far that says so.

      Examples:
        triggerbench experiment scenarios/experiments/three-hours.yaml
        triggerbench experiment my.yaml --set policy.minimumInterval=3h
        triggerbench experiment my.yaml --person 4711
        triggerbench experiment my.yaml --csv people.csv --json
      """)

  @OptionGroup var question: ExperimentQuestion

  @Option(help: "How many people may take part, in place of the file's.")
  var people: Int64?

  @Option(help: "How many people at a time (default: all cores).")
  var jobs: Int?

  @Option(help: "Play this person alone, and say what changes.")
  var person: UInt64?

  @Option(
    help: """
      Repeat it so often with other people, and print how often each interval holds the truth, for which \
      \(Self.truthPeople) people are played first.
      """)
  var trials: Int?

  @OptionGroup var output: ExperimentOutput

  @Option(help: "Write a row for each person and policy into this file.")
  var csv: String?

  func validate() throws {
    if let jobs, jobs < 1 { throw ValidationError("--jobs must be at least 1") }
    if let people, !(200...1_000_000_000).contains(people) {
      throw ValidationError("--people is 200 to 1000000000")
    }
    if let person, person > 1 << 32 { throw ValidationError("--person is at most \(1 << 32)") }
    if let csv, csv.allSatisfy(\.isWhitespace) { throw ValidationError("--csv is empty") }
    if let trials, !(1...100_000).contains(trials) { throw ValidationError("--trials is 1 to 100000") }
    if person != nil, csv != nil || output.json || output.requireGates {
      throw ValidationError("--person is of one person; leave out --csv, --json and --require-gates")
    }
    if trials != nil, person != nil || csv != nil || output.json || output.requireGates {
      throw ValidationError(
        "--trials prints a table of intervals; leave out --person, --csv, --json and --require-gates")
    }
  }

  func run() throws {
    let plan = try question.plan(people: people)
    if let trials { return Terminal.print(coverage(plan, trials)) }
    if let person { return Terminal.print(ReplayText(plan, person: person).text) }
    let result = try play(plan)
    let command = question.command("experiment", people.map { ["--people", "\($0)"] } ?? [])
    try output.write(ExperimentReport(result, command: command, tool: Tool.version))
  }

  private static let truthPeople: UInt64 = 400_000

  /// How often intervals hold what so many further people say.
  private func coverage(_ plan: ExperimentPlan, _ trials: Int) -> String {
    let jobs = Machine.jobs(jobs)
    Terminal.diagnose("first the truth, of \(Self.truthPeople) people")
    let trial = CoverageTrial(plan, PeopleWorkers(jobs: jobs), truthPeople: Self.truthPeople)
    let outcome = trial.run(trials) { done in
      if done % 100 == 0 { Terminal.diagnose("\(done) of \(trials)") }
    }
    return CoverageTable(plan, outcome).text
  }

  private func play(_ plan: ExperimentPlan) throws -> ExperimentResult {
    let table = try csv.map { try OutputFile($0, for: "the people", .people) }
    defer { table?.close() }
    return ExperimentPlay(jobs: jobs).result(of: plan) { runner in
      if let table {
        table.write(Array(PersonTable.header.utf8))
        runner.rows = PersonTable(plan).rows { table.write(Array($0.utf8)) }
      }
      return runner.run()
    }
  }
}

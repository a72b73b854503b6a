import ArgumentParser
import Experiments
import Foundation
import Reporting
import TextFormats

struct MergeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "merge",
    abstract: "Adds up the parts of an experiment that 'simulate' wrote, and reports on the whole.",
    discussion: """
      Every person must be there once, and every part be of this experiment, seed and version; a part that is named \
      twice counts once. The assumptions are tried here. Where the file asks for no precision the report is that of \
      'experiment' with as many people, byte for byte; with a precision the parts are looked at once, all together.

      Examples:
        triggerbench merge my.yaml part-*.json
        triggerbench merge my.yaml part-*.json --expect 0:200000 --reports out
      """)

  @OptionGroup var question: ExperimentQuestion

  @Argument(help: ArgumentHelp("What 'simulate' wrote.", valueName: "part"))
  var parts: [String]

  @Option(help: ArgumentHelp("Who must be there (default: from person 0 to the last).", valueName: "A:B"))
  var expect: String?

  @Option(help: "How many people at a time, for the assumptions (default: all cores).")
  var jobs: Int?

  @OptionGroup var output: ExperimentOutput

  func validate() throws {
    if let jobs, jobs < 1 { throw ValidationError("--jobs must be at least 1") }
    if let expect, PeopleRange.read(expect) == nil { throw ValidationError("--expect \(PeopleRange.words)") }
  }

  func run() throws {
    let own = try question.plan()
    let sums = try add(own)
    let isAsTheFileSays = sums.people == own.budget.most
    let plan = isAsTheFileSays ? own : try question.plan(people: sums.people)
    let result = ExperimentPlay(jobs: jobs).result(of: plan) { $0.run(with: sums) }
    let people = isAsTheFileSays ? [] : ["--people", "\(sums.people)"]
    // An experiment by itself plays the first people.
    let isFromTheFirst = expect.flatMap(PeopleRange.read)?.lowerBound ?? 0 == 0
    let command =
      plan.precision.isEmpty && isFromTheFirst
      ? question.command("experiment", people)
      : question.command("merge", parts.map(Shell.quote) + (expect.map { ["--expect", $0] } ?? []))
    try output.write(ExperimentReport(result, command: command, tool: Tool.version))
  }

  private func add(_ plan: ExperimentPlan) throws -> ExperimentSums {
    do {
      let read = try parts.map { file in
        (file: file, part: try PartDocument.read(RegularFile.read(file, named: file), file: file, of: plan))
      }
      return try ExperimentPart.merge(
        read, expecting: expect.flatMap(PeopleRange.read), of: plan, tool: Tool.version)
    } catch let problem as PartProblem {
      let (message, hint) = problem.words
      Terminal.diagnose("triggerbench: \(message); \(hint)")
    } catch let problem as Diagnostic {
      Terminal.diagnose([problem])
    }
    throw Exit.failure
  }
}

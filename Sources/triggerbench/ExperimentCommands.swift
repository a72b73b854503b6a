import ArgumentParser
import Experiments
import Foundation
import Reporting
import ScenarioModel
import TextFormats

struct ExperimentCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "experiment",
    abstract: "Estimate the effect of policy changes on people, with confidence intervals and sensitivities.",
    discussion: """
      All policies run on the same people with the same random numbers. The experiment ends when the intervals are \
      as narrow as its file requests, or when all its people are played (exit code 5). Ctrl-C ends it early, and the \
      report covers the people played so far.

      Examples:
        triggerbench experiment scenarios/experiments/three-hours.yaml
        triggerbench experiment my.yaml --set policy.minimumInterval=3h
        triggerbench experiment my.yaml --person 4711
        triggerbench experiment my.yaml --csv people.csv --json
      """)

  @OptionGroup var experiment: ExperimentOptions

  @Option(help: "The maximum number of people, instead of the file's.")
  var people: Int64?

  @OptionGroup var jobs: JobOptions

  @Option(help: "Play only this person, and print what changes.")
  var person: UInt64?

  @Option(
    help: """
      Repeat the experiment this often with other people, and print how often each interval contains the true value, \
      which \(Self.truthPeople) people determine first.
      """)
  var trials: Int?

  @OptionGroup var output: ExperimentOutput

  @OptionGroup var rows: ExperimentRows

  func validate() throws {
    if let people, !(200...1_000_000_000).contains(people) {
      throw ValidationError("--people must be 200 to 1000000000")
    }
    if let person, person > 1 << 32 { throw ValidationError("--person must be at most \(1 << 32)") }
    if let trials, !(1...100_000).contains(trials) { throw ValidationError("--trials must be 1 to 100000") }
    if person != nil, rows.csv != nil || output.json || output.requireGates {
      throw ValidationError("--person plays one person; leave out --csv, --json and --require-gates")
    }
    if trials != nil, person != nil || rows.csv != nil || output.json || output.requireGates {
      throw ValidationError(
        "--trials prints a table of intervals; leave out --person, --csv, --json and --require-gates")
    }
  }

  func run() throws {
    let plan = try experiment.plan(people: people)
    if let trials { return Terminal.print(coverage(plan, trials)) }
    if let person { return Terminal.print(ReplayText(plan, person: person).text) }
    let result = try play(plan)
    let command = experiment.command("experiment", people.map { ["--people", "\($0)"] } ?? [])
    try output.write(ExperimentReport(result, command: command, tool: Tool.version))
  }

  private static let truthPeople: UInt64 = 400_000

  /// Returns a table of how often the intervals contain the true values. The true values are those of
  /// ``truthPeople`` other people.
  private func coverage(_ plan: ExperimentPlan, _ trials: Int) -> String {
    Terminal.diagnose("playing \(Self.truthPeople) people for the true values")
    let trial = CoverageTrial(plan, PeopleWorkers(jobs: jobs.count), truthPeople: Self.truthPeople)
    let outcome = trial.run(trials) { done in
      if done % 100 == 0 { Terminal.diagnose("\(done) of \(trials) trials") }
    }
    return CoverageTable(plan, outcome).text
  }

  private func play(_ plan: ExperimentPlan) throws -> ExperimentResult {
    try rows.write(of: plan) { rows in
      ExperimentSession(jobs.count).result(of: plan) { runner in
        runner.rows = rows
        return runner.run()
      }
    }
  }
}

struct SimulateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "simulate",
    abstract: "Play some people of an experiment, on any number of machines, and write sums for 'merge'.",
    discussion: """
      A part contains only whole numbers, and its bytes are the same on every machine. It is written completely or \
      not at all.

      Examples:
        triggerbench simulate my.yaml --people 0:5000 --output part-1.json
        triggerbench simulate my.yaml --people 5000:10000 --output part-2.json
        triggerbench merge my.yaml part-*.json
      """)

  @OptionGroup var experiment: ExperimentOptions

  @Option(help: PeopleRange.help, transform: PeopleRange.parse)
  var people: Range<UInt64>

  @Option(help: ArgumentHelp("The file of the part.", valueName: "file"))
  var output: String

  @OptionGroup var jobs: JobOptions

  func validate() throws {
    if output.allSatisfy(\.isWhitespace) { throw ValidationError("--output is empty") }
  }

  func run() throws {
    try OverwriteGuard.check(output, for: "the part", .part)
    let plan = try experiment.plan()
    let session = ExperimentSession(jobs.count)
    session.meter.expect(Int64(people.count * plan.arms.count))
    let (sums, end) = session.workers.sums(
      of: people, under: plan.arms.map(\.prototype), plan.metrics, types: plan.types.count)
    session.meter.clear()
    if end < people.upperBound { throw Exit.failure(reporting: "stopped by Ctrl-C; no part is written") }
    let part = ExperimentPart(
      experiment: plan.identity, configuration: plan.configuration, tool: Tool.version, people: people,
      sums: sums)
    do {
      try Data(PartDocument.text(part).utf8).write(to: URL(fileURLWithPath: output), options: .atomic)
    } catch {
      let problem = FileProblem.writing(file: output)
      throw Exit.failure(reporting: "cannot write the part to \(output): \(problem)")
    }
    Terminal.print("\(people.count) people in \(output)")
  }
}

/// A half-open range of people, written `A:B`.
enum PeopleRange {
  static let help = ArgumentHelp("The people from A to B - 1.", valueName: "A:B")

  static func parse(_ text: String) throws -> Range<UInt64> {
    let ends = text.split(separator: ":", omittingEmptySubsequences: false).map { UInt64($0) }
    guard ends.count == 2, let first = ends[0], let last = ends[1], first < last, last <= 1 << 32 else {
      throw ValidationError(
        "'\(text)' is not a range of people; write A:B with A < B <= \(1 << 32), such as 0:5000")
    }
    return first..<last
  }
}

struct MergeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "merge",
    abstract: "Add the parts of an experiment that 'simulate' wrote, and report the result.",
    discussion: """
      The parts must contain every person exactly once, and have the same experiment, seed and version. A part that \
      is named twice counts once. This command also varies the assumptions. If the file requests no precision, the \
      report equals that of 'experiment' with the same number of people, byte for byte. With a precision, the \
      intervals are evaluated once, over all parts. Parts contain no single people, so --csv plays all of them again.

      Examples:
        triggerbench merge my.yaml part-*.json
        triggerbench merge my.yaml part-*.json --expect 0:200000 --reports out
      """)

  @OptionGroup var experiment: ExperimentOptions

  @Argument(help: ArgumentHelp("A file that 'simulate' wrote.", valueName: "part"))
  var parts: [String]

  @Option(
    help: ArgumentHelp("The people that the parts must contain (default: from person 0).", valueName: "A:B"),
    transform: PeopleRange.parse)
  var expect: Range<UInt64>?

  @OptionGroup var jobs: JobOptions

  @OptionGroup var output: ExperimentOutput

  @OptionGroup var rows: ExperimentRows

  func run() throws {
    let own = try experiment.plan()
    let sums = try add(own)
    let hasPeopleOfFile = sums.people == own.budget.most
    let plan = hasPeopleOfFile ? own : try experiment.plan(people: sums.people)
    let result = try rows.write(of: plan) { rows in
      ExperimentSession(jobs.count).result(of: plan) { runner in
        runner.firstPerson = expect?.lowerBound ?? 0
        runner.rows = rows
        return runner.run(with: sums)
      }
    }
    let people = hasPeopleOfFile ? [] : ["--people", "\(sums.people)"]
    // The command `experiment` always begins with person 0.
    let beginsAtZero = expect?.lowerBound ?? 0 == 0
    let range = expect.map { ["--expect", "\($0.lowerBound):\($0.upperBound)"] } ?? []
    let command =
      plan.precision.isEmpty && beginsAtZero
      ? experiment.command("experiment", people)
      : experiment.command("merge", parts.map(Shell.quote) + range)
    try output.write(ExperimentReport(result, command: command, tool: Tool.version))
  }

  private func add(_ plan: ExperimentPlan) throws -> ExperimentSums {
    do {
      let read = try parts.map { file in
        (file: file, part: try PartDocument.read(RegularFile.read(file, named: file), file: file, of: plan))
      }
      return try ExperimentPart.merge(
        read, expecting: expect, of: plan, tool: Tool.version)
    } catch let problem as PartMergeError {
      let (message, hint) = problem.words
      Terminal.diagnose("triggerbench: \(message); \(hint)")
    } catch let problem as Diagnostic {
      Terminal.diagnose([problem])
    }
    throw Exit.failure
  }
}

/// The options that define an experiment, shared by `experiment`, `simulate` and `merge`.
struct ExperimentOptions: ParsableArguments {
  @Argument(help: "A file of the kind experiment.")
  var file: String

  @Option(
    name: .customLong("set"),
    help: ArgumentHelp(
      "Also compare this policy; separate several settings with commas.", valueName: "key=value"))
  var settings: [String] = []

  @OptionGroup var files: FileOptions

  @Option(help: "The random seed, instead of the file's.")
  var seed: UInt64?

  /// - Parameter people: The maximum number of people, or `nil` to use the number in the file.
  func plan(people: Int64? = nil) throws -> ExperimentPlan {
    var additions = ExperimentFile.Additions()
    additions.settings = settings
    additions.seed = seed
    additions.people = people
    let reach = files.reach(of: file)
    switch ExperimentFile.load(file, additions, in: reach, from: .nextTo(file, in: reach)) {
    case .unusable(let diagnostics):
      Terminal.diagnose(diagnostics)
      throw Exit.failure
    case .plan(let plan, let warnings):
      Terminal.diagnose(warnings)
      return plan
    }
  }

  /// Returns the shell command that repeats the experiment. Options that do not affect the result are
  /// omitted.
  func command(_ name: String, _ more: [String]) -> String {
    var words = ["triggerbench", name, Shell.quote(file)]
    for setting in settings { words += ["--set", Shell.quote(setting)] }
    if let seed { words += ["--seed", "\(seed)"] }
    return (words + files.arguments + more).joined(separator: " ")
  }
}

/// The file with a row for each person, shared by `experiment` and `merge`.
struct ExperimentRows: ParsableArguments {
  @Option(help: "Write a row for each person and policy to this file.")
  var csv: String?

  func validate() throws {
    if let csv, csv.allSatisfy(\.isWhitespace) { throw ValidationError("--csv is empty") }
  }

  /// Opens the file and closes it after the body, which receives `nil` if no file is requested.
  func write<Result>(of plan: ExperimentPlan, _ body: (PersonRows?) throws -> Result) throws -> Result {
    guard let csv else { return try body(nil) }
    let table = try OutputFile(csv, for: "the people", .people)
    defer { table.close() }
    table.write(Array(PersonTable.header.utf8))
    return try body(PersonTable(plan).rows { table.write(Array($0.utf8)) })
  }
}

/// Prints an experiment's result, writes its reports, and throws the exit code of its verdict.
struct ExperimentOutput: ParsableArguments {
  @Option(help: "The folder for the reports.")
  var reports = "reports/experiment"

  @Flag(help: "Print the report as JSON.")
  var json = false

  @Flag(help: "Exit with code 5 if a gate is inconclusive.")
  var requireGates = false

  private static let contents = ReportFolder.Contents(
    names: ExperimentDocuments.names, mark: ("experiment.json", "\"\(ExperimentJSON.format)\""))

  func validate() throws {
    if reports.allSatisfy(\.isWhitespace) { throw ValidationError("--reports is empty") }
  }

  func write(_ report: ExperimentReport) throws {
    Terminal.print(json ? ExperimentJSON(report).document.text : ExperimentText(report).text)
    do throws(ReportFolder.Problem) {
      try ReportFolder(reports, of: Self.contents).replace(
        with: ExperimentDocuments(report).all.map { document in
          ReportDocument(document.name) { document.text }
        })
    } catch {
      Terminal.diagnose(FileProblem.reports(error, in: reports))
      throw Exit.failure
    }
    if !json { Terminal.print("reports in \(reports)/") }
    try judge(report)
  }

  private func judge(_ report: ExperimentReport) throws {
    if let warning = report.warning { Terminal.diagnose("triggerbench: \(warning)") }
    let verdicts = report.result.gates.map(\.verdict)
    if verdicts.contains(.kill) || verdicts.contains(.missed) { throw Exit.expectation }
    if report.warning != nil || requireGates && verdicts.contains(.inconclusive) { throw Exit.inconclusive }
  }
}

/// Runs an experiment until all people are simulated or the user presses Ctrl-C. Shows the progress.
struct ExperimentSession {
  let meter = ProgressMeter()
  let workers: PeopleWorkers

  init(_ jobs: Int) {
    Interruption.listen()
    workers = PeopleWorkers(jobs: jobs, isCancelled: { Interruption.happened }, progress: meter.add)
  }

  /// Returns the result of a plan.
  ///
  /// - Parameter body: Runs the runner that it receives.
  func result(
    of plan: ExperimentPlan, _ body: (inout ExperimentRunner) -> ExperimentResult
  ) -> ExperimentResult {
    var runner = ExperimentRunner(plan, workers)
    runner.announce = meter.announce(plan)
    defer { meter.clear() }
    return body(&runner)
  }
}

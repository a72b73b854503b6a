import ArgumentParser
import DeviceSimulation
import EngineWire
import Foundation
import Reporting
import ScenarioModel
import Scenarios
import Simulation
import Statistics
import TestBench
import TextFormats

struct RunCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run",
    abstract: "Replay scenarios, check their expectations, write reports.",
    discussion: """
      Examples:
        triggerbench run                                  all of scenarios/
        triggerbench run scenarios/milk.yaml --seed 7
        triggerbench run --filter travel --reports out
        triggerbench run --set policy.dailyCap=2          as if each file said so
        triggerbench run --sweep pendingEviction          each value of a rule
        triggerbench run scenarios/milk.yaml --verbose    what fired when
        triggerbench run --format github                  annotates a pull request
        triggerbench run --require-gates                  asks gates to decide
        triggerbench expand milk.yaml | triggerbench run -
        triggerbench run --journal run.ndjson milk.yaml   every record, a line each
        triggerbench run people.yaml --person 4711        one person of a population
        triggerbench run --engine "node my-engine.js"     your own engine
        triggerbench run --against "node my-engine.js"    where its decisions part

      A gate that is killed fails the run as an expectation does (exit code 2), \
      unless its scenario expects it; one that is inconclusive does not, unless \
      --require-gates asks for a decision (exit code 5).

      Tap-through is tapped ÷ exposed, of the reminders of which the scenario says \
      who answers them (tap, press, dismiss or ignore): one such line speaks for all \
      notifications of its reminder, and without one nothing is known, so that \
      gates stay inconclusive.

      A sweep writes no reports. It fails (exit code 2) where a scenario fails \
      under the value that it runs with; to hold under some values only is a \
      finding, not a failure.
      """)

  @Argument(help: ArgumentHelp("Scenario files, or folders that are searched for them.", valueName: "path"))
  var paths: [String] = ["scenarios"]

  @Option(help: "Only files whose path contains this.")
  var filter: String?

  @Option(help: "How many scenarios run at a time (default: all cores).")
  var jobs: Int?

  @Option(help: "Takes the place of the files' own seeds.")
  var seed: UInt64?

  @Option(help: "Takes the place of the files' own profiles: ideal, ios or android.")
  var profile: String?

  @Option(help: "Replay this person of each population, and leave other files alone.")
  var person: UInt64?

  @Option(
    name: .customLong("set"),
    help: ArgumentHelp(
      "Takes the place of what the files say, such as policy.minimumInterval=3h; several with commas between them.",
      valueName: "key=value"))
  var settings: [String] = []

  @Option(
    help: ArgumentHelp(
      "The folder for report.json, summary.md, junit.xml, index.html with a page for each scenario, timing.json and, with analytics, events.ndjson; reports/latest if missing.",
      valueName: "dir"))
  var reports: String?

  @Option(
    help: ArgumentHelp(
      "Run every scenario under each value of this platform rule, and say under how many it holds.",
      valueName: "rule"))
  var sweep: String?

  @Option(
    help: ArgumentHelp(
      "Test this engine, started as a process of its own, instead of the built-in one.", valueName: "command")
  )
  var engine: String?

  @Option(
    help: ArgumentHelp(
      "Compare the decisions of the engine under test with those of this one, and write no reports.",
      valueName: "command"))
  var against: String?

  @Option(help: ArgumentHelp("Write every record of the runs to this file, a line each.", valueName: "file"))
  var journal: String?

  @OptionGroup var files: FileOptions

  /// For whom the terminal's text is.
  enum TextFormat: String, ExpressibleByArgument, CaseIterable {
    case text, github
  }

  @Option(
    help: """
      github: what is wrong also as annotations of the files, for a workflow on GitHub; text: without them, as usual.
      """)
  var format: TextFormat?

  @Flag(help: "Print the JSON report on standard output instead of the summary.")
  var json = false

  @Flag(help: "Print what fired when too, scenario by scenario, and what became of the rest.")
  var verbose = false

  @Flag(help: "Write what happened into the files as their new expectations, where one failed.")
  var update = false

  @Flag(help: "Fail (exit code 5) when a gate is inconclusive that no scenario expects to be.")
  var requireGates = false

  func validate() throws {
    if let jobs, jobs < 1 { throw ValidationError("--jobs must be at least 1") }
    if let profile {
      do { _ = try PlatformProfile.named(profile) } catch { throw ValidationError("--profile: \(error)") }
    }
    if let wrong = sweep.flatMap(PlatformProfile.unknownSweep) { throw ValidationError("--sweep: \(wrong)") }
    if let wrong = settings.first(where: { ScenarioSetting.list($0) == nil }) {
      throw ValidationError("--set '\(wrong)': write a key and a value, such as policy.minimumInterval=3h")
    }
    try checkSettings()
    if update {
      let other = [("--set", !settings.isEmpty), ("--profile", profile != nil), ("--seed", seed != nil)]
        .first { $0.1 }
      // What is written has to hold for the file as it is.
      if let other { throw ValidationError("\(other.0) and --update exclude each other") }
    }
    for (option, value) in [
      ("--reports", reports), ("--journal", journal), ("--engine", engine), ("--against", against),
    ]
    where value?.allSatisfy(\.isWhitespace) == true {
      throw ValidationError("\(option) is empty")
    }
    if journal == "-" {
      throw ValidationError("--journal needs the name of a file: the results go to the standard output")
    }
    if journal != nil, sweep != nil || against != nil {
      throw ValidationError("--journal is of one run; leave out --sweep and --against")
    }
    if journal != nil, let jobs, jobs > 1 {
      throw ValidationError("--journal runs one scenario after the other; leave out --jobs \(jobs)")
    }
    if json, format == .github {
      throw ValidationError("--format github annotates beside the summary; leave out --json")
    }
    if sweep != nil, against != nil { throw ValidationError("--sweep and --against exclude each other") }
    if requireGates, sweep != nil || against != nil {
      throw ValidationError("--require-gates is of one run; leave out --sweep and --against")
    }
    if verbose, json || sweep != nil || against != nil {
      throw ValidationError("--verbose is of the summary of one run; leave out --json, --sweep and --against")
    }
    let comparison: String? = against == nil ? sweep == nil ? nil : "--sweep" : "--against"
    for (option, isGiven) in [
      ("--update", update), ("--reports", reports != nil), ("--format", format != nil),
      ("--json", json && against != nil),
    ] where isGiven {
      if let comparison { throw ValidationError("\(comparison) and \(option) exclude each other") }
    }
  }

  /// What is set twice would be what was said last, and the reader of a script could not tell.
  private func checkSettings() throws {
    var paths: Set<[String]> = []
    for setting in settings.compactMap(ScenarioSetting.list).flatMap(\.self) {
      let path = setting.keys.joined(separator: ".")
      if !paths.insert(setting.keys).inserted { throw ValidationError("--set \(path) is there twice") }
      if path == "seed" && seed != nil || path == "profile" && profile != nil {
        throw ValidationError("--set \(path) and --\(path) exclude each other")
      }
    }
  }

  func run() async throws {
    let found: [String]
    do {
      found = try SuiteFiles.find(in: paths, filter: filter)
    } catch {
      throw Exit.saying("\(error)")
    }
    var options = files.options(searched: paths)
    options.jobs = Machine.jobs(jobs)
    options.seed = seed
    options.profile = profile
    options.settings = settings.compactMap(ScenarioSetting.list).flatMap(\.self)
    options.person = person
    options.tool = Tool.version
    if let engine { options.engine = choice(engine) }
    if found.contains(SuiteFiles.standardInput) {
      options.standardInput = Array(FileHandle.standardInput.readDataToEndOfFile())
    }
    let output = try openJournal(&options)
    defer { output?.close() }
    let suite = Suite(paths: found, options: options)
    if let against { return try await run(EngineContest(suite, against: choice(against))) }
    if let sweep { return try await run(RuleSweep(suite, rule: sweep)) }
    let (result, timing) = await suite.run(stopwatch: Terminal.stopwatch, progress: progress(found.count))
    if result.scenarios.isEmpty && !result.hasInvalidFiles {
      throw Exit.saying(OtherKinds.nothingToRun(found, person: person != nil))
    }
    let report = Report(suite: result, command: command, versions: .current(engine: engine))
    Terminal.diagnose(result.diagnostics + result.scenarios.flatMap(\.warnings))
    if json {
      Terminal.print(ReportJSON(report).document.text)
    } else {
      Terminal.print(ReportText(report, width: Terminal.width).text(colored: Terminal.hasColor))
      if verbose { Terminal.print(ChronologyText(result.scenarios).text + "\n") }
    }
    if format == .github {
      let paths = RepositoryPath(
        folder: FileManager.default.currentDirectoryPath,
        workspace: ProcessInfo.processInfo.environment["GITHUB_WORKSPACE"])
      Terminal.print(ReportAnnotations(report, paths).text, terminator: "")
    }
    let reports = reports ?? "reports/latest"
    do {
      try ReportFiles(report, timing: timing).write(to: reports)
    } catch {
      Terminal.diagnose(FileProblem.reports(error, in: reports))
      throw Exit.failure
    }
    if !json {
      Terminal.print("reports in \(reports)/")
      Terminal.print(ReportText(report).verdict(colored: Terminal.hasColor))
    }
    let updated = update && !result.hasContradictions ? updateExpectations(result, options) : 0
    let verdict = RunVerdict(result, updated: updated, requiresGates: requireGates)
    if verdict != .failed {
      let lines = GateLines(result)
      for line in lines.killedTogether + (requireGates ? lines.open : []) { Terminal.diagnose(line) }
    }
    if verdict != .passed { throw Exit.code(of: verdict) }
  }

  private func choice(_ command: String) -> EngineChoice {
    .command(Terminal.engineCommand(command))
  }

  /// The file of the journal.
  private func openJournal(_ options: inout Suite.Options) throws -> OutputFile? {
    guard let journal else { return nil }
    let output = try OutputFile(journal, for: "the journal", .journal)
    options.journal = output.write
    return output
  }

  private func run(_ contest: EngineContest) async throws {
    let count = contest.suite.paths.count
    let outcomes = await contest.run(stopwatch: Terminal.stopwatch, progress: progress(count))
    let text = ContestText(outcomes)
    Terminal.diagnose(text.diagnostics)
    if !text.text.isEmpty { Terminal.print(text.text) }
    if !text.diagnostics.isEmpty { throw Exit.failure }
    if !text.isSame { throw Exit.expectation }
  }

  private func run(_ sweep: RuleSweep) async throws {
    let count = sweep.suite.paths.count
    let outcomes = await sweep.run(stopwatch: Terminal.stopwatch, progress: progress(count))
    let report = SweepReport(rule: sweep.rule, outcomes)
    if report.isEmpty {
      throw Exit.saying(OtherKinds.nothingToRun(sweep.suite.paths, person: person != nil))
    }
    Terminal.diagnose(report.diagnostics)
    Terminal.print(json ? report.document.text : report.text)
    if !report.diagnostics.isEmpty { throw Exit.failure }
    if !report.allPassAsTheyAre { throw Exit.expectation }
  }

  /// What makes the report again, without what has no influence on it.
  private var command: String {
    var words = ["triggerbench", "run"] + paths.map(Shell.quote)
    if let filter { words += ["--filter", Shell.quote(filter)] }
    if let seed { words += ["--seed", "\(seed)"] }
    if let profile { words += ["--profile", Shell.quote(profile)] }
    for setting in settings { words += ["--set", Shell.quote(setting)] }
    if let person { words += ["--person", "\(person)"] }
    if let engine { words += ["--engine", Shell.quote(engine)] }
    return (words + files.words).joined(separator: " ")
  }

  /// Nothing in the first second: what is quick needs none.
  private func progress(_ count: Int) -> @Sendable (Int) -> Void {
    guard isatty(STDERR_FILENO) == 1, count > 1 else { return { _ in } }
    let start = Terminal.stopwatch()
    return { done in
      if Terminal.stopwatch() - start < 1_000_000_000 { return }
      Terminal.write(done == count ? "\r\u{1B}[K" : "\r\(done) of \(count)", to: .standardError)
    }
  }

  /// - Returns: How many expectations were rewritten.
  private func updateExpectations(_ result: SuiteResult, _ options: Suite.Options) -> Int {
    var options = options
    options.journal = nil
    let update = ExpectationUpdate(of: result, options, stopwatch: Terminal.stopwatch)
    for line in update.lines { Terminal.diagnose(line) }
    return update.count
  }
}

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
    abstract: "Replay scenarios, check their expectations and write reports.",
    discussion: """
      Examples:
        triggerbench run                                  all of scenarios/
        triggerbench run scenarios/milk.yaml --seed 7
        triggerbench run --filter travel --reports out
        triggerbench run --set policy.dailyCap=2          override a setting
        triggerbench run --sweep pendingEviction          each value of a rule
        triggerbench run scenarios/milk.yaml --verbose    what fired when
        triggerbench run --format github                  annotate a pull request
        triggerbench run --require-gates                  fail on inconclusive gates
        triggerbench expand milk.yaml | triggerbench run -
        triggerbench run --journal run.ndjson milk.yaml   one line per record
        triggerbench run people.yaml --person 4711        one person of a population
        triggerbench run --engine "node my-engine.js"     your own engine
        triggerbench run --against "node my-engine.js"    compare two engines

      A gate that ends in 'kill' fails the run like an expectation (exit code 2), unless its scenario expects it. An \
      inconclusive gate fails the run only with --require-gates (exit code 5).

      Tap-through is tapped ÷ exposed. It covers reminders for which the scenario states responses (tap, press, \
      dismiss or ignore). One such line counts for all notifications of its reminder. Without one, responses are \
      unknown and gates stay inconclusive.

      A sweep writes no reports. It fails (exit code 2) if a scenario fails under its own value of the rule. A \
      failure under another value is reported as a finding.
      """)

  @OptionGroup var paths: PathOptions

  @OptionGroup var jobs: JobOptions

  @Option(help: "The random seed, instead of the files' seeds.")
  var seed: UInt64?

  @Option(help: "The platform profile, instead of the files' profiles: ideal, ios or android.")
  var profile: String?

  @Option(help: "Replay this person of each population, and skip other files.")
  var person: UInt64?

  @Option(
    name: .customLong("set"),
    help: ArgumentHelp(
      "Override settings of the files, such as policy.minimumInterval=3h; separate several with commas.",
      valueName: "key=value"))
  var settings: [String] = []

  @Option(
    help: ArgumentHelp(
      """
      The folder for report.json, summary.md, junit.xml, index.html with a page for each scenario, timing.json and, \
      with analytics, events.ndjson (default: reports/latest).
      """, valueName: "dir"))
  var reports: String?

  @Option(
    help: ArgumentHelp(
      "Run every scenario under each value of this platform rule, and print the number of values that pass.",
      valueName: "rule"))
  var sweep: String?

  @Option(
    help: ArgumentHelp(
      "Test this engine, which runs in its own process, instead of the built-in one.", valueName: "command"))
  var engine: String?

  @Option(
    help: ArgumentHelp(
      "Compare the decisions of the engine under test with those of this engine, and write no reports.",
      valueName: "command"))
  var against: String?

  @Option(help: ArgumentHelp("Write every journal record to this file, one per line.", valueName: "file"))
  var journal: String?

  @OptionGroup var files: FileOptions

  enum TextFormat: String, ExpressibleByArgument, CaseIterable {
    case text, github
  }

  @Option(help: "github also prints problems as annotations for a workflow on GitHub (default: text).")
  var format: TextFormat?

  @Flag(help: "Print the JSON report instead of the summary.")
  var json = false

  @Flag(help: "Also print for each scenario what fired when, and the outcomes of the rest.")
  var verbose = false

  @Flag(help: "Replace the expectations of each file with a failed one by what happened.")
  var update = false

  @Flag(help: "Fail (exit code 5) if a gate is inconclusive, unless its scenario expects that.")
  var requireGates = false

  func validate() throws {
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
      // The new expectations must hold for the unchanged file, so reject options that change the scenario.
      if let other { throw ValidationError("\(other.0) and --update exclude each other") }
    }
    for (option, value) in [
      ("--reports", reports), ("--journal", journal), ("--engine", engine), ("--against", against),
    ]
    where value?.allSatisfy(\.isWhitespace) == true {
      throw ValidationError("\(option) is empty")
    }
    if journal == "-" {
      throw ValidationError("--journal needs a file name: standard output is for the results")
    }
    if journal != nil, sweep != nil || against != nil {
      throw ValidationError("--journal records a single run; leave out --sweep and --against")
    }
    if journal != nil, let jobs = jobs.requested, jobs > 1 {
      throw ValidationError("--journal runs one scenario at a time; leave out --jobs \(jobs)")
    }
    if json, format == .github {
      throw ValidationError("--format github adds annotations to the summary; leave out --json")
    }
    if sweep != nil, against != nil { throw ValidationError("--sweep and --against exclude each other") }
    if requireGates, sweep != nil || against != nil {
      throw ValidationError("--require-gates applies to a single run; leave out --sweep and --against")
    }
    if verbose, json || sweep != nil || against != nil {
      throw ValidationError(
        "--verbose extends the summary of a single run; leave out --json, --sweep and --against")
    }
    let comparison: String? = against == nil ? sweep == nil ? nil : "--sweep" : "--against"
    for (option, isGiven) in [
      ("--update", update), ("--reports", reports != nil), ("--format", format != nil),
      ("--json", json && against != nil),
    ] where isGiven {
      if let comparison { throw ValidationError("\(comparison) and \(option) exclude each other") }
    }
  }

  /// Rejects repeated settings, because only the last one would apply. That is easy to overlook in a script.
  private func checkSettings() throws {
    var paths: Set<[String]> = []
    for setting in settings.compactMap(ScenarioSetting.list).flatMap(\.self) {
      let path = setting.keys.joined(separator: ".")
      if !paths.insert(setting.keys).inserted { throw ValidationError("--set \(path) is given twice") }
      if path == "seed" && seed != nil || path == "profile" && profile != nil {
        throw ValidationError("--set \(path) and --\(path) exclude each other")
      }
    }
  }

  func run() async throws {
    let found = try findFiles()
    var options = files.options(searched: paths.paths)
    options.jobs = jobs.count
    options.seed = seed
    options.profile = profile
    options.settings = settings.compactMap(ScenarioSetting.list).flatMap(\.self)
    options.person = person
    options.tool = Tool.version
    if let engine { options.engine = Terminal.engineChoice(engine) }
    if found.contains(SuiteFiles.standardInput) {
      options.standardInput = Array(FileHandle.standardInput.readDataToEndOfFile())
    }
    let output = try openJournal(&options)
    defer { output?.close() }
    let suite = Suite(paths: found, options: options)
    if let against { return try await run(EngineContest(suite, against: Terminal.engineChoice(against))) }
    if let sweep { return try await run(RuleSweep(suite, rule: sweep)) }
    let (result, timing) = await suite.run(stopwatch: Terminal.stopwatch, progress: progress(found.count))
    if result.scenarios.isEmpty && !result.hasInvalidFiles {
      throw Exit.failure(reporting: OtherKinds.nothingToRun(found, person: person != nil))
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

  private func findFiles() throws -> [String] {
    do {
      return try paths.find()
    } catch {
      if !json { Terminal.print("nothing was run") }
      throw error
    }
  }

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
      throw Exit.failure(reporting: OtherKinds.nothingToRun(sweep.suite.paths, person: person != nil))
    }
    Terminal.diagnose(report.diagnostics)
    Terminal.print(json ? report.document.text : report.text)
    if !report.diagnostics.isEmpty { throw Exit.failure }
    if !report.allPassAsTheyAre { throw Exit.expectation }
  }

  /// The shell command that repeats the run. Options that do not affect the report are omitted.
  private var command: String {
    var words = ["triggerbench", "run"] + paths.paths.map(Shell.quote)
    if let filter = paths.filter { words += ["--filter", Shell.quote(filter)] }
    if let seed { words += ["--seed", "\(seed)"] }
    if let profile { words += ["--profile", Shell.quote(profile)] }
    for setting in settings { words += ["--set", Shell.quote(setting)] }
    if let person { words += ["--person", "\(person)"] }
    if let engine { words += ["--engine", Shell.quote(engine)] }
    return (words + files.arguments).joined(separator: " ")
  }

  /// Returns a closure that shows the progress on a terminal, starting after one second.
  private func progress(_ count: Int) -> @Sendable (Int) -> Void {
    guard isatty(STDERR_FILENO) == 1, count > 1 else { return { _ in } }
    let start = Terminal.stopwatch()
    return { done in
      if Terminal.stopwatch() - start < 1_000_000_000 { return }
      Terminal.write(done == count ? "\r\u{1B}[K" : "\r\(done) of \(count)", to: .standardError)
    }
  }

  /// Writes the new expectations and returns their number.
  private func updateExpectations(_ result: SuiteResult, _ options: Suite.Options) -> Int {
    var options = options
    options.journal = nil
    let update = ExpectationUpdate(of: result, options, stopwatch: Terminal.stopwatch)
    for line in update.lines { Terminal.diagnose(line) }
    return update.count
  }
}

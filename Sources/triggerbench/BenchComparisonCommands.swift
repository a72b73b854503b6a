import ArgumentParser
import Benchmarks
import Foundation

struct BenchCompareCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "compare",
    abstract: "Compare the speed of two builds, which run alternately.",
    discussion: """
      A is the older build and B the newer one. With --revision, A is built from git in a temporary folder, and B is \
      this executable.

      The result is the ratio of the times with its 95 % interval. An apparent change is measured again, with new \
      runs, before it is reported as a regression. A change that noise could hide is inconclusive, never 'no change'.

      Examples:
        triggerbench bench compare ./triggerbench-main .build/release/triggerbench
        triggerbench bench compare --revision main --suite caps --junit compare.xml
        triggerbench bench compare --revision main --scenario my.yaml

      Exit codes: 0 no regression; 1 a build or a run failed; 4 a regression; \
      5 inconclusive.
      """)

  @Argument(help: "The older executable. Omit both executables when you use --revision.")
  var a: String?

  @Argument(help: "The newer executable.")
  var b: String?

  @Option(help: "The git revision to build and to compare this executable with.")
  var revision: String?

  @OptionGroup var options: ComparisonOptions

  @OptionGroup var form: ComparisonForm

  @Option(help: "Also write JUnit XML to this file.")
  var junit: String?

  @Flag(inversion: .prefixedNo, help: "Count instructions with cachegrind if valgrind is installed.")
  var instructions = true

  func validate() throws {
    if (revision == nil) != (a != nil && b != nil) || (revision != nil && a != nil) {
      throw ValidationError("name either two executables or --revision")
    }
  }

  func run() throws {
    if let junit { try OverwriteGuard.check(junit, for: "the JUnit report", .tests) }
    let report = try BenchCommand.reporting {
      guard let revision else { return try compare(file(a ?? ""), file(b ?? "")) }
      return try ScratchFolder.with { folder in
        Terminal.diagnose("building \(revision)")
        let package = URL(fileURLWithPath: FileManager.default.currentDirectoryPath, isDirectory: true)
        let older = try RevisionBuild.executable(of: revision, package: package, in: folder)
        var report = try compare(older, BenchCommand.ownExecutable())
        report.a = revision
        report.b = "this executable"
        return report
      }
    }
    Terminal.print(
      form.choose(text: report.table, json: report.json, markdown: report.markdown), terminator: "")
    if let junit {
      try BenchCommand.reporting { try Data(report.junit.utf8).write(to: URL(fileURLWithPath: junit)) }
    }
    try Exit.check(report.verdict)
  }

  private func compare(_ a: URL, _ b: URL) throws -> ComparisonReport {
    var comparison = options.comparison()
    comparison.countsInstructions = instructions
    return try comparison.run(a: a, b: b)
  }

  private func file(_ path: String) throws -> URL {
    guard FileManager.default.isExecutableFile(atPath: path) else {
      throw BenchError("\(path) is not an executable file")
    }
    return URL(fileURLWithPath: path)
  }
}

struct BenchGateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "gate",
    abstract: "Fail if a suite's fixed workload needs more work than the committed baseline.",
    discussion: """
      Compares exact counts: evaluated conditions, queue operations, allocations and bytes. None may grow by more \
      than 2 %. Times are printed but do not matter.

      Exit codes: 0 ok; 1 a suite failed; 4 a regression; 5 there is no baseline, or it has another workload.
      """)

  private static let defaultBaseline = "reports/baselines/counters.json"

  @Option(help: "The file with the baseline's counts.")
  var baseline = BenchGateCommand.defaultBaseline

  @Flag(help: "Write the current counts as the new baseline.")
  var update = false

  func run() throws {
    if update { try OverwriteGuard.check(baseline, for: "the baseline", .counts) }
    // Measuring takes a while, so read the baseline first to report an error early.
    let old = update ? nil : try readBaseline()
    let verdict = try BenchCommand.reporting {
      let reports = try RegressionGate.reports()
      for report in reports {
        for row in report.rows {
          Terminal.print("\(report.suite) \(row.mode) \(row.size): \(Int(row.nsPerEvent.rounded())) ns/event")
        }
      }
      let now = CountBaseline(reports)
      guard let old else {
        try write(now)
        return Verdict.noChange
      }
      let gate = RegressionGate(now, against: old)
      Terminal.print(gate.text(toUpdate: updateCommand), terminator: "")
      return gate.verdict
    }
    try Exit.check(verdict)
  }

  /// The shell command that stores the current counts as the new baseline.
  private var updateCommand: String {
    "triggerbench bench gate"
      + (baseline == Self.defaultBaseline ? "" : " --baseline \(Shell.quote(baseline))") + " --update"
  }

  private func readBaseline() throws -> CountBaseline {
    guard let data = try? Data(contentsOf: URL(fileURLWithPath: baseline)) else {
      Terminal.diagnose("triggerbench: no baseline at \(baseline); write one with: \(updateCommand)")
      throw Exit.inconclusive
    }
    do {
      return try CountBaseline(json: data)
    } catch {
      throw Exit.failure(
        reporting:
          "\(baseline) is not a baseline; name a new file with --baseline, and write it with --update")
    }
  }

  private func write(_ now: CountBaseline) throws {
    let file = URL(fileURLWithPath: baseline)
    do {
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try now.json().write(to: file)
    } catch {
      throw Exit.failure(
        reporting: "cannot write the baseline to \(baseline): \(FileProblem.writing(file: baseline))")
    }
    Terminal.print("wrote \(baseline)")
  }
}

struct BenchTrialCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "trial",
    abstract: "Test 'bench compare' with this executable as A and B, and a busy loop on another core.",
    discussion: """
      Prints a row of a Markdown table with the number of each verdict. With --replayed 3, B plays 3 % of its events \
      twice, and a correct comparison reports a regression. Without it, every reported change is a false alarm.
      """)

  @Option(help: "The number of comparisons.")
  var trials = 100

  @Option(help: "The percentage of events that B plays twice.")
  var replayed = 0.0

  @Flag(help: "Print the table's header first.")
  var heading = false

  @OptionGroup var options: ComparisonOptions

  func validate() throws {
    if trials < 1 { throw ValidationError("--trials must be at least 1") }
    if !(0...100).contains(replayed) { throw ValidationError("--replayed must be 0 to 100") }
    if replayed > 0, options.suite != BenchSuite.matching.rawValue {
      throw ValidationError("--replayed is available only for the suite matching")
    }
  }

  func run() throws {
    try BenchCommand.reporting {
      var trial = NoiseTrial(comparison: options.comparison())
      trial.trials = trials
      trial.replayed = replayed
      let tally = try trial.run(BenchCommand.ownExecutable()) { tally in
        if tally.trials % 10 == 0 { Terminal.diagnose(tally.line(replayed: replayed)) }
      }
      if heading { Terminal.print(NoiseTrial.Tally.heading) }
      Terminal.print(tally.line(replayed: replayed))
    }
  }
}

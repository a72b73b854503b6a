import ArgumentParser
import Benchmarks
import Foundation

struct BenchGateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "gate",
    abstract: "Fails when a suite's fixed workload takes more work than the committed baseline says.",
    discussion: """
      Compares exact counts (conditions looked at, queue operations, requests for \
      memory, bytes), of which none may grow by more than 2 %. Times are printed and \
      decide nothing.

      Exit codes: 0 ok; 1 a suite failed; 4 a regression; 5 no baseline, or one of \
      another workload.
      """)

  private static let usual = "reports/baselines/counters.json"

  @Option(help: "The file with the baseline's counts.")
  var baseline = BenchGateCommand.usual

  @Flag(help: "Write the counts of now as the baseline.")
  var update = false

  func run() throws {
    if update { try OverwriteGuard.check(baseline, for: "the baseline", .counts) }
    let old = update ? nil : try committed()
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
      Terminal.print(gate.text(toUpdate: updating), terminator: "")
      return gate.verdict
    }
    switch verdict {
    case .regression: throw Exit.regression
    case .inconclusive: throw Exit.inconclusive
    case .improvement, .noChange: break
    }
  }

  /// What makes the counts of now the baseline of this file.
  private var updating: String {
    "triggerbench bench gate" + (baseline == Self.usual ? "" : " --baseline \(Shell.quote(baseline))")
      + " --update"
  }

  /// What the suites are compared with; it is read before they are measured, which takes a while.
  private func committed() throws -> CountBaseline {
    guard let data = try? Data(contentsOf: URL(fileURLWithPath: baseline)) else {
      Terminal.diagnose("triggerbench: no baseline at \(baseline); make one with: \(updating)")
      throw Exit.inconclusive
    }
    do {
      return try CountBaseline(json: data)
    } catch {
      Terminal.diagnose(
        "triggerbench: \(baseline) is no baseline; --update makes one in a file that is not there yet")
      throw Exit.failure
    }
  }

  private func write(_ now: CountBaseline) throws {
    let file = URL(fileURLWithPath: baseline)
    do {
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try now.json().write(to: file)
    } catch {
      Terminal.diagnose(
        "triggerbench: cannot write the baseline to \(baseline): \(FileProblem.writing(file: baseline))")
      throw Exit.failure
    }
    Terminal.print("wrote \(baseline)")
  }
}

import ArgumentParser
import Benchmarks
import Foundation

struct BenchCompareCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "compare",
    abstract: "Compares the speed of two builds, which run in turns.",
    discussion: """
      A is the older build and B the newer one. With --revision, A is built from \
      git in a temporary folder, and B is this executable.

      The times of both are compared as a ratio with its 95 % interval. What seems \
      to have changed is measured a second time, with new runs, before it is called \
      a regression; what the noise hides is inconclusive, never 'no change'.

      Examples:
        triggerbench bench compare ./triggerbench-main .build/release/triggerbench
        triggerbench bench compare --revision main --suite caps --junit compare.xml
        triggerbench bench compare --revision main --scenario my.yaml

      Exit codes: 0 no regression; 1 a build or a run failed; 4 a regression; \
      5 inconclusive.
      """)

  @Argument(help: "The older executable; leave out both with --revision.")
  var a: String?

  @Argument(help: "The newer executable.")
  var b: String?

  @Option(help: "Build this git revision and compare this executable with it.")
  var revision: String?

  @OptionGroup var options: ComparisonOptions

  @OptionGroup var form: ComparisonForm

  @Option(help: "Also write JUnit XML to this file.")
  var junit: String?

  @Flag(inversion: .prefixedNo, help: "Count instructions with cachegrind where valgrind is installed.")
  var instructions = true

  func validate() throws {
    if (revision == nil) != (a != nil && b != nil) || (revision != nil && a != nil) {
      throw ValidationError("name two executables, or --revision and none")
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
    switch report.verdict {
    case .regression: throw Exit.regression
    case .inconclusive: throw Exit.inconclusive
    case .improvement, .noChange: break
    }
  }

  private func compare(_ a: URL, _ b: URL) throws -> ComparisonReport {
    var comparison = options.comparison()
    comparison.countsInstructions = instructions
    return try comparison.run(a: a, b: b)
  }

  private func file(_ path: String) throws -> URL {
    guard FileManager.default.isExecutableFile(atPath: path) else {
      throw BenchError("\(path) is no executable file")
    }
    return URL(fileURLWithPath: path)
  }
}

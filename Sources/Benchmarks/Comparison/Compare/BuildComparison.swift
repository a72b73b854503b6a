package import Foundation

/// Compares two executables of `triggerbench` on one suite, in one run.
package struct BuildComparison {
  package var suite: BenchSuite
  package var options: BenchOptions
  package var plan = SequentialComparison()
  /// Whether cachegrind counts instructions where valgrind is installed.
  package var countsInstructions = true

  package init(suite: BenchSuite, options: BenchOptions) {
    self.suite = suite
    self.options = options
  }

  /// Runs both as child processes, one at a time.
  ///
  /// - Parameters:
  ///   - a: The older executable, or the one that is right by definition.
  ///   - b: The newer one.
  ///   - replayed: Per cent of its events that B plays twice; see ``Benchmarks/BenchOptions/replayed``.
  package func run(a: URL, b: URL, replayed: Double = 0) throws -> ComparisonReport {
    try ScratchFolder.with { folder in
      var slower = options
      slower.replayed = replayed
      let first = try BenchProgram(name: a.path, executable: a, arguments: suite.arguments(options))
        .copied(to: folder.appendingPathComponent("a"))
      let second = try BenchProgram(name: b.path, executable: b, arguments: suite.arguments(slower))
        .copied(to: folder.appendingPathComponent("b"))
      let clock = ContinuousClock()
      let start = clock.now
      let rows = try plan.run(elapsed: { clock.now - start }) { arm in
        try arm == .a ? first.measure() : second.measure()
      }
      let instructions =
        countsInstructions
        ? try Instructions.count(suite, options, a: first, b: second, in: folder) : nil
      return ComparisonReport(
        suite: suite.rawValue, sizeName: suite.sizeName, a: first.name, b: second.name,
        precision: plan.precision, rows: rows, instructions: instructions)
    }
  }
}

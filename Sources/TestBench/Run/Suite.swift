package import Simulation

/// A set of files to run, and how.
package struct Suite: Sendable {
  package struct Options: Sendable {
    /// How many scenarios run at a time.
    package var jobs = 1
    /// Takes the place of the files' own seeds.
    package var seed: UInt64?
    /// Takes the place of the files' own profiles.
    package var profile: String?
    /// Rules that take another value than the file or its profile gives them.
    package var knobs: [(key: String, value: String)] = []

    package init() {}
  }

  package let paths: [String]
  package let options: Options

  package init(paths: [String], options: Options) {
    self.paths = paths
    self.options = options
  }

  /// Runs every file. The result does not depend on the number of jobs.
  ///
  /// - Parameters:
  ///   - stopwatch: Nanoseconds; used for the timing alone.
  ///   - progress: Called after each file with the number done so far.
  package func run(
    stopwatch: @escaping @Sendable () -> UInt64, progress: @escaping @Sendable (Int) -> Void
  ) async -> (result: SuiteResult, timing: EngineTiming) {
    let outcomes = await Parallel.map(paths.count, jobs: options.jobs, progress: progress) {
      [paths, options] in
      Self.run(paths[$0], options, stopwatch: stopwatch)
    }
    var timing = EngineTiming()
    for outcome in outcomes { timing.add(outcome.1) }
    let files = zip(paths, outcomes).map { (path: $0, outcome: $1.0) }
    return (SuiteResult(files: files), timing)
  }

  private static func run(
    _ path: String, _ options: Options, stopwatch: @escaping @Sendable () -> UInt64
  ) -> (FileOutcome, EngineTiming) {
    switch ProgramLoader(options: options).load(path) {
    case .otherKind: return (.otherKind, EngineTiming())
    case .invalid(let diagnostics): return (.invalid(diagnostics), EngineTiming())
    case .program(let program, let warnings):
      let (result, timing) = ScenarioRun(program, stopwatch: stopwatch).run(warnings: warnings)
      return (.ran(result), timing)
    }
  }
}

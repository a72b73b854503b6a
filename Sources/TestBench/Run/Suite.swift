/// A set of files to run, and how.
package struct Suite: Sendable {
  package struct Options: Sendable {
    /// How many scenarios run at a time.
    package var jobs = 1
    /// Takes the place of the files' own seeds.
    package var seed: UInt64?
    /// Takes the place of the files' own profiles.
    package var profile: String?

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
    var outcomes: [(FileOutcome, EngineTiming)?] = Array(repeating: nil, count: paths.count)
    await withTaskGroup(of: (Int, FileOutcome, EngineTiming).self) { group in
      var next = 0
      var done = 0
      func start() {
        guard next < paths.count else { return }
        let index = next
        next += 1
        group.addTask { [paths, options] in
          let (outcome, timing) = Self.run(paths[index], options, stopwatch: stopwatch)
          return (index, outcome, timing)
        }
      }
      for _ in 0..<max(1, options.jobs) { start() }
      for await (index, outcome, timing) in group {
        outcomes[index] = (outcome, timing)
        done += 1
        progress(done)
        start()
      }
    }
    var files: [(path: String, outcome: FileOutcome)] = []
    var timing = EngineTiming()
    for (path, outcome) in zip(paths, outcomes) {
      guard let outcome else { continue }
      files.append((path, outcome.0))
      timing.add(outcome.1)
    }
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

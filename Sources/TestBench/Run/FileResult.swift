import Simulation
package import TextFormats

/// What becomes of one file of a suite of which something is made.
package enum FileResult<Value: Sendable>: Sendable {
  case made(Value)
  /// It cannot be used.
  case invalid([Diagnostic])
  /// A file that is no scenario and does not claim to be one.
  case otherKind
}

extension Suite {
  /// Makes something of the program of each file, in the order of the files: the same for any number of jobs.
  ///
  /// - Parameters:
  ///   - jobs: How many files at a time; nil: as the options say.
  ///   - progress: Called after each file with the number done so far.
  ///   - body: Of a path, the program of the file, and the warnings about it.
  func map<Value: Sendable>(
    jobs: Int? = nil, progress: @escaping @Sendable (Int) -> Void,
    _ body: @escaping @Sendable (String, Program, [Diagnostic]) -> FileResult<Value>
  ) async -> [FileResult<Value>] {
    await Parallel.map(paths.count, jobs: jobs ?? options.jobs, progress: progress) { index in
      switch ProgramLoader(options: options).load(paths[index]) {
      case .otherKind: .otherKind
      case .invalid(let diagnostics): .invalid(diagnostics)
      case .program(let program, let warnings): body(paths[index], program, warnings)
      }
    }
  }
}

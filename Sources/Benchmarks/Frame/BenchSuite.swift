package import EngineWire
package import TestBench

/// The suites of `triggerbench bench`.
package enum BenchSuite: String, Sendable, CaseIterable {
  case matching, caps, kernel, regions, readers, replay

  /// Those that measure an engine in another process too.
  package static let ofEngines: [BenchSuite] = [.matching, .caps, .replay]

  /// Runs the suite: the contestants in turns, so that a disturbance hits all of them.
  ///
  /// - Parameters:
  ///   - engine: Measures this engine in another process, on the same workload, beside the built-in one.
  ///   - report: Makes the report of a replayed scenario and returns how long it is, in bytes.
  /// - Throws: ``BenchError`` when the options make no sense, or when a contestant and the obvious way do
  ///   not come to the same results.
  package func run(
    _ options: BenchOptions, engine: BenchedEngine? = nil,
    report: @escaping (ScenarioResult) -> Int = { _ in 0 }
  ) throws -> BenchReport {
    if options.rounds < 1 { throw BenchError("at least one round is needed") }
    if let sizes = options.sizes, sizes.isEmpty || sizes.contains(where: { $0 < 1 }) {
      throw BenchError("sizes are whole numbers from 1 on")
    }
    if let events = options.events, events < 1 { throw BenchError("at least one event is needed") }
    if let engine { return try EngineBench(engine, options).report(self) }
    return switch self {
    case .matching: try MatchingBench(options).report()
    case .caps: try CapsBench(options).report()
    case .kernel: try KernelBench.report(options)
    case .regions: try RegionsBench.report(options)
    case .readers: try ReadersBench.report(options)
    case .replay: try ReplayBench(report: report).report(options)
    }
  }
}

/// An engine in another process that is to be measured.
package struct BenchedEngine: Sendable {
  package var command: EngineCommand
  /// One that answers every question with "done", and does nothing: what it takes is the wire.
  package var silent: EngineCommand

  package init(_ command: EngineCommand, silent: EngineCommand) {
    self.command = command
    self.silent = silent
  }
}

package import TestBench

extension BenchSuite {
  /// Runs the suite: the contestants in turns, so that a disturbance hits all of them.
  ///
  /// - Parameters:
  ///   - engine: Measures this engine in another process, on the same workload, beside the built-in one.
  ///   - report: Writes the report of a replayed scenario.
  /// - Throws: ``BenchError`` when the options make no sense, or when a contestant and the obvious way do
  ///   not come to the same results.
  package func run(
    _ options: BenchOptions, engine: BenchedEngine? = nil,
    report: @escaping (ScenarioResult) throws -> Void = { _ in }
  ) throws -> BenchReport {
    try check(options)
    if let engine { return try EngineBench(engine, options).report(self) }
    return switch self {
    case .matching: try MatchingBench(options).report()
    case .caps: try CapsBench(options).report()
    case .kernel: try KernelBench.report(options)
    case .regions: try RegionsBench.report(options)
    case .readers: try ReadersBench.report(options)
    case .time: try TimeBench.report(options)
    case .load: try LoadBench.report(options)
    case .scenario: try ReplayBench(report: report).report(ofFile: options)
    case .population: try PopulationBench.report(options)
    case .replay: try ReplayBench(report: report).report(options)
    }
  }
}

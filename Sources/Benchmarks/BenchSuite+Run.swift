package import TestBench

extension BenchSuite {
  /// Runs the suite. Rounds of the implementations alternate, so that disturbances of the machine affect all
  /// of them.
  ///
  /// - Parameters:
  ///   - engine: An engine in another process to measure on the same workload, or `nil` to measure only the
  ///     built-in one.
  ///   - report: A closure that writes the report of a replayed scenario.
  /// - Throws: ``BenchError`` if the options are invalid, or if the results of an implementation and its
  ///   baseline differ.
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

extension BenchSuite {
  /// Checks the options before the suite starts.
  ///
  /// - Throws: A ``BenchError`` that states the correct form of the option.
  package func check(_ options: BenchOptions) throws {
    if options.rounds < 1 { throw BenchError.misuse("--rounds must be at least 1") }
    if let sizes = options.sizes, sizes.isEmpty || sizes.contains(where: { $0 < 1 }) {
      throw BenchError.misuse("--sizes must be whole numbers of at least 1")
    }
    if let events = options.events, events < 1 { throw BenchError.misuse("--events must be at least 1") }
    if (options.file == nil) == (self == .scenario) {
      throw BenchError.misuse(
        self == .scenario
          ? "the suite scenario needs a file: 'triggerbench bench scenario my.yaml'"
          : "the suite \(rawValue) takes no file")
    }
    if self == .scenario, options.sizes != nil || options.mode != nil || options.events != nil {
      throw BenchError.misuse(
        "the suite scenario plays the file unchanged; leave out --sizes, --mode and --events")
    }
    if options.sizes != nil, [.regions, .readers, .time].contains(self) {
      throw BenchError.misuse("the suite \(rawValue) has no sizes; use --events")
    }
    if options.events != nil, [.caps, .load, .population].contains(self) {
      throw BenchError.misuse("the suite \(rawValue) has no events; use --sizes")
    }
    try check(mode: options.mode, isAlone: options.alone)
  }

  private func check(mode: String?, isAlone: Bool) throws {
    let modes = modes(isAlone: isAlone)
    guard let mode, !modes.contains(mode) else { return }
    if modes.isEmpty { throw BenchError.misuse("the suite \(rawValue) has no modes") }
    throw BenchError.misuse("unknown mode '\(mode)'; use \(Self.list(modes))")
  }

  /// The modes of all suites that have any, for help texts.
  package static var modesText: String {
    allCases.map { (suite: $0.rawValue, modes: $0.modes(isAlone: false)) }.filter { !$0.modes.isEmpty }
      .map { "for \($0.suite): \(list($0.modes))" }.joined(separator: "; ")
  }

  private static func list(_ modes: [String]) -> String {
    let names = modes.map { $0.contains(" ") ? "'\($0)'" : $0 }
    return names.dropLast().joined(separator: ", ") + (names.count > 1 ? " or " : "") + (names.last ?? "")
  }

  private func modes(isAlone: Bool) -> [String] {
    func names<Mode: RawRepresentable<String> & CaseIterable>(_ mode: Mode.Type) -> [String] {
      mode.allCases.map(\.rawValue)
    }
    return switch self {
    case .matching: names(MatchingBench.Mode.self) + (isAlone ? [] : names(GrowthBench.Mode.self))
    case .regions: ["full"]
    case .time: names(TimeBench.Mode.self)
    case .load: names(LoadBench.Mode.self)
    case .replay: names(ReplayBench.Mode.self)
    case .caps, .kernel, .readers, .population, .scenario: []
    }
  }
}

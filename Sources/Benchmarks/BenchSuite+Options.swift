/// What a suite can be told.
extension BenchSuite {
  /// Sees that the options make sense, before anything runs.
  ///
  /// - Throws: ``BenchError`` that says what to write instead.
  package func check(_ options: BenchOptions) throws {
    if options.rounds < 1 { throw BenchError.misuse("at least one round is needed") }
    if let sizes = options.sizes, sizes.isEmpty || sizes.contains(where: { $0 < 1 }) {
      throw BenchError.misuse("sizes are whole numbers from 1 on")
    }
    if let events = options.events, events < 1 { throw BenchError.misuse("at least one event is needed") }
    if (options.file == nil) == (self == .scenario) {
      throw BenchError.misuse(
        self == .scenario
          ? "name a file: 'triggerbench bench scenario my.yaml'"
          : "the suite \(rawValue) plays no file of yours")
    }
    if self == .scenario, options.sizes != nil || options.mode != nil || options.events != nil {
      throw BenchError.misuse("the suite scenario plays the file as it is: it has no sizes, modes or events")
    }
    if options.sizes != nil, [.regions, .readers, .time].contains(self) {
      throw BenchError.misuse("the suite \(rawValue) has no sizes; say --events")
    }
    if options.events != nil, [.caps, .load, .population].contains(self) {
      throw BenchError.misuse("the suite \(rawValue) has no events; say --sizes")
    }
    try check(mode: options.mode, isAlone: options.alone)
  }

  private func check(mode: String?, isAlone: Bool) throws {
    let modes = modes(isAlone: isAlone)
    guard let mode, !modes.contains(mode) else { return }
    if modes.isEmpty { throw BenchError.misuse("the suite \(rawValue) has no modes") }
    throw BenchError.misuse("unknown mode '\(mode)'; write \(Self.list(modes))")
  }

  /// The modes of each suite that has any, in words.
  package static var modesInWords: String {
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

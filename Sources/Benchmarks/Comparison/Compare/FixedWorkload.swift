extension BenchSuite {
  /// The small workload by which two builds are compared and the gate counts: some milliseconds a round,
  /// and never changed without making a new baseline.
  package var fixedWorkload: BenchOptions {
    var options =
      switch self {
      case .matching: BenchOptions(sizes: [1_000, 10_000], mode: "daily", events: 20_000)
      case .caps: BenchOptions(sizes: [10_000])
      case .kernel: BenchOptions(sizes: [1_000, 100_000], events: 100_000)
      case .regions: BenchOptions(events: 100_000)
      case .readers: BenchOptions(events: 10_000)
      // The whole path as a person lives it, and not only what it is made of.
      case .replay: BenchOptions(mode: "person")
      case .time: BenchOptions(events: 100_000)
      case .load: BenchOptions(sizes: [500])
      case .population: BenchOptions(sizes: [500])
      case .scenario: BenchOptions()
      }
    options.alone = true
    return options
  }

  /// Words for `triggerbench` with which it runs this suite.
  package func arguments(_ options: BenchOptions) -> [String] {
    var words =
      ["bench", "suite", rawValue] + (options.file.map { [$0] } ?? []) + [
        "--json", "--rounds", String(options.rounds),
      ]
    if let sizes = options.sizes { words += ["--sizes", sizes.map(String.init).joined(separator: ",")] }
    if let mode = options.mode { words += ["--mode", mode] }
    if let events = options.events { words += ["--events", String(events)] }
    if options.alone { words.append("--alone") }
    if options.replayed > 0 { words += ["--replayed", String(options.replayed)] }
    return words
  }
}

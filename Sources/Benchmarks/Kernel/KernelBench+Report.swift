extension KernelBench {
  /// The suite as the command line runs it: sizes are pending events, events the operations timed.
  static func report(_ options: BenchOptions) throws -> BenchReport {
    try ScratchFolder.with { folder in
      try report(options, options.alone ? nil : KernelComparison(compilingIn: folder))
    }
  }

  private static func report(
    _ options: BenchOptions, _ compared: KernelComparison?
  ) throws -> BenchReport {
    var bench = KernelBench(comparison: compared)
    bench.alone = options.alone
    bench.rounds = options.rounds
    if let events = options.events { bench.operations = events }
    let rows = try bench.run(sizes: options.sizes ?? [1_000, 10_000, 100_000, 1_000_000])
    let comparison = bench.comparison == nil ? "a heap of closures (no g++ here)" : "C++ std::priority_queue"
    let events = rows.reduce(0) { $0 + $1.operations + $1.warmUp }
    return BenchReport(
      suite: BenchSuite.kernel.rawValue, sizeName: "pending", rows: rows.map(BenchRow.init),
      notes: options.alone
        ? [] : ["baseline: \(comparison)", "order: the same for all engines, \(events) events"])
  }
}

extension BenchRow {
  fileprivate init(_ row: KernelRow) {
    let ties = row.quantum > 1 ? ", increments of \(row.quantum) ms" : ""
    self.init(
      mode: row.model.rawValue + ties, size: row.pending, events: row.operations, samples: row.samples)
    hash = row.result.hash
    if let obvious = row.cppNanoseconds ?? row.closureNanoseconds {
      baseline = Baseline(
        name: row.cppNanoseconds == nil ? "closures" : "std::priority_queue", samples: [obvious],
        events: row.operations)
    }
    bytesPerItem = row.bytesPerEvent
    allocationsPerEvent = Double(row.allocations) / Double(row.operations)
    counters = [("moves/event", row.movesPerOperation)]
    if let closures = row.closureNanoseconds { counters.insert(("closures ns", closures), at: 0) }
    counts = [
      ("moves", row.moves), ("allocations", row.allocations),
      ("bytes", Int((row.bytesPerEvent * Double(row.pending)).rounded())),
    ]
  }
}

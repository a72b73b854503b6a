import SimulationKernel

/// The operation of a kernel benchmark.
package enum KernelModel: String, Sendable, CaseIterable {
  /// Plays the next event and schedules another one, so that the number of pending events stays constant.
  case hold
  /// Does the same as ``hold``, and also reschedules the pending event of another entity.
  case snooze
}

/// One row of the kernel benchmark.
package struct KernelRow: Sendable {
  package var model: KernelModel
  /// The unit of the increments in milliseconds. If it is large, many events have the same instant.
  package var quantum: Int64
  /// The number of pending events.
  package var pending: Int
  /// The number of measured operations in each round.
  package var operations: Int
  /// The number of operations before the measurement.
  package var warmUp: Int
  /// The simulation kernel's nanoseconds per operation in each round.
  package var samples: [Double]
  /// The median over the rounds.
  package var nanoseconds: Double { samples.median }
  /// The nanoseconds per operation of a heap of closures, or `nil` if it was skipped.
  package var closureNanoseconds: Double?
  /// The nanoseconds per operation of C++'s priority queue, or `nil` if no compiler was found.
  package var cppNanoseconds: Double?
  /// The bytes of the kernel's event list per pending event, after the last round.
  package var bytesPerEvent: Double
  /// The number of allocations in the measured part of the last round.
  package var allocations: Int
  /// The number of times that a record was put into a bucket in the measured part of the last round.
  package var moves: Int
  /// The number of moves per operation, as a measure of work without noise.
  package var movesPerOperation: Double { Double(moves) / Double(operations) }
  /// The result of all events, including the warm-up. It must be the same for all implementations.
  package var result: KernelResult
}

/// The kernel benchmark: measures the future event list, a heap of closures and a C++ priority queue in
/// alternating rounds.
package struct KernelBench {
  /// The number of rounds. The reported time is the median.
  package var rounds = 3
  /// The number of measured operations in each round.
  package var operations = 2_000_000
  /// The minimum number of operations in the warm-up.
  ///
  /// The warm-up has at least one operation per pending event, up to a million.
  package var warmUp = 100_000
  /// Whether to skip the heap of closures.
  package var alone = false
  package var comparison: KernelComparison?

  package init(comparison: KernelComparison?) {
    self.comparison = comparison
  }

  /// The error that implementations have different results. The measurement is then invalid.
  package struct Disagreement: Error, CustomStringConvertible {
    package var model: KernelModel
    package var pending: Int
    package var description: String { "\(model.rawValue) at \(pending) pending events: results differ" }
  }

  /// Runs the standard suite: both models at every size, and one model with many events at the same instant.
  ///
  /// - Parameter sizes: The numbers of pending events, for example 1,000, 10,000, 100,000 and 1,000,000.
  package func run(sizes: [Int]) throws -> [KernelRow] {
    var rows: [KernelRow] = []
    for size in sizes {
      for model in KernelModel.allCases { rows.append(try row(model, pending: size)) }
    }
    // The first quantum puts a few events at each instant. The second puts all events at one instant.
    for quantum in [1_000_000, 60_000_000_000] as [Int64] {
      rows.append(try row(.hold, pending: 100_000, quantum: quantum))
    }
    return rows
  }

  /// Measures one model at one size.
  package func row(_ model: KernelModel, pending: Int, quantum: Int64 = 1) throws -> KernelRow {
    let workload = KernelWorkload(quantum: quantum)
    let warmUp = min(max(pending, self.warmUp), 1_000_000)
    var times: (list: [Double], closures: [Double], cpp: [Double]) = ([], [], [])
    var row = KernelRow(
      model: model, quantum: quantum, pending: pending, operations: operations, warmUp: warmUp,
      samples: [],
      bytesPerEvent: 0, allocations: 0, moves: 0, result: KernelResult(clock: 0, hash: 0))
    for _ in 0..<rounds {
      var list = ListEngine(workload: workload)
      var before = (allocations: 0, moves: 0)
      times.list.append(
        measure(&list, model, pending, warmUp) { before = ($0.list.allocations, $0.list.moves) })
      row.bytesPerEvent = Double(list.list.byteCount) / Double(pending)
      row.allocations = list.list.allocations - before.allocations
      row.moves = list.list.moves - before.moves
      row.result = list.result
      if alone { continue }

      var closures = ClosureEngine(workload: workload)
      times.closures.append(measure(&closures, model, pending, warmUp) { _ in })
      var results = [closures.result]
      if let comparison {
        let measured = try comparison.measure(
          model, pending: pending, warmUp: warmUp, operations: operations, workload: workload)
        times.cpp.append(measured.nanoseconds)
        results.append(measured.result)
      }
      guard results.allSatisfy({ $0 == row.result }) else {
        throw Disagreement(model: model, pending: pending)
      }
    }
    row.samples = times.list
    row.closureNanoseconds = times.closures.isEmpty ? nil : times.closures.median
    row.cppNanoseconds = times.cpp.isEmpty ? nil : times.cpp.median
    return row
  }

  /// Returns the nanoseconds per operation of one round.
  private func measure<Engine: KernelQueue>(
    _ engine: inout Engine, _ model: KernelModel, _ pending: Int, _ warmUp: Int, start: (Engine) -> Void
  ) -> Double {
    engine.fill(pending, for: model)
    engine.play(pending..<pending + warmUp)
    start(engine)
    let indices = pending + warmUp..<pending + warmUp + operations
    let elapsed = ContinuousClock().measure { engine.play(indices) }
    return elapsed / .nanoseconds(1) / Double(operations)
  }
}

extension KernelBench {
  /// Runs the suite for the command line. Its sizes are numbers of pending events, and its events are
  /// measured operations.
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
        ? [] : ["baseline: \(comparison)", "order of events: the same for all engines, \(events) events"])
  }
}

extension BenchRow {
  fileprivate init(_ row: KernelRow) {
    let ties = row.quantum > 1 ? ", increments of \(row.quantum) ms" : ""
    self.init(
      mode: row.model.rawValue + ties, size: row.pending, events: row.operations, samples: row.samples)
    hash = row.result.hash
    if let naive = row.cppNanoseconds ?? row.closureNanoseconds {
      baseline = Baseline(
        name: row.cppNanoseconds == nil ? "closures" : "std::priority_queue", samples: [naive],
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

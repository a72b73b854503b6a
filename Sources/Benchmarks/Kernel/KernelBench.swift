import SimulationKernel

/// What happens in one operation of the kernel's benchmark.
package enum KernelModel: String, Sendable, CaseIterable {
  /// The next event is played and schedules one; as many are pending as before.
  case hold
  /// As hold, and the pending event of some other entity is put off.
  case snooze
}

/// One line of the kernel's benchmark.
package struct KernelRow: Sendable {
  package var model: KernelModel
  /// Increments are multiples of this, in milliseconds; above 1 many events share an instant.
  package var quantum: Int64
  /// Events pending at any time.
  package var pending: Int
  /// Operations timed in each round.
  package var operations: Int
  /// Operations before the timing begins.
  package var warmUp: Int
  /// Per operation of the simulation kernel, of each round.
  package var samples: [Double]
  /// Median over the rounds.
  package var nanoseconds: Double { samples.median }
  /// The same for a heap of closures; nil when it was left out.
  package var closureNanoseconds: Double?
  /// The same for C++'s priority queue; nil where there is no compiler.
  package var cppNanoseconds: Double?
  /// Memory behind the kernel's list after the last round, per pending event.
  package var bytesPerEvent: Double
  /// Requests for memory in the timed part of the last round.
  package var allocations: Int
  /// Moves of records from bucket to bucket in the timed part of the last round.
  package var moves: Int
  /// Moves of records from bucket to bucket per operation: a measure of work that no clock disturbs.
  package var movesPerOperation: Double { Double(moves) / Double(operations) }
  /// The time of the last event, and who was played when, from the first event of the warm-up on; the same
  /// for all three, or there is no row.
  package var result: KernelResult
}

/// The kernel's benchmark: the future event list beside a heap of closures and a C++ priority queue,
/// in one run and in turns.
package struct KernelBench {
  /// Rounds, of which the median counts; in each, every engine has its turn.
  package var rounds = 3
  /// Operations timed in each round.
  package var operations = 2_000_000
  /// Operations before the timing begins, at least; as many as events are pending, up to a million.
  package var warmUp = 100_000
  /// Leaves out the heap of closures.
  package var alone = false
  package var comparison: KernelComparison?

  package init(comparison: KernelComparison?) {
    self.comparison = comparison
  }

  /// Two engines came to different results: nothing they measured means anything.
  package struct Disagreement: Error, CustomStringConvertible {
    package var model: KernelModel
    package var pending: Int
    package var description: String { "\(model.rawValue) at \(pending) pending events: results differ" }
  }

  /// The standard suite: both models at every size, and mass ties.
  ///
  /// - Parameter sizes: numbers of pending events, for example 1,000, 10,000, 100,000, 1,000,000.
  package func run(sizes: [Int]) throws -> [KernelRow] {
    var rows: [KernelRow] = []
    for size in sizes {
      for model in KernelModel.allCases { rows.append(try row(model, pending: size)) }
    }
    // Up to a few events an instant, and everything at once.
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

  /// Nanoseconds per operation.
  private func measure<Engine: KernelEngine>(
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

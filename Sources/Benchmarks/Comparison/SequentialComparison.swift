/// The procedure of a comparison: it runs blocks until the intervals are narrow enough, and then measures
/// apparent changes a second time.
package struct SequentialComparison {
  /// One of the two builds.
  package enum Arm: Hashable, Sendable { case a, b }

  /// The smallest relevant change, as the natural logarithm of a ratio. An interval with this half width is
  /// narrow enough.
  package var precision = 0.01
  package var budget = Duration.seconds(120)
  /// The seed for the order of the runs.
  package var seed: UInt64 = 1
  /// The maximum number of blocks in each measurement. Additional blocks would not help.
  package var maximumBlocks = 200

  /// The result for a row.
  package struct Row: Sendable {
    package var key: RowKey
    /// The evaluation of all blocks, including those of a second measurement.
    package var look: Look
    package var judgement: Judgement
    /// The median times of A's and B's runs, in nanoseconds per event.
    package var a: Double
    package var b: Double
    /// The first report of each build. The digest and the counts are the same in all of its runs.
    package var firstA: ArmRow
    package var firstB: ArmRow
  }

  /// Compares the builds. Returns the rows in the order of A's report.
  ///
  /// - Parameters:
  ///   - elapsed: A closure that returns the time since the start.
  ///   - measure: A closure that runs a build once.
  /// - Throws: The error of `measure`, or ``Benchmarks/BenchError`` if the builds report different rows.
  package func run(
    elapsed: () -> Duration, measure: @escaping (Arm) throws -> [ArmRow]
  ) throws -> [Row] {
    // The first run of each build only fills caches, so its times are ignored.
    let (warmA, warmB) = (try measure(.a), try measure(.b))
    let keys = warmA.map(\.key)
    var runner = BlockRunner(keys: keys, generator: SplitMix64(state: seed), measure: measure)
    try runner.check(warmB)

    let first = try runner.look(self, until: budget / 2, elapsed: elapsed, rows: Array(keys.indices))
    let looks = first.map(Look.init)
    let candidates = Judgement.candidates(looks, precision: precision)
    let rows = keys.indices.filter { candidates[$0] && warmA[$0].digest == warmB[$0].digest }
    var second: [Int: Look] = [:]
    var blocks = first
    if !rows.isEmpty {
      let again = try runner.look(self, until: budget, elapsed: elapsed, rows: rows)
      for row in rows where !again[row].isEmpty {
        second[row] = Look(again[row])
        blocks[row] += again[row]
      }
    }
    let judgements = Judgement.of(looks, second: second, precision: precision)
    return keys.indices.map { row in
      let isSame = warmA[row].digest == warmB[row].digest
      return Row(
        key: keys[row], look: Look(blocks[row]),
        judgement: isSame ? judgements[row] : Judgement(.inconclusive, "the results differ"),
        a: blocks[row].flatMap { $0.a }.median, b: blocks[row].flatMap { $0.b }.median,
        firstA: warmA[row], firstB: warmB[row])
    }
  }
}

/// Runs blocks and stores their times by row.
private struct BlockRunner {
  let keys: [RowKey]
  var generator: SplitMix64
  let measure: (SequentialComparison.Arm) throws -> [ArmRow]

  func check(_ reported: [ArmRow]) throws {
    guard reported.map(\.key) == keys else { throw BenchError("the two builds report different rows") }
  }

  /// Runs at least one block, and more until the intervals of `rows` are narrow enough. Returns the blocks of
  /// each row.
  mutating func look(
    _ plan: SequentialComparison, until end: Duration, elapsed: () -> Duration, rows: [Int]
  ) throws -> [[Block]] {
    var blocks = keys.map { _ in [Block]() }
    repeat {
      let order: [SequentialComparison.Arm] =
        generator.next() & 1 == 0 ? [.a, .b, .b, .a] : [.b, .a, .a, .b]
      var times = keys.map { _ in Block(a: [], b: []) }
      for arm in order {
        let reported = try measure(arm)
        try check(reported)
        for (row, line) in reported.enumerated() {
          if arm == .a {
            times[row].a.append(line.nanoseconds)
          } else {
            times[row].b.append(line.nanoseconds)
          }
        }
      }
      for row in keys.indices { blocks[row].append(times[row]) }
      let isNarrow =
        blocks[0].count >= Look.minimumBlocks
        && rows.allSatisfy { row in
          RatioInterval(logRatios: blocks[row].map(\.logRatio)).halfWidth <= plan.precision
        }
      if isNarrow || blocks[0].count >= plan.maximumBlocks { break }
    } while elapsed() < end
    return blocks
  }
}

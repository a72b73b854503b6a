package import Geofencing
import TriggerModel

/// The regions suite: what it costs to follow fixes through twenty fences, against asking GEOS about
/// everything, in one run.
package struct RegionsBench {
  /// One way of following one trace.
  package struct Row: Sendable {
    /// `city` or `boundary`.
    package var trace: String
    /// `undecided`: the fast path. `always`: GEOS for every fix and segment of every region.
    /// `prepared, fixes only`: polygons that GEOS has prepared for every fix of every region, no crossings.
    package var mode: String
    /// Fixes followed and timed.
    package var fixes: Int
    /// Nanoseconds per fix of each block of the trace that was followed, from its beginning on.
    package var blocks: [Double]
    /// Median over the blocks.
    package var nsPerFix: Double { blocks.median }
    package var crossings: Int
    package var counters: RegionCounters
    /// Of the regions that hold each fix, and of all crossings.
    package var hash: UInt64
  }

  package struct Result: Sendable {
    package var rows: [Row]
    /// Fixes that the fast path and `geos: always` followed both.
    package var compared: Int
    /// Fixes whose regions, and crossings whose kind, region or instant, were not the same.
    package var disagreements: Int
  }

  /// Fixes that are made, timed and compared at a time.
  private static let block = 100_000

  private let table: RegionTable

  package init() throws(RegionProblem) {
    table = try RegionTable(CityTrace.fences())
  }

  /// - Parameters:
  ///   - fixes: How many the fast path follows on the city trace, and a hundredth of it near boundaries;
  ///     rounded up to blocks of 100,000.
  ///   - compared: How many of these `geos: always` follows too, which takes some 10 µs each.
  package func run(fixes: Int, compared: Int) -> Result {
    var result = Result(rows: [], compared: 0, disagreements: 0)
    measure("city", CityTrace(fences: table.regions), fixes, compared, &result)
    measure("boundary", BoundaryFixes(fences: table.regions), fixes / 100, compared / 100, &result)
    return result
  }

  private func measure(
    _ name: String, _ trace: some Sequence<Fix>, _ fixes: Int, _ compared: Int, _ result: inout Result
  ) {
    var source = trace.makeIterator()
    var fast = Follower(RegionMonitor(table))
    var always = Follower(RegionMonitor(table, geos: .always))
    let polygons = PreparedPolygons(table)
    var prepared = Follower(RegionMonitor(table))
    for start in stride(from: 0, to: fixes, by: Self.block) {
      var block: [Fix] = []
      block.reserveCapacity(Self.block)
      for _ in 0..<Self.block { if let fix = source.next() { block.append(fix) } }
      let before = result.disagreements
      fast.follow(block)
      guard start < compared else { continue }
      always.follow(block)
      prepared.locate(block) { polygons.membership(of: $0) }
      result.compared += block.count
      result.disagreements =
        before + fast.differences(from: always) + fast.differencesInPlace(from: prepared)
    }
    result.rows += [
      fast.row(name, "undecided"), always.row(name, "always"), prepared.row(name, "prepared, fixes only"),
    ]
  }
}

/// Follows the blocks of one trace in one mode, and times them.
private struct Follower {
  private let monitor: RegionMonitor
  private var state: RegionState?
  private var fixes = 0
  private var crossingCount = 0
  private var digest = WordDigest()
  private var nsPerFix: [Double] = []
  private var counters = RegionCounters()
  /// Of the last block: the regions that hold each fix, and the crossings.
  private var inside: [RegionSet] = []
  private var crossings: [RegionCrossing] = []

  init(_ monitor: RegionMonitor) {
    self.monitor = monitor
  }

  /// Follows a block, crossings and all.
  mutating func follow(_ block: [Fix]) {
    guard let first = block.first else { return }
    var state = self.state ?? monitor.begin(at: first)
    var crossings: [RegionCrossing] = []
    // Written to, not appended, so that only the following is measured.
    var inside = [RegionSet](repeating: [], count: block.count)
    let clock = ContinuousClock()
    let start = clock.now
    for index in block.indices {
      monitor.advance(&state, to: block[index], into: &crossings)
      inside[index] = state.inside
    }
    note(clock.now - start, block.count)
    self.state = state
    counters = state.counters
    take(inside, crossings)
  }

  /// Only says which regions hold each fix.
  mutating func locate(_ block: [Fix], _ membership: (Coordinate) -> RegionSet) {
    var inside = [RegionSet](repeating: [], count: block.count)
    let clock = ContinuousClock()
    let start = clock.now
    for index in block.indices { inside[index] = membership(block[index].coordinate) }
    note(clock.now - start, block.count)
    take(inside, [])
  }

  func differences(from other: Follower) -> Int {
    let story = zip(crossings, other.crossings).count { $0 != $1 }
    return differencesInPlace(from: other) + story + abs(crossings.count - other.crossings.count)
  }

  /// Fixes of the last block that other regions hold.
  func differencesInPlace(from other: Follower) -> Int {
    zip(inside, other.inside).count { $0 != $1 } + abs(inside.count - other.inside.count)
  }

  func row(_ trace: String, _ mode: String) -> RegionsBench.Row {
    RegionsBench.Row(
      trace: trace, mode: mode, fixes: fixes, blocks: nsPerFix, crossings: crossingCount, counters: counters,
      hash: digest.value)
  }

  private mutating func note(_ duration: Duration, _ count: Int) {
    nsPerFix.append(duration / .nanoseconds(count))
    fixes += count
  }

  private mutating func take(_ inside: [RegionSet], _ crossings: [RegionCrossing]) {
    self.inside = inside
    self.crossings = crossings
    crossingCount += crossings.count
    for set in inside { for word in set.words { digest.add(word) } }
    for crossing in crossings {
      digest.add(UInt64(crossing.kind.rawValue))
      digest.add(UInt64(crossing.region.rawValue))
      digest.add(UInt64(bitPattern: crossing.instant.millisecondsSince1970))
    }
  }
}

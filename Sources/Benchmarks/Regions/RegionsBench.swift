import Geofencing
import TriggerModel

/// The regions suite: determines which of twenty regions contain each fix. It compares the fast path with
/// GEOS for every fix.
struct RegionsBench {
  /// The number of fixes in a block, which is created, measured and compared as a whole.
  private static let block = 100_000

  private let table: RegionTable
  /// The number of fixes that both the fast path and `geos: always` evaluated.
  private var compared = 0
  /// The number of differences: fixes with different regions, and crossings with a different kind, region or
  /// instant.
  private var disagreements = 0

  private init() throws(RegionProblem) {
    table = try RegionTable(CityTrace.fences())
  }

  /// Runs the suite for the command line. Its events are fixes. It also measures fixes near boundaries, one
  /// per cent as many.
  ///
  /// The baseline takes about 10 µs per fix. Unless the mode is `full`, it stops after 100,000 fixes.
  static func report(_ options: BenchOptions) throws -> BenchReport {
    let fixes = options.events ?? 1_000_000
    let compared = options.alone ? 0 : options.mode == "full" ? fixes : min(fixes, 100_000)
    var bench = try RegionsBench()
    let rows = [
      bench.row("city", CityTrace(fences: bench.table.regions), fixes, compared),
      bench.row("boundary", BoundaryFixes(fences: bench.table.regions), fixes / 100, compared / 100),
    ]
    guard bench.disagreements == 0 else {
      throw BenchError("regions: \(bench.disagreements) disagreements with geos: always")
    }
    return BenchReport(
      suite: BenchSuite.regions.rawValue, sizeName: "regions", rows: rows,
      notes: options.alone
        ? []
        : [
          "baseline: GEOS for every fix and segment of every region, on the first fixes",
          "prepared: prepared polygons of GEOS, only for the regions that contain each of these fixes",
          "\(bench.compared) fixes compared, \(bench.disagreements) disagreements",
        ])
  }

  /// Measures one track. Rounds the numbers of fixes up to whole blocks.
  private mutating func row(
    _ name: String, _ trace: some Sequence<Fix>, _ fixes: Int, _ compared: Int
  ) -> BenchRow {
    var source = trace.makeIterator()
    var fast = Follower(RegionMonitor(table))
    var always = Follower(RegionMonitor(table, geos: .always))
    let polygons = PreparedPolygons(table)
    var prepared = Follower(RegionMonitor(table))
    for start in stride(from: 0, to: fixes, by: Self.block) {
      var block: [Fix] = []
      block.reserveCapacity(Self.block)
      for _ in 0..<Self.block { if let fix = source.next() { block.append(fix) } }
      fast.follow(block)
      guard start < compared else { continue }
      always.follow(block)
      prepared.locate(block) { polygons.membership(of: $0) }
      self.compared += block.count
      disagreements += fast.differences(from: always) + fast.differencesInPlace(from: prepared)
    }
    return fast.row(name, always: always, prepared: prepared)
  }
}

/// Evaluates the blocks of one track with one method and measures its time.
private struct Follower {
  private let monitor: RegionMonitor
  private var state: RegionState?
  private var fixes = 0
  private var crossingCount = 0
  private var digest = WordDigest()
  private var nsPerFix: [Double] = []
  private var counters = RegionCounters()
  /// The regions that contain each fix of the last block, and the block's crossings.
  private var inside: [RegionSet] = []
  private var crossings: [RegionCrossing] = []

  init(_ monitor: RegionMonitor) {
    self.monitor = monitor
  }

  /// Evaluates a block, including its crossings.
  mutating func follow(_ block: [Fix]) {
    guard let first = block.first else { return }
    var state = self.state ?? monitor.begin(at: first)
    var crossings: [RegionCrossing] = []
    // Results are assigned, not appended, so that only the evaluation is measured.
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

  /// Determines the regions that contain each fix, without their crossings.
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

  /// Returns the number of fixes in the last block whose regions differ.
  func differencesInPlace(from other: Follower) -> Int {
    zip(inside, other.inside).count { $0 != $1 } + abs(inside.count - other.inside.count)
  }

  /// Returns the row of the fast path.
  func row(_ trace: String, always: Follower, prepared: Follower) -> BenchRow {
    var row = BenchRow(mode: trace, size: 20, events: fixes, samples: [nsPerFix.median])
    row.fires = crossingCount
    row.hash = digest.value
    if always.fixes > 0 {
      row.baseline = Baseline(
        name: "geos: always", samples: [always.nsPerFix.median], events: always.fixes,
        contestant: Array(nsPerFix.prefix(always.nsPerFix.count)))
    }
    row.counts = [("looks", Int(counters.looks)), ("geos calls", Int(counters.geosCalls))]
    row.counters = [
      ("geos calls/1000 events", Double(counters.geosCalls) * 1_000 / Double(max(1, fixes)))
    ]
    if prepared.fixes > 0 {
      let (own, other) = (Array(nsPerFix.prefix(prepared.nsPerFix.count)), prepared.nsPerFix.median)
      row.counters += [("prepared ns", other), ("prepared ratio", other / own.median)]
    }
    return row
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

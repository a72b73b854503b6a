import Geofencing

extension RegionsBench {
  /// The suite as the command line runs it: events are fixes; the obvious way, which takes some 10 µs
  /// for each, follows at most the first 100,000 unless `full` is chosen as the mode.
  static func report(_ options: BenchOptions) throws -> BenchReport {
    let fixes = options.events ?? 1_000_000
    let result = try RegionsBench().run(
      fixes: fixes, compared: options.alone ? 0 : options.mode == "full" ? fixes : min(fixes, 100_000))
    guard result.disagreements == 0 else {
      throw BenchError("regions: \(result.disagreements) disagreements with geos: always")
    }
    let fast = result.rows.filter { $0.mode == "undecided" }
    return BenchReport(
      suite: BenchSuite.regions.rawValue, sizeName: "regions",
      rows: fast.map { BenchRow($0, beside: result.rows) },
      notes: options.alone
        ? []
        : [
          "baseline: GEOS asked about every fix and segment of every region, on the first of the fixes",
          "prepared: polygons that GEOS has prepared, asked only which regions hold each of those fixes",
          "\(result.compared) fixes compared, \(result.disagreements) disagreements",
        ])
  }
}

extension BenchRow {
  fileprivate init(_ row: RegionsBench.Row, beside rows: [RegionsBench.Row]) {
    self.init(mode: row.trace, size: 20, events: row.fixes, samples: [row.nsPerFix])
    fires = row.crossings
    hash = row.hash
    if let slow = rows.first(where: { $0.trace == row.trace && $0.mode == "always" && $0.fixes > 0 }) {
      baseline = Baseline(
        name: "geos: always", samples: [slow.nsPerFix], events: slow.fixes,
        contestant: Array(row.blocks.prefix(slow.blocks.count)))
    }
    let calls = Double(row.counters.geosCalls)
    counts = [("looks", Int(row.counters.looks)), ("geos calls", Int(row.counters.geosCalls))]
    counters = [("geos calls/1000 events", calls * 1_000 / Double(max(1, row.fixes)))]
    if let polygons = rows.first(where: { $0.trace == row.trace && $0.mode.hasPrefix("prepared") }),
      polygons.fixes > 0
    {
      let same = row.blocks.prefix(polygons.blocks.count)
      counters += [
        ("prepared ns", polygons.nsPerFix), ("prepared ratio", polygons.nsPerFix / Array(same).median),
      ]
    }
  }
}

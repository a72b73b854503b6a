extension ReadersBench {
  /// The suite as the command line runs it: events are the fixes of the recording that is read.
  static func report(_ options: BenchOptions) throws -> BenchReport {
    let rows = try rows(
      fixes: options.events ?? 200_000, repetitions: options.rounds, alone: options.alone,
      clock: ContinuousClock())
    let contestants = rows.filter { $0.baseline != nil }
    return BenchReport(
      suite: BenchSuite.readers.rawValue, sizeName: "bytes",
      rows: contestants.map { BenchRow($0, beside: rows) },
      notes: ["an event is a fix; MB/s are 10^6 bytes of the file a second"])
  }
}

extension BenchRow {
  fileprivate init(_ row: ReadersBench.Row, beside rows: [ReadersBench.Row]) {
    self.init(
      mode: row.mode, size: row.bytes, events: row.fixes,
      samples: row.samples.map { $0 * 1e9 / Double(row.fixes) })
    hash = row.hash
    if let slow = rows.first(where: { $0.mode == row.baseline }) {
      baseline = Baseline(
        name: slow.mode, samples: [slow.seconds * 1e9 / Double(slow.fixes)], events: slow.fixes)
      counters = [("MB/s", row.megabytesPerSecond), ("baseline MB/s", slow.megabytesPerSecond)]
    }
    if let allocations = row.allocations { counts = [("allocations", allocations)] }
  }
}

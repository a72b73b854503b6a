import Foundation
import Scenarios
import TextFormats

/// Measures how fast scenario files with many reminders or a long time line are read.
enum LoadBench {
  /// The content that most of a file consists of.
  enum Mode: String, CaseIterable {
    case reminders, timeline
  }

  /// Runs the suite for the command line. Its sizes are numbers of reminders or of time-line entries.
  static func report(_ options: BenchOptions) throws -> BenchReport {
    let rows = try options.modes(of: Mode.self).flatMap { mode in
      try (options.sizes ?? [1_000, 10_000]).map { try row(mode, $0, options) }
    }
    return BenchReport(
      suite: BenchSuite.load.rawValue, sizeName: BenchSuite.load.sizeName, rows: rows,
      notes: [
        "from the bytes of a file to the scenario; an event is a reminder or an entry of the timeline",
        "MB/s: 10^6 bytes of the file per second",
        "baseline: the YAML library, which only builds the tree of values",
      ])
  }

  private static func row(_ mode: Mode, _ size: Int, _ options: BenchOptions) throws -> BenchRow {
    let bytes = Array(text(mode, size).utf8)
    var (samples, slow): ([Double], [Double]) = ([], [])
    var allocations: Int?
    for _ in 0..<options.rounds {
      var outcome: ScenarioFile.Outcome?
      let nanoseconds = Self.nanoseconds {
        allocations = Allocations.count {
          outcome = ScenarioFile.read(bytes, file: "load.yaml", fileExists: { _ in false })
        }
      }
      guard case .scenario = outcome else {
        throw BenchError("the scenario of the benchmark is invalid: \(String(describing: outcome))")
      }
      samples.append(nanoseconds / Double(size))
      if options.alone { continue }
      let source = try SourceText(file: "load.yaml", bytes: bytes)
      var isRead = false
      let other = Self.nanoseconds { isRead = (try? YAMLDocument.read(source)) != nil }
      // Yams rejects files that are too large for it.
      if isRead { slow.append(other / Double(size)) }
    }
    var row = BenchRow(mode: mode.rawValue, size: size, events: size, samples: samples)
    if !slow.isEmpty { row.baseline = Baseline(name: "Yams", samples: slow, events: size) }
    row.allocationsPerEvent = allocations.map { Double($0) / Double(size) }
    if let allocations { row.counts = [("allocations", allocations)] }
    let bytesPerItem = Double(bytes.count) / Double(size)
    row.counters = [("MB/s", bytesPerItem / samples.median * 1_000)]
    if !slow.isEmpty { row.counters.append(("baseline MB/s", bytesPerItem / slow.median * 1_000)) }
    return row
  }

  private static func nanoseconds(_ body: () throws -> Void) rethrows -> Double {
    try ContinuousClock().measure(body) / .nanoseconds(1)
  }

  private static func text(_ mode: Mode, _ size: Int) -> String {
    var lines = [
      "kind: scenario", "version: 1", "title: Load", "start: 2026-03-02T00:00", "zone: Europe/Berlin",
      "for: \(size / 700 + 3) days", "reminders:",
    ]
    let reminders = mode == .reminders ? size : 1
    for index in 0..<reminders {
      let hour = index % 20
      lines.append(
        "  r\(index): {when: unlock, if: between \(clock(hour * 60)) and \(clock(hour * 60 + 210)), repeat: daily, "
          + "notify: \"Reminder \(index)\"}")
    }
    lines.append("timeline:")
    for index in 0..<(mode == .timeline ? size : 2) {
      let minute = index % 700 * 2
      lines.append(
        "  - day \(index / 700 + 1) \(clock(minute)) \(index.isMultiple(of: 2) ? "unlock" : "lock")"
      )
    }
    return (lines + ["expect: [fires >= 0]", ""]).joined(separator: "\n")
  }

  private static func clock(_ minute: Int) -> String { Clock.text(Int32(minute * 60_000)) }
}

import TextFormats
import TriggerModel

/// The measurements of one suite.
package struct BenchReport: Sendable {
  package var suite: String
  /// The unit of the sizes, for example `reminders`. In JSON, it is the key of the size.
  package var sizeName: String
  package var rows: [BenchRow]
  /// The explanations that follow the table.
  package var notes: [String]

  package init(suite: String, sizeName: String, rows: [BenchRow], notes: [String] = []) {
    self.suite = suite
    self.sizeName = sizeName
    self.rows = rows
    self.notes = notes
    setGrowthExponents()
  }

  private mutating func setGrowthExponents() {
    for index in rows.indices {
      let row = rows[index]
      let smaller = rows.filter { $0.mode == row.mode && $0.size < row.size }.max { $0.size < $1.size }
      guard let smaller, smaller.nsPerEvent > 0, smaller.size > 0, row.nsPerEvent > 0 else { continue }
      let time = DeterministicMath.log(row.nsPerEvent / smaller.nsPerEvent)
      rows[index].growthExponent = time / DeterministicMath.log(Double(row.size) / Double(smaller.size))
    }
    let grows = rows.contains { $0.growthExponent != nil }
    if grows {
      notes.append("growth: the exponent with which ns/event grows with the size, from the previous size")
    }
  }
}

/// Returns a number for a table, with about three digits and without an exponent.
package func brief(_ number: Double) -> String {
  if number.magnitude >= 100 { return String(Int(number.rounded())) }
  let digits: Double = number.magnitude >= 10 ? 10 : 100
  let rounded = (number * digits).rounded() / digits
  return rounded == rounded.rounded() ? String(Int(rounded)) : String(rounded)
}

/// One row of a benchmark: the times of an implementation at one size, and those of its baseline.
package struct BenchRow: Sendable {
  package var mode: String
  /// The size in the unit ``BenchReport/sizeName``, for example the number of reminders.
  package var size: Int
  /// The number of events in each round.
  package var events: Int
  /// The number of results: fires, crossings or admitted requests.
  package var fires: Int?
  /// A digest of the results. It equals the baseline's digest.
  package var hash: UInt64?
  /// The nanoseconds per event of each round, in order.
  package var samples: [Double]
  /// The measurement of the naive implementation in the same run.
  package var baseline: Baseline?
  /// The times of single events, measured in an additional round.
  package var latency: Latency?
  /// The bytes of tables and state on the hot path per unit of size.
  package var bytesPerItem: Double?
  /// The number of allocations per event, after all buffers have reached their final size.
  package var allocationsPerEvent: Double?
  /// The exponent *e* of the growth: the time per event is proportional to the size raised to the power *e*.
  ///
  /// It follows from this size and the next smaller size of the mode.
  package var growthExponent: Double?
  /// Further measurements, with their names.
  package var counters: [(name: String, value: Double)] = []
  /// The exact counts of the work for all events. They are equal in all runs of a build.
  package var counts: [(name: String, value: Int)] = []

  package init(mode: String, size: Int, events: Int, samples: [Double]) {
    self.mode = mode
    self.size = size
    self.events = events
    self.samples = samples
  }

  /// The median over the rounds.
  package var nsPerEvent: Double { samples.median }

  package var eventsPerSecond: Double { 1e9 / nsPerEvent }

  /// The baseline's time divided by this implementation's time for the same events.
  package var ratio: Double? {
    baseline.map { $0.samples.median / ($0.contestant?.median ?? nsPerEvent) }
  }
}

/// The measurement of another implementation of the same task.
package struct Baseline: Sendable {
  /// A short name.
  package var name: String
  /// The nanoseconds per event in each round.
  package var samples: [Double]
  /// The number of events. A slow baseline plays fewer events than the row's implementation.
  package var events: Int
  /// The times of the row's implementation on only the baseline's events, for a fair ratio. `nil` if both
  /// played all events.
  package var contestant: [Double]?
}

/// The distribution of the times of single events in nanoseconds. The times include the cost of the clock.
package struct Latency: Hashable, Sendable {
  package var p50: UInt64
  package var p90: UInt64
  package var p99: UInt64
  package var p999: UInt64
  package var max: UInt64
  /// The duration of an empty measurement.
  package var clock: UInt64
}

extension [Double] {
  /// The middle value, the upper one of two middle values, or 0 for an empty array.
  package var median: Double { isEmpty ? 0 : sorted()[count / 2] }
}

extension BenchReport {
  /// The report as a table for a terminal.
  package var table: String {
    let cells = [columns.map(\.title)] + rows.map { row in columns.map { $0.cell(row) } }
    let lines = TextColumns.lines(cells) { $0 > 0 }
    return (["bench \(suite)"] + lines + notes.map { "- \($0)" }).joined(separator: "\n") + "\n"
  }

  /// The report as a table for a pull request.
  package var markdown: String {
    var lines = ["### bench \(suite)", ""]
    lines.append("| " + columns.map(\.title).joined(separator: " | ") + " |")
    lines.append("|" + columns.indices.map { $0 == 0 ? "---|" : "---:|" }.joined())
    for row in rows { lines.append("| " + columns.map { $0.cell(row) }.joined(separator: " | ") + " |") }
    if !notes.isEmpty { lines.append("") }
    lines += notes.map { "- \($0)" }
    return lines.joined(separator: "\n") + "\n"
  }

  private struct Column {
    var title: String
    var cell: (BenchRow) -> String
  }

  /// The columns that have a value in at least one row.
  private var columns: [Column] {
    let all = [
      Column(title: "mode") { $0.mode },
      Column(title: sizeName) { String($0.size) },
      Column(title: "events") { String($0.events) },
      Column(title: "ns/event") { brief($0.nsPerEvent) },
      Column(title: "baseline") { $0.baseline.map { brief($0.samples.median) } ?? "" },
      Column(title: "ratio") { $0.ratio.map { brief($0) } ?? "" },
      Column(title: "events/s") { brief($0.eventsPerSecond) },
      Column(title: "p50") { $0.latency.map { String($0.p50) } ?? "" },
      Column(title: "p90") { $0.latency.map { String($0.p90) } ?? "" },
      Column(title: "p99") { $0.latency.map { String($0.p99) } ?? "" },
      Column(title: "p99.9") { $0.latency.map { String($0.p999) } ?? "" },
      Column(title: "max") { $0.latency.map { String($0.max) } ?? "" },
      Column(title: "fires") { $0.fires.map(String.init) ?? "" },
      Column(title: "digest") { $0.hash?.hexadecimal ?? "" },
      Column(title: "bytes") { $0.bytesPerItem.map { brief($0) } ?? "" },
      Column(title: "allocations") { $0.allocationsPerEvent.map { brief($0) } ?? "" },
      Column(title: "growth") { $0.growthExponent.map { brief($0) } ?? "" },
    ]
    let names = rows.flatMap { $0.counters.map(\.name) }
    let counters = names.enumerated().filter { names.firstIndex(of: $0.element) == $0.offset }.map(\.element)
    let extra = counters.map { name in
      Column(title: name) { row in
        row.counters.first { $0.name == name }.map { brief($0.value) } ?? ""
      }
    }
    return (all + extra).filter { column in rows.contains { !column.cell($0).isEmpty } }
  }
}

extension BenchReport {
  /// The report as JSON with sorted keys:
  /// `{"suite":…,"rows":[{"mode":…,"reminders":n,"events":n,"fires":n,"hash":…,"nsPerEvent":x,…}]}`. It omits
  /// missing measurements.
  package var json: String {
    let rows = rows.map { "    " + Self.object(members($0)) }.joined(separator: ",\n")
    let notes = notes.map(Self.text).joined(separator: ", ")
    return """
      {
        "notes": [\(notes)],
        "rows": [
      \(rows)
        ],
        "suite": \(Self.text(suite))
      }

      """
  }

  private func members(_ row: BenchRow) -> [(String, String)] {
    var members = [
      ("mode", Self.text(row.mode)), (sizeName, String(row.size)), ("events", String(row.events)),
      ("nsPerEvent", Self.number(row.nsPerEvent)), ("eventsPerSecond", Self.number(row.eventsPerSecond)),
      ("samples", "[" + row.samples.map(Self.number).joined(separator: ",") + "]"),
    ]
    if let fires = row.fires { members.append(("fires", String(fires))) }
    if let hash = row.hash { members.append(("hash", Self.text(hash.hexadecimal))) }
    if let baseline = row.baseline {
      members.append(("baseline", Self.text(baseline.name)))
      members.append(("baselineEvents", String(baseline.events)))
      members.append(("baselineNsPerEvent", Self.number(baseline.samples.median)))
      if let contestant = baseline.contestant {
        members.append(("nsPerBaselineEvent", Self.number(contestant.median)))
      }
    }
    if let ratio = row.ratio { members.append(("ratio", Self.number(ratio))) }
    if let latency = row.latency {
      members += [
        ("p50", String(latency.p50)), ("p90", String(latency.p90)), ("p99", String(latency.p99)),
        ("p99.9", String(latency.p999)), ("max", String(latency.max)),
        ("clockNanoseconds", String(latency.clock)),
      ]
    }
    if let bytes = row.bytesPerItem { members.append(("bytesPerItem", Self.number(bytes))) }
    if let count = row.allocationsPerEvent { members.append(("allocationsPerEvent", Self.number(count))) }
    if let growth = row.growthExponent { members.append(("growthExponent", Self.number(growth))) }
    if !row.counters.isEmpty {
      members.append(("counters", Self.object(row.counters.map { ($0.name, Self.number($0.value)) })))
    }
    if !row.counts.isEmpty {
      members.append(("counts", Self.object(row.counts.map { ($0.name, String($0.value)) })))
    }
    return members
  }

  private static func object(_ members: [(String, String)]) -> String {
    let sorted = members.sorted { $0.0 < $1.0 }
    return "{" + sorted.map { "\(text($0.0)): \($0.1)" }.joined(separator: ", ") + "}"
  }

  /// Returns a number with at most three decimals, or `null` if it is not finite or too large.
  private static func number(_ value: Double) -> String {
    guard value.isFinite, value.magnitude < 1e15 else { return "null" }
    let rounded = (value * 1_000).rounded() / 1_000
    return rounded == rounded.rounded() ? String(Int64(rounded)) : String(rounded)
  }

  private static func text(_ text: String) -> String { JSONValue.string(text).text }
}

extension BenchReport {
  /// The report in the format of Go's benchmarks, with one line per round. `benchstat` can compare such
  /// files.
  package var benchstat: String {
    var lines = ["pkg: triggerbench/\(suite)"]
    for row in rows {
      let mode = row.mode.split(separator: " ").joined(separator: "_")
      let name =
        "Benchmark\(suite.prefix(1).uppercased())\(suite.dropFirst())/\(mode)/\(sizeName)=\(row.size)"
      for sample in row.samples {
        var line = "\(name)\t\(row.events)\t\(sample) ns/op"
        if let bytes = row.bytesPerItem { line += "\t\(bytes) B/item" }
        if let count = row.allocationsPerEvent { line += "\t\(count) allocs/op" }
        lines.append(line)
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }
}

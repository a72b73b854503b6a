import TextFormats

extension BenchReport {
  /// A table to read on a terminal.
  package var table: String {
    let cells = [columns.map(\.title)] + rows.map { row in columns.map { $0.cell(row) } }
    let lines = TextColumns.lines(cells) { $0 > 0 }
    return (["bench \(suite)"] + lines + notes.map { "- \($0)" }).joined(separator: "\n") + "\n"
  }

  /// A table for a pull request.
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

  /// The columns in which some row has something to say.
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
      Column(title: "digest") { $0.hash.map(hexadecimal) ?? "" },
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

/// Sixteen lower-case hexadecimal digits.
package func hexadecimal(_ value: UInt64) -> String {
  let digits = String(value, radix: 16)
  return String(repeating: "0", count: 16 - digits.count) + digits
}

extension BenchReport {
  /// The format of Go's benchmarks, a line for each round, which `benchstat` compares.
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

package import Foundation

/// Which row of a suite.
package struct RowKey: Hashable, Sendable, CustomStringConvertible {
  package var mode: String
  package var size: Int

  package init(mode: String, size: Int) {
    self.mode = mode
    self.size = size
  }

  package var description: String { "\(mode) \(size)" }
}

/// What one run of one executable reported about a row.
package struct ArmRow: Hashable, Sendable {
  package var key: RowKey
  /// Of the quickest round: what disturbs a run only ever adds to it.
  package var nanoseconds: Double
  /// Digest of the results, where the suite makes one.
  package var digest: String?
  /// Exact counts, by name.
  package var counts: [String: Int]

  package init(key: RowKey, nanoseconds: Double, digest: String? = nil, counts: [String: Int] = [:]) {
    self.key = key
    self.nanoseconds = nanoseconds
    self.digest = digest
    self.counts = counts
  }

  /// Reads what `triggerbench bench SUITE --json` prints.
  ///
  /// - Parameter name: What messages call the executable.
  /// - Throws: ``Benchmarks/BenchError`` where it is something else.
  package static func rows(json: Data, of name: String) throws -> [ArmRow] {
    let object = try? JSONSerialization.jsonObject(with: json) as? [String: Any]
    guard let object, let suite = (object["suite"] as? String).flatMap(BenchSuite.init(rawValue:)),
      let rows = object["rows"] as? [[String: Any]], !rows.isEmpty
    else { throw BenchError("\(name) printed no benchmark report") }
    return try rows.map { row in
      guard let mode = row["mode"] as? String, let size = row[suite.sizeName] as? Int,
        let samples = row["samples"] as? [NSNumber], let least = samples.map(\.doubleValue).min(), least > 0
      else { throw BenchError("\(name): a row of the \(suite) report lacks its mode, size or samples") }
      return ArmRow(
        key: RowKey(mode: mode, size: size), nanoseconds: least, digest: row["hash"] as? String,
        counts: row["counts"] as? [String: Int] ?? [:])
    }
  }
}

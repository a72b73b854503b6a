package import Foundation

/// What the suites counted on their fixed workloads, committed beside the code.
package struct CountBaseline: Codable, Hashable, Sendable {
  package struct Row: Codable, Hashable, Sendable {
    package var mode: String
    package var size: Int
    /// Of the results; nil where the suite makes no digest.
    package var digest: String?
    package var counts: [String: Int]

    package init(mode: String, size: Int, digest: String? = nil, counts: [String: Int]) {
      self.mode = mode
      self.size = size
      self.digest = digest
      self.counts = counts
    }
  }

  /// By name of the suite.
  package var suites: [String: [Row]]

  package init(suites: [String: [Row]]) {
    self.suites = suites
  }

  /// Takes the counts out of reports.
  package init(_ reports: [BenchReport]) {
    suites = [:]
    for report in reports {
      suites[report.suite] = report.rows.map { row in
        Row(
          mode: row.mode, size: row.size, digest: row.hash.map(hexadecimal),
          counts: Dictionary(uniqueKeysWithValues: row.counts.map { ($0.name, $0.value) }))
      }
    }
  }

  package init(json: Data) throws {
    self = try JSONDecoder().decode(CountBaseline.self, from: json)
  }

  /// Sorted keys, so that a change of the file is a change of counts.
  package func json() throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return try encoder.encode(self) + Data("\n".utf8)
  }
}

package import Foundation
import TextFormats

/// The CI gate: compares exact counts with a committed baseline. It reads no clock.
package struct RegressionGate: Sendable {
  /// The counts that differ from the baseline, in the order of suites, rows and names.
  package var changes: [CountChange] = []
  /// The reasons that some counts cannot be compared: missing rows or suites, or different results.
  package var problems: [String] = []
  /// The number of compared counts.
  package var compared = 0

  package init(_ now: CountBaseline, against baseline: CountBaseline) {
    for suite in Set(now.suites.keys).union(baseline.suites.keys).sorted() {
      compare(suite, now.suites[suite] ?? [], baseline.suites[suite] ?? [])
    }
  }

  /// The suites with exact counts.
  private static let suites: [BenchSuite] = [
    .matching, .caps, .kernel, .regions, .readers, .time, .load, .population, .replay,
  ]

  /// Runs one round of each fixed workload.
  package static func reports() throws -> [BenchReport] {
    try suites.map { suite in
      var options = suite.fixedWorkload
      options.rounds = 1
      return try suite.run(options)
    }
  }

  /// The overall verdict: a regression if any count regressed, or otherwise inconclusive if counts cannot be
  /// compared.
  package var verdict: Verdict {
    let verdicts = changes.map(\.verdict)
    if verdicts.contains(.regression) { return .regression }
    if !problems.isEmpty || verdicts.contains(.inconclusive) { return .inconclusive }
    return verdicts.contains(.improvement) ? .improvement : .noChange
  }

  /// Returns one line for each change and problem, followed by a summary.
  ///
  /// - Parameter command: The shell command that records a new baseline.
  package func text(toUpdate command: String) -> String {
    var lines = changes.map { "\($0.verdict.rawValue): \($0.description)" }
    lines += problems.map { "not comparable: \($0)" }
    lines.append(
      "gate: \(verdict.rawValue); \(compared) counts compared, \(changes.count) differ, limit "
        + "+\(CountChange.limit) %")
    if verdict == .improvement || verdict == .inconclusive {
      lines.append("to make these counts the new baseline, run: \(command)")
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private mutating func compare(_ suite: String, _ now: [CountBaseline.Row], _ then: [CountBaseline.Row]) {
    for old in then {
      let name = "\(suite) \(old.mode) \(old.size)"
      guard let new = now.first(where: { $0.mode == old.mode && $0.size == old.size }) else {
        problems.append("\(name) is only in the baseline")
        continue
      }
      if new.digest != old.digest { problems.append("\(name) has other results than the baseline") }
      changes += CountChange.changes(name, from: old.counts, to: new.counts)
      compared += Set(new.counts.keys).intersection(old.counts.keys).count
    }
    for new in now where !then.contains(where: { $0.mode == new.mode && $0.size == new.size }) {
      problems.append("\(suite) \(new.mode) \(new.size) is not in the baseline")
    }
  }
}

/// The counts of the suites on their fixed workloads. They are committed to the repository.
package struct CountBaseline: Codable, Hashable, Sendable {
  package struct Row: Codable, Hashable, Sendable {
    package var mode: String
    package var size: Int
    /// The digest of the results, or `nil` if the suite has none.
    package var digest: String?
    package var counts: [String: Int]
  }

  /// The rows of each suite, by the suite's name.
  package var suites: [String: [Row]]
}

extension CountBaseline {
  /// Creates a baseline from reports.
  package init(_ reports: [BenchReport]) {
    suites = [:]
    for report in reports {
      suites[report.suite] = report.rows.map { row in
        Row(
          mode: row.mode, size: row.size, digest: row.hash?.hexadecimal,
          counts: Dictionary(uniqueKeysWithValues: row.counts.map { ($0.name, $0.value) }))
      }
    }
  }

  package init(json: Data) throws {
    self = try JSONDecoder().decode(CountBaseline.self, from: json)
  }

  /// Returns the baseline as JSON. Its keys are sorted, so that equal counts give an equal file.
  package func json() throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return try encoder.encode(self) + Data("\n".utf8)
  }
}

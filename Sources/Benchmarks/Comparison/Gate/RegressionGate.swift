/// The gate of a CI run: exact counts against a committed baseline. No clock has a say in it.
package struct RegressionGate: Sendable {
  /// Counts that differ from the baseline's, in the order of suites, rows and names.
  package var changes: [CountChange] = []
  /// Why counts cannot be compared: rows or suites of one side only, other results.
  package var problems: [String] = []
  /// How many counts were compared.
  package var compared = 0

  package init(_ now: CountBaseline, against baseline: CountBaseline) {
    for suite in Set(now.suites.keys).union(baseline.suites.keys).sorted() {
      compare(suite, now.suites[suite] ?? [], baseline.suites[suite] ?? [])
    }
  }

  /// The suites that count their work.
  private static let suites: [BenchSuite] = [
    .matching, .caps, .kernel, .regions, .readers, .time, .load, .population, .replay,
  ]

  /// Runs their fixed workloads, one round each.
  package static func reports() throws -> [BenchReport] {
    try suites.map { suite in
      var options = suite.fixedWorkload
      options.rounds = 1
      return try suite.run(options)
    }
  }

  /// A regression wherever there is one; inconclusive where something could not be compared.
  package var verdict: Verdict {
    let verdicts = changes.map(\.verdict)
    if verdicts.contains(.regression) { return .regression }
    if !problems.isEmpty || verdicts.contains(.inconclusive) { return .inconclusive }
    return verdicts.contains(.improvement) ? .improvement : .noChange
  }

  /// A line for each change and problem, and one to sum up.
  ///
  /// - Parameter command: Makes the counts of now the baseline.
  package func text(toUpdate command: String) -> String {
    var lines = changes.map { "\($0.verdict.rawValue): \($0.description)" }
    lines += problems.map { "cannot be compared: \($0)" }
    lines.append(
      "gate: \(verdict.rawValue); \(compared) counts compared, \(changes.count) differ, the limit is "
        + "+\(CountChange.limit) %")
    if verdict == .improvement || verdict == .inconclusive {
      lines.append("make these the new baseline with: \(command)")
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private mutating func compare(_ suite: String, _ now: [CountBaseline.Row], _ then: [CountBaseline.Row]) {
    for old in then {
      let name = "\(suite) \(old.mode) \(old.size)"
      guard let new = now.first(where: { $0.mode == old.mode && $0.size == old.size }) else {
        problems.append("\(name) is in the baseline only")
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

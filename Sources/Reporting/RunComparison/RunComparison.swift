/// Two runs held against each other: whose notifications changed fate, and what that does to the figures.
///
/// ```swift
/// let comparison = try RunComparison(RunReader.read("reports/main"), RunReader.read("reports/branch"))
/// print(ComparisonText(comparison, names: ("main", "branch")).text)
/// ```
package struct RunComparison: Hashable, Sendable {
  package enum Problem: Error, Hashable, Sendable, CustomStringConvertible {
    case differentSources
    case nothingInCommon

    package var description: String {
      switch self {
      case .differentSources:
        "one is a journal and the other a report; name two journals, which say why, or two reports"
      case .nothingInCommon: "the two runs have no scenario in common"
      }
    }
  }

  package let source: RecordedRun.Source
  /// Those of both runs, in the order of the first.
  package private(set) var scenarios: [ScenarioComparison] = []
  /// Files of scenarios that only one of the runs has.
  package private(set) var onlyInFirst: [String] = []
  package private(set) var onlyInSecond: [String] = []

  /// Scenarios belong together by the name of their file; two runs of one scenario each, in any case.
  ///
  /// - Complexity: O(n) in the decisions of both
  package init(_ first: RecordedRun, _ second: RecordedRun) throws(Problem) {
    guard first.source == second.source else { throw .differentSources }
    source = first.source
    if first.scenarios.count == 1, second.scenarios.count == 1 {
      scenarios = [ScenarioComparison(first.scenarios[0], second.scenarios[0], from: source)]
      return
    }
    var others: [String: RecordedScenario] = [:]
    for scenario in second.scenarios { others[scenario.file] = scenario }
    for scenario in first.scenarios {
      if let other = others.removeValue(forKey: scenario.file) {
        scenarios.append(ScenarioComparison(scenario, other, from: source))
      } else {
        onlyInFirst.append(scenario.file)
      }
    }
    onlyInSecond = second.scenarios.map(\.file).filter { others[$0] != nil }
    if scenarios.isEmpty { throw .nothingInCommon }
  }

  /// Whether nothing at all differs that both runs tell of.
  package var isSame: Bool {
    onlyInFirst.isEmpty && onlyInSecond.isEmpty && scenarios.allSatisfy(\.isSame)
  }

  package func count(_ kind: DecisionChange.Kind) -> Int {
    scenarios.reduce(0) { $0 + $1.changes.count { $0.kind == kind } }
  }

  /// The metrics of all scenarios together, in the order in which they first appear.
  package var totals: [MetricChange] {
    var names: [String] = []
    var sums: [String: MetricChange] = [:]
    for change in scenarios.flatMap(\.metrics) {
      if sums[change.name] == nil {
        names.append(change.name)
        sums[change.name] = change
      } else {
        sums[change.name]?.add(change)
      }
    }
    return names.compactMap { sums[$0] }
  }
}

/// A metric in both runs.
package struct MetricChange: Hashable, Sendable {
  package var name: String
  package var first: RecordedMetric
  package var second: RecordedMetric

  package var isSame: Bool { first == second }

  mutating func add(_ other: MetricChange) {
    first.add(other.first)
    second.add(other.second)
  }
}

extension RecordedMetric {
  fileprivate mutating func add(_ other: RecordedMetric) {
    numerator += other.numerator
    if let more = other.denominator { denominator = (denominator ?? 0) + more }
  }
}

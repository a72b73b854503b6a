package import TextFormats

/// A comparison for programs.
package struct ComparisonJSON {
  let comparison: RunComparison

  package init(_ comparison: RunComparison) {
    self.comparison = comparison
  }

  package var document: JSONValue {
    [
      "format": "triggerbench-comparison", "version": 1, "source": .string(comparison.source.rawValue),
      "verdict": comparison.isSame ? "same" : "different",
      "counts": .object(
        DecisionChange.Kind.allCases.map { .init($0.rawValue, .integer(comparison.count($0))) }),
      "metrics": .array(comparison.totals.map(metric)),
      "onlyInFirst": .array(comparison.onlyInFirst.map(JSONValue.string)),
      "onlyInSecond": .array(comparison.onlyInSecond.map(JSONValue.string)),
      "scenarios": .array(comparison.scenarios.filter { !$0.isSame }.map(scenario)),
    ]
  }

  private func scenario(_ scenario: ScenarioComparison) -> JSONValue {
    [
      "file": .string(scenario.file), "title": .string(scenario.title),
      "settings": .array(scenario.settings.map(JSONValue.string)),
      "decisions": .array(scenario.changes.map(decision)), "metrics": .array(scenario.metrics.map(metric)),
      "losses": .array(
        scenario.losses.map {
          [
            "reminder": .string($0.reminder), "reason": .string($0.reason), "first": .integer($0.first),
            "second": .integer($0.second),
          ]
        }),
      "verdicts": .array(
        scenario.verdicts.map {
          var members = [JSONValue.Member("claim", .string($0.claim))]
          if let first = $0.first { members.append(.init("first", .string(first))) }
          if let second = $0.second { members.append(.init("second", .string(second))) }
          return .object(members)
        }),
    ]
  }

  private func decision(_ change: DecisionChange) -> JSONValue {
    var members: [JSONValue.Member] = [
      .init("change", .string(change.kind.rawValue)), .init("reminder", .string(change.occasion.reminder)),
    ]
    if !change.occasion.device.isEmpty { members.append(.init("device", .string(change.occasion.device))) }
    members += [
      .init("for", .string(change.occasion.time)), .init("first", fate(change.first)),
      .init("second", fate(change.second)),
    ]
    if let move = change.move {
      members += [.init("before", fate(move.before)), .init("after", fate(move.after))]
    }
    return .object(members)
  }

  private func fate(_ fate: Fate) -> JSONValue {
    var members = [JSONValue.Member("what", .string(fate.words))]
    if let shown = fate.shownAt { members.append(.init("shownAt", .string(shown))) }
    if let reason = fate.reason { members.append(.init("reason", .string(reason))) }
    return .object(members)
  }

  private func metric(_ change: MetricChange) -> JSONValue {
    func value(_ metric: RecordedMetric) -> JSONValue {
      var members = [JSONValue.Member("numerator", .integer(metric.numerator))]
      if let denominator = metric.denominator { members.append(.init("denominator", .integer(denominator))) }
      return .object(members)
    }
    return ["name": .string(change.name), "first": value(change.first), "second": value(change.second)]
  }
}

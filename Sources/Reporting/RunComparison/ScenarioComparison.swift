import TriggerModel

/// One scenario in two runs.
package struct ScenarioComparison: Hashable, Sendable {
  package var file: String
  package var title: String
  /// Profile and seed of each.
  package var settings: [String]
  /// In the order of time.
  package private(set) var changes: [DecisionChange] = []
  package private(set) var metrics: [MetricChange] = []
  package private(set) var losses: [LossChange] = []
  package private(set) var verdicts: [VerdictChange] = []

  package init(_ first: RecordedScenario, _ second: RecordedScenario, from source: RecordedRun.Source) {
    file = first.file
    title = first.title
    settings = [first, second].map { "\($0.profile), seed \($0.seed)" }
    changes = Self.pairMoved(Self.changes(first, second, of: source))
    changes.sort { Self.order($0).lexicographicallyPrecedes(Self.order($1)) }
    let other = Dictionary(second.metrics.map { ($0.name, $0) }, uniquingKeysWith: { a, _ in a })
    metrics = first.metrics.compactMap { metric in
      other[metric.name].map { MetricChange(name: metric.name, first: metric, second: $0) }
    }
    losses = Self.losses(first.losses, second.losses)
    verdicts = Self.verdicts(first.verdicts, second.verdicts)
  }

  package var isSame: Bool {
    changes.isEmpty && metrics.allSatisfy(\.isSame) && losses.isEmpty && verdicts.isEmpty
  }

  private static func order(_ change: DecisionChange) -> [String] {
    let occasion = change.occasion
    return [
      change.askedAt, occasion.reminder, occasion.device, occasion.time, change.kind.rawValue,
      "\(occasion.person)", "\(occasion.repetition)",
    ]
  }

  // MARK: Decisions

  private static func changes(
    _ first: RecordedScenario, _ second: RecordedScenario, of source: RecordedRun.Source
  ) -> [DecisionChange] {
    let others = Dictionary(second.decisions.map { ($0.occasion, $0) }, uniquingKeysWith: { a, _ in a })
    let own = Set(first.decisions.map(\.occasion))
    let unstopped = Silence.unstopped([first, second])
    let (firstSilence, secondSilence) = (
      Silence(first, source, unstopped), Silence(second, source, unstopped)
    )
    var changes: [DecisionChange] = []
    for decision in first.decisions {
      let other =
        others[decision.occasion]?.fate
        ?? secondSilence.fate(of: decision.occasion, asked: decision.askedAt)
      if other == decision.fate { continue }
      changes.append(
        DecisionChange(
          kind: kind(decision.fate, other), occasion: decision.occasion, first: decision.fate, second: other,
          askedAt: decision.askedAt))
    }
    for decision in second.decisions where !own.contains(decision.occasion) {
      let other = firstSilence.fate(of: decision.occasion, asked: decision.askedAt)
      if other == decision.fate { continue }
      changes.append(
        DecisionChange(
          kind: kind(other, decision.fate), occasion: decision.occasion, first: other, second: decision.fate,
          askedAt: decision.askedAt))
    }
    return changes
  }

  private static func kind(_ first: Fate, _ second: Fate) -> DecisionChange.Kind {
    switch (first.shownAt, second.shownAt) {
    case (nil, nil): .otherwise
    case (nil, _): .gained
    case (_, nil): .lost
    case (let first, let second): first == second ? .otherwise : .moved
    }
  }

  /// What a reminder loses on a date on which it gains another has moved: "once a day, at the first unlock that
  /// may" fires earlier when a rule is relaxed, and then not at the time at which it fired before.
  private static func pairMoved(_ changes: [DecisionChange]) -> [DecisionChange] {
    struct Day: Hashable {
      var reminder: String
      var device: String
      var person: Int
      var date: Substring
    }
    func day(_ change: DecisionChange, _ shownAt: String) -> Day {
      Day(
        reminder: change.occasion.reminder, device: change.occasion.device, person: change.occasion.person,
        date: shownAt.prefix(10))
    }
    var gained: [Day: [Int]] = [:]
    for (index, change) in changes.enumerated() where change.kind == .gained {
      gained[day(change, change.second.shownAt ?? ""), default: []].append(index)
    }
    var result: [DecisionChange] = []
    var paired: Set<Int> = []
    for change in changes where change.kind == .lost {
      let day = day(change, change.first.shownAt ?? "")
      guard let partner = gained[day]?.first else {
        result.append(change)
        continue
      }
      gained[day]?.removeFirst()
      paired.insert(partner)
      var moved = change
      moved.kind = .moved
      moved.second = changes[partner].second
      moved.move = DecisionChange.Move(before: changes[partner].first, after: change.second)
      result.append(moved)
    }
    for (index, change) in changes.enumerated() where change.kind != .lost && !paired.contains(index) {
      result.append(change)
    }
    return result
  }

  // MARK: Counts and verdicts

  private static func losses(_ first: [RecordedLoss], _ second: [RecordedLoss]) -> [LossChange] {
    struct Key: Hashable {
      var reminder: String
      var reason: String
    }
    var order: [Key] = []
    var counts: [Key: (Int, Int)] = [:]
    func add(_ loss: RecordedLoss, _ path: WritableKeyPath<(Int, Int), Int>) {
      let key = Key(reminder: loss.reminder, reason: loss.reason)
      if counts[key] == nil { order.append(key) }
      counts[key, default: (0, 0)][keyPath: path] += loss.count
    }
    for loss in first { add(loss, \.0) }
    for loss in second { add(loss, \.1) }
    return order.compactMap { key in
      guard let (first, second) = counts[key], first != second else { return nil }
      return LossChange(reminder: key.reminder, reason: key.reason, first: first, second: second)
    }
  }

  private static func verdicts(
    _ first: [RecordedVerdict], _ second: [RecordedVerdict]
  ) -> [VerdictChange] {
    func table(_ verdicts: [RecordedVerdict]) -> [String: String] {
      Dictionary(verdicts.map { ($0.claim, $0.verdict) }, uniquingKeysWith: { a, _ in a })
    }
    let (before, after) = (table(first), table(second))
    return (first + second).map(\.claim).distinct.compactMap { claim in
      let (old, new) = (before[claim], after[claim])
      return old == new ? nil : VerdictChange(claim: claim, first: old, second: new)
    }
  }
}

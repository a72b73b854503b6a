import CivilTime
import TriggerModel

/// A decision that turned out otherwise.
package struct DecisionChange: Hashable, Sendable {
  package struct Move: Hashable, Sendable {
    /// In the first run.
    package var before: Fate
    /// In the second run.
    package var after: Fate
  }

  package enum Kind: String, Hashable, Sendable, CaseIterable {
    /// It fires in the second run only.
    case gained
    /// It fires in the first run only.
    case lost
    /// It fires in both, at another time.
    case moved
    /// It fires in neither, or is shown otherwise.
    case otherwise
  }

  package var kind: Kind
  /// The occasion; of what moved, the one of the first run.
  package var occasion: RecordedDecision.Occasion
  package var first: Fate
  package var second: Fate
  /// Of what moved from one occasion to another: what became of the later run's occasion in the first run, and of
  /// the first run's in the second.
  package var move: Move?
  /// When it was asked for first, in UTC.
  package var askedAt: String
}

/// A count of losses in both runs.
package struct LossChange: Hashable, Sendable {
  package var reminder: String
  package var reason: String
  package var first: Int
  package var second: Int
}

/// An expectation or a gate whose verdict is another one; nil: the run has no such claim.
package struct VerdictChange: Hashable, Sendable {
  package var claim: String
  package var first: String?
  package var second: String?
}

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

/// What a run says of occasions for which it asked for nothing.
private struct Silence {
  struct Reminder: Hashable {
    var name: String
    var device: String
    var person: Int
  }

  private let source: RecordedRun.Source
  private let declined: [RecordedDecision.Occasion: String]
  /// By reminder: when it was asked for, and when it was shown, in the order of the asking.
  private var shown: [Reminder: [(asked: String, shownAt: String)]] = [:]
  private let unstopped: [Reminder: Int]

  init(_ scenario: RecordedScenario, _ source: RecordedRun.Source, _ unstopped: [Reminder: Int]) {
    self.source = source
    self.unstopped = unstopped
    declined = scenario.declined
    for decision in scenario.decisions {
      guard let shownAt = decision.fate.shownAt else { continue }
      shown[Self.reminder(decision.occasion), default: []].append((decision.askedAt, shownAt))
    }
  }

  /// How many days behind a fire some reminders were asked for again, at the least: what fired so long ago, or longer,
  /// is not why they are not asked for.
  static func unstopped(_ scenarios: [RecordedScenario]) -> [Reminder: Int] {
    var least: [Reminder: Int] = [:]
    for scenario in scenarios {
      var last: [Reminder: String] = [:]
      for decision in scenario.decisions {
        let reminder = reminder(decision.occasion)
        if let shownAt = last[reminder], let days = days(from: shownAt, to: decision.occasion.time) {
          least[reminder] = min(least[reminder] ?? .max, days)
        }
        if let shownAt = decision.fate.shownAt { last[reminder] = shownAt }
      }
    }
    return least
  }

  /// What became of an occasion that was asked for at an instant in another run.
  func fate(of occasion: RecordedDecision.Occasion, asked: String) -> Fate {
    guard source == .journal else { return Fate(words: "does not fire") }
    var first = occasion
    first.repetition = 0
    if let words = declined[first] { return Fate(words: words) }
    let reminder = Self.reminder(occasion)
    guard let before = shown[reminder]?.last(where: { $0.asked <= asked }),
      let days = Self.days(from: before.shownAt, to: occasion.time), days < unstopped[reminder] ?? .max
    else { return Fate(words: "nobody asks for it") }
    return Fate(words: "nobody asks for it, after it fired at \(ComparisonText.local(before.shownAt))")
  }

  /// From one date to another; nil where the second time is not behind the first one.
  private static func days(from first: String, to second: String) -> Int? {
    guard first.prefix(19) < second.prefix(19), let from = try? CivilDate(iso8601: first.prefix(10)),
      let to = try? CivilDate(iso8601: second.prefix(10))
    else { return nil }
    return to - from
  }

  private static func reminder(_ occasion: RecordedDecision.Occasion) -> Reminder {
    Reminder(name: occasion.reminder, device: occasion.device, person: occasion.person)
  }
}

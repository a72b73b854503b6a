import CivilTime
import TriggerModel

/// The differences between two runs: notifications with different outcomes, and changed metrics.
package struct RunComparison: Hashable, Sendable {
  package enum Problem: Error, Hashable, Sendable, CustomStringConvertible {
    case differentSources
    case nothingInCommon

    package var description: String {
      switch self {
      case .differentSources:
        "one is a journal and the other a report; name two journals, which have reasons, or two reports"
      case .nothingInCommon: "the two runs have no scenario in common"
      }
    }
  }

  package let source: RecordedRun.Source
  /// The scenarios that both runs have, in the order of the first run.
  package private(set) var scenarios: [ScenarioComparison] = []
  /// The files of the scenarios that only one of the runs has.
  package private(set) var onlyInFirst: [String] = []
  package private(set) var onlyInSecond: [String] = []

  /// Compares scenarios with the same file name. If each run has a single scenario, compares the two whatever
  /// their names.
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

  /// Whether the two runs are equal.
  package var isSame: Bool {
    onlyInFirst.isEmpty && onlyInSecond.isEmpty && scenarios.allSatisfy(\.isSame)
  }

  package func count(_ kind: DecisionChange.Kind) -> Int {
    scenarios.reduce(0) { $0 + $1.changes.count { $0.kind == kind } }
  }

  /// The sums of the metrics over all scenarios, in the order in which they first appear.
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

/// The differences of one scenario between two runs.
package struct ScenarioComparison: Hashable, Sendable {
  package var file: String
  package var title: String
  /// The profile and the seed of each run, as text.
  package var settings: [String]
  /// The changed decisions in chronological order.
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
    let pauses = UnrequestedOccasions.shortestPauses([first, second])
    let (firstUnrequested, secondUnrequested) = (
      UnrequestedOccasions(first, source, pauses), UnrequestedOccasions(second, source, pauses)
    )
    var changes: [DecisionChange] = []
    for decision in first.decisions {
      let other =
        others[decision.occasion]?.fate
        ?? secondUnrequested.fate(of: decision.occasion, asked: decision.askedAt)
      if other == decision.fate { continue }
      changes.append(DecisionChange(decision, first: decision.fate, second: other))
    }
    for decision in second.decisions where !own.contains(decision.occasion) {
      let other = firstUnrequested.fate(of: decision.occasion, asked: decision.askedAt)
      if other == decision.fate { continue }
      changes.append(DecisionChange(decision, first: other, second: decision.fate))
    }
    return changes
  }

  /// Combines a lost and a gained notification of the same reminder and date into a moved one.
  ///
  /// For example, a relaxed rule may admit a daily reminder at an earlier unlock. It then does not fire at
  /// the later one.
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

      init(_ loss: RecordedLoss) { (reminder, reason) = (loss.reminder, loss.reason) }
    }
    func sums(_ losses: [RecordedLoss]) -> [Key: Int] {
      losses.reduce(into: [:]) { $0[Key($1), default: 0] += $1.count }
    }
    let (before, after) = (sums(first), sums(second))
    return (first + second).map(Key.init).distinct.compactMap { key in
      let (old, new) = (before[key, default: 0], after[key, default: 0])
      return old == new
        ? nil : LossChange(reminder: key.reminder, reason: key.reason, first: old, second: new)
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

/// A decision whose outcome differs between the two runs.
package struct DecisionChange: Hashable, Sendable {
  package struct Move: Hashable, Sendable {
    /// The outcome in the first run of the occasion at which the second run fires.
    package var before: Fate
    /// The outcome in the second run of the occasion at which the first run fires.
    package var after: Fate
  }

  package enum Kind: String, Hashable, Sendable, CaseIterable {
    /// The notification fires only in the second run.
    case gained
    /// The notification fires only in the first run.
    case lost
    /// The notification fires in both runs, at different times.
    case moved
    /// The outcomes differ, but the notification fires in neither run, or in both at the same time.
    case otherwise
  }

  package var kind: Kind
  /// The occasion of the request. For a moved notification, the occasion in the first run.
  package var occasion: RecordedDecision.Occasion
  package var first: Fate
  package var second: Fate
  /// For a moved notification, each run's outcome of the occasion at which the other run fires. Otherwise
  /// `nil`.
  package var move: Move?
  /// The time at which the engine made the request, in UTC.
  package var askedAt: String

  init(_ decision: RecordedDecision, first: Fate, second: Fate) {
    kind =
      switch (first.shownAt, second.shownAt) {
      case (nil, nil): .otherwise
      case (nil, _): .gained
      case (_, nil): .lost
      case (let first, let second): first == second ? .otherwise : .moved
      }
    occasion = decision.occasion
    askedAt = decision.askedAt
    self.first = first
    self.second = second
  }
}

/// The number of losses for one reason in each run.
package struct LossChange: Hashable, Sendable {
  package var reminder: String
  package var reason: String
  package var first: Int
  package var second: Int
}

/// An expectation or a gate whose verdict differs. A verdict is `nil` if its run does not have the claim.
package struct VerdictChange: Hashable, Sendable {
  package var claim: String
  package var first: String?
  package var second: String?
}

/// Determines the outcomes of occasions without a request in one of the runs.
private struct UnrequestedOccasions {
  struct Reminder: Hashable {
    var name: String
    var device: String
    var person: Int
  }

  private let source: RecordedRun.Source
  private let declined: [RecordedDecision.Occasion: String]
  /// For each reminder, the times of request and exposure of its exposed notifications, in the order of the
  /// requests.
  private var shown: [Reminder: [(asked: String, shownAt: String)]] = [:]
  private let shortestPauses: [Reminder: Int]

  init(_ scenario: RecordedScenario, _ source: RecordedRun.Source, _ shortestPauses: [Reminder: Int]) {
    self.source = source
    self.shortestPauses = shortestPauses
    declined = scenario.declined
    for decision in scenario.decisions {
      guard let shownAt = decision.fate.shownAt else { continue }
      shown[Self.reminder(decision.occasion), default: []].append((decision.askedAt, shownAt))
    }
  }

  /// Returns, for each reminder, the smallest number of days between an exposure and the next request.
  ///
  /// An exposure that was at least this many days ago does not explain a missing request.
  static func shortestPauses(_ scenarios: [RecordedScenario]) -> [Reminder: Int] {
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

  /// Returns the outcome of an occasion at which only the other run made a request.
  func fate(of occasion: RecordedDecision.Occasion, asked: String) -> Fate {
    guard source == .journal else { return Fate(words: "does not fire") }
    var first = occasion
    first.repetition = 0
    if let words = declined[first] { return Fate(words: words) }
    let reminder = Self.reminder(occasion)
    guard let before = shown[reminder]?.last(where: { $0.asked <= asked }),
      let days = Self.days(from: before.shownAt, to: occasion.time), days < shortestPauses[reminder] ?? .max
    else { return Fate(words: "is not requested") }
    return Fate(words: "is not requested after it fired at \(ComparisonText.local(before.shownAt))")
  }

  /// Returns the number of days between two times, or `nil` if the second time is not later than the first.
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

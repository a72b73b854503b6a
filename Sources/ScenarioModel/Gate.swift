package import TextFormats
package import TriggerModel

/// A goal of the product: a figure with a target, and a kill criterion at which the feature is abandoned.
///
/// An expectation states what one scenario must do. A gate judges a goal of the product, as far as the counts
/// allow.
package struct Gate: Hashable, Sendable {
  /// The name in expectations and reports: the words of the measure, unless the author declares another.
  package var name: String
  package var measure: Measure
  /// The measure in the words of the short form: `tapThrough of trainingDay`.
  package var words: String
  package var target: Bound
  /// The kill criterion, or `nil` if the gate is never killed.
  package var kill: KillCriterion?
  /// Published figures for comparison, which do not affect the verdict.
  package var benchmarks: [Benchmark]
  package var position: SourcePosition

  package init(
    name: String, measure: Measure, words: String, target: Bound, kill: KillCriterion? = nil,
    benchmarks: [Benchmark], position: SourcePosition
  ) {
    self.name = name
    self.measure = measure
    self.words = words
    self.target = target
    self.kill = kill
    self.benchmarks = benchmarks
    self.position = position
  }

  /// The criterion of a gate's failure: `< 5 % after 30 days`.
  package struct KillCriterion: Hashable, Sendable {
    package var bound: Bound
    /// The time that must be observed before the gate can be killed.
    package var after: TimeSpan

    package init(bound: Bound, after: TimeSpan) {
      self.bound = bound
      self.after = after
    }

    /// `< 5 % after 30 days`
    package var text: String { bound.text + (after > .zero ? " after \(after.inWords)" : "") }
  }

  /// The target and the kill criterion in the words of the short form: `>= 25 %, kill < 5 % after 30 days`.
  package var bounds: String {
    target.text + (kill.map { ", kill \($0.text)" } ?? "")
  }
}

/// The figure that a gate judges.
package enum Measure: Hashable, Sendable {
  /// A ratio of two counts: a metric for which ``Metric/isShare`` is true.
  case share(Metric, of: ReminderGroup?)
  /// Persons whose goal became true within the span after the first exposed notification ÷ persons who were
  /// exposed to one while the goal was not true, and were observed for the whole span. The goal is a fact
  /// with a truth value.
  case conversion(of: ReminderGroup, goal: FactID, within: TimeSpan)
  /// The increase of a number's mean at the end of a local day, from days without such a notification to days
  /// with one.
  case lift(FactID, by: ReminderGroup)
  /// Weeks in which the app was opened ÷ the same without openings that follow such a notification within
  /// ``Measure/attributionWindow``, minus one.
  case weeklyActive(of: ReminderGroup?)

  /// How long after a notification an opening of the app is attributed to it. This is an assumption, not a
  /// finding.
  package static let attributionWindow = TimeSpan.hours(1)
}

/// The reminders with notifications of a type, or else the reminder with a name.
package struct ReminderGroup: Hashable, Sendable {
  package var name: String
  package var reminders: [ReminderID]

  package init(name: String, reminders: [ReminderID]) {
    self.name = name
    self.reminders = reminders
  }
}

/// One side of a number.
package struct Bound: Hashable, Sendable {
  package enum Side: String, Hashable, Sendable, CaseIterable {
    // In the order of parsing: the longer ones first.
    case atLeast = ">="
    case atMost = "<="
    case above = ">"
    case below = "<"

    package var isUpwards: Bool { self == .atLeast || self == .above }
  }

  package var side: Side
  package var millionths: Int64

  package init(side: Side, millionths: Int64) {
    self.side = side
    self.millionths = millionths
  }

  package func contains(_ value: Int64) -> Bool {
    switch side {
    case .atLeast: value >= millionths
    case .atMost: value <= millionths
    case .above: value > millionths
    case .below: value < millionths
    }
  }

  /// Returns whether some number meets both bounds.
  package func overlaps(_ other: Bound) -> Bool {
    if side.isUpwards == other.side.isUpwards { return true }
    let (low, high) = side.isUpwards ? (self, other) : (other, self)
    if low.side == .atLeast, high.side == .atMost { return low.millionths <= high.millionths }
    return low.millionths < high.millionths
  }

  /// `>= 25 %`
  package var text: String { "\(side.rawValue) \(Decimal.text(millionths, decimals: 4)) %" }
}

/// A published figure for comparison.
package struct Benchmark: Hashable, Sendable {
  package var millionths: Int64
  /// The subject of the figure, or an empty string if it is obvious.
  package var subject: String
  package var source: String

  package init(millionths: Int64, subject: String, source: String) {
    self.millionths = millionths
    self.subject = subject
    self.source = source
  }

  /// `14.4 % contextual`
  package var text: String {
    "\(Decimal.text(millionths, decimals: 4)) %" + (subject.isEmpty ? "" : " " + subject)
  }

  /// Returns the published figures for a measure. Open rates are of push notifications other than messages
  /// between persons.
  package static func published(for measure: Measure) -> [Benchmark] {
    switch measure {
    case .share(.tapThrough, _): [batch(144_000, "contextual"), batch(41_900, "generic")]
    case .share(.optIn, _): [batch(560_000, "iOS"), batch(670_000, "Android")]
    default: []
    }
  }

  /// 700 billion notifications, July 2024 to July 2025.
  private static func batch(_ millionths: Int64, _ subject: String) -> Benchmark {
    Benchmark(
      millionths: millionths, subject: subject,
      source: "Batch 2025, batch.com/blog/case-studies/benchmark-notifications-push-crm-mobile")
  }
}

/// The conclusion that a gate's figure allows.
package enum GateVerdict: String, Hashable, Sendable, CaseIterable {
  case pass, kill, inconclusive
}

extension TimeSpan {
  /// The span in the largest unit that gives an integer: `30 days`, `1 day`, `36 h`, `90 min` or `5 s`.
  package var inWords: String {
    let units: [(Int64, String, String)] = [
      (86_400_000, "day", "days"), (3_600_000, "h", "h"), (60_000, "min", "min"), (1_000, "s", "s"),
    ]
    for (unit, one, many) in units where milliseconds != 0 && milliseconds % unit == 0 {
      let number = milliseconds / unit
      return "\(number) \(number == 1 ? one : many)"
    }
    return "\(milliseconds) ms"
  }
}

extension [Benchmark] {
  /// Returns where a target stands among the figures ("above every benchmark") and each figure with its
  /// source, or `nil` if there are no figures.
  ///
  /// - Parameters:
  ///   - target: The target in millionths.
  ///   - noun: The word for one figure.
  package func standing(
    of target: Int64, among noun: String = "benchmark"
  ) -> (place: String, figures: String)? {
    let values = map(\.millionths)
    guard let lowest = values.min(), let highest = values.max() else { return nil }
    let place =
      target > highest
      ? "above every \(noun)" : target < lowest ? "below every \(noun)" : "among the \(noun)s"
    // Name each source once.
    let sources = map(\.source).reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
    let figures = sources.map { source in
      let texts = filter { $0.source == source }.map(\.text)
      return "\(texts.joined(separator: ", ")) (\(source))"
    }
    return (place, figures.joined(separator: "; "))
  }
}

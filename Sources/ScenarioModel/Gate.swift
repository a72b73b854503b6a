package import TextFormats
package import TriggerModel

/// A product goal: a metric with a target, and optionally a kill criterion, at which the feature is
/// abandoned.
///
/// An expectation states what must happen in one scenario. A gate judges a metric, and is inconclusive if the
/// counts are too small.
package struct Gate: Hashable, Sendable {
  /// The name in expectations and reports. By default, it is the wording of the measure.
  package var name: String
  package var measure: Measure
  /// The wording of the measure in the short form, such as `tapThrough of trainingDay`.
  package var words: String
  package var target: Bound
  /// The kill criterion, or `nil` if there is none.
  package var kill: KillCriterion?
  /// Published figures for comparison. They do not affect the verdict.
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

  /// The criterion that kills a gate, such as `< 5 % after 30 days`.
  package struct KillCriterion: Hashable, Sendable {
    package var bound: Bound
    /// The minimum observed time before the criterion applies.
    package var after: TimeSpan

    package init(bound: Bound, after: TimeSpan) {
      self.bound = bound
      self.after = after
    }

    /// The criterion in the short form, such as `< 5 % after 30 days`.
    package var text: String { bound.text + (after > .zero ? " after \(after.inWords)" : "") }
  }

  /// The target and the kill criterion in the short form, such as `>= 25 %, kill < 5 % after 30 days`.
  package var bounds: String {
    target.text + (kill.map { ", kill \($0.text)" } ?? "")
  }
}

/// The figure that a gate judges.
package enum Measure: Hashable, Sendable {
  /// A ratio of two counts. The metric's ``Metric/isShare`` must be `true`.
  case share(Metric, of: ReminderGroup?)
  /// The conversion rate to a goal, which is a Boolean fact.
  /// The denominator is the number of persons who were exposed to a notification of the group before they
  /// reached the goal, and who were observed for the whole span after their first exposure. The numerator is
  /// the number of these persons who reached the goal within the span.
  case conversion(of: ReminderGroup, goal: FactID, within: TimeSpan)
  /// The effect on a number at the end of a local day: its mean over days with a notification of the group,
  /// minus its mean over days without one.
  case lift(FactID, by: ReminderGroup)
  /// Weeks in which the app was opened ÷ weeks in which it was opened independently, minus one. An opening
  /// within ``Measure/attributionWindow`` after a notification of the group does not count as independent.
  case weeklyActive(of: ReminderGroup?)

  /// The time after a notification in which an opening of the app is attributed to it. The value is an
  /// assumption.
  package static let attributionWindow = TimeSpan.hours(1)
}

/// The reminders whose notifications have the type with this name, or, if there is no such type, the reminder
/// with this name.
package struct ReminderGroup: Hashable, Sendable {
  package var name: String
  package var reminders: [ReminderID]

  package init(name: String, reminders: [ReminderID]) {
    self.name = name
    self.reminders = reminders
  }
}

/// A lower or upper bound of a number.
package struct Bound: Hashable, Sendable {
  package enum Side: String, Hashable, Sendable, CaseIterable {
    // The cases are in the order of parsing: operators with two characters must come first.
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

  /// Returns whether any number meets both bounds.
  package func overlaps(_ other: Bound) -> Bool {
    if side.isUpwards == other.side.isUpwards { return true }
    let (low, high) = side.isUpwards ? (self, other) : (other, self)
    if low.side == .atLeast, high.side == .atMost { return low.millionths <= high.millionths }
    return low.millionths < high.millionths
  }

  /// The bound in the short form, such as `>= 25 %`.
  package var text: String { "\(side.rawValue) \(Decimal.text(millionths, decimals: 4)) %" }
}

/// A published figure for comparison.
package struct Benchmark: Hashable, Sendable {
  package var millionths: Int64
  /// The subject of the figure, or an empty string if it has none.
  package var subject: String
  package var source: String

  package init(millionths: Int64, subject: String, source: String) {
    self.millionths = millionths
    self.subject = subject
    self.source = source
  }

  /// The figure and its subject, such as `14.4 % contextual`.
  package var text: String {
    "\(Decimal.text(millionths, decimals: 4)) %" + (subject.isEmpty ? "" : " " + subject)
  }

  /// Returns the published figures for a measure. The open rates exclude messages between persons.
  package static func published(for measure: Measure) -> [Benchmark] {
    switch measure {
    case .share(.tapThrough, _): [batch(144_000, "contextual"), batch(41_900, "generic")]
    case .share(.optIn, _): [batch(560_000, "iOS"), batch(670_000, "Android")]
    default: []
    }
  }

  /// Creates a figure from a study of 700 billion notifications, July 2024 to July 2025.
  private static func batch(_ millionths: Int64, _ subject: String) -> Benchmark {
    Benchmark(
      millionths: millionths, subject: subject,
      source: "Batch 2025, batch.com/blog/case-studies/benchmark-notifications-push-crm-mobile")
  }
}

/// The verdict on a gate.
package enum GateVerdict: String, Hashable, Sendable, CaseIterable {
  case pass, kill, inconclusive
}

extension TimeSpan {
  /// The span in the largest unit that divides it: `30 days`, `1 day`, `36 h`, `90 min` or `5 s`.
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
  /// Returns the target's position relative to the figures, such as "above every benchmark", and a list of
  /// the figures with their sources. Returns `nil` if there are no figures.
  ///
  /// - Parameters:
  ///   - target: The target in millionths.
  ///   - noun: The noun for a figure.
  package func standing(
    of target: Int64, among noun: String = "benchmark"
  ) -> (place: String, figures: String)? {
    let values = map(\.millionths)
    guard let lowest = values.min(), let highest = values.max() else { return nil }
    let place =
      target > highest
      ? "above every \(noun)" : target < lowest ? "below every \(noun)" : "among the \(noun)s"
    // List each source once.
    let sources = map(\.source).reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
    let figures = sources.map { source in
      let texts = filter { $0.source == source }.map(\.text)
      return "\(texts.joined(separator: ", ")) (\(source))"
    }
    return (place, figures.joined(separator: "; "))
  }
}

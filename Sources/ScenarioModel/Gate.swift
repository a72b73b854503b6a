package import TextFormats
package import TriggerModel

/// A goal of the product: a figure with the target that it is to reach, and the kill criterion at which the
/// feature behind it is given up.
///
/// An expectation says what one story must do; a gate judges what the product wants, as far as the counts
/// allow a judgement.
package struct Gate: Hashable, Sendable {
  /// By which expectations and reports call it: the measure's words, unless the author gives another.
  package var name: String
  package var measure: Measure
  /// The measure in the words of the short form: `tapThrough of trainingDay`.
  package var words: String
  package var target: Bound
  /// Nil: it can pass, and is never killed.
  package var kill: KillCriterion?
  /// What others have reached; nothing is judged by it.
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

  /// `< 5 % after 30 days`
  package struct KillCriterion: Hashable, Sendable {
    package var bound: Bound
    /// Nothing is killed before it has been watched for so long.
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

/// What a gate judges.
package enum Measure: Hashable, Sendable {
  /// One count out of another: a metric for which ``Metric/isShare`` is true.
  case share(Metric, of: ReminderGroup?)
  /// Persons for whom the goal, a truth value that was not true, became true within the span after the first such
  /// notification was exposed ÷ persons to whom one was while the goal was not true, and who were watched for the
  /// whole span.
  case conversion(of: ReminderGroup, goal: FactID, within: TimeSpan)
  /// By how much a number's mean at the end of a local day is higher on days with such a notification than
  /// on days without.
  case lift(FactID, by: ReminderGroup)
  /// Weeks in which the app was opened, with ÷ without the openings that follow such a notification within
  /// ``Measure/attributionWindow``, minus one.
  case weeklyActive(of: ReminderGroup?)

  /// How long after a notification an opening of the app counts as its doing: an assumption, not a finding.
  package static let attributionWindow = TimeSpan.hours(1)
}

/// All reminders whose notifications are of that type, or else the reminder of that name.
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
    // In the order in which they are looked for: the longer ones first.
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

  /// Whether there is a number on both sides.
  package func overlaps(_ other: Bound) -> Bool {
    if side.isUpwards == other.side.isUpwards { return true }
    let (low, high) = side.isUpwards ? (self, other) : (other, self)
    if low.side == .atLeast, high.side == .atMost { return low.millionths <= high.millionths }
    return low.millionths < high.millionths
  }

  /// `>= 25 %`
  package var text: String { "\(side.rawValue) \(Decimal.text(millionths, decimals: 4)) %" }
}

/// A figure that others have published, for comparison.
package struct Benchmark: Hashable, Sendable {
  package var millionths: Int64
  /// What it is a figure of; empty when it needs no saying.
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

  /// What is known of a metric. Open rates are of push notifications that are not messages between persons.
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

/// What a gate's figure allows to say.
package enum GateVerdict: String, Hashable, Sendable, CaseIterable {
  case pass, kill, inconclusive
}

extension TimeSpan {
  /// `30 days`, `1 day`, `36 h`, `90 min` or `5 s`: the largest unit that is whole.
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
  /// Where a target stands among them, "above every benchmark", and each figure with its source; nil: there are none.
  ///
  /// - Parameters:
  ///   - target: In millionths.
  ///   - noun: What one of them is called.
  package func standing(
    of target: Int64, among noun: String = "benchmark"
  ) -> (place: String, figures: String)? {
    let values = map(\.millionths)
    guard let lowest = values.min(), let highest = values.max() else { return nil }
    let place =
      target > highest
      ? "above every \(noun)" : target < lowest ? "below every \(noun)" : "among the \(noun)s"
    // A source is named once for all that it says.
    let sources = map(\.source).reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
    let figures = sources.map { source in
      let texts = filter { $0.source == source }.map(\.text)
      return "\(texts.joined(separator: ", ")) (\(source))"
    }
    return (place, figures.joined(separator: "; "))
  }
}

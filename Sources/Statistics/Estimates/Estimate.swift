package import TriggerModel

/// An estimate of a figure, with its value and confidence interval.
package struct Estimate: Hashable, Sendable {
  package var numerator: Int
  package var denominator: Int
  /// The number of trials with an unknown outcome. The denominator does not include them.
  package var unknown = 0
  /// The value in millionths, or `nil` if the denominator is 0.
  package var value: Int64?
  /// The confidence interval, or `nil` if the counts are insufficient. See ``lack``.
  package var interval: ConfidenceInterval?
  /// The union of the intervals for all possible outcomes of unknown trials. It equals ``interval`` if there
  /// are no unknown trials.
  package var reach: ConfidenceInterval?
  /// The number of runs with a denominator above 0.
  package var runs: Int
  /// The ratio of the variance between runs to that of independent trials, in thousandths. It is at least
  /// 1,000.
  ///
  /// The trials of one person are correlated, so they provide less information than trials of different
  /// persons. The design effect widens the interval accordingly.
  package var designEffect: Int64 = 1_000
  /// The reason why there is no interval, or `nil` if there is one.
  package var lack: String?

  /// The counts of one run.
  package struct Count: Hashable, Sendable {
    package var numerator: Int
    package var denominator: Int
    /// The number of trials with an unknown outcome. The denominator does not include them.
    package var unknown: Int

    package init(_ numerator: Int, of denominator: Int, unknown: Int = 0) {
      self.numerator = numerator
      self.denominator = denominator
      self.unknown = unknown
    }
  }

  private init(_ counts: [Count]) {
    numerator = counts.reduce(0) { $0 + $1.numerator }
    denominator = counts.reduce(0) { $0 + $1.denominator }
    unknown = counts.reduce(0) { $0 + $1.unknown }
    runs = counts.count { $0.denominator > 0 }
    value = denominator > 0 ? Self.millionths(Double(numerator) / Double(denominator)) : nil
  }

  static func millionths(_ fraction: Double) -> Int64? {
    let scaled = (fraction * 1_000_000).rounded()
    return scaled.magnitude < 1e15 ? Int64(scaled) : nil
  }

  // MARK: Shares

  /// Returns the estimate of a share. The interval is the exact one for the number of trials divided by the
  /// design effect.
  ///
  /// - Parameter unknownMayBeBiased: Whether unknown outcomes may be biased. If so, ``reach`` covers all
  ///   their possible values. Otherwise, outcomes are assumed to be unknown at random. Runs without known
  ///   outcomes are skipped.
  static func share(_ counts: [Count], unknownMayBeBiased: Bool = false) -> Estimate {
    var estimate = known(counts)
    estimate.reach = estimate.interval
    let known = counts.filter { $0.denominator > 0 }
    guard unknownMayBeBiased, known.contains(where: { $0.unknown > 0 }) else { return estimate }
    let none = Self.known(known.map { Count($0.numerator, of: $0.denominator + $0.unknown) })
    let all = Self.known(known.map { Count($0.numerator + $0.unknown, of: $0.denominator + $0.unknown) })
    for case let interval? in [none.interval, all.interval] {
      estimate.reach = estimate.reach.map {
        ConfidenceInterval(lower: min($0.lower, interval.lower), upper: max($0.upper, interval.upper))
      }
    }
    return estimate
  }

  private static func known(_ counts: [Count]) -> Estimate {
    var estimate = Estimate(counts)
    guard estimate.denominator > 0 else {
      estimate.lack = "the denominator is 0"
      return estimate
    }
    guard counts.allSatisfy({ $0.numerator <= $0.denominator }) else {
      estimate.lack = "the numerator exceeds the denominator"
      return estimate
    }
    let share = Double(estimate.numerator) / Double(estimate.denominator)
    let effect = designEffect(counts, share: share)
    estimate.designEffect = Int64((effect * 1_000).rounded())
    estimate.interval = .exact(share: share, trials: Double(estimate.denominator) / effect)
    return estimate
  }

  /// Returns the ratio of the variance between runs to that of independent trials (Cochran, "Sampling
  /// Techniques", 3rd ed., 6.3). It is at least 1, and equals 1 if each run has one trial.
  private static func designEffect(_ counts: [Count], share: Double) -> Double {
    let parts = counts.filter { $0.denominator > 0 }
    guard parts.count > 1, share > 0, share < 1, parts.contains(where: { $0.denominator > 1 }) else {
      return 1
    }
    let squares = parts.reduce(0.0) { sum, part in
      let rest = Double(part.numerator) - share * Double(part.denominator)
      return sum + rest * rest
    }
    let trials = parts.reduce(0.0) { $0 + Double($1.denominator) }
    let runs = Double(parts.count)
    return max(1, runs / (runs - 1) * squares / (trials * share * (1 - share)))
  }

  /// Returns the estimate of (weeks with ÷ weeks without) − 1. The weeks without are a share of the weeks
  /// with, so the interval is computed by inverting the interval of that share.
  static func excess(_ counts: [Count]) -> Estimate {
    var estimate = Estimate(counts)
    let without = share(counts.map { Count($0.denominator, of: $0.numerator) })
    estimate.runs = without.runs
    estimate.designEffect = without.designEffect
    estimate.lack = without.lack
    estimate.value = estimate.value.map { $0 - 1_000_000 }
    guard let interval = without.interval else { return estimate }
    // Round the bounds outwards again after inverting them.
    let one: Int64 = 1_000_000
    estimate.interval = ConfidenceInterval(
      lower: one * one / interval.upper - one,
      upper: interval.lower == 0 ? .max : (one * one + interval.lower - 1) / interval.lower - one)
    estimate.reach = estimate.interval
    return estimate
  }
}

/// Determines whether a person who was reminded of a goal reached it. Gates and locked surfaces use the same
/// definition.
///
/// Each person is counted once, and observed for the same time span after the first reminder. A person who
/// reaches the goal within this span has converted. A goal that was reached before the first reminder does
/// not count.
///
/// If the run ends before the span is over, the person counts as unknown, even after reaching the goal.
/// Otherwise only early successes would count, and every result would be too high.
package struct Conversion: Hashable, Sendable {
  private var firstReminder: Instant?
  private var reached: Instant?

  /// Records that a notification about the goal was exposed.
  package mutating func reminded(at instant: Instant) {
    if reached == nil, firstReminder == nil { firstReminder = instant }
  }

  /// Records that the goal was reached. Only the first call has an effect.
  package mutating func reached(at instant: Instant) {
    if reached == nil { reached = instant }
  }

  /// Returns the count for this person: 0 or 1 conversions of 0 or 1 persons.
  package func count(within span: TimeSpan, by end: Instant) -> Estimate.Count {
    guard let firstReminder else { return Estimate.Count(0, of: 0) }
    guard firstReminder + span < end else { return Estimate.Count(0, of: 0, unknown: 1) }
    let hasConverted = reached.map { $0 - firstReminder <= span } ?? false
    return Estimate.Count(hasConverted ? 1 : 0, of: 1)
  }
}

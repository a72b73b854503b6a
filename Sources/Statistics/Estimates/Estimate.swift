/// What counts say of a figure: its value, and how far the true one may be from it.
package struct Estimate: Hashable, Sendable {
  package var numerator: Int
  package var denominator: Int
  /// What would belong to the denominator, if it were known whether it belongs to the numerator.
  package var unknown = 0
  /// In millionths; nil when there is nothing to divide by.
  package var value: Int64?
  /// Nil when the counts allow none; ``lack`` says why.
  package var interval: ConfidenceInterval?
  /// From the least to the most that the interval could reach, whatever is unknown; the interval where all is
  /// known.
  package var reach: ConfidenceInterval?
  /// How many runs contributed.
  package var runs: Int
  /// By how many times the runs differ more from each other than chance alone would make them, in
  /// thousandths, at least 1,000. Trials of one person resemble each other, so many of one person say less
  /// than as many of different persons; the interval is widened by it.
  package var designEffect: Int64 = 1_000
  /// Why there is no interval.
  package var lack: String?

  /// So many runs, each with so many of so many.
  package struct Count: Hashable, Sendable {
    package var numerator: Int
    package var denominator: Int
    /// Not in the denominator, as it is not known whether it belongs to the numerator.
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

  /// Of a part of a whole: the exact interval, with the trials divided by the design effect.
  ///
  /// - Parameter unknownMayTurnIt: What is unknown may be part of it or not, and nobody knows why it is unknown, so
  ///   ``reach`` holds the intervals of both cases. Otherwise it is unknown by chance, and speaks for neither. A run
  ///   of which nothing is known is about something else, and takes nothing from the others.
  static func share(_ counts: [Count], unknownMayTurnIt: Bool = false) -> Estimate {
    var estimate = known(counts)
    estimate.reach = estimate.interval
    let told = counts.filter { $0.denominator > 0 }
    guard unknownMayTurnIt, told.contains(where: { $0.unknown > 0 }) else { return estimate }
    let none = known(told.map { Count($0.numerator, of: $0.denominator + $0.unknown) })
    let all = known(told.map { Count($0.numerator + $0.unknown, of: $0.denominator + $0.unknown) })
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
      estimate.lack = "nothing to divide by"
      return estimate
    }
    guard counts.allSatisfy({ $0.numerator <= $0.denominator }) else {
      estimate.lack = "more than there can be of a share"
      return estimate
    }
    let share = Double(estimate.numerator) / Double(estimate.denominator)
    let effect = designEffect(counts, share: share)
    estimate.designEffect = Int64((effect * 1_000).rounded())
    estimate.interval = .exact(share: share, trials: Double(estimate.denominator) / effect)
    return estimate
  }

  /// The variance of a ratio over runs (Cochran, "Sampling Techniques", 3rd ed., 6.3), relative to that of
  /// as many independent trials; 1 at least, and where each run is one trial.
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

  /// Of weeks with ÷ weeks without, minus one. The weeks without are a share of those with, so the interval
  /// is that share's, turned over.
  static func excess(_ counts: [Count]) -> Estimate {
    var estimate = Estimate(counts)
    let without = share(counts.map { Count($0.denominator, of: $0.numerator) })
    estimate.runs = without.runs
    estimate.designEffect = without.designEffect
    estimate.lack = without.lack
    estimate.value = estimate.value.map { $0 - 1_000_000 }
    guard let interval = without.interval else { return estimate }
    // Turned over, the bounds are rounded away from each other again.
    let one: Int64 = 1_000_000
    estimate.interval = ConfidenceInterval(
      lower: one * one / interval.upper - one,
      upper: interval.lower == 0 ? .max : (one * one + interval.lower - 1) / interval.lower - one)
    estimate.reach = estimate.interval
    return estimate
  }
}

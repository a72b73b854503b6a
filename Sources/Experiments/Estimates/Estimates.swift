import TriggerModel

/// A 95 % confidence interval.
package struct Interval: Hashable, Sendable, BitwiseCopyable {
  package var lower: Double
  package var upper: Double

  package init(_ value: Double, halfWidth: Double) {
    lower = value - halfWidth
    upper = value + halfWidth
  }

  package var halfWidth: Double { (upper - lower) / 2 }

  /// Returns the part of the interval within limits.
  func within(_ limits: ClosedRange<Double>) -> Interval {
    var interval = self
    interval.lower = max(limits.lowerBound, min(lower, limits.upperBound))
    interval.upper = max(limits.lowerBound, min(upper, limits.upperBound))
    return interval
  }
}

/// The estimated ratio of two sums over people under one policy.
///
/// The sampling unit is the person and not the notification, because one person's notifications are
/// correlated. An interval from pooled notifications would be too narrow by the square root of
/// ``designEffect``.
package struct RatioEstimate: Hashable, Sendable {
  /// The method that computes the interval.
  package enum Method: String, Hashable, Sendable {
    /// The linearised ratio of two sums over independently drawn people (Cochran, "Sampling Techniques", 3rd
    /// ed., 6.3).
    case delta
    /// The score interval of a share of people (Wilson 1927). The design effect reduces the number of trials.
    ///
    /// The interval is asymmetric about the estimate, because the variance of a share far from one half is
    /// easily underestimated.
    case wilson
  }

  package var numerator: Int64
  package var denominator: Int64
  /// The number of people with a nonzero denominator.
  package var people: Int64
  /// The ratio, or `nil` if the denominator is 0.
  package var value: Double?
  package var standardError: Double?
  /// The interval, or `nil` for the reason in ``lack``.
  package var interval: Interval?
  package let method: Method
  /// The variance of a share, relative to that of independent trials.
  package var designEffect: Double?
  package var lack: String?

  /// The minimum number of people for an interval. Sums of fewer people are not nearly normal.
  static let minimumPeople: Int64 = 30
  /// The minimum number of people with a nonzero numerator or a difference.
  ///
  /// Shares of people are exempt because their intervals do not assume normal sums.
  static let minimumCounting: Int64 = 10

  package init(_ sums: RatioSums, of kind: PeopleMetric.Kind) {
    (numerator, denominator, people) = (sums.numerator, sums.denominator, sums.counted)
    method = kind.isShareOfPeople ? .wilson : .delta
    guard let ratio = sums.ratio else {
      lack = "the denominator is 0"
      return
    }
    value = ratio
    guard people >= Self.minimumPeople else {
      lack = "\(people) people are too few: \(Self.minimumPeople) are needed"
      return
    }
    guard sums.counting >= Self.minimumCounting || method == .wilson else {
      lack = Self.lack(counting: sums.counting)
      return
    }
    let variance = Self.variance(of: sums)
    let error = variance.squareRoot()
    standardError = error
    if kind.isShare, ratio > 0, ratio < 1 {
      designEffect = variance / (ratio * (1 - ratio) / Double(denominator))
    }
    let quantile = StudentDistribution.quantile(degrees: Double(people - 1))
    interval =
      switch method {
      case .delta: Interval(ratio, halfWidth: error * quantile)
      case .wilson:
        Interval(scoreOf: ratio, trials: Double(denominator) / (designEffect ?? 1), quantile: quantile)
      }
  }

  /// Returns the message that too few people have a nonzero numerator.
  static func lack(counting: Int64) -> String {
    "only \(counting == 1 ? "1 person counts" : "\(counting) people count") towards it: \(minimumCounting) are needed"
  }

  /// Returns the variance of the ratio. People with a denominator of 0 contribute nothing.
  static func variance(of sums: RatioSums) -> Double {
    let denominator = Double(sums.denominator)
    let square = denominator * denominator
    return correction(sums.counted) * Double(sums.spread) / square / square
  }

  /// Returns the small-sample correction of the variance, because the ratio is estimated from the same
  /// people.
  static func correction(_ people: Int64) -> Double { Double(people) / Double(people - 1) }
}

extension Interval {
  /// Creates the score interval, which contains all shares that are compatible with an observed share.
  ///
  /// See E. B. Wilson, "Probable inference", Journal of the American Statistical Association 22, 1927.
  fileprivate init(scoreOf share: Double, trials: Double, quantile: Double) {
    let square = quantile * quantile / trials
    let middle = (share + square / 2) / (1 + square)
    let reach = (share * (1 - share) * square + square * square / 4).squareRoot() / (1 + square)
    self.init(middle, halfWidth: reach)
    // Keep an observed share of 0 or 1 inside the interval despite rounding.
    lower = max(0, min(lower, share))
    upper = min(1, max(upper, share))
  }
}

/// The estimated difference of a ratio between two policies over the same people.
///
/// Both policies use the same people and random numbers, so most differences between people cancel out. The
/// interval is computed from the difference of each person, linearised as in ``RatioEstimate``.
package struct PairEstimate: Hashable, Sendable {
  /// Variant minus base, or `nil` if a denominator is 0.
  package var difference: Double?
  package var standardError: Double?
  /// The interval, or `nil` for the reason in ``lack``.
  package var interval: Interval?
  /// The variance with independent people for each policy, divided by the variance of this estimate.
  package var varianceFactor: Double?
  /// The number of people with different counts under the two policies.
  package var differing: Int64
  package var people: Int64
  package var lack: String?

  /// The direction of a difference, as far as the interval shows it.
  package enum Direction: String, Hashable, Sendable, CaseIterable {
    case raises, lowers
    /// The interval contains 0, or there is none. This does not show that there is no effect.
    case undecided
  }

  package var direction: Direction {
    guard let interval else { return .undecided }
    return interval.lower > 0 ? .raises : interval.upper < 0 ? .lowers : .undecided
  }

  /// The minimum number of differing people for an interval. The sum of fewer people is not nearly normal.
  static let minimumDiffering: Int64 = 20

  package init(_ base: RatioSums, _ variant: RatioSums, _ pair: PairSums) {
    differing = pair.differing
    people = max(base.counted, variant.counted)
    guard base.denominator > 0, variant.denominator > 0 else {
      lack = "a denominator is 0"
      return
    }
    let (first, second) = (Double(base.denominator), Double(variant.denominator))
    difference = Double(variant.numerator) / second - Double(base.numerator) / first
    guard people >= RatioEstimate.minimumPeople else {
      lack = "\(people) people are too few: \(RatioEstimate.minimumPeople) are needed"
      return
    }
    let counting = max(base.counting, variant.counting)
    guard counting >= RatioEstimate.minimumCounting || differing == 0 else {
      lack = RatioEstimate.lack(counting: counting)
      return
    }
    guard differing >= Self.minimumDiffering else {
      lack =
        differing == 0
        ? "the policies have the same counts for everybody"
        : "the policies differ for only \(differing == 1 ? "1 person" : "\(differing) people"): "
          + "\(Self.minimumDiffering) are needed"
      return
    }
    let (square, other) = (first * first, second * second)
    let own = Double(base.spread) / square / square
    let theirs = Double(variant.spread) / other / other
    let joint = Double(pair.joint(base, variant)) / square / other
    let correction = RatioEstimate.correction(people)
    let variance = max(0, correction * (own + theirs - 2 * joint))
    let error = variance.squareRoot()
    standardError = error
    interval = Interval(
      difference ?? 0, halfWidth: error * StudentDistribution.quantile(degrees: Double(people - 1)))
    if variance > 0 { varianceFactor = correction * (own + theirs) / variance }
  }

  /// Returns the number of people needed to narrow the interval to a half width, or `nil` if it is unknown.
  ///
  /// - Parameter taken: The number of people in this estimate.
  package func peopleNeeded(forHalfWidth wanted: Double, taken: Int64) -> Int64? {
    interval.flatMap { Self.peopleNeeded($0, forHalfWidth: wanted, taken: taken) }
  }

  static func peopleNeeded(_ interval: Interval, forHalfWidth wanted: Double, taken: Int64) -> Int64? {
    guard wanted > 0 else { return nil }
    let ratio = interval.halfWidth / wanted
    let needed = (Double(taken) * ratio * ratio).rounded(.up)
    return needed < 1e15 ? Int64(needed) : nil
  }
}

/// Student's distribution of an estimate in units of its standard error.
///
/// See W. S. Gosset, "The probable error of a mean", Biometrika 6, 1908.
enum StudentDistribution {
  /// Returns the 97.5 % quantile, which is the half width of a 95 % interval in standard errors.
  ///
  /// Uses the expansion in the inverse of the degrees of freedom (Abramowitz and Stegun, "Handbook of
  /// Mathematical Functions", 26.7.5). Its error is below 1e-4 from ten degrees on.
  ///
  /// - Parameter degrees: The degrees of freedom, greater than 0.
  static func quantile(degrees: Double) -> Double {
    let z = NormalDistribution.quantile
    let (z2, v) = (z * z, degrees)
    let first = (z2 + 1) * z / 4
    let second = ((5 * z2 + 16) * z2 + 3) * z / 96
    let third = (((3 * z2 + 19) * z2 + 17) * z2 - 15) * z / 384
    let fourth = ((((79 * z2 + 776) * z2 + 1_482) * z2 - 1_920) * z2 - 945) * z / 92_160
    return z + (first + (second + (third + fourth / v) / v) / v) / v
  }
}

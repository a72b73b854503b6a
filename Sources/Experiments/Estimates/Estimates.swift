import TriggerModel

/// A confidence interval.
package struct Interval: Hashable, Sendable, BitwiseCopyable {
  package var lower: Double
  package var upper: Double

  package init(_ value: Double, halfWidth: Double) {
    lower = value - halfWidth
    upper = value + halfWidth
  }

  package var halfWidth: Double { (upper - lower) / 2 }

  /// Returns the interval with both bounds clamped to the limits.
  func within(_ limits: ClosedRange<Double>) -> Interval {
    var interval = self
    interval.lower = max(limits.lowerBound, min(lower, limits.upperBound))
    interval.upper = max(limits.lowerBound, min(upper, limits.upperBound))
    return interval
  }
}

/// The estimated ratio of two sums over people under one policy.
///
/// The sampling unit is the person and not the notification, because one person's notifications are correlated. An
/// interval computed from pooled notifications would be too narrow by a factor of the square root of
/// ``designEffect``.
package struct RatioEstimate: Hashable, Sendable {
  /// The method that computes the interval.
  package enum Method: String, Hashable, Sendable {
    /// The linearised ratio of two sums over independently drawn people (Cochran, "Sampling Techniques", 3rd
    /// ed., 6.3).
    case delta
    /// The mid-P interval of a share. At each bound, the probability of a more extreme count, plus half the
    /// probability of the observed count, equals half the probability of error (H. O. Lancaster, "Significance tests
    /// in discrete distributions", Journal of the American Statistical Association 56, 1961). The design effect
    /// reduces the number of trials (E. L. Korn and B. I. Graubard, Survey Methodology 24, 1998).
    ///
    /// The interval lies between 0 and 1. Its width is positive even if the observed share is 0 or 1. Four methods
    /// were compared on simulated people with true rates of 20, 1, 99 and 0.1 % and design effects of 1 and 4. With
    /// few counts, the coverage of the delta method falls to 14 %, and that of Wilson's score interval to 87 %. The
    /// exact interval of Clopper and Pearson is wider and has a coverage of 97 to 99 %. The coverage of the mid-P
    /// interval is 94 to 97 %, or up to 99 % with fewer than three counts.
    case midP
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

  /// The minimum number of people for an interval. Sums over fewer people are not approximately normal.
  static let minimumPeople: Int64 = 30
  /// The minimum number of people with a nonzero numerator for an interval.
  ///
  /// The interval of a single share is exempt because the mid-P method does not assume normal sums.
  static let minimumCounting: Int64 = 10

  /// - Parameter error: The maximum probability that the interval misses the true value, at most 0.05.
  package init(_ sums: RatioSums, of kind: PeopleMetric.Kind, error: Double = ComparisonFamily.error) {
    (numerator, denominator, people) = (sums.numerator, sums.denominator, sums.counted)
    method = kind.isShare ? .midP : .delta
    guard let ratio = sums.ratio else {
      lack = "the denominator is 0"
      return
    }
    value = ratio
    guard people >= Self.minimumPeople else {
      lack = "\(people) people are too few: \(Self.minimumPeople) are needed"
      return
    }
    guard sums.counting >= Self.minimumCounting || method == .midP else {
      lack = Self.lack(counting: sums.counting)
      return
    }
    let variance = Self.variance(of: sums)
    let deviation = variance.squareRoot()
    standardError = deviation
    if kind.isShare, ratio > 0, ratio < 1 {
      designEffect = variance / (ratio * (1 - ratio) / Double(denominator))
    }
    let quantile = StudentDistribution.quantile(degrees: Double(people - 1), error: error)
    interval =
      switch method {
      case .delta: Interval(ratio, halfWidth: deviation * quantile).within(kind.limits)
      case .midP:
        Interval(
          midPOf: ratio,
          trials: kind.isShareOfPeople
            ? Double(denominator) : trials(sums, NormalDistribution.quantile(error: error) / quantile),
          error: error)
      }
  }

  /// Returns the effective number of trials: independent trials with as much information as the people's correlated
  /// trials.
  ///
  /// - Parameter correction: The quantile of the normal distribution, divided by the quantile of Student's
  ///   distribution.
  private func trials(_ sums: RatioSums, _ correction: Double) -> Double {
    guard let designEffect else {
      // A share of 0 or 1 does not show how strongly the trials of one person are correlated. Assume full
      // correlation.
      return Double(denominator) * Double(denominator) / Double(sums.denominatorSquared)
    }
    // The correction accounts for the degrees of freedom of the estimated design effect.
    return Double(denominator) / max(1, designEffect) * correction * correction
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

  /// Returns the small-sample correction factor of the variance, which is needed because the ratio is estimated from
  /// the same people.
  static func correction(_ people: Int64) -> Double { Double(people) / Double(people - 1) }
}

extension Interval {
  /// Creates the mid-P interval of an observed share.
  ///
  /// - Parameters:
  ///   - share: The share, 0…1.
  ///   - trials: The number of independent trials, greater than 0. It need not be an integer.
  ///   - error: The maximum probability that the interval misses the true share, at most 0.05.
  fileprivate init(midPOf share: Double, trials: Double, error: Double) {
    self.init(share, halfWidth: 0)
    upper = Self.upperBound(share, trials, error)
    lower = 1 - Self.upperBound(1 - share, trials, error)
    // Keep the observed share inside the interval despite rounding.
    lower = share == 0 ? 0 : max(0, min(lower, share))
    upper = share == 1 ? 1 : min(1, max(upper, share))
  }

  /// Returns the share at which the mid-P probability of the observed number of successes is half the error.
  private static func upperBound(_ share: Double, _ trials: Double, _ error: Double) -> Double {
    func excess(_ bound: Double) -> Double { midP(share * trials, of: trials, bound) - error / 2 }
    let quantile = NormalDistribution.quantile(error: error)
    let reach = 2.1 * quantile * ((share * (1 - share) / trials).squareRoot() + quantile / trials)
    // Use the method of false position. Halve the value at an end that does not move, so that the method converges
    // quickly (the Illinois algorithm).
    var (low, high) = (share, min(1, share + reach))
    var (atLow, atHigh) = (excess(low), excess(high))
    if atHigh >= 0 { return high }
    var movedLow: Bool?
    for _ in 0..<60 {
      let middle = low + (high - low) * atLow / (atLow - atHigh)
      let value = excess(middle)
      if value.magnitude < 1e-12 || high - low < 1e-14 { return middle }
      let movesLow = value > 0
      if movesLow {
        (low, atLow) = (middle, value)
        if movedLow == true { atHigh /= 2 }
      } else {
        (high, atHigh) = (middle, value)
        if movedLow == false { atLow /= 2 }
      }
      movedLow = movesLow
    }
    return high
  }

  /// Returns the probability of fewer successes, plus half the probability of the given number.
  private static func midP(_ successes: Double, of trials: Double, _ share: Double) -> Double {
    let atMost =
      successes < trials ? 1 - BetaDistribution.cumulative(share, successes + 1, trials - successes) : 1
    let fewer = successes > 0 ? 1 - BetaDistribution.cumulative(share, successes, trials - successes + 1) : 0
    return (atMost + fewer) / 2
  }
}

extension Interval {
  /// Creates the interval of the difference between two shares of the same people, if few people differ.
  ///
  /// The interval combines two mid-P intervals. The first is that of the share of people who count only under the
  /// variant, and the second is that of the share who count only under the base. Each uses half the probability of
  /// error.
  fileprivate init(gained: Int64, lost: Int64, of people: Int64, _ error: Double) {
    let (more, fewer) = (
      Interval(midPOf: Double(gained) / Double(people), trials: Double(people), error: error / 2),
      Interval(midPOf: Double(lost) / Double(people), trials: Double(people), error: error / 2)
    )
    self.init(0, halfWidth: 0)
    (lower, upper) = (more.lower - fewer.upper, more.upper - fewer.lower)
  }
}

/// The estimated difference of a ratio between two policies that are applied to the same people.
///
/// Both policies use the same people and random numbers, so most differences between people cancel out. The interval
/// is computed from each person's difference, linearised as in ``RatioEstimate``.
package struct PairEstimate: Hashable, Sendable {
  /// The ratio of the variant minus the ratio of the base, or `nil` if a denominator is 0.
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

  /// The direction of a difference, as determined from its interval.
  package enum Direction: String, Hashable, Sendable, CaseIterable {
    case raises, lowers
    /// The interval contains 0 or is missing. This does not show that there is no effect.
    case undecided
  }

  package var direction: Direction {
    guard let interval else { return .undecided }
    return interval.lower > 0 ? .raises : interval.upper < 0 ? .lowers : .undecided
  }

  /// The minimum number of differing people for an interval. The sum over fewer people is not approximately normal.
  ///
  /// Shares of people are exempt. Each person contributes 0 or 1 to them, so the mid-P method applies.
  static let minimumDiffering: Int64 = 20

  /// - Parameter error: The maximum probability that the interval misses the true difference, at most 0.05.
  package init(
    _ base: RatioSums, _ variant: RatioSums, _ pair: PairSums, of kind: PeopleMetric.Kind,
    error: Double = ComparisonFamily.error
  ) {
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
    if kind.isShareOfPeople, differing < Self.minimumDiffering {
      let change = variant.numerator - base.numerator
      interval = Interval(gained: (differing + change) / 2, lost: (differing - change) / 2, of: people, error)
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
    let deviation = variance.squareRoot()
    standardError = deviation
    let quantile = StudentDistribution.quantile(degrees: Double(people - 1), error: error)
    interval = Interval(difference ?? 0, halfWidth: deviation * quantile).within(kind.differenceLimits)
    if variance > 0 { varianceFactor = correction * (own + theirs) / variance }
  }

  /// Returns the number of people needed to narrow the interval to a half width, or `nil` if the number is unknown.
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
  /// Returns the half width of an interval in standard errors.
  ///
  /// Uses the expansion in the inverse of the degrees of freedom (Abramowitz and Stegun, "Handbook of Mathematical
  /// Functions", 26.7.5). For a 95 % interval and at least ten degrees of freedom, its error is below 1e-4.
  ///
  /// - Parameters:
  ///   - degrees: The degrees of freedom, greater than 0.
  ///   - error: The probability of a value outside the interval, greater than 0 and at most 0.05.
  static func quantile(degrees: Double, error: Double = ComparisonFamily.error) -> Double {
    let z = NormalDistribution.quantile(error: error)
    let (z2, v) = (z * z, degrees)
    let first = (z2 + 1) * z / 4
    let second = ((5 * z2 + 16) * z2 + 3) * z / 96
    let third = (((3 * z2 + 19) * z2 + 17) * z2 - 15) * z / 384
    let fourth = ((((79 * z2 + 776) * z2 + 1_482) * z2 - 1_920) * z2 - 945) * z / 92_160
    return z + (first + (second + (third + fourth / v) / v) / v) / v
  }
}

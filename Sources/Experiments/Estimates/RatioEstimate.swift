/// What sums over people say of a ratio under one policy.
///
/// Notifications of one person resemble each other, so the person and not the notification is what is counted.
/// Pooled, as if each notification were somebody else's, an interval would be too narrow by the root of
/// ``designEffect``.
package struct RatioEstimate: Hashable, Sendable {
  /// How an interval is made.
  package enum Method: String, Hashable, Sendable {
    /// Of a ratio of two sums over people who are drawn independently of each other, linearised (Cochran, "Sampling
    /// Techniques", 3rd ed., 6.3).
    case delta
    /// Of a share of people: the score interval (Wilson 1927), of as many trials as the design effect leaves. It does
    /// not lie around the figure: a share that is far from one half is more likely to be seen too small, or too
    /// great, and then seems to be surer than it is.
    case wilson
  }

  package var numerator: Int64
  package var denominator: Int64
  /// People with anything in the denominator.
  package var people: Int64
  /// Nil where there is nothing to divide by.
  package var value: Double?
  package var standardError: Double?
  /// Nil where ``lack`` says why.
  package var interval: Interval?
  package let method: Method
  /// Of a share: its variance relative to that of as many independent trials.
  package var designEffect: Double?
  package var lack: String?

  /// Of fewer people no interval is given: sums of fewer are not nearly normal.
  static let leastPeople: Int64 = 30
  /// Of fewer people who count, or of whom it makes a difference, none is given either; but of shares of people,
  /// whose intervals do not take their sums for normal.
  static let leastCounting: Int64 = 10

  package init(_ sums: RatioSums, of kind: PeopleMetric.Kind) {
    (numerator, denominator, people) = (sums.numerator, sums.denominator, sums.counted)
    method = kind.isShareOfPeople ? .wilson : .delta
    guard let ratio = sums.ratio else {
      lack = "there is nothing to divide by"
      return
    }
    value = ratio
    guard people >= Self.leastPeople else {
      lack = "\(people) people are too few: \(Self.leastPeople) are needed"
      return
    }
    guard sums.counting >= Self.leastCounting || method == .wilson else {
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

  /// Why there is no interval where so few people count.
  static func lack(counting: Int64) -> String {
    "\(counting == 1 ? "1 person counts" : "\(counting) people count") in it, which are too few: "
      + "\(leastCounting) are needed"
  }

  /// Of the ratio; of people without a denominator nothing is added.
  static func variance(of sums: RatioSums) -> Double {
    let denominator = Double(sums.denominator)
    let square = denominator * denominator
    return correction(sums.counted) * Double(sums.spread) / square / square
  }

  /// For the ratio being estimated from the same people.
  static func correction(_ people: Int64) -> Double { Double(people) / Double(people - 1) }
}

extension Interval {
  /// All shares of which as many trials would not be surprised to find this one (E. B. Wilson, "Probable inference",
  /// Journal of the American Statistical Association 22, 1927).
  fileprivate init(scoreOf share: Double, trials: Double, quantile: Double) {
    let square = quantile * quantile / trials
    let middle = (share + square / 2) / (1 + square)
    let reach = (share * (1 - share) * square + square * square / 4).squareRoot() / (1 + square)
    self.init(middle, halfWidth: reach)
    // A share that nobody, or everybody, has lies at the end of it, whatever the last bit says.
    lower = max(0, min(lower, share))
    upper = min(1, max(upper, share))
  }
}

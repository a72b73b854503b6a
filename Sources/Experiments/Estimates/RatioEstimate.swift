/// What sums over people say of a ratio under one policy.
///
/// The interval is that of a ratio of two sums over people who are drawn independently of each other, linearised
/// (the delta method; Cochran, "Sampling Techniques", 3rd ed., 6.3): notifications of one person resemble each
/// other, so the person and not the notification is what is counted. Pooled, as if each notification were
/// somebody else's, it would be too narrow by the root of ``designEffect``.
package struct RatioEstimate: Hashable, Sendable {
  package var numerator: Int64
  package var denominator: Int64
  /// People with anything in the denominator.
  package var people: Int64
  /// Nil where there is nothing to divide by.
  package var value: Double?
  package var standardError: Double?
  /// Nil where ``lack`` says why.
  package var interval: Interval?
  /// Of a share: its variance relative to that of as many independent trials.
  package var designEffect: Double?
  package var lack: String?

  /// Of fewer people no interval is given: sums of fewer are not nearly normal.
  static let leastPeople: Int64 = 30
  /// Of fewer people who count, or of whom it makes a difference, none is given either.
  static let leastCounting: Int64 = 10

  package init(_ sums: RatioSums, isShare: Bool) {
    (numerator, denominator, people) = (sums.numerator, sums.denominator, sums.counted)
    guard denominator > 0 else {
      lack = "there is nothing to divide by"
      return
    }
    let ratio = Double(numerator) / Double(denominator)
    value = ratio
    guard people >= Self.leastPeople else {
      lack = "\(people) people are too few: \(Self.leastPeople) are needed"
      return
    }
    guard sums.counting >= Self.leastCounting else {
      lack = "\(sums.counting) people count in it, which are too few: \(Self.leastCounting) are needed"
      return
    }
    let variance = Self.variance(of: sums)
    let error = variance.squareRoot()
    standardError = error
    interval = Interval(
      ratio, halfWidth: error * StudentDistribution.quantile(degrees: Double(people - 1)))
    if isShare, ratio > 0, ratio < 1 {
      designEffect = variance / (ratio * (1 - ratio) / Double(denominator))
    }
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

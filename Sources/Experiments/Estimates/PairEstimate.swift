/// What sums over the same people under two policies say of the difference of a ratio.
///
/// Both policies met the same people and the same luck, so most of what makes people differ cancels: the interval
/// is that of the difference itself, person by person, linearised as in ``RatioEstimate``.
package struct PairEstimate: Hashable, Sendable {
  /// Variant less base; nil where one of the two has nothing to divide by.
  package var difference: Double?
  package var standardError: Double?
  /// Nil where ``lack`` says why.
  package var interval: Interval?
  /// By how many times the variance would be greater with other people, or other luck, for each policy.
  package var varianceFactor: Double?
  /// Of whom the two policies make different counts.
  package var differing: Int64
  package var people: Int64
  package var lack: String?

  /// Of fewer people who differ no interval is given: their sum is not nearly normal.
  static let leastDiffering: Int64 = 20

  package init(_ base: RatioSums, _ variant: RatioSums, _ pair: PairSums) {
    differing = pair.differing
    people = max(base.counted, variant.counted)
    guard base.denominator > 0, variant.denominator > 0 else {
      lack = "there is nothing to divide by"
      return
    }
    let (first, second) = (Double(base.denominator), Double(variant.denominator))
    difference = Double(variant.numerator) / second - Double(base.numerator) / first
    guard people >= RatioEstimate.leastPeople else {
      lack = "\(people) people are too few: \(RatioEstimate.leastPeople) are needed"
      return
    }
    let counting = max(base.counting, variant.counting)
    guard counting >= RatioEstimate.leastCounting || differing == 0 else {
      lack = RatioEstimate.lack(counting: counting)
      return
    }
    guard differing >= Self.leastDiffering else {
      lack =
        differing == 0
        ? "the two differ for nobody"
        : "the two differ for \(differing == 1 ? "1 person, which is" : "\(differing) people, which are") too few: "
          + "\(Self.leastDiffering) are needed"
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

  /// How many people would make the half width so small, if they were like these; nil where that cannot be said.
  ///
  /// - Parameter taken: how many were taken for this estimate, all of them.
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

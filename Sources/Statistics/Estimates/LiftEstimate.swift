import TriggerModel

/// The daily values of a number in one run.
package struct DayValues: Hashable, Sendable {
  /// The values in thousandths, on days with a notification.
  package var with: [Int64] = []
  /// The values on the other days.
  package var without: [Int64] = []
}

extension Estimate {
  /// The minimum number of days with and of days without a notification. The mean of fewer days is not
  /// approximately normal.
  static let leastDays = 10

  /// Returns the estimate of (mean on days with a notification ÷ mean on days without one) − 1. Numerator and
  /// denominator are the means in thousandths.
  ///
  /// The interval is that of a ratio of two independent means, linearised with the delta method. For several
  /// runs, it uses the greater of the variance between runs and the variance between days.
  static func lift(_ runs: [DayValues]) -> Estimate {
    let with = runs.flatMap(\.with).map(Double.init)
    let without = runs.flatMap(\.without).map(Double.init)
    let (mean, other) = (Self.mean(with), Self.mean(without))
    var estimate = Estimate(
      numerator: Int(mean.rounded()), denominator: Int(other.rounded()), runs: runs.count)
    guard with.count >= leastDays, without.count >= leastDays else {
      estimate.lack =
        "\(with.count) days with and \(without.count) days without a notification; \(leastDays) of each are needed"
      return estimate
    }
    guard other > 0 else {
      estimate.lack = "the mean on days without is not above zero"
      return estimate
    }
    let ratio = mean / other
    let betweenDays =
      (variance(with, mean) / Double(with.count) + ratio * ratio * variance(without, other)
        / Double(without.count)) / (other * other)
    let betweenRuns = Self.variance(of: runs, (mean, Double(with.count)), (other, Double(without.count)))
    let half = NormalDistribution.quantile * max(betweenDays, betweenRuns).squareRoot()
    estimate.value = millionths(ratio - 1)
    estimate.interval = ConfidenceInterval(lower: ratio - 1 - half, upper: ratio - 1 + half)
    estimate.reach = estimate.interval
    if betweenDays > 0 {
      estimate.designEffect = Int64((max(1, betweenRuns / betweenDays) * 1_000).rounded())
    }
    return estimate
  }

  private init(numerator: Int, denominator: Int, runs: Int) {
    self.numerator = numerator
    self.denominator = denominator
    self.runs = runs
  }

  private static func mean(_ values: [Double]) -> Double {
    values.isEmpty ? 0 : values.reduce(0, +) / Double(values.count)
  }

  private static func variance(_ values: [Double], _ mean: Double) -> Double {
    values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(values.count - 1)
  }

  /// Returns the variance of the ratio of two means, estimated from the differences between runs, or 0 for a
  /// single run.
  private static func variance(
    of runs: [DayValues], _ with: (mean: Double, days: Double), _ without: (mean: Double, days: Double)
  ) -> Double {
    guard runs.count > 1 else { return 0 }
    let ratio = with.mean / without.mean
    let squares = runs.reduce(0.0) { sum, run in
      let above = run.with.reduce(0.0) { $0 + Double($1) - with.mean } / with.days
      let below = run.without.reduce(0.0) { $0 + Double($1) - without.mean } / without.days
      let rest = (above - ratio * below) / without.mean
      return sum + rest * rest
    }
    return squares * Double(runs.count) / Double(runs.count - 1)
  }
}

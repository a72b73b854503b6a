import TriggerModel

/// Computes the probability that a run with more people decides whether a figure is above or below a bound.
///
/// The true figure is unknown. It is modelled as normally distributed around the estimate, with the estimate's
/// standard error. If the estimate were treated as the true figure, about half of all runs with the computed number
/// of people would be undecided.
struct GatePower {
  /// The distance between the estimate and the bound, in standard errors.
  private let distance: Double
  /// The half width of an interval in standard errors.
  private let quantile: Double

  /// - Parameters:
  ///   - value: The estimate.
  ///   - interval: The interval of the estimate. Its half on the side of the bound determines the standard error.
  ///   - error: The maximum probability that the interval misses the true value.
  init(_ value: Double, _ interval: Interval, bound: Double, error: Double) {
    let reach = bound < value ? value - interval.lower : interval.upper - value
    quantile = NormalDistribution.quantile(error: error)
    distance = reach > 0 ? (bound - value).magnitude / reach * quantile : .infinity
  }

  /// The maximum ratio of the people of the new run to the people of the estimate.
  private static let limit = 1e6

  /// Returns the number of people with which a run is decided with the given probability, or `nil` if the number
  /// exceeds a million times the people of the estimate.
  func people(for power: Double, of people: Int64) -> Int64? {
    guard probability(Self.limit) >= power else { return nil }
    var (low, high) = (1.0, Self.limit)
    while high / low > 1.001 {
      let middle = (low * high).squareRoot()
      if probability(middle) >= power { high = middle } else { low = middle }
    }
    let needed = (Double(people) * high).rounded(.up)
    return needed < 1e15 ? Int64(needed) : nil
  }

  /// Returns the probability that a run with the given multiple of people is decided.
  ///
  /// The run either includes the people of the estimate or consists of other people. The lower of both probabilities
  /// is returned.
  private func probability(_ factor: Double) -> Double {
    let error = 1 / factor.squareRoot()
    let half = quantile * error
    // If the run includes the people of the estimate, the new estimate varies less around the old one.
    return [1 - error * error, 1 + error * error].map { variance -> Double in
      if variance <= 0 { return 0 }
      let spread = variance.squareRoot()
      return NormalDistribution.cumulative((distance - half) / spread)
        + NormalDistribution.cumulative((-distance - half) / spread)
    }.min() ?? 0
  }
}

extension NormalDistribution {
  /// Returns the half width of an interval in standard deviations.
  ///
  /// Uses a rational approximation (M. J. Wichura, "The percentage points of the normal distribution", Applied
  /// Statistics 37, 1988, PPND7). Its error is below 1e-6.
  ///
  /// - Parameter error: The probability of a value outside the interval, greater than 0 and at most 0.05.
  static func quantile(error: Double) -> Double {
    if error == 0.05 { return quantile }
    let r = (-DeterministicMath.log(error / 2)).squareRoot()
    func ratio(_ numerator: [Double], _ denominator: [Double], _ x: Double) -> Double {
      numerator.reduce(0) { $0 * x + $1 } / denominator.reduce(0) { $0 * x + $1 }
    }
    return r <= 5
      ? ratio(
        [0.170_238_211_03, 1.306_728_481_6, 2.756_815_39, 1.423_437_277_7],
        [0.120_211_329_75, 0.737_001_642_5, 1], r - 1.6)
      : ratio(
        [0.017_337_203_997, 0.428_682_943_37, 3.081_226_386, 6.657_905_115],
        [0.012_258_202_635, 0.241_978_942_25, 1], r - 5)
  }

  /// Returns the cumulative distribution function of the standard normal distribution.
  ///
  /// Uses a rational approximation (Abramowitz and Stegun, "Handbook of Mathematical Functions", 26.2.17). Its error
  /// is below 1e-7.
  static func cumulative(_ x: Double) -> Double {
    let z = min(x.magnitude, 38)
    let t = 1 / (1 + 0.231_641_9 * z)
    let coefficients = [1.330_274_429, -1.821_255_978, 1.781_477_937, -0.356_563_782, 0.319_381_530]
    let series = coefficients.reduce(0.0) { ($0 + $1) * t }
    let tail = 0.398_942_280_401_432_7 * DeterministicMath.exp(-z * z / 2) * series
    return x < 0 ? tail : 1 - tail
  }
}

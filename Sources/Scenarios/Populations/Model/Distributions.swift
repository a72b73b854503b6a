package import TriggerModel

/// A time of the local day, around which it lies for a person, and on a day: normal, cut at three standard
/// deviations.
package struct TimeHabit: Hashable, Sendable {
  /// Of the median person, in milliseconds after midnight.
  package var median: Int32
  /// How much people differ: standard deviation.
  package var spread: TimeSpan
  /// How much the days of a person differ: standard deviation.
  package var daily: TimeSpan

  package init(median: Int32, spread: TimeSpan = .zero, daily: TimeSpan = .zero) {
    self.median = median
    self.spread = spread
    self.daily = daily
  }
}

/// How often something is done in an hour in which a person is awake: log-normal over people, and without memory
/// from one time to the next.
package struct RateHabit: Hashable, Sendable {
  /// Of the median person.
  package var median: Double
  /// How much people differ: standard deviation of the logarithm.
  package var sigma: Double

  package init(median: Double, sigma: Double = 0) {
    self.median = median
    self.sigma = sigma
  }
}

/// A number that differs from person to person, and from day to day: normal, cut at three standard deviations, and
/// at its limits. Whole.
package struct AmountHabit: Hashable, Sendable {
  package var mean: Double
  /// How much people differ: standard deviation.
  package var spread: Double
  /// How much the days of a person differ: standard deviation.
  package var daily: Double
  package var least: Double
  package var most: Double

  package init(mean: Double, spread: Double = 0, daily: Double = 0, least: Double = 0, most: Double) {
    self.mean = mean
    self.spread = spread
    self.daily = daily
    self.least = least
    self.most = most
  }
}

/// Which of several, with the share of each.
package struct Shares<Value: Hashable & Sendable>: Hashable, Sendable {
  package struct Option: Hashable, Sendable {
    package var value: Value
    package var millionths: Int64

    package init(_ value: Value, millionths: Int64) {
      self.value = value
      self.millionths = millionths
    }
  }

  /// In an order that is not that of a file; their shares add up to one.
  package let options: [Option]

  package init(_ options: [Option]) { self.options = options }

  /// Everybody is the same.
  package init(always value: Value) { options = [Option(value, millionths: 1_000_000)] }

  /// The one that a draw from 0 to 1 falls to.
  package func choose(_ luck: Double) -> Value? {
    var sum: Int64 = 0
    for option in options {
      sum += option.millionths
      if luck * 1_000_000 < Double(sum) { return option.value }
    }
    return options.last?.value
  }
}

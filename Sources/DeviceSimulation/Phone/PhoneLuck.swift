import SimulationKernel
import TriggerModel

/// The draws of one phone: how late, how often. Each is a pure function of what happened, so that two
/// policies meet the same luck.
struct PhoneLuck: Hashable, Sendable {
  /// The numbers are part of every key: they stay as they are when uses are added.
  enum Use: UInt64 {
    case regionLatency = 1
    case regionAfterForceQuit = 2
    case refreshDelay = 3
    case unlockSign = 4
    case protectedData = 5
    case usageLag = 6
    case deliveryLateness = 7
  }

  let key: RandomKey

  /// A length from nothing to twice the mean, each as likely.
  func around(_ mean: TimeSpan, _ use: Use, subject: UInt32 = 0, count: UInt32) -> TimeSpan {
    between(.zero, mean + mean, use, subject: subject, count: count)
  }

  /// A length from `low` to `high`, both included, each as likely.
  func between(
    _ low: TimeSpan, _ high: TimeSpan, _ use: Use, subject: UInt32 = 0, count: UInt32
  ) -> TimeSpan {
    guard high > low else { return low }
    let choices = UInt64((high - low).milliseconds) + 1
    let milliseconds = key.below(choices, Self.occurrence(use, subject, count))
    return low + TimeSpan(milliseconds: Int64(milliseconds))
  }

  /// True in so many of a hundred cases.
  func chance(percent: Double, _ use: Use, subject: UInt32 = 0, count: UInt32) -> Bool {
    let partsPerMillion = UInt32((percent * 10_000).rounded())
    return key.chance(partsPerMillion: partsPerMillion, Self.occurrence(use, subject, count))
  }

  /// Eight bits for the use, 28 each for whom and for the how-manieth time.
  private static func occurrence(_ use: Use, _ subject: UInt32, _ count: UInt32) -> UInt64 {
    use.rawValue << 56 | UInt64(subject & 0xFFF_FFFF) << 28 | UInt64(count & 0xFFF_FFFF)
  }
}

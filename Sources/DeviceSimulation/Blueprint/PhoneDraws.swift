import SimulationKernel
import TriggerModel

/// Draws the random delays and outcomes of one phone.
///
/// Each draw is a pure function of its use, its instant and the name of its subject. It depends neither on
/// the order of a file, nor on earlier draws, nor on the policy.
struct PhoneDraws: Hashable, Sendable {
  /// The raw values are part of every key. Do not change an existing value.
  enum Use: UInt64 {
    case regionLatency = 1
    case regionAfterForceQuit = 2
    case refreshDelay = 3
    case unlockSign = 4
    case protectedData = 5
    case usageLag = 6
    case deliveryLateness = 7
    case saverLateness = 8
  }

  let key: RandomKey
  /// The start of the scenario. Keys contain the time since the start, so that a scenario moved to other
  /// dates draws the same values.
  let start: Instant

  /// Returns a uniformly distributed duration between zero and twice the mean.
  func around(_ mean: TimeSpan, _ use: Use, of name: UInt64 = 0, at instant: Instant) -> TimeSpan {
    between(.zero, mean + mean, use, of: name, at: instant)
  }

  /// Returns a uniformly distributed duration between `low` and `high`, both included.
  func between(
    _ low: TimeSpan, _ high: TimeSpan, _ use: Use, of name: UInt64 = 0, at instant: Instant
  ) -> TimeSpan {
    guard high > low else { return low }
    let choices = UInt64((high - low).milliseconds) + 1
    let milliseconds = key.named(name).below(choices, occurrence(use, instant))
    return low + TimeSpan(milliseconds: Int64(milliseconds))
  }

  /// Returns true with a probability of `percent` per cent.
  func chance(percent: Double, _ use: Use, of name: UInt64 = 0, at instant: Instant) -> Bool {
    let partsPerMillion = UInt32((percent * 10_000).rounded())
    return key.named(name).chance(partsPerMillion: partsPerMillion, occurrence(use, instant))
  }

  /// Returns the part of a draw's key that contains its use (8 bits) and the milliseconds since the start (56
  /// bits).
  private func occurrence(_ use: Use, _ instant: Instant) -> UInt64 {
    use.rawValue << 56 | UInt64(bitPattern: (instant - start).milliseconds) & (1 << 56 - 1)
  }
}

/// The names of the subjects of draws, each hashed to a number by
/// ``SimulationKernel/RandomKey/nameNumber(_:)``.
package struct DrawNames: Hashable, Sendable {
  private let regions: [UInt64]
  private let apps: [UInt64]
  private let reminders: [UInt64]

  /// Creates the table from names in the order of their identifiers. A subject without a name uses its
  /// identifier.
  package init(regions: [String] = [], apps: [String] = [], reminders: [String] = []) {
    self.regions = regions.map(RandomKey.nameNumber)
    self.apps = apps.map(RandomKey.nameNumber)
    self.reminders = reminders.map(RandomKey.nameNumber)
  }

  subscript(region: RegionID) -> UInt64 { Self.name(region.index, regions) }
  subscript(app: AppID) -> UInt64 { Self.name(app.index, apps) }
  subscript(reminder: ReminderID) -> UInt64 { Self.name(reminder.index, reminders) }

  private static func name(_ index: Int, _ names: [UInt64]) -> UInt64 {
    index < names.count ? names[index] : UInt64(index)
  }
}

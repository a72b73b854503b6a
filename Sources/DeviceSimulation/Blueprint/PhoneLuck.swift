import SimulationKernel
import TriggerModel

/// The draws of one phone: how late, how often. Each is a pure function of what happens, when, and to the
/// thing of which name: neither a place in a file, nor how often something was drawn, nor a policy has a part
/// in it.
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
    case saverLateness = 8
  }

  let key: RandomKey
  /// Instants count from here, so that a story some weeks later has the same luck.
  let start: Instant

  /// A length from nothing to twice the mean, each as likely.
  func around(_ mean: TimeSpan, _ use: Use, of name: UInt64 = 0, at instant: Instant) -> TimeSpan {
    between(.zero, mean + mean, use, of: name, at: instant)
  }

  /// A length from `low` to `high`, both included, each as likely.
  func between(
    _ low: TimeSpan, _ high: TimeSpan, _ use: Use, of name: UInt64 = 0, at instant: Instant
  ) -> TimeSpan {
    guard high > low else { return low }
    let choices = UInt64((high - low).milliseconds) + 1
    let milliseconds = key.named(name).below(choices, occurrence(use, instant))
    return low + TimeSpan(milliseconds: Int64(milliseconds))
  }

  /// True in so many of a hundred cases.
  func chance(percent: Double, _ use: Use, of name: UInt64 = 0, at instant: Instant) -> Bool {
    let partsPerMillion = UInt32((percent * 10_000).rounded())
    return key.named(name).chance(partsPerMillion: partsPerMillion, occurrence(use, instant))
  }

  /// Eight bits for the use, the others for the milliseconds since the start.
  private func occurrence(_ use: Use, _ instant: Instant) -> UInt64 {
    use.rawValue << 56 | UInt64(bitPattern: (instant - start).milliseconds) & (1 << 56 - 1)
  }
}

/// The names of things that draws are about, each as a ``SimulationKernel/RandomKey/nameNumber(_:)``.
package struct LuckNames: Hashable, Sendable {
  private let regions: [UInt64]
  private let apps: [UInt64]
  private let reminders: [UInt64]

  /// In the order of the identifiers; what has no name goes by its identifier.
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

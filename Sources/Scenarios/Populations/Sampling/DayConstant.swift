package import PersonModel

/// A constant of drawn days that no file can change, with its meaning and evidence.
///
/// Reports print the names, so they must not change when constants are added.
package enum DayConstant: Hashable, Sendable, CaseIterable {
  case widestDeviation
  case latestWaking, shortestDay, latestSleep, shortestNight
  case mostUnlocks, shortestUse, longestUse, shortestGap, shortestLock, lastUse
  case pluggedInAsleep, unpluggedAwake, shortestNightCharge
  case dayWithCharge, dayChargeAfterWaking, dayChargeBeforeSleep, dayCharge
  case latestLeaving, shortestStay, stop, betweenStops, lastOfWayHome, latestReturn

  /// The name in reports.
  package var name: String { String(describing: self) }

  package enum Unit: String, Hashable, Sendable {
    case seconds = "s"
    case minutes = "min"
    case hours = "h"
    case anHour = "an hour"
    case standardDeviations = "standard deviations"

    /// The unit in seconds, or 1 for constants that are not times.
    @inline(__always)
    var seconds: Int64 {
      switch self {
      case .seconds, .anHour, .standardDeviations: 1
      case .minutes: 60
      case .hours: 3_600
      }
    }
  }

  /// The value in its unit.
  @inline(__always)
  package var value: (amount: Int64, unit: Unit) {
    switch self {
    case .widestDeviation: (3, .standardDeviations)
    case .latestWaking, .latestLeaving: (18, .hours)
    case .shortestDay: (1, .hours)
    case .latestSleep, .longestUse: (4, .hours)
    case .shortestNight: (10, .minutes)
    case .mostUnlocks: (240, .anHour)
    case .shortestUse: (3, .seconds)
    case .shortestGap: (10, .seconds)
    case .shortestLock: (2, .seconds)
    case .lastUse: (590, .seconds)
    case .pluggedInAsleep: (20, .minutes)
    case .unpluggedAwake, .stop: (15, .minutes)
    case .shortestNightCharge: (5, .minutes)
    case .dayWithCharge: (6, .hours)
    case .dayChargeAfterWaking: (2, .hours)
    case .dayChargeBeforeSleep: (3, .hours)
    case .dayCharge: (45, .minutes)
    case .shortestStay, .betweenStops, .lastOfWayHome: (1, .minutes)
    case .latestReturn: (86_000, .seconds)
    }
  }

  /// The value in seconds, for constants that are times.
  @inline(__always)
  var seconds: Int64 { value.amount * value.unit.seconds }

  /// The meaning, as reports print it.
  package var meaning: String {
    switch self {
    case .widestDeviation:
      "how far a person's usual time or amount, or that of a day, is from the middle at most"
    case .latestWaking: "when people wake up at the latest, after midnight"
    case .shortestDay: "from waking to falling asleep, at least"
    case .latestSleep: "when people fall asleep at the latest, after the midnight that ends their day"
    case .shortestNight: "from falling asleep to waking, at least"
    case .mostUnlocks: "how often anybody unlocks a phone on average, at most; draws beyond it are truncated"
    case .shortestUse: "how long a phone is in use after an unlock, before the drawn length is added"
    case .longestUse: "the drawn length that is added, at most"
    case .shortestGap: "from one unlock to the next, at least"
    case .shortestLock: "how long a phone is locked before the next unlock, at least"
    case .lastUse: "how long the last use of a day goes on after falling asleep, at most"
    case .pluggedInAsleep: "within which a phone that is charged overnight is plugged in, from falling asleep"
    case .unpluggedAwake: "within which it is unplugged, from waking"
    case .shortestNightCharge: "how long it is plugged in, at least"
    case .dayWithCharge: "how long people are awake, at the least, on a day on which a phone is charged"
    case .dayChargeAfterWaking: "when that begins at the earliest, from waking"
    case .dayChargeBeforeSleep: "when that begins at the latest, before falling asleep"
    case .dayCharge: "how long it is plugged in then"
    case .latestLeaving: "when people leave home at the latest, after midnight"
    case .shortestStay: "how long they are where they go, at least"
    case .stop: "how long they are at a stop on the way home"
    case .betweenStops: "from one stop to the next"
    case .lastOfWayHome: "from the last stop to home, at least"
    case .latestReturn: "when the way home is over, after midnight, unless they came too late for that"
    }
  }

  /// The evidence tier. All constants are assumed because none was measured.
  package var evidence: TapConstant.Evidence { .assumed }

  /// The reason for the value.
  package var source: String {
    switch self {
    case .widestDeviation, .mostUnlocks, .longestUse: "nobody is beyond all bounds; no source gives a number"
    case .latestWaking, .shortestDay, .latestSleep, .shortestNight, .shortestGap, .shortestLock, .lastUse,
      .shortestNightCharge, .latestLeaving, .shortestStay, .betweenStops, .lastOfWayHome, .latestReturn:
      "one thing ends before the next begins; no source gives a number"
    case .shortestUse, .pluggedInAsleep, .unpluggedAwake, .dayWithCharge, .dayChargeAfterWaking,
      .dayChargeBeforeSleep, .dayCharge, .stop:
      "no source gives a number"
    }
  }
}

import Foundation
import Synchronization
import TriggerModel

/// Provides the offset tables of zones. Reads Foundation's time-zone data once per zone and process.
enum ZoneData {
  /// The range of the tables. The first and the last offset apply before and after it.
  private static let covered: Range<Int64> = 0..<4_133_980_800_000  // 1970-01-01 ..< 2101-01-01, UTC

  /// The distance between probes. It is less than the shortest time between two changes in the data, which is
  /// seven days (Boa Vista, October 2000), so no change is missed. A test verifies this with daily probes.
  private static let probeDistance: Int64 = 5 * Milliseconds.perDay

  private static let cache = Mutex<[String: OffsetTable]>([:])

  /// The version of the time-zone data, such as "2025b".
  static var version: String { TimeZone.timeZoneDataVersion }

  /// The sorted identifiers, from which suggestions for an unknown identifier are chosen.
  static let knownIdentifiers: [String] = (TimeZone.knownTimeZoneIdentifiers + ["UTC"]).sorted()

  static func table(_ identifier: String) throws(UnknownZone) -> OffsetTable {
    if let table = cache.withLock({ $0[identifier] }) { return table }
    guard let timeZone = timeZone(identifier) else {
      throw UnknownZone(identifier: identifier, nearest: NearestNames.of(identifier, among: knownIdentifiers))
    }
    let table = read(timeZone)
    cache.withLock { $0[identifier] = table }
    return table
  }

  /// Returns the zone with an identifier, or `nil` for abbreviations and offsets, which are probably
  /// mistakes.
  ///
  /// Foundation also accepts abbreviations, such as "EST", which has no daylight saving time, and offsets,
  /// such as "GMT+3". Phones never use them.
  private static func timeZone(_ identifier: String) -> TimeZone? {
    guard identifier.contains("/") || identifier == "UTC" || identifier == "GMT" else { return nil }
    return TimeZone(identifier: identifier)
  }

  /// Probes the offset at regular intervals, and finds each change by bisection between two probes with
  /// different offsets.
  ///
  /// `nextDaylightSavingTimeTransition` would be faster, but it misses changes of the standard offset, such
  /// as the one with which Samoa skipped 30 December 2011.
  private static func read(_ timeZone: TimeZone) -> OffsetTable {
    func offset(_ instant: Int64) -> Int64 {
      Int64(timeZone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(instant) / 1_000))) * 1_000
    }
    let initialOffset = offset(covered.lowerBound)
    var changes: [(instant: Int64, offset: Int64)] = []
    var earlier = (instant: covered.lowerBound, offset: initialOffset)
    while earlier.instant < covered.upperBound {
      let instant = min(earlier.instant + probeDistance, covered.upperBound)
      let later = (instant: instant, offset: offset(instant))
      if later.offset != earlier.offset {
        // Offsets change only at whole seconds.
        var low = earlier.instant / 1_000
        var high = later.instant / 1_000
        while high - low > 1 {
          let middle = (low + high) / 2
          if offset(middle * 1_000) == earlier.offset { low = middle } else { high = middle }
        }
        changes.append((high * 1_000, later.offset))
      }
      earlier = later
    }
    return OffsetTable(initialOffset: initialOffset, changes: changes)
  }
}

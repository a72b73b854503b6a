import Foundation
import Synchronization
import TriggerModel

/// The source of offset tables: Foundation's time-zone data, read once per zone and process.
enum ZoneData {
  /// The span of the tables. Before and after it the first and the last offset hold.
  private static let covered: Range<Int64> = 0..<4_133_980_800_000  // 1970-01-01 ..< 2101-01-01, UTC

  /// The distance of probes: less than the shortest time between two changes in the data, seven days in Boa
  /// Vista in October 2000, so that no change is missed. A test probes every day.
  private static let probeDistance: Int64 = 5 * Milliseconds.perDay

  private static let cache = Mutex<[String: OffsetTable]>([:])

  /// The version of the time-zone data, such as "2025b".
  static var version: String { TimeZone.timeZoneDataVersion }

  /// The identifiers to suggest for an unknown one, sorted.
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

  /// Foundation also accepts abbreviations ("EST", which has no daylight saving time) and offsets ("GMT+3").
  /// Phones are never set to those, so they are rejected as mistakes.
  private static func timeZone(_ identifier: String) -> TimeZone? {
    guard identifier.contains("/") || identifier == "UTC" || identifier == "GMT" else { return nil }
    return TimeZone(identifier: identifier)
  }

  /// Probes offsets and bisects between two that differ.
  ///
  /// `nextDaylightSavingTimeTransition` would be faster, but misses changes of the standard offset, such as
  /// Samoa's skip of 30 December 2011.
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
        // Changes happen on whole seconds.
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

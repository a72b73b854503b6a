import Foundation
import Synchronization
import TriggerModel

/// Where offset tables come from: Foundation's time-zone data, read once per zone and process.
enum ZoneData {
  /// The span that tables cover; before and after it the first and the last offset hold.
  private static let covered: Range<Int64> = 0..<4_133_980_800_000  // 1970-01-01 ..< 2101-01-01, UTC

  /// How far apart offsets are probed: less than the shortest stay of an offset in the data, seven days
  /// in Boa Vista in October 2000, so that none hides between two probes. A test looks day by day.
  private static let probeDistance: Int64 = 5 * Milliseconds.perDay

  private static let cache = Mutex<[String: OffsetTable]>([:])

  /// The version of the time-zone data, such as "2025b".
  static var version: String { TimeZone.timeZoneDataVersion }

  /// Identifiers that are offered when an unknown one was given, sorted.
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

  /// Foundation also takes abbreviations ("EST", which has no summer time) and offsets ("GMT+3"):
  /// a phone is never set to those, so they are refused as the slips they are.
  private static func timeZone(_ identifier: String) -> TimeZone? {
    guard identifier.contains("/") || identifier == "UTC" || identifier == "GMT" else { return nil }
    return TimeZone(identifier: identifier)
  }

  /// Probes offsets and bisects between two that differ.
  ///
  /// `nextDaylightSavingTimeTransition` would be quicker, but passes over changes of the standard
  /// offset, such as Samoa's jump over 30 December 2011.
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

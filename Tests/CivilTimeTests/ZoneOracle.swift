import CivilTime
import Foundation
import Synchronization
import TestSupport
import TriggerModel

/// A slow reference for zones, which searches Foundation's results.
struct ZoneOracle {
  let timeZone: TimeZone
  let calendar: Calendar
  /// The instants of every offset change from 1970 to 2100 in milliseconds, found by probing every day.
  let transitions: [Int64]

  init(_ identifier: String) throws {
    struct NoSuchZone: Error {}
    guard let timeZone = TimeZone(identifier: identifier) else { throw NoSuchZone() }
    self.timeZone = timeZone
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = timeZone
    self.calendar = calendar
    self.transitions = Self.transitions(timeZone)
  }

  private static let known = Mutex<[String: ZoneOracle]>([:])

  /// Returns the oracle of a zone, cached for all tests.
  static func shared(_ identifier: String) throws -> ZoneOracle {
    if let oracle = known.withLock({ $0[identifier] }) { return oracle }
    let oracle = try ZoneOracle(identifier)
    known.withLock { $0[identifier] = oracle }
    return oracle
  }

  private static func transitions(_ timeZone: TimeZone) -> [Int64] {
    func seconds(_ time: Int) -> Int {
      timeZone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(time)))
    }
    var found: [Int64] = []
    var before = seconds(0)
    for day in 1...47_847 {
      let after = seconds(day * 86_400)
      if after != before {
        var (low, high) = ((day - 1) * 86_400, day * 86_400)
        while high - low > 1 {
          let middle = (low + high) / 2
          if seconds(middle) == before { low = middle } else { high = middle }
        }
        found.append(Int64(high) * 1_000)
      }
      before = after
    }
    return found
  }

  func date(_ milliseconds: Int64) -> Date { Date(timeIntervalSince1970: Double(milliseconds) / 1_000) }

  /// Returns the offset from UTC in milliseconds.
  func offset(_ milliseconds: Int64) -> Int64 {
    Int64(timeZone.secondsFromGMT(for: date(milliseconds))) * 1_000
  }

  /// Returns the local time in milliseconds since 1970-01-01T00:00.
  func wall(_ milliseconds: Int64) -> Int64 { milliseconds + offset(milliseconds) }

  /// Returns the transitions within two days of an instant.
  func transitions(around milliseconds: Int64) -> [Int64] {
    // Uses a binary search, because a zone may have hundreds of transitions and tests make hundreds of
    // thousands of calls.
    var (low, high) = (0, transitions.count)
    while low < high {
      let middle = (low + high) / 2
      if transitions[middle] < milliseconds - 172_800_000 { low = middle + 1 } else { high = middle }
    }
    return Array(transitions[low...].prefix { $0 <= milliseconds + 172_800_000 })
  }

  /// Returns the instants of a local time in ascending order. For a time in a gap, returns the end of the
  /// gap.
  func instants(showing wall: Int64) -> [Int64] {
    let near = transitions(around: wall)
    let offsets = Set((near + near.map { $0 - 1 } + [wall]).map(offset))
    let showing = offsets.map { wall - $0 }.filter { self.wall($0) == wall }.sorted()
    if !showing.isEmpty { return showing }
    return near.filter { self.wall($0 - 1) < wall && wall <= self.wall($0) }
  }

  /// Returns whether a date exists in the zone, found by probing every quarter of an hour.
  func shows(_ date: CivilDate) -> Bool {
    let midnight = Int64(date.dayNumber) * 86_400_000
    return stride(from: midnight - 50_400_000, to: midnight + 136_800_000, by: 900_000).contains {
      wall($0) >= midnight && wall($0) < midnight + 86_400_000
    }
  }

  /// Returns the windows that contain an instant, found by checking the days around it. A window lasts from
  /// the first occurrence of its start to the last occurrence of its end.
  func windows(_ window: DailyWindow, holding milliseconds: Int64) -> [Range<Int64>] {
    guard window.from != window.to else { return [] }
    let today = wall(milliseconds).quotientAndRemainder(dividingBy: 86_400_000).quotient
    return (today - 3...today + 3).compactMap { day in
      let end = window.to > window.from ? window.to : window.to + 1_440
      guard let opening = instants(showing: (day * 1_440 + Int64(window.from)) * 60_000).first,
        let closing = instants(showing: (day * 1_440 + Int64(end)) * 60_000).last
      else { return nil }
      return opening <= milliseconds && milliseconds < closing ? opening..<closing : nil
    }
  }
}

extension Instant {
  init(_ milliseconds: Int64) { self.init(millisecondsSince1970: milliseconds) }
}

/// Zones with unusual transitions, such as changes by half an hour or two hours, skipped and repeated dates,
/// missing midnights, changes around Ramadan, folds across midnight, and offsets with seconds.
let oddZones = [
  "Australia/Lord_Howe", "Africa/Cairo", "America/Sao_Paulo", "Pacific/Apia", "America/St_Johns",
  "Pacific/Kiritimati", "Africa/Casablanca", "America/New_York", "Antarctica/Troll", "Pacific/Kwajalein",
  "Pacific/Enderbury", "Africa/Monrovia", "Asia/Kathmandu", "Asia/Gaza", "Europe/Berlin", "America/Santiago",
  "Atlantic/Azores", "Antarctica/Casey", "Asia/Pyongyang", "America/Caracas", "UTC",
]

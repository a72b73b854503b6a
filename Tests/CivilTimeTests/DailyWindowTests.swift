import CivilTime
import TestSupport
import Testing
import TriggerModel

/// Compares windows and clock hands with a simple definition, in zones with unusual transitions.
@Suite struct DailyWindowTests {
  /// Returns instants near the transitions of a zone.
  private static func instants(
    _ oracle: ZoneOracle, _ count: Int, using numbers: inout SplitMix64
  ) -> [Int64] {
    (0..<count).map { _ in
      let anchor = oracle.transitions.randomElement(using: &numbers) ?? 1_767_225_600_000
      return switch Int.random(in: 0..<4, using: &numbers) {
      case 0: anchor + numbers.one(of: [-1, 0, 1])
      case 1: anchor + Int64.random(in: -90...90, using: &numbers) * 60_000
      case 2: anchor + Int64.random(in: -7_200_000...7_200_000, using: &numbers)
      default: anchor + Int64.random(in: -100_000_000...100_000_000, using: &numbers)
      }
    }
  }

  /// Returns a random window, which often starts or ends near the local time.
  private static func window(_ wall: Int64, using numbers: inout SplitMix64) -> DailyWindow {
    func edge() -> Int {
      let minute =
        Bool.random(using: &numbers)
        ? Int(wall / 60_000 % 1_440) + Int.random(in: -75...75, using: &numbers)
        : numbers.one(of: [0, 1, 60, 120, 180, 420, 1_320, 1_381, 1_439])
      return (minute + 1_440) % 1_440
    }
    return DailyWindow(from: edge(), to: edge())
  }

  @Test(arguments: oddZones)
  func `a window lasts from the first occurrence of its start to the last of its end`(
    identifier: String
  ) throws {
    let oracle = try ZoneOracle.shared(identifier)
    let zone = try Zone(identifier: identifier)
    var numbers = SplitMix64(seed: 7)
    for milliseconds in Self.instants(oracle, 500, using: &numbers) {
      let instant = Instant(milliseconds)
      let hands = zone.hands(at: instant)
      for _ in 0..<4 {
        let window = Self.window(oracle.wall(milliseconds), using: &numbers)
        let expected = oracle.windows(window, holding: milliseconds)
        let interval = window.interval(containing: instant, in: zone)
        let found = interval.map { $0.lowerBound.millisecondsSince1970..<$0.upperBound.millisecondsSince1970 }
        #expect(window.contains(hands) == !expected.isEmpty, "\(window) at \(milliseconds)")
        #expect(found == expected.last, "\(window) at \(milliseconds)")
      }
    }
  }

  @Test(arguments: oddZones) func `hands are the highest minute so far and the lowest minute still to come`(
    identifier: String
  ) throws {
    let oracle = try ZoneOracle.shared(identifier)
    let zone = try Zone(identifier: identifier)
    var cursor = ZoneCursor(zone)
    var numbers = SplitMix64(seed: 13)
    for milliseconds in Self.instants(oracle, 500, using: &numbers) {
      let instant = Instant(milliseconds)
      let near = oracle.transitions(around: milliseconds)
      let highest = near.filter { $0 <= milliseconds }.map { oracle.wall($0 - 1) }
        .reduce(oracle.wall(milliseconds), max)
      let lowest = near.filter { $0 > milliseconds }.map { oracle.wall($0) - 1 }
        .reduce(oracle.wall(milliseconds), min)
      let hands = WindowHands(start: highest / 60_000, end: lowest / 60_000)
      #expect(zone.hands(at: instant) == hands, "\(milliseconds)")
      #expect(cursor.hands(at: instant) == hands, "\(milliseconds)")
      #expect(cursor.local(at: instant) == zone.local(at: instant), "\(milliseconds)")
      #expect(cursor.offset(at: instant) == zone.offset(at: instant), "\(milliseconds)")
    }
  }

  @Test(arguments: [
    ("America/New_York", "2026-03-08T03:00-05:00", 480),
    ("America/New_York", "2026-11-01T00:30-04:00", 600),
    ("Australia/Lord_Howe", "2026-10-04T00:30+10:30", 510),
    ("Australia/Lord_Howe", "2026-04-05T00:30+11:00", 570),
    ("Pacific/Apia", "2011-12-29T23:00-10:00", 120),
    ("Asia/Kolkata", "2026-01-10T23:00+05:30", 540),
  ])
  func `quiet hours from 22:00 to 07:00 have the expected duration`(
    zone identifier: String, at text: String, minutes: Int64
  ) throws {
    let zone = try Zone(identifier: identifier)
    let night = DailyWindow(from: 22 * 60, to: 7 * 60)
    let interval = try #require(night.interval(containing: try Instant(iso8601: text), in: zone))
    #expect(interval.upperBound - interval.lowerBound == .minutes(minutes))
  }

  @Test func `windows that start or end in a gap or a fold have the expected bounds`() throws {
    let newYork = try Zone(identifier: "America/New_York")
    func bounds(_ from: Int, _ to: Int, _ text: String) throws -> [String]? {
      let window = DailyWindow(from: from, to: to)
      return window.interval(containing: try Instant(iso8601: text), in: newYork)
        .map { [$0.lowerBound.iso8601(in: newYork), $0.upperBound.iso8601(in: newYork)] }
    }
    // 02:30 does not exist on 8 March. A window that should start or end then starts or ends at 03:00.
    #expect(
      try bounds(60, 150, "2026-03-08T01:59-05:00") == [
        "2026-03-08T01:00:00-05:00", "2026-03-08T03:00:00-04:00",
      ])
    #expect(
      try bounds(150, 300, "2026-03-08T03:00-04:00") == [
        "2026-03-08T03:00:00-04:00", "2026-03-08T05:00:00-04:00",
      ])
    // A window within the gap does not occur.
    #expect(try bounds(130, 160, "2026-03-08T03:00-04:00") == nil)
    // 01:30 occurs twice on 1 November. A window ends at the second occurrence and starts at the first.
    #expect(
      try bounds(0, 90, "2026-11-01T01:45-04:00") == [
        "2026-11-01T00:00:00-04:00", "2026-11-01T01:30:00-05:00",
      ])
    #expect(
      try bounds(90, 150, "2026-11-01T01:15-05:00") == [
        "2026-11-01T01:30:00-04:00", "2026-11-01T02:30:00-05:00",
      ])
    // At the start of the fold, 01:00 occurs twice. At its end, 02:00 occurs once.
    #expect(
      try bounds(0, 60, "2026-11-01T01:30-04:00") == [
        "2026-11-01T00:00:00-04:00", "2026-11-01T01:00:00-05:00",
      ])
    #expect(
      try bounds(0, 120, "2026-11-01T01:59-05:00") == [
        "2026-11-01T00:00:00-04:00", "2026-11-01T02:00:00-05:00",
      ])
  }

  @Test func `windows are half-open`() throws {
    let utc = try Zone(identifier: "UTC")
    let night = DailyWindow(from: 22 * 60, to: 7 * 60)
    let day = DailyWindow(from: 7 * 60, to: 22 * 60)
    for (text, isNight) in [
      ("2026-01-10T21:59:59.999Z", false), ("2026-01-10T22:00Z", true), ("2026-01-11T00:00Z", true),
      ("2026-01-11T06:59:59.999Z", true), ("2026-01-11T07:00Z", false),
    ] {
      let hands = utc.hands(at: try Instant(iso8601: text))
      #expect(night.contains(hands) == isNight, "\(text)")
      #expect(day.contains(hands) == !isNight, "\(text)")
    }
    let empty = DailyWindow(from: 600, to: 600)
    #expect(!empty.contains(utc.hands(at: try Instant(iso8601: "2026-01-10T10:00Z"))))
  }
}

import CivilTime
import TestSupport
import Testing
import TriggerModel

/// Compares windows by weekday with the daily windows of each day, in zones with unusual transitions.
@Suite struct WeeklyWindowsTests {
  /// Returns the end of all windows that contain an instant, or that contain the end of one of these.
  private static func end(_ windows: WeeklyWindows, _ oracle: ZoneOracle, _ instant: Int64) -> Int64? {
    let today = oracle.wall(instant).floorDivided(by: 86_400_000)
    var end: Int64?
    for day in today - 4...today + 4 {
      for window in windows[Weekday(daysAfterMonday: Int(day) + 3)] where window.from != window.to {
        let crossesMidnight = window.to != 0 && window.to < window.from
        let first = crossesMidnight ? day - 1 : day
        let length = Int64((window.to - window.from + 1_440) % 1_440)
        let start = first * 1_440 + Int64(window.from)
        guard let opening = oracle.instants(showing: start * 60_000).first,
          let closing = oracle.instants(showing: (start + length) * 60_000).last
        else { continue }
        if opening <= instant && instant < closing { end = max(end ?? closing, closing) }
      }
    }
    return end.map { self.end(windows, oracle, $0) ?? $0 }
  }

  @Test(arguments: oddZones)
  func `windows by weekday contain what the window of each day contains`(identifier: String) throws {
    let oracle = try ZoneOracle.shared(identifier)
    let zone = try Zone(identifier: identifier)
    var cursor = ZoneCursor(zone)
    var numbers = SplitMix64(seed: 45)
    var inside = 0
    for _ in 0..<400 {
      let anchor = oracle.transitions.randomElement(using: &numbers) ?? 1_767_225_600_000
      let milliseconds =
        anchor + Int64.random(in: -7_200...7_200, using: &numbers) * numbers.one(of: [1, 1_000, 60_000])
      let minute = Int(oracle.wall(milliseconds).floorRemainder(by: 86_400_000) / 60_000)
      func edge() -> Int {
        numbers.chance(50)
          ? (minute + numbers.int(-75...75) + 1_440) % 1_440 : numbers.one(of: [0, 60, 120, 420, 1_320])
      }
      func daily() -> [DailyWindow] {
        (0..<numbers.int(0...2)).map { _ in DailyWindow(from: edge(), to: edge()) }
      }
      let days = Weekday.allCases.map { _ in daily() }
      let windows = WeeklyWindows { days[Int($0.rawValue)] }
      let expected = Self.end(windows, oracle, milliseconds)
      if expected != nil { inside += 1 }
      let instant = Instant(milliseconds)
      #expect(windows.contains(zone.hands(at: instant)) == (expected != nil), "\(days) at \(milliseconds)")
      #expect(
        windows.end(containing: instant, in: zone)?.millisecondsSince1970 == expected,
        "\(days) at \(milliseconds)")
      guard let day = cursor.plainDay(around: instant) else { continue }
      let state = windows.state(on: day.weekday, at: day.minute(at: instant))
      #expect(state.isInside == (expected != nil), "\(days) at \(milliseconds)")
      let change = min(day.end, day.midnight + .minutes(Int64(state.until)))
      let last = Instant(change.millisecondsSince1970 - 1)
      #expect(windows.contains(zone.hands(at: last)) == state.isInside, "\(days) at \(milliseconds)")
      #expect(change > instant, "\(days) at \(milliseconds)")
    }
    #expect(inside > 100)
  }

  @Test func `a window that crosses midnight belongs to the day on which it ends`() throws {
    let zone = try Zone(identifier: "Europe/Berlin")
    let windows = WeeklyWindows { day in
      let isWeekend = WeekdaySet.weekend.contains(day)
      return [DailyWindow(from: isWeekend ? 23 * 60 : 22 * 60, to: isWeekend ? 600 : 420)]
    }
    for (time, end) in [
      ("2026-03-05T22:30", "2026-03-06T07:00"), ("2026-03-06T22:30", nil),
      ("2026-03-06T23:00", "2026-03-07T10:00"),
      ("2026-03-07T09:59", "2026-03-07T10:00"), ("2026-03-08T22:59", "2026-03-09T07:00"),
      ("2026-03-09T08:00", nil),
    ] {
      let found = windows.end(containing: try Instant(iso8601: time + "+01:00"), in: zone)
      #expect(try found == end.map { try Instant(iso8601: $0 + "+01:00") }, "\(time)")
    }
  }

  @Test func `a window that ends at midnight belongs to the day on which it starts`() throws {
    let zone = try Zone(identifier: "UTC")
    let windows = WeeklyWindows { $0 == .friday ? [DailyWindow(from: 1_320, to: 0)] : [] }
    #expect(windows.contains(zone.hands(at: try Instant(iso8601: "2026-03-06T23:00Z"))))
    #expect(!windows.contains(zone.hands(at: try Instant(iso8601: "2026-03-05T23:00Z"))))
    #expect(!windows.contains(zone.hands(at: try Instant(iso8601: "2026-03-07T00:00Z"))))
  }

  @Test func `windows without a gap contain every instant`() throws {
    let halves = [DailyWindow(from: 0, to: 720), DailyWindow(from: 720, to: 0)]
    #expect(WeeklyWindows { _ in halves }.isAlways)
    #expect(!WeeklyWindows { $0 == .sunday ? [halves[0]] : halves }.isAlways)
    #expect(WeeklyWindows { _ in [] }.isEmpty)
    #expect(WeeklyWindows(DailyWindow(from: 60, to: 60)).isEmpty)
  }
}

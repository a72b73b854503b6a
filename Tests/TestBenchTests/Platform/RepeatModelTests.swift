import CivilTime
import Foundation
import PlatformRuns
import RandomScenarios
import Simulation
import TestSupport
import Testing
import TriggerModel

@testable import Statistics
@testable import TestBench

/// Compares repeating requests with Foundation's calendar, and with individually planned requests.
@Suite("Repeating requests: models")
struct RepeatModelTests {
  /// A schedule with its Foundation date components, which are `nil` for a time span.
  private struct Pattern {
    var words: String
    var components: DateComponents?
    var span: TimeSpan = .zero
  }

  private static let zones = [
    "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Kolkata", "Pacific/Apia",
    "America/Santiago", "Africa/Cairo", "Asia/Tokyo", "UTC",
  ]

  private static func pattern(_ random: inout SplitMix64) -> Pattern {
    let (hour, minute) = (random.int(0...23), random.int(0...59))
    func two(_ number: Int) -> String { (number < 10 ? "0" : "") + "\(number)" }
    let time = "\(two(hour)):\(two(minute))"
    var components = DateComponents(hour: hour, minute: minute, second: 0)
    switch random.int(0...4) {
    case 0, 1: return Pattern(words: "every day \(time)", components: components)
    case 2:
      let day = random.one(of: Weekday.allCases)
      // Foundation numbers weekdays from Sunday, which has the number 1.
      components.weekday = (Int(day.rawValue) + 1) % 7 + 1
      return Pattern(words: "every \(day.name) \(time)", components: components)
    case 3:
      let day = random.int(1...28)
      components.day = day
      return Pattern(words: "monthly on \(day) at \(time)", components: components)
    default:
      let minutes = random.int(31...2_000)
      return Pattern(words: "every \(minutes) min", span: .minutes(Int64(minutes)))
    }
  }

  /// Returns the instants according to Foundation's calendar. Each is the first match after the previous
  /// instant or after a journey.
  private static func expected(
    _ pattern: Pattern, from start: Date, to end: Date, _ zone: String, journeys: [(at: Date, zone: String)]
  ) throws -> [Date] {
    var (now, dates, journeys) = (start, [Date](), journeys[...])
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = try #require(TimeZone(identifier: zone))
    while true {
      var next = (dates.last ?? start) + Double(pattern.span.milliseconds) / 1_000
      if let components = pattern.components {
        next = try #require(calendar.nextDate(after: now, matching: components, matchingPolicy: .nextTime))
      }
      if let journey = journeys.first, journey.at <= next, journey.at <= end {
        // A match at the instant of a journey is delivered before the journey takes effect.
        if journey.at == next { dates.append(next) }
        calendar.timeZone = try #require(TimeZone(identifier: journey.zone))
        now = journey.at
        journeys = journeys.dropFirst()
        continue
      }
      if next >= end { return dates }
      dates.append(next)
      now = next
    }
  }

  /// Returns 07:00 on a date.
  private static func morning(of date: String, in zone: String) throws -> Date {
    let parts = date.split(separator: "-").compactMap { Int($0) }
    let components = DateComponents(year: parts[0], month: parts[1], day: parts[2], hour: 7)
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = try #require(TimeZone(identifier: zone))
    return try #require(calendar.date(from: components))
  }

  @Test(arguments: ["ideal", "ios"])
  func `repeating requests follow the calendar through offset changes and journeys`(profile: String) throws {
    var journeys = 0
    for seed in 0..<UInt64(40) {
      var random = SplitMix64(seed: seed &+ 7_000)
      let zone = random.one(of: Self.zones)
      let start = random.one(of: [
        "2026-03-02", "2026-03-25", "2026-04-02", "2026-10-02", "2026-10-22", "2027-01-28",
      ])
      let pattern = Self.pattern(&random)
      let days = 45
      let beginning = try Self.morning(of: start, in: zone)
      var (minutes, lines, travels, here) = (0, [String](), [(at: Date, zone: String)](), zone)
      for _ in 0..<random.int(0...4) {
        let (wait, there) = (random.int(1...15_000), random.one(of: Self.zones))
        minutes += wait
        if there == here {
          lines.append("  - +\(minutes)min lock")
        } else {
          lines.append("  - +\(minutes)min travel to \(there)")
          travels.append((beginning.addingTimeInterval(Double(minutes) * 60), there))
          here = there
        }
      }
      journeys += travels.count
      let run = try PlatformRun(
        whole: """
          kind: scenario
          version: 1
          title: t
          start: \(start)T07:00
          zone: \(zone)
          for: \(days) days
          profile: \(profile)
          policy: {quietHours: none}
          reminders: {r: {when: '\(pattern.words) ahead repeating', notify: {title: R, bucket: user}}}
          timeline:
            - 07:00 force quit
          \(lines.joined(separator: "\n"))
          expect: [requests >= 0]
          """)
      run.expectSound("seed \(seed)")
      let end = Date(timeIntervalSince1970: Double(run.program.end.millisecondsSince1970) / 1_000)
      let expected = try Self.expected(pattern, from: beginning, to: end, zone, journeys: travels)
      let fires = run.accounts.fires.map { $0.instant.millisecondsSince1970 }
      #expect(
        fires == expected.map { Int64(($0.timeIntervalSince1970 * 1_000).rounded()) },
        "seed \(seed): \(pattern.words) in \(zone) from \(start), \(travels)")
      let account = try run.account("r")
      #expect(account.notObserved.isEmpty && account.unfounded == 0, "seed \(seed)")
      #expect(account.delivered == account.dueRequests, "seed \(seed)")
    }
    #expect(journeys > 10)
  }

  @Test func `repeating requests equal individually planned ones if the app is opened every day`() throws {
    for seed in 0..<UInt64(25) {
      var random = SplitMix64(seed: seed &+ 9_000)
      let (hour, minute) = (random.int(0...23), random.int(10...59))
      let days = random.one(of: ["day", "weekday", "monday", "monday, thursday", "weekend"])
      let zone = random.one(of: Self.zones)
      func fires(_ ahead: String) throws -> [Instant] {
        let run = try PlatformRun(
          whole: """
            kind: scenario
            version: 1
            title: t
            start: \(random.one(of: ["2026-03-20", "2026-10-20"]))T05:00
            zone: \(zone)
            for: 20 days
            profile: ios
            policy: {quietHours: none}
            reminders:
              r: {when: 'every \(days) \(hour < 10 ? "0" : "")\(hour):\(minute) ahead \(ahead)', notify: {title: R, bucket: user}}
            timeline: [every day 05:03 open, every day 05:04 leave]
            expect: [requests >= 0]
            """)
        run.expectSound("seed \(seed), \(ahead)")
        return run.accounts.fires.map(\.instant)
      }
      let state = random
      let repeated = try fires("repeating")
      random = state
      let planned = try fires("7")
      #expect(repeated == planned && !repeated.isEmpty, "seed \(seed): \(days) \(hour):\(minute) in \(zone)")
    }
  }
}

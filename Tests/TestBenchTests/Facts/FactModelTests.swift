import Foundation
import PlatformRuns
import RandomScenarios
import ScenarioModel
import Statistics
import TestSupport
import Testing
import TriggerModel

@testable import Simulation

/// Compares random weeks with facts, in complete runs, with small models that know only the story.
@Suite("Facts, withdrawals and ages against small models")
struct FactModelTests {
  private static let seeds = Array(UInt64(1)...40)

  /// Returns the instants of the reminder's notifications, in minutes after the start of the run.
  private func fires(of run: PlatformRun) -> [Int] {
    let start = run.program.scenario.start
    return run.accounts.fires.map { Int(($0.instant - start).milliseconds / 60_000) }
  }

  // MARK: Remind at eight unless done

  /// A habit that is marked as done and undone at random times on eleven days. The app is open for two
  /// minutes each time.
  private struct Habit {
    /// The changes in chronological order, with times in minutes since midnight of the first day.
    var changes: [(minute: Int, said: [Bool])] = []
    /// Whether the fact is reset every day, so that the habit is due again the next day.
    var isOfDay: Bool
    static let days = 11

    init(_ dice: inout Dice) {
      isOfDay = dice.below(2) == 0
      let rarity = 2 + dice.below(4)
      for day in 0..<Self.days {
        // Frequent changes ensure that the app always has a planned notification.
        for part in 0..<6 where dice.below(rarity) == 0 || part == 0 && day % 3 == 0 {
          // Avoid changes near eight o'clock.
          let hour = part == 5 ? 1_210 : part * 239
          changes.append(
            (day * 1_440 + hour + dice.below(180), (0...dice.below(3)).map { _ in dice.below(2) == 0 }))
        }
      }
    }

    var timeline: String {
      changes.map { change in
        let said = change.said.map { "  - +\(change.minute + 1)min set done = \($0)\n" }.joined()
        return "  - +\(change.minute)min open\n\(said)  - +\(change.minute + 2)min leave"
      }.joined(separator: "\n")
    }

    /// The days on which the model expects the reminder.
    var reminded: [Int] {
      (0..<Self.days).filter { day in
        let eight = day * 1_440 + 20 * 60
        guard let last = changes.last(where: { $0.minute < eight }), last.said.last == true else {
          return true
        }
        return isOfDay && last.minute / 1_440 < day
      }
    }
  }

  @Test(arguments: ["ideal", "ios"], seeds)
  func `a withdrawn request is made again when its reason ends`(profile: String, seed: UInt64) throws {
    var dice = Dice(seed &* 0x9E37_79B9_7F4A_7C15)
    for _ in 0..<4 { _ = dice.fraction() }
    let habit = Habit(&dice)
    let run = try PlatformRun(
      whole: """
        kind: scenario
        version: 1
        title: test
        start: 2026-03-02T00:00
        zone: UTC
        for: \(Habit.days) days
        profile: \(profile)
        facts: {done: {initial: false\(habit.isOfDay ? ", endOfDay: false" : "")}}
        reminders:
          habit:
            when: every day 20:00 ahead 7
            if: done is false
            withdraw: done is true
            notify: {title: Do it, bucket: user}
        timeline:
        \(habit.timeline)
        expect: [fires >= 0]
        """)
    #expect(run.accounts.contradictions.isEmpty)
    #expect(fires(of: run).map { $0 / 1_440 } == habit.reminded, "\(habit)")
  }

  // MARK: Daily facts

  @Test(arguments: seeds)
  func `a daily fact ends at local midnight according to Foundation's calendar, even on journeys`(
    seed: UInt64
  ) throws {
    let zones = [
      "Europe/Berlin", "America/Los_Angeles", "Pacific/Apia", "Asia/Kathmandu", "America/Santiago",
      "Africa/Cairo", "Pacific/Honolulu", "Pacific/Kiritimati",
    ]
    var dice = Dice(seed &* 0xD1B5_4A32_D192_ED03)
    for _ in 0..<4 { _ = dice.fraction() }
    func one(_ words: [String]) -> String { dice.one(of: words) }
    // Some of the weeks contain a clock change.
    let start = one(["2026-03-26", "2026-04-03", "2026-09-04", "2026-10-23", "2026-12-29", "2026-02-26"])
    let home = one(zones)
    var lines: [String] = []
    var minute = 0
    while minute < 6 * 1_440 {
      minute += 1 + dice.below(200)
      let happening =
        switch dice.below(7) {
        case 0: "travel to " + one(zones)
        case 1: "set done = " + one(["true", "true", "false"])
        default: "unlock"
        }
      lines.append("+\(minute)min \(happening)")
    }
    let run = try PlatformRun(
      whole: """
        kind: scenario
        version: 1
        title: test
        start: \(start)T00:00
        zone: \(home)
        for: 7 days
        facts: {done: {initial: false, endOfDay: false}}
        reminders:
          probe: {when: unlock, if: done is true, repeat: always, notify: {title: Done, bucket: user}}
        policy: {quietHours: none}
        timeline:
        \(lines.map { "  - " + $0 }.joined(separator: "\n"))
        expect: [fires >= 0]
        """)
    #expect(run.accounts.contradictions.isEmpty)
    let began = Double(run.program.scenario.start.millisecondsSince1970) / 1_000
    #expect(fires(of: run) == done(lines, began: began, zone: home), "\(seed)")
  }

  /// Returns the minutes of the unlocks that follow the completion of the habit on the same day.
  private func done(_ lines: [String], began: Double, zone: String) -> [Int] {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = TimeZone(identifier: zone) ?? .gmt
    var statedOn: DateComponents?
    var found: [Int] = []
    func number(_ day: DateComponents) -> Int {
      (day.year ?? 0) * 10_000 + (day.month ?? 0) * 100 + (day.day ?? 0)
    }
    for line in lines {
      let words = line.split(separator: " ").map(String.init)
      let minute = Int(words[0].dropFirst().dropLast(3)) ?? 0
      let instant = Date(timeIntervalSince1970: began + Double(minute) * 60)
      let today = calendar.dateComponents([.year, .month, .day], from: instant)
      switch words[1] {
      case "travel": calendar.timeZone = TimeZone(identifier: words[3]) ?? .gmt
      case "set": statedOn = words[4] == "true" ? today : nil
      default: if let statedOn, number(today) <= number(statedOn) { found.append(minute) }
      }
    }
    return found
  }

  // MARK: The age of an unreadable fact

  @Test(arguments: seeds)
  func `a fact that becomes readable again has the correct age`(seed: UInt64) throws {
    var dice = Dice(seed &* 0xA24B_AED4_963E_E407)
    for _ in 0..<4 { _ = dice.fraction() }
    var lines: [String] = []
    var expected: [Int] = []
    // Write the story, and record the times at which the reminder must fire.
    var (minute, isAllowed, setAt) = (0, true, Int?.none)
    while minute < 4 * 1_440 {
      minute += 1 + dice.below(120)
      switch dice.below(8) {
      case 0:
        isAllowed.toggle()
        lines.append("+\(minute)min \(isAllowed ? "allow" : "deny") reading health")
      case 1:
        setAt = minute
        lines.append("+\(minute)min set score = \(50 + dice.below(3))")
      default:
        lines.append("+\(minute)min unlock")
        if isAllowed, let setAt, minute - setAt <= 360 { expected.append(minute) }
      }
    }
    let run = try PlatformRun(
      """
      for: 5 days
      facts: {score: {kind: number, source: health}}
      reminders:
        fresh: {when: unlock, if: [score >= 50, age(score) <= 6 h], repeat: always, notify: {title: F, bucket: user}}
      policy: {quietHours: none}
      timeline:
      \(lines.map { "  - " + $0 }.joined(separator: "\n"))
      expect: [fires >= 0]
      """)
    #expect(run.accounts.contradictions.isEmpty)
    #expect(fires(of: run) == expected, "\(lines)")
  }
}

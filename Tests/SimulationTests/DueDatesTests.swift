import CivilTime
import Foundation
import ReminderMatching
import ScenarioModel
import TestSupport
import Testing
import TriggerModel

@testable import Simulation

/// Compares the dates and groups of a list with those of Foundation's calendar.
@Suite struct DueDatesTests {
  private static let zones = [
    "Europe/Berlin", "America/New_York", "Pacific/Apia", "Asia/Kathmandu", "America/Santiago", "UTC",
  ]

  private static func calendar(_ zone: String) throws -> Calendar {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = try #require(TimeZone(identifier: zone))
    calendar.firstWeekday = 2
    return calendar
  }

  /// Returns noon on a date. In every zone, noon exists on each of its dates.
  private static func noon(_ date: CivilDate, _ calendar: Calendar) throws -> Date {
    let (year, month, day) = date.components
    return try #require(
      calendar.date(from: DateComponents(year: year, month: month, day: day, hour: 12)))
  }

  @Test func `future dates equal those of Foundation`() throws {
    var luck = SplitMix64(seed: 7)
    for _ in 0..<400 {
      let name = try #require(Self.zones.randomElement(using: &luck))
      let zone = try Zone(identifier: name)
      let calendar = try Self.calendar(name)
      let start = CivilDate(year: 2024, month: 1, day: 1) + Int.random(in: 0..<1_500, using: &luck)
      let today = start + Int.random(in: -400..<2_500, using: &luck)
      let (frequency, unit) = try #require(
        [(Recurrence.Frequency.weekly, Calendar.Component.weekOfYear), (.monthly, .month), (.yearly, .year)]
          .randomElement(using: &luck))
      let interval = Int.random(in: 1...3, using: &luck)
      let declaration = ReminderDeclaration(
        id: "a",
        triggers: [
          .scheduled(
            Schedule(Recurrence(start: start, minute: 720, frequency: frequency, interval: interval)))
        ],
        repeats: .always, notification: NotificationDeclaration(type: "a"))
      let due = try #require(DueDates(declaration, countedFrom: nil, in: zone, weekStart: .monday))

      let first = try Self.noon(start, calendar)
      let now = try Self.noon(today, calendar)
      var wanted: [Date] = []
      for step in 0..<600 {
        let date = try #require(calendar.date(byAdding: unit, value: step * interval, to: first))
        if date < calendar.startOfDay(for: now) { continue }
        let days = try #require(
          calendar.dateComponents([.day], from: calendar.startOfDay(for: now), to: date).day)
        if !wanted.isEmpty, days > DueDates.shownAhead { break }
        wanted.append(date)
        if wanted.count == DueDates.shownOfOne { break }
      }
      let found = due.dates(from: today, in: zone)
      #expect(
        try found.map { try Self.noon($0.date, calendar) } == wanted, "\(declaration), \(today.iso8601)")
      #expect(due.overdue(before: today, in: zone) == nil, "a recurring date is never overdue")
    }
  }

  @Test func `groups equal those of Foundation's calendar`() throws {
    let calendar = try Self.calendar("Europe/Berlin")
    for offset in stride(from: 0, to: 800, by: 3) {
      let today = CivilDate(year: 2026, month: 1, day: 1) + offset
      let now = try Self.noon(today, calendar)
      for distance in -3..<70 {
        let date = try Self.noon(today + distance, calendar)
        let group: ViewGroup =
          if calendar.isDate(date, inSameDayAs: now) {
            .today
          } else if date < now {
            .overdue
          } else if calendar.isDate(date, equalTo: now, toGranularity: .weekOfYear) {
            .thisWeek
          } else if calendar.isDate(date, equalTo: now, toGranularity: .month) {
            .thisMonth
          } else {
            .later
          }
        #expect(
          ViewGroup(of: today + distance, seenFrom: today, weekStart: .monday) == group,
          "\((today + distance).iso8601) from \(today.iso8601)")
      }
    }
  }

  @Test func `a week begins on the declared weekday`() {
    let saturday = CivilDate(year: 2026, month: 3, day: 7)
    #expect(ViewGroup(of: saturday + 1, seenFrom: saturday, weekStart: .monday) == .thisWeek)
    #expect(ViewGroup(of: saturday + 1, seenFrom: saturday, weekStart: .sunday) == .thisMonth)
  }
}

import CivilTime
import TestSupport
import Testing
import TriggerModel

/// Compares the results of cursors with those of a search over all dates.
@Suite struct RecurrenceCursorTests {
  /// Compares a daily recurrence, which has a fast path, with a weekly recurrence on all weekdays, which has
  /// none.
  @Test(arguments: [
    "America/New_York", "Australia/Lord_Howe", "Pacific/Apia", "Europe/Berlin", "Africa/Casablanca",
    "America/Santiago", "Pacific/Kiritimati", "UTC",
  ])
  func aDayIsADayOfTheWeek(identifier: String) throws {
    let zone = try Zone(identifier: identifier)
    let start = CivilDate(year: 1994, month: 6, day: 1)
    let years = zone.startOfDay(start)..<zone.startOfDay(CivilDate(year: 2031, month: 1, day: 1))
    var numbers = SplitMix64(seed: 9)
    for minute in [0, 30, 60, 90, 120, 150, 180, 540, 1_439] {
      let daily = Recurrence(start: start, minute: minute, frequency: .daily)
      let slow = Recurrence(start: start, minute: minute, frequency: .weekly, weekdays: .all)
      var cursor = RecurrenceCursor(daily, in: zone)
      var memory = RecurrenceCursor(slow, in: zone)
      var problems: [Instant] = []
      for transition in [years.lowerBound] + zone.transitions(in: years) {
        var offsets: [Int64] = [-1, 0, 1]
        for _ in 0..<30 { offsets.append(Int64.random(in: -250_000_000...250_000_000, using: &numbers)) }
        for offset in offsets {
          let instant = transition + TimeSpan(milliseconds: offset)
          let next = slow.next(atOrAfter: instant, in: zone)
          if let next, next < instant { problems.append(instant) }
          // A search that starts at an occurrence returns that occurrence and not a later one.
          for (asked, expected) in [(instant, next), (next ?? instant, next)]
          where daily.next(atOrAfter: asked, in: zone) != expected
            || cursor.next(atOrAfter: asked) != expected || memory.next(atOrAfter: asked) != expected
          {
            problems.append(asked)
          }
        }
      }
      #expect(problems.isEmpty, "\(minute): \(problems.prefix(3).map { $0.iso8601(in: zone) })")
    }
  }

  /// The fast path requires a daily recurrence at one time, without an interval, a shift, an earliest date or
  /// an end.
  @Test func `recurrences without the fast path agree with a search`() throws {
    let zone = try Zone(identifier: "Europe/Berlin")
    let start = CivilDate(year: 2026, month: 3, day: 1)
    for recurrence in [
      Recurrence(start: start, minute: 540, frequency: .daily, interval: 2),
      Recurrence(start: start, minutes: [540, 600], frequency: .daily),
      Recurrence(start: start, minutes: [540], frequency: .daily, shift: 3),
      Recurrence(start: start, minutes: [540], frequency: .daily, notBefore: start + 20),
      Recurrence(start: start, minutes: [540], frequency: .daily, count: 25),
      Recurrence(start: start, minute: 540, frequency: .once),
      Recurrence(start: start, minute: 540, frequency: .monthly),
    ] {
      let all = Array(recurrence.occurrences(in: zone).prefix(60))
      var cursor = RecurrenceCursor(recurrence, in: zone)
      var instant = zone.startOfDay(start - 2)
      while instant < zone.startOfDay(start + 28) {
        let next = all.first { $0 >= instant }
        #expect(recurrence.next(atOrAfter: instant, in: zone) == next)
        #expect(cursor.next(atOrAfter: instant) == next)
        instant = instant + .minutes(37)
      }
    }
  }

  @Test func `the distant past gives the first occurrence, and the distant future gives none`() throws {
    let zone = try Zone(identifier: "America/New_York")
    let daily = Recurrence(start: CivilDate(year: 2026, month: 3, day: 2), minute: 540, frequency: .daily)
    var cursor = RecurrenceCursor(daily, in: zone)
    let first = zone.instant(of: daily.start, minute: 540)
    let last = zone.instant(of: CivilDate(year: 9_999, month: 12, day: 31), minute: 540)
    for instant in [Instant.distantPast, first, .distantPast] {
      #expect(cursor.next(atOrAfter: instant) == first)
    }
    for days in 0..<5 {
      let instant = last - .days(Int64(days))
      #expect(
        cursor.next(atOrAfter: instant) == instant && daily.next(atOrAfter: instant, in: zone) == instant)
    }
    for instant in [last + TimeSpan(milliseconds: 1), .distantFuture] {
      #expect(cursor.next(atOrAfter: instant) == nil && daily.next(atOrAfter: instant, in: zone) == nil)
    }
  }
}

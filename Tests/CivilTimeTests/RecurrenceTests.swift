import CivilTime
import Foundation
import TestSupport
import Testing
import TriggerModel

@Suite struct RecurrenceTests {
  private static let isComplete = ProcessInfo.processInfo.environment["TRIGGERBENCH_ALL"] != nil

  /// Returns all occurrences up to the end of a year, found by testing every date.
  private func bruteForce(_ recurrence: Recurrence, through lastYear: Int, _ oracle: ZoneOracle) -> [Instant]
  {
    let anchor = recurrence.start.components
    let firstWeek = recurrence.start - recurrence.start.weekday.days(since: recurrence.weekStart ?? .monday)
    var dates: Set<CivilDate> = []
    for year in anchor.year...lastYear + 1 {
      for month in 1...12 {
        for day in 1...31 {
          let date = CivilDate(validYear: year, month: month, day: day)
          if let date, date < recurrence.start { continue }
          let inMonth = recurrence.dayOfMonth.map { fits(date, $0) } ?? (day == anchor.day)
          let months = (year - anchor.year) * 12 + month - anchor.month
          let isMeant: Bool =
            switch recurrence.frequency {
            case .once: date == recurrence.start
            case .daily: date.map { ($0 - recurrence.start) % recurrence.interval == 0 } ?? false
            case .weekly:
              date.map {
                ($0 - firstWeek) / 7 % recurrence.interval == 0
                  && (recurrence.weekdays ?? WeekdaySet(recurrence.start.weekday)).contains($0.weekday)
              } ?? false
            case .monthly:
              months >= 0 && inMonth && months % recurrence.interval == 0
            case .yearly:
              year >= anchor.year && month == anchor.month && day == anchor.day
                && (year - anchor.year) % recurrence.interval == 0
            }
          guard isMeant else { continue }
          if let moved = inCalendar(date, recurrence.skip, year, month) {
            dates.insert(moved + recurrence.shift)
          }
        }
      }
    }
    let counted = dates.sorted().filter { $0 >= recurrence.notBefore ?? $0 }
    let all = counted.flatMap { date in recurrence.minutes.map { (date, $0) } }
    var instants: Set<Instant> = []
    for (date, minute) in all.prefix(recurrence.count ?? all.count) {
      guard let moved = existing(date, recurrence.skip, oracle), moved <= recurrence.until ?? moved,
        !recurrence.exceptions.contains(moved)
      else { continue }
      let wall = Int64(moved.dayNumber) * 86_400_000 + Int64(minute) * 60_000
      if let first = oracle.instants(showing: wall).first { instants.insert(Instant(first)) }
    }
    return instants.sorted()
  }

  /// Returns whether a date is the wanted weekday of its month, found by counting.
  private func fits(_ date: CivilDate?, _ wanted: WeekdayOfMonth) -> Bool {
    guard let date else { return false }
    let first = date - (date.day - 1)
    let dates = (0..<31).map { first + $0 }.filter {
      $0.month == date.month && wanted.weekdays.contains($0.weekday)
    }
    if wanted.place < 0 { return date == dates.last }
    return wanted.place <= dates.count && date == dates[wanted.place - 1]
  }

  /// Returns the date, or what the skip rule replaces it with if the month is too short.
  private func inCalendar(
    _ date: CivilDate?, _ skip: Recurrence.Skip, _ year: Int, _ month: Int
  ) -> CivilDate? {
    let nextMonth = CivilDate(year: month == 12 ? year + 1 : year, month: month % 12 + 1, day: 1)
    if date == nil && skip == .omit { return nil }
    return date ?? (skip == .forward ? nextMonth : nextMonth - 1)
  }

  /// Returns the date, or what the skip rule replaces it with if the zone skipped it.
  private func existing(_ date: CivilDate, _ skip: Recurrence.Skip, _ oracle: ZoneOracle) -> CivilDate? {
    var date = date
    while leftOut(date, oracle) {
      if skip == .omit { return nil }
      date = skip == .forward ? date + 1 : date - 1
    }
    return date
  }

  private func leftOut(_ date: CivilDate, _ oracle: ZoneOracle) -> Bool {
    let noon = Int64(date.dayNumber) * 86_400_000 + 43_200_000
    // A date can be skipped only by a clock jump of at least a day.
    let jumps = oracle.transitions(around: noon).contains {
      oracle.wall($0) - oracle.wall($0 - 1) >= 86_400_000
    }
    return jumps && !oracle.shows(date)
  }

  @Test(
    arguments: [
      "Pacific/Apia", "Pacific/Kiritimati", "America/New_York", "Australia/Lord_Howe", "UTC", "Europe/Berlin",
      "America/Santiago", "Asia/Kolkata", "Africa/Casablanca", "America/St_Johns",
    ])
  func agreesWithWalkingOverEveryDay(identifier: String) throws {
    let oracle = try ZoneOracle.shared(identifier)
    let zone = try Zone(identifier: identifier)
    var numbers = SplitMix64(seed: 5)
    for round in 0..<20 {
      let year = identifier == "Pacific/Kiritimati" ? 1993 : 2010
      let recurrence = Self.recurrence(from: year, using: &numbers)
      let expected = bruteForce(recurrence, through: year + 9, oracle)
      let end = zone.instant(of: CivilDate(year: year + 9, month: 12, day: 31), minute: 0)
      let found = Array(recurrence.occurrences(in: zone).prefix { $0 < end })
      #expect(found == expected.filter { $0 < end }, "\(identifier) \(round): \(recurrence)")
      for _ in 0..<20 {
        let start = zone.startOfDay(recurrence.start)
        let probe = start + .minutes(Int64.random(in: -5_000...4_500_000, using: &numbers))
        for instant in [probe]
          + (expected.randomElement(using: &numbers).map { [$0, $0 + TimeSpan(milliseconds: 1)] } ?? [])
        {
          guard let next = expected.first(where: { $0 >= instant }), next < end else { continue }
          #expect(
            recurrence.next(atOrAfter: instant, in: zone) == next, "\(identifier) \(round): \(recurrence)")
        }
      }
    }
  }

  /// Ends, exceptions, several weekdays of the month and zones of their own are combined with everything else.
  /// Set TRIGGERBENCH_ALL to use 3,000 recurrences.
  @Test(
    arguments: [
      "Pacific/Apia", "Pacific/Kiritimati", "America/New_York", "Australia/Lord_Howe", "UTC", "Europe/Berlin",
      "America/Santiago", "Asia/Kolkata", "Africa/Casablanca", "America/St_Johns",
    ])
  func `ends, exceptions and positions agree with walking over every day`(identifier: String) throws {
    let oracle = try ZoneOracle.shared(identifier)
    let (zone, elsewhere) = (try Zone(identifier: identifier), try Zone(identifier: "Asia/Tokyo"))
    var numbers = SplitMix64(seed: 5_545)
    for round in 0..<(Self.isComplete ? 300 : 30) {
      let year = identifier == "Pacific/Kiritimati" ? 1993 : 2010
      var recurrence = Self.recurrence(from: year, using: &numbers)
      if recurrence.frequency == .monthly, Bool.random(using: &numbers) {
        let weekdays = numbers.one(of: [WeekdaySet.weekdays, .weekend, .all])
        recurrence.dayOfMonth = WeekdayOfMonth(numbers.one(of: WeekdayOfMonth.places), among: weekdays)
      }
      let plain = recurrence.occurrences(in: zone).prefix(40).map { zone.local(at: $0).date }
      if Bool.random(using: &numbers) {
        recurrence.until =
          plain.randomElement(using: &numbers)
          ?? recurrence.start + Int.random(in: 0...700, using: &numbers)
      }
      var exceptions: Set<CivilDate> = []
      for _ in 0..<Int.random(in: 0...5, using: &numbers) {
        exceptions.insert(
          plain.randomElement(using: &numbers)
            ?? recurrence.start + Int.random(in: 0...60, using: &numbers))
      }
      recurrence.exceptions = exceptions.sorted()
      if Bool.random(using: &numbers) { recurrence.zone = zone }
      let asked = recurrence.zone == nil ? zone : elsewhere

      let expected = bruteForce(recurrence, through: year + 1, oracle)
      let end = zone.instant(of: CivilDate(year: year + 1, month: 12, day: 31), minute: 0)
      let found = Array(recurrence.occurrences(in: asked).prefix { $0 < end })
      #expect(found == expected.filter { $0 < end }, "\(identifier) \(round): \(recurrence)")
      var cursor = RecurrenceCursor(recurrence, in: asked)
      for _ in 0..<5 {
        let probe =
          zone.startOfDay(recurrence.start)
          + .minutes(Int64.random(in: -5_000...900_000, using: &numbers))
        let near = expected.randomElement(using: &numbers) ?? probe
        for instant in [probe, near, near + TimeSpan(milliseconds: 1)] {
          let next = expected.first { $0 >= instant }
          guard next.map({ $0 < end }) ?? false else { continue }
          #expect(
            recurrence.next(atOrAfter: instant, in: asked) == next, "\(identifier) \(round): \(recurrence)")
          #expect(cursor.next(atOrAfter: instant) == next, "\(identifier) \(round): \(recurrence)")
        }
      }
    }
  }

  private static func recurrence(from year: Int, using numbers: inout SplitMix64) -> Recurrence {
    let month = Int.random(in: 1...12, using: &numbers)
    let lengths = [29, 30, 31, Int.random(in: 1...28, using: &numbers)]
    let day = min(numbers.one(of: lengths), CivilDate.days(inMonth: month, of: year + 2))
    let start = CivilDate(year: year, month: month, day: min(day, CivilDate.days(inMonth: month, of: year)))
    let frequency = numbers.one(of: Recurrence.Frequency.allCases)
    let further = Int.random(in: 0...2, using: &numbers)
    let minutes = Set((0...further).map { _ in numbers.one(of: [0, 20, 150, 540, 720, 1_439]) })
    return Recurrence(
      start: start, minutes: minutes.sorted(), frequency: frequency,
      interval: numbers.one(of: [1, 1, 2, 3, 5, 18]),
      skip: numbers.one(of: Recurrence.Skip.allCases),
      weekdays: Bool.random(using: &numbers)
        ? WeekdaySet(rawValue: UInt8.random(in: 1...127, using: &numbers)) : nil,
      weekStart: numbers.one(of: Weekday.allCases),
      dayOfMonth: frequency == .monthly && Bool.random(using: &numbers)
        ? WeekdayOfMonth(numbers.one(of: WeekdayOfMonth.places), numbers.one(of: Weekday.allCases)) : nil,
      shift: numbers.one(of: [0, 0, 0, -30, -7, 7, 400]),
      notBefore: numbers.one(of: [nil, nil, start - 3, start + 40, start + 500]),
      count: numbers.one(of: [nil, nil, 1, 2, 5, 40]))
  }

  @Test(
    arguments: [
      (.omit, ["2011-12-29", "2011-12-31", "2012-01-01"]),
      (.backward, ["2011-12-29", "2011-12-31", "2012-01-01"]),
      (.forward, ["2011-12-29", "2011-12-31", "2012-01-01"]),
    ] as [(Recurrence.Skip, [String])])
  func `a daily recurrence handles a date that Samoa skipped`(skip: Recurrence.Skip, dates: [String]) throws {
    #expect(try days(start: "2011-12-29", .daily, skip) == dates)
  }

  @Test(
    arguments: [
      (.omit, ["2011-11-30", "2012-01-30", "2012-03-30"]),
      (.backward, ["2011-11-30", "2011-12-29", "2012-01-30"]),
      (.forward, ["2011-11-30", "2011-12-31", "2012-01-30"]),
    ] as [(Recurrence.Skip, [String])])
  func `a monthly recurrence on the 30th handles a date that Samoa skipped`(
    skip: Recurrence.Skip, dates: [String]
  ) throws {
    #expect(try days(start: "2011-11-30", .monthly, skip) == dates)
  }

  private func days(
    start: String, _ frequency: Recurrence.Frequency, _ skip: Recurrence.Skip
  ) throws -> [String] {
    let apia = try Zone(identifier: "Pacific/Apia")
    let recurrence = Recurrence(
      start: try CivilDate(iso8601: start), minute: 600, frequency: frequency, skip: skip)
    return recurrence.occurrences(in: apia).prefix(3).map { apia.local(at: $0).date.iso8601 }
  }

  @Test func `a start on a skipped date is handled`() throws {
    let apia = try Zone(identifier: "Pacific/Apia")
    let start = CivilDate(year: 2011, month: 12, day: 30)
    for (skip, expected) in [
      (Recurrence.Skip.omit, [String]()), (.backward, ["2011-12-29T10:00:00-10:00"]),
      (.forward, ["2011-12-31T10:00:00+14:00"]),
    ] {
      let once = Recurrence(start: start, minute: 600, frequency: .once, skip: skip)
      #expect(once.occurrences(in: apia).map { $0.iso8601(in: apia) } == expected)
      #expect(once.next(atOrAfter: Instant(0), in: apia)?.iso8601(in: apia) == expected.first)
    }
  }

  @Test func `a gap moves an occurrence and a fold does not repeat it`() throws {
    let newYork = try Zone(identifier: "America/New_York")
    func times(_ start: CivilDate, _ minute: Int) -> [String] {
      Recurrence(start: start, minute: minute, frequency: .daily).occurrences(in: newYork).prefix(3)
        .map { $0.iso8601(in: newYork) }
    }
    #expect(
      times(CivilDate(year: 2026, month: 3, day: 7), 150) == [
        "2026-03-07T02:30:00-05:00", "2026-03-08T03:00:00-04:00", "2026-03-09T02:30:00-04:00",
      ])
    #expect(
      times(CivilDate(year: 2026, month: 10, day: 31), 90) == [
        "2026-10-31T01:30:00-04:00", "2026-11-01T01:30:00-04:00", "2026-11-02T01:30:00-05:00",
      ])
  }

  @Test func `occurrences far from the start are found without counting`() throws {
    let utc = try Zone(identifier: "UTC")
    let daily = Recurrence(
      start: CivilDate(year: 1, month: 1, day: 1), minute: 0, frequency: .daily, interval: 7)
    let next = try #require(daily.next(atOrAfter: try Instant(iso8601: "9000-01-01T00:00Z"), in: utc))
    #expect((utc.local(at: next).date - daily.start) % 7 == 0)
    #expect(next - (try Instant(iso8601: "9000-01-01T00:00Z")) < .days(7))
  }

  @Test func `the distant past and the distant future are valid arguments`() throws {
    for identifier in ["America/New_York", "Pacific/Apia"] {
      let zone = try Zone(identifier: identifier)
      let daily = Recurrence(start: CivilDate(year: 2026, month: 3, day: 2), minute: 540, frequency: .daily)
      #expect(daily.next(atOrAfter: .distantPast, in: zone) == zone.instant(of: daily.start, minute: 540))
      #expect(daily.next(atOrAfter: .distantFuture, in: zone) == nil)
    }
  }

  @Test func `the calendar ends with the year 9999`() throws {
    let utc = try Zone(identifier: "UTC")
    let last = Recurrence(start: CivilDate(year: 9_999, month: 12, day: 30), minute: 0, frequency: .daily)
    #expect(last.occurrences(in: utc).map(\.iso8601) == ["9999-12-30T00:00:00Z", "9999-12-31T00:00:00Z"])
    #expect(last.next(atOrAfter: try Instant(iso8601: "9999-12-31T00:01Z"), in: utc) == nil)
    let rare = Recurrence(
      start: CivilDate(year: 2000, month: 2, day: 29), minute: 0, frequency: .yearly, interval: 100,
      skip: .omit)
    #expect(rare.occurrences(in: utc).prefix(3).map { utc.local(at: $0).date.year } == [2000, 2400, 2800])
    for frequency in Recurrence.Frequency.allCases {
      let widest = Recurrence(
        start: CivilDate(year: 2000, month: 1, day: 1), minute: 0, frequency: frequency,
        interval: Recurrence.intervals.upperBound)
      #expect(Array(widest.occurrences(in: utc)).count >= 1)
      #expect(widest.next(atOrAfter: try Instant(iso8601: "9999-12-31T00:00Z"), in: utc) == nil)
    }
  }

  @Test func `a recurrence without weekdays has no occurrences`() throws {
    let utc = try Zone(identifier: "UTC")
    let never = Recurrence(
      start: CivilDate(year: 2026, month: 1, day: 1), minute: 0, frequency: .weekly, weekdays: [])
    #expect(never.next(atOrAfter: Instant(0), in: utc) == nil)
    #expect(Array(never.occurrences(in: utc)) == [])
  }
}

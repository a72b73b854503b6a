import Foundation
import TestSupport
import Testing
import TriggerModel

@testable import CivilTime

@Suite struct CivilTextTests {
  @Test func `written texts parse to the same values`() throws {
    var numbers = SplitMix64(seed: 3)
    let zones = try ["UTC", "Africa/Monrovia", "Asia/Kathmandu", "America/St_Johns"].map(
      Zone.init(identifier:))
    for _ in 0..<5_000 {
      let milliseconds = Int64.random(in: -62_000_000_000_000..<253_000_000_000_000, using: &numbers)
      let instant = Instant(numbers.one(of: [milliseconds, milliseconds / 1_000 * 1_000]))
      #expect(try Instant(iso8601: instant.iso8601) == instant)
      let text = instant.iso8601(in: numbers.one(of: zones))
      #expect(try Instant(iso8601: text) == instant, "\(text)")
      let local = zones[0].local(at: instant)
      #expect(try LocalTime(iso8601: local.iso8601) == local)
      #expect(try CivilDate(iso8601: local.date.iso8601) == local.date)
      #expect(try MinuteOfDay.parse(MinuteOfDay.text(local.minuteOfDay)) == local.minuteOfDay)
    }
  }

  @Test func `instants agree with Foundation's texts`() throws {
    let style = Date.ISO8601FormatStyle()
    var numbers = SplitMix64(seed: 4)
    for _ in 0..<500 {
      let seconds = Int64.random(in: 0..<4_000_000_000, using: &numbers)
      let date = Date(timeIntervalSince1970: Double(seconds))
      #expect(Instant(seconds * 1_000).iso8601 == style.format(date))
      #expect(try Instant(iso8601: style.format(date)) == Instant(seconds * 1_000))
    }
  }

  @Test(
    arguments: [
      ("1970-01-01T00:00Z", 0), ("1970-01-01T00:00:00.001Z", 1), ("1970-01-01T00:00:01.5Z", 1_500),
      ("1969-12-31T23:59:59.999Z", -1), ("1970-01-01T01:00:00+01:00", 0), ("1969-12-31T23:15:30-00:44:30", 0),
      ("2026-01-10T20:59:59.999Z", 1_768_078_799_999), ("2000-02-29T00:00-00:00", 951_782_400_000),
    ] as [(String, Int64)])
  func instantsThatAreRead(text: String, milliseconds: Int64) throws {
    #expect(try Instant(iso8601: text) == Instant(milliseconds))
  }

  @Test(
    arguments: [
      ("", "the year must have 4 digits"), ("26-01-10T20:59Z", "the year must have 4 digits"),
      ("2026-1-10T20:59Z", "the month must have 2 digits"), ("2026-13-10T20:59Z", "there is no month 13"),
      ("2026-00-10T20:59Z", "there is no month 0"), ("2026-02-29T20:59Z", "February 2026 has 28 days"),
      ("2026-04-00T20:59Z", "April 2026 has 30 days"), ("2026/04/01T20:59Z", "\"-\" must follow the year"),
      ("2026-01-10 20:59Z", "\"T\" must follow the date"), ("2026-01-10T24:00Z", "hours are 00 to 23"),
      ("2026-01-10T20:60Z", "minutes are 00 to 59"), ("2026-01-10T23:59:60Z", "seconds are 00 to 59"),
      ("2026-01-10T20:59:59.1234Z", "seconds have at most three decimals"),
      ("2026-01-10T20:59:59.Z", "decimals are missing after the point"),
      ("2026-01-10T20:59", "it must end in Z or in an offset such as +01:00"),
      ("2026-01-10T20:59+1:00", "the hour must have 2 digits"),
      ("2026-01-10T20:59+0100", "\":\" must follow the hour"),
      ("2026-01-10T20:59Zulu", "\"ulu\" is left over"), ("２０２６-01-10T20:59Z", "the year must have 4 digits"),
      ("2026-01-10T20:59−01:00", "it must end in Z or in an offset such as +01:00"),
    ])
  func instantsThatAreRefused(text: String, problem: String) {
    #expect(throws: InvalidCivilText(text: text, expected: .instant, problem: problem)) {
      try Instant(iso8601: text)
    }
  }

  @Test func `an error names the expected form`() {
    #expect(
      InvalidCivilText(text: "8:10", expected: .time, problem: "the hour must have 2 digits").description
        == "\"8:10\" is not a time such as 08:10: the hour must have 2 digits")
    #expect(throws: InvalidCivilText.self) { try MinuteOfDay.parse("08:10:00") }
    #expect(throws: InvalidCivilText.self) { try CivilDate(iso8601: "2026-03-02T07:00") }
    #expect(throws: InvalidCivilText.self) { try LocalTime(iso8601: "2026-03-02T07:00Z") }
  }

  @Test func `instants beyond four-digit years are written as distantPast or distantFuture`() throws {
    let apia = try Zone(identifier: "Pacific/Apia")
    #expect(Instant.distantFuture.iso8601 == "distantFuture")
    #expect(Instant.distantPast.iso8601(in: apia) == "distantPast")
    // The last instant of 9999 in UTC is already in the next year in Apia.
    #expect(try Instant(iso8601: "9999-12-31T23:59:59Z").iso8601(in: apia) == "+10000-01-01T12:59:59+13:00")
  }
}

@Suite struct CivilDateTests {
  @Test func `dates and day numbers agree with counting day by day`() {
    // Compare the closed form with the rules of the calendar, applied day by day.
    var (year, month, day) = (1599, 12, 31)
    let first = CivilDate(year: year, month: month, day: day)
    for step in 0..<300_000 {
      let date = first + step
      #expect(date.components == (year, month, day), "day \(step)")
      #expect(CivilDate(validYear: year, month: month, day: day) == date, "day \(step)")
      day += 1
      if day > CivilDate.days(inMonth: month, of: year) { (month, day) = (month + 1, 1) }
      if month > 12 { (year, month) = (year + 1, 1) }
    }
  }
}

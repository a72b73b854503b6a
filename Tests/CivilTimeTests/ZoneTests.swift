import Testing
import TriggerModel

@testable import CivilTime

@Suite struct ZoneTests {
  @Test(
    arguments: [
      ("Europe/Berln", ["Europe/Berlin"]), ("europe/berlin", ["Europe/Berlin"]),
      ("America/New York", ["America/New_York"]), ("EST", []), ("GMT+3", []), ("", []),
      ("Mars/Olympus_Mons", []), ("UT", ["UTC"]), ("Europe/Berlin ", ["Europe/Berlin"]),
    ] as [(String, [String])])
  func unknownZonesAreRefusedWithTheNearestNames(identifier: String, nearest: [String]) {
    #expect(throws: UnknownZone(identifier: identifier, nearest: nearest)) {
      try Zone(identifier: identifier)
    }
  }

  @Test func `the error for an unknown zone suggests a remedy`() {
    #expect(
      UnknownZone(identifier: "Europe/Berln", nearest: ["Europe/Berlin"]).description
        == "unknown time zone \"Europe/Berln\"; did you mean Europe/Berlin?")
    #expect(
      UnknownZone(identifier: "EST", nearest: []).description
        == "unknown time zone \"EST\"; use an identifier such as Europe/Berlin or UTC")
  }

  @Test(arguments: ["UTC", "GMT", "Asia/Kolkata", "Asia/Calcutta", "US/Eastern", "Etc/GMT+5"])
  func `links and UTC are accepted`(identifier: String) throws {
    #expect(try Zone(identifier: identifier).identifier == identifier)
  }

  @Test func `a link equals the zone that it refers to`() throws {
    let whole = Instant.distantPast..<Instant.distantFuture
    #expect(
      try Zone(identifier: "US/Eastern").transitions(in: whole)
        == Zone(identifier: "America/New_York").transitions(in: whole))
  }

  @Test func `days without midnight begin at their first instant`() throws {
    for (identifier, date, start) in [
      ("Africa/Cairo", "2026-04-24", "2026-04-24T01:00:00+03:00"),
      ("America/Sao_Paulo", "2018-11-04", "2018-11-04T01:00:00-02:00"),
      ("America/Santiago", "2026-09-06", "2026-09-06T01:00:00-03:00"),
      ("Asia/Beirut", "2026-03-29", "2026-03-29T01:00:00+03:00"),
      ("Pacific/Apia", "2011-12-30", "2011-12-31T00:00:00+14:00"),
      ("Europe/Berlin", "2026-03-29", "2026-03-29T00:00:00+01:00"),
    ] {
      let zone = try Zone(identifier: identifier)
      let day = zone.startOfDay(try CivilDate(iso8601: date))
      #expect(day.iso8601(in: zone) == start, "\(identifier)")
    }
  }

  @Test func `skipped dates are known`() throws {
    for (identifier, date) in [
      ("Pacific/Apia", "2011-12-30"), ("Pacific/Fakaofo", "2011-12-30"),
      ("Pacific/Kiritimati", "1994-12-31"), ("Pacific/Enderbury", "1994-12-31"),
      ("Pacific/Kwajalein", "1993-08-21"),
    ] {
      let zone = try Zone(identifier: identifier)
      let oracle = try ZoneOracle.shared(identifier)
      let skipped = try CivilDate(iso8601: date)
      for distance in -3...3 {
        #expect(zone.skips(skipped + distance) == (distance == 0), "\(identifier) \(date) \(distance)")
        #expect(oracle.shows(skipped + distance) == (distance != 0), "\(identifier) \(date) \(distance)")
      }
    }
  }

  /// Newfoundland used to change its clocks at 00:01. A minute after midnight, the date went back to the
  /// previous day.
  @Test func `a fold across midnight goes back to the previous date`() throws {
    let zone = try Zone(identifier: "America/St_Johns")
    let fold = try Instant(iso8601: "2010-11-07T00:01-02:30")
    #expect(zone.transitions(in: fold..<fold + .seconds(1)) == [fold])
    #expect(zone.local(at: fold - .seconds(1)).iso8601 == "2010-11-07T00:00:59")
    #expect(zone.local(at: fold).iso8601 == "2010-11-06T23:01:00")
    #expect(zone.startOfDay(CivilDate(year: 2010, month: 11, day: 7)) == fold - .minutes(1))
    // A window that starts at midnight remains open when the date goes back to the previous day.
    let early = DailyWindow(from: 0, to: 6 * 60)
    #expect(early.contains(zone.hands(at: fold)))
    #expect(!early.contains(zone.hands(at: fold - .seconds(61))))
  }

  @Test func `the first and the last offset apply outside the range of the table`() throws {
    let zone = try Zone(identifier: "Europe/Berlin")
    #expect(zone.offset(at: try Instant(iso8601: "1900-07-01T00:00Z")) == .hours(1))
    #expect(zone.offset(at: try Instant(iso8601: "2500-07-01T00:00Z")) == .hours(1))
    #expect(
      zone.instant(of: CivilDate(year: 2500, month: 7, day: 1), minute: 60).iso8601 == "2500-07-01T00:00:00Z")
  }

  @Test func `a zone table contains each zone once`() throws {
    var table = ZoneTable()
    let berlin = try table.intern("Europe/Berlin")
    let apia = try table.intern("Pacific/Apia")
    #expect(try table.intern("Europe/Berlin") == berlin)
    #expect(table.zones.map(\.identifier) == ["Europe/Berlin", "Pacific/Apia"])
    #expect(table[apia].identifier == "Pacific/Apia")
    #expect(throws: UnknownZone.self) { try table.intern("Pacific/Apai") }
    #expect(table.zones.count == 2)
  }

  @Test func `the version of the data is a year and a letter`() {
    #expect(Zone.dataVersion.wholeMatch(of: /20\d\d[a-z]/) != nil)
  }
}

@Suite struct PlainDayTests {
  @Test(arguments: ["UTC", "Europe/Berlin", "Asia/Kathmandu", "Australia/Lord_Howe", "America/St_Johns"])
  func `a plain day agrees with its zone`(identifier: String) throws {
    let zone = try Zone(identifier: identifier)
    var cursor = ZoneCursor(zone)
    let start = Instant(millisecondsSince1970: 1_767_222_000_001)
    for step in 0..<1_000 {
      guard let day = cursor.plainDay(around: start + .minutes(487 * Int64(step))) else { continue }
      let last = day.end - TimeSpan(milliseconds: 1)
      for instant in [day.start, start + .minutes(487 * Int64(step)), last] {
        #expect(day.contains(instant))
        let minute = zone.local(at: instant).minuteOfDay
        #expect(day.minute(at: instant) == minute)
        #expect(Int(day.quarter(at: instant)) == minute / 15)
      }
    }
  }
}

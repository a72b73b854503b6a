import CivilTime
import Testing
import TriggerModel

@Suite struct PlainDayTests {
  @Test(arguments: ["UTC", "Europe/Berlin", "Asia/Kathmandu", "Australia/Lord_Howe", "America/St_Johns"])
  func withinItAPlainDayTellsTheTimeAsItsZoneDoes(identifier: String) throws {
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

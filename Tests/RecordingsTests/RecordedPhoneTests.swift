import CivilTime
import Foundation
import TestSupport
import Testing
import TriggerModel

@testable import Recordings

/// Tests how tables are split into days.
@Suite struct RecordedPhoneTests {
  /// The rows of a screen table and a battery table. Times are in hours since `midnight`, in the zone of
  /// Helsinki.
  private struct Tables {
    var screen = "time,screen_status\n"
    var battery = "time,battery_level,battery_status,battery_adaptor\n"
    /// Monday, 6 March 2017, 00:00 in Helsinki.
    static let midnight = 1_488_751_200.0

    mutating func screen(_ hours: Double, _ status: Int) {
      screen += "\(Tables.midnight + hours * 3_600),\(status)\n"
    }

    mutating func battery(_ hours: Double, plugged: Bool) {
      battery += "\(Tables.midnight + hours * 3_600),80,\(plugged ? 2 : 3),\(plugged ? 2 : 0)\n"
    }

    func phone() throws -> RecordedPhone {
      RecordedPhone(
        screen: try AwareReader.screen(Data(screen.utf8), file: "screen.csv"),
        battery: try AwareReader.battery(Data(battery.utf8), file: "battery.csv"),
        in: try Zone(identifier: "Europe/Helsinki"))
    }
  }

  @Test func `a day starts at 04:00 in the state in which the previous day ended`() throws {
    var tables = Tables()
    tables.battery(1, plugged: false)
    for day in 0..<5 {
      let hours = Double(day) * 24
      tables.screen(hours + 3.5, 3)
      tables.screen(hours + 8, 2)
      tables.battery(hours + 23, plugged: true)
      tables.battery(hours + 30.5, plugged: false)
    }
    let phone = try tables.phone()
    // Sunday starts before the first row. On Friday and Saturday, the screen table has too few rows.
    #expect(phone.days.map { $0.date.weekday } == [.monday, .tuesday, .wednesday, .thursday])
    #expect(phone.days[1].beginning == .init(isUnlocked: true, isPlugged: true))
    #expect(
      phone.days[1].events == [
        .init(second: 23_400, change: .unplugged), .init(second: 28_800, change: .locked),
        .init(second: 82_800, change: .pluggedIn), .init(second: 99_000, change: .unlocked),
      ])
    #expect(phone.incompleteDates == 3)
  }

  @Test func `a date on which a table has no rows is omitted`() throws {
    var tables = Tables()
    for day in 0..<6 {
      let hours = Double(day) * 24
      if day != 2 { tables.screen(hours + 9, 3) }
      if day != 2 { tables.screen(hours + 10, 2) }
      if day != 3 { tables.battery(hours + 12, plugged: day % 2 == 0) }
    }
    let phone = try tables.phone()
    #expect(phone.days.map { $0.date.weekday } == [.tuesday, .friday])
    #expect(phone.incompleteDates == 4)
    #expect(phone.ofWeekday[Int(Weekday.friday.rawValue)] == [1])
  }

  @Test(arguments: [true, false])
  func `before its first lock or unlock, the phone is in the opposite state`(isLocked: Bool) throws {
    var tables = Tables()
    // The screen turns on every day. Only one row, on Tuesday, states whether the phone is locked.
    for hours in [3.0, 12, 36, 37, 60, 84] {
      tables.screen(hours, hours == 37 ? (isLocked ? 2 : 3) : 1)
      tables.battery(hours, plugged: false)
    }
    let days = try tables.phone().days
    #expect(days.map { $0.date.weekday } == [.monday, .tuesday, .wednesday])
    #expect(days.map(\.beginning.isUnlocked) == [isLocked, isLocked, !isLocked])
  }

  @Test func `a day is used only if the tables cover it completely`() throws {
    for (first, last, whole) in [(4.0, 28.0, 1), (4.001, 28, 0), (4, 27.999, 0)] {
      var tables = Tables()
      for hours in [first, 12, last] {
        tables.screen(hours, hours == 12 ? 2 : 3)
        tables.battery(hours, plugged: hours == 12)
      }
      let phone = try tables.phone()
      #expect(phone.days.count == whole, "from \(first) to \(last)")
      #expect(phone.incompleteDates == (last == 28 ? 2 : 1) - whole, "from \(first) to \(last)")
    }
  }

  @Test func `a table without rows has no days`() throws {
    let phone = RecordedPhone(
      screen: try AwareReader.screen(Data("time,screen_status\n1488751200,3\n".utf8), file: "a.csv"),
      battery: nil, in: try Zone(identifier: "Europe/Helsinki"))
    #expect(phone.days.isEmpty && phone.incompleteDates == 1)
  }
}

/// One month of a real phone.
@Suite(.enabled(if: Shared.isAvailable, Shared.skipReason))
struct RecordedMonthTests {
  @Test func `the days of a month contain each change of the tables exactly once`() throws {
    let zone = try Zone(identifier: "Europe/Helsinki")
    let screen = try AwareReader.screen(
      Shared.data("traces/phone/AwareScreen_1month.csv"), file: "screen.csv")
    let battery = try AwareReader.battery(
      Shared.data("traces/phone/AwareBattery_1month.csv"), file: "battery.csv")
    let phone = RecordedPhone(screen: screen, battery: battery, in: zone)
    #expect(phone.days.count >= 28 && phone.ofWeekday.allSatisfy { $0.count >= 4 })
    let changes = screen.changes(screen.unlockRule)
    for day in phone.days {
      func four(_ date: CivilDate) -> Instant {
        zone.instant(of: LocalTime(date: date, millisecondOfDay: 14_400_000))
      }
      let span = four(day.date)..<four(day.date + 1)
      let unlocks = changes.count { $0.kind == .unlocked && span.contains($0.row.instant) }
      #expect(day.events.count { $0.change == .unlocked } == unlocks, "\(day.date)")
      var state = day.beginning
      var last = RecordedDay.start
      for event in day.events {
        #expect(event.second >= last && event.second < RecordedDay.end)
        last = event.second
        let before = state
        state.apply(event.change)
        #expect(state != before, "\(day.date) \(event)")
      }
      if let next = phone.days.first(where: { $0.date == day.date + 1 }) { #expect(next.beginning == state) }
    }
  }
}

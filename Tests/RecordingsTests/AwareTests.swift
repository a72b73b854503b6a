import Foundation
import Recordings
import TestSupport
import Testing
import TriggerModel

/// Compares the results for one month of a real phone with those of an independent count that splits lines at
/// commas.
@Suite(.enabled(if: Shared.isAvailable, Shared.skipReason))
struct AwareMonthTests {
  private func naive(_ path: String) throws -> [[String]] {
    try String(decoding: Shared.data(path), as: UTF8.self).split(whereSeparator: \.isNewline).dropFirst()
      .map { $0.split(separator: ",").map(String.init) }
  }

  private let batteryPath = "traces/phone/AwareBattery_1month.csv"
  private let screenPath = "traces/phone/AwareScreen_1month.csv"

  @Test func `both rules count the unlocks of the month`() throws {
    let table = try AwareReader.screen(Shared.data(screenPath), file: "screen.csv")
    let rows = try naive(screenPath)
    var (every, afterLock, hasLocked) = (0, 0, false)
    for row in rows {
      if row[1] == "2" { hasLocked = true }
      guard row[1] == "3" else { continue }
      every += 1
      if hasLocked { afterLock += 1 }
      hasLocked = false
    }
    #expect(rows.count == 5_278 && every == 920 && afterLock == 835)
    #expect(table.rows.count == rows.count)
    #expect(table.unlocks(.everyRow).count == every)
    #expect(table.unlocks(.lockedSince).count == afterLock)
    #expect(table.timeUnit == .seconds)
  }

  @Test func `both rules count the charging starts of the month`() throws {
    let table = try AwareReader.battery(Shared.data(batteryPath), file: "battery.csv")
    let rows = try naive(batteryPath)
    var (adaptor, status) = (0, 0)
    for (before, row) in zip(rows, rows.dropFirst()) {
      if before[4] == "0", row[4] != "0" { adaptor += 1 }
      if !["2", "5"].contains(before[2]), ["2", "5"].contains(row[2]) { status += 1 }
    }
    #expect(rows.count == 8_398 && adaptor == 69 && status == 84)
    #expect(table.rows.count == rows.count)
    #expect(table.changes(.adaptor).filter { $0.kind == .chargingStarted }.count == adaptor)
    #expect(table.changes(.status).filter { $0.kind == .chargingStarted }.count == status)
  }

  @Test func `the shutdown and the reboot of the month are found`() throws {
    let table = try AwareReader.battery(Shared.data(batteryPath), file: "battery.csv")
    #expect(table.rows.filter { $0.status == .shutdown }.count == 2)
    #expect(table.rows.filter { $0.status == .reboot }.count == 2)
    let changes = table.changes(.adaptor)
    #expect(changes.filter { $0.kind == .shutdown }.map(\.row.line) == [4_942])
    #expect(changes.filter { $0.kind == .reboot }.map(\.row.line) == [4_945])
  }

  @Test func `rows out of order are counted and sorted`() throws {
    let battery = try AwareReader.battery(Shared.data(batteryPath), file: "battery.csv")
    let screen = try AwareReader.screen(Shared.data(screenPath), file: "screen.csv")
    #expect(
      battery.summary.lines == [
        "battery.csv: 8398 read, 8398 taken",
        "1 earlier than the previous one; sorted by time (first at line 6665)",
      ])
    #expect(
      screen.summary.lines == [
        "screen.csv: 5278 read, 5278 taken",
        "1 earlier than the previous one; sorted by time (first at line 4290)",
      ])
    let times = battery.rows.map(\.instant)
    #expect(times == times.sorted())
    #expect(screen.rows.first?.instant.millisecondsSince1970 == 1_488_346_471_195)
  }

  @Test func `a table of several devices requires a selected device`() throws {
    let data = try Shared.data("traces/phone/multiuser_AwareBattery.csv")
    #expect(throws: RecordingError.self) { try AwareReader.battery(data, file: "battery.csv") }
    let one = try AwareReader.battery(
      data, file: "battery.csv", options: .init(device: "OWd1Uau8POix"))
    #expect(one.rows.count == 140)
    #expect(one.summary.count(.otherDevice) == 233 + 132 + 129)
  }
}

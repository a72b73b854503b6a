import Foundation
import Recordings
import TestSupport
import Testing
import TriggerModel

struct AwareRulesTests {
  private func screen(_ text: String, _ options: AwareReader.Options = .init()) throws(RecordingError)
    -> AwareTable<ScreenRow>
  {
    try AwareReader.screen(Data(text.utf8), file: "screen.csv", options: options)
  }

  private func battery(_ text: String, _ options: AwareReader.Options = .init()) throws(RecordingError)
    -> AwareTable<BatteryRow>
  {
    try AwareReader.battery(Data(text.utf8), file: "battery.csv", options: options)
  }

  @Test func `seconds and milliseconds are distinguished`() throws {
    let seconds = try screen("time,screen_status\n1488346471.195,1\n")
    let milliseconds = try screen("_id,timestamp,device_id,screen_status\r\n1,1488346471195,a,1\r\n")
    #expect(seconds.timeUnit == .seconds && milliseconds.timeUnit == .milliseconds)
    #expect(seconds.rows.map(\.instant) == milliseconds.rows.map(\.instant))
    let mixed = try screen("time,screen_status\n1488346471.195,1\n1488346472195,0\n")
    #expect(mixed.summary.count(.otherTimeUnit) == 1 && mixed.rows.count == 1)
  }

  @Test func `unusable rows are counted`() throws {
    let table = try screen(
      "\u{FEFF}\"screen_status\",\"a, \"\"b\"\"\nc\",time\n1,x,1488346471\n\n4,x,1488346472\n1.5,x,1488346473\n"
        + "x,,1488346474\n2,\"q\nr\",1488346475\n2,x\n3,x,\n3,x,1e30\n3,x,1488346476,\n0,x,1488346470.0")
    #expect(table.rows.map(\.status) == [.off, .on, .locked])
    #expect(
      table.summary.lines == [
        "screen.csv: 10 read, 3 taken",
        "2 with more or fewer fields than the header: omitted (first at line 10)",
        "3 with a number that cannot be read: omitted (first at line 6)",
        "1 with an unknown code: omitted (first at line 5)",
        "1 with a time in another unit than the first row's: omitted (first at line 12)",
        "1 earlier than the previous one; sorted by time (first at line 14)",
      ])
  }

  @Test func `the codes of both platforms are read`() throws {
    let rows = [-3, -1, 0, 1, 2, 3, 4, 5].enumerated().map { "\(1_488_346_471 + $0),50,\($1),2,0\n" }.joined()
    let text = "time,battery_level,battery_status,battery_health,battery_adaptor\n" + rows
    let android = try battery(text)
    #expect(
      android.rows.map(\.status) == [
        .reboot, .shutdown, .unknown, .charging, .discharging, .notCharging, .full,
      ])
    #expect(android.summary.count(.unknownCode) == 1)
    let old = try battery(text, .init(platform: .iOSVersion1))
    #expect(
      old.rows.map(\.status) == [.reboot, .shutdown, .unknown, .discharging, .charging, .full, .full])
  }

  @Test func `the changes of a battery table follow from its rows`() throws {
    let table = try battery(
      """
      time,battery_level,battery_status,battery_adaptor
      1000,50,2,2
      1001,51,2,2
      1002,51,3,0
      1003,51,3,0
      1004,51,2,1
      1005,52,5,1
      1006,52,-1,0
      1007,52,-1,0
      1008,52,-3,0
      1009,52,5,2
      """)
    let kinds = { (rule: ChargingRule) in
      table.changes(rule).map { "\($0.row.line) \($0.kind)" }
    }
    #expect(
      kinds(.adaptor) == [
        "2 level", "3 level", "4 chargingStopped", "6 chargingStarted", "7 level", "8 chargingStopped",
        "8 shutdown",
        "10 reboot", "11 chargingStarted",
      ])
    #expect(kinds(.status) == kinds(.adaptor))
  }

  @Test func `the locks and unlocks of a screen table follow from its rows`() throws {
    let statuses = [3, 2, 0, 2, 1, 3, 1, 3, 2, 3]
    let text = "time,screen_status\n" + statuses.enumerated().map { "\(1000 + $0),\($1)\n" }.joined()
    let table = try screen(text)
    #expect(table.unlocks(.everyRow).map(\.line) == [2, 7, 9, 11])
    #expect(table.unlocks(.lockedSince).map(\.line) == [2, 7, 11])
    #expect(table.changes(.lockedSince).filter { $0.kind == .locked }.map(\.row.line) == [3, 10])
    #expect(table.unlockRule == .lockedSince)
  }

  @Test func `in a table without locks, each unlock implies a lock`() throws {
    let statuses = [0, 1, 3, 0, 1, 3, 1, 3, 0, 0, 1]
    let text = "time,screen_status\n" + statuses.enumerated().map { "\(1000 + $0),\($1)\n" }.joined()
    let table = try screen(text)
    #expect(table.unlockRule == .everyRow)
    let changes = table.changes(table.unlockRule).map { "\($0.row.line) \($0.kind)" }
    #expect(changes == ["4 unlocked", "5 locked", "7 unlocked", "9 locked", "9 unlocked", "10 locked"])
    #expect(table.summary.lines.last?.hasPrefix("2 of unlocks in a table without locks") == true)
  }

  /// Compares unlocks with those of a simple reference. In it, an unlocked row counts if a lock occurred
  /// since the last unlock, or if the table has no locks.
  @Test func `the unlocks of any table equal those of the reference`() throws {
    var random = SplitMix64(seed: 10)
    for round in 0..<200 {
      let codes = round % 2 == 0 ? [0, 1, 3] : [0, 1, 2, 3]
      let statuses = (0..<40).map { _ in codes[Int(random.next() % UInt64(codes.count))] }
      let table = try screen(
        "time,screen_status\n" + statuses.enumerated().map { "\(1000 + $0),\($1)\n" }.joined())
      let neverLocked = !statuses.contains(2)
      let unlocks = statuses.indices.filter { index in
        guard statuses[index] == 3 else { return false }
        // If the table starts with an unlocked row, the phone was locked before it.
        guard let before = statuses[..<index].lastIndex(of: 3) else { return true }
        return neverLocked || statuses[before..<index].contains(2)
      }
      #expect(table.unlocks(table.unlockRule).map(\.line) == unlocks.map { $0 + 2 }, "\(statuses)")
      let kinds = table.changes(table.unlockRule).map(\.kind)
      #expect(zip(kinds, kinds.dropFirst()).allSatisfy { $0 != $1 }, "\(statuses)")
    }
  }

  @Test func `after a shutdown without a reboot row, the next row implies the reboot`() throws {
    let codes = [3, -1, -1, 3, -3, 3, -1, 3, 3, -1, 2]
    let text =
      "time,battery_level,battery_status,battery_adaptor\n"
      + codes.enumerated().map { "\(1000 + $0),50,\($1),0\n" }.joined()
    let changes = try battery(text).changes(.adaptor).filter { $0.kind == .shutdown || $0.kind == .reboot }
    #expect(
      changes.map { "\($0.row.line) \($0.kind)" } == [
        "3 shutdown", "6 reboot", "8 shutdown", "9 reboot", "11 shutdown", "12 reboot",
      ])
  }

  @Test(arguments: [
    ("", "screen.csv: the file is empty; use a table with a header"),
    ("\n\n", "screen.csv: the file is empty; use a table with a header"),
    ("time,status\n1,2\n", "screen.csv:1: there is no column screen_status; the header has time, status"),
    (
      "when,screen_status\n1,2\n",
      "screen.csv:1: there is no column time or timestamp; the header has when, screen_status"
    ),
    (
      "time,screen_status\n1,\"2\n",
      "screen.csv:2: a quoted field does not end; close it with \", and double the quotes inside"
    ),
    (
      "time,screen_status\n1,\"2\"3\n",
      "screen.csv:2: unexpected text after the closing quote of a field; put a comma after it, and double the quotes inside"
    ),
    (
      "time,device,screen_status\n1,a,2\n1,b,2\n",
      "screen.csv:3: the table holds more than one device: a and b; select one with 'device'"
    ),
  ])
  func `an invalid recording is rejected with its position`(_ text: String, _ message: String) {
    let error = #expect(throws: RecordingError.self) { try screen(text) }
    #expect(error?.description == message)
  }

  @Test func `a damaged file never crashes the reader`() {
    let screenText =
      "device,time,screen_status\n\"a\"\"b\",1488346471.195,0\r\na,1488346471.219,2\na,1488346480,3\n"
    let batteryText =
      "time,battery_level,battery_status,battery_adaptor\n1488315824.049,100,5,2\n1488321326.498,99,-3,0\n"
    for mutant in Mutations(of: Array(screenText.utf8), seed: 5, count: 4_000) {
      guard let table = try? AwareReader.screen(Data(mutant), file: "screen.csv") else { continue }
      #expect(table.summary.read == table.summary.taken + table.summary.leftOut)
      #expect(table.unlocks(.lockedSince).count <= table.unlocks(.everyRow).count)
    }
    for mutant in Mutations(of: Array(batteryText.utf8), seed: 6, count: 4_000) {
      guard let table = try? AwareReader.battery(Data(mutant), file: "battery.csv") else { continue }
      #expect(table.summary.read == table.summary.taken + table.summary.leftOut)
      #expect(table.rows.allSatisfy { (0...100).contains($0.level) })
    }
  }
}

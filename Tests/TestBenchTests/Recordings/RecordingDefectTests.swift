import DeviceSimulation
import Foundation
import Journal
import PlatformRuns
import RandomScenarios
import Recordings
import ScenarioModel
import Statistics
import TestSupport
import Testing
import TextFormats
import TriggerModel

@testable import Simulation
@testable import TestBench

/// Tests defective recordings of each format. Each defect has a stated outcome, and all counts equal an
/// independent count.
@Suite struct RecordingDefectTests {
  private static let head = """
    start: 2026-03-02T07:00
    for: 6 days
    places: {shop: {at: [52.52, 13.4], radius: 150 m}}
    apps: [maps]
    reminders:
      in: {when: enter shop, repeat: always, notify: {title: x, bucket: user}}
      unlocked: {when: unlock, if: charging, repeat: always, notify: {title: x, bucket: user}}
      unplugged: {when: charging stops, repeat: always, notify: {title: x, bucket: user}}
      maps: {when: open app maps, repeat: always, notify: {title: x, bucket: user}}
    policy: {quietHours: none}

    """

  private static func run(
    _ timeline: String, _ files: [String: String], expecting: String, more: String = ""
  ) throws -> PlatformRun {
    let run = try PlatformRun(
      head + more + "\ntimeline:\n" + timeline + "\nexpect: [\(expecting)]\n", files: files)
    run.expectSound()
    return run
  }

  private static func findings(_ run: PlatformRun) -> [String: Int] {
    run.program.imports.flatMap(\.summary.findings).reduce(into: [:]) { $0[$1.kind.rawValue] = $1.count }
  }

  // MARK: GPX

  private static func gpx(_ tracks: [(longitude: Double, points: [(String?, Double)])]) -> String {
    let body = tracks.map { track in
      let points = track.points.map { time, latitude in
        "<trkpt lat=\"\(latitude)\" lon=\"\(track.longitude)\">"
          + (time.map { "<time>\($0)</time>" } ?? "") + "</trkpt>"
      }
      return "<trk><trkseg>" + points.joined() + "</trkseg></trk>"
    }
    return "<gpx version=\"1.1\">" + body.joined(separator: "\n") + "</gpx>"
  }

  @Test func `a track crosses no boundary in a gap of days unless the entry allows it`() throws {
    let file = Self.gpx([(13.4, [("2026-03-02T08:00:00Z", 52.5), ("2026-03-05T08:00:00Z", 52.54)])])
    let run = try Self.run("  - gpx: way.gpx", ["way.gpx": file], expecting: "in never")
    #expect(Self.findings(run) == ["gap": 1])
    _ = try Self.run(
      "  - {gpx: way.gpx, longestGap: 4 days}", ["way.gpx": file], expecting: "in fires = 1")
  }

  @Test func `of overlapping tracks, the first is used unless the scenario selects another`() throws {
    // The second track passes the shop. The first track does not.
    let file = Self.gpx([
      (13.3, [("2026-03-02T08:00:00Z", 52.5), ("2026-03-02T10:00:00Z", 52.54)]),
      (
        13.4,
        [("2026-03-02T08:30:00Z", 52.5), ("2026-03-02T09:30:00Z", 52.54), ("2026-03-02T11:00:00Z", 52.54)]
      ),
    ])
    let run = try Self.run("  - gpx: way.gpx", ["way.gpx": file], expecting: "in never")
    #expect(Self.findings(run) == ["stepBack": 1, "overlapping": 2])
    let chosen = try Self.run(
      "  - {gpx: way.gpx, track: 2}", ["way.gpx": file], expecting: "in fires once between 08:57 and 08:59")
    #expect(Self.findings(chosen) == ["otherTrack": 2])
  }

  @Test func `of overlapping recordings, the earliest is used, and a warning names the line of the other`()
    throws
  {
    let files = [
      "a.gpx": Self.gpx([(13.3, [("2026-03-02T08:00:00Z", 52.5), ("2026-03-02T10:00:00Z", 52.54)])]),
      "b.gpx": Self.gpx([(13.4, [("2026-03-02T08:30:00Z", 52.5), ("2026-03-02T09:30:00Z", 52.54)])]),
    ]
    let run = try Self.run("  - gpx: a.gpx\n  - gpx: b.gpx", files, expecting: "in never")
    let warning = try #require(run.result.warnings.first)
    #expect(warning.message.hasPrefix("2 fixes omitted") && warning.severity == .warning)
    #expect(warning.excerpt?.contains("b.gpx") == true)
    let summaries = run.program.imports.map(\.summary)
    #expect(summaries.map(\.taken) == [2, 0] && summaries.map { $0.count(.overlapping) } == [0, 2])
    #expect(summaries.allSatisfy { $0.read == $0.taken + $0.leftOut })
    _ = try Self.run(
      "  - gpx: a.gpx\n  - {gpx: b.gpx, on: tablet}", files, expecting: "in fires = 1",
      more: "devices: {tablet: {}}")
  }

  @Test func `omitted events of overlapping recordings are counted for their recording`() throws {
    var dice = SplitMix64(seed: 7)
    var found = 0
    for round in 0..<20 {
      var files: [String: String] = [:]
      var ways: [[Int]] = []
      for way in 0..<3 {
        let minutes = Set((0..<dice.int(1...6)).map { _ in dice.int(0...40) }).sorted()
        ways.append(minutes)
        files["\(way).gpx"] = Self.gpx([
          (13.3, minutes.map { ("2026-03-02T08:\($0 < 10 ? "0" : "")\($0):00Z", 52.5) })
        ])
      }
      let run = try Self.run(
        (0..<3).map { "  - gpx: \($0).gpx" }.joined(separator: "\n"), files, expecting: "in never")
      let summaries = run.program.imports.map(\.summary)
      let counted = summaries.map { $0.count(.overlapping) }
      #expect(summaries.allSatisfy { $0.read == $0.taken + $0.leftOut }, "\(round)")
      #expect(summaries.map(\.taken).reduce(0, +) == run.program.devices[0].route.fixes.count, "\(ways)")
      let warned = run.result.warnings.filter { $0.message.contains("omitted: another recording") }
      let told = (0..<3).map { way in
        warned.filter { $0.excerpt?.contains("\(way).gpx") == true }
          .reduce(0) { $0 + (Int($1.message.prefix { $0.isNumber }) ?? 0) }
      }
      #expect(counted == told, "\(ways)")
      found += counted.reduce(0, +)
    }
    #expect(found > 20)
  }

  @Test func `a track without times requires a start and a speed`() throws {
    // The distance from 52.5 to 52.54 is 4,448 m, because a degree is 111.2 km. At 10 km/h it takes 26.7
    // minutes, and the edge of the shop is reached after 12.5 minutes.
    let file = Self.gpx([(13.4, [(nil, 52.5), (nil, 52.54)])])
    let error = #expect(throws: (any Error).self) {
      try Self.run("  - {gpx: way.gpx, at: 09:00}", ["way.gpx": file], expecting: "in never")
    }
    #expect((error as? Diagnostic)?.message.contains("'at: 08:10' and 'speed: 5 km/h'") == true)
    _ = try Self.run(
      "  - {gpx: way.gpx, at: 09:00, speed: 10 km/h}", ["way.gpx": file],
      expecting: "in fires once between 09:12 and 09:13, in fires = 1")
    let timed = Self.gpx([(13.4, [("2026-03-02T08:00:00Z", 52.5)])])
    #expect(throws: (any Error).self) {
      try Self.run(
        "  - {gpx: way.gpx, at: 09:00, speed: 10 km/h}", ["way.gpx": timed], expecting: "in never")
    }
  }

  // MARK: NDJSON

  @Test func `a stream of unlocks, charger events and apps is replayed, and may start plugged in`() throws {
    let lines = [
      #"{"t":"2026-03-02T08:00:00Z","event":"unlock"}"#,
      #"{"t":"2026-03-02T09:00:00Z","event":"unplug"}"#,
      #"{"t":"2026-03-02T09:10:00Z","event":"openApp","app":"maps"}"#,
      #"{"t":"2026-03-02T09:30:00Z","event":"lock"}"#,
      #"{"t":"2026-03-02T10:00:00Z","event":"unlock"}"#,
      #"{"t":"2026-03-02T07:30:00Z","lat":52.5,"lon":13.4}"#,
      #"{"t":"2026-03-05T07:30:00Z","lat":52.54,"lon":13.4}"#,
    ]
    let run = try Self.run(
      "  - ndjson: day.ndjson", ["day.ndjson": lines.joined(separator: "\n")],
      expecting:
        "unlocked fires once at 08:00, unlocked fires = 1, unplugged fires = 1, maps fires = 1, in never"
    )
    #expect(Self.findings(run)["gap"] == 1)
    #expect(run.accounts.ignored.isEmpty)
  }

  @Test func `a recorded event without effect is reported with its time`() throws {
    let lines = ["08:00:00Z", "08:10:30Z", "09:00:00Z"].map {
      "{\"t\":\"2026-03-02T\($0)\",\"event\":\"lock\"}"
    }
    let run = try Self.run(
      "  - ndjson: day.ndjson", ["day.ndjson": lines.joined(separator: "\n")], expecting: "in never")
    #expect(
      run.result.warnings.map(\.message)
        == ["this happened 2 times, first at 2026-03-02 08:10:30, without effect: this is already the case"])
    let one = try Self.run(
      "  - {ndjson: day.ndjson, at: day 2 08:00}", ["day.ndjson": lines[0] + "\n" + lines[1]],
      expecting: "in never")
    #expect(
      one.result.warnings.map(\.message)
        == ["this happened at 2026-03-03 08:10:30 without effect: this is already the case"])
  }

  // MARK: Outside the scenario

  private static func warnings(_ timeline: String, _ files: [String: String]) throws -> [String] {
    try run(timeline, files, expecting: "in never").result.warnings.map(\.message)
      .filter { !$0.contains("without effect") }
  }

  @Test func `a recording of other days is counted as omitted, and its warning states its time`() throws {
    let before = Self.gpx([(13.4, [("2026-02-20T08:00:00Z", 52.5), ("2026-02-21T09:00:00Z", 52.54)])])
    let run = try Self.run("  - gpx: way.gpx", ["way.gpx": before], expecting: "in never")
    #expect(Self.findings(run) == ["gap": 1, "outside": 2])
    #expect(run.program.imports.map(\.summary.taken) == [0])
    let warning = try #require(run.result.warnings.first)
    #expect(
      warning.message
        == "way.gpx: all its 2 samples, from 2026-02-20 08:00 to 2026-02-21 09:00, lie outside the "
        + "scenario, which lasts from 2026-03-02 07:00 to 2026-03-08 07:00")
    #expect(warning.hint?.contains("'at'") == true && warning.excerpt?.contains("way.gpx") == true)
    // The row of the table and the line of the stream are both at 10:00 on 2026-03-09.
    let table = "time,screen_status\n1773050400,2\n"
    let line = #"{"t":"2026-03-09T10:00:00Z","event":"unlock"}"#
    #expect(
      try Self.warnings(
        "  - aware: {screen: s.csv}\n  - ndjson: a.ndjson", ["s.csv": table, "a.ndjson": line])
        == ["s.csv", "a.ndjson"].map {
          "\($0): its only sample, of 2026-03-09 10:00, lies outside the scenario, which lasts from 2026-03-02 07:00 "
            + "to 2026-03-08 07:00"
        })
    #expect(try Self.warnings("  - {ndjson: a.ndjson, at: 08:00}", ["a.ndjson": line]).isEmpty)
  }

  @Test
  func `events of a recording outside the scenario are counted without a warning`()
    throws
  {
    // Two lines are before the start of the scenario, six are within it, and four are after its end.
    let lines = (-2..<10).map { day in
      let date = Instant(millisecondsSince1970: 1_772_434_800_000 + Int64(day) * 86_400_000)
      return "{\"t\":\(date.millisecondsSince1970),\"event\":\"\(day % 2 == 0 ? "unlock" : "lock")\"}"
    }
    let run = try Self.run(
      "  - ndjson: days.ndjson", ["days.ndjson": lines.joined(separator: "\n")], expecting: "in never")
    #expect(Self.findings(run) == ["outside": 6])
    #expect(run.program.imports.map(\.summary.taken) == [6])
    #expect(run.accounts.signals.account(of: .unlock).truth == 3)
    #expect(run.result.warnings.isEmpty)
  }

  @Test func `an overlapping event outside the scenario is omitted once`() throws {
    let ways = ["a", "b"].map { name in
      (
        "\(name).gpx",
        Self.gpx([(13.3, (0..<8).map { ("2026-03-02T06:\(52 + $0):\(name == "a" ? 0 : 3)0Z", 52.5) })])
      )
    }
    let late = (
      "late.gpx", Self.gpx([(13.3, (0..<8).map { ("2026-03-02T0\(6 + $0 / 4):\(56 + $0 % 4):00Z", 52.5) })])
    )
    let run = try Self.run(
      "  - gpx: a.gpx\n  - gpx: b.gpx\n  - gpx: late.gpx",
      Dictionary(uniqueKeysWithValues: ways + [late]), expecting: "in never")
    let summaries = run.program.imports.map(\.summary)
    #expect(summaries.map { $0.count(.outside) } == [8, 8, 4])
    #expect(summaries.allSatisfy { $0.taken >= 0 && $0.read == $0.taken + $0.leftOut })
  }

  @Test func `a recording in seconds instead of milliseconds is not mistaken for another day`() throws {
    let lines = #"{"t":1772445600,"event":"unlock"}"# + "\n" + #"{"t":1772449200,"event":"lock"}"#
    for entry in ["ndjson: s.ndjson", "{ndjson: s.ndjson, at: 08:00}"] {
      let run = try Self.run("  - \(entry)", ["s.ndjson": lines], expecting: "in never")
      #expect(
        run.result.warnings.map(\.message) == ["s.ndjson: its times begin with 1970-01-21 12:20:45.600"])
      #expect(run.result.warnings[0].hint == "a number as 't' counts milliseconds since 1970, not seconds")
    }
  }

  @Test(arguments: ["", "\n\n"]) func `an empty stream is rejected`(_ text: String) throws {
    let error = #expect(throws: (any Error).self) {
      try Self.run("  - ndjson: e.ndjson", ["e.ndjson": text], expecting: "in never")
    }
    #expect((error as? Diagnostic)?.message == "e.ndjson: the file is empty; record it again")
  }

  @Test func `an unknown device in a table is reported with a list of the known devices`() throws {
    let table = "time,device,screen_status\n\(Self.seconds(8)),b,2\n\(Self.seconds(9)),a,3\n"
    let error = #expect(throws: (any Error).self) {
      try Self.run("  - aware: {screen: s.csv, device: c}", ["s.csv": table], expecting: "in never")
    }
    #expect((error as? Diagnostic)?.message == "s.csv: there is no row of the device 'c'; the table has a, b")
  }

  @Test
  func `a recording that is mostly unusable has a warning, but a filtered one does not`()
    throws
  {
    let half = [("2026-03-02T08:00:00Z", 52.5), (nil, 52.5), (nil, 52.5)] as [(String?, Double)]
    #expect(
      try Self.warnings("  - gpx: a.gpx", ["a.gpx": Self.gpx([(13.4, half)])])
        == ["a.gpx: 2 of 3 samples cannot be used: 2 without a time (first at line 1)"])
    #expect(
      try Self.warnings("  - gpx: a.gpx", ["a.gpx": Self.gpx([(13.4, Array(half.dropLast()))])]).isEmpty)
    let tracks = Self.gpx([(13.4, half), (13.3, [("2026-03-02T08:00:00Z", 52.5)])])
    #expect(try Self.warnings("  - {gpx: a.gpx, track: 2}", ["a.gpx": tracks]).isEmpty)
  }

  // MARK: AWARE

  /// Returns the Unix time, in seconds, of a local time on 2026-03-02.
  private static func seconds(_ hour: Int, _ minute: Int = 0) -> Int {
    1_772_409_600 + (hour * 60 + minute) * 60
  }

  @Test func `a table that starts on the charger includes its first unplugging`() throws {
    let table =
      "time,battery_level,battery_status,battery_adaptor\n"
      + "\(Self.seconds(8)),60,2,1\n\(Self.seconds(9)),80,2,1\n\(Self.seconds(10)),90,3,0\n"
    let run = try Self.run(
      "  - aware: {battery: b.csv}\n  - 09:30 unlock", ["b.csv": table],
      expecting: "unlocked fires once at 09:30, unplugged fires once at 10:00")
    #expect(run.program.scenario.phone.beginning.level == 600)
  }

  @Test func `a table with locks that starts with an unlock includes that unlock`() throws {
    for (statuses, unlocks) in [("3 2 3", 2), ("0 1 3 3 2 3", 2), ("2 3", 1), ("1 3 0 2 2 3 3", 2)] {
      let rows = statuses.split(separator: " ").enumerated().map {
        "\(Self.seconds(9 + $0.offset)),\($0.element)\n"
      }
      let run = try Self.run(
        "  - aware: {screen: s.csv}", ["s.csv": "time,screen_status\n" + rows.joined()],
        expecting: "unlocked never")
      #expect(run.accounts.signals.account(of: .unlock).truth == unlocks, "\(statuses)")
      #expect(run.accounts.ignored.isEmpty, "\(statuses)")
    }
  }

  @Test func `a table without locks counts every unlock and has a warning`() throws {
    let table =
      "time,screen_status\n"
      + (0..<81).map { "\(Self.seconds(8) + $0 * 600),\($0 % 3 == 0 ? 1 : 3)\n" }.joined()
    let unlocks = (0..<81).count { $0 % 3 != 0 }
    let run = try Self.run(
      "  - aware: {screen: s.csv}", ["s.csv": table], expecting: "unlocked never")
    #expect(run.accounts.signals.account(of: .unlock).truth == unlocks)
    #expect(Self.findings(run) == ["lockImplied": unlocks - 1])
    #expect(run.program.imports.flatMap(\.derivations).map(\.chosen) == ["everyRow"])
    #expect(run.accounts.ignored.isEmpty)
  }

  @Test func `the tables of one phone are moved together, whichever starts first`() throws {
    let battery = "time,battery_level,battery_status,battery_adaptor\n1488315600,50,3,0\n1488319200,51,2,2\n"
    for (screen, shift) in [(1_488_326_400, 0), (1_488_308_400, 7_200)] {
      let table = "time,screen_status\n\(screen),2\n\(screen + 60),3\n"
      let run = try Self.run(
        "  - {aware: {battery: b.csv, screen: s.csv}, at: 2026-03-03 08:00}",
        ["b.csv": battery, "s.csv": table], expecting: shift == 0 ? "unlocked fires = 1" : "unlocked never")
      let events = run.program.events.filter { $0.event == .unlock || $0.event == .plugIn }
      let earliest = Double(min(1_488_315_600, screen))
      let base = Double(1_772_524_800)
      #expect(
        events.map { Double($0.instant.millisecondsSince1970) / 1_000 - base }.sorted()
          == [1_488_319_200 - earliest, Double(screen) + 60 - earliest].sorted())
    }
  }

  /// Compares the phones of a public data set with a count that only splits lines.
  @Test(.enabled(if: Shared.isAvailable, Shared.skipReason))
  func `each phone in a table of several has the counts of a simple scan`() throws {
    let files = ["multiuser_AwareBattery.csv", "multiuser_AwareScreen.csv"]
    let texts = try files.map { String(decoding: try Shared.data("traces/phone/\($0)"), as: UTF8.self) }
    let rows = texts.map { text in
      text.split(whereSeparator: \.isNewline).dropFirst().map { $0.split(separator: ",").map(String.init) }
    }
    let devices = Set(rows[0].map { $0[1] }).intersection(rows[1].map { $0[1] }).sorted()
    #expect(devices.count == 3)
    for device in devices {
      let adaptors = rows[0].filter { $0[1] == device }
        .sorted { (Double($0[2]) ?? 0) < (Double($1[2]) ?? 0) }.map { $0[6] != "0" }
      let screens = rows[1].filter { $0[1] == device }
        .sorted { (Double($0[2]) ?? 0) < (Double($1[2]) ?? 0) }.map { $0[3] }
      var unlocks = 0
      // A phone whose first event is an unlock was locked before.
      var isLocked = true
      for status in screens {
        if status == "2" { isLocked = true }
        if status == "3" {
          if isLocked { unlocks += 1 }
          isLocked = !screens.contains("2")
        }
      }
      let starts = zip(adaptors, adaptors.dropFirst()).count { !$0 && $1 }
      let stops = zip(adaptors, adaptors.dropFirst()).count { $0 && !$1 }
      let run = try PlatformRun(
        """
        start: 2019-08-01T00:00
        end: 2020-02-01T00:00
        reminders: {a: {when: unlock, repeat: always, notify: {title: x, bucket: user}}}
        timeline: [{aware: {battery: b.csv, screen: s.csv, device: \(device)}}]
        expect: [a fires = \(unlocks)]
        """, files: ["b.csv": texts[0], "s.csv": texts[1]])
      run.expectSound()
      #expect(run.accounts.signals.account(of: .unlock).truth == unlocks, "\(device)")
      #expect(run.accounts.signals.account(of: .chargingStarted).truth == starts, "\(device)")
      #expect(run.accounts.signals.account(of: .chargingStopped).truth == stops, "\(device)")
    }
  }

  /// An app that the person opened once in a month has one opening, apart from returns to it within half an
  /// hour.
  @Test(.enabled(if: Shared.isAvailable, Shared.skipReason))
  func `an app that was opened once is not opened by every unlock of the month`() throws {
    let screen = String(decoding: try Shared.data("traces/phone/AwareScreen_1month.csv"), as: UTF8.self)
    let run = try PlatformRun(
      """
      start: 2017-03-01T00:00
      end: 2017-04-02T00:00
      reminders: {a: {when: unlock, notify: {title: x, bucket: user}}}
      timeline:
        - aware: {screen: s.csv}
        - 2017-03-05 12:00 tap a
      expect: [a fires once]
      """, files: ["s.csv": screen])
    run.expectSound()
    let opened = run.accounts.truth[Int(ObservedEvent.Kind.opened.rawValue)]
    let noon = 1_488_715_200.0
    // The phone is locked from the first locked row after an unlocked row. Rows with 0 and 1 do not affect
    // the lock.
    let rows = screen.split(whereSeparator: \.isNewline).dropFirst().map { $0.split(separator: ",") }
    let within = rows.compactMap { row -> String? in
      guard let time = Double(row[0]), time > noon, time < noon + 1_800 else { return nil }
      return ["2", "3"].contains(String(row[1])) ? String(row[1]) : nil
    }
    var returns = 0
    for (before, now) in zip(within, within.dropFirst()) where before == "2" && now == "3" { returns += 1 }
    #expect(opened == 1 + returns)
  }
}

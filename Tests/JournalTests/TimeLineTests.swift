import CivilTime
import DeviceSimulation
import Foundation
import Recordings
import ScenarioModel
import ScenarioSamples
import Scenarios
import Simulation
import TestBench
import Testing
import TextFormats
import TriggerModel

@testable import Journal

/// Time lines in the wire form, which `expand` prints and recordings contain.
@Suite struct TimeLineTests {
  private static func expansion(of program: Program) throws -> [UInt8] {
    var bytes: [UInt8] = []
    try Expansion(program).write { bytes += $0 }
    return bytes
  }

  /// Compiles a scenario whose folder contains the file `day.ndjson`.
  private func program(_ text: String, day: String) throws -> Program {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try Data(day.utf8).write(to: folder.appendingPathComponent("day.ndjson"))
    let scenario = try ScenarioFile.read(Array(text.utf8), file: "story.yaml", fileExists: { _ in true })
      .get()
    return try Program(scenario, in: ReachableFiles(of: folder.path + "/story.yaml"))
  }

  @Test(arguments: try RoundTripTests.shipped())
  func `an expanded time line is read back unchanged`(_ file: String) throws {
    let program = try RoundTripTests.program(file)
    let stamp = RecordStamp(
      instant: program.scenario.start,
      moment: Moment(
        wall: program.scenario.start, uptime: Uptime(boot: 0, span: .zero), zone: program.scenario.zone))
    var reader = JournalReader(program.wireNames)
    var copies: [(instant: Instant, event: PhoneEvent, line: UInt32?)] = []
    for line in try Self.expansion(of: program).split(separator: UInt8(ascii: "\n")) {
      let record = try reader.read(Array(line), as: .timeLine(stamp))
      guard case .happened(let event) = record.body else { throw CocoaError(.coderInvalidValue) }
      copies.append((record.instant, event, reader.line))
    }
    let events = Array(IteratorSequence(ProgramCursor(program)))
    #expect(copies.map(\.instant) == events.map(\.instant))
    #expect(copies.map(\.event) == events.map(\.event))
    #expect(copies.map(\.line) == events.map { UInt32($0.position.line) })
  }

  @Test func `lines contain the phone's clock and zone as the time line sets them`() throws {
    let program = try program(
      Self.story.replacing(
        "- ndjson: day.ndjson",
        with: "- 08:00 unlock\n  - 09:00 set clock +1h\n  - 10:00 travel to UTC\n  - 10:00 lock"), day: "")
    let text = String(decoding: try Self.expansion(of: program), as: UTF8.self)
    #expect(
      text.split(separator: "\n").dropLast() == [
        #"{"track":"happened","event":"unlock","t":"2026-03-02T07:00:00Z","wall":"2026-03-02T08:00:00+01:00","zone":"Europe/Berlin","line":12}"#,
        #"{"track":"happened","event":"setClock","t":"2026-03-02T08:00:00Z","wall":"2026-03-02T09:00:00+01:00","zone":"Europe/Berlin","aheadMilliseconds":3600000,"line":13}"#,
        #"{"track":"happened","event":"travel","t":"2026-03-02T09:00:00Z","wall":"2026-03-02T11:00:00+01:00","zone":"Europe/Berlin","to":"UTC","line":14}"#,
        #"{"track":"happened","event":"lock","t":"2026-03-02T10:00:00Z","wall":"2026-03-02T11:00:00+00:00","zone":"UTC","line":15}"#,
      ])
  }

  @Test func `lines name the device if there are several, and each device has its own clock`() throws {
    let program = try program(
      Self.story.replacing("apps: [maps]", with: "apps: [maps]\ndevices: {tablet: {profile: ideal}}")
        .replacing("- 23:59 travel to UTC", with: "- on tablet 09:00 set clock +1h\n  - 09:10 unlock")
        .replacing("- ndjson: day.ndjson", with: "- on tablet 08:00 unlock\n  - ndjson: day.ndjson"),
      day: #"{"t":"2026-03-02T09:00:00Z","event":"lock","device":"tablet"}"#)
    let text = String(decoding: try Self.expansion(of: program), as: UTF8.self)
    let lines = text.split(separator: "\n")
    #expect(lines.map { $0.contains("\"device\":\"tablet\"") } == [true, true, false, true])
    #expect(lines.map { $0.contains("\"device\":\"phone\"") } == [false, false, true, false])
    #expect(lines[2].contains("T09:10:00+01:00") && lines[3].contains("T11:00:00+01:00"), "\(text)")
    #expect(program.events.map(\.device) == [1, 1, 0, 1])
  }

  private static let story = """
    kind: scenario
    version: 1
    title: A recorded day
    start: 2026-03-02T07:00
    zone: Europe/Berlin
    for: 1 day
    facts: {workouts: 0, next: 2026-03-02T12:00}
    reminders:
      milk: {when: open app maps, notify: {title: Buy milk, link: "app://list"}}
      walk: {when: enter shop, notify: {title: Walk}}
    timeline:
      - ndjson: day.ndjson
      - 23:59 travel to UTC
    places: {shop: {at: [52.52, 13.405], radius: 150 m}}
    apps: [maps]
    expect: [milk fires once]
    """

  private static let day = """
    {"t":"2026-03-02T07:30:00Z","event":"unlock"}
    {"t":"2026-03-02T07:20:00Z","event":"openApp","app":"maps"}
    {"t":"2026-03-02T07:40:00Z","lat":52.5,"lon":13.4,"accuracy":8}
    {"t":"2026-03-02T07:50:00Z","lat":52.501,"lon":13.4}
    {"track":"happened","event":"fact","t":"2026-03-02T08:00:00Z","fact":"next","value":"2026-03-02T18:00:00Z"}
    {"event":"fact","t":"2026-03-02T08:01:00Z","fact":"workouts","value":1.5}
    {"event":"enterRegion","t":"2026-03-02T08:02:00Z","region":"shop","line":77}
    {"event":"fix","t":"2026-03-02T08:03:00Z","latitude":52.6,"longitude":13.4,"at":"2026-03-02T08:04:00Z"}
    {"event":"batteryLevel","t":"2026-03-02T08:05:00Z","permille":815}
    {"event":"travel","t":"2026-03-02T20:00:00Z","to":"UTC"}
    """

  @Test func `a recording declares events, and its positions are the route of the phone`() throws {
    let program = try program(Self.story, day: Self.day)
    func time(_ text: String) throws -> Instant { try Instant(iso8601: "2026-03-02T\(text)Z") }
    let events = Array(program.events).dropLast()
    #expect(
      events.map(\.event) == [
        // The first recorded level is also the initial level.
        .batteryLevel(815), .openApp(AppID(0)), .unlock, .fact(FactID(1), .instant(try time("18:00:00"))),
        .fact(FactID(0), .number(thousandths: 1_500)), .enterRegion(RegionID(0)),
        .fix(
          Fix(instant: try time("08:04:00"), coordinate: Coordinate(latitude: 52.6, longitude: 13.4))),
        .batteryLevel(815), .travel(ZoneID(1)),
      ])
    #expect(events.prefix(2).map(\.instant) == [program.scenario.start, try time("07:20:00")])
    #expect(events.allSatisfy { $0.position.line == 12 }, "the line that names the recording")
    #expect(program.devices[0].route.fixes.map(\.coordinate.latitude) == [52.5, 52.501])
    #expect(
      program.imports.map(\.summary.lines) == [
        [
          "day.ndjson: 10 read, 10 taken",
          "1 earlier than the previous one; sorted by time (first at line 2)",
        ]
      ])
    #expect(program.scenario.timeline.zone(at: try time("19:59:59")) == ZoneID(0))
    #expect(program.scenario.timeline.zone(at: try time("20:00:00")) == ZoneID(1))
  }

  @Test func `moving a recording moves the instants in its events`() throws {
    let text = Self.story.replacing("- ndjson: day.ndjson", with: "- {at: 09:20, ndjson: day.ndjson}")
    let program = try program(text, day: Self.day)
    #expect(
      Array(program.events).dropFirst().first?.instant == (try Instant(iso8601: "2026-03-02T08:20:00Z")))
    #expect(
      program.events.contains {
        $0.event == .fact(FactID(1), .instant(Instant(millisecondsSince1970: 1_772_478_000_000)))
      }, "an hour later, at 19:00 UTC")
    #expect(
      program.devices[0].route.fixes.first?.instant == (try Instant(iso8601: "2026-03-02T08:40:00Z")))
    #expect(
      program.events.contains {
        if case .fix(let fix) = $0.event { fix.instant - $0.instant == .minutes(1) } else { false }
      })
  }

  @Test(arguments: [
    (
      #"{"t":1,"event":"openApp","app":"mapz"}"#,
      #"day.ndjson:1:32: in "app": unknown app "mapz"; did you mean 'maps'?"#
    ),
    (
      #"{"t":1,"event":"unlok"}"#,
      #"day.ndjson:1:16: in "event": unknown event "unlok"; did you mean 'unlock'?"#
    ),
    (
      "\n" + #"{"t":1,"event":"unlock","lat":2,"lon":3}"#,
      #"day.ndjson:2:25: unknown key "lat"; known: track, event, person, device, t, wall, zone, boot, uptime, line"#
    ),
    (
      #"{"t":1,"track":"observed","event":"unlock"}"#,
      #"day.ndjson:1:16: in "track": this line cannot have this track; write "happened", or remove it"#
    ),
  ])
  func `a problem is reported with its file, line and column`(_ day: String, _ message: String) {
    let error = #expect(throws: Diagnostic.self) { try program(Self.story, day: day) }
    #expect(error?.message == message)
  }
}

import DeviceSimulation
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

/// Tests the state of a phone at the start of its recordings.
@Suite struct BeginningTests {
  /// 2026-03-02T08:00:00Z.
  private static let origin = Instant(millisecondsSince1970: 1_772_438_400_000)

  private static func run(_ lines: [String], start: String, more: String = "") throws -> PlatformRun {
    try PlatformRun(
      """
      start: \(start)
      for: 2 days
      places: {shop: {at: [52.52, 13.4], radius: 150 m}, home: {at: [52.5, 13.4], radius: 200 m}}
      reminders:
        stopped: {when: charging stops, repeat: always, notify: {title: x, bucket: user}}
      policy: {quietHours: none}
      \(more)
      timeline: [{ndjson: day.ndjson}]
      expect: [stopped fires >= 0]
      """, files: ["day.ndjson": lines.joined(separator: "\n")])
  }

  private static func line(_ minute: Double, _ rest: String) -> String {
    "{\"t\":\(origin.millisecondsSince1970 + Int64(minute * 60_000)),\(rest)}"
  }

  @Test func `the first event of each kind determines the state before it`() throws {
    let lines = [
      Self.line(0, "\"event\":\"lock\""), Self.line(1, "\"event\":\"batteryLevel\",\"permille\":310"),
      Self.line(2, "\"event\":\"unplug\""), Self.line(3, "\"lat\":52.5,\"lon\":13.4"),
    ]
    let beginning = try Self.run(lines, start: "2026-03-02T07:00").program.scenario.phone.beginning
    #expect(beginning.isLocked == false && beginning.isPluggedIn == true && beginning.level == 310)
    #expect(beginning.position == Coordinate(latitude: 52.5, longitude: 13.4))
    // Declarations of the scenario and earlier time-line entries take precedence over the recording.
    let said = try Self.run(
      lines, start: "2026-03-02T07:00",
      more: "phone: {locked: true, pluggedIn: false, battery: 50 %, at: shop}")
    #expect(said.program.scenario.phone.beginning.isLocked == true)
    #expect(said.program.scenario.phone.beginning.isPluggedIn == false)
    #expect(said.program.scenario.phone.beginning.level == 500)
    #expect(said.program.scenario.phone.beginning.position?.latitude == 52.52)
    #expect(said.accounts.ignored == ["alreadySo": 2])
    let lively = try PlatformRun(
      """
      start: 2026-03-02T07:00
      for: 1 day
      places: {shop: {at: [52.52, 13.4], radius: 150 m}}
      reminders: {a: {when: charging stops, notify: x}}
      timeline:
        - 07:10 plug in
        - 07:20 unlock
        - 07:30 battery 20 %
        - 07:40 at shop
        - ndjson: day.ndjson
      expect: [a fires once at 08:02]
      """, files: ["day.ndjson": lines.joined(separator: "\n")])
    lively.expectSound()
    let none = lively.program.scenario.phone.beginning
    #expect(none.isLocked == nil && none.isPluggedIn == nil && none.level == nil && none.position == nil)
    #expect(lively.accounts.ignored.isEmpty)
  }

  /// An event of a random recording.
  private struct Happening {
    var minute: Double
    var rest: String
  }

  private static func randomDay(_ random: inout SplitMix64) -> [Happening] {
    // The recording states a level, because a run that starts at the cut would otherwise have a different
    // one.
    var happenings = [Happening(minute: 0, rest: "\"event\":\"batteryLevel\",\"permille\":770")]
    var minute = 0.0
    for _ in 0..<random.int(5...60) {
      minute += Double(random.int(1...600)) / 10
      let rest =
        switch random.int(0...6) {
        case 0: "\"event\":\"plugIn\""
        case 1: "\"event\":\"unplug\""
        case 2: "\"event\":\"lock\""
        case 3: "\"event\":\"unlock\""
        case 4: "\"event\":\"batteryLevel\",\"permille\":\(random.int(0...100) * 10)"
        default: "\"lat\":\(Double(random.int(52_490...52_530)) / 1_000),\"lon\":13.4"
        }
      happenings.append(Happening(minute: minute, rest: rest))
    }
    return happenings
  }

  /// Returns the events from an instant on, except those that state the initial state.
  private static func truths(_ run: PlatformRun, from cut: Instant) -> [(String, Instant)] {
    var journal = RecordingSink()
    var world = World(program: run.program, engine: run.program.makeEngine())
    world.run(into: &journal)
    return journal.records.compactMap { record in
      guard case .truth(let event) = record.body, record.instant >= cut else { return nil }
      let isState = [.chargingStarted, .regionEntered, .regionExited].contains(event.kind)
      if isState, event.value == ObservedEvent.reportedState { return nil }
      let isLevel = event.kind == .batteryLevel
      return ("\(event.kind) \(event.subject) \(isLevel ? event.value : 0)", record.instant)
    }
  }

  @Test func `a recording that starts before the scenario continues as if it had been played from its start`()
    throws
  {
    for seed in 0..<60 {
      var random = SplitMix64(seed: UInt64(seed))
      let day = Self.randomDay(&random)
      let lines = day.map { Self.line($0.minute, $0.rest) }
      // The cut is in a minute without events.
      let cut = Double(random.int(0...1_200)) + 0.55
      let hours = Int(cut) / 60 + 8
      let clock =
        "2026-03-0\(2 + hours / 24)T\(hours % 24 < 10 ? "0" : "")\(hours % 24):"
        + "\(Int(cut) % 60 < 10 ? "0" : "")\(Int(cut) % 60):33"
      let whole = Self.truths(
        try Self.run(lines, start: "2026-03-02T07:00"), from: Self.origin + .seconds(Int64(cut * 60)))
      let part = Self.truths(try Self.run(lines, start: clock), from: .distantPast)
      #expect(part.map(\.0) == whole.map(\.0), "seed \(seed)")
      for (one, other) in zip(part, whole) {
        #expect(abs((one.1 - other.1).milliseconds) <= 2, "seed \(seed): \(one.0)")
      }
    }
  }

  /// Compares the run with a simple scan of the lines. A line connects or disconnects the charger only if it
  /// changes the charger's state.
  @Test func `every change of the charger is replayed, including the first`() throws {
    for seed in 0..<60 {
      var random = SplitMix64(seed: UInt64(1_000 + seed))
      let day = Self.randomDay(&random)
      let plugs = day.filter { $0.rest.contains("plug") }.map { $0.rest.contains("plugIn") }
      var changes = plugs.isEmpty ? 0 : 1
      for (before, now) in zip(plugs, plugs.dropFirst()) where before != now { changes += 1 }
      let run = try Self.run(day.map { Self.line($0.minute, $0.rest) }, start: "2026-03-02T07:00")
      let account = run.accounts.signals
      #expect(
        account.account(of: .chargingStarted).truth + account.account(of: .chargingStopped).truth == changes,
        "seed \(seed)")
    }
  }

  @Test func `an expanded story has the same initial state as its original`() throws {
    for seed in 0..<20 {
      var random = SplitMix64(seed: UInt64(2_000 + seed))
      let run = try Self.run(
        Self.randomDay(&random).map { Self.line($0.minute, $0.rest) }, start: "2026-03-02T15:00:33")
      var lines: [UInt8] = []
      try ExpandedScenario.write(run.program) { lines += $0 }
      guard case .program(let copy, _) = ExpandedScenario.read(lines, file: "-", options: Suite.Options())
      else {
        Issue.record("not readable")
        continue
      }
      #expect(copy.scenario.phone == run.program.scenario.phone)
      #expect(
        ScenarioRun(copy, stopwatch: { 0 }).run().result.accounts.truth == run.accounts.truth, "seed \(seed)")
    }
  }
}

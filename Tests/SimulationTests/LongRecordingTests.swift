import CivilTime
import DeviceSimulation
import Foundation
import RandomScenarios
import ScenarioModel
import ScenarioSamples
import Scenarios
import Statistics
import TestSupport
import Testing
import TextFormats
import TriggerModel

@testable import Simulation
@testable import TestBench

/// Tests that events are the same whether they are read in blocks or kept in memory.
@Suite struct LongRecordingTests {
  /// A scenario with the files `day.ndjson` and `next.ndjson` in its folder.
  private struct Story {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("triggerbench-\(UUID())")
    let scenario: Scenario

    init(_ text: String, day: String, next: String = "") throws {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      try Data(day.utf8).write(to: folder.appendingPathComponent("day.ndjson"))
      try Data(next.utf8).write(to: folder.appendingPathComponent("next.ndjson"))
      scenario = try ScenarioFile.read(Array(text.utf8), file: "story.yaml", fileExists: { _ in true }).get()
    }

    func program(holding lines: Int) throws -> Program {
      var budget = RunBudget()
      budget.held = lines
      return try Program(scenario, in: ReachableFiles(of: folder.path + "/story.yaml"), within: budget)
    }

    func remove() { try? FileManager.default.removeItem(at: folder) }
  }

  private static func head(_ timeline: String, for span: String = "for: 3 days") -> String {
    """
    kind: scenario
    version: 1
    title: A long recording
    start: 2026-03-02T07:00
    zone: Europe/Berlin
    \(span)
    places: {shop: {at: [52.52, 13.405], radius: 150 m}}
    reminders:
      milk: {when: enter shop, repeat: always, notify: {title: Milk, bucket: user}}
      bread: {when: unlock, if: charging, repeat: always, notify: {title: Bread, bucket: user}}
    policy: {quietHours: none}
    timeline:
    \(timeline)
    expect: [milk fires, bread never on 2026-03-04]
    """
  }

  /// Returns fixes and events in chronological order, including repetitions, gaps, jumps and distant fixes.
  /// Some of them precede the start of the scenario.
  private static func lines(_ random: inout SplitMix64, count: Int, from start: Int, step: Int) -> String {
    var time = start
    var text = ""
    for _ in 0..<count {
      if !random.chance(5) { time += random.int(0...step) * 1_000 }
      if random.chance(1) { time += 13 * 3_600_000 }
      if random.chance(20) {
        let event = random.one(of: ["unlock", "lock", "plugIn", "unplug", "openOwnApp", "leaveOwnApp"])
        text += "{\"t\":\(time),\"event\":\"\(event)\"}\n"
      } else {
        let far = random.chance(1) ? 5.0 : 0
        let longitude = 13.405 + Double(random.int(-300...300)) / 100_000 + far
        text += "{\"t\":\(time),\"lat\":52.52,\"lon\":\(longitude),\"accuracy\":\(random.int(1...60))}\n"
      }
    }
    return text
  }

  private static func expectSame(_ long: Program, _ held: Program, _ comment: Comment) {
    let (first, second) = (ProgramCursor(long), ProgramCursor(held))
    #expect(Array(IteratorSequence(first)) == Array(IteratorSequence(second)), comment)
    #expect(long.events.count == held.events.count, comment)
    #expect(long.end == held.end && long.imports == held.imports, comment)
    #expect(long.warnings == held.warnings, comment)
    #expect(long.scenario.phone == held.scenario.phone, comment)
    #expect(long.devices.map(\.isBatterySpecified) == held.devices.map(\.isBatterySpecified), comment)
  }

  @Test(
    arguments: [
      "  - ndjson: day.ndjson", "  - {at: 08:00, ndjson: day.ndjson}",
      "  - {ndjson: day.ndjson, accuracyLimit: 30 m}\n  - {at: 09:00, ndjson: next.ndjson}",
      "  - ndjson: next.ndjson\n  - ndjson: day.ndjson\n  - every 1 h unlock\n  - every 45 min reboot",
    ], ["for: 3 days", ""])
  func `a recording that is read during the run has the same events as one in memory`(
    _ timeline: String, _ span: String
  ) throws {
    // Entries of the time line can repeat only if the scenario declares its end.
    if span.isEmpty, timeline.contains("every") { return }
    // The scenario starts at 06:00 UTC.
    let start = 1_772_431_200_000
    for seed in 0..<2 as Range<UInt64> {
      var random = SplitMix64(seed: seed)
      let story = try Story(
        Self.head(timeline, for: span),
        day: Self.lines(&random, count: 1_500, from: start - 600_000, step: 60),
        next: Self.lines(&random, count: 500, from: start + 86_400_000 * Int(seed), step: 30))
      defer { story.remove() }
      let held = try story.program(holding: .max)
      for lines in [0, 300] {
        let long = try story.program(holding: lines)
        Self.expectSame(long, held, "\(seed) \(lines)")
        let results = [long, held].map { ScenarioRun($0, stopwatch: { 0 }).run().result }
        #expect(results[0].accounts.fires == results[1].accounts.fires, "\(seed)")
        #expect(results[0].expectations == results[1].expectations, "\(seed)")
        #expect(!results[0].accounts.fires.isEmpty)
      }
    }
  }

  @Test func `unordered lines are sorted even if only a few of them fit into memory`() throws {
    var random = SplitMix64(seed: 3)
    let lines = Self.lines(&random, count: 300, from: 1_772_431_200_000, step: 60).split(separator: "\n")
    let story = try Story(
      Self.head("  - ndjson: day.ndjson"), day: lines.reversed().joined(separator: "\n") + "\n")
    defer { story.remove() }
    Self.expectSame(try story.program(holding: 0), try story.program(holding: .max), "reversed")
  }

  @Test func `a time line that is expanded in blocks has the same events as one in memory`() throws {
    var compiled = 0
    for seed in 0..<150 as Range<UInt64> {
      let scenario = try RandomScenario.scenario(seed: seed, withRecordings: false)
      var budget = RunBudget()
      guard let held = try? Program(scenario, in: .nothing, within: budget) else { continue }
      budget.held = 0
      let long = try Program(scenario, in: .nothing, within: budget)
      Self.expectSame(long, held, "\(seed)")
      let timeline = held.scenario.timeline
      let stream = TimelineStream(timeline, from: scenario.start, to: held.end, zones: scenario.zones)
      let obvious = Self.expanded(timeline, from: scenario.start, to: held.end, scenario.zones)
      #expect(Array(stream) == obvious, "\(seed)")
      compiled += 1
    }
    #expect(compiled > 50)
  }

  /// Returns the expected events, by expanding every occurrence of every entry and sorting the result.
  private static func expanded(
    _ timeline: Timeline, from start: Instant, to end: Instant, _ zones: ZoneTable
  ) -> [TimelineEvent] {
    var events: [TimelineEvent] = []
    // The actions that refer to the phone's clock, keyed by the order of their events.
    var ofClock: [Int: (action: TimelineAction, zone: Zone)] = [:]
    func expand(_ entry: TimelineEntry, at instant: Instant) {
      for action in entry.actions {
        let zone = zones[timeline.zone(at: instant)]
        for (delay, event) in action.events(at: instant, in: zone) {
          switch action {
          case .setToNow, .snoozeUntil, .snoozeMonths: ofClock[events.count] = (action, zone)
          default: break
          }
          events.append(
            TimelineEvent(
              instant: instant + delay, event: event, device: entry.device, position: entry.position,
              order: events.count))
        }
      }
    }
    for entry in timeline.entries {
      switch entry.timing {
      case .once(let instant): expand(entry, at: instant)
      case .repeated(let repetition):
        for instant in occurrences(of: repetition, timeline, from: start, to: end, zones) {
          expand(entry, at: instant)
        }
      }
    }
    events.removeAll { $0.instant < start || $0.instant >= end }
    events.sort { ($0.instant, $0.order) < ($1.instant, $1.order) }
    // The current offset of each device's clock, set by its last change.
    var ahead: [UInt8: TimeSpan] = [:]
    for index in events.indices {
      let event = events[index]
      if case .setClock(let span) = event.event { ahead[event.device] = span }
      if let (action, zone) = ofClock[event.order] {
        let shown = event.instant + ahead[event.device, default: .zero]
        events[index].event = action.events(at: shown, in: zone)[0].1
      }
      events[index].order = index
    }
    return events
  }

  private static func occurrences(
    of repetition: Repetition, _ timeline: Timeline, from start: Instant, to end: Instant, _ zones: ZoneTable
  ) -> [Instant] {
    func isChosen(_ date: CivilDate) -> Bool {
      repetition.weekdays.contains(date.weekday) && repetition.from.map { $0 <= date } ?? true
        && repetition.until.map { date < $0 } ?? true
    }
    switch repetition.step {
    case .elapsed(let span):
      return Array(sequence(first: start) { $0 + span }.prefix { $0 < end }).filter {
        isChosen(zones[timeline.zone(at: $0)].local(at: $0).date)
      }
    case .timesOfDay(let times):
      return timeline.stays.indices.flatMap { index -> [Instant] in
        let begin = max(timeline.stays[index].from, start)
        let finish = min(index + 1 < timeline.stays.count ? timeline.stays[index + 1].from : end, end)
        guard begin < finish else { return [] }
        let zone = zones[timeline.stays[index].zone]
        let days = sequence(first: zone.local(at: begin).date) { $0 + 1 }
          .prefix { $0 <= zone.local(at: finish).date }
        return days.filter { isChosen($0) && !zone.skips($0) }.flatMap { date in
          times.map { zone.instant(of: LocalTime(date: date, millisecondOfDay: $0)) }
            .filter { $0 >= begin && $0 < finish }
        }
      }
    }
  }

  @Test func `a recording that changes during a run is an error`() throws {
    var random = SplitMix64(seed: 9)
    let day = Self.lines(&random, count: 300, from: 1_772_431_200_000, step: 60)
    let story = try Story(Self.head("  - ndjson: day.ndjson"), day: day)
    defer { story.remove() }
    let program = try story.program(holding: 0)
    let handle = try FileHandle(forWritingTo: story.folder.appendingPathComponent("day.ndjson"))
    try handle.seekToEnd()
    try handle.write(contentsOf: Data("{\"t\":1,\"event\":\"unlock\"}\n".utf8))
    try handle.close()
    let result = ScenarioRun(program, stopwatch: { 0 }).run().result
    #expect(result.overrun?.message.contains("day.ndjson: has changed since it was first read") == true)
    #expect(throws: (any Error).self) { try Expansion(program).write { _ in } }
  }
}

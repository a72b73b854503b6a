import CivilTime
import DeviceSimulation
import Foundation
import Recordings
import ScenarioModel
import TestSupport
import Testing
import TextFormats
import TriggerModel

@testable import Scenarios

/// Tests people whose days are recorded, and people who live in different zones.
@Suite struct RecordedPeopleTests {
  private static let traces = Repository.scenarios.appendingPathComponent("traces")

  private static let helsinki =
    "helsinki: {screen: helsinki-screen.csv, battery: helsinki-battery.csv, zone: Europe/Helsinki}"

  /// Two phones with the same recording. Their names show which phone a person is assigned.
  private static let two =
    "recorded:\n    a: {screen: helsinki-screen.csv, zone: Europe/Helsinki}\n    \(helsinki)"

  private func outcome(_ habits: String, head: String? = nil) -> PopulationFile.Outcome {
    let text = (head ?? PopulationSample().head) + "\nhabits:\n  " + habits + "\n"
    let file = Self.traces.appendingPathComponent("sample.yaml").path
    return PopulationFile.read(Array(text.utf8), file: "sample.yaml", in: ReachableFiles(of: file))
  }

  private func population(_ habits: String, head: String? = nil) throws -> Population {
    switch outcome(habits, head: head) {
    case .population(let population, _): return population
    case .otherKind: throw PopulationSample.Unusable()
    case .unusable(let diagnostics):
      Issue.record("\(diagnostics.map(\.summary))")
      throw PopulationSample.Unusable()
    }
  }

  private func people(_ population: Population, _ numbers: Range<UInt64>) -> [SampledPerson] {
    let sampler = PersonSampler(population)
    var person = SampledPerson()
    return numbers.map { number in
      sampler.sample(number, into: &person)
      return person
    }
  }

  /// Returns the unlocks by date, in seconds after midnight. Each day lasts from 04:00 to 04:00. The table is parsed
  /// without the code under test. The recording contains only winter time.
  private func unlocksByDate() throws -> [Int: [Int]] {
    let text = try String(
      contentsOf: Self.traces.appendingPathComponent("helsinki-screen.csv"), encoding: .utf8)
    var dates: [Int: [Int]] = [:]
    var isLocked = true
    for line in text.split(separator: "\n").dropFirst() {
      let fields = line.split(separator: ",")
      let isUnlock = fields[1] == "3"
      if isUnlock, isLocked, let time = Double(fields[0]) {
        let local = Int(time.rounded(.down)) + 2 * 3_600
        let date = (local - 4 * 3_600) / 86_400
        dates[date, default: []].append(local - date * 86_400)
      }
      isLocked = !isUnlock
    }
    return dates
  }

  @Test(arguments: ["Europe/Berlin", "Asia/Tokyo"])
  func `each date of each person is a whole recorded day of the same weekday`(zone: String) throws {
    let head = PopulationSample().head.replacing("Europe/Berlin", with: zone)
      .replacing("2026-03-27", with: "2026-03-02").replacing("for: 10 days", with: "for: 21 days")
    let population = try population("recorded: {\(Self.helsinki)}", head: head)
    let recorded = try unlocksByDate()
    let clock = population.scenario.zones[population.scenario.zone]
    var chosen: [[Int]: Int] = [:]
    for person in people(population, 0..<60) {
      #expect(person.recording == "helsinki")
      var lived: [Int: [Int]] = [:]
      for event in person.events where event.event == .unlock {
        let local = clock.local(at: event.instant)
        let second = Int(local.date.dayNumber) * 86_400 + Int(local.millisecondOfDay / 1_000)
        let date = (second - 14_400) / 86_400
        lived[date, default: []].append(second - date * 86_400)
      }
      let first = Int(clock.local(at: population.scenario.start).date.dayNumber)
      for date in first..<first + 20 {
        // Exclude the additional events at 04:00, which join two recorded days.
        let own = (lived[date] ?? []).filter { $0 > 14_400 }
        let alike = recorded.filter { ($0.key - date) % 7 == 0 && $0.value.filter { $0 > 14_400 } == own }
        #expect(alike.count == 1, "person \(person.number), day \(date)")
        if date % 7 == 0 { chosen[own, default: 0] += 1 }
      }
    }
    // One weekday was recorded twice, and each of the two days is chosen about equally often.
    #expect(chosen.count == 2 && chosen.values.allSatisfy { $0 > 60 }, "\(chosen.values)")
  }

  @Test func `unlocks and charging alternate, and the story begins in the recorded state`() throws {
    let population = try population("recorded: {\(Self.helsinki)}")
    for person in people(population, 0..<40) {
      var (isUnlocked, isPlugged) = (false, false)
      var last = population.scenario.start
      for event in person.events {
        #expect(event.instant >= last && event.instant < population.scenario.end)
        last = event.instant
        switch event.event {
        case .unlock, .lock:
          #expect(isUnlocked == (event.event == .lock))
          isUnlocked = event.event == .unlock
        case .plugIn, .unplug:
          #expect(isPlugged == (event.event == .unplug))
          isPlugged = event.event == .plugIn
        default: Issue.record("\(event)")
        }
      }
      #expect(person.events.count > 300)
    }
    // On most nights, the phone is on its charger.
    let plugged = people(population, 0..<40).count { $0.events.first?.event == .plugIn }
    #expect(plugged > 10, "\(plugged)")
  }

  @Test func `people are independent, and a new recording affects only those assigned to it`() throws {
    let one = try population("recorded: {\(Self.helsinki)}")
    let both = try population(Self.two)
    let all = people(both, 0..<200)
    #expect(people(both, 77..<78) == [all[77]])
    let alone = people(one, 0..<200)
    for (person, before) in zip(all, alone) where person.recording == "helsinki" { #expect(person == before) }
    let share = all.count { $0.recording == "a" }
    #expect(abs(share - 100) < 29, "\(share)")
  }

  @Test func `people follow the local time of their zones and are otherwise the same`() throws {
    let rest = "\n  wake: {median: 07:00, daily: 20 min}\n  sleep: 23:00\n  unlocksPerHour: 3"
    let head = PopulationSample().head.replacing("2026-03-27", with: "2026-05-04")
    let everywhere = try population("zone: {Europe/Berlin: 60 %, Asia/Tokyo: 40 %}" + rest, head: head)
    let tokyo = try population(
      String(rest.dropFirst(3)), head: head.replacing("Europe/Berlin", with: "Asia/Tokyo"))
    #expect(everywhere.elsewhere.map(\.zone) == ["Asia/Tokyo", "Europe/Berlin"])
    let all = people(everywhere, 0..<1_000)
    let there = people(tokyo, 0..<1_000)
    var count = 0
    for (person, other) in zip(all, there) where person.zone == "Asia/Tokyo" {
      count += 1
      #expect(person.events == other.events && person.facts == other.facts)
      let (story, same) = (everywhere.scenario(of: person), tokyo.scenario(of: other))
      #expect(story.start == same.start && story.end == same.end)
      #expect(story.zones[story.zone].identifier == "Asia/Tokyo")
    }
    #expect(abs(count - 400) < 62, "\(count)")
    // People in Berlin get up seven hours later than people in Tokyo.
    let first = all.first { $0.zone == "Europe/Berlin" }
    let same = there[Int(first?.number ?? 0)]
    #expect((first?.events[0].instant ?? .distantPast) - same.events[0].instant == .hours(7))
  }

  @Test(arguments: [
    (
      "zone: {Europe/Berlin: 60 %, Asia/Tokyo: 30 %}",
      "22:9: error: the shares add up to 90 % and not to 100 %; 10 % are missing; for example, 'Asia/Tokyo' could be more"
    ),
    (
      "zone: {Europe/Berlin: 60 %, Asia/Tokio: 40 %}",
      "22:31: error: unknown time zone 'Asia/Tokio'; did you mean 'Asia/Tokyo'?"
    ),
    (
      "recorded: {a: {screen: helsinki-scren.csv, zone: Europe/Helsinki}}",
      "22:26: error: the file 'helsinki-scren.csv' does not exist; names are relative to the scenario's folder"
    ),
    (
      "recorded: {a: {screen: helsinki-battery.csv, zone: Europe/Helsinki}}",
      "22:17: error: helsinki-battery.csv:1: there is no column screen_status"
    ),
    (
      "recorded: {a: {screen: helsinki-screen.csv, battery: begins-plugged-battery.csv, zone: Europe/Helsinki}}",
      "22:17: error: no whole monday is recorded, and 6 other days of the week"
    ),
    ("recorded: {a: {screen: helsinki-screen.csv}}", "22:17: error: the key 'zone' is missing"),
  ])
  func `invalid declarations are reported at their own position`(line: String, message: String) throws {
    let rest = line.hasPrefix("zone") ? "\n  wake: 07:00\n  sleep: 23:00\n  unlocksPerHour: 3" : ""
    guard case .unusable(let diagnostics) = outcome(line + rest) else {
      Issue.record("it can be used")
      return
    }
    #expect(diagnostics.count == 1)
    let summary = diagnostics[0].summary
    #expect(summary.hasPrefix("sample.yaml:\(message)"), "\(summary)")
  }

  @Test func `days are either drawn or recorded`() {
    func summaries(_ habits: String) -> [String] {
      guard case .unusable(let diagnostics) = outcome(habits) else { return [] }
      return diagnostics.map(\.summary)
    }
    #expect(
      summaries("recorded: {\(Self.helsinki)}\n  wake: 07:00") == [
        "sample.yaml:23:9: error: recorded days determine this; leave out 'wake', or 'recorded'"
      ])
    #expect(
      summaries("wake: 07:00\n  sleep: 23:00") == [
        "sample.yaml:22:3: error: the key 'unlocksPerHour' is missing; it is how often people unlock their phones "
          + "while they are awake"
      ])
    // A start that one of the zones skips is reported.
    let head = PopulationSample().head.replacing("2026-03-27T00:00", with: "2011-12-30T00:00")
    let rest = "\n  wake: 07:00\n  sleep: 23:00\n  unlocksPerHour: 3"
    guard
      case .unusable(let diagnostics) = outcome(
        "zone: {Europe/Berlin: 50 %, Pacific/Apia: 50 %}" + rest, head: head)
    else {
      Issue.record("nobody noticed")
      return
    }
    #expect(
      diagnostics.map(\.summary) == [
        "sample.yaml:4:8: error: Pacific/Apia has no 2011-12-30: its clocks skipped that date"
      ])
  }
}

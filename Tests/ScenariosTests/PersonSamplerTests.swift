import CivilTime
import DeviceSimulation
import Foundation
import ScenarioModel
import SimulationKernel
import Testing
import TextFormats
import TriggerModel

@testable import Scenarios

/// Tests that people are drawn independently of each other, from the distributions in the file.
@Suite struct PersonSamplerTests {
  private func people(_ population: Population, _ numbers: some Sequence<UInt64>) -> [SampledPerson] {
    let sampler = PersonSampler(population)
    var person = SampledPerson()
    return numbers.map { number in
      sampler.sample(number, into: &person)
      return person
    }
  }

  /// Returns the events of a person, with names instead of indices.
  private func story(_ person: SampledPerson, _ scenario: Scenario) -> [String] {
    func value(_ value: FactValue) -> String { "\(value.bits)" }
    let facts = person.facts.map { "\(scenario.facts[$0.fact.index].name) \(value($0.value))" }.sorted()
    let events = person.events.map { event in
      let words =
        switch event.event {
        case .fact(let fact, let number): "\(scenario.facts[fact.index].name) \(value(number))"
        case .enterRegion(let place): "enter \(scenario.places[place.index].name)"
        case .exitRegion(let place): "exit \(scenario.places[place.index].name)"
        default: "\(event.event)"
        }
      return "\(event.instant) \(words)"
    }
    return ["\(person.number) \(person.profile) \(person.allowsNotifications)"] + facts + events
  }

  @Test func `a person does not depend on earlier draws`() throws {
    let population = try PopulationSample().population()
    let all = people(population, 0..<40)
    let some = people(population, [39, 3, 17])
    #expect(some == [all[39], all[3], all[17]])
    #expect(Set(all).count == 40)
  }

  @Test func `people depend on neither the order of a file, nor additions, nor the policy`() throws {
    let population = try PopulationSample().population()
    var other = PopulationSample()
    other.head = other.head
      .replacing(
        "  signedIn: false\n  steps: number\n", with: "  added: 3\n  steps: number\n  signedIn: false\n"
      )
      .replacing("policy: {quietHours: none}", with: "policy: {dailyCap: 1, minimumInterval: 9 h}")
      .replacing("places:\n", with: "places:\n  park: {at: [52.60, 13.50], radius: 100 m}\n")
    other.habits = other.habits
      .replacing("{ios: 60 %, android: 40 %}", with: "{android: 40 %, ios: 60 %}")
      .replacing("{free: 70 %, trial: 10 %, paid: 20 %}", with: "{paid: 20 %, trial: 10 %, free: 70 %}")
      .replacing("routines:\n", with: "routines:\n    added: {do: set added = 4, at: 12:00, people: 0 %}\n")
    let lines = other.habits.split(separator: "\n").map(String.init)
    other.habits = (lines.dropLast(2) + lines.suffix(2).reversed()).joined(separator: "\n")
    let changed = try other.population()
    #expect(changed.scenario.facts.map(\.name) != population.scenario.facts.map(\.name))
    for (first, second) in zip(people(population, 0..<60), people(changed, 0..<60)) {
      let told = story(first, population.scenario)
      #expect(told.count > 200 && told == story(second, changed.scenario))
    }
  }

  @Test(arguments: ["Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Africa/Casablanca"])
  func `a story is chronological, within its period, and can be written as a scenario`(zone: String)
    throws
  {
    var sample = PopulationSample()
    sample.head = sample.head.replacing("Europe/Berlin", with: zone)
    let changes = ["2026-03-27", "2026-03-06", "2026-04-02", "2026-10-30", "2026-02-12"]
    for start in changes {
      var sample = sample
      sample.head = sample.head.replacing("2026-03-27", with: start).replacing("for: 10", with: "for: 4")
      let population = try sample.population()
      for person in people(population, 0..<2) {
        var isUnlocked = false
        var last = population.scenario.start
        for event in person.events {
          #expect(event.instant >= last && event.instant < population.scenario.end)
          #expect(event.instant.millisecondsSince1970 % 1_000 == 0)
          last = event.instant
          guard event.event == .unlock || event.event == .lock else { continue }
          #expect(isUnlocked == (event.event == .lock), "\(zone) \(start)")
          isUnlocked = event.event == .unlock
        }
        let story = population.scenario(of: person)
        let text = try ScenarioDocument.write(story, .timeline).text
        let outcome = ScenarioDocument.read(Array(text.utf8), file: "", .timeline) { _ in true }
        guard case .scenario(let again, _) = outcome else {
          Issue.record("\(zone) \(start)")
          continue
        }
        #expect(again.withoutSources == story.withoutSources)
      }
    }
  }

  /// The bedtime and the waking time are drawn around the same hour. The person must fall asleep at least ten
  /// minutes before waking.
  @Test func `a person who hardly sleeps locks the phone before waking`() throws {
    var sample = PopulationSample()
    sample.head = sample.head.replacing("Europe/Berlin", with: "UTC")
    sample.habits = sample.habits
      .replacing("median: 07:00, spread: 1 h, daily: 20 min", with: "median: 02:30, daily: 1 h")
      .replacing("median: 00:10, spread: 40 min, daily: 20 min", with: "median: 02:20, daily: 1 h")
      .replacing("unlocksPerHour: {median: 3, sigma: 0.5}", with: "unlocksPerHour: {median: 60, sigma: 0.1}")
    for person in people(try sample.population(), 0..<20) {
      let uses = person.events.filter { $0.event == .unlock || $0.event == .lock }
      #expect(zip(uses, uses.dropFirst()).allSatisfy { $0.instant < $1.instant && $0.event != $1.event })
    }
  }

  /// Each share must be within four standard errors of the distribution in the file.
  @Test func `people follow the distributions of the file`() throws {
    let population = try PopulationSample().population()
    let all = people(population, 0..<2_000)
    let scenario = population.scenario
    func share(_ isSo: (SampledPerson) -> Bool) -> Double { Double(all.count(where: isSo)) / 2_000 }
    func expect(_ share: Double, _ wanted: Double, _ what: Comment) {
      #expect(abs(share - wanted) < 4 * (wanted * (1 - wanted) / 2_000).squareRoot(), what)
    }
    expect(share { $0.profile == "android" }, 0.4, "platform")
    expect(share { $0.facts.contains { $0.fact == FactID(0) && $0.value == .truth(true) } }, 0.3, "truth")
    let plan = scenario.facts.firstIndex { $0.name == "plan" } ?? 0
    expect(share { $0.facts.contains { $0.fact == FactID(plan) && $0.value == .name(1) } }, 0.1, "names")
    expect(
      share { $0.events.contains { if case .enterRegion(RegionID(1)) = $0.event { true } else { false } } },
      0.7,
      "commute")
    expect(share { $0.allowsNotifications }, 0.6 * 0.56 + 0.4 * 0.67, "permission")
    // The routine takes place at noon on half of the days. The additional hours account for the change to
    // summer time.
    let noon = scenario.start + .days(3) + .hours(11)
    let counts = all.count { person in
      person.events.contains { event in
        if case .fact(FactID(1), _) = event.event { event.instant == noon } else { false }
      }
    }
    expect(Double(counts) / 2_000, 0.5, "the chance of a routine")
    // The expected value is 17 hours and 10 minutes per day, times the mean of the log-normal rate.
    let unlocks = all.reduce(0) { $0 + $1.events.count { $0.event == .unlock } }
    let perDay = Double(unlocks) / 2_000 / 10
    #expect(abs(perDay - 17.17 * 3 * 1.133) < 3, "\(perDay)")
  }

  @Test func `the weekdays of a person's routine stay the same`() throws {
    let population = try PopulationSample().population()
    let zone = population.scenario.zones[population.scenario.zone]
    var counts: [Int: Int] = [:]
    for person in people(population, 0..<300) {
      let days = person.events.filter { $0.event == .fact(FactID(1), .number(thousandths: 80_000)) }
        .map { zone.local(at: $0.instant).date.weekday }
      counts[Set(days).count, default: 0] += 1
    }
    // In ten days, each of a person's two or four weekdays occurs once or twice. A fifth of the people do not
    // have the routine.
    #expect(Set(counts.keys) == [0, 2, 4], "\(counts)")
    #expect(abs((counts[0] ?? 0) - 60) < 28 && abs((counts[2] ?? 0) - 120) < 35, "\(counts)")
  }
}

@Suite struct UnlockSeriesTests {
  private let keys = PersonRandomKeys(person: 7, seed: 1)

  private func gaps(_ rate: Double, ofDay day: Int, _ count: Int) -> [Int64] {
    var luck = UnlockSeries(rate, length: .minutes(2), gapName: 1, lengthName: 2).day(day, keys)
    return (0..<count).map { _ in
      defer { luck.advance() }
      return luck.nextGap()
    }
  }

  /// More than 4,096 unlocks on one day must not use the draws of the next day.
  @Test func `no two days share draws`() {
    let (first, second) = (gaps(1, ofDay: 0, 5_000), gaps(1, ofDay: 1, 5_000))
    #expect(first.dropFirst(4_096).elementsEqual(second.prefix(904)) == false)
    #expect(zip(first, second).count { $0 == $1 } < 50)
  }

  /// The mean of 5,000 exponential gaps must be within five standard errors of the expected value.
  @Test(arguments: [(60.0, 60.0), (240, 15), (10_000, 15)])
  func `the number of unlocks per hour is limited`(rate: Double, seconds: Double) {
    // Gaps are truncated to whole seconds, which lowers the mean by half a second.
    let mean = Double(gaps(rate, ofDay: 3, 5_000).reduce(0, +)) / 5_000 + 0.5
    #expect(abs(mean - seconds) < 5 * seconds / 5_000.squareRoot() + 0.1)
  }

  @Test func `each use of the phone ends before the next one begins`() {
    var luck = UnlockSeries(10_000, length: .hours(1), gapName: 1, lengthName: 2).day(0, keys)
    for second in 0..<1_000 as Range<Int64> {
      let (lock, next) = luck.use(at: second)
      #expect(second < lock && lock + 2 <= next && next >= second + 10)
      luck.advance()
    }
  }

  @Test func `a phone that is never unlocked has gaps that are longer than a lifetime`() {
    #expect(gaps(0, ofDay: 0, 3).allSatisfy { $0 == 1_000_000_000 })
  }
}

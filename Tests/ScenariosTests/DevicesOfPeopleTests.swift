import CivilTime
import DeviceSimulation
import ScenarioModel
import Testing
import TextFormats
import TriggerModel

@testable import Scenarios

/// Tests devices other than the phone that only some people own.
@Suite struct DevicesOfPeopleTests {
  private static func sample(
    _ devices: String, declared: String = "{tablet: {profile: ios}, watch: {profile: ios}}"
  )
    -> PopulationSample
  {
    var sample = PopulationSample()
    sample.head +=
      "\ndevices: \(declared)\ntimeline: [on tablet every day 06:00 open, on watch day 2 07:00 unlock]"
    sample.habits += "\n  devices: \(devices)"
    return sample
  }

  private func people(_ population: Population, _ count: UInt64) -> [SampledPerson] {
    let sampler = PersonSampler(population)
    var person = SampledPerson()
    return (0..<count).map { number in
      sampler.sample(number, into: &person)
      return person
    }
  }

  @Test func `the declared share of people owns a device and uses it in its part of the day`() throws {
    let sample = Self.sample(
      "{tablet: {people: 40 %, unlocksPerHour: {median: 2, sigma: 0.3}, unlockLength: 10 min, between: 19:00-22:30}, "
        + "watch: {people: 70 %}}")
    let population = try sample.population()
    let all = people(population, 2_000)
    let zone = population.scenario.zones[population.scenario.zone]
    let tablets = all.filter { !$0.lacks.contains(device: 1) }
    #expect((740...860).contains(tablets.count), "\(tablets.count)")
    let watches = all.count { !$0.lacks.contains(device: 2) }
    #expect((1_320...1_480).contains(watches), "\(watches)")
    // Owning one device is independent of owning the other.
    let both = tablets.count { !$0.lacks.contains(device: 2) }
    #expect((500...620).contains(both), "\(both)")
    var unlocks = 0
    for person in all.prefix(200) {
      let own = person.events.filter { $0.device != 0 }
      if person.lacks.contains(device: 1) {
        #expect(own.isEmpty)
        continue
      }
      var isUnlocked = false
      for event in own {
        #expect(event.device == 1)
        let minute = zone.local(at: event.instant).minuteOfDay
        switch event.event {
        case .unlock:
          #expect(!isUnlocked && (1_140..<1_350).contains(minute))
          (isUnlocked, unlocks) = (true, unlocks + 1)
        case .lock:
          #expect(isUnlocked && (1_140...1_350).contains(minute))
          isUnlocked = false
        default: Issue.record("\(event)")
        }
      }
    }
    // The expected value is two unlocks per hour, for 3.5 hours on each of ten days.
    let owners = all.prefix(200).count { !$0.lacks.contains(device: 1) }
    #expect(abs(Double(unlocks) / Double(owners) - 70) < 12, "\(unlocks) of \(owners)")
    // No habit uses the watch. Only the time line does.
    let watchOnly = try #require(all.first { $0.lacks.contains(device: 1) && !$0.lacks.contains(device: 2) })
    let story = population.scenario(of: watchOnly)
    #expect(story.devices.map(\.name) == ["watch"])
    #expect(story.timeline.entries.filter { $0.device != 0 }.map(\.device) == [1])
    let phoneOnly = try #require(all.first { $0.lacks.contains(device: 1) && $0.lacks.contains(device: 2) })
    #expect(population.scenario(of: phoneOnly).timeline.entries.allSatisfy { $0.device == 0 })
  }

  @Test func `a person with or without a second device is unchanged after writing and reading`() throws {
    var sample = Self.sample("{tablet: {people: 40 %}, watch: {people: 40 %}}")
    sample.head += "\nsync: {delay: 5 s}"
    let population = try sample.population()
    var alone = 0
    for person in people(population, 20) {
      let story = population.scenario(of: person)
      if story.devices.isEmpty { alone += 1 }
      let text = try ScenarioDocument.write(story, .timeline).text
      let outcome = ScenarioDocument.read(Array(text.utf8), file: "story", .timeline) { _ in false }
      guard case .scenario(let again, let warnings) = outcome else {
        Issue.record("\(person.number): \(outcome)")
        continue
      }
      #expect(again.withoutSources == story.withoutSources, "\(person.number)")
      #expect(
        warnings.contains { $0.message.contains("no other device to share with") } == story.devices.isEmpty)
    }
    #expect((1..<20).contains(alone))
  }

  @Test func `a device's habits affect neither phones nor other devices`() throws {
    let one = "tablet: {people: 40 %, unlocksPerHour: 1, between: 19:00-01:00}"
    let plain = people(try PopulationSample().population(), 60)
    let first = people(try Self.sample("{\(one)}").population(), 60)
    let second = people(
      try Self.sample(
        "{watch: {people: 20 %, unlocksPerHour: 9, between: 08:00-20:00}, \(one)}",
        declared: "{watch: {profile: ios}, tablet: {profile: ios}}"
      ).population(), 60)
    for number in 0..<60 {
      #expect(first[number].events.filter { $0.device == 0 } == plain[number].events)
      #expect(second[number].events.filter { $0.device == 0 } == plain[number].events)
      #expect(first[number].lacks.contains(device: 1) == second[number].lacks.contains(device: 2))
      func tablet(_ person: SampledPerson, _ device: UInt8) -> [Instant] {
        person.lacks.contains(device: device)
          ? [] : person.events.filter { $0.device == person.lacks.number(without: device) }.map(\.instant)
      }
      #expect(tablet(first[number], 1) == tablet(second[number], 2))
    }
  }

  @Test func `sets of devices that no one can own are excluded`() throws {
    let population = try Self.sample("{tablet: {people: 0 %}, watch: {people: 50 %}}").population()
    let tablet = DeviceSet(device: 1)
    #expect(Set(population.possibleLacks) == [tablet, tablet.union(DeviceSet(device: 2))])
    #expect(people(population, 30).allSatisfy { population.possibleLacks.contains($0.lacks) })
  }

  @Test(arguments: [
    ("{tabelt: {people: 40 %}}", "unknown device 'tabelt'; did you mean 'tablet'?"),
    (
      "{phone: {people: 40 %}}", "everybody has the phone; describe its use directly under 'habits'"
    ),
    ("{tablet: {people: 140 %}}", "'140 %' is not a share from 0 % to 100 %"),
    ("{tablet: {unlockLength: 4 min}}", "'unlockLength' needs 'unlocksPerHour'"),
    ("{tablet: {between: 18:00-20:00}}", "'between' needs 'unlocksPerHour'"),
    (
      "{tablet: {unlocksPerHour: 3}}",
      "'unlocksPerHour' needs 'between'; such as 'between: 18:00-23:00'"
    ),
    ("{tablet: {unlocksPerHour: 3, between: 18:00-18:00}}", "this part of the day is empty"),
  ])
  func `invalid declarations are reported at their own position`(devices: String, message: String) {
    let problems = Self.sample(devices).problems
    #expect(problems.count == 1)
    #expect(problems.first?.hasSuffix("error: " + message) == true, "\(problems)")
  }

  @Test func `the number of device sets is limited`() {
    let names = ["a", "b", "c", "d"]
    let problems = Self.sample(
      "{" + names.map { "\($0): {people: 50 %}" }.joined(separator: ", ") + "}",
      declared: "{" + (names + ["tablet", "watch"]).map { "\($0): {profile: ios}" }.joined(separator: ", ")
        + "}"
    ).problems
    #expect(
      problems.first?.contains("more than 3 devices that only some people have; leave out 'people'") == true)
  }
}

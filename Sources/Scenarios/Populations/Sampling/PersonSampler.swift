import CivilTime
import DeviceSimulation
import PersonModel
import ScenarioModel
import SimulationKernel
import TextFormats
import TriggerModel

/// Draws the people of a population.
package struct PersonSampler: Sendable {
  let habits: Habits
  /// The zones of ``Habits/zone`` in their order, or only the zone of the file.
  private let homes: [Home]
  private let seed: UInt64
  private let model: TapModel
  private let profile: String
  let names: HabitNames

  package init(_ population: Population) {
    let scenario = population.scenario
    habits = population.habits
    let elsewhere = population.elsewhere.map { Home($0.scenario, name: $0.zone) }
    homes = elsewhere.isEmpty ? [Home(scenario, name: nil)] : elsewhere
    seed = scenario.seed
    model = scenario.person?.model ?? TapModel()
    profile = scenario.profile.value
    names = HabitNames(population)
  }

  /// Draws the person with a number. The result does not depend on any other person.
  package func sample(_ number: UInt64, into person: inout SampledPerson) {
    let keys = PersonRandomKeys(person: number, seed: seed)
    person.number = number
    person.profile = habits.platform?.choose(keys.trait.named(names.platform).unit(0)) ?? profile
    let place = habits.zone?.choose(keys.trait.named(names.zone).unit(0))
    let home = homes.first { $0.name == place } ?? homes[0]
    person.zone = home.name
    person.lacks = []
    for (index, habit) in habits.devices.enumerated()
    where !keys.trait.named(names.devices[index].owned).isHit(habit.people, 0) {
      person.lacks.formUnion(DeviceSet(device: habit.device))
    }
    // Running the person's scenario later reports an unknown profile.
    let platform = PlatformProfile.system(of: person.profile).map(TapModel.Platform.init) ?? .ios
    let traits = PersonTraits(number, seed: seed, model, on: platform)
    person.allowsNotifications = traits.allowsNotifications
    person.facts.removeAll(keepingCapacity: true)
    for (index, habit) in habits.facts.enumerated() {
      let name = names.facts[index]
      switch habit.value {
      case .shares(let shares):
        guard let value = shares.choose(keys.trait.named(name).unit(0)) else { continue }
        person.facts.append(.init(fact: habit.fact, value: value))
      case .amount(let amount):
        person.facts.append(.init(fact: habit.fact, value: amount.value(name, on: nil, keys)))
      }
    }
    person.events.removeAll(keepingCapacity: true)
    person.recording = recording(keys)?.name
    var days = DaySampler(self, keys, home, without: person.lacks)
    days.sample(into: &person.events)
  }

  /// Returns the recorded phone that is assigned to a person. Each phone has a draw that is keyed by its
  /// name, so adding a phone affects only the people who are assigned to it.
  func recording(_ keys: PersonRandomKeys) -> RecordedHabits? {
    guard case .recorded(let phones) = habits.days else { return nil }
    var best: (draw: UInt64, phone: RecordedHabits)?
    for (name, phone) in zip(names.recordings, phones) {
      let draw = keys.trait.named(name).draw(0)
      if best == nil || draw > best?.draw ?? 0 { best = (draw, phone) }
    }
    return best?.phone
  }
}

/// A zone in which people live, with the simulated period as local time.
struct Home: Sendable {
  let name: String?
  let zone: Zone
  let span: Range<Instant>
  let first: CivilDate
  let days: Int

  init(_ scenario: Scenario, name: String?) {
    self.name = name
    zone = scenario.zones[scenario.zone]
    span = scenario.start..<scenario.end
    first = zone.local(at: scenario.start).date
    days = zone.localDays(in: span)
  }
}

/// The numbers that key the draws. Each number is derived from the name of a habit.
struct HabitNames: Sendable {
  let platform = RandomKey.nameNumber("platform")
  let zone = RandomKey.nameNumber("zone")
  let recordedDay = RandomKey.nameNumber("recorded day")
  /// The numbers of the recorded phones, in the same order.
  let recordings: [UInt64]
  let wake = RandomKey.nameNumber("wake")
  let sleep = RandomKey.nameNumber("sleep")
  let unlockRate = RandomKey.nameNumber("unlocks per hour")
  let unlockGap = RandomKey.nameNumber("until the next unlock")
  let unlockLength = RandomKey.nameNumber("length of an unlock")
  let chargedNight = RandomKey.nameNumber("charged at night")
  let chargedDay = RandomKey.nameNumber("charged by day")
  let commute = RandomKey.nameNumber("commute")
  let leaves = RandomKey.nameNumber("leaves")
  let returns = RandomKey.nameNumber("returns")
  /// The numbers of ``Habits/devices``, in the same order.
  let devices: [DeviceNames]
  /// The numbers of ``Commute/stops``, in the same order.
  let stops: [UInt64]
  /// The numbers of ``Habits/facts``, in the same order.
  let facts: [UInt64]
  /// The numbers of ``Habits/routines``, in the same order.
  let routines: [UInt64]

  init(_ population: Population) {
    let (scenario, habits) = (population.scenario, population.habits)
    if case .recorded(let phones) = habits.days {
      recordings = phones.map { RandomKey.nameNumber("recording " + $0.name) }
    } else {
      recordings = []
    }
    devices = habits.devices.map { DeviceNames($0.name) }
    stops = (habits.commute?.stops ?? []).map {
      RandomKey.nameNumber("stop " + scenario.places[$0.place.index].name)
    }
    facts = habits.facts.map { RandomKey.nameNumber("fact " + scenario.facts[$0.fact.index].name) }
    routines = habits.routines.map { RandomKey.nameNumber("routine " + $0.name) }
  }
}

/// The numbers that key the draws of an additional device.
struct DeviceNames: Sendable {
  let owned: UInt64
  let unlockRate: UInt64
  let unlockGap: UInt64
  let unlockLength: UInt64

  init(_ device: String) {
    owned = RandomKey.nameNumber("device " + device)
    unlockRate = RandomKey.nameNumber("unlocks per hour of device " + device)
    unlockGap = RandomKey.nameNumber("until the next unlock of device " + device)
    unlockLength = RandomKey.nameNumber("length of an unlock of device " + device)
  }
}

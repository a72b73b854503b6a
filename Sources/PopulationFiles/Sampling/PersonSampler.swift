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
  let zone: Zone
  private let span: Range<Instant>
  private let first: CivilDate
  private let days: Int
  private let seed: UInt64
  private let model: TapModel
  private let profile: String
  /// Of a person who allows notifications.
  private let notifications: NotificationPermission
  let names: HabitNames

  package init(_ population: Population) {
    let scenario = population.scenario
    habits = population.habits
    zone = scenario.zones[scenario.zone]
    span = scenario.start..<scenario.end
    first = zone.local(at: scenario.start).date
    days = zone.localDays(in: span)
    seed = scenario.seed
    model = scenario.person?.model ?? TapModel()
    profile = scenario.profile.value
    notifications = scenario.phone.notifications
    names = HabitNames(population)
  }

  /// Draws person `number`: the same whoever was drawn before.
  package func sample(_ number: UInt64, into person: inout SampledPerson) {
    let keys = HabitKeys(person: number, seed: seed)
    person.number = number
    person.profile = habits.platform?.choose(keys.trait.named(names.platform).unit(0)) ?? profile
    let traits = PersonTraits(number, seed: seed, model, on: person.profile == "android" ? .android : .ios)
    person.notifications = traits.allowsNotifications ? notifications : .denied
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
    var days = DaySampler(self, keys)
    days.sample(first: first, count: self.days, span, into: &person.events)
  }
}

/// The numbers that stand for the names of what is drawn.
struct HabitNames: Sendable {
  let platform = RandomKey.nameNumber("platform")
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
  /// By the position among ``Commute/stops``.
  let stops: [UInt64]
  /// By the position among ``Habits/facts``.
  let facts: [UInt64]
  /// By the position among ``Habits/routines``.
  let routines: [UInt64]

  init(_ population: Population) {
    let (scenario, habits) = (population.scenario, population.habits)
    stops = (habits.commute?.stops ?? []).map {
      RandomKey.nameNumber("stop " + scenario.places[$0.place.index].name)
    }
    facts = habits.facts.map { RandomKey.nameNumber("fact " + scenario.facts[$0.fact.index].name) }
    routines = habits.routines.map { RandomKey.nameNumber("routine " + $0.name) }
  }
}

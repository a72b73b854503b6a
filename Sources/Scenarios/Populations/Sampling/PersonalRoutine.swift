import CivilTime
import DeviceSimulation
import ScenarioModel
import SimulationKernel
import TriggerModel

/// A routine that a person has.
struct PersonalRoutine {
  let at: PersonalTime
  private let routine: Routine
  private let name: UInt64
  private let weekdays: WeekdaySet

  /// Nil: the person has it not.
  init?(_ routine: Routine, _ name: UInt64, _ keys: HabitKeys) {
    let trait = keys.trait.named(name)
    guard trait.isHit(routine.people, 0) else { return nil }
    self.routine = routine
    self.name = name
    at = PersonalTime(routine.at, name &+ 3, keys)
    guard let perWeek = routine.perWeek else {
      weekdays = routine.weekdays
      return
    }
    let count = perWeek.choose(trait.unit(1)) ?? 0
    let all = Weekday.allCases.filter { routine.weekdays.contains($0) }
    let ranked = all.sorted { trait.draw(8 + UInt64($0.rawValue)) < trait.draw(8 + UInt64($1.rawValue)) }
    weekdays = ranked.prefix(count).reduce(into: []) { $0.formUnion(WeekdaySet($1)) }
  }

  func isDone(on weekday: Weekday, _ day: Int, _ keys: HabitKeys) -> Bool {
    guard weekdays.contains(weekday) else { return false }
    return routine.chance >= 1_000_000
      || keys.habit.named(name &+ 1).isHit(routine.chance, UInt64(day))
  }

  /// - Parameter add: Takes what happens, and when.
  func draw(
    at instant: Instant, _ day: Int, _ keys: HabitKeys, in zone: Zone, _ add: (Instant, PhoneEvent) -> Void
  ) {
    switch routine.deed {
    case .number(let fact, let amount): add(instant, .fact(fact, amount.value(name &+ 2, on: day, keys)))
    case .actions(let actions):
      for action in actions {
        // Mostly it is one event, at once.
        if case .event(let event) = action {
          add(instant, event)
          continue
        }
        for (span, event) in action.events(at: instant, in: zone) { add(instant + span, event) }
      }
    }
  }
}

/// The way that a person goes.
struct PersonalCommute {
  let home: RegionID
  let weekdays: WeekdaySet
  private let commute: Commute
  private let names: HabitNames
  private let leaves: PersonalTime
  private let returns: PersonalTime

  /// Nil: the person goes nowhere.
  init?(_ commute: Commute, _ names: HabitNames, _ keys: HabitKeys) {
    guard keys.trait.named(names.commute).isHit(commute.people, 0) else { return nil }
    self.commute = commute
    self.names = names
    home = commute.home
    weekdays = commute.weekdays
    leaves = PersonalTime(commute.leaves, names.leaves, keys)
    returns = PersonalTime(commute.returns, names.returns, keys)
  }

  /// - Parameter add: Takes an event, and its second after midnight.
  func draw(_ day: Int, _ keys: HabitKeys, _ add: (PhoneEvent, Int64) -> Void) {
    let way = commute.takes.milliseconds / 1_000
    let leaving = max(0, min(DayConstant.latestLeaving.seconds, leaves.second(on: day, keys)))
    let arriving = leaving + way
    let length = DayConstant.stop.seconds
    // All of it is on the same day.
    let latest = DayConstant.latestReturn.seconds - way - Int64(commute.stops.count) * length
    let earliest = arriving + DayConstant.shortestStay.seconds
    let returning = min(max(returns.second(on: day, keys), earliest), max(latest, earliest))
    add(.exitRegion(commute.home), leaving)
    add(.enterRegion(commute.work), arriving)
    add(.exitRegion(commute.work), returning)
    var time = returning + way / 2
    for (index, stop) in commute.stops.enumerated()
    where keys.habit.named(names.stops[index]).isHit(stop.millionths, UInt64(day)) {
      add(.enterRegion(stop.place), time)
      add(.exitRegion(stop.place), time + length)
      time += length + DayConstant.betweenStops.seconds
    }
    add(.enterRegion(commute.home), time + max(DayConstant.lastOfWayHome.seconds, way / 2))
  }
}

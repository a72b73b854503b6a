import CivilTime
import DeviceSimulation
import Recordings
import ScenarioModel
import SimulationKernel
import TriggerModel

/// One person's habits on the phone, for drawn days.
struct PersonalDays {
  let habits: DrawnDays
  let sleep: PersonalTime
  let unlocks: UnlockSeries
  private let wake: PersonalTime

  init(_ habits: DrawnDays, _ names: HabitNames, _ keys: PersonRandomKeys) {
    self.habits = habits
    wake = PersonalTime(habits.wake, names.wake, keys)
    var sleep = habits.sleep
    if sleep.median < habits.wake.median { sleep.median += 86_400_000 }
    self.sleep = PersonalTime(sleep, names.sleep, keys)
    let rate = keys.trait.named(names.unlockRate)
      .logNormal(median: habits.unlocksPerHour.median, sigma: habits.unlocksPerHour.sigma, 0)
    unlocks = UnlockSeries(
      rate, length: habits.unlockLength, gapName: names.unlockGap, lengthName: names.unlockLength)
  }

  /// Returns the waking time in seconds after midnight.
  func wakeSecond(_ day: Int, _ keys: PersonRandomKeys) -> Int64 {
    max(0, min(DayConstant.latestWaking.seconds, wake.second(on: day, keys)))
  }
}

/// The recorded days of one person. Each date replays a whole recorded day with the same weekday.
struct PersonalRecording {
  private let phone: RecordedPhone
  private let name: UInt64

  init(_ recording: RecordedHabits, _ names: HabitNames, _ keys: PersonRandomKeys) {
    phone = recording.phone
    name = names.recordedDay
  }

  /// Replays the phone's events for the whole period.
  ///
  /// Consecutive days may come from unrelated recorded dates. Additional events at 04:00 then change the
  /// phone from the final state of one day to the initial state of the next. Additional events at the start
  /// of the period set the initial state.
  func replay(_ home: Home, _ keys: PersonRandomKeys, _ add: (Instant, PhoneEvent) -> Void) {
    let start = home.span.lowerBound
    var state = RecordedDay.State()
    var hasBegun = false
    func take(_ change: RecordedDay.Change, at instant: Instant) {
      if instant >= start, !hasBegun {
        hasBegun = true
        for change in RecordedDay.State().changes(to: state) { add(start, change.event) }
      }
      state.apply(change)
      if hasBegun { add(instant, change.event) }
    }
    // A recorded day ends at 04:00 of the next date.
    for day in -1..<home.days {
      let clock = DayClock(home.first + day, in: home.zone)
      let recorded = self.day(of: (home.first + day).weekday, UInt64(day + 1), keys)
      for change in state.changes(to: recorded.beginning) {
        take(change, at: clock.instant(Int64(RecordedDay.start)))
      }
      for event in recorded.events { take(event.change, at: clock.instant(Int64(event.second))) }
    }
  }

  private func day(of weekday: Weekday, _ occurrence: UInt64, _ keys: PersonRandomKeys) -> RecordedDay {
    let days = phone.ofWeekday[Int(weekday.rawValue)]
    return phone.days[days[Int(keys.habit.named(name).below(UInt64(days.count), occurrence))]]
  }
}

extension RecordedDay.Change {
  fileprivate var event: PhoneEvent {
    switch self {
    case .unlocked: .unlock
    case .locked: .lock
    case .pluggedIn: .plugIn
    case .unplugged: .unplug
    }
  }
}

/// One person's use of an additional device.
struct PersonalDevice {
  /// The device's index among the devices that the person owns.
  let number: UInt8
  private let window: DailyWindow
  private let unlocks: UnlockSeries

  /// Creates the person's use of a device. Returns `nil` if the person does not own the device, or if only
  /// the time line uses it.
  init?(_ habit: DeviceHabit, _ names: DeviceNames, _ keys: PersonRandomKeys, without lacks: DeviceSet) {
    guard !lacks.contains(device: habit.device), let use = habit.use else { return nil }
    let rate = keys.trait.named(names.unlockRate)
      .logNormal(median: use.unlocksPerHour.median, sigma: use.unlocksPerHour.sigma, 0)
    guard rate > 0 else { return nil }
    number = lacks.number(without: habit.device)
    window = use.window
    unlocks = UnlockSeries(
      rate, length: use.unlockLength, gapName: names.unlockGap, lengthName: names.unlockLength)
  }

  /// Draws the unlocks and locks of a day, in seconds after midnight.
  func draw(_ day: Int, _ keys: PersonRandomKeys, _ add: (PhoneEvent, Int64) -> Void) {
    let from = Int64(window.from) * 60
    let to = Int64(window.to) * 60 + (window.to <= window.from ? 86_400 : 0)
    var luck = unlocks.day(day, keys)
    var time = from + luck.nextGap()
    while time < to {
      luck.advance()
      let (lock, next) = luck.use(at: time)
      add(.unlock, time)
      add(.lock, min(lock, to))
      time = next
    }
  }
}

/// A routine of one person.
struct PersonalRoutine {
  let at: PersonalTime
  private let routine: Routine
  private let name: UInt64
  private let weekdays: WeekdaySet

  /// Creates the routine, or returns `nil` if the person does not have it.
  init?(_ routine: Routine, _ name: UInt64, _ keys: PersonRandomKeys) {
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

  func isDone(on weekday: Weekday, _ day: Int, _ keys: PersonRandomKeys) -> Bool {
    guard weekdays.contains(weekday) else { return false }
    return routine.chance >= 1_000_000
      || keys.habit.named(name &+ 1).isHit(routine.chance, UInt64(day))
  }

  /// Draws the events of a day.
  ///
  /// - Parameter add: Receives an event and its instant.
  func draw(
    at instant: Instant, _ day: Int, _ keys: PersonRandomKeys, in zone: Zone,
    _ add: (Instant, PhoneEvent) -> Void
  ) {
    switch routine.deed {
    case .number(let fact, let amount): add(instant, .fact(fact, amount.value(name &+ 2, on: day, keys)))
    case .actions(let actions):
      for action in actions {
        // Most actions consist of a single event.
        if case .event(let event) = action {
          add(instant, event)
          continue
        }
        for (span, event) in action.events(at: instant, in: zone) { add(instant + span, event) }
      }
    }
  }
}

/// The commute of one person.
struct PersonalCommute {
  let home: RegionID
  let weekdays: WeekdaySet
  private let commute: Commute
  private let names: HabitNames
  private let leaves: PersonalTime
  private let returns: PersonalTime

  /// Creates the commute, or returns `nil` if the person does not commute.
  init?(_ commute: Commute, _ names: HabitNames, _ keys: PersonRandomKeys) {
    guard keys.trait.named(names.commute).isHit(commute.people, 0) else { return nil }
    self.commute = commute
    self.names = names
    home = commute.home
    weekdays = commute.weekdays
    leaves = PersonalTime(commute.leaves, names.leaves, keys)
    returns = PersonalTime(commute.returns, names.returns, keys)
  }

  /// Draws the events of a day.
  ///
  /// - Parameter add: Receives an event and its second after midnight.
  func draw(_ day: Int, _ keys: PersonRandomKeys, _ add: (PhoneEvent, Int64) -> Void) {
    let way = commute.takes.milliseconds / 1_000
    let leaving = max(0, min(DayConstant.latestLeaving.seconds, leaves.second(on: day, keys)))
    let arriving = leaving + way
    let length = DayConstant.stop.seconds
    // All events of a commute must be on the same day.
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

/// One person's unlocks of a device, with the duration of each. Each value has a separate draw.
struct UnlockSeries {
  /// The mean time between unlocks in seconds, or infinity if there are none.
  private let gap: Double
  /// The mean duration of use after an unlock, in seconds.
  private let length: Double
  private let gapName: UInt64
  private let lengthName: UInt64

  /// Creates a series.
  ///
  /// - Parameter rate: Unlocks per hour.
  init(_ rate: Double, length: TimeSpan, gapName: UInt64, lengthName: UInt64) {
    gap = rate > 0 ? 3_600 / min(rate, Double(DayConstant.mostUnlocks.value.amount)) : .infinity
    self.length = Double(length.milliseconds) / 1_000
    self.gapName = gapName
    self.lengthName = lengthName
  }

  /// Returns an iterator over the draws of one day.
  func day(_ day: Int, _ keys: PersonRandomKeys) -> Day {
    Day(
      gap: gap, length: length, gaps: keys.habit.named(gapName), lengths: keys.habit.named(lengthName),
      day: UInt64(day))
  }

  struct Day {
    fileprivate let gap: Double
    fileprivate let length: Double
    fileprivate let gaps: RandomKey
    fileprivate let lengths: RandomKey
    fileprivate let day: UInt64
    /// The index of the unlock within the day, from 0.
    fileprivate var number: UInt64 = 0

    /// The index of the draw. Each day has 4,096 consecutive indices. If a day has more unlocks, they use
    /// indices above those of all days.
    @inline(__always)
    private var occurrence: UInt64 { (number >> 12) << 40 | day << 12 | number & 0xFFF }

    /// Advances to the draws of the next unlock.
    @inline(__always)
    mutating func advance() { number += 1 }

    /// Returns the seconds to the next unlock.
    @inline(__always)
    func nextGap() -> Int64 {
      // In this order of arguments, `min` returns 1e9 for NaN, which means never.
      Int64(min(1e9, gaps.exponential(mean: gap, occurrence)))
    }

    /// Returns the second at which a device that was unlocked at `second` is locked, and the second of its
    /// next unlock.
    @inline(__always)
    func use(at second: Int64) -> (lock: Int64, next: Int64) {
      let drawn = min(lengths.exponential(mean: length, occurrence), Double(DayConstant.longestUse.seconds))
      let lock = second + DayConstant.shortestUse.seconds + Int64(drawn)
      let next = second + max(nextGap(), DayConstant.shortestGap.seconds)
      return (min(lock, next - DayConstant.shortestLock.seconds), next)
    }
  }
}

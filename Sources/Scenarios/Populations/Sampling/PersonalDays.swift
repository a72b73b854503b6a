import CivilTime
import DeviceSimulation
import Recordings
import SimulationKernel
import TriggerModel

/// What a person usually does with the phone, where days are drawn.
struct PersonalDays {
  let habits: DrawnDays
  let sleep: PersonalTime
  let unlocks: UnlockSeries
  private let wake: PersonalTime

  init(_ habits: DrawnDays, _ names: HabitNames, _ keys: HabitKeys) {
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

  /// After midnight.
  func wakeSecond(_ day: Int, _ keys: HabitKeys) -> Int64 {
    max(0, min(DayConstant.latestWaking.seconds, wake.second(on: day, keys)))
  }
}

/// A person who lives recorded days: for each date one of the same weekday, drawn whole.
struct PersonalRecording {
  private let phone: RecordedPhone
  private let name: UInt64

  init(_ recording: RecordedHabits, _ names: HabitNames, _ keys: HabitKeys) {
    phone = recording.phone
    name = names.recordedDay
  }

  /// What the phone shows from the beginning of the story to its end.
  ///
  /// Where a day ends otherwise than the next one begins, the phone is brought into that state at four in the morning.
  /// The story begins with what holds by then.
  func replay(_ home: Home, _ keys: HabitKeys, _ add: (Instant, PhoneEvent) -> Void) {
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
    // Until four the day before is lived.
    for day in -1..<home.days {
      let clock = DayClock(home.first + day, in: home.zone)
      let recorded = self.day(of: (home.first + day).weekday, UInt64(day + 1), keys)
      for change in state.changes(to: recorded.beginning) {
        take(change, at: clock.instant(Int64(RecordedDay.start)))
      }
      for event in recorded.events { take(event.change, at: clock.instant(Int64(event.second))) }
    }
  }

  private func day(of weekday: Weekday, _ occurrence: UInt64, _ keys: HabitKeys) -> RecordedDay {
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

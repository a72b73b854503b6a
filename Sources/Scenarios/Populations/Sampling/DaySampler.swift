import CivilTime
import DeviceSimulation
import ScenarioModel
import SimulationKernel
import TriggerModel

/// Draws the days of one person. Every event occurs at a whole second of local time, so that a scenario file
/// can express it.
struct DaySampler {
  private let sampler: PersonSampler
  private let keys: PersonRandomKeys
  private let home: Home
  private let phone: PhoneDays
  private let commute: PersonalCommute?
  private let devices: [PersonalDevice]
  private let routines: [PersonalRoutine]
  /// All events except unlocks and locks, which are drawn in chronological order and need no sorting.
  private var others: [Other] = []

  private enum PhoneDays {
    case drawn(PersonalDays)
    case recorded(PersonalRecording)
  }

  private struct Other {
    var instant: Instant
    /// The order of drawing, which breaks ties between events at the same instant.
    var order: Int
    var event: PhoneEvent
    var device: UInt8 = 0
  }

  init(_ sampler: PersonSampler, _ keys: PersonRandomKeys, _ home: Home, without lacks: DeviceSet) {
    self.sampler = sampler
    self.keys = keys
    self.home = home
    let (habits, names) = (sampler.habits, sampler.names)
    phone =
      switch habits.days {
      case .drawn(let days): .drawn(PersonalDays(days, names, keys))
      case .recorded(let phones):
        .recorded(PersonalRecording(sampler.recording(keys) ?? phones[0], names, keys))
      }
    commute = habits.commute.flatMap { PersonalCommute($0, names, keys) }
    devices = zip(habits.devices, names.devices).compactMap { habit, names in
      PersonalDevice(habit, names, keys, without: lacks)
    }
    routines = habits.routines.indices.compactMap {
      PersonalRoutine(habits.routines[$0], names.routines[$0], keys)
    }
  }

  mutating func sample(into events: inout [SampledPerson.Event]) {
    if let home = commute?.home {
      others.append(Other(instant: self.home.span.lowerBound, order: 0, event: .enterRegion(home)))
    }
    switch phone {
    case .drawn(let days): sampleDrawn(days, into: &events)
    case .recorded(let recording):
      recording.replay(home, keys) { others.append(Other(instant: $0, order: others.count, event: $1)) }
      for day in 0..<home.days {
        drawLife(day, home.first + day, DayClock(home.first + day, in: home.zone))
      }
      sortOthers()
      var merge = Merge(others, home.span)
      merge.finish(into: &events)
    }
  }

  private mutating func sampleDrawn(_ drawn: PersonalDays, into events: inout [SampledPerson.Event]) {
    let (first, count) = (home.first, home.days)
    var waking = drawn.wakeSecond(0, keys)
    var clock = DayClock(first, in: home.zone)
    // Draw all other events first, because the unlocks are merged with them.
    var days: [(waking: Int64, sleeping: Int64, clock: DayClock)] = []
    days.reserveCapacity(count)
    for day in 0..<count {
      let next = drawn.wakeSecond(day + 1, keys)
      let sleeping = min(
        max(drawn.sleep.second(on: day, keys), waking + DayConstant.shortestDay.seconds),
        86_400 + min(DayConstant.latestSleep.seconds, next - DayConstant.shortestNight.seconds))
      drawCharging(drawn.habits, day, (waking, sleeping, next), clock)
      drawLife(day, first + day, clock)
      days.append((waking, sleeping, clock))
      clock = DayClock(first + (day + 1), in: home.zone)
      waking = next
    }
    sortOthers()
    var merge = Merge(others, home.span)
    for (day, times) in days.enumerated() {
      drawUnlocks(drawn, day, times.waking, times.sleeping, times.clock, &merge, &events)
    }
    merge.finish(into: &events)
  }

  private mutating func sortOthers() {
    others.sort { ($0.instant, $0.order) < ($1.instant, $1.order) }
  }

  // MARK: Unlocks

  private func drawUnlocks(
    _ drawn: PersonalDays, _ day: Int, _ waking: Int64, _ sleeping: Int64, _ clock: DayClock,
    _ merge: inout Merge,
    _ events: inout [SampledPerson.Event]
  ) {
    var luck = drawn.unlocks.day(day, keys)
    let latest = sleeping + DayConstant.lastUse.seconds
    var time = waking
    // The first unlock of a day occurs at the waking time.
    while time < sleeping {
      let (lock, next) = luck.use(at: time)
      merge.add(.unlock, at: clock.instant(time), into: &events)
      merge.add(.lock, at: clock.instant(min(lock, latest)), into: &events)
      time = next
      luck.advance()
    }
  }

  /// Merges unlocks with all other events, in chronological order.
  private struct Merge {
    private let others: [Other]
    private let span: Range<Instant>
    /// The index and the instant of the next other event.
    private var next = 0
    private var nextInstant = Instant.distantPast

    init(_ others: [Other], _ span: Range<Instant>) {
      self.others = others
      self.span = span
      nextInstant = others.first?.instant ?? .distantFuture
    }

    @inline(__always)
    mutating func add(_ event: PhoneEvent, at instant: Instant, into events: inout [SampledPerson.Event]) {
      while nextInstant < instant { appendOther(into: &events) }
      append(event, instant, 0, into: &events)
    }

    mutating func finish(into events: inout [SampledPerson.Event]) {
      while next < others.count { appendOther(into: &events) }
    }

    private mutating func appendOther(into events: inout [SampledPerson.Event]) {
      append(others[next].event, others[next].instant, others[next].device, into: &events)
      next += 1
      nextInstant = next < others.count ? others[next].instant : .distantFuture
    }

    @inline(__always)
    private func append(
      _ event: PhoneEvent, _ instant: Instant, _ device: UInt8, into events: inout [SampledPerson.Event]
    ) {
      if span.contains(instant) { events.append(.init(instant: instant, event: event, device: device)) }
    }
  }

  // MARK: Other events

  private mutating func drawCharging(
    _ habits: DrawnDays, _ day: Int, _ times: (waking: Int64, sleeping: Int64, next: Int64),
    _ clock: DayClock
  ) {
    if habits.chargedNights > 0 {
      let luck = keys.habit.named(sampler.names.chargedNight)
      if luck.isHit(habits.chargedNights, UInt64(day) * 4) {
        func within(_ constant: DayConstant, _ occurrence: UInt64) -> Int64 {
          Int64(luck.below(UInt64(constant.seconds), UInt64(day) * 4 + occurrence))
        }
        let from = times.sleeping + within(.pluggedInAsleep, 1)
        let to = 86_400 + times.next + within(.unpluggedAwake, 2)
        add(.plugIn, min(from, to - DayConstant.shortestNightCharge.seconds), clock)
        add(.unplug, to, clock)
      }
    }
    if habits.chargedDays > 0, times.sleeping - times.waking > DayConstant.dayWithCharge.seconds {
      let luck = keys.habit.named(sampler.names.chargedDay)
      if luck.isHit(habits.chargedDays, UInt64(day) * 4) {
        let earliest = times.waking + DayConstant.dayChargeAfterWaking.seconds
        let latest = times.sleeping - DayConstant.dayChargeBeforeSleep.seconds
        let from = earliest + Int64(luck.below(UInt64(latest - earliest), UInt64(day) * 4 + 1))
        add(.plugIn, from, clock)
        add(.unplug, from + DayConstant.dayCharge.seconds, clock)
      }
    }
  }

  private mutating func drawLife(_ day: Int, _ date: CivilDate, _ clock: DayClock) {
    if let commute, commute.weekdays.contains(date.weekday) {
      commute.draw(day, keys) { add($0, $1, clock) }
    }
    for device in devices {
      device.draw(day, keys) { event, second in
        others.append(
          Other(instant: clock.instant(second), order: others.count, event: event, device: device.number))
      }
    }
    // Access routines by index, because copying one out of the array is slow.
    let routines = routines
    for index in routines.indices where routines[index].isDone(on: date.weekday, day, keys) {
      let second = max(0, min(86_399, routines[index].at.second(on: day, keys)))
      let instant = clock.instant(second)
      routines[index].draw(at: instant, day, keys, in: home.zone) {
        others.append(Other(instant: $0, order: others.count, event: $1))
      }
    }
  }

  private mutating func add(_ event: PhoneEvent, _ second: Int64, _ clock: DayClock) {
    others.append(Other(instant: clock.instant(max(0, second)), order: others.count, event: event))
  }
}

extension RandomKey {
  /// Returns whether the draw of an occurrence is below a share in millionths.
  func isHit(_ millionths: Int64, _ occurrence: UInt64) -> Bool {
    millionths >= 1_000_000 || unit(occurrence) * 1_000_000 < Double(millionths)
  }
}

/// Converts seconds after a local midnight to instants, with a fast path for days of 24 hours.
struct DayClock {
  private let zone: Zone
  private let date: CivilDate
  private let midnight: Instant
  /// Whether the day has 24 hours.
  private let isPlain: Bool

  init(_ date: CivilDate, in zone: Zone) {
    self.date = date
    self.zone = zone
    midnight = zone.instant(of: LocalTime(date: date, millisecondOfDay: 0))
    let next = zone.instant(of: LocalTime(date: date + 1, millisecondOfDay: 0))
    isPlain = (next - midnight).milliseconds == 86_400_000
  }

  /// Returns the instant of a second of the day.
  ///
  /// - Parameter second: The number of the second, 0 ..< 172,800. Seconds above 86,399 belong to the next
  ///   date.
  @inline(__always)
  func instant(_ second: Int64) -> Instant {
    isPlain && second < 86_400 ? midnight + .seconds(second) : instantOfOtherDay(second)
  }

  @inline(never)
  private func instantOfOtherDay(_ second: Int64) -> Instant {
    if second >= 86_400 { return DayClock(date + 1, in: zone).instant(second - 86_400) }
    return zone.instant(of: LocalTime(date: date, millisecondOfDay: Int32(second * 1_000)))
  }
}

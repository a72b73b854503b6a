import CivilTime
import ReminderEngine
import ReminderMatching
import TestSupport
import TriggerModel

/// Random reminders that use every feature of the engine, with events that trigger them.
struct RandomReminders {
  static let zoneNames = [
    "UTC", "America/New_York", "Australia/Lord_Howe", "America/St_Johns", "Pacific/Apia", "America/Santiago",
    "Asia/Beirut", "America/Asuncion", "Pacific/Honolulu", "Asia/Tokyo", "Europe/Dublin", "Asia/Gaza",
  ]

  let names = EngineNames(apps: ["maps", "mail"], regions: ["home", "shop", "gym"], facts: ["a", "b", "c"])
  let weekStart: Weekday
  let zones: ZoneTable
  private(set) var reminders: [ReminderDeclaration] = []
  private(set) var edits: [ReminderDeclaration] = []
  private(set) var random: SplitMix64
  /// The instant of the first event, a few hours before an offset change in one of the zones.
  let start: Instant
  private(set) var moment: Moment
  /// Whether all reminders are plain: they have a single trigger, fire once or once a day, and have windows
  /// that begin and end at quarters of an hour. The engine has a fast path for such reminders.
  let isPlain: Bool

  /// - Parameter plainCount: The number of reminders if all are plain, or `nil` for a random mixture.
  init(seed: UInt64, zones: ZoneTable, plainCount: Int? = nil) {
    var random = SplitMix64(seed: seed)
    self.zones = zones
    weekStart = random.one(of: Weekday.allCases)
    let zone = ZoneID(random.below(zones.zones.count))
    let changes = zones[zone].transitions(in: .year(2_004)..<Instant.year(2_026))
    let around = changes.isEmpty ? Instant.year(2_020) : random.one(of: changes)
    start = around - .minutes(Int64(random.below(3_000)))
    moment = Moment(wall: start, uptime: Uptime(boot: 0, span: .zero), zone: zone)
    isPlain = random.chance(35) || plainCount != nil
    self.random = random
    let some = self.random.chance(15) ? 60 + self.random.below(140) : 1 + self.random.below(12)
    let count = plainCount ?? some
    reminders = (0..<count).map { declaration("r\($0)", type: "t\($0)") }
    edits = (0..<self.random.below(4)).map { edit in
      declaration(reminders[self.random.below(count)].id, type: "e\(edit)")
    }
  }

  // MARK: Declarations

  private mutating func declaration(_ id: String, type: String) -> ReminderDeclaration {
    var triggers = [trigger()]
    while !isPlain, random.chance(25) { triggers.append(trigger()) }
    if !isPlain, random.chance(12) {
      triggers.append(
        .scheduled(
          random.chance(40)
            ? random.chance(60) ? Schedule(relativeDays(), ahead: 0) : Schedule(relativeSpans(), ahead: 0)
            : Schedule(recurrence())))
    }
    return ReminderDeclaration(
      id: id, triggers: triggers, conditions: (0..<random.below(isPlain ? 3 : 4)).map { _ in condition() },
      repeats: random.one(
        of: isPlain ? [.once, .daily] : [.once, .daily, .daily, .weekly, .monthly, .always]),
      expires: random.chance(10) ? start + .minutes(Int64(random.below(6_000))) : .distantFuture,
      isCreatedLater: random.chance(15),
      notification: NotificationDeclaration(type: type))
  }

  private mutating func recurrence() -> Recurrence {
    let date = zones[moment.zone].local(at: start).date - random.below(40)
    let minutes = Set((0...random.below(3)).map { _ in random.below(1_440) }).sorted()
    let frequency: Recurrence.Frequency = random.one(of: [.daily, .weekly, .monthly])
    let recurrence = Recurrence(
      start: date, minutes: minutes, frequency: frequency, interval: 1 + random.below(2),
      weekdays: frequency == .weekly ? WeekdaySet(rawValue: UInt8(random.below(127) + 1)) : nil)
    return limited(recurrence)
  }

  /// Adds a zone, exceptions and an end to some recurrences.
  ///
  /// The recurrence is the seed of these draws, so that they change none of the others.
  private func limited(_ recurrence: Recurrence) -> Recurrence {
    var recurrence = recurrence
    var random = SplitMix64(
      seed: UInt64(bitPattern: Int64(recurrence.start.dayNumber)) &* 1_440 &+ UInt64(recurrence.minutes[0]))
    if random.chance(30) { recurrence.zone = random.one(of: zones.zones) }
    if random.chance(30) {
      recurrence.exceptions = Set((0...random.below(8)).map { _ in recurrence.start + random.below(50) })
        .sorted()
    }
    if random.chance(20) { recurrence.until = recurrence.start + random.below(60) }
    return recurrence
  }

  /// Returns days relative to the instant in a fact, which is always close to the current time.
  private mutating func relativeDays() -> RelativeDays {
    let days = Set((0...random.below(3)).map { _ in random.below(9) - 3 })
    let minutes = Set((0...random.below(3)).map { _ in random.below(1_440) })
    return RelativeDays(days.sorted(), from: "c", minutes: minutes.sorted())
  }

  private mutating func relativeSpans() -> RelativeSpans {
    let minutes = Set((0...random.below(3)).map { _ in 1 + random.below(3_000) })
    let sign: Int64 = random.chance(30) ? -1 : 1
    return RelativeSpans(minutes.map { .minutes(sign * Int64($0)) }.sorted(), from: "c")
  }

  private mutating func trigger() -> Trigger {
    switch random.below(10) {
    case 0: .chargingStarted
    case 1: .chargingStopped
    case 2: .opened
    case 3: .appOpened(random.one(of: names.apps))
    case 4: .regionEntered(random.one(of: names.regions))
    case 5: .regionExited(random.one(of: names.regions))
    case 6: .factChanged(random.one(of: names.facts))
    default: .unlock
    }
  }

  mutating func condition() -> Condition {
    switch random.below(11) {
    case 0...3:
      return .timeWindow(DailyWindow(from: minute(), to: minute()))
    case 4: return .weekdays(WeekdaySet(rawValue: UInt8(random.below(127) + 1)))
    case 5: return .inside(random.one(of: names.regions))
    case 6: return .outside(random.one(of: names.regions))
    case 7: return .charging(random.chance(60))
    default: return .fact(factCondition())
    }
  }

  /// Returns a random minute, preferably at night, when clocks change.
  private mutating func minute() -> Int {
    let minute = random.chance(60) ? (1_380 + random.below(300)) % 1_440 : random.below(1_440)
    return isPlain ? minute / 15 * 15 : minute
  }

  private mutating func factCondition() -> FactCondition {
    let quantity: FactCondition.Quantity
    let constant: Int64
    switch random.below(4) {
    case 0: (quantity, constant) = (.value(random.one(of: names.facts)), Int64(random.below(5)) * 500)
    case 1:
      quantity = .ratio(random.one(of: names.facts), random.one(of: names.facts))
      constant = Int64(random.below(9)) * 250
    case 2: (quantity, constant) = (.age(random.one(of: names.facts)), Int64(random.below(300)) * 60_000)
    default: (quantity, constant) = (.days(since: "c"), Int64(random.below(4)) * 1_000)
    }
    let comparison = random.one(of: FactCondition.Comparison.allCases)
    var constants = [FactValue.number(thousandths: constant)]
    if comparison == .equal || comparison == .notEqual, random.chance(50) {
      constants.append(.number(thousandths: constant + 500))
    }
    return FactCondition(
      quantity, comparison, constants,
      reason: random.one(of: [.conditionFailed, .staleData, .lowConfidence, .notEntitled]))
  }

  // MARK: Events

  /// Returns the next event, which is a little later. In some cases, the zone or the clock changes before it.
  mutating func event() -> ObservedEvent {
    advance()
    let reminder = UInt32(random.below(reminders.count))
    switch random.below(40) {
    case 0: return ObservedEvent(.launched, at: moment)
    case 1:
      let until = moment.wall + .minutes(Int64(random.below(2_000)) - 20)
      return ObservedEvent(.snooze, subject: reminder, value: until.millisecondsSince1970, at: moment)
    case 2 where random.chance(30): return ObservedEvent(.cancel, subject: reminder, at: moment)
    case 2 where random.chance(60): return ObservedEvent(.create, subject: reminder, at: moment)
    case 3 where !edits.isEmpty:
      let edit = random.below(edits.count)
      let subject = reminders.firstIndex { $0.id == edits[edit].id } ?? 0
      return ObservedEvent(.edit, subject: UInt32(subject), value: Int64(edit), at: moment)
    case 4:
      moment.zone = ZoneID(random.below(zones.zones.count))
      return ObservedEvent(.zoneChanged, at: moment)
    case 5:
      moment.wall = moment.wall - .minutes(Int64(random.below(3_000)))
      return ObservedEvent(.clockChanged, at: moment)
    case 6:
      moment.uptime = Uptime(boot: moment.uptime.boot + 1, span: .zero)
      return ObservedEvent(.launched, at: moment)
    case 7...8: return ObservedEvent(.chargingStarted, at: moment)
    case 9: return ObservedEvent(.chargingStopped, at: moment)
    case 10: return ObservedEvent(.opened, at: moment)
    case 11...14: return ObservedEvent(.appOpened, subject: UInt32(random.below(2)), at: moment)
    case 15...17: return ObservedEvent(.regionEntered, subject: UInt32(random.below(3)), at: moment)
    case 18...19: return ObservedEvent(.regionExited, subject: UInt32(random.below(3)), at: moment)
    case 20...24: return factChanged()
    default: return ObservedEvent(.unlock, at: moment)
    }
  }

  /// Returns a wake-up at an instant that the engine requested.
  mutating func wake(_ reminder: Int, at instant: Instant) -> ObservedEvent {
    if instant > moment.wall {
      moment.uptime.span = moment.uptime.span + (instant - moment.wall)
      moment.wall = instant
    }
    return ObservedEvent(.woken, subject: UInt32(reminder), at: moment)
  }

  private mutating func advance() {
    let span: TimeSpan =
      switch random.below(10) {
      case 0: .zero
      case 1: .hours(Int64(random.below(60)))
      case 2: .days(Int64(random.below(9)))
      default: .seconds(Int64(random.below(7_200)))
      }
    moment.wall = moment.wall + span
    moment.uptime.span = moment.uptime.span + span
  }

  private mutating func factChanged() -> ObservedEvent {
    let fact = random.below(3)
    let value: FactValue =
      if random.chance(15) {
        .missing
      } else if fact == 2 {
        .instant(moment.wall - .hours(Int64(random.below(80))))
      } else {
        .number(thousandths: Int64(random.below(5)) * 500 - 500)
      }
    return ObservedEvent(.factChanged, subject: UInt32(fact), value: value.bits, at: moment)
  }
}

extension Instant {
  static func year(_ year: Int) -> Instant {
    Instant(millisecondsSince1970: Int64(CivilDate(year: year, month: 1, day: 1).dayNumber) * 86_400_000)
  }
}

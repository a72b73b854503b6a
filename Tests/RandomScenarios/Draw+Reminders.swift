import CivilTime
import ReminderMatching
import ScenarioModel
import TestSupport
import TextFormats
import TriggerModel

extension Draw {
  mutating func drawReminders() {
    for _ in 0..<random.int(1...4) {
      let declaration = declaration(id: name())
      reminders.append(DeclaredReminder(declaration: declaration, position: .start))
    }
    for (index, reminder) in reminders.enumerated() where random.chance(30) {
      for _ in 0..<random.int(1...2) {
        edits.append(
          ReminderEdit(
            name: name(), reminder: ReminderID(index), declaration: declaration(id: reminder.declaration.id),
            position: .start))
      }
    }
  }

  private mutating func declaration(id: String) -> ReminderDeclaration {
    var triggers: [Trigger] = []
    for _ in 0..<random.int(1...3) {
      let trigger = trigger()
      // A reminder with more than one schedule is rejected.
      if trigger.isTime, triggers.contains(where: \.isTime) { continue }
      if !triggers.contains(trigger) { triggers.append(trigger) }
    }
    // A repeating request has neither a limit nor an expiry.
    let isRepeating = triggers.contains { if case .repeating = $0 { true } else { false } }
    return ReminderDeclaration(
      id: id, triggers: triggers, conditions: conditions(0...3),
      withdrawals: random.chance(20) ? factConditions(1...2) : [],
      repeats: isRepeating ? .always : random.one(of: [.once, .daily, .weekly, .monthly, .always]),
      expires: !isRepeating && random.chance(20) ? readableInstant() : .distantFuture,
      isCreatedLater: random.chance(10),
      notification: notification(id: id))
  }

  private mutating func notification(id: String) -> NotificationDeclaration {
    let bucket = random.one(of: Bucket.allCases)
    return NotificationDeclaration(
      type: random.chance(60) ? id : random.one(of: types + [name()]), bucket: bucket,
      criticalConditions: bucket != .critical && random.chance(20) ? factConditions(1...2) : [],
      priority: UInt8(random.int(0...255)),
      copy: (0..<random.int(1...3)).map { _ in
        NotificationDeclaration.Copy(title: text(), body: random.chance(50) ? text() : "")
      },
      link: random.chance(50) ? "app://\(name())/\(text())" : "", usefulFor: random.chance(30) ? span() : nil,
      event: random.chance(20) ? "event_\(random.int(1...99))" : nil)
  }

  // MARK: - Triggers

  mutating func trigger() -> Trigger {
    switch random.int(0...10) {
    case 0: .unlock
    case 1: .chargingStarted
    case 2: .chargingStopped
    case 3: .opened
    case 4 where !apps.isEmpty: .appOpened(random.one(of: apps))
    case 5 where !places.isEmpty: .regionEntered(random.one(of: places).name)
    case 6 where !places.isEmpty: .regionExited(random.one(of: places).name)
    case 7 where !facts.isEmpty: .factChanged(random.one(of: facts).name)
    case 8: .lapsed(lapse())
    case 9: .repeating(repetition())
    default: .scheduled(schedule())
    }
  }

  private mutating func lapse() -> Lapse {
    var days: [Int] = []
    for _ in 0..<random.int(1...4) { days.append((days.last ?? 0) + random.int(1...900)) }
    return Lapse(days: days, minute: minute())
  }

  private mutating func repetition() -> RepeatingSchedule {
    if random.chance(40) { return .span(.minutes(Int64(random.int(1...100_000)))) }
    let frequency = random.one(of: [Recurrence.Frequency.daily, .weekly, .monthly, .yearly])
    return .calendar(
      Recurrence(
        start: date(), minute: minute(), frequency: frequency, skip: .forward,
        weekdays: frequency == .weekly && random.chance(70) ? weekdays() : nil))
  }

  private mutating func schedule() -> Schedule {
    let days = facts.filter { $0.kind == .instant || $0.kind == .date }
    if !days.isEmpty, random.chance(25) { return relative(to: random.one(of: days)) }
    let frequency = random.one(of: Recurrence.Frequency.allCases)
    let (start, minutes) = (date(), minutes())
    let interval = random.chance(70) ? 1 : random.int(Recurrence.intervals)
    let recurrence = Recurrence(
      start: start, minutes: minutes, frequency: frequency, interval: frequency == .once ? 1 : interval,
      skip: random.one(of: Recurrence.Skip.allCases),
      weekdays: frequency == .weekly && random.chance(70) ? weekdays() : nil,
      dayOfMonth: frequency == .monthly && random.chance(50)
        ? WeekdayOfMonth(random.one(of: WeekdayOfMonth.places), random.one(of: Weekday.allCases)) : nil,
      notBefore: random.chance(20) ? date() : nil, count: random.chance(20) ? random.int(1...40) : nil)
    return Schedule(limited(recurrence), ahead: random.chance(50) ? 0 : random.int(0...64))
  }

  /// Adds an end, exceptions, a zone and the last weekday to some recurrences.
  ///
  /// The recurrence is the seed of these draws, so that they change none of the others.
  private func limited(_ recurrence: Recurrence) -> Recurrence {
    var recurrence = recurrence
    var random = SplitMix64(
      seed: UInt64(bitPattern: Int64(recurrence.start.dayNumber)) &* 1_440 &+ UInt64(recurrence.minutes[0]))
    if recurrence.dayOfMonth != nil, random.chance(50) {
      let place = random.chance(50) ? -1 : random.one(of: WeekdayOfMonth.places)
      recurrence.dayOfMonth = WeekdayOfMonth(place, among: .weekdays)
    }
    if random.chance(20) { recurrence.zone = try? Zone(identifier: random.one(of: Self.zoneNames)) }
    guard recurrence.frequency != .once else { return recurrence }
    let first = max(recurrence.start, recurrence.notBefore ?? recurrence.start)
    // The scenario's start also precedes the end.
    let latest = max(first, here.local(at: start).date)
    // The format supports dates up to 2099.
    let last = CivilDate(year: 2_099, month: 12, day: 31)
    if recurrence.count == nil, random.chance(20) {
      recurrence.until = min(latest + random.int(0...60), last)
    }
    if random.chance(20) {
      let dates = (0...random.int(0...3)).compactMap { _ in
        recurrence.date(onOrAfter: first + random.int(0...40), in: here)
      }
      recurrence.exceptions = Set(dates.filter { $0 <= last }).sorted()
    }
    return recurrence
  }

  private mutating func relative(to declaration: FactDeclaration) -> Schedule {
    let fact = declaration.name
    let sign = random.chance(50) ? 1 : -1
    if random.chance(30), declaration.kind == .instant {
      let minutes = Set(
        (0...random.int(0...2)).map { _ in sign * random.one(of: [random.int(1...90), 480, 1_440]) })
      let spans = RelativeSpans(minutes.map { .minutes(Int64($0)) }.sorted(), from: fact)
      return Schedule(spans, ahead: random.chance(50) ? nil : random.int(0...64))
    }
    let days = Set((0...random.int(0...3)).map { _ in sign * random.int(0...40) })
    let relative = RelativeDays(
      days.sorted(), from: fact, minutes: minutes(), isYearly: random.chance(30),
      skip: random.one(of: Recurrence.Skip.allCases))
    return Schedule(relative, ahead: random.chance(50) ? nil : random.int(0...64))
  }

  /// Returns distinct times of day in ascending order, in most cases only one.
  private mutating func minutes() -> [Int] {
    Set((0..<random.one(of: [1, 1, 1, 2, 4])).map { _ in minute() }).sorted()
  }

  // MARK: - Conditions

  mutating func conditions(_ counts: ClosedRange<Int>) -> [Condition] {
    (0..<random.int(counts)).map { _ in condition() }
  }

  private mutating func condition() -> Condition {
    switch random.int(0...7) {
    case 0: .timeWindow(window())
    case 1: .weekdays(weekdays())
    case 2 where !places.isEmpty: .inside(random.one(of: places).name)
    case 3 where !places.isEmpty: .outside(random.one(of: places).name)
    case 4 where !facts.isEmpty, 5 where !facts.isEmpty, 6 where !facts.isEmpty: .fact(factCondition())
    default: .charging(random.chance(50))
    }
  }

  /// Returns fact conditions. The result is empty if there are no facts.
  mutating func factConditions(_ counts: ClosedRange<Int>) -> [FactCondition] {
    facts.isEmpty ? [] : (0..<random.int(counts)).map { _ in factCondition() }
  }

  private mutating func factCondition() -> FactCondition {
    let reason = random.one(of: [Reason.conditionFailed, .staleData, .lowConfidence, .notEntitled])
    let any = random.one(of: facts)
    switch random.int(0...4) {
    case 0:
      let since = fact(.instant)
      return comparison(
        random.chance(50) ? .age(any.name) : since.map { .time(since: $0.name) } ?? .age(any.name),
        isOrdered: true, reason
      ) {
        .number(thousandths: $0.span().milliseconds)
      }
    case 1:
      guard let fact = fact(.instant) else { break }
      return comparison(.days(since: fact.name), isOrdered: true, reason) {
        .number(thousandths: Int64($0.random.int(0...40_000)) * 1_000)
      }
    case 2:
      guard let a = fact(.number), let b = fact(.number) else { break }
      return comparison(.ratio(a.name, b.name), isOrdered: true, reason) { $0.value(of: .number, []) }
    default: break
    }
    return comparison(.value(any.name), isOrdered: any.kind == .number || any.kind == .instant, reason) {
      $0.value(of: any.kind, any.names)
    }
  }

  private mutating func comparison(
    _ quantity: FactCondition.Quantity, isOrdered: Bool, _ reason: Reason,
    _ constant: (inout Draw) -> FactValue
  ) -> FactCondition {
    let sign = random.one(of: isOrdered ? FactCondition.Comparison.allCases : [.equal, .notEqual])
    let count = sign == .equal || sign == .notEqual ? random.int(1...3) : 1
    return FactCondition(quantity, sign, (0..<count).map { _ in constant(&self) }, reason: reason)
  }
}

import CivilTime
import ReminderEngine
import ReminderMatching
import TriggerModel

/// A reference implementation of the reminder engine, with which tests compare the engine. It loops over the
/// declarations and evaluates each condition from scratch with the calendar.
struct NaiveEngine {
  struct Request: Equatable {
    var reminder: Int
    var declaration: Int
    var occurrence: UInt32
  }

  struct NoRequest: Equatable {
    var reminder: Int
    var reason: Reason
    var failed: ConditionKinds
  }

  /// The state of one reminder.
  private struct Fate {
    var declaration: Int
    /// The matches since the reminder was declared or edited, except those that were undone.
    var matches: [(occurrence: UInt32, date: CivilDate)] = []
    var occurrences: UInt32 = 0
    /// The last request that was shown.
    var shown: UInt32?
    /// The requests that are deferred to the end of quiet hours.
    var putOff: Set<UInt32> = []
    var isCancelled = false
    var isExpired = false
    var snoozedUntil: Instant?
    var isAskedAfterSnooze = false
    /// The due time of the occurrence that the request after the snooze replaces, or the distant past if it
    /// was due before the snooze.
    var standsFor = Instant.distantPast
    var wake: Instant?
    /// The occurrences at which the app was woken.
    var served = ServedOccurrences()
    /// The last request that a wake-up made, while it is undecided.
    var undecided: UInt32?
    /// The zone for which ``wake`` was computed.
    var wakeZone: ZoneID?
    /// The value of the fact from which days are counted, with the local date on which the app observed it.
    var countedFrom: (value: FactValue, date: CivilDate)?
  }

  var requests: [Request] = []
  var misses: [NoRequest] = []
  var totals = (
    triggered: 0, matched: 0, charging: 0, weekdays: 0, region: 0, timeWindow: 0, other: 0
  )

  private let declarations: [ReminderDeclaration]
  private let reminderCount: Int
  private let names: EngineNames
  private let weekStart: Weekday
  private let zones: ZoneTable
  private var fates: [Fate]
  /// The zone in which all reminders were last planned.
  private var plannedZone: ZoneID?
  private var isCharging = false
  private var inside: Set<String> = []
  private var facts: [String: (value: FactValue, setAt: Moment)] = [:]

  init(
    _ reminders: [ReminderDeclaration], edits: [ReminderDeclaration], names: EngineNames, weekStart: Weekday,
    zones: ZoneTable
  ) {
    declarations = reminders + edits
    reminderCount = reminders.count
    self.names = names
    self.weekStart = weekStart
    self.zones = zones
    fates = reminders.indices.map { Fate(declaration: $0, isCancelled: reminders[$0].isCreatedLater) }
  }

  // MARK: Events

  mutating func process(_ event: ObservedEvent) {
    requests = []
    misses = []
    passTime(event.moment)
    let subject = Int(event.subject)
    switch event.kind {
    case .chargingStarted: isCharging = true
    case .chargingStopped: isCharging = false
    case .regionEntered: inside.insert(names.regions[subject])
    case .regionExited: inside.remove(names.regions[subject])
    case .factChanged:
      let before = facts[names.facts[subject]]?.value ?? .missing
      facts[names.facts[subject]] = (FactValue(bits: event.value), event.moment)
      if before == FactValue(bits: event.value) { return }
    default: break
    }
    look(event)
    switch event.kind {
    case .launched, .zoneChanged, .clockChanged:
      for reminder in fates.indices where !fates[reminder].isCancelled {
        travel(with: reminder, to: event.moment)
        if !recount(reminder, event.moment) { plan(reminder, event.moment) }
      }
      plannedZone = event.moment.zone
    case .factChanged:
      for reminder in fates.indices where factCounted(of: reminder) == names.facts[subject] {
        _ = recount(reminder, event.moment)
      }
    case .woken:
      if let due = dueWake(of: subject, event.moment) {
        var served = fates[subject].served
        served.serve(due) { wake(for: subject, after: $0, event.moment) }
        fates[subject].served = served
      }
      if let due = fates[subject].wake, due <= event.moment.wall { fates[subject].wake = nil }
      plan(subject, event.moment)
    case .snooze: snooze(subject, until: Instant(millisecondsSince1970: event.value), event.moment)
    case .cancel:
      fates[subject].isCancelled = true
      fates[subject].snoozedUntil = nil
      fates[subject].undecided = nil
    case .create where !fates[subject].isCancelled: break
    case .create, .edit:
      fates[subject].declaration = event.kind == .edit ? reminderCount + Int(event.value) : subject
      fates[subject].matches = []
      fates[subject].putOff = []
      fates[subject].shown = nil
      fates[subject].undecided = nil
      fates[subject].wake = nil
      fates[subject].served = ServedOccurrences()
      fates[subject].isCancelled = false
      fates[subject].isExpired = false
      fates[subject].snoozedUntil = nil
      fates[subject].countedFrom = nil
      if !recount(subject, event.moment) { plan(subject, event.moment) }
    default: break
    }
  }

  /// Records that a request was admitted.
  mutating func show(_ request: Request) {
    decide(request)
    fates[request.reminder].putOff.remove(request.occurrence)
    fates[request.reminder].shown = request.occurrence
  }

  private mutating func decide(_ request: Request) {
    if fates[request.reminder].undecided == request.occurrence { fates[request.reminder].undecided = nil }
  }

  /// Records that a request was deferred to the end of quiet hours.
  mutating func putOff(_ request: Request) {
    decide(request)
    let isMatch = fates[request.reminder].matches.contains { $0.occurrence == request.occurrence }
    if isMatch { fates[request.reminder].putOff.insert(request.occurrence) }
  }

  /// Undoes a request, so that its reminder waits as if it had not matched.
  mutating func undo(_ request: Request, _ moment: Moment) {
    decide(request)
    fates[request.reminder].putOff.remove(request.occurrence)
    let count = fates[request.reminder].matches.count
    let isLast = fates[request.reminder].matches.last?.occurrence == request.occurrence
    fates[request.reminder].matches.removeAll { $0.occurrence == request.occurrence }
    if fates[request.reminder].shown == request.occurrence { fates[request.reminder].shown = nil }
    let wasMatch = fates[request.reminder].matches.count < count
    if wasMatch, isLast, fates[request.reminder].snoozedUntil == nil {
      let repeats = declarations[fates[request.reminder].declaration].repeats
      // The reminder waits again, unless it has expired by now.
      if repeats != .always { fates[request.reminder].isExpired = false }
      passTime(moment)
    }
  }

  /// Returns the instant at which the app asked to be woken for a reminder, or `nil` if it did not ask.
  func wake(of reminder: Int) -> Instant? { fates[reminder].wake }

  private mutating func passTime(_ moment: Moment) {
    for reminder in fates.indices {
      let expires = declarations[fates[reminder].declaration].expires
      if let until = fates[reminder].snoozedUntil, until <= moment.wall {
        fates[reminder].snoozedUntil = nil
        fates[reminder].isExpired = false
      }
      if expires <= moment.wall { fates[reminder].isExpired = true }
    }
  }

  private mutating func look(_ event: ObservedEvent) {
    // Edits are declared after all reminders, and declarations are evaluated in order.
    for reminder in fates.indices.sorted(by: { fates[$0].declaration < fates[$1].declaration }) {
      let fate = fates[reminder]
      let declaration = declarations[fate.declaration]
      guard declaration.triggers.contains(where: { hears($0, event, reminder) }) else { continue }
      if fate.snoozedUntil != nil {
        misses.append(NoRequest(reminder: reminder, reason: .snoozed, failed: []))
        continue
      }
      let day = dayOfTurn(of: reminder, by: event)
      guard isWaiting(fate, declaration, on: day) else { continue }
      totals.triggered += 1
      let due = event.kind == .woken ? dueWake(of: reminder, event.moment) : nil
      let failures = declaration.conditions.compactMap { condition in
        failure(condition, event.moment, of: due).map { (condition, $0) }
      }
      if let first = failures.first {
        let kinds = failures.reduce(into: ConditionKinds()) { $0.formUnion(kind($1.0)) }
        misses.append(NoRequest(reminder: reminder, reason: first.1, failed: kinds))
        count(failures.map(\.0), of: declaration.conditions, isSchedule: event.kind == .woken)
        continue
      }
      totals.matched += 1
      requests.append(
        Request(reminder: reminder, declaration: fate.declaration, occurrence: fate.occurrences))
      fates[reminder].matches.append((fate.occurrences, day))
      if event.kind == .woken { fates[reminder].undecided = fate.occurrences }
      fates[reminder].occurrences += 1
    }
  }

  private func hears(_ trigger: Trigger, _ event: ObservedEvent, _ reminder: Int) -> Bool {
    switch trigger {
    case .unlock: event.kind == .unlock
    case .chargingStarted: event.kind == .chargingStarted
    case .chargingStopped: event.kind == .chargingStopped
    case .opened: event.kind == .opened
    case .appOpened(let name): event.kind == .appOpened && names.apps[Int(event.subject)] == name
    case .regionEntered(let name): event.kind == .regionEntered && names.regions[Int(event.subject)] == name
    case .regionExited(let name): event.kind == .regionExited && names.regions[Int(event.subject)] == name
    case .factChanged(let name): event.kind == .factChanged && names.facts[Int(event.subject)] == name
    case .repeating: false
    case .scheduled, .lapsed:
      event.kind == .woken && Int(event.subject) == reminder && dueWake(of: reminder, event.moment) != nil
    }
  }

  /// Returns the due time of the occurrence that caused the wake-up. It is the last passed occurrence whose
  /// conditions hold, or the last passed one if the conditions hold for none.
  private func dueWake(of reminder: Int, _ moment: Moment) -> Instant? {
    guard let wake = fates[reminder].wake, wake <= moment.wall,
      let first = overdue(wake, of: reminder, moment)
    else { return nil }
    var passed = [first]
    while let next = self.wake(for: reminder, after: passed[passed.count - 1], moment), next <= moment.wall {
      passed.append(next)
    }
    let conditions = declarations[fates[reminder].declaration].conditions
    return passed.last { due in conditions.allSatisfy { failure($0, moment, of: due) == nil } } ?? passed.last
  }

  /// Returns the first passed occurrence that is after all served ones, or `nil` if there is none.
  private func overdue(_ due: Instant, of reminder: Int, _ moment: Moment) -> Instant? {
    guard let last = fates[reminder].served.last(through: moment.wall), last >= due else { return due }
    return unserved(reminder, after: last, moment).flatMap { $0 <= moment.wall ? $0 : nil }
  }

  /// Returns the first occurrence at which the app was not woken.
  private func unserved(_ reminder: Int, after instant: Instant, _ moment: Moment) -> Instant? {
    var found = wake(for: reminder, after: instant, moment)
    while let next = found, let end = fates[reminder].served.end(of: next) {
      found = wake(for: reminder, after: end, moment)
    }
    return found
  }

  /// Returns the date of the occurrence. A late wake-up counts for the day on which it was due.
  private func dayOfTurn(of reminder: Int, by event: ObservedEvent) -> CivilDate {
    let due = event.kind == .woken ? dueWake(of: reminder, event.moment) : nil
    return due.map { zones[event.moment.zone].local(at: $0).date } ?? date(event.moment)
  }

  private func isWaiting(_ fate: Fate, _ declaration: ReminderDeclaration, on day: CivilDate) -> Bool {
    if fate.isCancelled || fate.isExpired { return false }
    // Check all matches, not only the last one, because a date can recur.
    return fate.matches.map(\.date).allSatisfy { earlier in
      switch declaration.repeats {
      case .once: false
      case .daily: earlier != day
      case .weekly: firstDayOfWeek(earlier) != firstDayOfWeek(day)
      case .monthly: (earlier.year, earlier.month) != (day.year, day.month)
      case .always: true
      }
    }
  }

  private func firstDayOfWeek(_ date: CivilDate) -> CivilDate {
    var date = date
    while date.weekday != weekStart { date = date - 1 }
    return date
  }

  private func date(_ moment: Moment) -> CivilDate { zones[moment.zone].local(at: moment.wall).date }

  // MARK: Commands

  private mutating func snooze(_ reminder: Int, until: Instant, _ moment: Moment) {
    let expires = declarations[fates[reminder].declaration].expires
    guard !fates[reminder].isCancelled, until > moment.wall, expires > moment.wall else { return }
    let fate = fates[reminder]
    if let longer = fate.snoozedUntil, longer > until, fate.wake ?? .distantFuture > until {
      fates[reminder].wake = wake(for: reminder, after: until, moment)
    }
    // The new snooze takes over the request of an earlier one, unless its occurrence is due after the new
    // end.
    let wasAsked = fate.snoozedUntil != nil && fate.isAskedAfterSnooze && fate.standsFor <= until
    if !wasAsked {
      let wasDue = !fate.putOff.isEmpty || fate.shown != nil || fate.undecided != nil
      let due = wasDue ? .distantPast : due(reminder, through: until, moment)
      fates[reminder].isAskedAfterSnooze = due != nil
      fates[reminder].standsFor = due ?? .distantPast
    }
    fates[reminder].snoozedUntil = until
    fates[reminder].putOff = []
    fates[reminder].undecided = nil
    if until >= expires { fates[reminder].isAskedAfterSnooze = false }
    guard fates[reminder].isAskedAfterSnooze else { return }
    requests.append(
      Request(
        reminder: reminder, declaration: fates[reminder].declaration, occurrence: fates[reminder].occurrences)
    )
    fates[reminder].occurrences += 1
    // The request at the end of the snooze replaces wake-ups that are due before.
    guard let wake = fates[reminder].wake, wake <= until else { return }
    fates[reminder].wake = self.wake(for: reminder, after: until, moment)
  }

  private func wake(for reminder: Int, after instant: Instant, _ moment: Moment) -> Instant? {
    let times = declarations[fates[reminder].declaration].triggers.compactMap { trigger -> Instant? in
      guard case .scheduled(let schedule) = trigger else { return nil }
      return next(schedule, of: reminder, after: instant, in: zones[moment.zone])
    }
    return times.min()
  }

  /// Returns the last date up to an instant, if no other occurrence follows it, or else the pending wake-up.
  private func due(_ reminder: Int, through end: Instant, _ moment: Moment) -> Instant? {
    let times = declarations[fates[reminder].declaration].triggers.compactMap { trigger -> Instant? in
      guard case .scheduled(let schedule) = trigger else { return nil }
      switch schedule.dates {
      case .recurring(let recurrence) where recurrence.frequency == .once: break
      case .relative(let days) where !days.isYearly: break
      case .elapsed: break
      case .recurring, .relative: return fates[reminder].wake.flatMap { $0 <= end ? $0 : nil }
      }
      var last: Instant?
      while let passed = next(schedule, of: reminder, after: last ?? .distantPast, in: zones[moment.zone]),
        passed <= end
      {
        last = passed
      }
      return last
    }
    return times.max()
  }

  /// Returns the fact from which a reminder counts days or time spans, or `nil` if there is none.
  private func factCounted(of reminder: Int) -> String? {
    declarations[fates[reminder].declaration].triggers.lazy.compactMap { trigger in
      guard case .scheduled(let schedule) = trigger else { return nil }
      return switch schedule.dates {
      case .recurring: nil
      case .relative(let days): days.fact
      case .elapsed(let spans): spans.fact
      }
    }.first
  }

  /// Restarts the count of a reminder if its fact has a new value, and returns whether it did. Restarting
  /// ends a snooze and replaces the plan.
  private mutating func recount(_ reminder: Int, _ moment: Moment) -> Bool {
    guard let fact = factCounted(of: reminder) else { return false }
    let value = facts[fact]?.value ?? .missing
    let known = fates[reminder].countedFrom
    if value == known?.value ?? .missing { return false }
    let since: Instant? = value.isMissing ? nil : Instant(millisecondsSince1970: value.bits)
    fates[reminder].countedFrom = since.map { (value, zones[moment.zone].local(at: $0).date) }
    if fates[reminder].isCancelled { return true }
    if known != nil {
      if !value.isMissing { fates[reminder].shown = nil }
      if fates[reminder].snoozedUntil != nil {
        fates[reminder].snoozedUntil = nil
        fates[reminder].isExpired = false
        passTime(moment)
      }
    }
    fates[reminder].wake = nil
    fates[reminder].served = ServedOccurrences()
    plan(reminder, moment)
    return true
  }

  /// Returns all times of relative days in a zone. A date that the zone skipped is replaced by the previous
  /// date.
  private func times(_ days: RelativeDays, of reminder: Int, in zone: Zone) -> [Instant] {
    guard let date = fates[reminder].countedFrom?.date else { return [] }
    let times = days.days.flatMap { day in
      days.minutes.map { minute in
        var then = date + day
        while zone.local(at: zone.instant(of: then, minute: 720)).date != then { then = then - 1 }
        return zone.instant(of: then, minute: minute)
      }
    }
    return times.sorted()
  }

  private func next(_ schedule: Schedule, of reminder: Int, after time: Instant, in zone: Zone) -> Instant? {
    switch schedule.dates {
    case .recurring(var recurrence):
      recurrence.weekStart = weekStart
      return recurrence.next(atOrAfter: time + TimeSpan(milliseconds: 1), in: zone)
    case .relative(let days): return times(days, of: reminder, in: zone).first { $0 > time }
    case .elapsed(let spans):
      return fates[reminder].countedFrom.flatMap { counted in
        spans.spans.map { Instant(millisecondsSince1970: counted.value.bits + $0.milliseconds) }
          .first { $0 > time }
      }
    }
  }

  /// Makes a wake-up due on arrival if the journey skips its local time.
  private mutating func travel(with reminder: Int, to moment: Moment) {
    guard let zone = plannedZone, zone != moment.zone, let due = fates[reminder].wake, due > moment.wall
    else { return }
    let usesWallClock = declarations[fates[reminder].declaration].triggers.contains { trigger in
      guard case .scheduled(let schedule) = trigger else { return false }
      switch schedule.dates {
      case .recurring(let recurrence): return recurrence.zone == nil
      case .relative: return true
      case .elapsed: return false
      }
    }
    let there = usesWallClock ? zones[moment.zone].instant(of: zones[zone].local(at: due)) : due
    fates[reminder].wake = there <= moment.wall ? there : nil
    if there <= moment.wall { fates[reminder].served = ServedOccurrences() }
  }

  private mutating func plan(_ reminder: Int, _ moment: Moment) {
    if let due = fates[reminder].wake, due <= moment.wall {
      fates[reminder].wake = overdue(due, of: reminder, moment)
      if fates[reminder].wake != nil { return }
    }
    for case .scheduled in declarations[fates[reminder].declaration].triggers {
      var times: [Instant] = []
      var time = moment.wall
      // After the clock is set back, times up to the last planned one were already due. They become due again
      // only if one of them is more than a day ahead.
      repeat {
        guard let next = unserved(reminder, after: time, moment) else { break }
        times.append(next)
        time = next
      } while fates[reminder].wakeZone == moment.zone && time < fates[reminder].wake ?? .distantPast
      let wasDue = times.dropLast()
      let isAnew = wasDue.contains { $0 > moment.wall + .days(1) }
      fates[reminder].wake = isAnew ? times.first : times.last
      fates[reminder].wakeZone = moment.zone
    }
  }

  // MARK: Conditions

  /// Returns the reason why a condition fails, or `nil` if it holds.
  ///
  /// - Parameter due: The due time at which to evaluate conditions on the time of day, or `nil` for the
  ///   current time.
  func failure(_ condition: Condition, _ moment: Moment, of due: Instant? = nil) -> Reason? {
    var then = moment
    then.wall = due ?? moment.wall
    return switch condition {
    case .timeWindow(let window): isOpen(window, then) ? nil : .conditionFailed
    case .weekdays(let days): days.contains(date(then).weekday) ? nil : .conditionFailed
    case .inside(let region): inside.contains(region) ? nil : .conditionFailed
    case .outside(let region): inside.contains(region) ? .conditionFailed : nil
    case .charging(let wanted): isCharging == wanted ? nil : .conditionFailed
    case .fact(let fact): failure(fact, moment)
    }
  }

  /// Returns whether an instant is in a window of its own day or of an adjacent day. A window lasts from the
  /// first occurrence of its start to the last occurrence of its end.
  private func isOpen(_ window: DailyWindow, _ moment: Moment) -> Bool {
    let zone = zones[moment.zone]
    if window.from == window.to { return false }
    return (-3...3).contains { days in
      let day = date(moment) + days
      let start = zone.instant(of: day, minute: window.from, .first)
      let end = zone.instant(of: window.to > window.from ? day : day + 1, minute: window.to, .last)
      return start <= moment.wall && moment.wall < end
    }
  }

  private func failure(_ fact: FactCondition, _ moment: Moment) -> Reason? {
    guard let quantity = quantity(fact.quantity, moment) else {
      return fact.reason == .conditionFailed ? .staleData : fact.reason
    }
    // In floating point, thousandths of small numbers are exact.
    let constants = fact.constants.map { Double($0.bits) }
    let holds =
      switch fact.comparison {
      case .less: quantity < constants[0]
      case .lessOrEqual: quantity <= constants[0]
      case .equal: constants.contains(quantity)
      case .notEqual: !constants.contains(quantity)
      case .greaterOrEqual: quantity >= constants[0]
      case .greater: quantity > constants[0]
      }
    return holds ? nil : fact.reason
  }

  private func quantity(_ quantity: FactCondition.Quantity, _ moment: Moment) -> Double? {
    func value(_ name: String) -> Double? {
      guard let fact = facts[name], !fact.value.isMissing else { return nil }
      return Double(fact.value.bits)
    }
    switch quantity {
    case .value(let name): return value(name)
    case .ratio(let a, let b):
      guard let a = value(a), let b = value(b), b != 0 else { return nil }
      return a * 1_000 / b
    case .age(let name):
      guard value(name) != nil, let setAt = facts[name]?.setAt else { return nil }
      return Double(moment.elapsed(since: setAt).milliseconds)
    case .days(let name):
      guard let then = value(name) else { return nil }
      let zone = zones[moment.zone]
      let date = zone.local(at: Instant(millisecondsSince1970: Int64(then))).date
      return Double(zone.local(at: moment.wall).date - date) * 1_000
    case .time(let name):
      guard let then = value(name) else { return nil }
      return Double(moment.wall.millisecondsSince1970) - then
    }
  }

  // MARK: Counting

  private func kind(_ condition: Condition) -> ConditionKinds {
    switch condition {
    case .timeWindow: .timeWindow
    case .weekdays: .weekdays
    case .inside, .outside: .region
    case .charging: .charging
    case .fact: .fact
    }
  }

  /// Counts a miss once, under the first kind that applies: charging, weekdays, the first region, the first
  /// window, or other.
  private mutating func count(_ failed: [Condition], of all: [Condition], isSchedule: Bool) {
    func first(_ kind: ConditionKinds) -> Condition? { all.first { self.kind($0) == kind } }
    if isSchedule {
      totals.other += 1
    } else if failed.contains(where: { kind($0) == .charging }) {
      totals.charging += 1
    } else if failed.contains(where: { kind($0) == .weekdays }) {
      totals.weekdays += 1
    } else if let region = first(.region), failed.contains(region) {
      totals.region += 1
    } else if let window = first(.timeWindow), failed.contains(window) {
      totals.timeWindow += 1
    } else {
      totals.other += 1
    }
  }
}

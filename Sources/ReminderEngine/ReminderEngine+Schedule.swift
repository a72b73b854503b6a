import CivilTime
import ReminderMatching
import TriggerModel

/// Occurrences of schedules, and the wake-ups that the app requests for them.
extension ReminderEngine {
  /// Returns the next occurrence at which the app must be woken, which may have passed.
  ///
  /// If the clock was set back by at most a day, earlier occurrences still count as processed. After a larger
  /// change the days are repeated, except for occurrences that were served. A stored instant at which the
  /// current zone has no occurrence is ignored.
  func nextWake(of reminder: ReminderID, at moment: Moment) -> Instant? {
    let declaration = declarationInForce(reminder)
    func next(after instant: Instant) -> Instant? { unserved(reminder, after: instant, in: moment.zone) }
    guard let due = ledgers[reminder].wake else { return next(after: moment.wall) }
    if due <= moment.wall { return overdue(due, of: reminder, at: moment) ?? next(after: moment.wall) }
    if let planned = persisted.plannedZone, planned != moment.zone { return next(after: moment.wall) }
    let before = due - TimeSpan(milliseconds: 1)
    if occurrence(of: declaration, after: before, in: moment.zone) != due { return next(after: moment.wall) }
    let tomorrow = next(after: moment.wall + .days(1)) ?? .distantFuture
    return tomorrow < due ? next(after: moment.wall) : due
  }

  /// Returns the first occurrence after an instant at which the app has not been woken yet.
  private func unserved(_ reminder: ReminderID, after instant: Instant, in zone: ZoneID) -> Instant? {
    let declaration = declarationInForce(reminder)
    var next = occurrence(of: declaration, after: instant, in: zone)
    while let found = next, let end = persisted.ledgers[reminder].served?.end(of: found) {
      next = occurrence(of: declaration, after: end, in: zone)
    }
    return next
  }

  /// Returns the occurrence for which the app is being woken, or `nil` if there is none.
  ///
  /// If several occurrences passed while the app could not run, the latest one replaces the others.
  func dueWake(of reminder: ReminderID, at moment: Moment) -> Instant? {
    guard let wake = ledgers[reminder].wake, wake <= moment.wall,
      let due = overdue(wake, of: reminder, at: moment)
    else { return nil }
    return due == moment.wall ? due : latestOccurrence(of: reminder, from: due, at: moment)
  }

  /// Returns the first passed occurrence that is after all served ones, or `nil` if there is none.
  ///
  /// If the clock is set back and forth, occurrences pass again, including those from before the reminder
  /// existed.
  ///
  /// - Parameter due: The past instant at which the app was to be woken.
  private func overdue(_ due: Instant, of reminder: ReminderID, at moment: Moment) -> Instant? {
    guard let last = persisted.ledgers[reminder].served?.last(through: moment.wall), last >= due else {
      return due
    }
    let next = unserved(reminder, after: last, in: moment.zone)
    return next.flatMap { $0 <= moment.wall ? $0 : nil }
  }

  /// Records that the app was woken for an occurrence and that no wake-up is requested any longer.
  mutating func serveWake(of reminder: ReminderID, at moment: Moment) {
    guard let wake = ledgers[reminder].wake, wake <= moment.wall else { return }
    var served = ledgers[reminder].served
    if isKnown(reminder), let due = dueWake(of: reminder, at: moment) {
      let declaration = declarationInForce(reminder)
      if served == nil { served = ServedOccurrences() }
      served?.serve(due) { occurrence(of: declaration, after: $0, in: moment.zone) }
    }
    ledgers[reminder].endWake(served)
  }

  /// Removes occurrences whose time has passed from the pending ones.
  ///
  /// Their actual delivery may be observed later, because of journeys, late alarms or an old store.
  mutating func deliver(_ reminder: ReminderID, upTo now: Instant) {
    let passed = passed(by: now)
    mustPersist = true
    // Mutating access to a ledger allocates, so most calls only read.
    guard let plan = persisted.ledgers[reminder].occurrences, plan.isDelivery(due: passed) else { return }
    memory.missed.deliver(plan.pending, upTo: passed, at: now)
    ledgers[reminder].occurrences?.deliver(upTo: passed)
  }

  /// Returns the instant up to which due requests count as delivered, even if the app has not observed their
  /// delivery.
  func passed(by now: Instant) -> Instant {
    alarmsMayBeLate ? now - NotificationRequest.longestLateness : now
  }

  /// Returns the last occurrence up to an instant, or `nil` if there is none.
  ///
  /// A single date, or a day that is counted from a fact, may be arbitrarily long ago. For a recurring
  /// schedule, returns the latest occurrence at which the app was to be woken.
  func lastOccurrence(of declaration: UInt32, through end: Instant, in zone: ZoneID) -> Instant? {
    let plan = program.plans[Int(declaration)]
    let isFollowed =
      switch plan.schedule?.dates {
      case .recurring(let recurrence): recurrence.frequency != .once
      case .relative(let days): days.isYearly
      case .elapsed: false
      case nil: true
      }
    if isFollowed { return ledgers[plan.reminder].wake.flatMap { $0 <= end ? $0 : nil } }
    var last: Instant?
    var next = occurrence(of: declaration, after: .distantPast, in: zone)
    while let passed = next, passed <= end {
      last = passed
      next = occurrence(of: declaration, after: passed, in: zone)
    }
    return last
  }

  /// Returns the first occurrence of a declaration's schedule after an instant.
  func occurrence(
    of declaration: UInt32, after instant: Instant, in zone: ZoneID
  ) -> Instant? {
    let step = instant + TimeSpan(milliseconds: 1)
    // Store the schedule in a constant, because a switch over the plan's property would copy the plan.
    let schedule = program.plans[Int(declaration)].schedule
    switch schedule?.dates {
    case .recurring(let recurrence): return recurrence.next(atOrAfter: step, in: zones[zone])
    case .relative(let days):
      let reminder = program.plans[Int(declaration)].reminder
      guard let day = ledgers[reminder].countedFrom else { return nil }
      return days.next(atOrAfter: step, from: day.date, in: zones[zone])
    case .elapsed(let spans):
      let reminder = program.plans[Int(declaration)].reminder
      return ledgers[reminder].countedFrom.flatMap { spans.next(atOrAfter: step, from: $0.instant) }
    case nil: return nil
    }
  }

  /// Evaluates a schedule if its wake-up is due.
  mutating func lookAtSchedule(of reminder: ReminderID, _ moment: Moment, into buffer: inout MatchBuffer) {
    guard isKnown(reminder), let due = dueWake(of: reminder, at: moment) else { return }
    let declaration = declarationInForce(reminder)
    let view = view(at: moment)
    let then = due == moment.wall ? view : self.view(at: moment, atTimeOf: due)
    matcher.look(
      atScheduleOf: declaration, of: date(of: due, in: moment.zone), view, then: then, into: &buffer)
    if buffer.wantsMisses, ledgers[reminder].snooze != nil {
      buffer.misses.append(Miss(reminder: reminder, reason: .snoozed, failed: []))
    }
  }

  private func date(of instant: Instant, in zone: ZoneID) -> CivilDate { zones[zone].local(at: instant).date }

  /// Appends a miss for each snoozed reminder that listens to an event.
  @inline(never)
  func appendSnoozed(_ event: ObservedEvent, into buffer: inout MatchBuffer) {
    for reminder in ledgers.reminders(.snoozed).sorted()
    where program.listens(declarationInForce(reminder), to: event) {
      buffer.misses.append(Miss(reminder: reminder, reason: .snoozed, failed: []))
    }
  }

  /// Returns the index of the text for an occurrence relative to a fact, or `nil` if the number of requests
  /// determines the text.
  func copy(of plan: Plan, at occurrence: Instant, in zone: ZoneID) -> UInt8? {
    guard let day = ledgers[plan.reminder].countedFrom else { return nil }
    let position: Int? =
      switch plan.schedule?.dates {
      case .relative(let days): days.position(of: occurrence, from: day.date, in: zones[zone])
      case .elapsed(let spans): spans.position(of: occurrence, from: day.instant)
      case .recurring, nil: nil
      }
    return position.map { plan.copy(UInt32($0)) }
  }
}

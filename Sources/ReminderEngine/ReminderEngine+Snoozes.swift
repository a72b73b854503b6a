import CivilTime
import ReminderMatching
import TriggerModel

/// Snoozes reminders, and requests their notifications again when the snooze ends.
extension ReminderEngine {
  /// Snoozes a reminder, so that it is not evaluated until the snooze ends.
  ///
  /// If the reminder has already requested a notification, the engine requests it again for the end of the
  /// snooze, in the bucket `user`.
  mutating func snooze(
    by event: ObservedEvent, into effects: inout [EngineEffect]
  ) {
    let (reminder, moment) = (ReminderID(event.subject), event.moment)
    guard isKnown(reminder), !persisted.cancelled.contains(reminder) else { return }
    let until = Instant(millisecondsSince1970: event.value)
    let declaration = declarationInForce(reminder)
    let expires = program.plans[Int(declaration)].expires
    guard until > moment.wall, expires > moment.wall else { return }
    let content = withdrawLast(of: reminder, through: until, at: moment, into: &effects)
    ledgers[reminder].snooze = Snooze(
      until: until, clocks: event.isSnoozeForLength ? ClockPair(moment) : nil)
    persisted.deadlines.insert(Deadline(at: until, reminder: reminder, kind: .snoozeEnd))
    matcher.setWaiting(declaration, live: false, armed: false)
    if let content, until < expires {
      requestAtEnd(content, of: reminder, at: moment, into: &effects)
      // The snooze replaces wake-ups that are due before it ends.
      if let due = ledgers[reminder].wake, due <= until {
        wake(reminder, after: until, at: moment, into: &effects)
      }
    }
    // A schedule resumes when the snooze ends.
    if ledgers[reminder].occurrences != nil || ledgers[reminder].repetitions != nil {
      effects.append(.wake(reminder, at: until))
    }
  }

  /// Moves the ends of snoozes for a length of time if the wall clock was set.
  ///
  /// The system moves the requests for these ends itself.
  mutating func shiftSnoozes(at moment: Moment) {
    if ledgers.isEmpty(.snoozed) { return }
    let clocks = ClockPair(moment)
    for reminder in ledgers.reminders(.snoozed).sorted() {
      guard var snooze = persisted.ledgers[reminder].snooze, let old = snooze.clocks, old != clocks else {
        continue
      }
      snooze.follow(clocks)
      ledgers[reminder].snooze = snooze
      persisted.deadlines.insert(Deadline(at: snooze.until, reminder: reminder, kind: .snoozeEnd))
    }
  }

  /// Moves the ends of snoozes for a length of time if the wall clock was set, and ends the snoozes that are
  /// over.
  mutating func followClock(at moment: Moment) {
    shiftSnoozes(at: moment)
    if persisted.deadlines.next <= moment.wall { passDeadlines(at: moment) }
  }

  /// Requests the wake-ups at the ends of snoozes again, after the wall clock was set.
  mutating func wakeAfterSnoozes(into effects: inout [EngineEffect]) {
    for reminder in ledgers.reminders(.snoozed).sorted() where ledgers[reminder].repetitions != nil {
      guard let snooze = ledgers[reminder].snooze, snooze.clocks != nil else { continue }
      effects.append(.wake(reminder, at: snooze.until))
    }
  }

  private mutating func wake(
    _ reminder: ReminderID, after until: Instant, at moment: Moment, into effects: inout [EngineEffect]
  ) {
    let next = occurrence(of: declarationInForce(reminder), after: until, in: moment.zone)
    ledgers[reminder].wake = next
    effects.append(.wake(reminder, at: next ?? .distantFuture))
  }

  /// Requests a notification for the end of a snooze. If a condition withdraws it, the engine makes the request
  /// when the condition no longer holds.
  private mutating func requestAtEnd(
    _ content: SnoozedContent, of reminder: ReminderID, at moment: Moment, into effects: inout [EngineEffect]
  ) {
    guard let until = ledgers[reminder].snooze?.until else { return }
    let withdrawals = program.plans[Int(declarationInForce(reminder))].withdrawals
    guard withdrawals.hold(in: facts, at: moment.foreseen(at: until), zones) else {
      return request(content, of: reminder, at: until, moment, into: &effects)
    }
    countRequest(content, of: reminder)
    ledgers[reminder].retries.orNew.isOfSnooze = true
  }

  /// The content that a snooze requests again: the index of a text, and the occurrence that the snooze
  /// replaces. See `Snooze.Request`.
  typealias SnoozedContent = (copy: UInt8, standsFor: Instant)

  /// Requests a notification for the end of a snooze, or for now if the snooze has ended.
  ///
  /// - Parameter due: The end of the snooze, if it differs from `until`.
  mutating func request(
    _ content: SnoozedContent, of reminder: ReminderID, at until: Instant, due: Instant? = nil,
    _ moment: Moment, into effects: inout [EngineEffect]
  ) {
    let occurrence = countRequest(content, of: reminder)
    makeRoomForOthers(at: moment, into: &effects)
    let plan = program.plans[Int(declarationInForce(reminder))]
    effects.append(
      .request(
        NotificationRequest(
          id: RequestID(reminder: reminder, occurrence: occurrence), type: plan.type, bucket: .user,
          priority: plan.priority, copy: content.copy, scheduledFor: due ?? until, deliverAt: until,
          expiresAt: plan.expires, rank: program.rank(of: reminder),
          isElapsed: ledgers[reminder].snooze?.clocks != nil)))
  }

  /// Assigns a number to the request of a snooze, and returns it.
  @discardableResult
  private mutating func countRequest(_ content: SnoozedContent, of reminder: ReminderID) -> UInt32 {
    let occurrence = matcher.memory(of: reminder).occurrences
    ledgers[reminder].snooze?.request = Snooze.Request(
      occurrence: occurrence, copy: content.copy, standsFor: content.standsFor)
    matcher.countOccurrence(of: reminder)
    return occurrence
  }

  /// Withdraws the requests that a snooze replaces. They are the last shown request or that of an earlier
  /// snooze, and all others that are due by the end of the snooze.
  ///
  /// - Returns: The content to request again, or `nil` if there is none.
  private mutating func withdrawLast(
    of reminder: ReminderID, through until: Instant, at moment: Moment, into effects: inout [EngineEffect]
  ) -> SnoozedContent? {
    deliver(reminder, upTo: moment.wall)
    let (removed, again) = ledgers[reminder].occurrences?.snooze(until: until) ?? ([], [])
    forgetFailures(of: reminder) { $0 <= until }
    forgetSnoozeFailure(of: reminder)
    forgetWithdrawn(reminder)
    for entry in removed { effects.append(.remove(entry.id, .superseded)) }
    if let longer = ledgers[reminder].snooze?.until, longer > until {
      bringBack(again, of: reminder, after: until, at: moment, into: &effects)
    }
    let passed = passed(by: moment.wall)
    let open = persisted.openMatches.take(of: reminder, dueAfter: passed, through: until)
    for entry in open { effects.append(.remove(entry.request, .superseded)) }
    let undecided = memory.undecided[reminder].map { RequestID(reminder: reminder, occurrence: $0) }
    memory.undecided[reminder] = nil
    if let undecided {
      _ = persisted.openMatches.take(undecided)
      effects.append(.remove(undecided, .superseded))
    }
    // Quiet hours may still defer the request of a snooze that has ended.
    let deferred = deferredSnooze(of: reminder, dueAfter: passed)
    ledgers[reminder].deferredSnooze = nil
    if let earlier = ledgers[reminder].snooze?.request ?? deferred {
      effects.append(.remove(RequestID(reminder: reminder, occurrence: earlier.occurrence), .superseded))
      // Reuse its content, unless it replaces an occurrence that is due after the new end.
      if earlier.standsFor <= until { return (earlier.copy, earlier.standsFor) }
    }
    let declaration = declarationInForce(reminder)
    let plan = program.plans[Int(declaration)]
    guard let shown = matcher.shown(of: reminder) else {
      if let undecided { return (copy(ofOverdue: undecided, plan, at: moment), .distantPast) }
      if let last = open.last { return (plan.copy(last.request.occurrence), .distantPast) }
      if let last = ledgers[reminder].occurrences?.snoozed.last {
        return (copy(of: plan, at: last.at, in: moment.zone) ?? plan.copy(last.id.occurrence), last.at)
      }
      // Occurrences are overdue or due by the end of the snooze, but none has been shown.
      let due = lastOccurrence(of: declaration, through: until, in: moment.zone)
      // The occurrence is deferred past the end of the snooze.
      if let due, due <= moment.wall, !self.deferred(of: reminder, at: moment).isEmpty { return nil }
      return due.map { (copy(of: plan, at: $0, in: moment.zone) ?? plan.copy(0), $0) }
    }
    let last = RequestID(reminder: reminder, occurrence: shown)
    // Keep a repeating request, because it also covers future deliveries.
    if !(ledgers[reminder].repetitions?.has(last) ?? false) { effects.append(.remove(last, .superseded)) }
    return (undecided.map { copy(ofOverdue: $0, plan, at: moment) } ?? plan.copy(shown), .distantPast)
  }

  private func copy(ofOverdue request: RequestID, _ plan: Plan, at moment: Moment) -> UInt8 {
    lastOccurrence(of: declarationInForce(request.reminder), through: moment.wall, in: moment.zone)
      .flatMap { copy(of: plan, at: $0, in: moment.zone) } ?? plan.copy(request.occurrence)
  }

  /// Requests the occurrences again that a snooze withdrew but that are due after its new, earlier end.
  private mutating func bringBack(
    _ entries: [OccurrencePlan.Entry], of reminder: ReminderID, after until: Instant, at moment: Moment,
    into effects: inout [EngineEffect]
  ) {
    for entry in entries { forgetMatch(of: reminder, on: entry.day, at: moment) }
    ledgers[reminder].occurrences?.reconsider(from: until + TimeSpan(milliseconds: 1))
    guard let schedule = program.plans[Int(declarationInForce(reminder))].schedule, schedule.ahead == 0,
      ledgers[reminder].wake ?? .distantFuture > until
    else { return }
    wake(reminder, after: until, at: moment, into: &effects)
  }

  /// Ends a snooze. The reminder then waits again.
  mutating func endSnooze(of reminder: ReminderID, at moment: Moment) {
    let snooze = ledgers[reminder].snooze.take()
    if let snooze { memory.missed.end(snooze, of: reminder, at: moment.wall) }
    ledgers[reminder].occurrences?.endSnooze()
    if alarmsMayBeLate, let snooze, let request = snooze.request, ledgers[reminder].deferredSnooze == nil {
      let late = Snooze.Request(occurrence: request.occurrence, copy: request.copy)
      ledgers[reminder].deferredSnooze = Snooze.Deferred(late, deliverAt: snooze.until)
    }
    if deferredSnooze(of: reminder, dueAfter: moment.wall) == nil { forgetSnoozeFailure(of: reminder) }
    waitAgain(reminder, at: moment)
  }

  // MARK: Repeating the requests of snoozes

  /// Makes the requests of snoozes again that failed, or that were withdrawn and whose conditions hold again.
  mutating func requestAgainAfterSnoozes(at moment: Moment, into effects: inout [EngineEffect]) {
    if ledgers.isEmpty(.retrying) { return }
    requestAgainAfterSnoozes(at: moment, into: &effects) { engine, reminder in
      (engine.ledgers[reminder].retries?.isOfSnooze ?? false) && !engine.hasJustFailed(reminder, at: moment)
    }
  }

  /// Makes the requests of snoozes again that the system may no longer hold.
  mutating func requestAgainAfterSnoozes(
    at moment: Moment, into effects: inout [EngineEffect], where isMeant: (Self, ReminderID) -> Bool
  ) {
    let reminders = Set(ledgers.reminders(.snoozed)).union(ledgers.reminders(.deferredSnoozes))
    for reminder in reminders.sorted() where isMeant(self, reminder) {
      requestAgainAfterSnooze(of: reminder, at: moment, into: &effects)
    }
  }

  /// Makes the request of a reminder's snooze again, for the end of the snooze. If the snooze ended during
  /// quiet hours, makes it for now.
  ///
  /// Has no effect while the request's conditions fail, or after the reminder has ended.
  mutating func requestAgainAfterSnooze(
    of reminder: ReminderID, at moment: Moment, into effects: inout [EngineEffect]
  ) {
    let snooze = ledgers[reminder].snooze
    guard let earlier = snooze.map({ $0.request }) ?? deferredSnooze(of: reminder, dueAfter: moment.wall)
    else { return forgetSnoozeFailure(of: reminder) }
    let until = max(snooze?.until ?? moment.wall, moment.wall)
    let plan = program.plans[Int(declarationInForce(reminder))]
    if plan.expires <= until { return forgetSnoozeFailure(of: reminder) }
    if plan.withdrawals.hold(in: facts, at: moment.foreseen(at: until), zones) { return }
    forgetSnoozeFailure(of: reminder)
    effects.append(.remove(RequestID(reminder: reminder, occurrence: earlier.occurrence), .superseded))
    if snooze == nil {
      let again = matcher.memory(of: reminder).occurrences
      ledgers[reminder].deferredSnooze = Snooze.Deferred(
        Snooze.Request(occurrence: again, copy: earlier.copy))
    }
    request((earlier.copy, earlier.standsFor), of: reminder, at: until, moment, into: &effects)
  }

  /// Returns the request of an ended snooze that is undelivered because of quiet hours or a late alarm, or
  /// `nil` if there is none.
  func deferredSnooze(of reminder: ReminderID, dueAfter instant: Instant) -> Snooze.Request? {
    ledgers[reminder].deferredSnooze.flatMap { $0.deliverAt > instant ? $0.request : nil }
  }

  /// Forgets a failed snooze request that was made again or is no longer needed.
  private mutating func forgetSnoozeFailure(of reminder: ReminderID) {
    guard var retries = ledgers[reminder].retries, retries.isOfSnooze else { return }
    retries.isOfSnooze = false
    ledgers[reminder].retries = retries.isEmpty ? nil : retries
  }
}

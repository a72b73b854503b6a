import CivilTime
import ReminderMatching
import TriggerModel

/// Reminders that the person snoozes, and what a snooze requests again at its end.
extension ReminderEngine {
  /// Snoozes a reminder: until then it is not evaluated. One that has requested a notification before requests it again
  /// at that time, as the person's own wish (bucket `user`).
  mutating func snooze(
    _ reminder: ReminderID, until value: Int64, at moment: Moment, into effects: inout [EngineEffect]
  ) {
    guard isKnown(reminder), !persisted.cancelled.contains(reminder) else { return }
    let until = Instant(millisecondsSince1970: value)
    let declaration = declarationInForce(reminder)
    let expires = program.plans[Int(declaration)].expires
    guard until > moment.wall, expires > moment.wall else { return }
    let content = withdrawLast(of: reminder, through: until, at: moment, into: &effects)
    ledgers[reminder].snooze = Snooze(until: until)
    persisted.deadlines.insert(Deadline(at: until, reminder: reminder, kind: .snoozeEnd))
    matcher.setWaiting(declaration, live: false, armed: false)
    if let content, until < expires {
      request(content, of: reminder, at: until, moment, into: &effects)
      // A wake-up by then is covered by the end of the snooze.
      if let due = ledgers[reminder].wake, due <= until {
        memory.dueAtStart[reminder] = nil
        wake(reminder, after: until, at: moment, into: &effects)
      }
    }
    // At the end of the snooze a schedule goes on.
    if ledgers[reminder].occurrences != nil || ledgers[reminder].repetitions != nil {
      effects.append(.wake(reminder, at: until))
    }
  }

  private mutating func wake(
    _ reminder: ReminderID, after until: Instant, at moment: Moment, into effects: inout [EngineEffect]
  ) {
    let next = occurrence(of: declarationInForce(reminder), after: until, in: moment.zone)
    ledgers[reminder].wake = next
    effects.append(.wake(reminder, at: next ?? .distantFuture))
  }

  /// What a snooze requests again: a text, and the occurrence that it stands for, as in `Snooze.Request`.
  private typealias SnoozedContent = (copy: UInt8, standsFor: Instant)

  private mutating func request(
    _ content: SnoozedContent, of reminder: ReminderID, at until: Instant, _ moment: Moment,
    into effects: inout [EngineEffect]
  ) {
    let occurrence = matcher.memory(of: reminder).occurrences
    ledgers[reminder].snooze?.request = Snooze.Request(
      occurrence: occurrence, copy: content.copy, standsFor: content.standsFor)
    matcher.countOccurrence(of: reminder)
    makeRoomForOthers(at: moment, into: &effects)
    let plan = program.plans[Int(declarationInForce(reminder))]
    effects.append(
      .request(
        NotificationRequest(
          id: RequestID(reminder: reminder, occurrence: occurrence), type: plan.type, bucket: .user,
          priority: plan.priority, copy: content.copy, scheduledFor: until, deliverAt: until,
          expiresAt: plan.expires, rank: program.rank(of: reminder))))
  }

  /// Withdraws what a snooze puts off: the request shown last, or what an earlier snooze requested; and, of what is
  /// requested ahead or deferred, that whose time comes by the end of the snooze.
  /// - Returns: What is to be requested again, or `nil` if nothing is.
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
    // The request of a snooze that has ended may wait for the end of quiet hours.
    let deferred = deferredSnooze(of: reminder, dueAfter: passed)
    ledgers[reminder].deferredSnooze = nil
    if let earlier = ledgers[reminder].snooze?.request ?? deferred {
      effects.append(.remove(RequestID(reminder: reminder, occurrence: earlier.occurrence), .superseded))
      // It stands for nothing that is due before this end, or was.
      if earlier.standsFor <= until { return (earlier.copy, earlier.standsFor) }
    }
    let declaration = declarationInForce(reminder)
    let plan = program.plans[Int(declaration)]
    guard let shown = matcher.shown(of: reminder) else {
      if let last = open.last { return (plan.copy(last.request.occurrence), .distantPast) }
      if let last = ledgers[reminder].occurrences?.snoozed.last {
        return (copy(of: plan, at: last.at, in: moment.zone) ?? plan.copy(last.id.occurrence), last.at)
      }
      // Nothing was shown of what is overdue, or will be when the snooze ends.
      let due = lastOccurrence(of: declaration, through: until, in: moment.zone)
      // It is deferred, and is delivered later than that anyway.
      if let due, due <= moment.wall, !self.deferred(of: reminder, at: moment).isEmpty { return nil }
      return due.map { (copy(of: plan, at: $0, in: moment.zone) ?? plan.copy(0), $0) }
    }
    let last = RequestID(reminder: reminder, occurrence: shown)
    // The system has one request for what it has shown and for what it will: that goes on.
    if !(ledgers[reminder].repetitions?.has(last) ?? false) { effects.append(.remove(last, .superseded)) }
    return (plan.copy(shown), .distantPast)
  }

  /// Lets occurrences that a snooze had put off be requested again because the snooze is shortened to before them.
  private mutating func bringBack(
    _ entries: [OccurrencePlan.Entry], of reminder: ReminderID, after until: Instant, at moment: Moment,
    into effects: inout [EngineEffect]
  ) {
    for entry in entries { forgetMatch(of: reminder, on: entry.day, at: moment) }
    ledgers[reminder].occurrences?.lookAgain(from: until + TimeSpan(milliseconds: 1))
    guard let schedule = program.plans[Int(declarationInForce(reminder))].schedule, schedule.ahead == 0,
      ledgers[reminder].wake ?? .distantFuture > until
    else { return }
    wake(reminder, after: until, at: moment, into: &effects)
  }

  /// A snooze has ended: its reminder waits again.
  mutating func endSnooze(of reminder: ReminderID, at moment: Moment) {
    let snooze = ledgers[reminder].snooze.take()
    ledgers[reminder].occurrences?.endSnooze()
    if alarmsMayBeLate, let snooze, let request = snooze.request, ledgers[reminder].deferredSnooze == nil {
      let late = Snooze.Request(occurrence: request.occurrence, copy: request.copy)
      ledgers[reminder].deferredSnooze = Snooze.Deferred(late, deliverAt: snooze.until)
    }
    if deferredSnooze(of: reminder, dueAfter: moment.wall) == nil { forgetSnoozeFailure(of: reminder) }
    waitAgain(reminder, at: moment)
  }

  // MARK: What a snooze requested is requested again

  /// Requests again what snoozes requested if it failed, or was withdrawn and its reason is back.
  mutating func requestAgainAfterSnoozes(at moment: Moment, into effects: inout [EngineEffect]) {
    if ledgers.isEmpty(.retrying) { return }
    requestAgainAfterSnoozes(at: moment, into: &effects) { engine, reminder in
      (engine.ledgers[reminder].retries?.isOfSnooze ?? false) && !engine.hasJustFailed(reminder, at: moment)
    }
  }

  /// Requests again what snoozes requested and the system may have no more.
  mutating func requestAgainAfterSnoozes(
    at moment: Moment, into effects: inout [EngineEffect], where isMeant: (Self, ReminderID) -> Bool
  ) {
    let reminders = Set(ledgers.reminders(.snoozed)).union(ledgers.reminders(.deferredSnoozes))
    for reminder in reminders.sorted() where isMeant(self, reminder) {
      requestAgainAfterSnooze(of: reminder, at: moment, into: &effects)
    }
  }

  /// Requests again what the snooze of one reminder requested, for its end; or for now if it has ended during quiet
  /// hours. Not as long as its reason is withdrawn.
  mutating func requestAgainAfterSnooze(
    of reminder: ReminderID, at moment: Moment, into effects: inout [EngineEffect]
  ) {
    let snooze = ledgers[reminder].snooze
    guard let earlier = snooze.map({ $0.request }) ?? deferredSnooze(of: reminder, dueAfter: moment.wall)
    else { return forgetSnoozeFailure(of: reminder) }
    let until = max(snooze?.until ?? moment.wall, moment.wall)
    let withdrawals = program.plans[Int(declarationInForce(reminder))].withdrawals
    if withdrawals.hold(in: facts, at: moment.foreseen(at: until), zones) { return }
    forgetSnoozeFailure(of: reminder)
    effects.append(.remove(RequestID(reminder: reminder, occurrence: earlier.occurrence), .superseded))
    if snooze == nil {
      let again = matcher.memory(of: reminder).occurrences
      ledgers[reminder].deferredSnooze = Snooze.Deferred(
        Snooze.Request(occurrence: again, copy: earlier.copy))
    }
    request((earlier.copy, earlier.standsFor), of: reminder, at: until, moment, into: &effects)
  }

  /// The request of a snooze that has ended and is still to be delivered: quiet hours defer it, or its alarm is late.
  func deferredSnooze(of reminder: ReminderID, dueAfter instant: Instant) -> Snooze.Request? {
    ledgers[reminder].deferredSnooze.flatMap { $0.deliverAt > instant ? $0.request : nil }
  }

  /// Forgets that the request of a snooze failed: it is made again, or there is nothing to request any more.
  private mutating func forgetSnoozeFailure(of reminder: ReminderID) {
    guard var retries = ledgers[reminder].retries, retries.isOfSnooze else { return }
    retries.isOfSnooze = false
    ledgers[reminder].retries = retries.isEmpty ? nil : retries
  }
}

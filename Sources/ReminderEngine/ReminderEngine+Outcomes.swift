import CivilTime
import ReminderMatching
public import TriggerModel

/// Handles the outcomes of requests.
///
/// A match counts only if its request is admitted or deferred. Otherwise the reminder returns to its previous
/// state and is evaluated at its next trigger.
extension ReminderEngine {
  /// Processes the scheduler's answers: `decided`, `dropped` and `remove`. The matches of cancelled and
  /// superseded requests are kept.
  public mutating func settled(
    _ answers: [EngineEffect], at moment: Moment, into effects: inout [EngineEffect]
  ) {
    var lost: [RequestID] = []
    swap(&lost, &memory.lost)
    var failed: [RequestID] = []
    for answer in answers {
      switch answer {
      case .decided(let request, let decision):
        isDecided(request.id)
        switch decision.outcome {
        case .deny:
          lost.append(request.id)
          if decision.reason == .lapseCap {
            ledgers[request.id.reminder].occurrences?.isLostToLapse = true
          }
        case .fail: failed.append(request.id)
        case .defer:
          deferred(request.id, scheduledFor: request.scheduledFor, at: moment, into: &effects)
        case .admit: admitted(request, at: moment)
        }
      case .dropped(let request, let reason):
        isDecided(request.id)
        if !reason.isChosen { lost.append(request.id) }
      // Quiet hours defer the request again.
      case .remove(let request, .quietHours): deferred(request, at: moment, into: &effects)
      case .remove(let request, let reason) where !reason.isChosen:
        if reason == .userDisabled { keepForbidden(request, at: moment) }
        if reason == .staleAtRelease {
          keepStale(request, at: moment, into: &effects)
        } else {
          lost.append(request)
        }
      case .remove, .request, .noRequest, .add, .withdraw, .removeShown, .monitor, .unmonitor, .watch,
        .unwatch, .wake, .wakeForRelease, .persist, .storeUnusable:
        break
      }
    }
    undo(lost, at: moment, into: &effects)
    undo(failed, isFailure: true, at: moment, into: &effects)
    lost.removeAll(keepingCapacity: true)
    swap(&lost, &memory.lost)
    finish(into: &effects)
  }

  private mutating func admitted(_ request: NotificationRequest, at moment: Moment) {
    if request.deliverAt <= moment.wall { matcher.wasShown(request.id) }
    // Only a request that was deferred before needs further handling.
    guard request.isRelease(at: moment) else { return }
    if persisted.isDeferredSnooze(request.id) {
      ledgers[request.id.reminder].deferredSnooze?.deliverAt = request.deliverAt
    }
    // The match can still be undone until the request is delivered.
    let delivered = max(request.deliverAt, moment.wall) + NotificationRequest.confirmationTime
    persisted.openMatches.keep(request.id, from: delivered)
    _ = ledgers[request.id.reminder].occurrences?.putOff(request.id, until: delivered)
  }

  /// Records that a request is deferred to an unknown instant. It no longer affects later occurrences of its
  /// schedule.
  ///
  /// - Parameter scheduledFor: The instant of the match, if the engine does not know it yet.
  private mutating func deferred(
    _ request: RequestID, scheduledFor: Instant = .distantPast, at moment: Moment,
    into effects: inout [EngineEffect]
  ) {
    if let asked = ledgers[request.reminder].snooze?.request, asked.occurrence == request.occurrence {
      ledgers[request.reminder].deferredSnooze = Snooze.Deferred(asked)
    }
    guard isKnown(request.reminder), !persisted.isDeferredSnooze(request) else { return }
    if ledgers[request.reminder].occurrences?.putOff(request, until: .distantFuture) ?? false {
      wishUnlessFollowed(for: request.reminder, at: moment, into: &effects)
    } else {
      // A reminder that always repeats has no entry for its request yet.
      persisted.openMatches.putOff(
        request, day: view(at: moment).date.dayNumber, scheduledFor: scheduledFor, now: moment.wall)
    }
  }

  /// Records an observed delivery.
  mutating func delivered(_ request: RequestID) {
    guard isKnown(request.reminder) else { return }
    isDecided(request)
    persisted.openMatches.keep(request, from: .distantPast)
    if ledgers.hasLedger(of: request.reminder) {
      ledgers[request.reminder].repetitions?.appeared(request)
      _ = ledgers[request.reminder].occurrences?.remove(request)
      if persisted.isDeferredSnooze(request) { ledgers[request.reminder].deferredSnooze = nil }
    }
    matcher.wasShown(request)
  }

  /// Undoes a request that the app could not process and that was not observed elsewhere.
  ///
  /// The reminder returns to the state before the trigger, or before a snooze made the request again.
  public mutating func takeBack(_ request: NotificationRequest, at moment: Moment) {
    let reminder = request.id.reminder
    isDecided(request.id)
    matcher.uncountOccurrence(of: reminder)
    if ledgers[reminder].snooze != nil { return }
    if let entry = ledgers[reminder].occurrences?.remove(request.id) {
      forgetMatch(of: reminder, on: entry.day, at: moment)
      ledgers[reminder].occurrences?.reconsider()
    }
    undoMatches([request.id], at: moment)
  }

  /// Returns a reminder's latest request that can still be undone, except occurrences requested in advance.
  package func openRequest(of reminder: ReminderID) -> RequestID? {
    persisted.openMatches.latest(of: reminder)
      ?? memory.undecided[reminder].map { RequestID(reminder: reminder, occurrence: $0) }
  }

  private mutating func isDecided(_ request: RequestID) {
    if memory.undecided[request.reminder] == request.occurrence { memory.undecided[request.reminder] = nil }
  }

  /// Returns whether a reminder requests notifications in advance.
  package func preschedules(_ reminder: ReminderID) -> Bool {
    isKnown(reminder) && program.plans[Int(declarationInForce(reminder))].preschedules
  }

  /// Returns a reminder's undelivered request that is due at an instant. It is an occurrence, a stage of a
  /// lapse, or the first delivery of a repetition.
  package func pendingOccurrence(of reminder: ReminderID, at instant: Instant) -> RequestID? {
    ledgers[reminder].occurrences?.pending.first { $0.at == instant }?.id
      ?? ledgers[reminder].repetitions?.entries.first { $0.first == instant }?.id
      ?? persisted.openMatches.pending(of: reminder, at: instant)
  }

  // MARK: - Requests that will not be delivered

  /// Undoes the matches of requests that will not be delivered.
  ///
  /// - Parameter isFailure: Whether the system refused the requests. If `true`, they are made again at the
  ///   next opportunity.
  mutating func undo(
    _ requests: [RequestID], isFailure: Bool = false, at moment: Moment, into effects: inout [EngineEffect]
  ) {
    if isFailure { for request in requests { failed(ofLapseOrSnooze: request, at: moment) } }
    undoMatches(requests, at: moment)
    if !requests.isEmpty { mustPersist = true }
    for request in requests {
      matcher.wasNotShown(request)
      // Most denied requests come from triggers, whose reminders have no ledger.
      guard ledgers.hasLedger(of: request.reminder) else { continue }
      ledgers[request.reminder].lapse?.isIncomplete = true
      undoOccurrence(request, isFailure, at: moment, into: &effects)
      undoRepetition(request, isFailure, at: moment, into: &effects)
    }
  }

  private mutating func failed(ofLapseOrSnooze request: RequestID, at moment: Moment) {
    let reminder = request.reminder
    guard isKnown(reminder) else { return }
    let asked = ledgers[reminder].snooze?.request?.occurrence
    if asked == request.occurrence || persisted.isDeferredSnooze(request) {
      ledgers[reminder].retries.orNew.addSnooze(at: moment)
    }
    guard program.plans[Int(declarationInForce(reminder))].lapse != nil,
      let stage = persisted.openMatches.take(request)
    else { return }
    forgetMatch(of: reminder, on: stage.day, at: moment)
    if stage.keptFrom != .distantPast && stage.keptFrom != .distantFuture {
      failed(reminder, for: stage.deliverAt, at: moment)
    }
  }

  mutating func undoMatches(_ requests: [RequestID], at moment: Moment) {
    // Undo the latest request of each reminder first.
    let ordered = requests.count > 1 ? requests.sorted(by: >) : requests
    for request in ordered {
      guard let entry = persisted.openMatches.take(request) else { continue }
      forgetMatch(of: request.reminder, on: entry.day, at: moment)
    }
  }

  /// Handles an occurrence that will not be delivered. The schedule continues after the occurrences that are
  /// pending.
  private mutating func undoOccurrence(
    _ request: RequestID, _ isFailure: Bool, at moment: Moment, into effects: inout [EngineEffect]
  ) {
    let reminder = request.reminder
    guard let entry = ledgers[reminder].occurrences?.remove(request) else { return }
    forgetMatch(of: reminder, on: entry.day, at: moment)
    if isFailure, entry.at > moment.wall {
      failed(reminder, for: entry.at, at: moment)
    } else {
      ledgers[reminder].occurrences?.lost(entry.at)
    }
    // Later occurrences were skipped because the lost one had matched in their period.
    if program.plans[Int(declarationInForce(reminder))].repeats != .always {
      ledgers[reminder].occurrences?.reconsiderAfterLosses()
    }
    wishUnlessFollowed(for: reminder, at: moment, into: &effects)
  }

  /// Handles a repeating request that was denied, refused or dropped.
  mutating func undoRepetition(
    _ request: RequestID, _ isFailure: Bool = false, at moment: Moment, into effects: inout [EngineEffect]
  ) {
    let reminder = request.reminder
    guard let entry = ledgers[reminder].repetitions?.remove(request), let plan = ledgers[reminder].repetitions
    else { return }
    let next = entry.pattern.next(after: moment.wall, in: zones[moment.zone]) ?? .distantFuture
    let missed = entry.first > moment.wall ? entry.first : next
    if isFailure {
      failed(reminder, for: missed, at: moment)
    } else {
      ledgers[reminder].repetitions?.lost(missed)
    }
    wishToRepeat(reminder, at: min(plan.wish, missed), into: &effects)
  }

  /// Removes pending occurrences as if they had not been requested.
  mutating func takeOut(_ entries: [OccurrencePlan.Entry], of reminder: ReminderID, at moment: Moment) {
    for entry in entries {
      _ = ledgers[reminder].occurrences?.remove(entry.id)
      forgetMatch(of: reminder, on: entry.day, at: moment)
    }
  }

  // MARK: - Requests that failed

  /// Records a failed request for a future time, so that it is retried. A failed request consumes nothing.
  private mutating func failed(_ reminder: ReminderID, for time: Instant, at moment: Moment) {
    if time <= moment.wall || time == .distantFuture { return }
    ledgers[reminder].retries.orNew.add(time, at: moment)
  }

  /// Returns whether a reminder's request failed at this very moment, so that a retry would also fail.
  func hasJustFailed(_ reminder: ReminderID, at moment: Moment) -> Bool {
    ledgers[reminder].retries.map { $0.last == moment } ?? false
  }

  /// Returns whether a request for a time failed and must be retried.
  func hasFailed(_ reminder: ReminderID, for time: Instant) -> Bool {
    ledgers[reminder].retries?.times.contains(time) ?? false
  }

  /// Forgets failures whose requests were made again or are no longer wanted.
  mutating func forgetFailures(of reminder: ReminderID, where isGone: (Instant) -> Bool = { _ in true }) {
    guard var retries = ledgers[reminder].retries, retries.remove(where: isGone) else { return }
    ledgers[reminder].retries = retries.isEmpty ? nil : retries
  }

  // MARK: - Matches

  /// Records the data that is needed to undo a match for a day.
  mutating func remember(
    _ request: NotificationRequest, on day: Int32, of declaration: UInt32, at moment: Moment
  ) {
    // The pending stages of a lapse are always recorded, because a journey may move them past its end.
    if program.plans[Int(declaration)].repeats == .always, program.plans[Int(declaration)].lapse == nil {
      return
    }
    persisted.openMatches.append(
      request.id, day: day, scheduledFor: request.scheduledFor, deliverAt: request.deliverAt,
      now: moment.wall)
    if program.plans[Int(declaration)].lapse != nil { memory.staged?[request.id.reminder] = () }
  }

  /// Undoes a match so that the reminder may match again in the same period.
  mutating func forgetMatch(of reminder: ReminderID, on day: Int32, at moment: Moment) {
    matcher.revertMatch(day, declarationInForce(reminder))
    waitAgain(reminder, at: moment)
  }

  /// Updates whether a reminder is waiting, based on its matches.
  ///
  /// A spent or expired reminder is not waiting. A reminder that has matched in this period waits for the
  /// next one. A snoozed or cancelled reminder is unchanged.
  mutating func waitAgain(_ reminder: ReminderID, at moment: Moment) {
    if persisted.cancelled.contains(reminder) || ledgers[reminder].snooze != nil { return }
    let declaration = declarationInForce(reminder)
    // Copying the plan would retain each of its arrays, and this code runs for every denied request.
    let expires = program.plans[Int(declaration)].expires
    let today = view(at: moment).date
    let hasMatched = matcher.hasMatched(declaration, inPeriodOf: today)
    let isOver = expires <= moment.wall
    note(reminder, isOver: isOver, expires)
    let isSpent = program.plans[Int(declaration)].repeats == .once && hasMatched || isOver
    matcher.bring(declaration, to: today)
    matcher.setWaiting(declaration, live: !isSpent && !hasMatched, armed: !isSpent)
  }

  /// Records whether a reminder has expired. It can expire again after the clock is set back.
  private mutating func note(_ reminder: ReminderID, isOver: Bool, _ expires: Instant) {
    if isOver == (persisted.expired[reminder] != nil) { return }
    if isOver {
      persisted.expired[reminder] = expires
    } else {
      persisted.expired[reminder] = nil
      persisted.deadlines.insert(Deadline(at: expires, reminder: reminder, kind: .expiry))
    }
  }
}

extension NotificationRequest {
  /// Returns whether the request was deferred and is therefore delivered later than its scheduled time.
  package func isRelease(at now: Moment) -> Bool { scheduledFor < max(deliverAt, now.wall) }
}

extension Reason {
  /// Whether the person or the app itself caused the removal.
  fileprivate var isChosen: Bool { self == .cancelled || self == .superseded }
}

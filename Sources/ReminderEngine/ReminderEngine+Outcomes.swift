import CivilTime
import ReminderMatching
public import TriggerModel

/// What becomes of requests. A match counts only if its request is admitted or deferred: otherwise its reminder waits as
/// before that match, and is evaluated again at its next trigger, not before.
extension ReminderEngine {
  /// Takes note of what the scheduler decided: of `decided`, `dropped` and `remove`. What the person cancelled, and what
  /// another request supersedes, keeps its match.
  public mutating func settled(
    _ answers: [EngineEffect], at moment: Moment, into effects: inout [EngineEffect]
  ) {
    var lost: [RequestID] = []
    swap(&lost, &memory.lost)
    var failed: [RequestID] = []
    for answer in answers {
      switch answer {
      case .decided(let request, let decision):
        switch decision.outcome {
        case .deny:
          lost.append(request.id)
          if decision.reason == .lapseCap {
            ledgers[request.id.reminder].occurrences?.isLostToLapse = true
          }
        case .fail: failed.append(request.id)
        case .defer: deferred(request.id, at: moment, into: &effects)
        case .admit: admitted(request, at: moment)
        }
      case .dropped(let request, let reason) where !reason.isChosen: lost.append(request.id)
      // It is deferred again.
      case .remove(let request, .quietHours): deferred(request, at: moment, into: &effects)
      case .remove(let request, let reason) where !reason.isChosen:
        if reason == .userDisabled { keepForbidden(request, at: moment) }
        lost.append(request)
      case .dropped, .remove, .request, .noRequest, .add, .withdraw, .monitor, .unmonitor, .watch, .unwatch,
        .wake,
        .wakeForRelease, .persist, .storeUnusable:
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
    // It was deferred.
    guard request.isRelease(at: moment) else { return }
    if persisted.isDeferredSnooze(request.id) {
      ledgers[request.id.reminder].deferredSnooze?.deliverAt = request.deliverAt
    }
    // Until then the match may come to nothing.
    let delivered = max(request.deliverAt, moment.wall) + NotificationRequest.confirmationTime
    persisted.openMatches.keep(request.id, from: delivered)
    _ = ledgers[request.id.reminder].occurrences?.putOff(request.id, until: delivered)
  }

  /// It is not known when a request will be delivered. An occurrence that was requested ahead may be delivered when
  /// others of its schedule have been due: they are not to wait for it.
  private mutating func deferred(
    _ request: RequestID, at moment: Moment, into effects: inout [EngineEffect]
  ) {
    if let asked = ledgers[request.reminder].snooze?.request, asked.occurrence == request.occurrence {
      ledgers[request.reminder].deferredSnooze = Snooze.Deferred(asked)
    }
    guard isKnown(request.reminder), !persisted.isDeferredSnooze(request) else { return }
    if ledgers[request.reminder].occurrences?.putOff(request, until: .distantFuture) ?? false {
      wishUnlessFollowed(for: request.reminder, at: moment, into: &effects)
    } else {
      // Nothing was remembered of the request of a reminder that may match again at any time.
      persisted.openMatches.putOff(request, day: view(at: moment).date.dayNumber, now: moment.wall)
    }
  }

  /// The app observed a delivery.
  mutating func delivered(_ request: RequestID) {
    guard isKnown(request.reminder) else { return }
    persisted.openMatches.keep(request, from: .distantPast)
    if ledgers.hasLedger(of: request.reminder) {
      ledgers[request.reminder].repetitions?.appeared(request)
      _ = ledgers[request.reminder].occurrences?.remove(request)
      if persisted.isDeferredSnooze(request) { ledgers[request.reminder].deferredSnooze = nil }
    }
    matcher.wasShown(request)
  }

  /// Takes back a request that nobody observed, because the app could not act on it: its reminder waits as if the
  /// trigger had not occurred, or as it did before a snooze requested it again.
  public mutating func takeBack(_ request: NotificationRequest, at moment: Moment) {
    let reminder = request.id.reminder
    matcher.uncountOccurrence(of: reminder)
    if ledgers[reminder].snooze != nil { return }
    if let entry = ledgers[reminder].occurrences?.remove(request.id) {
      forgetMatch(of: reminder, on: entry.day, at: moment)
      ledgers[reminder].occurrences?.lookAgain()
    }
    undoMatches([request.id], at: moment)
  }

  /// The latest request of a reminder that may still come to nothing, other than occurrences requested ahead.
  package func openRequest(of reminder: ReminderID) -> RequestID? {
    persisted.openMatches.latest(of: reminder)
  }

  /// Whether a reminder requests notifications ahead of their time.
  package func preschedules(_ reminder: ReminderID) -> Bool {
    isKnown(reminder) && program.plans[Int(declarationInForce(reminder))].preschedules
  }

  /// What was requested ahead for a time and is not delivered: the occurrence, the stage of a lapse, or what the system
  /// repeats from then on.
  package func pendingOccurrence(of reminder: ReminderID, at instant: Instant) -> RequestID? {
    ledgers[reminder].occurrences?.pending.first { $0.at == instant }?.id
      ?? ledgers[reminder].repetitions?.entries.first { $0.first == instant }?.id
      ?? persisted.openMatches.pending(of: reminder, at: instant)
  }

  // MARK: - Requests that come to nothing

  /// Gives back what requests used that will not be delivered.
  ///
  /// - Parameter isFailure: Whether the system did not take them, in which case they are made again at the next
  ///   opportunity.
  mutating func undo(
    _ requests: [RequestID], isFailure: Bool = false, at moment: Moment, into effects: inout [EngineEffect]
  ) {
    if isFailure { for request in requests { failed(ofLapseOrSnooze: request, at: moment) } }
    undoMatches(requests, at: moment)
    if !requests.isEmpty { mustPersist = true }
    for request in requests {
      matcher.wasNotShown(request)
      // Most requests that are denied are made by triggers, not ahead.
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
    // Of each reminder the latest first.
    let ordered = requests.count > 1 ? requests.sorted(by: >) : requests
    for request in ordered {
      guard let entry = persisted.openMatches.take(request) else { continue }
      forgetMatch(of: request.reminder, on: entry.day, at: moment)
    }
  }

  /// An occurrence will not be delivered: its schedule goes on after those that are pending.
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
    // Those after it were passed over because the reminder had matched in their period.
    if program.plans[Int(declarationInForce(reminder))].repeats != .always {
      ledgers[reminder].occurrences?.lookAgainAfterLosses()
    }
    wishUnlessFollowed(for: reminder, at: moment, into: &effects)
  }

  /// A request that the system was to repeat was denied, refused or dropped.
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

  /// Takes occurrences out of what is pending, as if they had not been requested.
  mutating func takeOut(_ entries: [OccurrencePlan.Entry], of reminder: ReminderID, at moment: Moment) {
    for entry in entries {
      _ = ledgers[reminder].occurrences?.remove(entry.id)
      forgetMatch(of: reminder, on: entry.day, at: moment)
    }
  }

  // MARK: - Requests that failed

  /// A request for a later time failed. Nothing was used by it, and it is made again at the next opportunity.
  private mutating func failed(_ reminder: ReminderID, for time: Instant, at moment: Moment) {
    if time <= moment.wall || time == .distantFuture { return }
    ledgers[reminder].retries.orNew.add(time, at: moment)
  }

  /// Whether a request of a reminder failed at this very moment: the system would say the same again.
  func hasJustFailed(_ reminder: ReminderID, at moment: Moment) -> Bool {
    ledgers[reminder].retries.map { $0.last == moment } ?? false
  }

  /// Whether a request for a time failed and is to be made again.
  func hasFailed(_ reminder: ReminderID, for time: Instant) -> Bool {
    ledgers[reminder].retries?.times.contains(time) ?? false
  }

  /// Forgets failures: the requests are made again, or no longer wanted.
  mutating func forgetFailures(of reminder: ReminderID, where isGone: (Instant) -> Bool = { _ in true }) {
    guard var retries = ledgers[reminder].retries, retries.remove(where: isGone) else { return }
    ledgers[reminder].retries = retries.isEmpty ? nil : retries
  }

  // MARK: - Matches

  /// Remembers what it takes to undo a match that counts for a day.
  mutating func remember(
    _ request: NotificationRequest, on day: Int32, of declaration: UInt32, at moment: Moment
  ) {
    // Of a lapse what is pending is remembered, whatever it repeats: a journey may put it after its end.
    if program.plans[Int(declaration)].repeats == .always, program.plans[Int(declaration)].lapse == nil {
      return
    }
    persisted.openMatches.append(request.id, day: day, deliverAt: request.deliverAt, now: moment.wall)
    if program.plans[Int(declaration)].lapse != nil { memory.staged?[request.id.reminder] = () }
  }

  /// Gives a match back: in its period its reminder may match again.
  mutating func forgetMatch(of reminder: ReminderID, on day: Int32, at moment: Moment) {
    matcher.revertMatch(day, declarationInForce(reminder))
    waitAgain(reminder, at: moment)
  }

  /// Makes a reminder wait as its matches say: not if it is spent or expired, and in a period in which it has matched for
  /// the next. One that is snoozed or cancelled stays so.
  mutating func waitAgain(_ reminder: ReminderID, at moment: Moment) {
    if persisted.cancelled.contains(reminder) || ledgers[reminder].snooze != nil { return }
    let declaration = declarationInForce(reminder)
    // No copy of the plan, which counts a reference for each of its lists: this runs for every denied request.
    let expires = program.plans[Int(declaration)].expires
    let today = view(at: moment).date
    let hasMatched = matcher.hasMatched(declaration, inPeriodOf: today)
    let isOver = expires <= moment.wall
    note(reminder, isOver: isOver, expires)
    let isSpent = program.plans[Int(declaration)].repeats == .once && hasMatched || isOver
    matcher.bring(declaration, to: today)
    matcher.setWaiting(declaration, live: !isSpent && !hasMatched, armed: !isSpent)
  }

  /// Notes whether a reminder has expired; after its clock was set back it will once more.
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
  /// Whether it is delivered later than its time: it was deferred.
  package func isRelease(at now: Moment) -> Bool { scheduledFor < max(deliverAt, now.wall) }
}

extension Reason {
  /// Whether the person or the app itself wanted it so.
  fileprivate var isChosen: Bool { self == .cancelled || self == .superseded }
}

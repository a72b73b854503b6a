import CivilTime
import ReminderMatching
package import TriggerModel

/// The requests that became due at one instant and may have been lost while the app could not run.
struct MissedRequests: Sendable {
  /// The instant that the other properties describe. They are cleared when another instant begins.
  private var at = Instant.distantPast
  /// The occurrences that first counted as delivered at this instant.
  private var occurrences: [OccurrencePlan.Entry] = []
  /// The snoozes that ended at this instant.
  private var snoozes: [(reminder: ReminderID, snooze: Snooze)] = []
  /// The requests made at this instant to replace lost requests, each with the due time of the lost one.
  private var replacements: [(request: RequestID, due: Instant)] = []

  private mutating func move(to now: Instant) {
    if at == now { return }
    at = now
    occurrences.removeAll(keepingCapacity: true)
    snoozes.removeAll(keepingCapacity: true)
    replacements.removeAll(keepingCapacity: true)
  }

  /// Records the pending occurrences that are removed because they are due by `passed`.
  mutating func deliver(_ pending: [OccurrencePlan.Entry], upTo passed: Instant, at now: Instant) {
    move(to: now)
    for entry in pending where entry.deliveredAt <= passed { occurrences.append(entry) }
  }

  /// Records the end of a snooze.
  mutating func end(_ snooze: Snooze, of reminder: ReminderID, at now: Instant) {
    move(to: now)
    snoozes.append((reminder, snooze))
  }

  /// Returns the request for an occurrence that first counted as delivered at this instant.
  mutating func request(of reminder: ReminderID, due: Instant, at now: Instant) -> RequestID? {
    move(to: now)
    return occurrences.first { $0.id.reminder == reminder && $0.at == due }?.id
  }

  /// Removes and returns an occurrence that first counted as delivered at this instant.
  mutating func take(_ request: RequestID, at now: Instant) -> OccurrencePlan.Entry? {
    move(to: now)
    return occurrences.firstIndex { $0.id == request }.map { occurrences.remove(at: $0) }
  }

  /// Returns the snooze that made a request and ended at this instant.
  mutating func snooze(of request: RequestID, at now: Instant) -> Snooze? {
    move(to: now)
    let ended = snoozes.first {
      $0.reminder == request.reminder && $0.snooze.request?.occurrence == request.occurrence
    }
    return ended?.snooze
  }

  /// Returns the last request that replaced a lost request of a reminder.
  mutating func replacement(of reminder: ReminderID, at now: Instant) -> (request: RequestID, due: Instant)? {
    move(to: now)
    return replacements.last { $0.request.reminder == reminder }
  }

  /// Records a request that replaces a lost one.
  mutating func replace(by request: RequestID, due: Instant, at now: Instant) {
    move(to: now)
    replacements.append((request, due))
  }
}

/// Makes requests again that the system lost before they were due, because of a reboot, an update or a force
/// stop.
///
/// The app observes the loss when it runs again. A notification that became due in the meantime is shown
/// once, unless it has expired. If a reminder missed several occurrences, the latest one replaces the others.
extension ReminderEngine {
  /// A lost match whose time has passed.
  private struct MissedMatch {
    var due: Instant
    /// The local day for which the match counts.
    var day: Int32
    /// The index of the request's text.
    var copy: UInt8
  }

  /// Handles a pending request that the system dropped.
  mutating func dropped(_ request: RequestID, at moment: Moment, into effects: inout [EngineEffect]) {
    let reminder = request.reminder
    guard isKnown(reminder) else { return }
    keepForbidden(request, at: moment)
    let snooze = missedSnooze(request, at: moment)
    let match = missedOccurrence(request, at: moment) ?? missedMatch(request, at: moment)
    undo([request], at: moment, into: &effects)
    if persisted.cancelled.contains(reminder) || ledgers[reminder].snooze != nil { return }
    if let snooze {
      makeUp(for: snooze, of: reminder, at: moment, into: &effects)
    } else if let match {
      makeUp(for: match, of: reminder, at: moment, into: &effects)
    }
  }

  /// Returns a reminder's request for a due time that the system may have lost, or `nil` if there is none.
  ///
  /// - Parameter isOfSnooze: Whether the request repeats a snoozed notification.
  package mutating func lostRequest(
    of reminder: ReminderID, due: Instant, isOfSnooze: Bool, at moment: Moment
  ) -> RequestID? {
    if isOfSnooze {
      let request = ledgers[reminder].snooze?.request ?? ledgers[reminder].deferredSnooze?.request
      return request.map { RequestID(reminder: reminder, occurrence: $0.occurrence) }
    }
    return pendingOccurrence(of: reminder, at: due)
      ?? memory.missed.request(of: reminder, due: due, at: moment.wall)
      ?? (due <= moment.wall ? openRequest(of: reminder) : nil)
  }

  /// Returns the latest occurrence of a schedule that has passed, starting with a given one.
  ///
  /// Skips occurrences whose conditions do not hold, unless the conditions hold for none.
  func latestOccurrence(of reminder: ReminderID, from first: Instant, at moment: Moment) -> Instant {
    let declaration = declarationInForce(reminder)
    var viewpoint = memory.viewpoint
    var (latest, current, holds) = (first, first, false)
    while current < moment.wall,
      let next = occurrence(of: declaration, after: current, in: moment.zone), next <= moment.wall
    {
      if current == first {
        holds = self.holds(declaration, at: moment, atTimeOf: first, from: &viewpoint)
      }
      current = next
      let nextHolds = self.holds(declaration, at: moment, atTimeOf: next, from: &viewpoint)
      if nextHolds || !holds { (latest, holds) = (next, nextHolds) }
    }
    return latest
  }

  private func holds(
    _ declaration: UInt32, at moment: Moment, atTimeOf occurrence: Instant, from viewpoint: inout Viewpoint
  ) -> Bool {
    let then = viewpoint.view(at: moment, atTimeOf: occurrence, inside: persisted.inside)
    return then.failures(
      of: program.plans[Int(declaration)].conditions, facts: facts, zone: zones[moment.zone]) == nil
  }

  // MARK: Lost requests

  private mutating func missedSnooze(
    _ request: RequestID, at moment: Moment
  ) -> (copy: UInt8, due: Instant)? {
    if let deferred = ledgers[request.reminder].deferredSnooze,
      deferred.request.occurrence == request.occurrence, deferred.deliverAt <= moment.wall
    {
      return (deferred.request.copy, deferred.deliverAt)
    }
    let ended = memory.missed.snooze(of: request, at: moment.wall)
    return ended.flatMap { snooze in snooze.request.map { ($0.copy, snooze.until) } }
  }

  /// Returns an occurrence that was requested in advance and has passed.
  private mutating func missedOccurrence(_ request: RequestID, at moment: Moment) -> MissedMatch? {
    let reminder = request.reminder
    let pending = ledgers[reminder].occurrences?.pending.first { $0.id == request }
    if let pending {
      let held = pending.isDeferred ? pending.release ?? .distantFuture : pending.at
      if held > moment.wall { return nil }
    }
    let passed = pending == nil ? memory.missed.take(request, at: moment.wall) : nil
    // An occurrence that is still pending is undone together with its request.
    if let passed { forgetMatch(of: reminder, on: passed.day, at: moment) }
    guard let entry = pending ?? passed else { return nil }
    let due = latestOccurrence(of: reminder, from: entry.at, at: moment)
    let plan = program.plans[Int(declarationInForce(reminder))]
    return MissedMatch(
      due: due, day: due == entry.at ? entry.day : zones[moment.zone].local(at: due).date.dayNumber,
      copy: copy(of: plan, at: due, in: moment.zone) ?? plan.copy(request.occurrence))
  }

  /// Returns a passed stage of a lapse, or a match whose request was deferred.
  private mutating func missedMatch(_ request: RequestID, at moment: Moment) -> MissedMatch? {
    var open: [OpenMatches.Entry] = []
    persisted.openMatches.append(of: request.reminder, dueAfter: .distantPast, to: &open)
    let plan = program.plans[Int(declarationInForce(request.reminder))]
    guard let entry = open.first(where: { $0.request == request && $0.keptFrom != .distantFuture }),
      entry.deliverAt <= moment.wall, let copy = copy(of: entry, plan, at: moment)
    else { return nil }
    return MissedMatch(due: entry.deliverAt, day: entry.day, copy: copy)
  }

  // MARK: Replacement requests

  private mutating func makeUp(
    for missed: MissedMatch, of reminder: ReminderID, at moment: Moment, into effects: inout [EngineEffect]
  ) {
    let earlier = memory.missed.replacement(of: reminder, at: moment.wall)
    if let earlier, earlier.due >= missed.due { return }
    let declaration = declarationInForce(reminder)
    let plan = program.plans[Int(declaration)]
    if matcher.hasMatched(declaration, inPeriodOf: CivilDate(dayNumber: missed.day)) { return }
    matcher.totals.triggered += 1
    let then = view(at: moment, atTimeOf: missed.due)
    let failure = then.failures(of: plan.conditions, facts: facts, zone: zones[moment.zone])
    if failure != nil || plan.withdrawals.hold(in: facts, at: moment, zones) {
      matcher.totals.failedOther += 1
      if explainsMisses {
        let (reason, kinds) = failure ?? (reason: .conditionFailed, kinds: .fact)
        effects.append(.noRequest(reminder, reason, failed: kinds))
      }
      return
    }
    if let earlier {
      _ = persisted.openMatches.take(earlier.request)
      effects.append(.remove(earlier.request, .superseded))
    }
    let match = countMatch(of: declaration, on: missed.day, at: moment)
    var request = request(for: match, at: moment)
    request.copy = missed.copy
    request.scheduledFor = missed.due
    request.expiresAt = min(plan.expires, plan.usefulFor.map { missed.due + $0 } ?? .distantFuture)
    effects.append(.request(request))
    memory.missed.replace(by: request.id, due: missed.due, at: moment.wall)
    remember(request, on: missed.day, of: declaration, at: moment)
    waitAgain(reminder, at: moment)
  }

  /// Makes the request of an ended snooze again.
  private mutating func makeUp(
    for missed: (copy: UInt8, due: Instant), of reminder: ReminderID, at moment: Moment,
    into effects: inout [EngineEffect]
  ) {
    let plan = program.plans[Int(declarationInForce(reminder))]
    if plan.expires <= moment.wall || plan.withdrawals.hold(in: facts, at: moment, zones) { return }
    ledgers[reminder].deferredSnooze = Snooze.Deferred(
      Snooze.Request(occurrence: matcher.memory(of: reminder).occurrences, copy: missed.copy))
    request(
      (missed.copy, .distantPast), of: reminder, at: moment.wall, due: missed.due, moment, into: &effects)
  }
}

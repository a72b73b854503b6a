import CivilTime
import ReminderMatching
import TriggerModel

/// Handles requests that were withdrawn while quiet hours deferred them.
///
/// They were withdrawn because their conditions failed or notifications were forbidden. Their scheduled time
/// has passed, so the schedule does not request them again.
extension ReminderEngine {
  /// Records the deferred requests of a reminder whose conditions have failed.
  ///
  /// - Parameter ended: The withdrawn occurrences that were requested in advance.
  mutating func keepWithdrawn(
    _ ended: [OccurrencePlan.Entry], of reminder: ReminderID, at moment: Moment
  ) {
    keep(ended, deferred(of: reminder, at: moment), of: reminder, isForbidden: false, at: moment)
  }

  /// Records a deferred request that the system has dropped because notifications are forbidden.
  mutating func keepForbidden(_ request: RequestID, at moment: Moment) {
    let reminder = request.reminder
    guard isKnown(reminder) else { return }
    let pending = ledgers[reminder].occurrences?.pending ?? []
    let open = deferred(of: reminder, at: moment).filter { $0.request == request }
    keep(pending.filter { $0.id == request }, open, of: reminder, isForbidden: true, at: moment)
  }

  /// Undoes a deferred request that the app removed from the system because its conditions fail at its
  /// release. It is requested again if they hold in time.
  mutating func keepStale(_ request: RequestID, at moment: Moment, into effects: inout [EngineEffect]) {
    let reminder = request.reminder
    guard isKnown(reminder) else { return }
    let pending = (persisted.ledgers[reminder].occurrences?.pending ?? []).filter { $0.id == request }
    let open = deferred(of: reminder, at: moment).filter { $0.request == request }
    keep(pending, open, of: reminder, isForbidden: false, at: moment)
    // A future occurrence remains wanted.
    let isAhead = pending.contains { $0.at > moment.wall }
    if isAhead { takeOut(pending, of: reminder, at: moment) }
    undo([request], at: moment, into: &effects)
    if isAhead { wishUnlessFollowed(for: reminder, at: moment, into: &effects) }
  }

  /// Records all deferred requests as dropped when notifications become forbidden. No event reports them
  /// individually.
  mutating func loseDeferred(at moment: Moment) {
    for reminder in persisted.openMatches.reminders.sorted() {
      for entry in deferred(of: reminder, at: moment) {
        keepForbidden(entry.request, at: moment)
        undoMatches([entry.request], at: moment)
      }
    }
  }

  /// Ends the deferred requests of a reminder that the person or the app has cancelled. Their matches still
  /// count.
  mutating func endDeferred(of reminder: ReminderID, at moment: Moment) {
    for entry in deferred(of: reminder, at: moment) {
      persisted.openMatches.keep(entry.request, from: .distantPast)
    }
    forgetWithdrawn(reminder)
  }

  /// Returns the matches whose requests are deferred, in order.
  func deferred(of reminder: ReminderID, at moment: Moment) -> [OpenMatches.Entry] {
    var open: [OpenMatches.Entry] = []
    persisted.openMatches.append(of: reminder, dueAfter: moment.wall, to: &open)
    return open.filter { !$0.isDeferred }.sorted { $0.request < $1.request }
  }

  private mutating func keep(
    _ pending: [OccurrencePlan.Entry], _ open: [OpenMatches.Entry], of reminder: ReminderID,
    isForbidden: Bool, at moment: Moment
  ) {
    let plan = program.plans[Int(declarationInForce(reminder))]
    var withdrawn: [WithdrawnMatch] = []
    for entry in pending where entry.isDeferred && entry.at <= moment.wall {
      guard let release = entry.release else { continue }
      let copy = copy(of: plan, at: entry.at, in: moment.zone) ?? plan.copy(entry.id.occurrence)
      withdrawn.append(
        WithdrawnMatch(
          day: entry.day, copy: copy, scheduledFor: entry.at, release: release, isForbidden: isForbidden))
    }
    for entry in open {
      guard let copy = copy(of: entry, plan, at: moment) else { continue }
      withdrawn.append(
        WithdrawnMatch(
          day: entry.day, copy: copy, scheduledFor: entry.scheduledFor, release: entry.deliverAt,
          isForbidden: isForbidden))
    }
    if !withdrawn.isEmpty { ledgers[reminder].retries.orNew.withdrawn += withdrawn }
  }

  /// Returns the index of a deferred request's text, or `nil` if the request's scheduled time has not passed.
  mutating func copy(
    of entry: OpenMatches.Entry, _ plan: Plan, at moment: Moment
  ) -> UInt8? {
    let zone = zones[moment.zone]
    if let lapse = plan.lapse, let planned = ledgers[plan.reminder].lapse {
      let times = lapse.days.map { zone.instant(of: planned.since + $0, minute: lapse.minute) }
      let stage = times.lastIndex { $0 <= entry.deliverAt }
      return stage.flatMap { times[$0] <= moment.wall ? plan.copy(UInt32($0)) : nil }
    }
    let declaration = declarationInForce(plan.reminder)
    let due = lastOccurrence(of: declaration, through: moment.wall, in: moment.zone)
    return due.flatMap { copy(of: plan, at: $0, in: moment.zone) } ?? plan.copy(entry.request.occurrence)
  }

  /// Makes withdrawn requests again that may be shown before quiet hours end, unless the reminder has matched
  /// again in the same period.
  ///
  /// - Parameter isMeant: Returns whether the cause of the withdrawal may have ended.
  mutating func requestWithdrawn(
    at moment: Moment, into effects: inout [EngineEffect],
    where isMeant: (Self, ReminderID, WithdrawnMatch) -> Bool = { !$2.isForbidden }
  ) {
    if ledgers.isEmpty(.retrying) { return }
    for reminder in ledgers.reminders(.retrying).sorted() {
      guard let withdrawn = ledgers[reminder].retries?.withdrawn, !withdrawn.isEmpty else { continue }
      forgetWithdrawn(reminder)
      for var match in withdrawn where match.release > moment.wall {
        let isMeant = isMeant(self, reminder, match)
        if isMeant { match.isForbidden = false }
        if !isMeant || !holds(reminder, at: moment.foreseen(at: match.release)) {
          ledgers[reminder].retries.orNew.withdrawn.append(match)
        } else {
          requestAgain(match, of: reminder, at: moment, into: &effects)
        }
      }
    }
  }

  /// Returns whether all conditions of a reminder hold at a moment and there is no reason to withdraw its
  /// requests.
  private mutating func holds(_ reminder: ReminderID, at moment: Moment) -> Bool {
    let plan = program.plans[Int(declarationInForce(reminder))]
    return view(at: moment).failures(of: plan.conditions, facts: facts, zone: zones[moment.zone]) == nil
      && !plan.withdrawals.hold(in: facts, at: moment, zones)
  }

  private mutating func requestAgain(
    _ withdrawn: WithdrawnMatch, of reminder: ReminderID, at moment: Moment,
    into effects: inout [EngineEffect]
  ) {
    let declaration = declarationInForce(reminder)
    if matcher.hasMatched(declaration, inPeriodOf: CivilDate(dayNumber: withdrawn.day)) { return }
    matcher.totals.triggered += 1
    let match = countMatch(of: declaration, on: withdrawn.day, at: moment)
    var request = request(for: match, at: moment)
    request.copy = withdrawn.copy
    // The request keeps its place in the order of requests, and its identifier in the system.
    if withdrawn.scheduledFor != .distantPast { request.scheduledFor = withdrawn.scheduledFor }
    effects.append(.request(request))
    remember(request, on: withdrawn.day, of: declaration, at: moment)
    waitAgain(reminder, at: moment)
  }

  /// Forgets the withdrawn requests of a reminder.
  mutating func forgetWithdrawn(_ reminder: ReminderID) {
    guard var retries = ledgers[reminder].retries, !retries.withdrawn.isEmpty else { return }
    retries.withdrawn = []
    ledgers[reminder].retries = retries.isEmpty ? nil : retries
  }
}

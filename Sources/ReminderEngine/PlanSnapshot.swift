import CivilTime
import ReminderMatching
public import TriggerModel

/// The requests made in advance, at one moment. The snapshot states whether each request should be pending,
/// and the reason if it should not. It also states whether the scheduler or the system is known to hold the
/// request.
///
/// The snapshot excludes deferred requests of triggers and of ended snoozes.
public struct PlanSnapshot: Hashable, Sendable {
  /// The origin of a request that a reminder makes in advance.
  public enum Source: Hashable, Sendable {
    /// The request is for an occurrence of a schedule.
    case occurrence
    /// The request is for a stage of a lapse. The associated value is the stage's number, starting at 0.
    case stage(Int)
    /// The request is for a pattern that the system repeats. The associated value is the pattern's number,
    /// starting at 0.
    case repetition(Int)
    /// The request is for the end of a snooze.
    case snooze

    fileprivate var isRepetition: Bool { if case .repetition = self { true } else { false } }
  }

  /// The state of a request.
  public enum Status: Hashable, Sendable {
    /// The request should be pending, and the scheduler or the system is known to hold it.
    case pending(RequestID)
    /// The request should not be pending, but the scheduler or the system is known to hold it.
    case unwanted(RequestID, Reason)
    /// The request should be pending but is not. The engine makes it when the app next runs.
    case wanted
    /// The request should not be pending and is not.
    case absent(Reason)
    /// The request was denied or dropped. The engine makes it again only after a change that may reverse this
    /// outcome.
    case lost
  }

  /// One request.
  public struct Entry: Hashable, Sendable {
    /// The reminder that makes the request.
    public var reminder: ReminderID
    /// The origin of the request.
    public var source: Source
    /// The due time of the request on the wall clock.
    public var due: Instant
    /// The state of the request.
    public var status: Status

    /// Whether the request should be pending.
    public var isDesired: Bool {
      switch status {
      case .pending, .wanted: true
      case .unwanted, .absent, .lost: false
      }
    }

    /// The request that the scheduler or the system is known to hold, or `nil` if there is none.
    public var request: RequestID? {
      switch status {
      case .pending(let request), .unwanted(let request, _): request
      case .wanted, .absent, .lost: nil
      }
    }
  }

  /// The requests, ordered by due time and then by the reminder's name.
  public var entries: [Entry]
}

extension ReminderEngine {
  /// Returns the requests made in advance, computed from the declarations, the ledgers and the facts.
  ///
  /// - Complexity: O(*n*) in the number of these requests. Do not call it for every event.
  public func planSnapshot(at moment: Moment) -> PlanSnapshot {
    // Evaluate a copy, because evaluation changes the caches of the clock and of fact rows.
    var engine = self
    var entries: [PlanSnapshot.Entry] = []
    for index in 0..<program.reminderCount {
      engine.appendPlan(of: ReminderID(index), at: moment, to: &entries)
    }
    let rank = program.rank
    entries.sort { ($0.due, rank($0.reminder), $0.reminder) < ($1.due, rank($1.reminder), $1.reminder) }
    return PlanSnapshot(entries: entries)
  }

  /// Returns whether a schedule's desired requests stay the same until time passes or another event occurs.
  package func isReconciled(_ reminder: ReminderID, at moment: Moment) -> Bool {
    persisted.plannedZone == moment.zone && ledgers[reminder].snooze == nil && isSettled(reminder, at: moment)
  }

  private mutating func appendPlan(
    of reminder: ReminderID, at moment: Moment, to entries: inout [PlanSnapshot.Entry]
  ) {
    if persisted.cancelled.contains(reminder) { return }
    let (declaration, ledger) = (declarationInForce(reminder), ledgers[reminder])
    let plan = program.plans[Int(declaration)]
    var pending: [(source: PlanSnapshot.Source, due: Instant, request: RequestID?)] = []
    if let snooze = ledger.snooze, let request = snooze.request {
      // A snooze's request must be made again if it failed or was withdrawn.
      let isHeld = !(ledger.retries?.isOfSnooze ?? false)
      let id = RequestID(reminder: reminder, occurrence: request.occurrence)
      pending.append((.snooze, snooze.until, isHeld ? id : nil))
    }
    if let lapse = plan.lapse, let planned = ledger.lapse {
      for (number, days) in lapse.days.enumerated() {
        let due = zones[moment.zone].instant(of: planned.since + days, minute: lapse.minute)
        if due <= moment.wall || due >= plan.expires { continue }
        pending.append((.stage(number), due, persisted.openMatches.pending(of: reminder, at: due)))
      }
    }
    if let repetition = plan.repetition, let known = ledger.repetitions {
      for (number, pattern) in repetition.patterns.enumerated() {
        let first = repetition.first(of: pattern, after: moment.wall, in: zones[moment.zone])
        guard let first else { continue }
        pending.append((.repetition(number), first, known.entries.first { $0.pattern == pattern }?.id))
      }
    }
    if let known = ledger.occurrences {
      var due = max(moment.wall, known.cancelledTo)
      for _ in 0..<(plan.schedule?.ahead ?? 0) {
        guard let next = occurrence(of: declaration, after: due, in: moment.zone), next < plan.expires
        else { break }
        if !known.isPending(next) { pending.append((.occurrence, next, nil)) }
        due = next
      }
      pending += known.pending.filter { $0.deliveredAt > moment.wall }.map { (.occurrence, $0.at, $0.id) }
    }
    for (source, due, request) in pending {
      let reason = reason(against: source, at: due, of: reminder, isPending: request != nil, moment)
      let status: PlanSnapshot.Status =
        if let request {
          reason.map { .unwanted(request, $0) } ?? .pending(request)
        } else if let reason {
          .absent(reason)
        } else {
          wasLost(source, at: due, ledger) ? .lost : .wanted
        }
      entries.append(PlanSnapshot.Entry(reminder: reminder, source: source, due: due, status: status))
    }
  }

  /// Returns the reason why a request should not be pending, or `nil` if none is known.
  private mutating func reason(
    against source: PlanSnapshot.Source, at due: Instant, of reminder: ReminderID, isPending: Bool,
    _ moment: Moment
  ) -> Reason? {
    let (declaration, ledger) = (declarationInForce(reminder), ledgers[reminder])
    let plan = program.plans[Int(declaration)]
    let time = moment.foreseen(at: max(due, moment.wall))
    if due >= plan.expires { return .expired }
    if source == .snooze {
      if plan.withdrawals.hold(in: facts, at: time, zones) { return .conditionFailed }
      return isPending ? nil : .addFailed
    }
    // During a snooze, no further requests are made in advance. Requests that are still pending are due after
    // it, except those that the system repeats, because the system cannot pause them.
    if let end = ledger.snooze?.until, !isPending || due <= end && !source.isRepetition { return .snoozed }
    if isPending { return plan.withdrawals.hold(in: facts, at: time, zones) ? .conditionFailed : nil }
    if hasFailed(reminder, for: due) { return .addFailed }
    if source.isRepetition, ledger.repetitions?.isCancelled ?? false { return .cancelled }
    let then = view(at: time)
    if !matcher.mayMatch(scheduleOf: declaration) || matcher.hasMatched(declaration, inPeriodOf: then.date) {
      return .alreadyFired
    }
    let failure = then.failures(of: plan.conditions, facts: matcher.facts, zone: zones[moment.zone])
    if let failure { return failure.reason }
    if plan.withdrawals.hold(in: facts, at: time, zones) { return .conditionFailed }
    if ledger.leftOut.map({ $0 <= due && $0 > moment.wall }) ?? false { return .pendingLimit }
    // A complete lapse has requested all of its stages, so the person must have cancelled or snoozed this
    // one.
    if case .stage = source, !(ledger.lapse?.isIncomplete ?? false) { return .cancelled }
    return nil
  }

  private func wasLost(_ source: PlanSnapshot.Source, at due: Instant, _ ledger: Ledger) -> Bool {
    switch source {
    case .occurrence: ledger.occurrences.map { due <= $0.lostTo } ?? false
    case .stage: ledger.lapse?.isIncomplete ?? false
    case .repetition: ledger.repetitions.map { due <= $0.lostTo } ?? false
    case .snooze: false
    }
  }
}

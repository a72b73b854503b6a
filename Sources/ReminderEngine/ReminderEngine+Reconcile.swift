import CivilTime
import ReminderMatching
import TriggerModel

/// Reconciles the requests that should be pending with those that are pending.
///
/// A reminder's desired requests are determined by its declaration, its ledger, the facts and the time. See
/// ``wanted(_:of:since:at:into:)``. The engine reconciles a source of requests when any of these changes. It
/// makes missing requests as long as the system has room (`ReminderEngine+Capacity.swift`).
extension ReminderEngine {
  /// Makes the missing requests of one source of a reminder.
  ///
  /// - Parameter day: The local date from which a lapse counts, or `nil` for today.
  mutating func reconcile(
    _ source: WantedRequests.Source, of reminder: ReminderID, since day: CivilDate? = nil, at moment: Moment,
    into effects: inout [EngineEffect]
  ) {
    if source == .occurrences, memory.pass != nil {
      memory.pass?.schedules.append(reminder)
      return
    }
    guard var wanted = wanted(source, of: reminder, since: day, at: moment, into: &effects) else { return }
    if memory.pass != nil { return compete(wanted) }
    while makeNext(of: &wanted, at: moment, into: &effects) {}
    end(wanted, at: moment, into: &effects)
  }

  /// Reconciles all sources of a reminder. Stages are reconciled only if some are missing.
  mutating func reconcileAll(
    of reminder: ReminderID, at moment: Moment, into effects: inout [EngineEffect]
  ) {
    completeLapse(of: reminder, at: moment, into: &effects)
    reconcile(.repetitions, of: reminder, at: moment, into: &effects)
    reconcile(.occurrences, of: reminder, at: moment, into: &effects)
  }

  // MARK: Wanted requests

  /// Returns the missing requests of one source of a reminder, or `nil` if no change is needed.
  mutating func wanted(
    _ source: WantedRequests.Source, of reminder: ReminderID, since day: CivilDate? = nil, at moment: Moment,
    into effects: inout [EngineEffect]
  ) -> WantedRequests? {
    guard isKnown(reminder), !persisted.cancelled.contains(reminder) else { return nil }
    switch source {
    case .occurrences: return wantedOccurrences(of: reminder, at: moment, into: &effects)
    case .stages: return wantedStages(of: reminder, since: day, at: moment)
    case .repetitions: return wantedRepetitions(of: reminder, at: moment)
    }
  }

  /// Returns the next occurrences, up to the number that the schedule requests in advance. Occurrences that
  /// were already considered are skipped later.
  private mutating func wantedOccurrences(
    of reminder: ReminderID, at moment: Moment, into effects: inout [EngineEffect]
  ) -> WantedRequests? {
    let declaration = declarationInForce(reminder)
    guard let schedule = program.plans[Int(declaration)].schedule, schedule.ahead > 0 else { return nil }
    if let until = persisted.ledgers[reminder].snooze?.until {
      effects.append(.wake(reminder, at: until))
      return nil
    }
    if persisted.ledgers[reminder].occurrences == nil {
      ledgers[reminder].occurrences = OccurrencePlan()
    } else {
      deliver(reminder, upTo: moment.wall)
    }
    forgetFailures(of: reminder) { $0 <= moment.wall }
    var wanted = WantedRequests(
      reminder: reminder, declaration: declaration, source: .occurrences, left: UInt32(schedule.ahead))
    if isSettled(reminder, at: moment) {
      end(wanted, at: moment, into: &effects)
      return nil
    }
    let last = max(moment.wall, persisted.ledgers[reminder].occurrences?.cancelledTo ?? .distantPast)
    wanted.next = nextOccurrence(of: wanted, after: last, in: moment.zone)
    wanted.first = wanted.next?.at
    return wanted
  }

  private func nextOccurrence(
    of wanted: WantedRequests, after instant: Instant, in zone: ZoneID
  ) -> WantedRequests.Request? {
    // A closure would capture the engine, which would copy it.
    guard let next = occurrence(of: wanted.declaration, after: instant, in: zone),
      next < program.plans[Int(wanted.declaration)].expires
    else { return nil }
    return WantedRequests.Request(at: next)
  }

  /// Returns the future stages. If they have been requested since the app was last opened, returns only the
  /// failed ones.
  private mutating func wantedStages(
    of reminder: ReminderID, since day: CivilDate?, at moment: Moment
  ) -> WantedRequests? {
    let declaration = declarationInForce(reminder)
    guard let lapse = program.plans[Int(declaration)].lapse else { return nil }
    let planned = persisted.ledgers[reminder].lapse
    forgetFailures(of: reminder) { $0 <= moment.wall }
    if planned != nil, persisted.ledgers[reminder].retries == nil || hasJustFailed(reminder, at: moment) {
      return nil
    }
    let since = planned?.since ?? day ?? view(at: moment).date
    if planned == nil {
      ledgers[reminder].lapse = PlannedLapse(since: since)
      forgetFailures(of: reminder)
    }
    let expires = program.plans[Int(declaration)].expires
    // A request that is due during a snooze is deferred to its end.
    let last = max(moment.wall, persisted.ledgers[reminder].snooze?.until ?? .distantPast)
    var stages: [WantedRequests.Request] = []
    for (number, days) in lapse.days.enumerated() {
      let due = zones[moment.zone].instant(of: since + days, minute: lapse.minute)
      if due <= last || due >= expires || planned != nil && !hasFailed(reminder, for: due) { continue }
      stages.append(WantedRequests.Request(at: due, number: number))
    }
    return wanted(stages, WantedRequests(reminder: reminder, declaration: declaration, source: .stages))
  }

  /// Returns the patterns that the system does not repeat yet. If the request for a pattern was lost or has
  /// just failed, the app is woken at the next occurrence instead.
  private mutating func wantedRepetitions(of reminder: ReminderID, at moment: Moment) -> WantedRequests? {
    let declaration = declarationInForce(reminder)
    guard persisted.ledgers[reminder].snooze == nil,
      let repetition = program.plans[Int(declaration)].repetition,
      memory.pass?.wanted[ReconciliationPass.Key(reminder: reminder, source: .repetitions)] == nil
    else { return nil }
    let plan = persisted.ledgers[reminder].repetitions ?? RepetitionPlan()
    if plan.isCancelled { return nil }
    forgetFailures(of: reminder) { $0 <= moment.wall }
    var wanted = WantedRequests(reminder: reminder, declaration: declaration, source: .repetitions)
    var missing: [WantedRequests.Request] = []
    for (number, pattern) in repetition.patterns.enumerated() where !plan.has(pattern) {
      let first = repetition.first(of: pattern, after: moment.wall, in: zones[moment.zone])
      guard let first else { continue }
      let isLost = pattern.span == nil && first <= plan.lostTo && !hasFailed(reminder, for: first)
      if isLost || hasJustFailed(reminder, at: moment) {
        wanted.wish = min(wanted.wish, first)
      } else {
        missing.append(WantedRequests.Request(at: first, number: number))
      }
    }
    return self.wanted(missing, wanted)
  }

  private func wanted(_ requests: [WantedRequests.Request], _ wanted: WantedRequests) -> WantedRequests {
    var wanted = wanted
    wanted.others = memory.pass == nil ? requests.reversed() : requests.sorted(by: >)
    wanted.next = wanted.others.popLast()
    return wanted
  }

  // MARK: Making requests

  /// Makes the next wanted request.
  ///
  /// - Parameter isFull: Whether the system is known to have no room for it.
  /// - Returns: Whether the source has another request.
  mutating func makeNext(
    of wanted: inout WantedRequests, isFull: Bool = false, at moment: Moment,
    into effects: inout [EngineEffect]
  ) -> Bool {
    guard let next = wanted.next else { return false }
    let reminder = wanted.reminder
    if wanted.source == .occurrences {
      return consider(next, of: &wanted, isFull, at: moment, into: &effects)
    }
    if !isFull { forgetFailures(of: reminder) { $0 == next.at } }
    let outcome = isFull ? .noRoom : request(next, of: wanted, at: moment, into: &effects)
    wanted.lacksRoom = outcome == .noRoom
    if wanted.source == .stages {
      if outcome.entry == nil { ledgers[reminder].lapse?.isIncomplete = true }
    } else if let entry = outcome.entry, let pattern = pattern(next, of: wanted) {
      var plan = ledgers[reminder].repetitions ?? RepetitionPlan()
      plan.add(RepetitionPlan.Entry(id: entry.id, pattern: pattern, first: next.at))
      ledgers[reminder].repetitions = plan
    } else {
      wanted.wish = min(wanted.wish, next.at)
    }
    wanted.next = wanted.others.popLast()
    return wanted.next != nil
  }

  /// Requests an occurrence, unless it is pending, or was denied or dropped before.
  private mutating func consider(
    _ next: WantedRequests.Request, of wanted: inout WantedRequests, _ isFull: Bool, at moment: Moment,
    into effects: inout [EngineEffect]
  ) -> Bool {
    if wanted.left == 0 { return false }
    if isFull {
      wanted.lacksRoom = true
      return false
    }
    let reminder = wanted.reminder
    let hasFailed = hasFailed(reminder, for: next.at)
    if hasFailed, hasJustFailed(reminder, at: moment) { return false }
    if let plan = ledgers[reminder].occurrences, next.at > plan.consideredTo || hasFailed {
      var outcome = RequestOutcome.nothing
      if !plan.isPending(next.at) {
        outcome = request(next, of: wanted, at: moment, into: &effects)
        if outcome == .noRoom {
          wanted.lacksRoom = true
          return false
        }
      }
      ledgers[reminder].occurrences?.considered(next.at, outcome.entry)
      if hasFailed { forgetFailures(of: reminder) { $0 == next.at } }
    }
    wanted.left -= 1
    wanted.next = nextOccurrence(of: wanted, after: next.at, in: moment.zone)
    return true
  }

  /// The result of making a wanted request.
  enum RequestOutcome: Equatable {
    case made(OccurrencePlan.Entry)
    /// No request was made: the reminder has already matched in this period, is no longer waiting, or its
    /// conditions do not hold.
    case nothing
    /// The system has no room for the request.
    case noRoom

    var entry: OccurrencePlan.Entry? { if case .made(let entry) = self { entry } else { nil } }
  }

  /// Makes a request for a later instant if the reminder's conditions will hold then, as far as the current
  /// facts show.
  private mutating func request(
    _ wanted: WantedRequests.Request, of source: WantedRequests, at moment: Moment,
    into effects: inout [EngineEffect]
  ) -> RequestOutcome {
    let (reminder, declaration) = (source.reminder, source.declaration)
    let plan = program.plans[Int(declaration)]
    // Ignore a snooze, because it ends before this request is due.
    guard ledgers[reminder].snooze != nil || matcher.mayMatch(scheduleOf: declaration) else {
      return .nothing
    }
    let time = moment.foreseen(at: wanted.at)
    let then = view(at: time)
    if matcher.hasMatched(declaration, inPeriodOf: then.date) { return .nothing }
    matcher.totals.triggered += 1
    if let failure = then.failures(of: plan.conditions, facts: matcher.facts, zone: zones[moment.zone]) {
      matcher.totals.failedOther += 1
      if explainsMisses { effects.append(.noRequest(reminder, failure.reason, failed: failure.kinds)) }
      return .nothing
    }
    if plan.withdrawals.hold(in: matcher.facts, at: time, zones) {
      matcher.totals.failedOther += 1
      if explainsMisses { effects.append(.noRequest(reminder, .conditionFailed, failed: .fact)) }
      return .nothing
    }
    guard makeRoom(for: reminder, at: wanted.at, moment, into: &effects) else { return .noRoom }
    let match = countMatch(of: declaration, on: then.date.dayNumber, at: moment)
    if plan.repeats == .once { matcher.setWaiting(declaration, live: false, armed: false) }
    matcher.handedOver(declaration)
    var request = request(for: match, at: time)
    if let copy = copy(of: plan, at: wanted.at, in: moment.zone) { request.copy = copy }
    request.repeats = pattern(wanted, of: source)
    request.isFloating = request.repeats?.span == nil && plan.schedule?.usesWallClock ?? true
    if source.source == .stages {
      request.copy = plan.copy(UInt32(wanted.number))
      remember(request, on: then.date.dayNumber, of: declaration, at: moment)
    }
    if memory.plannedAt == moment { memory.fresh.append(request.id) }
    effects.append(.request(request))
    return .made(OccurrencePlan.Entry(id: request.id, at: wanted.at, day: then.date.dayNumber))
  }

  private func pattern(_ request: WantedRequests.Request, of wanted: WantedRequests) -> SystemRepeat? {
    if wanted.source != .repetitions { return nil }
    return program.plans[Int(wanted.declaration)].repetition?.patterns[request.number]
  }

  /// Records a match for a local day.
  mutating func countMatch(of declaration: UInt32, on day: Int32, at moment: Moment) -> Match {
    let today = view(at: moment).date.dayNumber
    // Reuse the event buffer. Planning starts only after the event's own matches are processed, so the buffer
    // is free.
    var scratch = MatchBuffer()
    swap(&scratch, &memory.buffer)
    defer { swap(&scratch, &memory.buffer) }
    scratch.clear()
    matcher.append(declaration, day: day, today: today, into: &scratch)
    return scratch[0]
  }

  // MARK: After the requests

  /// Records that a source was reconciled. Requests a wake-up if no other event would reconcile it in time.
  mutating func end(_ wanted: WantedRequests, at moment: Moment, into effects: inout [EngineEffect]) {
    let reminder = wanted.reminder
    switch wanted.source {
    case .stages: break
    case .repetitions: wishToRepeat(reminder, at: wanted.wish, into: &effects)
    case .occurrences:
      guard let plan = ledgers[reminder].occurrences else { return }
      if !wanted.lacksRoom {
        if ledgers[reminder].leftOut != nil { ledgers[reminder].leftOut = nil }
        if let first = wanted.first {
          ledgers[reminder].occurrences?.settle(from: moment.wall, until: first, in: moment.zone)
        }
      }
      let consideredTo = consideredTo(plan, of: reminder)
      wish(
        for: reminder, toReconsiderAt: consideredTo > moment.wall ? consideredTo : .distantFuture,
        into: &effects)
    }
  }

  /// Requests a wake-up if no pending occurrence reconciles the schedule in time. Otherwise cancels the
  /// wake-up.
  private mutating func wish(
    for reminder: ReminderID, toReconsiderAt instant: Instant, into effects: inout [EngineEffect]
  ) {
    guard let plan = ledgers[reminder].occurrences else { return }
    let mayMatch = matcher.mayMatch(scheduleOf: declarationInForce(reminder))
    let wish = mayMatch && !plan.isFollowed(by: instant) ? instant : .distantFuture
    let hasWakeRequest = wish != .distantFuture
    if hasWakeRequest != plan.hasWakeRequest {
      ledgers[reminder].occurrences?.hasWakeRequest = hasWakeRequest
    }
    if plan.hasWakeRequest || hasWakeRequest { effects.append(.wake(reminder, at: wish)) }
  }

  /// Requests a wake-up after occurrences were lost or deferred, unless another occurrence reconciles the
  /// schedule in time.
  mutating func wishUnlessFollowed(
    for reminder: ReminderID, at moment: Moment, into effects: inout [EngineEffect]
  ) {
    guard ledgers[reminder].snooze == nil, !persisted.cancelled.contains(reminder),
      let plan = ledgers[reminder].occurrences
    else { return }
    wish(for: reminder, toReconsiderAt: max(consideredTo(plan, of: reminder), moment.wall), into: &effects)
  }

  /// Requests a wake-up to retry repetitions that the system does not hold, and cancels the previous wake-up.
  mutating func wishToRepeat(
    _ reminder: ReminderID, at wish: Instant, into effects: inout [EngineEffect]
  ) {
    var plan = ledgers[reminder].repetitions ?? RepetitionPlan()
    if plan.wish != .distantFuture || wish != .distantFuture {
      effects.append(.wake(reminder, at: wish))
      plan.wish = wish
    }
    if ledgers[reminder].repetitions != plan { ledgers[reminder].repetitions = plan }
  }

  /// Returns the instant of the last occurrence that was considered or must be requested again.
  private func consideredTo(_ plan: OccurrencePlan, of reminder: ReminderID) -> Instant {
    max(plan.consideredTo, ledgers[reminder].retries?.times.last ?? .distantPast)
  }

  /// Returns whether all occurrences to request in advance have been considered and none needs a retry.
  func isSettled(_ reminder: ReminderID, at moment: Moment) -> Bool {
    ledgers[reminder].retries == nil
      && ledgers[reminder].occurrences?.isSettled(at: moment.wall, in: moment.zone) ?? false
  }
}

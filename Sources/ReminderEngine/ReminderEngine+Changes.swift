import CivilTime
import ReminderMatching
import TriggerModel

/// Handles changes that affect the desired set. Each change updates the ledgers and reconciles the affected
/// reminders.
extension ReminderEngine {
  // MARK: Launch, zone and clock

  /// Plans every schedule again. Called at launch, and after a change of the zone or the wall clock.
  ///
  /// - Parameter isLaunch: Whether a process is starting.
  mutating func planAll(
    isLaunch: Bool = false, at moment: Moment, into effects: inout [EngineEffect]
  ) {
    if memory.plannedAt != moment { memory.fresh.removeAll(keepingCapacity: true) }
    memory.plannedAt = moment
    requestAgainAfterSnoozes(at: moment, into: &effects)
    reconcileInOrder(at: moment, into: &effects) { engine, effects in
      engine.endOutdatedPlans(at: moment, into: &effects)
      if let old = engine.persisted.plannedZone, old != moment.zone {
        engine.move(from: old, at: moment, into: &effects)
      }
      for reminder in engine.program.scheduled where !engine.persisted.cancelled.contains(reminder) {
        if engine.countAgain(reminder, at: moment, into: &effects) { continue }
        engine.withdrawFailing(reminder, isLaunch: isLaunch, at: moment, into: &effects)
        engine.plan(reminder, at: moment, into: &effects)
      }
      if engine.persisted.plannedZone != moment.zone { engine.persisted.plannedZone = moment.zone }
      for reminder in engine.lapsing {
        engine.withdrawFailing(reminder, isLaunch: isLaunch, at: moment, into: &effects)
        engine.reconcile(.stages, of: reminder, at: moment, into: &effects)
      }
      for reminder in engine.program.repeating {
        engine.withdrawFailing(reminder, isLaunch: isLaunch, at: moment, into: &effects)
        engine.reconcile(.repetitions, of: reminder, at: moment, into: &effects)
      }
    }
    requestWithdrawn(at: moment, into: &effects)
  }

  /// Plans one reminder: either its requests in advance, or the next occurrence at which the app must be
  /// woken.
  ///
  /// First processes an occurrence that passed unobserved, for example while the app could not run or because
  /// the clock was set. The wake-up for it is immediate.
  mutating func plan(_ reminder: ReminderID, at moment: Moment, into effects: inout [EngineEffect]) {
    reconcile(.stages, of: reminder, at: moment, into: &effects)
    reconcile(.repetitions, of: reminder, at: moment, into: &effects)
    guard isKnown(reminder), let schedule = program.plans[Int(declarationInForce(reminder))].schedule else {
      return
    }
    if schedule.ahead > 0 { return reconcile(.occurrences, of: reminder, at: moment, into: &effects) }
    let next = nextWake(of: reminder, at: moment)
    ledgers[reminder].wake = next
    effects.append(.wake(reminder, at: next ?? .distantFuture))
  }

  /// Ends the plans of declarations that an update of the app has changed.
  private mutating func endOutdatedPlans(at moment: Moment, into effects: inout [EngineEffect]) {
    for reminder in ledgers.reminders(.outdated).sorted() {
      ledgers[reminder].outdatedMark = nil
      effects.append(.withdraw(reminder, .superseded))
      let pending = ledgers[reminder].occurrences?.pending ?? []
      let passed = passed(by: moment.wall)
      takeOut(pending.filter { $0.deliveredAt > passed }, of: reminder, at: moment)
      ledgers[reminder].forgetRequests()
      ledgers[reminder].wake = nil
      ledgers[reminder].served = nil
      guard let lapse = ledgers[reminder].lapse.take() else { continue }
      forgetStages(of: reminder, at: moment)
      reconcile(.stages, of: reminder, since: lapse.since, at: moment, into: &effects)
    }
  }

  /// Moves pending requests to the phone's new zone. Both the system and the engine keep their local time.
  ///
  /// If the local time of a wake-up has already passed in the new zone, the wake-up is due on arrival, as in
  /// the system.
  private mutating func move(from old: ZoneID, at moment: Moment, into effects: inout [EngineEffect]) {
    let (from, to) = (zones[old], zones[moment.zone])
    func moved(_ instant: Instant) -> Instant { to.instant(of: from.local(at: instant)) }
    memory.leftOutOrder.forget()
    for reminder in ledgers.reminders(.retrying).sorted() {
      let usesWallClock = program.plans[Int(declarationInForce(reminder))].schedule?.usesWallClock ?? true
      ledgers[reminder].retries?.move(moved, usesWallClock: usesWallClock)
    }
    for reminder in program.scheduled {
      // Durations do not depend on the zone. The system does not move a request without a wall-clock time.
      let plan = program.plans[Int(declarationInForce(reminder))]
      let usesWallClock = plan.schedule?.usesWallClock ?? true
      if usesWallClock {
        ledgers[reminder].occurrences?.move(moved, comesOnce: plan.countsFrom != nil)
        if let due = ledgers[reminder].snooze?.request?.standsFor, due != .distantPast {
          ledgers[reminder].snooze?.request?.standsFor = moved(due)
        }
        if let leftOut = ledgers[reminder].leftOut { ledgers[reminder].leftOut = moved(leftOut) }
      } else {
        // The new zone may allow occurrences that quiet hours denied in the old one, so consider them again.
        ledgers[reminder].occurrences?.reconsider()
      }
      let late =
        ledgers[reminder].occurrences?.pending.filter { $0.at >= plan.expires && $0.at > moment.wall } ?? []
      for entry in late { effects.append(.remove(entry.id, .expiredAtRelease)) }
      takeOut(late, of: reminder, at: moment)
      // Deliveries before the journey have been observed, so remove them before moving the others.
      deliver(reminder, upTo: moment.wall)
      if let due = ledgers[reminder].wake, due > moment.wall {
        let there = usesWallClock ? moved(due) : due
        ledgers[reminder].wake = there <= moment.wall ? there : nil
        // Across the date line, an occurrence can have the same instant as the previous one.
        if there <= moment.wall { ledgers[reminder].served = nil }
      }
    }
    for reminder in lapsing + program.repeating {
      if let leftOut = ledgers[reminder].leftOut { ledgers[reminder].leftOut = moved(leftOut) }
    }
    for reminder in lapsing {
      persisted.openMatches.move(reminder, moved)
      let expires = program.plans[Int(declarationInForce(reminder))].expires
      if expires == .distantFuture { continue }
      let last = max(moment.wall, expires - TimeSpan(milliseconds: 1))
      for entry in persisted.openMatches.take(of: reminder, dueAfter: last) {
        effects.append(.remove(entry.request, .expiredAtRelease))
        forgetMatch(of: reminder, on: entry.day, at: moment)
      }
    }
    for reminder in ledgers.reminders(.deferredSnoozes).sorted() {
      if let due = ledgers[reminder].deferredSnooze?.deliverAt, due != .distantFuture {
        ledgers[reminder].deferredSnooze?.deliverAt = moved(due)
      }
    }
    for reminder in program.repeating {
      ledgers[reminder].repetitions?.move(after: moment.wall, to: to, moved)
    }
  }

  /// Plans again at the same instant, after the app finds that the phone is charging or inside a region.
  mutating func planAgain(at moment: Moment, into effects: inout [EngineEffect]) {
    guard memory.plannedAt == moment else { return }
    for reminder in program.prescheduledByState where !persisted.cancelled.contains(reminder) {
      let fresh = memory.fresh.filter { $0.reminder == reminder }
      for request in fresh {
        effects.append(.remove(request, .superseded))
        _ = ledgers[reminder].repetitions?.remove(request)
      }
      takeOut(
        ledgers[reminder].occurrences?.pending.filter { fresh.contains($0.id) } ?? [], of: reminder,
        at: moment)
      for entry in persisted.openMatches.take(fresh) { forgetMatch(of: reminder, on: entry.day, at: moment) }
      memory.fresh.removeAll { $0.reminder == reminder }
      if !fresh.isEmpty { ledgers[reminder].lapse?.isIncomplete = true }
      evaluateAgain(reminder, at: moment, into: &effects)
    }
  }

  // MARK: Facts and state

  /// Handles a new value of a fact. Plans the schedules that count from it again, and withdraws pending
  /// requests whose conditions no longer hold. Evaluates the requests that the old value prevented again.
  mutating func factChanged(_ fact: FactID, at moment: Moment, into effects: inout [EngineEffect]) {
    if fact.index < program.countingFrom.count {
      reconcileInOrder(at: moment, into: &effects) { engine, effects in
        for reminder in engine.program.countingFrom[fact.index] {
          _ = engine.countAgain(reminder, at: moment, into: &effects)
        }
      }
    }
    guard fact.index < program.prescheduledByFact.count else { return }
    for reminder in program.withdrawing[fact.index] where !persisted.cancelled.contains(reminder) {
      withdrawWithoutReason(reminder, at: moment, into: &effects)
    }
    requestAgainAfterSnoozes(at: moment, into: &effects)
    reconcileInOrder(at: moment, into: &effects) { engine, effects in
      for reminder in engine.program.prescheduledByFact[fact.index]
      where engine.program.plans[Int(engine.declarationInForce(reminder))].prescheduleDependsOn(fact) {
        engine.evaluateAgain(reminder, at: moment, into: &effects)
      }
    }
    requestWithdrawn(at: moment, into: &effects)
  }

  /// Handles a change of the charger or a region. Evaluates the conditions of pending requests, and of
  /// requests that were not made, again.
  mutating func stateChanged(at moment: Moment, into effects: inout [EngineEffect]) {
    reconcileInOrder(at: moment, into: &effects) { engine, effects in
      for reminder in engine.program.prescheduledByState
      where engine.program.plans[Int(engine.declarationInForce(reminder))].prescheduleDependsOnState {
        engine.evaluateAgain(reminder, at: moment, into: &effects)
      }
    }
    requestWithdrawn(at: moment, into: &effects)
  }

  /// Withdraws the pending requests whose conditions fail now. Makes the requests that facts or the phone's
  /// state prevented before.
  private mutating func evaluateAgain(
    _ reminder: ReminderID, at moment: Moment, into effects: inout [EngineEffect]
  ) {
    guard !persisted.cancelled.contains(reminder) else { return }
    withdrawFailing(reminder, at: moment, into: &effects)
    completeLapse(of: reminder, at: moment, into: &effects)
    reconcile(.repetitions, of: reminder, at: moment, into: &effects)
    guard ledgers[reminder].occurrences != nil else { return }
    ledgers[reminder].occurrences?.reconsiderAfterLosses()
    reconcile(.occurrences, of: reminder, at: moment, into: &effects)
  }

  /// Withdraws the pending requests of a reminder whose conditions will not hold when they are due.
  ///
  /// The time of day and the weekday of an occurrence do not change, so only the other conditions are
  /// evaluated. Deferred requests are evaluated for their release instead. See ``stillHolds(_:at:)``.
  ///
  /// - Parameter isLaunch: Whether a process is starting. It does not know yet whether the phone is charging.
  private mutating func withdrawFailing(
    _ reminder: ReminderID, isLaunch: Bool = false, at moment: Moment, into effects: inout [EngineEffect]
  ) {
    let plan = program.plans[Int(declarationInForce(reminder))]
    if !plan.preschedules || plan.conditions.isEmpty || persisted.cancelled.contains(reminder) { return }
    // Most conditions depend only on the calendar, so most reminders need no list.
    let canFail = { (condition: CompiledCondition) in
      !condition.isOfCalendar && !(isLaunch && condition.isOfCharger)
    }
    if !plan.conditions.contains(where: canFail) { return }
    let conditions = plan.conditions.filter(canFail)
    let passed = passed(by: moment.wall)
    for entry in persisted.ledgers[reminder].occurrences?.pending ?? []
    where !entry.isDeferred && entry.at > passed && fails(conditions, at: entry.at, moment) {
      effects.append(.remove(entry.id, .cancelled))
      takeOut([entry], of: reminder, at: moment)
    }
    for entry in persisted.ledgers[reminder].repetitions?.entries ?? [] {
      let next = entry.pattern.next(after: moment.wall, in: zones[moment.zone]) ?? entry.first
      guard fails(conditions, at: max(entry.first, next), moment) else { continue }
      effects.append(.remove(entry.id, .cancelled))
      _ = ledgers[reminder].repetitions?.remove(entry.id)
      mustPersist = true
    }
    if plan.lapse == nil || persisted.ledgers[reminder].lapse == nil { return }
    var stages: [OpenMatches.Entry] = []
    persisted.openMatches.append(of: reminder, dueAfter: passed, to: &stages)
    for stage in stages.sorted(by: { $0.request < $1.request })
    where stage.deliverAt == stage.scheduledFor && fails(conditions, at: stage.deliverAt, moment) {
      effects.append(.remove(stage.request, .cancelled))
      undoMatches([stage.request], at: moment)
      ledgers[reminder].lapse?.isIncomplete = true
      memory.pass?.room = nil
      mustPersist = true
    }
  }

  /// Returns whether conditions fail at an instant, or now if the instant has passed.
  private mutating func fails(
    _ conditions: [CompiledCondition], at instant: Instant, _ moment: Moment
  ) -> Bool {
    let then = view(at: moment.foreseen(at: max(instant, moment.wall)))
    return then.failures(of: conditions, facts: facts, zone: zones[moment.zone]) != nil
  }

  /// Withdraws a reminder's pending requests if a reason to withdraw them will hold when they are due.
  private mutating func withdrawWithoutReason(
    _ reminder: ReminderID, at moment: Moment, into effects: inout [EngineEffect]
  ) {
    let withdrawals = program.plans[Int(declarationInForce(reminder))].withdrawals
    let isGone = withdrawals.hold(in: facts, at: moment, zones)
    let pending = ledgers[reminder].occurrences?.pending ?? []
    let passed = passed(by: moment.wall)
    let ended = pending.filter {
      $0.deliveredAt > passed
        && withdrawals.hold(in: facts, at: moment.foreseen(at: max($0.at, moment.wall)), zones)
    }
    if isGone, ended.count == pending.count {
      effects.append(.withdraw(reminder, .cancelled))
    } else {
      for entry in ended { effects.append(.remove(entry.id, .cancelled)) }
    }
    takeOut(ended, of: reminder, at: moment)
    guard isGone else { return }
    keepWithdrawn(ended, of: reminder, at: moment)
    let request = ledgers[reminder].snooze?.request ?? deferredSnooze(of: reminder, dueAfter: moment.wall)
    if let request {
      effects.append(.remove(RequestID(reminder: reminder, occurrence: request.occurrence), .cancelled))
      ledgers[reminder].retries.orNew.isOfSnooze = true
    } else if let late = deferredSnooze(of: reminder, dueAfter: passed) {
      effects.append(.remove(RequestID(reminder: reminder, occurrence: late.occurrence), .cancelled))
      ledgers[reminder].deferredSnooze = nil
    }
    ledgers[reminder].repetitions?.removeAll()
    ledgers[reminder].lapse?.isIncomplete = true
    forgetStages(of: reminder, at: moment)
  }

  // MARK: The day from which a schedule counts

  /// Ends the reminder's pending, deferred and visible requests after its fact has changed. Counts days from
  /// the new value.
  ///
  /// The change means that the reminder was done or that its date has moved.
  ///
  /// - Returns: Whether the reminder was planned.
  mutating func countAgain(
    _ reminder: ReminderID, at moment: Moment, into effects: inout [EngineEffect]
  ) -> Bool {
    guard let fact = program.plans[Int(declarationInForce(reminder))].countsFrom else { return false }
    // A reminder that is not created yet has no plan.
    if persisted.cancelled.contains(reminder), program.isCreatedLater(reminder) { return true }
    let value = facts.value(fact, at: moment, zones[moment.zone])
    let known = ledgers[reminder].countedFrom
    if known?.value ?? .missing == value { return false }
    let day = facts.date(fact, at: moment, zones[moment.zone])
      .flatMap { DayOfFact(value: value, date: $0) }
    if day == known { return false }
    ledgers[reminder].countedFrom = day
    if persisted.cancelled.contains(reminder) { return true }
    if known != nil { endOccasion(of: reminder, isForgotten: day == nil, at: moment, into: &effects) }
    ledgers[reminder].occurrences = nil
    ledgers[reminder].wake = nil
    ledgers[reminder].served = nil
    plan(reminder, at: moment, into: &effects)
    return true
  }

  /// - Parameter isForgotten: Whether the fact is no longer known. If `true`, pending requests are not
  ///   replaced.
  private mutating func endOccasion(
    of reminder: ReminderID, isForgotten: Bool, at moment: Moment, into effects: inout [EngineEffect]
  ) {
    deliver(reminder, upTo: moment.wall)
    takeOut(ledgers[reminder].occurrences?.pending ?? [], of: reminder, at: moment)
    if matcher.memory(of: reminder).occurrences > 0 {
      effects.append(.withdraw(reminder, isForgotten ? .cancelled : .superseded))
    }
    if !isForgotten, let shown = matcher.shown(of: reminder) {
      effects.append(.remove(RequestID(reminder: reminder, occurrence: shown), .superseded))
      matcher.setShown(nil, of: reminder)
    }
    ledgers[reminder].leftOut = nil
    endDeferred(of: reminder, at: moment)
    if ledgers[reminder].snooze.take() != nil { waitAgain(reminder, at: moment) }
  }

  // MARK: Permission and preferences

  /// Handles a change of the notification permission. When it is revoked, the system permanently discards
  /// pending requests.
  mutating func permissionChanged(
    to value: Int64, at moment: Moment, into effects: inout [EngineEffect]
  ) {
    let permission = NotificationPermission(rawValue: UInt8(truncatingIfNeeded: value)) ?? .notDetermined
    if permission.allowsDelivery { return requestAgain(at: moment, into: &effects) { _ in true } }
    reconcileInOrder(at: moment, into: &effects) { engine, effects in
      engine.loseDeferred(at: moment)
      for reminder in engine.lapsing where engine.ledgers[reminder].lapse != nil {
        engine.ledgers[reminder].lapse?.isIncomplete = true
        engine.forgetStages(of: reminder, at: moment)
      }
      for reminder in engine.program.repeating {
        for entry in engine.ledgers[reminder].repetitions?.entries ?? [] {
          engine.undoRepetition(entry.id, at: moment, into: &effects)
        }
      }
      for reminder in engine.program.scheduled {
        engine.deliver(reminder, upTo: moment.wall)
        let pending = engine.ledgers[reminder].occurrences?.pending ?? []
        for entry in pending { engine.keepForbidden(entry.id, at: moment) }
        for entry in pending.reversed() { engine.undo([entry.id], at: moment, into: &effects) }
        engine.wishUnlessFollowed(for: reminder, at: moment, into: &effects)
      }
    }
  }

  /// Handles a change of the app's own notification settings.
  mutating func preferencesChanged(_ event: ObservedEvent, into effects: inout [EngineEffect]) {
    switch PreferenceChange(event) {
    case .type(let type, isOn: true): requestAgain(at: event.moment, into: &effects) { $0 == type }
    case .all(isOn: true), .dailyCap: requestAgain(at: event.moment, into: &effects) { _ in true }
    case .type, .all, nil: break
    }
  }

  /// Makes denied and discarded requests again if they may be shown now and their time has not passed.
  private mutating func requestAgain(
    at moment: Moment, into effects: inout [EngineEffect], where isMeant: (TypeID) -> Bool
  ) {
    requestAgainAfterSnoozes(at: moment, into: &effects) { isMeant($0.type(of: $1)) }
    reconcileInOrder(at: moment, into: &effects) { engine, effects in
      for reminder in engine.lapsing where isMeant(engine.type(of: reminder)) {
        engine.completeLapse(of: reminder, at: moment, into: &effects)
      }
      for reminder in engine.program.repeating where isMeant(engine.type(of: reminder)) {
        engine.ledgers[reminder].repetitions?.forgetLosses()
        engine.reconcile(.repetitions, of: reminder, at: moment, into: &effects)
      }
      for reminder in engine.program.scheduled where isMeant(engine.type(of: reminder)) {
        engine.ledgers[reminder].occurrences?.reconsider()
        engine.reconcile(.occurrences, of: reminder, at: moment, into: &effects)
      }
    }
    requestWithdrawn(at: moment, into: &effects) { engine, reminder, match in
      match.isForbidden && isMeant(engine.type(of: reminder))
    }
  }

  private func type(of reminder: ReminderID) -> TypeID {
    program.plans[Int(declarationInForce(reminder))].type
  }

  // MARK: Opening the app, and cancelling everything

  /// Handles the opening of the app. Requests cancelled future occurrences again, and those that a lapse cap
  /// denied. Lapses are counted from today.
  mutating func opened(at moment: Moment, into effects: inout [EngineEffect]) {
    reconcileInOrder(at: moment, into: &effects) { engine, effects in
      for reminder in engine.program.repeating {
        if engine.ledgers[reminder].repetitions?.isCancelled ?? false {
          engine.ledgers[reminder].repetitions?.isCancelled = false
          engine.ledgers[reminder].repetitions?.forgetLosses()
        }
        engine.reconcile(.repetitions, of: reminder, at: moment, into: &effects)
      }
      engine.requestAgainAfterSnoozes(at: moment, into: &effects)
      for reminder in engine.program.scheduled where !engine.isComplete(reminder, at: moment) {
        engine.restore(reminder, at: moment, into: &effects)
        // Left-out occurrences are considered only when the system has room.
        if engine.ledgers[reminder].leftOut != nil { continue }
        engine.reconcile(.occurrences, of: reminder, at: moment, into: &effects)
      }
      engine.requestWithdrawn(at: moment, into: &effects)
      for reminder in engine.lapsing {
        engine.withdrawLapse(of: reminder, at: moment, into: &effects)
        engine.forgetWithdrawn(reminder)
        if engine.ledgers[reminder].leftOut != nil { engine.ledgers[reminder].leftOut = nil }
        engine.reconcile(.stages, of: reminder, at: moment, into: &effects)
      }
    }
  }

  /// Returns whether all requests that a schedule makes in advance are pending, and nothing has changed since
  /// they were made.
  private func isComplete(_ reminder: ReminderID, at moment: Moment) -> Bool {
    guard ledgers.isEmpty(.snoozed), let plan = ledgers[reminder].occurrences else { return false }
    return isSettled(reminder, at: moment) && !plan.pending.isEmpty && !plan.hasWakeRequest
      && plan.cancelledTo <= moment.wall && !plan.isLostToLapse
  }

  /// Forgets which occurrences the person has cancelled or a lapse cap has denied.
  private mutating func restore(
    _ reminder: ReminderID, at moment: Moment, into effects: inout [EngineEffect]
  ) {
    deliver(reminder, upTo: moment.wall)
    guard let plan = ledgers[reminder].occurrences else { return }
    // A restored occurrence may be due before the left-out one.
    if plan.cancelledTo > moment.wall || plan.isLostToLapse, ledgers[reminder].leftOut != nil {
      ledgers[reminder].leftOut = nil
    }
    if plan.cancelledTo > moment.wall {
      if !plan.pending.isEmpty { effects.append(.withdraw(reminder, .superseded)) }
      takeOut(plan.pending, of: reminder, at: moment)
      ledgers[reminder].occurrences?.forgetCancellation()
      ledgers[reminder].occurrences?.reconsiderAfterLosses()
    }
    if plan.isLostToLapse { ledgers[reminder].occurrences?.reconsider() }
  }

  /// Cancels all pending requests without replacing them.
  ///
  /// Each schedule resumes after the time of its last cancelled request, or when the app is opened again.
  mutating func cancelAll(at moment: Moment, into effects: inout [EngineEffect]) {
    mustPersist = true
    for reminder in lapsing { forgetStages(of: reminder, at: moment) }
    for reminder in persisted.openMatches.reminders { endDeferred(of: reminder, at: moment) }
    for reminder in program.repeating {
      guard let plan = ledgers[reminder].repetitions else { continue }
      for entry in plan.entries { effects.append(.remove(entry.id, .cancelled)) }
      ledgers[reminder].repetitions?.removeAll()
      ledgers[reminder].repetitions?.isCancelled = true
      wishToRepeat(reminder, at: .distantFuture, into: &effects)
    }
    for reminder in program.scheduled {
      deliver(reminder, upTo: moment.wall)
      let unplanned = [ledgers[reminder].leftOut.take(), ledgers[reminder].retries?.times.last].compactMap(
        \.self)
      let cancelled = ledgers[reminder].occurrences?.cancelAllPending(unplanned: unplanned.max()) ?? []
      for entry in cancelled { forgetMatch(of: reminder, on: entry.day, at: moment) }
      wishUnlessFollowed(for: reminder, at: moment, into: &effects)
    }
    for reminder in ledgers.reminders(.retrying).sorted() { ledgers[reminder].retries = nil }
  }

  // MARK: Lapses

  /// The reminders whose declaration in force has a lapse.
  var lapsing: [ReminderID] {
    if program.editCount == 0 && !program.hasReplaced { return program.lapsing }
    return program.lapsing.filter { program.plans[Int(declarationInForce($0))].lapse != nil }
  }

  /// Plans the missing stages of a lapse, counted from the same opening of the app.
  mutating func completeLapse(
    of reminder: ReminderID, at moment: Moment, into effects: inout [EngineEffect]
  ) {
    guard let planned = ledgers[reminder].lapse, planned.isIncomplete else { return }
    withdrawLapse(of: reminder, at: moment, into: &effects)
    reconcile(.stages, of: reminder, since: planned.since, at: moment, into: &effects)
  }

  private mutating func withdrawLapse(
    of reminder: ReminderID, at moment: Moment, into effects: inout [EngineEffect]
  ) {
    guard ledgers[reminder].lapse != nil else { return }
    ledgers[reminder].lapse = nil
    effects.append(.withdraw(reminder, .superseded))
    forgetStages(of: reminder, at: moment)
    // Stages are withdrawn together with the request of a snooze, so make that request again too.
    requestAgainAfterSnooze(of: reminder, at: moment, into: &effects)
  }

  /// Undoes the matches of stages that are not due yet.
  mutating func forgetStages(of reminder: ReminderID, at moment: Moment) {
    var stages: [OpenMatches.Entry] = []
    swap(&stages, &memory.stages)
    persisted.openMatches.take(of: reminder, dueAfter: passed(by: moment.wall), into: &stages)
    for entry in stages { forgetMatch(of: reminder, on: entry.day, at: moment) }
    if !stages.isEmpty { memory.pass?.room = nil }
    stages.removeAll(keepingCapacity: true)
    swap(&stages, &memory.stages)
  }
}

extension [CompiledFactCondition] {
  /// Returns whether any of the conditions holds at a moment.
  func hold(in facts: FactStore, at moment: Moment, _ zones: ZoneTable) -> Bool {
    contains { $0.failure(in: facts, at: moment, zone: zones[moment.zone]) == nil }
  }
}

import CivilTime
import ReminderMatching
import TriggerModel

/// Occurrences that are handed to the system before their time, as many as the schedule says.
extension ReminderEngine {
  /// Hands occurrences over until as many as the schedule says are ahead of now. When none of them is
  /// pending then, nothing would bring the schedule up again: the app asks to be woken at the last.
  mutating func replenish(_ reminder: ReminderID, at moment: Moment, into effects: inout [EngineEffect]) {
    if memory.round.isOpen {
      memory.round.schedules.append(reminder)
      return
    }
    guard var ahead = beginReplenishing(reminder, at: moment, into: &effects) else { return }
    while lookAhead(&ahead, at: moment, into: &effects) {}
    endReplenishing(ahead, at: moment, into: &effects)
  }

  /// One look ahead at a schedule, occurrence by occurrence.
  struct Lookahead: Sendable {
    var reminder: ReminderID
    var declaration: UInt32
    /// How many occurrences are still to be looked at.
    var left: UInt32
    /// The occurrence to be looked at; nil: there is none.
    var next: Instant?
    var first: Instant?
    /// There was no room for one.
    var isCutShort = false
  }

  /// - Returns: Nil: there is nothing to look at.
  mutating func beginReplenishing(
    _ reminder: ReminderID, at moment: Moment, into effects: inout [EngineEffect]
  ) -> Lookahead? {
    guard isKnown(reminder), !notebook.cancelled.contains(reminder) else { return nil }
    let declaration = declarationInForce(reminder)
    guard let schedule = program.plans[Int(declaration)].schedule, schedule.ahead > 0 else { return nil }
    if let until = notebook.snoozes[reminder]?.until {
      effects.append(.wake(reminder, at: until))
      return nil
    }
    if notebook.handedOver[reminder] == nil {
      notebook.handedOver[reminder] = HandedOver()
    } else {
      deliver(reminder, upTo: moment.wall)
    }
    forgetFailures(of: reminder) { $0 <= moment.wall }
    var ahead = Lookahead(reminder: reminder, declaration: declaration, left: UInt32(schedule.ahead))
    if isSettled(reminder, at: moment) {
      endReplenishing(ahead, at: moment, into: &effects)
      return nil
    }
    ahead.next = next(
      of: ahead, after: max(moment.wall, notebook.handedOver[reminder]?.takenBackTo ?? .distantPast),
      in: moment.zone)
    ahead.first = ahead.next
    return ahead
  }

  private mutating func next(of ahead: Lookahead, after instant: Instant, in zone: ZoneID) -> Instant? {
    // No closure over the engine, which would copy it.
    guard let next = occurrence(of: ahead.declaration, after: instant, in: zone),
      next < program.plans[Int(ahead.declaration)].expires
    else { return nil }
    return next
  }

  /// Looks at one occurrence.
  /// - Returns: Whether there is another.
  mutating func lookAhead(
    _ ahead: inout Lookahead, at moment: Moment, into effects: inout [EngineEffect]
  ) -> Bool {
    guard ahead.left > 0, let occurrence = ahead.next else { return false }
    let reminder = ahead.reminder
    let hasFailed = hasFailed(reminder, for: occurrence)
    if hasFailed, hasJustFailed(reminder, at: moment) { return false }
    if let known = notebook.handedOver[reminder], occurrence > known.lookedTo || hasFailed {
      var entry: HandedOver.Entry?
      if !known.isPending(occurrence) {
        let plan = program.plans[Int(ahead.declaration)]
        memory.hadNoRoom = false
        entry = handOver(occurrence, ahead.declaration, plan, at: moment, into: &effects)
        if entry == nil, memory.hadNoRoom {
          ahead.isCutShort = true
          return false
        }
      }
      notebook.handedOver.change(reminder) { $0.lookedAt(occurrence, entry) }
      if hasFailed { forgetFailures(of: reminder) { $0 == occurrence } }
    }
    ahead.left -= 1
    ahead.next = next(of: ahead, after: occurrence, in: moment.zone)
    return true
  }

  mutating func endReplenishing(
    _ ahead: Lookahead, at moment: Moment, into effects: inout [EngineEffect]
  ) {
    guard let known = notebook.handedOver[ahead.reminder] else { return }
    if !ahead.isCutShort {
      if notebook.leftOut[ahead.reminder] != nil { notebook.leftOut[ahead.reminder] = nil }
      if let first = ahead.first {
        notebook.handedOver.change(ahead.reminder) {
          $0.settle(from: moment.wall, until: first, in: moment.zone)
        }
      }
    }
    let lookedTo = lookedTo(known, of: ahead.reminder)
    let next = lookedTo > moment.wall ? lookedTo : .distantFuture
    wish(for: ahead.reminder, toLookAgainAt: next, into: &effects)
  }

  /// Asks to be woken when nothing brings a schedule up again any more, and takes the wish back when something does.
  mutating func wish(
    for reminder: ReminderID, toLookAgainAt instant: Instant, into effects: inout [EngineEffect]
  ) {
    guard let ahead = notebook.handedOver[reminder] else { return }
    let mayMatch = matcher.mayMatch(scheduleOf: declarationInForce(reminder))
    let wish = mayMatch && !ahead.isFollowed(by: instant) ? instant : .distantFuture
    let hasWish = wish != .distantFuture
    if hasWish != ahead.hasWish { notebook.handedOver.change(reminder) { $0.hasWish = hasWish } }
    if ahead.hasWish || wish != .distantFuture { effects.append(.wake(reminder, at: wish)) }
  }

  /// Whether all was looked at that is to be ahead, and nothing is to be asked for again.
  func isSettled(_ reminder: ReminderID, at moment: Moment) -> Bool {
    (notebook.failed.isEmpty || notebook.failed[reminder] == nil)
      && notebook.handedOver[reminder]?.isSettled(at: moment.wall, in: moment.zone) ?? false
  }

  /// Asks now for a notification at a later instant, if the reminder's conditions hold as for then.
  ///
  /// - Parameters:
  ///   - stage: Which text to show; nil: by how often it was asked for.
  ///   - pattern: The system is to repeat it so.
  /// - Returns: Nil when nothing is asked for: the reminder has matched in the occurrence's period or waits
  ///   no longer, or its conditions do not hold.
  mutating func handOver(
    _ occurrence: Instant, _ declaration: UInt32, _ plan: Plan, stage: Int? = nil,
    repeats pattern: SystemRepeat? = nil, at moment: Moment, into effects: inout [EngineEffect]
  ) -> HandedOver.Entry? {
    // One that is put off waits for nothing until then; this comes later.
    let isPutOff = notebook.snoozes[plan.reminder] != nil
    guard isPutOff || matcher.mayMatch(scheduleOf: declaration) else { return nil }
    let time = moment.foreseen(at: occurrence)
    let then = view(at: time)
    if matcher.hasMatched(declaration, inPeriodOf: then.date) { return nil }
    matcher.totals.triggered += 1
    if let failure = then.failures(of: plan.conditions, facts: matcher.facts, zone: zones[moment.zone]) {
      matcher.totals.failedOther += 1
      if explainsMisses { effects.append(.noRequest(plan.reminder, failure.reason, failed: failure.kinds)) }
      return nil
    }
    if plan.withdrawals.hold(in: matcher.facts, at: time, zones) {
      matcher.totals.failedOther += 1
      if explainsMisses { effects.append(.noRequest(plan.reminder, .conditionFailed, failed: .fact)) }
      return nil
    }
    guard makeRoom(for: plan.reminder, at: occurrence, moment, into: &effects) else { return nil }
    let match = countMatch(of: declaration, on: then.date.dayNumber, at: moment)
    if plan.repeats == .once { matcher.setWaiting(declaration, live: false, armed: false) }
    matcher.handedOver(declaration)
    var request = request(for: match, at: time)
    if let copy = copy(of: plan, at: occurrence, in: moment.zone) { request.copy = copy }
    request.isFloating = pattern?.span == nil && plan.schedule?.usesWallClock ?? true
    request.repeats = pattern
    if let stage {
      request.copy = plan.copy(UInt32(stage))
      remember(request, on: then.date.dayNumber, of: declaration, at: moment)
    }
    if memory.plannedAt == moment { memory.fresh.append(request.id) }
    effects.append(.request(request))
    return HandedOver.Entry(id: request.id, at: occurrence, day: then.date.dayNumber)
  }

  /// Counts a match for a day.
  mutating func countMatch(of declaration: UInt32, on day: Int32, at moment: Moment) -> Match {
    let today = view(at: moment).date.dayNumber
    // The room of the events, which is free: plans are made when matches have been asked for.
    var scratch = MatchBuffer()
    swap(&scratch, &memory.buffer)
    defer { swap(&scratch, &memory.buffer) }
    scratch.clear()
    matcher.append(declaration, day: day, today: today, into: &scratch)
    return scratch[0]
  }
}

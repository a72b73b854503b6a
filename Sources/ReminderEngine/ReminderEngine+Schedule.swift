import CivilTime
import ReminderGrowth
import ReminderMatching
import ReminderPlans
import TriggerModel

/// Occurrences of schedules: asking to be woken for the next, or handing the next few over beforehand.
extension ReminderEngine {
  /// Plans every schedule anew: at launch, and when the zone or the wall clock changed.
  ///
  /// - Parameter isLaunch: What the app would have been woken for before is past, and not made up for, unless the
  ///   process was started for it: then the app is told so at this very moment.
  mutating func planAll(
    isLaunch: Bool = false, at moment: Moment, into effects: inout [EngineEffect]
  ) {
    if memory.plannedAt != moment { memory.fresh.removeAll(keepingCapacity: true) }
    memory.plannedAt = moment
    if isLaunch { (memory.startedAt, memory.dueAtStart) = (moment, ReminderTable()) }
    askAgainAfterSnoozes(at: moment, into: &effects)
    inOrderOfTime(at: moment, into: &effects) { engine, effects in
      if !engine.memory.oldPlans.isEmpty { engine.endOldPlans(at: moment, into: &effects) }
      if let old = engine.notebook.plannedZone, old != moment.zone {
        engine.move(from: old, at: moment, into: &effects)
      }
      for reminder in engine.program.scheduled where !engine.notebook.cancelled.contains(reminder) {
        if isLaunch, let due = engine.notebook.wakes[reminder], due < moment.wall {
          engine.memory.dueAtStart[reminder] = due
          engine.notebook.wakes[reminder] = nil
        }
        if engine.countAnew(reminder, at: moment, into: &effects) { continue }
        engine.plan(reminder, at: moment, into: &effects)
      }
      if engine.notebook.plannedZone != moment.zone { engine.notebook.plannedZone = moment.zone }
      for reminder in engine.lapsing { engine.planLapse(reminder, at: moment, into: &effects) }
      for reminder in engine.program.repeating { engine.planRepeats(reminder, at: moment, into: &effects) }
    }
  }

  /// The phone has come to another zone: what was handed over keeps its local time, in the system's hands as
  /// here. What the app is to be woken for is the next time of the day there.
  private mutating func move(from old: ZoneID, at moment: Moment, into effects: inout [EngineEffect]) {
    let (from, to) = (zones[old], zones[moment.zone])
    func moved(_ instant: Instant) -> Instant { to.instant(of: from.local(at: instant)) }
    memory.leftOutOrder.forget()
    moveFailures(moved)
    for reminder in program.scheduled {
      // A length of time is the same everywhere; and what is not on the wall the system does not move.
      let plan = program.plans[Int(declarationInForce(reminder))]
      let isOfWall = plan.schedule?.isOfWall ?? true
      // What was delivered before the journey the app was told of before the journey.
      // What quiet hours denied there may be shown here, where it comes at another hour.
      notebook.handedOver.change(reminder) {
        if isOfWall { $0.move(moved, comesOnce: plan.countsFrom != nil) } else { $0.lookAgain() }
      }
      notebook.snoozes.change(reminder) { snooze in
        guard isOfWall, let due = snooze.request?.standsFor, due != .distantPast else { return }
        snooze.request?.standsFor = moved(due)
      }
      if isOfWall, let leftOut = notebook.leftOut[reminder] { notebook.leftOut[reminder] = moved(leftOut) }
      let expires = program.plans[Int(declarationInForce(reminder))].expires
      let late =
        notebook.handedOver[reminder]?.pending.filter { $0.at >= expires && $0.at > moment.wall } ?? []
      for entry in late { effects.append(.remove(entry.id, .expiredAtRelease)) }
      takeOut(late, of: reminder, at: moment)
      deliver(reminder, upTo: moment.wall)
      if notebook.wakes[reminder].map({ $0 > moment.wall }) ?? false { notebook.wakes[reminder] = nil }
    }
    for reminder in lapsing + program.repeating {
      if let leftOut = notebook.leftOut[reminder] { notebook.leftOut[reminder] = moved(leftOut) }
    }
    for reminder in lapsing {
      notebook.openMatches.move(reminder, moved)
      let expires = program.plans[Int(declarationInForce(reminder))].expires
      if expires == .distantFuture { continue }
      let last = max(moment.wall, expires - TimeSpan(milliseconds: 1))
      for entry in notebook.openMatches.take(of: reminder, dueAfter: last) {
        effects.append(.remove(entry.request, .expiredAtRelease))
        forgetMatch(of: reminder, on: entry.day, at: moment)
      }
    }
    for reminder in notebook.deferredSnoozes.keys {
      notebook.deferredSnoozes.change(reminder) {
        if $0.deliverAt != .distantFuture { $0.deliverAt = moved($0.deliverAt) }
      }
    }
    for reminder in program.repeating {
      notebook.standing.change(reminder) { $0.move(after: moment.wall, to: to, moved) }
    }
  }

  /// An update of the app has changed when these reminders are due: nothing of the old plans holds.
  private mutating func endOldPlans(at moment: Moment, into effects: inout [EngineEffect]) {
    let reminders = memory.oldPlans.keys.sorted()
    memory.oldPlans = [:]
    for reminder in reminders {
      effects.append(.withdraw(reminder, .superseded))
      let pending = notebook.handedOver[reminder]?.pending ?? []
      let passed = passed(by: moment.wall)
      takeOut(pending.filter { $0.deliveredAt > passed }, of: reminder, at: moment)
      notebook.forgetPlans(of: reminder)
      notebook.wakes[reminder] = nil
      guard let lapse = notebook.plannedLapses.removeValue(forKey: reminder) else { continue }
      forgetStages(of: reminder, at: moment)
      planLapse(reminder, since: lapse.since, at: moment, into: &effects)
    }
  }

  /// Asks for the next occurrence of one reminder. One whose time has come unseen, as the clock was set or
  /// nothing ran, is asked for first.
  mutating func plan(_ reminder: ReminderID, at moment: Moment, into effects: inout [EngineEffect]) {
    planLapse(reminder, at: moment, into: &effects)
    planRepeats(reminder, at: moment, into: &effects)
    guard isKnown(reminder), let schedule = program.plans[Int(declarationInForce(reminder))].schedule else {
      return
    }
    if schedule.ahead > 0 {
      replenish(reminder, at: moment, into: &effects)
      return
    }
    let next = nextWake(of: reminder, at: moment)
    notebook.wakes[reminder] = next
    effects.append(.wake(reminder, at: next ?? .distantFuture))
  }

  /// The occurrence that the app is to be woken for next, or was to be woken for. Where the clock was set back a
  /// little, what comes before that has been due already; from further back the days are lived anew. What was to come
  /// in another zone, and is nothing in this one, says nothing.
  private mutating func nextWake(of reminder: ReminderID, at moment: Moment) -> Instant? {
    let declaration = declarationInForce(reminder)
    func next(after instant: Instant) -> Instant? {
      occurrence(of: declaration, after: instant, in: moment.zone)
    }
    guard let due = notebook.wakes[reminder] else { return next(after: moment.wall) }
    if due <= moment.wall { return due }
    if let planned = notebook.plannedZone, planned != moment.zone { return next(after: moment.wall) }
    if next(after: due - TimeSpan(milliseconds: 1)) != due { return next(after: moment.wall) }
    let tomorrow = next(after: moment.wall + .days(1)) ?? .distantFuture
    return tomorrow < due ? next(after: moment.wall) : due
  }

  /// The occurrence for which the app is woken; nil: it is to be woken later, or for nothing.
  func dueWake(of reminder: ReminderID, at moment: Moment) -> Instant? {
    if memory.startedAt == moment, let due = memory.dueAtStart[reminder] { return due }
    return notebook.wakes[reminder].flatMap { $0 <= moment.wall ? $0 : nil }
  }

  /// The time of what was handed over up to an instant has come. Whether the system has shown it the app learns
  /// when it is told: a journey may have moved it, an alarm may be late, a store may be an old one.
  mutating func deliver(_ reminder: ReminderID, upTo now: Instant) {
    let passed = passed(by: now)
    notebook.handedOver.change(reminder) { $0.deliver(upTo: passed) }
  }

  /// What is due up to then has come, though nobody has told the app.
  func passed(by now: Instant) -> Instant {
    alarmsMayBeLate ? now - NotificationRequest.longestLateness : now
  }

  /// The app learned of a delivery.
  mutating func delivered(_ request: RequestID) {
    guard isKnown(request.reminder) else { return }
    notebook.openMatches.keep(request, from: .distantPast)
    notebook.standing.change(request.reminder) { $0.appeared(request) }
    _ = notebook.handedOver.change(request.reminder) { $0.remove(request) }
    if notebook.isDeferredSnooze(request) { notebook.deferredSnoozes[request.reminder] = nil }
    matcher.wasShown(request)
  }

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

  /// The last occurrence up to an instant: of a single date, or days counted from a fact, however long ago; where
  /// others follow by themselves the one for which the app is to be woken by then, and maybe late. Nil: there is none.
  mutating func lastOccurrence(of declaration: UInt32, through end: Instant, in zone: ZoneID) -> Instant? {
    let plan = program.plans[Int(declaration)]
    let isFollowed =
      switch plan.schedule?.dates {
      case .recurring(let recurrence): recurrence.frequency != .once
      case .relative(let days): days.isYearly
      case .elapsed: false
      case nil: true
      }
    if isFollowed { return notebook.wakes[plan.reminder].flatMap { $0 <= end ? $0 : nil } }
    var last: Instant?
    var next = occurrence(of: declaration, after: .distantPast, in: zone)
    while let passed = next, passed <= end {
      last = passed
      next = occurrence(of: declaration, after: passed, in: zone)
    }
    return last
  }

  /// The first occurrence of a declaration's schedule after an instant.
  mutating func occurrence(
    of declaration: UInt32, after instant: Instant, in zone: ZoneID
  ) -> Instant? {
    let step = instant + TimeSpan(milliseconds: 1)
    switch program.plans[Int(declaration)].schedule?.dates {
    case .recurring(let recurrence): return recurrence.next(atOrAfter: step, in: zones[zone])
    case .relative(let days):
      let reminder = program.plans[Int(declaration)].reminder
      guard let day = notebook.countedFrom[reminder] else { return nil }
      return days.next(atOrAfter: step, from: day.date, in: zones[zone])
    case .elapsed(let spans):
      let reminder = program.plans[Int(declaration)].reminder
      return notebook.countedFrom[reminder].flatMap { spans.next(atOrAfter: step, from: $0.instant) }
    case nil: return nil
    }
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

  /// The system throws away what is pending when the permission goes, and does not bring it back.
  mutating func permissionChanged(
    to value: Int64, at moment: Moment, into effects: inout [EngineEffect]
  ) {
    let permission = NotificationPermission(rawValue: UInt8(truncatingIfNeeded: value)) ?? .notDetermined
    if permission.allowsDelivery { return askAgain(at: moment, into: &effects) { _ in true } }
    inOrderOfTime(at: moment, into: &effects) { engine, effects in
      engine.loseLapses(at: moment)
      engine.loseRepeats(at: moment, into: &effects)
      for reminder in engine.program.scheduled {
        engine.deliver(reminder, upTo: moment.wall)
        let pending = engine.notebook.handedOver[reminder]?.pending ?? []
        for entry in pending.reversed() { engine.undo([entry.id], at: moment, into: &effects) }
        engine.wishUnlessFollowed(for: reminder, at: moment, into: &effects)
      }
    }
  }

  /// The person has chosen otherwise in the app's settings.
  mutating func preferencesChanged(_ event: ObservedEvent, into effects: inout [EngineEffect]) {
    switch PreferenceChange(event) {
    case .type(let type, isOn: true): askAgain(at: event.moment, into: &effects) { $0 == type }
    case .all(isOn: true), .dailyCap: askAgain(at: event.moment, into: &effects) { _ in true }
    case .type, .all, nil: break
    }
  }

  /// What was denied or thrown away may be shown now: it is asked for again where it is still to come.
  private mutating func askAgain(
    at moment: Moment, into effects: inout [EngineEffect], where isMeant: (TypeID) -> Bool
  ) {
    askAnewAfterSnoozes(at: moment, into: &effects) { isMeant($0.type(of: $1)) }
    inOrderOfTime(at: moment, into: &effects) { engine, effects in
      for reminder in engine.lapsing where isMeant(engine.type(of: reminder)) {
        engine.completeLapse(reminder, at: moment, into: &effects)
      }
      for reminder in engine.program.repeating where isMeant(engine.type(of: reminder)) {
        engine.notebook.standing.change(reminder) { $0.forgetLosses() }
        engine.planRepeats(reminder, at: moment, into: &effects)
      }
      for reminder in engine.program.scheduled where isMeant(engine.type(of: reminder)) {
        engine.notebook.handedOver.change(reminder) { $0.lookAgain() }
        engine.replenish(reminder, at: moment, into: &effects)
      }
    }
  }

  private func type(of reminder: ReminderID) -> TypeID {
    program.plans[Int(declarationInForce(reminder))].type
  }

  /// The person took back all that is pending, and nothing takes its place: schedules go on when the time of the
  /// last of it has passed, or when the app is opened again.
  mutating func allTakenBack(at moment: Moment, into effects: inout [EngineEffect]) {
    for reminder in lapsing { forgetStages(of: reminder, at: moment) }
    repeatsTakenBack(into: &effects)
    for reminder in program.scheduled {
      deliver(reminder, upTo: moment.wall)
      let unplanned = [
        notebook.leftOut.removeValue(forKey: reminder), notebook.failed[reminder]?.times.last,
      ].compactMap(\.self)
      let takenBack =
        notebook.handedOver.change(reminder) { $0.takeBackAll(unplanned: unplanned.max()) } ?? []
      for entry in takenBack { forgetMatch(of: reminder, on: entry.day, at: moment) }
      wishUnlessFollowed(for: reminder, at: moment, into: &effects)
    }
    notebook.failed = [:]
  }

  /// The app was opened: what the person had taken back, and is still to come, comes back, and what a cap of the lapse
  /// that ends has denied is asked for again. What the app was not told of while it was closed shows now.
  mutating func replenishAll(at moment: Moment, into effects: inout [EngineEffect]) {
    restoreRepeats(at: moment, into: &effects)
    askAgainAfterSnoozes(at: moment, into: &effects)
    for reminder in program.scheduled where !isReplenished(reminder, at: moment) {
      restore(reminder, at: moment, into: &effects)
      // What was left out is looked at when there is room.
      if notebook.leftOut[reminder] != nil { continue }
      replenish(reminder, at: moment, into: &effects)
    }
  }

  /// Whether all that a schedule wants ahead is with the system, and nothing has happened since.
  private func isReplenished(_ reminder: ReminderID, at moment: Moment) -> Bool {
    guard notebook.snoozes.isEmpty, let ahead = notebook.handedOver[reminder] else { return false }
    return isSettled(reminder, at: moment) && !ahead.pending.isEmpty && !ahead.hasWish
      && ahead.takenBackTo <= moment.wall && !ahead.isLostToLapse
  }

  /// Whether all was looked at that is to be ahead, and nothing is to be asked for again.
  private func isSettled(_ reminder: ReminderID, at moment: Moment) -> Bool {
    (notebook.failed.isEmpty || notebook.failed[reminder] == nil)
      && notebook.handedOver[reminder]?.isSettled(at: moment.wall, in: moment.zone) ?? false
  }

  private mutating func restore(
    _ reminder: ReminderID, at moment: Moment, into effects: inout [EngineEffect]
  ) {
    deliver(reminder, upTo: moment.wall)
    guard let ahead = notebook.handedOver[reminder] else { return }
    let isLookedAtAgain = ahead.takenBackTo > moment.wall || ahead.isLostToLapse
    // What comes back may be due before it.
    if isLookedAtAgain, notebook.leftOut[reminder] != nil { notebook.leftOut[reminder] = nil }
    if ahead.takenBackTo > moment.wall {
      if !ahead.pending.isEmpty { effects.append(.withdraw(reminder, .superseded)) }
      takeOut(ahead.pending, of: reminder, at: moment)
      notebook.handedOver.change(reminder) { $0.forgetTakingBack() }
      notebook.handedOver.change(reminder) { $0.lookAgainAfterLosses() }
    }
    if ahead.isLostToLapse { notebook.handedOver.change(reminder) { $0.lookAgain() } }
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
    let today = view(at: moment).date.dayNumber
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
    // The room of the events, which is free: plans are made when matches have been asked for.
    var scratch = MatchBuffer()
    swap(&scratch, &memory.buffer)
    scratch.clear()
    matcher.append(declaration, day: then.date.dayNumber, today: today, into: &scratch)
    let match = scratch[0]
    swap(&scratch, &memory.buffer)
    if plan.repeats == .once { matcher.setWaiting(declaration, live: false, armed: false) }
    matcher.handedOver(declaration)
    var request = request(for: match, at: time)
    if let copy = copy(of: plan, at: occurrence, in: moment.zone) { request.copy = copy }
    request.isFloating = pattern?.span == nil && plan.schedule?.isOfWall ?? true
    request.repeats = pattern
    if let stage {
      request.copy = plan.copy(UInt32(stage))
      remember(request, on: then.date.dayNumber, of: declaration, at: moment)
    }
    if memory.plannedAt == moment { memory.fresh.append(request.id) }
    effects.append(.request(request))
    return HandedOver.Entry(id: request.id, at: occurrence, day: then.date.dayNumber)
  }

  /// A wake-up has come: is an occurrence due, and do its conditions hold?
  mutating func lookAtSchedule(of reminder: ReminderID, _ moment: Moment, into buffer: inout MatchBuffer) {
    guard isKnown(reminder), dueWake(of: reminder, at: moment) != nil else { return }
    let declaration = declarationInForce(reminder)
    let view = view(at: moment)
    matcher.look(atScheduleOf: declaration, view, into: &buffer)
    if buffer.wantsMisses, notebook.snoozes[reminder] != nil {
      buffer.misses.append(Miss(reminder: reminder, reason: .snoozed, failed: []))
    }
  }

  /// Misses of the reminders that are put off and would have been looked at.
  @inline(never)
  func appendSnoozed(_ event: ObservedEvent, into buffer: inout MatchBuffer) {
    for reminder in notebook.snoozes.keys.sorted()
    where program.listens(declarationInForce(reminder), to: event) {
      buffer.misses.append(Miss(reminder: reminder, reason: .snoozed, failed: []))
    }
  }
}

import CivilTime
import ReminderMatching
import TriggerModel

/// Schedules: when they are due next, and the app's wish to be woken for that.
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
    askAgainForWithdrawn(at: moment, into: &effects)
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
  /// little, what comes before that has been due already; from further back the days are lived anew. What is to come
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
    // Apart: to switch over what is within a plan copies the plan.
    let schedule = program.plans[Int(declaration)].schedule
    switch schedule?.dates {
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

  /// A wake-up has come: is an occurrence due, and do its conditions hold?
  mutating func lookAtSchedule(of reminder: ReminderID, _ moment: Moment, into buffer: inout MatchBuffer) {
    guard isKnown(reminder), let due = dueWake(of: reminder, at: moment) else { return }
    let declaration = declarationInForce(reminder)
    let view = view(at: moment)
    matcher.look(atScheduleOf: declaration, of: date(of: due, in: moment.zone), view, into: &buffer)
    if buffer.wantsMisses, notebook.snoozes[reminder] != nil {
      buffer.misses.append(Miss(reminder: reminder, reason: .snoozed, failed: []))
    }
  }

  /// The local day whose turn a match by an event takes: that of the occurrence for which the app is woken, though it be
  /// woken after midnight; otherwise today.
  mutating func dayOfTurn(of reminder: ReminderID, by event: ObservedEvent) -> CivilDate {
    guard event.kind == .woken, let due = dueWake(of: reminder, at: event.moment) else {
      return view(at: event.moment).date
    }
    return date(of: due, in: event.moment.zone)
  }

  private func date(of instant: Instant, in zone: ZoneID) -> CivilDate { zones[zone].local(at: instant).date }

  /// Misses of the reminders that are put off and would have been looked at.
  @inline(never)
  func appendSnoozed(_ event: ObservedEvent, into buffer: inout MatchBuffer) {
    for reminder in notebook.snoozes.keys.sorted()
    where program.listens(declarationInForce(reminder), to: event) {
      buffer.misses.append(Miss(reminder: reminder, reason: .snoozed, failed: []))
    }
  }
}

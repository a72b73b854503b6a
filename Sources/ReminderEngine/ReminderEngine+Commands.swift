import CivilTime
import ReminderMatching
import TriggerModel

/// What a person does with a reminder in the app, and what time does to it.
extension ReminderEngine {
  /// Puts a reminder off: until then it is not looked at. One that has asked before asks again at that
  /// time, as the person's own wish (bucket `user`).
  mutating func snooze(
    _ reminder: ReminderID, until value: Int64, at moment: Moment, into effects: inout [EngineEffect]
  ) {
    guard isKnown(reminder), !notebook.cancelled.contains(reminder) else { return }
    let until = Instant(millisecondsSince1970: value)
    let declaration = declarationInForce(reminder)
    let expires = program.plans[Int(declaration)].expires
    guard until > moment.wall, expires > moment.wall else { return }
    let putOff = takeBackLast(of: reminder, through: until, at: moment, into: &effects)
    notebook.snoozes[reminder] = Snooze(until: until)
    notebook.deadlines.insert(Deadline(at: until, reminder: reminder, kind: .snoozeEnd))
    matcher.setWaiting(declaration, live: false, armed: false)
    if let putOff, until < expires {
      askAgain(for: reminder, at: until, putOff, moment, into: &effects)
      passOverWakes(of: reminder, through: until, at: moment, into: &effects)
    }
    // At the end of the snooze a schedule goes on.
    if notebook.handedOver[reminder] != nil || notebook.standing[reminder] != nil {
      effects.append(.wake(reminder, at: until))
    }
  }

  /// What the app was to be woken for by then comes with the end of the snooze, and not once more.
  private mutating func passOverWakes(
    of reminder: ReminderID, through until: Instant, at moment: Moment, into effects: inout [EngineEffect]
  ) {
    guard let due = notebook.wakes[reminder], due <= until else { return }
    memory.dueAtStart[reminder] = nil
    wake(reminder, after: until, at: moment, into: &effects)
  }

  private mutating func wake(
    _ reminder: ReminderID, after until: Instant, at moment: Moment, into effects: inout [EngineEffect]
  ) {
    let next = occurrence(of: declarationInForce(reminder), after: until, in: moment.zone)
    notebook.wakes[reminder] = next
    effects.append(.wake(reminder, at: next ?? .distantFuture))
  }

  mutating func askAgain(
    for reminder: ReminderID, at until: Instant, _ putOff: PutOff, _ moment: Moment,
    into effects: inout [EngineEffect]
  ) {
    let occurrence = matcher.memory(of: reminder).occurrences
    notebook.snoozes.change(reminder) {
      $0.request = Snooze.Request(occurrence: occurrence, copy: putOff.copy, standsFor: putOff.standsFor)
    }
    matcher.countOccurrence(of: reminder)
    makeRoomForOthers(at: moment, into: &effects)
    let plan = program.plans[Int(declarationInForce(reminder))]
    let again = RequestID(reminder: reminder, occurrence: occurrence)
    effects.append(
      .request(
        NotificationRequest(
          id: again, type: plan.type, bucket: .user, priority: plan.priority,
          copy: putOff.copy, scheduledFor: until, deliverAt: until, expiresAt: plan.expires,
          rank: program.rank(of: reminder))))
  }

  /// What a snooze asks for again: a text, and the occurrence that it stands for, as in `Snooze.Request`.
  typealias PutOff = (copy: UInt8, standsFor: Instant)

  /// What a snooze that is shortened had put off comes by itself again where it is due after the new end.
  private mutating func bringBack(
    _ entries: [HandedOver.Entry], of reminder: ReminderID, after until: Instant, at moment: Moment,
    into effects: inout [EngineEffect]
  ) {
    for entry in entries { forgetMatch(of: reminder, on: entry.day, at: moment) }
    notebook.handedOver.change(reminder) { $0.lookAgain(from: until + TimeSpan(milliseconds: 1)) }
    guard let schedule = program.plans[Int(declarationInForce(reminder))].schedule, schedule.ahead == 0,
      notebook.wakes[reminder] ?? .distantFuture > until
    else { return }
    wake(reminder, after: until, at: moment, into: &effects)
  }

  /// Takes back what a snooze puts off: the request shown last, or what the snooze asked for that it takes the place
  /// of; and, of what is handed over beforehand, or put off until quiet hours end, that whose time comes before the
  /// snooze ends, or just then.
  /// - Returns: Nil: nothing is to be asked for again.
  private mutating func takeBackLast(
    of reminder: ReminderID, through until: Instant, at moment: Moment, into effects: inout [EngineEffect]
  ) -> PutOff? {
    deliver(reminder, upTo: moment.wall)
    let (removed, again) = notebook.handedOver.change(reminder) { $0.snooze(until: until) } ?? ([], [])
    forgetFailures(of: reminder) { $0 <= until }
    forgetSnoozeFailure(of: reminder)
    forgetWithdrawn(reminder)
    for entry in removed { effects.append(.remove(entry.id, .superseded)) }
    if let longer = notebook.snoozes[reminder]?.until, longer > until {
      bringBack(again, of: reminder, after: until, at: moment, into: &effects)
    }
    let passed = passed(by: moment.wall)
    let open = notebook.openMatches.take(of: reminder, dueAfter: passed, through: until)
    for entry in open { effects.append(.remove(entry.request, .superseded)) }
    // That of a snooze that has ended may wait for the end of quiet hours.
    let deferred = deferredSnooze(of: reminder, dueAfter: passed)
    notebook.deferredSnoozes[reminder] = nil
    if let earlier = notebook.snoozes[reminder]?.request ?? deferred {
      effects.append(.remove(RequestID(reminder: reminder, occurrence: earlier.occurrence), .superseded))
      // It stands for nothing that comes before this end, or has come.
      if earlier.standsFor <= until { return (earlier.copy, earlier.standsFor) }
    }
    let declaration = declarationInForce(reminder)
    let plan = program.plans[Int(declaration)]
    guard let shown = matcher.shown(of: reminder) else {
      if let last = open.last { return (plan.copy(last.request.occurrence), .distantPast) }
      if let last = notebook.handedOver[reminder]?.snoozed.last {
        return (copy(of: plan, at: last.at, in: moment.zone) ?? plan.copy(last.id.occurrence), last.at)
      }
      // Nothing was shown of what is overdue, or will be when the snooze ends.
      let due = lastOccurrence(of: declaration, through: until, in: moment.zone)
      // It is put off, and comes later than that by itself.
      if let due, due <= moment.wall, !putOff(of: reminder, at: moment).isEmpty { return nil }
      return due.map { (copy(of: plan, at: $0, in: moment.zone) ?? plan.copy(0), $0) }
    }
    let last = RequestID(reminder: reminder, occurrence: shown)
    // The system has one request for what it has shown and for what it will: that goes on.
    if !(notebook.standing[reminder]?.has(last) ?? false) { effects.append(.remove(last, .superseded)) }
    return (plan.copy(shown), .distantPast)
  }

  /// Takes a reminder back for good, with everything of it that is pending.
  mutating func cancel(_ reminder: ReminderID, into effects: inout [EngineEffect]) {
    guard isKnown(reminder), !notebook.cancelled.contains(reminder) else { return }
    notebook.cancelled.insert(reminder)
    matcher.setWaiting(declarationInForce(reminder), live: false, armed: false)
    notebook.snoozes[reminder] = nil
    notebook.forgetPlans(of: reminder)
    notebook.openMatches.forget(reminder)
    effects.append(.withdraw(reminder, .cancelled))
    effects.append(.wake(reminder, at: .distantFuture))
  }

  /// Replaces a reminder by one of the program's edits; it waits anew.
  mutating func edit(
    _ reminder: ReminderID, to value: Int64, at moment: Moment, into effects: inout [EngineEffect]
  ) {
    let declaration = program.initialCount + Int(value)
    guard isKnown(reminder), value >= 0, value < program.editCount,
      program.plans[declaration].reminder == reminder
    else { return }
    matcher.setWaiting(declarationInForce(reminder), live: false, armed: false)
    effects.append(.withdraw(reminder, .superseded))
    notebook.edits[reminder] = UInt32(declaration)
    begin(reminder, at: moment, into: &effects)
  }

  /// Makes a reminder that does not exist; it waits as it was declared. One that exists stays as it is.
  mutating func create(_ reminder: ReminderID, at moment: Moment, into effects: inout [EngineEffect]) {
    guard isKnown(reminder), notebook.cancelled.contains(reminder) else { return }
    matcher.setWaiting(declarationInForce(reminder), live: false, armed: false)
    notebook.edits[reminder] = nil
    begin(reminder, at: moment, into: &effects)
  }

  /// The declaration in force waits anew, and nothing of what was before it counts.
  private mutating func begin(
    _ reminder: ReminderID, at moment: Moment, into effects: inout [EngineEffect]
  ) {
    let declaration = declarationInForce(reminder)
    notebook.cancelled.remove(reminder)
    notebook.forget(reminder)
    matcher.forgetMatches(of: reminder)
    matcher.setWaiting(declaration, live: true, armed: true)
    let expires = program.plans[Int(declaration)].expires
    if expires != .distantFuture {
      notebook.deadlines.insert(Deadline(at: expires, reminder: reminder, kind: .expiry))
    }
    if !countAnew(reminder, at: moment, into: &effects) { plan(reminder, at: moment, into: &effects) }
  }

  /// The app was deleted and installed again: nothing of its own is remembered. Requests go on being
  /// numbered, so that none is taken for one made before; the facts are the account's and the system's.
  mutating func reset(at moment: Moment, into effects: inout [EngineEffect]) {
    matcher.reset()
    // What the system was asked to watch it was asked by the new installation.
    let choice = notebook.choice
    notebook = Notebook(of: program)
    notebook.choice = choice
    memory = Memory(zone: memory.viewpoint.zone, of: zones, explainsMisses: explainsMisses)
    if moment.zone != memory.viewpoint.zone { enter(moment.zone) }
    planAll(at: moment, into: &effects)
  }

  @inline(never)
  mutating func passDeadlines(at moment: Moment) {
    while let deadline = notebook.deadlines.pop(notAfter: moment.wall) {
      let reminder = deadline.reminder
      switch deadline.kind {
      case .snoozeEnd: if notebook.snoozes[reminder]?.until == deadline.at { endSnooze(reminder, at: moment) }
      case .expiry:
        // What was not made yet has nothing to end.
        if notebook.cancelled.contains(reminder), program.isCreatedLater(reminder) { continue }
        if program.plans[Int(declarationInForce(reminder))].expires == deadline.at {
          matcher.setWaiting(declarationInForce(reminder), live: false, armed: false)
          notebook.expired[reminder] = deadline.at
        }
      }
    }
  }

  private mutating func endSnooze(_ reminder: ReminderID, at moment: Moment) {
    let snooze = notebook.snoozes.removeValue(forKey: reminder)
    notebook.handedOver.change(reminder) { $0.endSnooze() }
    if alarmsMayBeLate, let snooze, let request = snooze.request, notebook.deferredSnoozes[reminder] == nil {
      let late = Snooze.Request(occurrence: request.occurrence, copy: request.copy)
      notebook.deferredSnoozes[reminder] = Snooze.Deferred(late, deliverAt: snooze.until)
    }
    if deferredSnooze(of: reminder, dueAfter: moment.wall) == nil { forgetSnoozeFailure(of: reminder) }
    waitAgain(reminder, at: moment)
  }

  func isKnown(_ reminder: ReminderID) -> Bool { reminder.index < program.reminderCount }
}

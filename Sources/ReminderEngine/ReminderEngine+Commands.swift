import CivilTime
public import TriggerModel

/// What a person does with a reminder in the app, and what time does to it.
extension ReminderEngine {
  /// Puts a reminder off: until then it is not looked at. One that has asked before asks again at that
  /// time, as the person's own wish (bucket `user`).
  mutating func snooze(
    _ reminder: ReminderID, until value: Int64, at moment: Moment, into effects: inout [EngineEffect]
  ) {
    guard isKnown(reminder), !cancelled.contains(reminder) else { return }
    let until = Instant(millisecondsSince1970: value)
    guard until > moment.wall else { return }
    let declaration = declarationInForce(reminder)
    let occurrence = matcher.memory(of: reminder).occurrences
    snoozes[reminder] = until
    deadlines.insert(Deadline(at: until, reminder: reminder, kind: .snoozeEnd))
    matcher.setWaiting(declaration, live: false, armed: false)
    if occurrence > 0 {
      let last = RequestID(reminder: reminder, occurrence: occurrence - 1)
      effects.append(.remove(last, .superseded))
      matcher.countOccurrence(of: reminder)
      let plan = program.plans[Int(declaration)]
      effects.append(
        .request(
          NotificationRequest(
            id: RequestID(reminder: reminder, occurrence: occurrence), type: plan.type, bucket: .user,
            priority: plan.priority, copy: plan.copy(occurrence - 1), scheduledFor: until, deliverAt: until,
            rank: plan.rank)))
    }
    effects.append(.persist)
  }

  /// Takes a reminder back for good, with everything of it that is pending.
  mutating func cancel(_ reminder: ReminderID, into effects: inout [EngineEffect]) {
    guard isKnown(reminder), cancelled.insert(reminder).inserted else { return }
    matcher.setWaiting(declarationInForce(reminder), live: false, armed: false)
    snoozes[reminder] = nil
    effects.append(.withdraw(reminder, .cancelled))
    effects.append(.wake(reminder, at: .distantFuture))
    effects.append(.persist)
  }

  /// Replaces a reminder by one of the program's edits; it waits anew.
  mutating func edit(
    _ reminder: ReminderID, to value: Int64, at moment: Moment, into effects: inout [EngineEffect]
  ) {
    let declaration = program.reminderCount + Int(value)
    guard isKnown(reminder), value >= 0, declaration < program.plans.count,
      program.plans[declaration].reminder == reminder
    else { return }
    matcher.setWaiting(declarationInForce(reminder), live: false, armed: false)
    effects.append(.withdraw(reminder, .superseded))
    edits[reminder] = UInt32(declaration)
    cancelled.remove(reminder)
    snoozes[reminder] = nil
    handedOver[reminder] = nil
    matcher.forgetMatches(of: reminder)
    matcher.setWaiting(UInt32(declaration), live: true, armed: true)
    let expires = program.plans[declaration].expires
    if expires != .distantFuture {
      deadlines.insert(Deadline(at: expires, reminder: reminder, kind: .expiry))
    }
    plan(reminder, at: moment, into: &effects)
    effects.append(.persist)
  }

  /// Takes back a request that nobody was told of, because the app could not act on it: its reminder waits
  /// as if the trigger had not come.
  public mutating func takeBack(_ request: NotificationRequest, at moment: Moment) {
    let reminder = request.id.reminder
    let declaration = declarationInForce(reminder)
    matcher.takeBackMatch(of: reminder)
    matcher.bring(declaration, to: view(at: moment).date)
    matcher.setWaiting(declaration, live: true, armed: true)
  }

  /// The app was deleted and installed again: nothing is remembered.
  mutating func reset(at moment: Moment, into effects: inout [EngineEffect]) {
    let explains = self.explainsMisses
    let totals = matcher.totals
    self = ReminderEngine(program: program, zones: zones, zone: moment.zone, explainsMisses: explains)
    matcher.totals = totals
    planAll(at: moment, into: &effects)
  }

  mutating func passDeadlines(at moment: Moment) {
    while let deadline = deadlines.pop(notAfter: moment.wall) {
      let reminder = deadline.reminder
      switch deadline.kind {
      case .snoozeEnd: if snoozes[reminder] == deadline.at { endSnooze(reminder, at: moment) }
      case .expiry:
        if program.plans[Int(declarationInForce(reminder))].expires == deadline.at {
          matcher.setWaiting(declarationInForce(reminder), live: false, armed: false)
        }
      }
    }
  }

  /// The reminder waits again, unless it is spent or expired; in a period in which it has matched it
  /// waits for the next.
  private mutating func endSnooze(_ reminder: ReminderID, at moment: Moment) {
    snoozes[reminder] = nil
    let declaration = declarationInForce(reminder)
    let plan = program.plans[Int(declaration)]
    let today = view(at: moment).date
    let hasMatched = matcher.hasMatched(declaration, inPeriodOf: today)
    let isSpent = plan.repeats == .once && hasMatched || plan.expires <= moment.wall
    matcher.bring(declaration, to: today)
    matcher.setWaiting(declaration, live: !isSpent && !hasMatched, armed: !isSpent)
  }

  func isKnown(_ reminder: ReminderID) -> Bool { reminder.index < program.reminderCount }
}

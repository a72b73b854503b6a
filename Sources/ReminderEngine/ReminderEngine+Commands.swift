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
    let last = takeBackLast(of: reminder, before: until, at: moment, into: &effects)
    snoozes[reminder] = until
    deadlines.insert(Deadline(at: until, reminder: reminder, kind: .snoozeEnd))
    matcher.setWaiting(declaration, live: false, armed: false)
    if let last {
      matcher.countOccurrence(of: reminder)
      let plan = program.plans[Int(declaration)]
      let again = RequestID(reminder: reminder, occurrence: occurrence)
      handedOver[reminder]?.last = again
      effects.append(
        .request(
          NotificationRequest(
            id: again, type: plan.type, bucket: .user, priority: plan.priority,
            copy: plan.copy(last.occurrence), scheduledFor: until, deliverAt: until, rank: plan.rank)))
    }
    // At the end of the snooze a schedule goes on.
    if handedOver[reminder] != nil { effects.append(.wake(reminder, at: until)) }
    effects.append(.persist)
  }

  /// Takes back what a snooze puts off: the request made last, or, of occurrences handed over beforehand,
  /// the last one whose time came and those whose time would come before the snooze ends.
  /// - Returns: What is to be asked for again.
  private mutating func takeBackLast(
    of reminder: ReminderID, before until: Instant, at moment: Moment, into effects: inout [EngineEffect]
  ) -> RequestID? {
    var last: RequestID?
    if handedOver[reminder] == nil {
      let occurrences = matcher.memory(of: reminder).occurrences
      last = occurrences > 0 ? RequestID(reminder: reminder, occurrence: occurrences - 1) : nil
    } else {
      handedOver[reminder]?.deliver(upTo: moment.wall)
      let removed = handedOver[reminder]?.removeAll(before: until) ?? []
      for entry in removed { effects.append(.remove(entry.id, .superseded)) }
      last = handedOver[reminder]?.last
      if last == nil { return removed.last?.id }
    }
    if let last { effects.append(.remove(last, .superseded)) }
    return last
  }

  /// Takes a reminder back for good, with everything of it that is pending.
  mutating func cancel(_ reminder: ReminderID, into effects: inout [EngineEffect]) {
    guard isKnown(reminder), cancelled.insert(reminder).inserted else { return }
    matcher.setWaiting(declarationInForce(reminder), live: false, armed: false)
    snoozes[reminder] = nil
    handedOver[reminder] = nil
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
    wakes[reminder] = nil
    plannedLapses.remove(reminder)
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
  /// as if the trigger had not come, or as it did before a snooze asked again.
  public mutating func takeBack(_ request: NotificationRequest, at moment: Moment) {
    let reminder = request.id.reminder
    matcher.takeBackOccurrence(of: reminder)
    if snoozes[reminder] != nil { return }
    if let entry = handedOver[reminder]?.remove(request.id) {
      forgetMatch(entry)
      handedOver[reminder]?.lookAgain()
      return
    }
    let declaration = declarationInForce(reminder)
    matcher.forgetMatches(of: reminder)
    matcher.bring(declaration, to: view(at: moment).date)
    matcher.setWaiting(declaration, live: true, armed: true)
  }

  /// The app was deleted and installed again: nothing is remembered. Requests go on being numbered, so
  /// that none is taken for one made before.
  mutating func reset(at moment: Moment, into effects: inout [EngineEffect]) {
    let old = matcher
    self = ReminderEngine(program: program, zones: zones, zone: moment.zone, explainsMisses: explainsMisses)
    matcher.goOnCounting(from: old)
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

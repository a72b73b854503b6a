import CivilTime
import ReminderMatching
import TriggerModel

/// Handles the person's commands, and deadlines.
extension ReminderEngine {
  /// Cancels a reminder and its pending requests.
  mutating func cancel(_ reminder: ReminderID, into effects: inout [EngineEffect]) {
    guard isKnown(reminder), !persisted.cancelled.contains(reminder) else { return }
    persisted.cancelled.insert(reminder)
    persisted.expectingEnter.remove(reminder)
    matcher.setWaiting(declarationInForce(reminder), live: false, armed: false)
    ledgers[reminder].snooze = nil
    ledgers[reminder].forgetRequests()
    persisted.openMatches.forget(reminder)
    memory.undecided[reminder] = nil
    effects.append(.withdraw(reminder, .cancelled))
    effects.append(.wake(reminder, at: .distantFuture))
  }

  /// Replaces a reminder with one of the program's edits, which starts waiting immediately. Notifications of
  /// the old declaration are outdated, so they are removed.
  mutating func edit(
    _ reminder: ReminderID, to value: Int64, at moment: Moment, into effects: inout [EngineEffect]
  ) {
    let declaration = program.initialCount + Int(value)
    guard isKnown(reminder), value >= 0, value < program.editCount,
      program.plans[declaration].reminder == reminder
    else { return }
    matcher.setWaiting(declarationInForce(reminder), live: false, armed: false)
    effects.append(.withdraw(reminder, .superseded))
    effects.append(.removeShown(reminder))
    persisted.edits[reminder] = UInt32(declaration)
    begin(reminder, at: moment, into: &effects)
  }

  /// Creates a reminder in its declared state. Has no effect if the reminder exists.
  mutating func create(_ reminder: ReminderID, at moment: Moment, into effects: inout [EngineEffect]) {
    guard isKnown(reminder), persisted.cancelled.contains(reminder) else { return }
    matcher.setWaiting(declarationInForce(reminder), live: false, armed: false)
    persisted.edits[reminder] = nil
    begin(reminder, at: moment, into: &effects)
  }

  /// Starts evaluating the declaration in force, and discards the reminder's previous state.
  private mutating func begin(
    _ reminder: ReminderID, at moment: Moment, into effects: inout [EngineEffect]
  ) {
    let declaration = declarationInForce(reminder)
    persisted.cancelled.remove(reminder)
    persisted.forget(reminder)
    memory.undecided[reminder] = nil
    matcher.forgetMatches(of: reminder)
    matcher.setWaiting(declaration, live: true, armed: true)
    let expires = program.plans[Int(declaration)].expires
    if expires != .distantFuture {
      persisted.deadlines.insert(Deadline(at: expires, reminder: reminder, kind: .expiry))
    }
    if !countAgain(reminder, at: moment, into: &effects) { plan(reminder, at: moment, into: &effects) }
    registerAgain(for: reminder, into: &effects)
  }

  /// Resets the engine after a reinstall.
  ///
  /// Request numbers continue, so that no request is mistaken for an earlier one. Facts are kept, because
  /// they belong to the account and the system.
  mutating func reset(at moment: Moment, into effects: inout [EngineEffect]) {
    matcher.reset()
    // The new installation has asked the system to watch these regions.
    let choice = persisted.choice
    persisted = PersistedState(of: program)
    persisted.choice = choice
    memory = Memory(zone: memory.viewpoint.zone, of: zones, explainsMisses: explainsMisses)
    if moment.zone != memory.viewpoint.zone { enter(moment.zone) }
    planAll(at: moment, into: &effects)
  }

  @inline(never)
  mutating func passDeadlines(at moment: Moment) {
    shiftSnoozes(at: moment)
    while let deadline = persisted.deadlines.pop(notAfter: moment.wall) {
      let reminder = deadline.reminder
      switch deadline.kind {
      case .snoozeEnd:
        if ledgers[reminder].snooze?.until == deadline.at { endSnooze(of: reminder, at: moment) }
      case .expiry:
        // A reminder that is not created yet does not expire.
        if persisted.cancelled.contains(reminder), program.isCreatedLater(reminder) { continue }
        if program.plans[Int(declarationInForce(reminder))].expires == deadline.at {
          matcher.setWaiting(declarationInForce(reminder), live: false, armed: false)
          persisted.expired[reminder] = deadline.at
        }
      }
    }
  }

  func isKnown(_ reminder: ReminderID) -> Bool { reminder.index < program.reminderCount }
}

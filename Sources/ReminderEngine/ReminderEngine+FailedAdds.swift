import ReminderMatching
import TriggerModel

/// What the system did not take, and how it is asked for again.
extension ReminderEngine {
  mutating func failed(_ reminder: ReminderID, for time: Instant, at moment: Moment) {
    if time <= moment.wall || time == .distantFuture { return }
    notebook.failed[reminder, default: FailedAdds()].add(time, at: moment)
  }

  /// Whether the system has not taken something of a reminder at this very moment.
  func hasJustFailed(_ reminder: ReminderID, at moment: Moment) -> Bool {
    !notebook.failed.isEmpty && notebook.failed[reminder]?.last == moment
  }

  /// Whether something is to be asked for again.
  func hasFailed(_ reminder: ReminderID, for time: Instant) -> Bool {
    !notebook.failed.isEmpty && notebook.failed[reminder]?.times.contains(time) ?? false
  }

  /// It is asked for again, or no longer wanted.
  mutating func forgetFailures(of reminder: ReminderID, where isGone: (Instant) -> Bool = { _ in true }) {
    guard var failed = notebook.failed[reminder], failed.remove(where: isGone) else { return }
    notebook.failed[reminder] = failed.isEmpty ? nil : failed
  }

  /// What a snooze asked for is withdrawn, and is to be asked for again with its reason, be it at this very moment.
  mutating func snoozeWithdrawn(_ reminder: ReminderID) {
    notebook.failed[reminder, default: FailedAdds()].isOfSnooze = true
  }

  /// What a snooze asked for was not taken.
  mutating func snoozeFailed(_ reminder: ReminderID, at moment: Moment) {
    notebook.failed[reminder, default: FailedAdds()].addSnooze(at: moment)
  }

  /// It is asked for again, or there is nothing to ask for any more.
  mutating func forgetSnoozeFailure(of reminder: ReminderID) {
    guard var failed = notebook.failed[reminder], failed.isOfSnooze else { return }
    failed.isOfSnooze = false
    notebook.failed[reminder] = failed.isEmpty ? nil : failed
  }

  /// The phone has come to another zone.
  mutating func moveFailures(_ moved: (Instant) -> Instant) {
    for reminder in notebook.failed.keys.sorted() {
      let usesWallClock = program.plans[Int(declarationInForce(reminder))].schedule?.usesWallClock ?? true
      notebook.failed[reminder]?.move(moved, usesWallClock: usesWallClock)
    }
  }

  /// What quiet hours had put off comes no more when its reason does.
  mutating func forgetWithdrawn(_ reminder: ReminderID) {
    guard var failed = notebook.failed[reminder], !failed.withdrawn.isEmpty else { return }
    failed.withdrawn = []
    notebook.failed[reminder] = failed.isEmpty ? nil : failed
  }

  /// What snoozes asked for again, and the system did not take, or a reason that has come back had ended.
  mutating func askAgainAfterSnoozes(at moment: Moment, into effects: inout [EngineEffect]) {
    if notebook.failed.isEmpty { return }
    askAnewAfterSnoozes(at: moment, into: &effects) { engine, reminder in
      (engine.notebook.failed[reminder]?.isOfSnooze ?? false) && !engine.hasJustFailed(reminder, at: moment)
    }
  }

  /// What snoozes asked for and the system may have no more.
  mutating func askAnewAfterSnoozes(
    at moment: Moment, into effects: inout [EngineEffect], where isMeant: (Self, ReminderID) -> Bool
  ) {
    let reminders = Set(notebook.snoozes.keys).union(notebook.deferredSnoozes.keys)
    for reminder in reminders.sorted() where isMeant(self, reminder) {
      askAnewAfterSnooze(of: reminder, at: moment, into: &effects)
    }
  }

  /// What the snooze of one reminder asked for, at its end; or at once where it has ended in quiet hours. Not as long
  /// as its reason is withdrawn.
  mutating func askAnewAfterSnooze(
    of reminder: ReminderID, at moment: Moment, into effects: inout [EngineEffect]
  ) {
    let snooze = notebook.snoozes[reminder]
    guard let request = snooze.map({ $0.request }) ?? deferredSnooze(of: reminder, dueAfter: moment.wall)
    else { return forgetSnoozeFailure(of: reminder) }
    let until = max(snooze?.until ?? moment.wall, moment.wall)
    let withdrawals = program.plans[Int(declarationInForce(reminder))].withdrawals
    if withdrawals.hold(in: facts, at: moment.foreseen(at: until), zones) { return }
    forgetSnoozeFailure(of: reminder)
    effects.append(.remove(RequestID(reminder: reminder, occurrence: request.occurrence), .superseded))
    if snooze == nil {
      let again = matcher.memory(of: reminder).occurrences
      notebook.deferredSnoozes[reminder] = Snooze.Deferred(
        Snooze.Request(occurrence: again, copy: request.copy))
    }
    askAgain(for: reminder, at: until, (request.copy, request.standsFor), moment, into: &effects)
  }

  /// What a snooze that has ended asked for, and is still to come: quiet hours keep it back, or its alarm is late.
  func deferredSnooze(of reminder: ReminderID, dueAfter instant: Instant) -> Snooze.Request? {
    notebook.deferredSnoozes[reminder].flatMap { $0.deliverAt > instant ? $0.request : nil }
  }
}

import ReminderMatching
import ReminderPlans
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
    notebook.failed[reminder] = failed.times.isEmpty ? nil : failed
  }

  /// The phone has come to another zone.
  mutating func moveFailures(_ moved: (Instant) -> Instant) {
    for reminder in notebook.failed.keys.sorted()
    where program.plans[Int(declarationInForce(reminder))].schedule?.isOfWall ?? true {
      notebook.failed[reminder]?.move(moved)
    }
  }

  /// What snoozes asked for again, and the system did not take.
  mutating func askAgainAfterSnoozes(at moment: Moment, into effects: inout [EngineEffect]) {
    if notebook.failed.isEmpty { return }
    askAnewAfterSnoozes(at: moment, into: &effects) { engine, reminder in
      let until = engine.notebook.snoozes[reminder]?.until ?? .distantPast
      return engine.hasFailed(reminder, for: until) && !engine.hasJustFailed(reminder, at: moment)
    }
  }

  /// What snoozes asked for and the system may have no more.
  mutating func askAnewAfterSnoozes(
    at moment: Moment, into effects: inout [EngineEffect], where isMeant: (Self, ReminderID) -> Bool
  ) {
    for reminder in notebook.snoozes.keys.sorted() where isMeant(self, reminder) {
      askAnewAfterSnooze(of: reminder, at: moment, into: &effects)
    }
  }

  mutating func askAnewAfterSnooze(
    of reminder: ReminderID, at moment: Moment, into effects: inout [EngineEffect]
  ) {
    guard let snooze = notebook.snoozes[reminder], let request = snooze.request, snooze.until > moment.wall
    else { return }
    let withdrawals = program.plans[Int(declarationInForce(reminder))].withdrawals
    if withdrawals.hold(in: facts, at: moment.foreseen(at: snooze.until), zones) { return }
    forgetFailures(of: reminder) { $0 == snooze.until }
    effects.append(.remove(RequestID(reminder: reminder, occurrence: request.occurrence), .superseded))
    askAgain(for: reminder, at: snooze.until, copy: request.copy, moment, into: &effects)
  }
}

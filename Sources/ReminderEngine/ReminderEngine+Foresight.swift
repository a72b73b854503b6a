import CivilTime
import ReminderMatching
import TriggerModel

/// How plans follow what the app learns: what is handed over beforehand was decided by what was known then.
extension ReminderEngine {
  /// A fact took another value. What is pending of reminders whose reason that ends is taken back, for as long
  /// as it is gone; and occurrences that were not handed over, because of what was known before, are looked
  /// at again. What else is pending stays so.
  mutating func foreseeAnew(_ fact: FactID, at moment: Moment, into effects: inout [EngineEffect]) {
    guard fact.index < program.prescheduledByFact.count else { return }
    for reminder in program.withdrawing[fact.index] where !notebook.cancelled.contains(reminder) {
      withdrawWithoutReason(reminder, at: moment, into: &effects)
    }
    askAgainAfterSnoozes(at: moment, into: &effects)
    inOrderOfTime(at: moment, into: &effects) { engine, effects in
      for reminder in engine.program.prescheduledByFact[fact.index]
      where engine.program.plans[Int(engine.declarationInForce(reminder))].prescheduleDependsOn(fact) {
        engine.lookAhead(of: reminder, at: moment, into: &effects)
      }
    }
    askAgainForWithdrawn(at: moment, into: &effects)
  }

  /// Takes back what is held or pending of a reminder for instants at which it has no reason.
  private mutating func withdrawWithoutReason(
    _ reminder: ReminderID, at moment: Moment, into effects: inout [EngineEffect]
  ) {
    let withdrawals = program.plans[Int(declarationInForce(reminder))].withdrawals
    let isGone = withdrawals.hold(in: facts, at: moment, zones)
    let pending = notebook.handedOver[reminder]?.pending ?? []
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
    let asked = notebook.snoozes[reminder]?.request
    if let request = asked ?? deferredSnooze(of: reminder, dueAfter: moment.wall) {
      effects.append(.remove(RequestID(reminder: reminder, occurrence: request.occurrence), .cancelled))
      snoozeWithdrawn(reminder)
    } else if let late = deferredSnooze(of: reminder, dueAfter: passed) {
      effects.append(.remove(RequestID(reminder: reminder, occurrence: late.occurrence), .cancelled))
      notebook.deferredSnoozes[reminder] = nil
    }
    notebook.standing.change(reminder) { $0.removeAll() }
    notebook.plannedLapses.change(reminder) { $0.isIncomplete = true }
    forgetStages(of: reminder, at: moment)
  }

  /// Hands over what was kept back, and can be no longer.
  private mutating func lookAhead(
    of reminder: ReminderID, at moment: Moment, into effects: inout [EngineEffect]
  ) {
    guard !notebook.cancelled.contains(reminder) else { return }
    completeLapse(reminder, at: moment, into: &effects)
    planRepeats(reminder, at: moment, into: &effects)
    guard notebook.handedOver[reminder] != nil else { return }
    notebook.handedOver.change(reminder) { $0.lookAgainAfterLosses() }
    replenish(reminder, at: moment, into: &effects)
  }

  /// The charger or a region has changed: occurrences that were not handed over because of what was so before are
  /// looked at again. What is pending stays so.
  mutating func foreseeStateAnew(at moment: Moment, into effects: inout [EngineEffect]) {
    inOrderOfTime(at: moment, into: &effects) { engine, effects in
      for reminder in engine.program.prescheduledByState
      where engine.program.plans[Int(engine.declarationInForce(reminder))].prescheduleDependsOnState {
        engine.lookAhead(of: reminder, at: moment, into: &effects)
      }
    }
  }

  /// The app finds the phone on its charger, or inside a region: plans of this instant, which did not know,
  /// are made again.
  mutating func planAgain(at moment: Moment, into effects: inout [EngineEffect]) {
    guard memory.plannedAt == moment else { return }
    for reminder in program.prescheduledByState where !notebook.cancelled.contains(reminder) {
      let fresh = memory.fresh.filter { $0.reminder == reminder }
      for request in fresh {
        effects.append(.remove(request, .superseded))
        _ = notebook.standing.change(reminder) { $0.remove(request) }
      }
      takeOut(
        notebook.handedOver[reminder]?.pending.filter { fresh.contains($0.id) } ?? [], of: reminder,
        at: moment)
      for entry in notebook.openMatches.take(fresh) { forgetMatch(of: reminder, on: entry.day, at: moment) }
      memory.fresh.removeAll { $0.reminder == reminder }
      if !fresh.isEmpty { notebook.plannedLapses.change(reminder) { $0.isIncomplete = true } }
      lookAhead(of: reminder, at: moment, into: &effects)
    }
  }

  /// Occurrences that were handed over are as if they had not been.
  mutating func takeOut(_ entries: [HandedOver.Entry], of reminder: ReminderID, at moment: Moment) {
    for entry in entries {
      _ = notebook.handedOver.change(reminder) { $0.remove(entry.id) }
      forgetMatch(of: reminder, on: entry.day, at: moment)
    }
  }
}

extension [CompiledFactCondition] {
  /// Whether any of these holds at a moment.
  func hold(in facts: FactStore, at moment: Moment, _ zones: ZoneTable) -> Bool {
    contains { $0.failure(in: facts, at: moment, zone: zones[moment.zone]) == nil }
  }
}

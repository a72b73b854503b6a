import ReminderMatching
import TriggerModel

/// What the system or the person has taken away, and what was denied, is asked for again when that may have changed.
extension ReminderEngine {
  /// The system throws away what is pending when the permission goes, and does not bring it back.
  mutating func permissionChanged(
    to value: Int64, at moment: Moment, into effects: inout [EngineEffect]
  ) {
    let permission = NotificationPermission(rawValue: UInt8(truncatingIfNeeded: value)) ?? .notDetermined
    if permission.allowsDelivery { return askAgain(at: moment, into: &effects) { _ in true } }
    inOrderOfTime(at: moment, into: &effects) { engine, effects in
      engine.loseAllPutOff(at: moment)
      engine.loseLapses(at: moment)
      engine.loseRepeats(at: moment, into: &effects)
      for reminder in engine.program.scheduled {
        engine.deliver(reminder, upTo: moment.wall)
        let pending = engine.notebook.handedOver[reminder]?.pending ?? []
        for entry in pending { engine.keepForbidden(entry.id, at: moment) }
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
    askAgainForWithdrawn(at: moment, into: &effects) { engine, reminder, match in
      match.isForbidden && isMeant(engine.type(of: reminder))
    }
  }

  private func type(of reminder: ReminderID) -> TypeID {
    program.plans[Int(declarationInForce(reminder))].type
  }

  /// The person took back all that is pending, and nothing takes its place: schedules go on when the time of the
  /// last of it has passed, or when the app is opened again.
  mutating func allTakenBack(at moment: Moment, into effects: inout [EngineEffect]) {
    for reminder in lapsing { forgetStages(of: reminder, at: moment) }
    for reminder in notebook.openMatches.reminders { endPutOff(of: reminder, at: moment) }
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
    askAgainForWithdrawn(at: moment, into: &effects)
  }

  /// Whether all that a schedule wants ahead is with the system, and nothing has happened since.
  private func isReplenished(_ reminder: ReminderID, at moment: Moment) -> Bool {
    guard notebook.snoozes.isEmpty, let ahead = notebook.handedOver[reminder] else { return false }
    return isSettled(reminder, at: moment) && !ahead.pending.isEmpty && !ahead.hasWish
      && ahead.takenBackTo <= moment.wall && !ahead.isLostToLapse
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
}

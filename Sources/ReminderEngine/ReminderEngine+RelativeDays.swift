import CivilTime
import ReminderMatching
import TriggerModel

/// Schedules that count their days, or a length of time, from a fact.
extension ReminderEngine {
  /// A fact was told of: what counts from it is planned anew if it has another value.
  mutating func countAnew(from fact: FactID, at moment: Moment, into effects: inout [EngineEffect]) {
    guard fact.index < program.countingFrom.count else { return }
    inOrderOfTime(at: moment, into: &effects) { engine, effects in
      for reminder in engine.program.countingFrom[fact.index] {
        _ = engine.countAnew(reminder, at: moment, into: &effects)
      }
    }
  }

  /// Ends what is held, pending, put off or visible of a reminder whose fact has taken another value: it was done,
  /// or its date is another. The days are counted from the new one.
  /// - Returns: Whether it was planned.
  mutating func countAnew(
    _ reminder: ReminderID, at moment: Moment, into effects: inout [EngineEffect]
  ) -> Bool {
    guard let fact = program.plans[Int(declarationInForce(reminder))].countsFrom else { return false }
    // Of what was not made yet nothing is remembered.
    if notebook.cancelled.contains(reminder), program.isCreatedLater(reminder) { return true }
    let value = facts.value(fact, at: moment, zones[moment.zone])
    let known = notebook.countedFrom[reminder]
    if known?.value ?? .missing == value { return false }
    let day = facts.date(fact, at: moment, zones[moment.zone])
      .flatMap { DayOfFact(value: value, date: $0) }
    if day == known { return false }
    notebook.countedFrom[reminder] = day
    if notebook.cancelled.contains(reminder) { return true }
    if known != nil { endOccasion(of: reminder, isForgotten: day == nil, at: moment, into: &effects) }
    notebook.handedOver[reminder] = nil
    notebook.wakes[reminder] = nil
    plan(reminder, at: moment, into: &effects)
    return true
  }

  /// - Parameter isForgotten: Nobody knows the fact any more: nothing takes the place of what is pending.
  private mutating func endOccasion(
    of reminder: ReminderID, isForgotten: Bool, at moment: Moment, into effects: inout [EngineEffect]
  ) {
    deliver(reminder, upTo: moment.wall)
    takeOut(notebook.handedOver[reminder]?.pending ?? [], of: reminder, at: moment)
    if matcher.memory(of: reminder).occurrences > 0 {
      effects.append(.withdraw(reminder, isForgotten ? .cancelled : .superseded))
    }
    if !isForgotten, let shown = matcher.shown(of: reminder) {
      effects.append(.remove(RequestID(reminder: reminder, occurrence: shown), .superseded))
      matcher.setShown(nil, of: reminder)
    }
    notebook.leftOut[reminder] = nil
    endPutOff(of: reminder, at: moment)
    if notebook.snoozes.removeValue(forKey: reminder) != nil { waitAgain(reminder, at: moment) }
  }

  /// Which text an occurrence of relative days shows: that of its day. Nil: by how often it was asked for.
  func copy(of plan: Plan, at occurrence: Instant, in zone: ZoneID) -> UInt8? {
    guard let day = notebook.countedFrom[plan.reminder] else { return nil }
    let position: Int? =
      switch plan.schedule?.dates {
      case .relative(let days): days.position(of: occurrence, from: day.date, in: zones[zone])
      case .elapsed(let spans): spans.position(of: occurrence, from: day.instant)
      case .recurring, nil: nil
      }
    return position.map { plan.copy(UInt32($0)) }
  }
}

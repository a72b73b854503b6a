import CivilTime
import TriggerModel

/// What is planned for the time in which the app stays closed, and what ends a reminder's reason.
extension ReminderEngine {
  /// The app was opened: what was planned for its absence is taken back, and planned anew from today.
  mutating func restartLapses(at moment: Moment, into effects: inout [EngineEffect]) {
    for reminder in program.lapsing {
      if notebook.plannedLapses.remove(reminder) != nil { effects.append(.withdraw(reminder, .superseded)) }
      planLapse(reminder, at: moment, into: &effects)
    }
  }

  /// Hands the stages of one reminder over, unless that has been done since the app was last opened.
  mutating func planLapse(_ reminder: ReminderID, at moment: Moment, into effects: inout [EngineEffect]) {
    guard isKnown(reminder), !notebook.cancelled.contains(reminder), notebook.snoozes[reminder] == nil else {
      return
    }
    let declaration = declarationInForce(reminder)
    let plan = program.plans[Int(declaration)]
    guard let lapse = plan.lapse, notebook.plannedLapses.insert(reminder).inserted else { return }
    let today = view(at: moment).date
    for (stage, days) in lapse.days.enumerated() {
      let occurrence = zones[moment.zone].instant(of: today + days, minute: lapse.minute)
      guard occurrence < plan.expires else { return }
      _ = handOver(occurrence, declaration, plan, stage: stage, at: moment, into: &effects)
    }
  }

  /// A fact took another value: takes back what is held or pending of the reminders whose reason that ends.
  mutating func withdrawWithoutReason(
    _ fact: FactID, at moment: Moment, into effects: inout [EngineEffect]
  ) {
    guard fact.index < program.withdrawing.count else { return }
    for reminder in program.withdrawing[fact.index] where !notebook.cancelled.contains(reminder) {
      let withdrawals = program.plans[Int(declarationInForce(reminder))].withdrawals
      let isGone = withdrawals.contains {
        $0.failure(in: facts, at: moment, zone: zones[moment.zone]) == nil
      }
      guard isGone else { continue }
      effects.append(.withdraw(reminder, .cancelled))
      notebook.handedOver[reminder]?.takeBackAll()
      replenish(reminder, at: moment, into: &effects)
    }
  }
}

import CivilTime
import ReminderMatching
import TriggerModel

/// What of a reminder keeps its local time when the phone comes to another zone.
extension ReminderEngine {
  /// The phone has come to another zone: what was handed over keeps its local time, in the system's hands as
  /// here. What the app is to be woken for is the next time of the day there, or what the journey has passed over: that
  /// is due on arrival, as it is where the system has it.
  mutating func move(from old: ZoneID, at moment: Moment, into effects: inout [EngineEffect]) {
    let (from, to) = (zones[old], zones[moment.zone])
    func moved(_ instant: Instant) -> Instant { to.instant(of: from.local(at: instant)) }
    memory.leftOutOrder.forget()
    moveFailures(moved)
    for reminder in program.scheduled {
      // A length of time is the same everywhere; and what is not on the wall the system does not move.
      let plan = program.plans[Int(declarationInForce(reminder))]
      let usesWallClock = plan.schedule?.usesWallClock ?? true
      // What quiet hours denied there may be shown here, where it comes at another hour.
      notebook.handedOver.change(reminder) {
        if usesWallClock { $0.move(moved, comesOnce: plan.countsFrom != nil) } else { $0.lookAgain() }
      }
      notebook.snoozes.change(reminder) { snooze in
        guard usesWallClock, let due = snooze.request?.standsFor, due != .distantPast else { return }
        snooze.request?.standsFor = moved(due)
      }
      if usesWallClock, let leftOut = notebook.leftOut[reminder] {
        notebook.leftOut[reminder] = moved(leftOut)
      }
      let late =
        notebook.handedOver[reminder]?.pending.filter { $0.at >= plan.expires && $0.at > moment.wall } ?? []
      for entry in late { effects.append(.remove(entry.id, .expiredAtRelease)) }
      takeOut(late, of: reminder, at: moment)
      // What was delivered before the journey the app was told of before the journey.
      deliver(reminder, upTo: moment.wall)
      if let due = notebook.wakes[reminder], due > moment.wall {
        let there = usesWallClock ? moved(due) : due
        notebook.wakes[reminder] = there <= moment.wall ? there : nil
      }
    }
    for reminder in lapsing + program.repeating {
      if let leftOut = notebook.leftOut[reminder] { notebook.leftOut[reminder] = moved(leftOut) }
    }
    for reminder in lapsing {
      notebook.openMatches.move(reminder, moved)
      let expires = program.plans[Int(declarationInForce(reminder))].expires
      if expires == .distantFuture { continue }
      let last = max(moment.wall, expires - TimeSpan(milliseconds: 1))
      for entry in notebook.openMatches.take(of: reminder, dueAfter: last) {
        effects.append(.remove(entry.request, .expiredAtRelease))
        forgetMatch(of: reminder, on: entry.day, at: moment)
      }
    }
    for reminder in notebook.deferredSnoozes.keys {
      notebook.deferredSnoozes.change(reminder) {
        if $0.deliverAt != .distantFuture { $0.deliverAt = moved($0.deliverAt) }
      }
    }
    for reminder in program.repeating {
      notebook.standing.change(reminder) { $0.move(after: moment.wall, to: to, moved) }
    }
  }
}

import CivilTime
import ReminderGrowth
import ReminderMatching
import ReminderPlans
import TriggerModel

/// What quiet hours had put off when its reason ended, and its schedule does not bring up again: its own time has come.
extension ReminderEngine {
  /// - Parameter ended: What is taken back of what was handed over.
  mutating func keepWithdrawn(
    _ ended: [HandedOver.Entry], of reminder: ReminderID, at moment: Moment
  ) {
    let plan = program.plans[Int(declarationInForce(reminder))]
    var withdrawn = ended.compactMap { entry -> WithdrawnMatch? in
      guard entry.isPutOff, entry.at <= moment.wall, let release = entry.release else { return nil }
      let copy = copy(of: plan, at: entry.at, in: moment.zone) ?? plan.copy(entry.id.occurrence)
      return WithdrawnMatch(day: entry.day, copy: copy, release: release)
    }
    var open: [OpenMatches.Entry] = []
    notebook.openMatches.append(of: reminder, dueAfter: moment.wall, to: &open)
    for entry in open.sorted(by: { $0.request < $1.request }) where !entry.isPutOff {
      guard let copy = copy(of: entry, plan, at: moment) else { continue }
      withdrawn.append(WithdrawnMatch(day: entry.day, copy: copy, release: entry.deliverAt))
    }
    if !withdrawn.isEmpty { notebook.failed[reminder, default: FailedAdds()].withdrawn += withdrawn }
  }

  /// The text of what was put off; nil: its own time is to come.
  private mutating func copy(
    of entry: OpenMatches.Entry, _ plan: Plan, at moment: Moment
  ) -> UInt8? {
    let zone = zones[moment.zone]
    if let lapse = plan.lapse, let planned = notebook.plannedLapses[plan.reminder] {
      let times = lapse.days.map { zone.instant(of: planned.since + $0, minute: lapse.minute) }
      let stage = times.lastIndex { $0 <= entry.deliverAt }
      return stage.flatMap { times[$0] <= moment.wall ? plan.copy(UInt32($0)) : nil }
    }
    let declaration = declarationInForce(plan.reminder)
    let due = lastOccurrence(of: declaration, through: moment.wall, in: moment.zone)
    return due.flatMap { copy(of: plan, at: $0, in: moment.zone) } ?? plan.copy(entry.request.occurrence)
  }

  /// Asks again for what has its reason back before quiet hours end, unless the reminder has had its turn since.
  mutating func askAgainForWithdrawn(at moment: Moment, into effects: inout [EngineEffect]) {
    if notebook.failed.isEmpty { return }
    for reminder in notebook.failed.keys.sorted() {
      guard let withdrawn = notebook.failed[reminder]?.withdrawn, !withdrawn.isEmpty else { continue }
      let withdrawals = program.plans[Int(declarationInForce(reminder))].withdrawals
      forgetWithdrawn(reminder)
      for match in withdrawn where match.release > moment.wall {
        if withdrawals.hold(in: facts, at: moment.foreseen(at: match.release), zones) {
          notebook.failed[reminder, default: FailedAdds()].withdrawn.append(match)
        } else {
          askAgain(match, of: reminder, at: moment, into: &effects)
        }
      }
    }
  }

  private mutating func askAgain(
    _ withdrawn: WithdrawnMatch, of reminder: ReminderID, at moment: Moment,
    into effects: inout [EngineEffect]
  ) {
    let declaration = declarationInForce(reminder)
    if matcher.hasMatched(declaration, inPeriodOf: CivilDate(dayNumber: withdrawn.day)) { return }
    matcher.totals.triggered += 1
    let match = countMatch(of: declaration, on: withdrawn.day, at: moment)
    var request = request(for: match, at: moment)
    request.copy = withdrawn.copy
    effects.append(.request(request))
    remember(request, on: withdrawn.day, of: declaration, at: moment)
    waitAgain(reminder, at: moment)
  }
}

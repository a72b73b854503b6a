import CivilTime
import ReminderMatching
import TriggerModel

/// What quiet hours had put off when its reason ended, or notifications were forbidden, and its schedule does not bring
/// up again: its own time has come.
extension ReminderEngine {
  /// Its reason has ended.
  ///
  /// - Parameter ended: What is taken back of what was handed over.
  mutating func keepWithdrawn(
    _ ended: [HandedOver.Entry], of reminder: ReminderID, at moment: Moment
  ) {
    keep(ended, putOff(of: reminder, at: moment), of: reminder, isForbidden: false, at: moment)
  }

  /// Notifications are forbidden, and the system has a request no more.
  mutating func keepForbidden(_ request: RequestID, at moment: Moment) {
    let reminder = request.reminder
    guard isKnown(reminder) else { return }
    let pending = notebook.handedOver[reminder]?.pending ?? []
    let open = putOff(of: reminder, at: moment).filter { $0.request == request }
    keep(pending.filter { $0.id == request }, open, of: reminder, isForbidden: true, at: moment)
  }

  /// Notifications are forbidden, and nobody has said of what is put off that the system has it no more.
  mutating func loseAllPutOff(at moment: Moment) {
    for reminder in notebook.openMatches.reminders.sorted() {
      for entry in putOff(of: reminder, at: moment) {
        keepForbidden(entry.request, at: moment)
        undoMatches([entry.request], at: moment)
      }
    }
  }

  /// The person or the app itself has taken back what is put off of a reminder: it comes no more, and has had its turn.
  mutating func endPutOff(of reminder: ReminderID, at moment: Moment) {
    for entry in putOff(of: reminder, at: moment) {
      notebook.openMatches.keep(entry.request, from: .distantPast)
    }
    forgetWithdrawn(reminder)
  }

  /// The matches whose requests the system has for a later time, in order.
  func putOff(of reminder: ReminderID, at moment: Moment) -> [OpenMatches.Entry] {
    var open: [OpenMatches.Entry] = []
    notebook.openMatches.append(of: reminder, dueAfter: moment.wall, to: &open)
    return open.filter { !$0.isPutOff }.sorted { $0.request < $1.request }
  }

  private mutating func keep(
    _ pending: [HandedOver.Entry], _ open: [OpenMatches.Entry], of reminder: ReminderID, isForbidden: Bool,
    at moment: Moment
  ) {
    let plan = program.plans[Int(declarationInForce(reminder))]
    var withdrawn: [WithdrawnMatch] = []
    for entry in pending where entry.isPutOff && entry.at <= moment.wall {
      guard let release = entry.release else { continue }
      let copy = copy(of: plan, at: entry.at, in: moment.zone) ?? plan.copy(entry.id.occurrence)
      withdrawn.append(
        WithdrawnMatch(day: entry.day, copy: copy, release: release, isForbidden: isForbidden))
    }
    for entry in open {
      guard let copy = copy(of: entry, plan, at: moment) else { continue }
      withdrawn.append(
        WithdrawnMatch(day: entry.day, copy: copy, release: entry.deliverAt, isForbidden: isForbidden))
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

  /// Asks again for what was taken away and may come before quiet hours end, unless the reminder has had its turn since.
  ///
  /// - Parameter isMeant: What it was taken away for may be over.
  mutating func askAgainForWithdrawn(
    at moment: Moment, into effects: inout [EngineEffect],
    where isMeant: (Self, ReminderID, WithdrawnMatch) -> Bool = { !$2.isForbidden }
  ) {
    if notebook.failed.isEmpty { return }
    for reminder in notebook.failed.keys.sorted() {
      guard let withdrawn = notebook.failed[reminder]?.withdrawn, !withdrawn.isEmpty else { continue }
      let withdrawals = program.plans[Int(declarationInForce(reminder))].withdrawals
      forgetWithdrawn(reminder)
      for var match in withdrawn where match.release > moment.wall {
        let isMeant = isMeant(self, reminder, match)
        if isMeant { match.isForbidden = false }
        if !isMeant || withdrawals.hold(in: facts, at: moment.foreseen(at: match.release), zones) {
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

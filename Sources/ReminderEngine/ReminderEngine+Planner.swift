import CivilTime
import ReminderMatching
package import TriggerModel

/// What is handed over within what the system keeps.
///
/// A system that keeps 64 requests says nothing when it throws one away, and which one differs. So the engine never
/// hands over more than it keeps: what is due next goes before what is due later, across all reminders. What there is
/// no room for is left out, said with ``Reason/pendingLimit``, and handed over at a later run of the app when there is.
extension ReminderEngine {
  /// Whether so much may be planned that there is too little room. Where not, nothing here is ever asked.
  var isTight: Bool {
    program.mostPending + notebook.snoozes.count + releasesPending > pendingCapacity
  }

  /// Makes room for one more request for an instant: gives up the occurrence that is due last, if that is later.
  /// - Returns: Whether there is room; if not, the occurrence is left out.
  mutating func makeRoom(
    for reminder: ReminderID, at instant: Instant, _ moment: Moment, into effects: inout [EngineEffect]
  ) -> Bool {
    if memory.fullFrom.map({ instant < $0 }) ?? true {
      var hasRoom = !isTight || pendingCount(at: moment.wall) < pendingCapacity
      if !hasRoom, let last = latestPending(), isBefore((instant, reminder), (last.at, last.id.reminder)) {
        giveUp(last, at: moment, into: &effects)
        hasRoom = true
      }
      if hasRoom {
        if notebook.leftOut[reminder] == instant { notebook.leftOut[reminder] = nil }
        return true
      }
      // What comes later in the order of time has no room either.
      if memory.fullFrom != nil { memory.fullFrom = instant }
    }
    memory.hadNoRoom = true
    leaveOut(reminder, at: instant, moment, into: &effects)
    return false
  }

  /// Keeps room for requests that were put off until quiet hours end.
  package mutating func keepRoom(
    forReleases count: Int, at moment: Moment, into effects: inout [EngineEffect]
  ) {
    if count == releasesPending { return }
    releasesPending = count
    makeRoomForOthers(at: moment, into: &effects)
  }

  /// Gives up what is due last until there is room for requests that must be made.
  mutating func makeRoomForOthers(at moment: Moment, into effects: inout [EngineEffect]) {
    guard isTight else { return }
    while pendingCount(at: moment.wall) > pendingCapacity, let last = latestPending() {
      giveUp(last, at: moment, into: &effects)
    }
  }

  private mutating func giveUp(
    _ entry: HandedOver.Entry, at moment: Moment, into effects: inout [EngineEffect]
  ) {
    let reminder = entry.id.reminder
    effects.append(.remove(entry.id, .superseded))
    takeOut([entry], of: reminder, at: moment)
    notebook.handedOver.change(reminder) { $0.lookAgain(from: entry.at) }
    leaveOut(reminder, at: entry.at, moment, into: &effects)
  }

  /// There is no room for an occurrence: said once of each.
  private mutating func leaveOut(
    _ reminder: ReminderID, at instant: Instant, _ moment: Moment, into effects: inout [EngineEffect]
  ) {
    memory.fullUntil = .distantPast
    if isLeftOut(reminder, before: instant, now: moment.wall) { return }
    notebook.leftOut[reminder] = instant
    effects.append(.noRequest(reminder, .pendingLimit, failed: []))
  }

  /// Whether it was said already that there is no room for an occurrence: for it, or for an earlier one to come.
  private func isLeftOut(_ reminder: ReminderID, before instant: Instant, now: Instant) -> Bool {
    notebook.leftOut[reminder].map { $0 <= instant && $0 > now } ?? false
  }

  /// Hands over what was left out, as far as there is room by now.
  mutating func fillUp(after event: ObservedEvent, into effects: inout [EngineEffect]) {
    let now = event.moment.wall
    // What tells of nothing that the system has makes no room; only time does.
    if event.kind.isOutside && now < memory.fullUntil || !mayFillUp(at: now) { return }
    inOrderOfTime(at: event.moment, into: &effects) { engine, effects in
      for reminder in engine.notebook.leftOut.keys.sorted() {
        // Tried once: it is said again if there is no room.
        if engine.notebook.plannedLapses[reminder] != nil { engine.notebook.leftOut[reminder] = nil }
        engine.completeLapse(reminder, at: event.moment, into: &effects)
        engine.planRepeats(reminder, at: event.moment, into: &effects)
        engine.replenish(reminder, at: event.moment, into: &effects)
        if engine.notebook.leftOut[reminder].map({ $0 <= now }) ?? false {
          engine.notebook.leftOut[reminder] = nil
        }
      }
    }
    memory.fullUntil = firstPending(after: now)
  }

  /// Whether there is room for anything that was left out, or would be if something later were given up.
  private func mayFillUp(at now: Instant) -> Bool {
    guard isTight, pendingCount(at: now) >= pendingCapacity, let last = latestPending() else { return true }
    return notebook.leftOut.keys.contains { reminder in
      notebook.leftOut[reminder].map {
        $0 <= now || isBefore(($0, reminder), (last.at, last.id.reminder))
      } ?? false
    }
  }

  /// Lets the body replenish schedules, and does it when all are known, what is due next first.
  mutating func inOrderOfTime(
    at moment: Moment, into effects: inout [EngineEffect], _ body: (inout Self, inout [EngineEffect]) -> Void
  ) {
    guard isTight, memory.batch == nil else { return body(&self, &effects) }
    memory.batch = []
    body(&self, &effects)
    let reminders = memory.batch ?? []
    memory.batch = nil
    var looks: [ReminderID: Lookahead] = [:]
    var queue = DeadlineQueue()
    func insert(_ look: Lookahead) {
      if let next = look.next {
        queue.insert(Deadline(at: next, reminder: byRank(look.reminder), kind: .expiry))
      }
    }
    for reminder in reminders where looks[reminder] == nil {
      guard let look = beginReplenishing(reminder, at: moment, into: &effects) else { continue }
      looks[reminder] = look
      insert(look)
    }
    let reminderOfRank = Dictionary(uniqueKeysWithValues: looks.keys.map { (byRank($0), $0) })
    memory.fullFrom = .distantFuture
    defer { memory.fullFrom = nil }
    while let next = queue.pop(notAfter: .distantFuture) {
      guard let reminder = reminderOfRank[next.reminder], var look = looks[reminder] else { continue }
      let isFull = memory.fullFrom.map { next.at >= $0 } ?? false
      if isFull, look.left > 0, isLeftOut(reminder, before: next.at, now: moment.wall) {
        look.isCutShort = true
      } else if lookAhead(&look, at: moment, into: &effects) {
        insert(look)
      }
      looks[reminder] = look
    }
    for reminder in reminders {
      if let look = looks.removeValue(forKey: reminder) { endReplenishing(look, at: moment, into: &effects) }
    }
  }

  /// The place of a reminder among all by name: another order of the declarations changes nothing.
  private func byRank(_ reminder: ReminderID) -> ReminderID {
    ReminderID(program.rank(of: reminder))
  }

  private func isBefore(
    _ a: (at: Instant, reminder: ReminderID), _ b: (at: Instant, reminder: ReminderID)
  ) -> Bool {
    (a.at, byRank(a.reminder)) < (b.at, byRank(b.reminder))
  }

  // MARK: What is pending

  private func pendingCount(at now: Instant) -> Int {
    var count = releasesPending + notebook.snoozes.values.count(where: { $0.until > now })
    for ahead in notebook.handedOver.values { count += ahead.pending.count { $0.at > now } }
    for standing in notebook.standing.values { count += standing.entries.count }
    for reminder in lapsing { count += notebook.openMatches.count(of: reminder, dueAfter: now) }
    return count
  }

  private func latestPending() -> HandedOver.Entry? {
    var latest: HandedOver.Entry?
    for ahead in notebook.handedOver.values {
      guard let last = ahead.pending.last else { continue }
      if let latest, isBefore((last.at, last.id.reminder), (latest.at, latest.id.reminder)) { continue }
      latest = last
    }
    return latest
  }

  private func firstPending(after now: Instant) -> Instant {
    var first = Instant.distantFuture
    for ahead in notebook.handedOver.values {
      if let next = ahead.pending.first(where: { $0.at > now }) { first = min(first, next.at) }
    }
    return first == .distantFuture ? .distantPast : first
  }
}

extension ObservedEvent.Kind {
  /// About the world outside our app.
  fileprivate var isOutside: Bool {
    switch self {
    case .unlock, .lock, .chargingStarted, .chargingStopped, .batteryLevel, .appOpened, .backgrounded,
      .regionEntered, .regionExited, .regionFailed, .located:
      true
    case .opened, .factChanged, .factFound, .zoneChanged, .clockChanged, .permissionChanged, .launched,
      .storeAvailable, .reinstalled, .woken, .addFailed, .pendingDropped, .delivered, .tapped, .dismissed,
      .acted,
      .snooze, .cancel, .create, .edit, .cancelAll, .preferencesChanged, .deliveredElsewhere:
      false
    }
  }
}

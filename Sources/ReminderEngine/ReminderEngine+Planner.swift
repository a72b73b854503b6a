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
    program.maximumPending + notebook.snoozes.count + releasesPending > pendingCapacity
  }

  /// Makes room for one more request for an instant: gives up the occurrence that is due last, if that is later.
  /// - Returns: Whether there is room; if not, the occurrence is left out.
  mutating func makeRoom(
    for reminder: ReminderID, at instant: Instant, _ moment: Moment, into effects: inout [EngineEffect]
  ) -> Bool {
    if !isFull(from: instant) {
      var hasRoom = !isTight || room(at: moment.wall) > 0
      if !hasRoom, let last = latestPending(at: moment.wall), ranked(reminder, at: instant) < last.due {
        giveUp(last, at: moment, into: &effects)
        hasRoom = true
      }
      if hasRoom {
        if notebook.leftOut[reminder] == instant { notebook.leftOut[reminder] = nil }
        memory.round.room = memory.round.room.map { $0 - 1 }
        return true
      }
      // What comes later in the order of time has no room either.
      if memory.round.fullFrom != nil { memory.round.fullFrom = instant }
    }
    memory.hadNoRoom = true
    leaveOut(reminder, at: instant, moment, into: &effects)
    return false
  }

  /// For how many requests more there is room.
  private mutating func room(at now: Instant) -> Int {
    let room = memory.round.room ?? pendingCapacity - pendingCount(at: now)
    if memory.round.fullFrom != nil { memory.round.room = room }
    return room
  }

  /// Keeps room for requests that were put off until quiet hours end.
  package mutating func keepRoom(
    forReleases count: Int, at moment: Moment, into effects: inout [EngineEffect]
  ) {
    if count == releasesPending { return }
    releasesPending = count
    makeRoomForOthers(at: moment, into: &effects)
  }

  /// Gives up what is due last until there is room for requests that must be made: of what the system repeats only
  /// where nothing else is left.
  mutating func makeRoomForOthers(at moment: Moment, into effects: inout [EngineEffect]) {
    guard isTight else { return }
    while pendingCount(at: moment.wall) > pendingCapacity,
      let last = latestPending(at: moment.wall) ?? latestRepeating(at: moment)
    {
      giveUp(last, at: moment, into: &effects)
    }
  }

  private mutating func giveUp(
    _ pending: Pending, at moment: Moment, into effects: inout [EngineEffect]
  ) {
    let (reminder, instant) = (pending.due.reminder, pending.due.at)
    effects.append(.remove(pending.request, .superseded))
    if let entry = notebook.handedOver[reminder]?.pending.first(where: { $0.id == pending.request }) {
      takeOut([entry], of: reminder, at: moment)
      notebook.handedOver.change(reminder) { $0.lookAgain(from: entry.at) }
      memory.round.looks[reminder]?.isCutShort = true
    } else if let stage = notebook.openMatches.take(pending.request) {
      forgetMatch(of: reminder, on: stage.day, at: moment)
      notebook.plannedLapses.change(reminder) { $0.isIncomplete = true }
    } else {
      _ = notebook.standing.change(reminder) { $0.remove(pending.request) }
      keepStanding(wishing: instant, of: reminder, into: &effects)
    }
    if instant > moment.wall { memory.round.room = memory.round.room.map { $0 + 1 } }
    leaveOut(reminder, at: instant, moment, into: &effects)
  }

  /// There is no room for an occurrence: said once of each.
  private mutating func leaveOut(
    _ reminder: ReminderID, at instant: Instant, _ moment: Moment, into effects: inout [EngineEffect]
  ) {
    memory.fullUntil = .distantPast
    if isLeftOut(reminder, before: instant, now: moment.wall) { return }
    notebook.leftOut[reminder] = instant
    memory.leftOutOrder.insert(ranked(reminder, at: instant))
    effects.append(.noRequest(reminder, .pendingLimit, failed: []))
  }

  /// Whether it was said already that there is no room for an occurrence: for it, or for an earlier one to come.
  private func isLeftOut(_ reminder: ReminderID, before instant: Instant, now: Instant) -> Bool {
    notebook.leftOut[reminder].map { $0 <= instant && $0 > now } ?? false
  }

  /// Hands over what was left out, as far as there is room by now.
  ///
  /// - Complexity: O(log *n*) for each that is handed over or whose time has passed, of *n* that are left out.
  mutating func fillUp(after event: ObservedEvent, into effects: inout [EngineEffect]) {
    let (now, moment) = (event.moment.wall, event.moment)
    // What tells of nothing that the system has makes no room; only time does.
    if event.kind.isOutside && now < memory.fullUntil || !mayFillUp(at: now) { return }
    inOrderOfTime(at: moment, into: &effects) { engine, effects in
      for reminder in engine.leftOutToTry(at: now) {
        engine.tryLeftOut(reminder, at: moment, into: &effects)
        let isLate = engine.notebook.leftOut[reminder].map { $0 <= now } ?? false
        // Tried once: it is said again if there is no room.
        if isLate || engine.notebook.plannedLapses[reminder] != nil {
          engine.notebook.leftOut[reminder] = nil
        }
      }
    }
    memory.fullUntil = firstPending(after: now)
  }

  /// What was left out and has passed; all, where there is room for all. And the schedules of which something has come,
  /// though the app is told of one delivery after the other: what is due next of them is not to wait behind what was left
  /// out and is due later.
  private mutating func leftOutToTry(at now: Instant) -> [ReminderID] {
    guard isTight else { return notebook.leftOut.keys.sorted() }
    var reminders = notebook.handedOver.holding.compactMap(\.pending.first).filter { $0.at <= now }
      .map(\.id.reminder)
    while let first = firstLeftOut(), first.at <= now {
      memory.leftOutOrder.removeFirst()
      reminders.append(first.reminder)
    }
    return reminders.sorted()
  }

  private mutating func tryLeftOut(
    _ reminder: ReminderID, at moment: Moment, into effects: inout [EngineEffect]
  ) {
    completeLapse(reminder, at: moment, into: &effects)
    planRepeats(reminder, at: moment, into: &effects)
    replenish(reminder, at: moment, into: &effects)
  }

  private mutating func firstLeftOut() -> RankedOccurrence? {
    memory.leftOutOrder.first(of: notebook.leftOut, rank: program.rank)
  }

  /// Whether there is room for anything that was left out.
  private mutating func mayFillUp(at now: Instant) -> Bool {
    guard isTight else { return true }
    return firstLeftOut().map { mayHaveRoom(for: $0, at: now) } ?? false
  }

  /// Whether there is room for what was left out, or would be if something later were given up; or it has passed.
  private mutating func mayHaveRoom(for leftOut: RankedOccurrence, at now: Instant) -> Bool {
    leftOut.at <= now || room(at: now) > 0 || latestPending(at: now).map { leftOut < $0.due } ?? false
  }

  /// Lets the body plan, and hands over when all is known, what is due next first: that, and what was left out before,
  /// as long as there is room.
  mutating func inOrderOfTime(
    at moment: Moment, into effects: inout [EngineEffect],
    _ body: (inout Self, inout [EngineEffect]) -> Void
  ) {
    guard isTight, !memory.round.isOpen else { return body(&self, &effects) }
    memory.round.isOpen = true
    body(&self, &effects)
    beginLooks(at: moment, into: &effects)
    memory.round.fullFrom = .distantFuture
    while true {
      if let first = firstLeftOut(), !isFull(from: first.at),
        memory.round.turns.first.map({ first < $0.occurrence }) ?? true
      {
        guard mayHaveRoom(for: first, at: moment.wall) else {
          memory.round.fullFrom = first.at
          continue
        }
        memory.leftOutOrder.removeFirst()
        memory.round.triedAgain.append(first)
        tryLeftOut(first.reminder, at: moment, into: &effects)
        beginLooks(at: moment, into: &effects)
      } else if let turn = memory.round.turns.popFirst() {
        take(turn, at: moment, into: &effects)
      } else {
        break
      }
    }
    endRound(at: moment, into: &effects)
  }

  private mutating func beginLooks(at moment: Moment, into effects: inout [EngineEffect]) {
    let schedules = memory.round.schedules
    memory.round.schedules = []
    for reminder in schedules where memory.round.looks[reminder] == nil {
      guard let look = beginReplenishing(reminder, at: moment, into: &effects) else { continue }
      memory.round.looks[reminder] = look
      insertTurn(of: look)
    }
  }

  private mutating func insertTurn(of look: Lookahead) {
    guard let next = look.next else { return }
    memory.round.turns.insert(.init(occurrence: ranked(look.reminder, at: next), part: .schedule))
  }

  /// Hands over what is due next, if there is room.
  private mutating func take(
    _ turn: PlanningRound.Turn, at moment: Moment, into effects: inout [EngineEffect]
  ) {
    let (reminder, instant) = (turn.occurrence.reminder, turn.occurrence.at)
    // What was left out before is not even looked at.
    memory.hadNoRoom = isFull(from: instant) && isLeftOut(reminder, before: instant, now: moment.wall)
    switch turn.part {
    case .schedule:
      guard var look = memory.round.looks[reminder] else { return }
      if memory.hadNoRoom, look.left > 0 {
        look.isCutShort = true
      } else if lookAhead(&look, at: moment, into: &effects) {
        insertTurn(of: look)
      }
      // Something later of the same schedule may have been given up for it.
      look.isCutShort = look.isCutShort || memory.round.looks[reminder]?.isCutShort ?? false
      memory.hadNoRoom = look.isCutShort
      memory.round.looks[reminder] = look
    case .stage(let stage):
      if memory.hadNoRoom {
        notebook.plannedLapses.change(reminder) { $0.isIncomplete = true }
      } else {
        handOver(stage: stage, of: reminder, at: instant, moment, into: &effects)
      }
    case .repetition(let number):
      let stands =
        !memory.hadNoRoom
        && handOver(pattern: number, of: reminder, from: instant, at: moment, into: &effects)
      if !stands { memory.round.wishes[reminder] = min(memory.round.wishes[reminder] ?? instant, instant) }
    }
    if memory.hadNoRoom, memory.round.withoutRoom[reminder] == nil {
      memory.round.withoutRoom[reminder] = instant
    }
  }

  private mutating func endRound(at moment: Moment, into effects: inout [EngineEffect]) {
    let round = memory.round
    memory.round = PlanningRound()
    for look in round.looks.values.sorted(by: { $0.reminder < $1.reminder }) {
      endReplenishing(look, at: moment, into: &effects)
    }
    for (reminder, wish) in round.wishes.sorted(by: { $0.key < $1.key }) {
      keepStanding(wishing: wish, of: reminder, into: &effects)
    }
    for occurrence in round.triedAgain where notebook.leftOut[occurrence.reminder] == occurrence.at {
      let reminder = occurrence.reminder
      let isOfSchedule = notebook.plannedLapses[reminder] == nil && notebook.standing[reminder] == nil
      if let first = round.withoutRoom[reminder], first > occurrence.at {
        // What was left out comes to nothing for another reason by now, or was put off.
        notebook.leftOut[reminder] = first
        memory.leftOutOrder.insert(ranked(reminder, at: first))
      } else if isOfSchedule || round.withoutRoom[reminder] != nil {
        memory.leftOutOrder.insert(occurrence)
      } else {
        notebook.leftOut[reminder] = nil
      }
    }
  }

  /// Whether there is no room for what is due at an instant or later.
  private func isFull(from instant: Instant) -> Bool { memory.round.fullFrom.map { instant >= $0 } ?? false }

  /// An occurrence among those of others: see ``RankedOccurrence``.
  func ranked(_ reminder: ReminderID, at instant: Instant) -> RankedOccurrence {
    RankedOccurrence(at: instant, rank: program.rank(of: reminder), reminder: reminder)
  }

  // MARK: What is pending

  private mutating func pendingCount(at now: Instant) -> Int {
    // What is put off is among the releases.
    var count = releasesPending + notebook.snoozes.values.count(where: { $0.until > now })
    for ahead in notebook.handedOver.holding { count += ahead.pending.count { $0.at > now && !$0.isPutOff } }
    for standing in notebook.standing.holding { count += standing.entries.count }
    return count + pendingStages(at: now).count
  }

  /// A request that the system has.
  private struct Pending: Comparable {
    var due: RankedOccurrence
    var request: RequestID

    static func < (a: Self, b: Self) -> Bool { (a.due, a.request) < (b.due, b.request) }
  }

  private func pending(_ request: RequestID, at instant: Instant) -> Pending {
    Pending(due: ranked(request.reminder, at: instant), request: request)
  }

  /// What is due last of schedules and lapses.
  private mutating func latestPending(at now: Instant) -> Pending? {
    let stage = pendingStages(at: now).map { pending($0.request, at: $0.deliverAt) }.max()
    let occurrence = notebook.handedOver.holding.compactMap {
      $0.pending.last { $0.at > now && !$0.isPutOff }
    }
    .map { pending($0.id, at: $0.at) }.max()
    return [stage, occurrence].compactMap(\.self).max()
  }

  /// What is due last of what the system repeats.
  private func latestRepeating(at moment: Moment) -> Pending? {
    notebook.standing.holding.flatMap(\.entries).map { entry in
      let next = entry.pattern.next(after: moment.wall, in: zones[moment.zone]) ?? .distantFuture
      return pending(entry.id, at: entry.first > moment.wall ? entry.first : next)
    }.max()
  }

  /// When room comes by time alone.
  private mutating func firstPending(after now: Instant) -> Instant {
    let stage = pendingStages(at: now).map(\.deliverAt).min()
    let occurrence = notebook.handedOver.holding.compactMap {
      $0.pending.first { $0.at > now && !$0.isPutOff }?.at
    }.min()
    return [stage, occurrence].compactMap(\.self).min() ?? .distantPast
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

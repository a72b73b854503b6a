import CivilTime
import ReminderMatching
package import TriggerModel

/// Limits the requests made in advance to the number that the system keeps.
///
/// The system discards requests beyond its capacity (64 on iOS) and does not report them. The engine
/// therefore never requests more. Among all reminders, it prefers the requests that are due earliest. A
/// request for which there is no room is left out and reported with ``Reason/pendingLimit``. It is made when
/// the app next runs and there is room.
extension ReminderEngine {
  /// Whether the reminders together may request more than the system keeps. If not, requests do not compete
  /// for room.
  var isTight: Bool {
    program.maximumPending + ledgers.count(.snoozed) + releasesPending > pendingCapacity
  }

  // MARK: In chronological order

  /// Runs a closure that reconciles reminders.
  ///
  /// If room is scarce, requests are made only after the closure returns, in order of due time. Requests that
  /// were left out before take part.
  mutating func reconcileInOrder(
    at moment: Moment, into effects: inout [EngineEffect],
    _ body: (inout Self, inout [EngineEffect]) -> Void
  ) {
    guard isTight, memory.pass == nil else { return body(&self, &effects) }
    memory.pass = ReconciliationPass()
    body(&self, &effects)
    considerSchedules(at: moment, into: &effects)
    memory.pass?.fullFrom = .distantFuture
    while true {
      if let first = firstLeftOut(), !isFull(from: first.at),
        memory.pass?.turns.first.map({ first < $0.due }) ?? true
      {
        guard mayHaveRoom(for: first, at: moment.wall) else {
          memory.pass?.fullFrom = first.at
          continue
        }
        memory.leftOutOrder.removeFirst()
        memory.pass?.triedAgain.append(first)
        reconcileAll(of: first.reminder, at: moment, into: &effects)
        considerSchedules(at: moment, into: &effects)
      } else if let turn = memory.pass?.turns.popFirst() {
        take(turn, at: moment, into: &effects)
      } else {
        break
      }
    }
    endPass(at: moment, into: &effects)
  }

  /// Adds the wanted requests of a source to the competition for room.
  mutating func compete(_ wanted: WantedRequests) {
    memory.pass?.wanted[ReconciliationPass.Key(reminder: wanted.reminder, source: wanted.source)] = wanted
    guard let next = wanted.next else { return }
    let due = ranked(wanted.reminder, at: next.at)
    memory.pass?.turns.insert(.init(due: due, source: wanted.source, number: next.number))
  }

  private mutating func considerSchedules(at moment: Moment, into effects: inout [EngineEffect]) {
    let schedules = memory.pass?.schedules ?? []
    memory.pass?.schedules = []
    for reminder in schedules {
      let key = ReconciliationPass.Key(reminder: reminder, source: .occurrences)
      guard memory.pass?.wanted[key] == nil else { continue }
      if let wanted = wanted(.occurrences, of: reminder, at: moment, into: &effects) { compete(wanted) }
    }
  }

  /// Makes the earliest wanted request if there is room.
  private mutating func take(
    _ turn: ReconciliationPass.Turn, at moment: Moment, into effects: inout [EngineEffect]
  ) {
    let (reminder, instant) = (turn.due.reminder, turn.due.at)
    let key = ReconciliationPass.Key(reminder: reminder, source: turn.source)
    // The turn is obsolete if the source was planned again in the meantime.
    guard var wanted = memory.pass?.wanted[key],
      wanted.next == WantedRequests.Request(at: instant, number: turn.number)
    else { return }
    let isFull = isFull(from: instant) && isLeftOut(reminder, before: instant, now: moment.wall)
    let goesOn = makeNext(of: &wanted, isFull: isFull, at: moment, into: &effects)
    if turn.source == .occurrences, memory.pass?.wanted[key]?.lacksRoom ?? false {
      // A later occurrence of the same schedule was given up to make room.
      wanted.lacksRoom = true
    }
    if wanted.lacksRoom, memory.pass?.withoutRoom[reminder] == nil {
      memory.pass?.withoutRoom[reminder] = instant
    }
    if goesOn { compete(wanted) } else { memory.pass?.wanted[key] = wanted }
  }

  private mutating func endPass(at moment: Moment, into effects: inout [EngineEffect]) {
    guard let pass = memory.pass else { return }
    memory.pass = nil
    let ended = pass.wanted.values.sorted { ($0.source, $0.reminder) < ($1.source, $1.reminder) }
    for wanted in ended { end(wanted, at: moment, into: &effects) }
    for occurrence in pass.triedAgain where ledgers[occurrence.reminder].leftOut == occurrence.at {
      let reminder = occurrence.reminder
      let isOfSchedule = ledgers[reminder].lapse == nil && ledgers[reminder].repetitions == nil
      if let first = pass.withoutRoom[reminder], first > occurrence.at {
        // The previously left-out occurrence was deferred, or is no longer wanted for another reason.
        ledgers[reminder].leftOut = first
        memory.leftOutOrder.insert(ranked(reminder, at: first))
      } else if isOfSchedule || pass.withoutRoom[reminder] != nil {
        memory.leftOutOrder.insert(occurrence)
      } else {
        ledgers[reminder].leftOut = nil
      }
    }
  }

  /// Returns whether there is no room for a request that is due at or after an instant.
  private func isFull(from instant: Instant) -> Bool { memory.pass?.fullFrom.map { instant >= $0 } ?? false }

  /// Returns an occurrence with its reminder's rank, so that it can be compared across reminders.
  private func ranked(_ reminder: ReminderID, at instant: Instant) -> RankedOccurrence {
    RankedOccurrence(at: instant, rank: program.rank(of: reminder), reminder: reminder)
  }

  // MARK: Room

  /// Makes room for a request. Gives up the latest pending occurrence if it is due later than the request.
  ///
  /// - Returns: Whether there is room. If `false`, the requested occurrence is left out.
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
        if ledgers[reminder].leftOut == instant { ledgers[reminder].leftOut = nil }
        changeRoom(by: -1)
        return true
      }
      // No later request has room either.
      if memory.pass?.fullFrom != nil { memory.pass?.fullFrom = instant }
    }
    leaveOut(reminder, at: instant, moment, into: &effects)
    return false
  }

  /// Returns the number of further requests that the system can hold.
  private mutating func room(at now: Instant) -> Int {
    let room = memory.pass?.room ?? pendingCapacity - pendingCount(at: now)
    if memory.pass?.fullFrom != nil { memory.pass?.room = room }
    return room
  }

  private mutating func changeRoom(by count: Int) {
    if let room = memory.pass?.room { memory.pass?.room = room + count }
  }

  /// Keeps room for the requests that quiet hours defer.
  package mutating func keepRoom(
    forReleases count: Int, at moment: Moment, into effects: inout [EngineEffect]
  ) {
    if count == releasesPending { return }
    releasesPending = count
    makeRoomForOthers(at: moment, into: &effects)
  }

  /// Gives up the latest pending requests until there is room for requests that cannot be left out.
  ///
  /// Repeating requests are given up last.
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
    if let entry = ledgers[reminder].occurrences?.pending.first(where: { $0.id == pending.request }) {
      takeOut([entry], of: reminder, at: moment)
      ledgers[reminder].occurrences?.reconsider(from: entry.at)
      let key = ReconciliationPass.Key(reminder: reminder, source: .occurrences)
      memory.pass?.wanted[key]?.lacksRoom = true
    } else if let stage = persisted.openMatches.take(pending.request) {
      forgetMatch(of: reminder, on: stage.day, at: moment)
      ledgers[reminder].lapse?.isIncomplete = true
    } else {
      _ = ledgers[reminder].repetitions?.remove(pending.request)
      wishToRepeat(reminder, at: instant, into: &effects)
    }
    if instant > moment.wall { changeRoom(by: 1) }
    leaveOut(reminder, at: instant, moment, into: &effects)
  }

  // MARK: Occurrences without room

  /// Leaves out an occurrence for which there is no room. Each occurrence is reported once.
  private mutating func leaveOut(
    _ reminder: ReminderID, at instant: Instant, _ moment: Moment, into effects: inout [EngineEffect]
  ) {
    memory.fullUntil = .distantPast
    if isLeftOut(reminder, before: instant, now: moment.wall) { return }
    ledgers[reminder].leftOut = instant
    memory.leftOutOrder.insert(ranked(reminder, at: instant))
    effects.append(.noRequest(reminder, .pendingLimit, failed: []))
  }

  /// Returns whether the lack of room was already reported for this occurrence, or for an earlier one that
  /// has not passed yet.
  private func isLeftOut(_ reminder: ReminderID, before instant: Instant, now: Instant) -> Bool {
    ledgers[reminder].leftOut.map { $0 <= instant && $0 > now } ?? false
  }

  /// Requests the left-out occurrences for which there is now room.
  ///
  /// - Complexity: O(log *n*) for each occurrence that is requested or has passed, where *n* is the number of
  ///   left-out occurrences.
  mutating func fillUp(after event: ObservedEvent, into effects: inout [EngineEffect]) {
    let (now, moment) = (event.moment.wall, event.moment)
    // Only the app's own events and the passage of time can free room.
    if event.kind.isOutside && now < memory.fullUntil || !mayFillUp(at: now) { return }
    reconcileInOrder(at: moment, into: &effects) { engine, effects in
      for reminder in engine.leftOutToTry(at: now) {
        engine.reconcileAll(of: reminder, at: moment, into: &effects)
        let isLate = engine.ledgers[reminder].leftOut.map { $0 <= now } ?? false
        // Retry these occurrences only once. A further lack of room is reported again.
        if isLate || engine.ledgers[reminder].lapse != nil { engine.ledgers[reminder].leftOut = nil }
      }
    }
    memory.fullUntil = pending(after: now).map(\.due.at).min() ?? .distantPast
  }

  /// Returns the reminders to retry. If all requests have room, these are the reminders with a left-out
  /// occurrence. Otherwise they are the reminders whose left-out occurrence has passed.
  ///
  /// In that case, schedules with a new delivery are included too. Otherwise left-out occurrences that are
  /// due later would be requested before the next occurrence of such a schedule.
  private mutating func leftOutToTry(at now: Instant) -> [ReminderID] {
    guard isTight else { return ledgers.reminders(.leftOut).sorted() }
    var reminders = ledgers.ledgers(.pending).compactMap(\.occurrences?.pending.first)
      .filter { $0.at <= now }.map(\.id.reminder)
    while let first = firstLeftOut(), first.at <= now {
      memory.leftOutOrder.removeFirst()
      reminders.append(first.reminder)
    }
    return reminders.sorted()
  }

  private mutating func firstLeftOut() -> RankedOccurrence? {
    memory.leftOutOrder.first(of: ledgers, rank: program.rank)
  }

  /// Returns whether any left-out occurrence can be requested now.
  private mutating func mayFillUp(at now: Instant) -> Bool {
    guard isTight else { return true }
    return firstLeftOut().map { mayHaveRoom(for: $0, at: now) } ?? false
  }

  /// Returns whether a left-out occurrence has passed, or has room. Giving up a later request counts as room.
  private mutating func mayHaveRoom(for leftOut: RankedOccurrence, at now: Instant) -> Bool {
    leftOut.at <= now || room(at: now) > 0 || latestPending(at: now).map { leftOut < $0.due } ?? false
  }

  // MARK: Pending requests

  private mutating func pendingCount(at now: Instant) -> Int {
    // `releasesPending` is the number of deferred requests.
    var count = releasesPending + pendingStages(at: now).count
    count += ledgers.ledgers(.snoozed).count { $0.snooze.map { $0.until > now } ?? false }
    for ledger in ledgers.ledgers(.pending) {
      count += ledger.occurrences?.pending.count { $0.at > now && !$0.isDeferred } ?? 0
      count += ledger.repetitions?.entries.count ?? 0
    }
    return count
  }

  /// A request that the system holds.
  private struct Pending: Comparable {
    var due: RankedOccurrence
    var request: RequestID

    static func < (a: Self, b: Self) -> Bool { (a.due, a.request) < (b.due, b.request) }
  }

  private func pending(_ request: RequestID, at instant: Instant) -> Pending {
    Pending(due: ranked(request.reminder, at: instant), request: request)
  }

  /// Returns the undelivered stages and occurrences.
  private mutating func pending(after now: Instant) -> [Pending] {
    let stages = pendingStages(at: now).map { pending($0.request, at: $0.deliverAt) }
    return ledgers.ledgers(.pending).reduce(into: stages) { result, ledger in
      for entry in ledger.occurrences?.pending ?? [] where entry.at > now && !entry.isDeferred {
        result.append(pending(entry.id, at: entry.at))
      }
    }
  }

  private mutating func latestPending(at now: Instant) -> Pending? { pending(after: now).max() }

  /// Returns the repeating request with the latest due time, or `nil` if there is none.
  private func latestRepeating(at moment: Moment) -> Pending? {
    ledgers.ledgers(.pending).flatMap { $0.repetitions?.entries ?? [] }.map { entry in
      let next = entry.pattern.next(after: moment.wall, in: zones[moment.zone]) ?? .distantFuture
      return pending(entry.id, at: entry.first > moment.wall ? entry.first : next)
    }.max()
  }

  /// Returns the pending stages.
  ///
  /// - Complexity: O(*n*) in the number of lapses with stages that are pending or were due within the last
  ///   day.
  private mutating func pendingStages(at now: Instant) -> [OpenMatches.Entry] {
    if memory.staged == nil {
      var staged = ReminderTable<Void>()
      for reminder in program.lapsing where persisted.openMatches.hasAny(of: reminder) {
        staged[reminder] = ()
      }
      memory.staged = staged
    }
    var (stages, past) = ([OpenMatches.Entry](), [ReminderID]())
    for reminder in memory.staged?.keys.map(\.self) ?? [] {
      let isOfLapse = program.plans[Int(declarationInForce(reminder))].lapse != nil
      if isOfLapse { persisted.openMatches.append(of: reminder, dueAfter: now, to: &stages) }
      if !persisted.openMatches.mayBeDue(of: reminder, after: now) { past.append(reminder) }
    }
    for reminder in past { memory.staged?[reminder] = nil }
    // Exclude deferred stages, because their delivery instants are unknown.
    return stages.filter { !$0.isDeferred }
  }
}

extension ObservedEvent.Kind {
  /// Whether the event originates outside the app.
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

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
      if !hasRoom, let last = latestPending(), ranked(reminder, at: instant) < ranked(last) {
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
    let now = event.moment.wall
    // What tells of nothing that the system has makes no room; only time does.
    if event.kind.isOutside && now < memory.fullUntil || !mayFillUp(at: now) { return }
    inOrderOfTime(at: event.moment, withLeftOut: true, into: &effects) { engine, effects in
      for reminder in engine.leftOutToTry(at: now) {
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

  /// Of what is left out all that may find room beside what is due next: where there is too little for all, what is
  /// not an occurrence of a schedule, and what has passed.
  private mutating func leftOutToTry(at now: Instant) -> [ReminderID] {
    guard isTight else { return notebook.leftOut.keys.sorted() }
    var reminders = (lapsing + program.repeating).filter { notebook.leftOut[$0] != nil }
    while let first = firstLeftOut(), first.at <= now {
      memory.leftOutOrder.removeFirst()
      reminders.append(first.reminder)
    }
    return Set(reminders).sorted()
  }

  private mutating func firstLeftOut() -> RankedOccurrence? {
    memory.leftOutOrder.first(of: notebook.leftOut, rank: program.rank)
  }

  /// Whether there is room for anything that was left out, or would be if something later were given up.
  private mutating func mayFillUp(at now: Instant) -> Bool {
    guard isTight, pendingCount(at: now) >= pendingCapacity, let last = latestPending() else { return true }
    return firstLeftOut().map { $0.at <= now || $0 < ranked(last) } ?? false
  }

  /// Lets the body replenish schedules, and does it when all are known, what is due next first.
  ///
  /// - Parameter withLeftOut: And those that are left out, as long as there is room.
  mutating func inOrderOfTime(
    at moment: Moment, withLeftOut: Bool = false, into effects: inout [EngineEffect],
    _ body: (inout Self, inout [EngineEffect]) -> Void
  ) {
    guard isTight, memory.batch == nil else { return body(&self, &effects) }
    memory.batch = []
    body(&self, &effects)
    var reminders = memory.batch ?? []
    memory.batch = nil
    var looks: [ReminderID: Lookahead] = [:]
    var queue = MinHeap<RankedOccurrence>()
    func begin(_ reminder: ReminderID, _ engine: inout Self, into effects: inout [EngineEffect]) {
      guard looks[reminder] == nil,
        let look = engine.beginReplenishing(reminder, at: moment, into: &effects)
      else { return }
      looks[reminder] = look
      if let next = look.next { queue.insert(engine.ranked(reminder, at: next)) }
    }
    for reminder in reminders { begin(reminder, &self, into: &effects) }
    memory.fullFrom = .distantFuture
    defer { memory.fullFrom = nil }
    var leftOut: [RankedOccurrence] = []
    while true {
      if withLeftOut, let first = firstLeftOut(), !isFull(from: first.at),
        queue.first.map({ first < $0 }) ?? true
      {
        memory.leftOutOrder.removeFirst()
        leftOut.append(first)
        begin(first.reminder, &self, into: &effects)
        continue
      }
      guard let next = queue.popFirst() else { break }
      guard var look = looks[next.reminder] else { continue }
      if isFull(from: next.at), look.left > 0, isLeftOut(next.reminder, before: next.at, now: moment.wall) {
        look.isCutShort = true
      } else if lookAhead(&look, at: moment, into: &effects), let next = look.next {
        queue.insert(ranked(look.reminder, at: next))
      }
      looks[next.reminder] = look
    }
    reminders += leftOut.map(\.reminder).sorted()
    for reminder in reminders {
      if let look = looks.removeValue(forKey: reminder) { endReplenishing(look, at: moment, into: &effects) }
    }
    for occurrence in leftOut where notebook.leftOut[occurrence.reminder] == occurrence.at {
      memory.leftOutOrder.insert(occurrence)
    }
  }

  /// Whether there is no room for what is due at an instant or later.
  private func isFull(from instant: Instant) -> Bool { memory.fullFrom.map { instant >= $0 } ?? false }

  /// An occurrence among those of others: see ``RankedOccurrence``.
  private func ranked(_ reminder: ReminderID, at instant: Instant) -> RankedOccurrence {
    RankedOccurrence(at: instant, rank: program.rank(of: reminder), reminder: reminder)
  }

  private func ranked(_ entry: HandedOver.Entry) -> RankedOccurrence { ranked(entry.id.reminder, at: entry.at) }

  // MARK: What is pending

  private func pendingCount(at now: Instant) -> Int {
    var count = releasesPending + notebook.snoozes.values.count(where: { $0.until > now })
    for pending in notebook.handedOver.pending { count += pending.count { $0.at > now } }
    for standing in notebook.standing.values { count += standing.entries.count }
    for reminder in lapsing { count += notebook.openMatches.count(of: reminder, dueAfter: now) }
    return count
  }

  private func latestPending() -> HandedOver.Entry? {
    notebook.handedOver.pending.compactMap(\.last).max { ranked($0) < ranked($1) }
  }

  private func firstPending(after now: Instant) -> Instant {
    notebook.handedOver.pending.compactMap { $0.first { $0.at > now }?.at }.min() ?? .distantPast
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

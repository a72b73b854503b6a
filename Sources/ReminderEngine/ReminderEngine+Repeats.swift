import CivilTime
import ReminderMatching
import TriggerModel

/// What the system repeats by itself: handed over once, its conditions looked at as for its first time.
extension ReminderEngine {
  /// Hands over what does not stand yet; where that comes to nothing, the app asks to be woken at the occurrence
  /// that is missed so, and tries again for those after it.
  mutating func planRepeats(
    _ reminder: ReminderID, at moment: Moment, into effects: inout [EngineEffect]
  ) {
    guard isKnown(reminder), !notebook.cancelled.contains(reminder), notebook.snoozes[reminder] == nil else {
      return
    }
    guard let repetition = program.plans[Int(declarationInForce(reminder))].repetition,
      memory.round.wishes[reminder] == nil
    else { return }
    let standing = notebook.standing[reminder] ?? StandingRequests()
    if standing.isTakenBack { return }
    forgetFailures(of: reminder) { $0 <= moment.wall }
    var wish = Instant.distantFuture
    for (number, pattern) in repetition.patterns.enumerated() where !standing.has(pattern) {
      let first = repetition.first(of: pattern, after: moment.wall, in: zones[moment.zone])
      guard let first else { continue }
      let isLost = pattern.span == nil && first <= standing.lostTo && !hasFailed(reminder, for: first)
      if isLost || hasJustFailed(reminder, at: moment) {
        wish = min(wish, first)
      } else if memory.round.isOpen {
        memory.round.turns.insert(.init(occurrence: ranked(reminder, at: first), part: .repetition(number)))
      } else if !handOver(pattern: number, of: reminder, from: first, at: moment, into: &effects) {
        wish = min(wish, first)
      }
    }
    if memory.round.isOpen {
      memory.round.wishes[reminder] = wish
    } else {
      keepStanding(wishing: wish, of: reminder, into: &effects)
    }
  }

  /// - Returns: Whether it was handed over.
  mutating func handOver(
    pattern number: Int, of reminder: ReminderID, from first: Instant, at moment: Moment,
    into effects: inout [EngineEffect]
  ) -> Bool {
    let declaration = declarationInForce(reminder)
    let plan = program.plans[Int(declaration)]
    forgetFailures(of: reminder) { $0 == first }
    guard let pattern = plan.repetition?.patterns[number],
      let entry = handOver(first, declaration, plan, repeats: pattern, at: moment, into: &effects)
    else { return false }
    var standing = notebook.standing[reminder] ?? StandingRequests()
    standing.add(StandingRequests.Entry(id: entry.id, pattern: pattern, first: first))
    notebook.standing[reminder] = standing
    return true
  }

  /// - Parameter wish: When the app is to be woken to try again what does not stand.
  mutating func keepStanding(
    wishing wish: Instant, of reminder: ReminderID, into effects: inout [EngineEffect]
  ) {
    keep(notebook.standing[reminder] ?? StandingRequests(), wishing: wish, of: reminder, into: &effects)
  }

  private mutating func keep(
    _ standing: StandingRequests, wishing wish: Instant, of reminder: ReminderID,
    into effects: inout [EngineEffect]
  ) {
    var standing = standing
    if standing.wish != .distantFuture || wish != .distantFuture {
      effects.append(.wake(reminder, at: wish))
      standing.wish = wish
    }
    if notebook.standing[reminder] != standing { notebook.standing[reminder] = standing }
  }

  /// A request that the system was to repeat was denied, refused or dropped.
  mutating func undoStanding(
    _ request: RequestID, _ isFailure: Bool = false, at moment: Moment, into effects: inout [EngineEffect]
  ) {
    let reminder = request.reminder
    guard let entry = notebook.standing.change(reminder, { $0.remove(request) }) ?? nil,
      var standing = notebook.standing[reminder]
    else { return }
    let next = entry.pattern.next(after: moment.wall, in: zones[moment.zone]) ?? .distantFuture
    let missed = entry.first > moment.wall ? entry.first : next
    if isFailure { failed(reminder, for: missed, at: moment) } else { standing.lost(missed) }
    keep(standing, wishing: min(standing.wish, missed), of: reminder, into: &effects)
  }

  /// The system has thrown away what it was to repeat.
  mutating func loseRepeats(at moment: Moment, into effects: inout [EngineEffect]) {
    for reminder in program.repeating {
      for entry in notebook.standing[reminder]?.entries ?? [] {
        undoStanding(entry.id, at: moment, into: &effects)
      }
    }
  }

  /// The person took back all that is pending: nothing is repeated until the app is opened again.
  mutating func repeatsTakenBack(into effects: inout [EngineEffect]) {
    for reminder in program.repeating {
      guard var standing = notebook.standing[reminder] else { continue }
      for entry in standing.entries { effects.append(.remove(entry.id, .cancelled)) }
      standing.removeAll()
      standing.isTakenBack = true
      keep(standing, wishing: .distantFuture, of: reminder, into: &effects)
    }
  }

  /// The app was opened: what the person had taken back comes back.
  mutating func restoreRepeats(at moment: Moment, into effects: inout [EngineEffect]) {
    for reminder in program.repeating {
      if notebook.standing[reminder]?.isTakenBack ?? false {
        notebook.standing.change(reminder) { $0.isTakenBack = false }
        notebook.standing.change(reminder) { $0.forgetLosses() }
      }
      planRepeats(reminder, at: moment, into: &effects)
    }
  }
}

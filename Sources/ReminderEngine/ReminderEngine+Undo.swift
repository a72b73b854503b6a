import CivilTime
import ReminderMatching
public import TriggerModel

/// Requests that come to nothing. A match is kept only if its request is admitted, or held: otherwise its
/// reminder waits as before that match, and is looked at again when its next trigger comes, not before.
extension ReminderEngine {
  /// Takes note of what the scheduler said to requests: of `decided`, `dropped` and `remove`. What the
  /// person cancelled, and what another request takes the place of, is not given back.
  public mutating func settled(
    _ answers: [EngineEffect], at moment: Moment, into effects: inout [EngineEffect]
  ) {
    var lost: [RequestID] = []
    swap(&lost, &memory.lost)
    var failed: [RequestID] = []
    for answer in answers {
      switch answer {
      case .decided(let request, let decision):
        switch decision.outcome {
        case .deny:
          lost.append(request.id)
          if decision.reason == .lapseCap {
            notebook.handedOver.change(request.id.reminder) { $0.isLostToLapse = true }
          }
        case .fail: failed.append(request.id)
        case .defer: putOff(request.id, at: moment, into: &effects)
        case .admit:
          if request.deliverAt <= moment.wall { matcher.wasShown(request.id) }
          // It was held.
          if request.isRelease(at: moment) {
            if notebook.isDeferredSnooze(request.id) {
              notebook.deferredSnoozes.change(request.id.reminder) { $0.deliverAt = request.deliverAt }
            }
            let delivery = max(request.deliverAt, moment.wall)
            keepMatch(of: request.id, until: delivery + NotificationRequest.confirmationTime)
          }
        }
      case .dropped(let request, let reason) where !reason.isChosen: lost.append(request.id)
      // It is held again.
      case .remove(let request, .quietHours): putOff(request, at: moment, into: &effects)
      case .remove(let request, let reason) where !reason.isChosen:
        if reason == .userDisabled { keepForbidden(request, at: moment) }
        lost.append(request)
      case .dropped, .remove, .request, .noRequest, .add, .withdraw, .monitor, .unmonitor, .watch, .unwatch,
        .wake,
        .wakeForRelease, .persist, .storeUnusable:
        break
      }
    }
    undo(lost, at: moment, into: &effects)
    undo(failed, isFailure: true, at: moment, into: &effects)
    lost.removeAll(keepingCapacity: true)
    swap(&lost, &memory.lost)
    finish(into: &effects)
  }

  /// Takes back a request that nobody was told of, because the app could not act on it: its reminder waits
  /// as if the trigger had not come, or as it did before a snooze asked again.
  public mutating func takeBack(_ request: NotificationRequest, at moment: Moment) {
    let reminder = request.id.reminder
    matcher.uncountOccurrence(of: reminder)
    if notebook.snoozes[reminder] != nil { return }
    if let entry = notebook.handedOver.change(reminder, { $0.remove(request.id) }) ?? nil {
      forgetMatch(of: reminder, on: entry.day, at: moment)
      notebook.handedOver.change(reminder) { $0.lookAgain() }
    }
    undoMatches([request.id], at: moment)
  }

  /// The latest request of a reminder that may still come to nothing, occurrences handed over apart.
  package func openRequest(of reminder: ReminderID) -> RequestID? {
    notebook.openMatches.latest(of: reminder)
  }

  /// Whether a reminder asks for notifications before their time.
  package func preschedules(_ reminder: ReminderID) -> Bool {
    isKnown(reminder) && program.plans[Int(declarationInForce(reminder))].preschedules
  }

  /// What is handed over for a time and not delivered: the occurrence, the stage of a lapse, or what the system
  /// repeats from then on.
  package func pendingOccurrence(of reminder: ReminderID, at instant: Instant) -> RequestID? {
    notebook.handedOver[reminder]?.pending.first { $0.at == instant }?.id
      ?? notebook.standing[reminder]?.entries.first { $0.first == instant }?.id
      ?? notebook.openMatches.pending(of: reminder, at: instant)
  }

  // MARK: - Undoing

  /// Writes down what it takes to undo a match that counts for a day.
  mutating func remember(
    _ request: NotificationRequest, on day: Int32, of declaration: UInt32, at moment: Moment
  ) {
    // Of a lapse it is known what is pending, whatever it repeats: a journey may put it after its end.
    if program.plans[Int(declaration)].repeats == .always, program.plans[Int(declaration)].lapse == nil {
      return
    }
    notebook.openMatches.append(request.id, day: day, deliverAt: request.deliverAt, now: moment.wall)
    if program.plans[Int(declaration)].lapse != nil { memory.staged?[request.id.reminder] = () }
  }

  /// It is not known when a request comes. An occurrence that was handed over may come when others of its schedule have
  /// been due: they are not to wait for it.
  private mutating func putOff(
    _ request: RequestID, at moment: Moment, into effects: inout [EngineEffect]
  ) {
    if let asked = notebook.snoozes[request.reminder]?.request, asked.occurrence == request.occurrence {
      notebook.deferredSnoozes[request.reminder] = Snooze.Deferred(asked)
    }
    guard isKnown(request.reminder), !notebook.isDeferredSnooze(request) else { return }
    if notebook.handedOver.change(request.reminder, { $0.putOff(request, until: .distantFuture) }) ?? false {
      wishUnlessFollowed(for: request.reminder, at: moment, into: &effects)
    } else {
      // Of what waits for no other turn nothing was written down when it asked.
      notebook.openMatches.putOff(request, day: view(at: moment).date.dayNumber, now: moment.wall)
    }
  }

  /// Until then a match may come to nothing.
  private mutating func keepMatch(of request: RequestID, until instant: Instant) {
    notebook.openMatches.keep(request, from: instant)
    _ = notebook.handedOver.change(request.reminder) { $0.putOff(request, until: instant) }
  }

  /// Requests will not be delivered.
  ///
  /// - Parameter isFailure: The system did not take them, which says nothing against asking again.
  mutating func undo(
    _ requests: [RequestID], isFailure: Bool = false, at moment: Moment, into effects: inout [EngineEffect]
  ) {
    if isFailure { for request in requests { failed(ofLapseOrSnooze: request, at: moment) } }
    undoMatches(requests, at: moment)
    for request in requests {
      matcher.wasNotShown(request)
      notebook.plannedLapses.change(request.reminder) { $0.isIncomplete = true }
      undoOccurrence(request, isFailure, at: moment, into: &effects)
      undoStanding(request, isFailure, at: moment, into: &effects)
    }
  }

  private mutating func failed(ofLapseOrSnooze request: RequestID, at moment: Moment) {
    let reminder = request.reminder
    guard isKnown(reminder) else { return }
    let asked = notebook.snoozes[reminder]?.request?.occurrence
    if asked == request.occurrence || notebook.isDeferredSnooze(request) {
      snoozeFailed(reminder, at: moment)
    }
    guard program.plans[Int(declarationInForce(reminder))].lapse != nil,
      let stage = notebook.openMatches.take(request)
    else { return }
    forgetMatch(of: reminder, on: stage.day, at: moment)
    if stage.keptFrom != .distantPast && stage.keptFrom != .distantFuture {
      failed(reminder, for: stage.deliverAt, at: moment)
    }
  }

  mutating func undoMatches(_ requests: [RequestID], at moment: Moment) {
    // Of each reminder the latest first.
    let ordered = requests.count > 1 ? requests.sorted(by: >) : requests
    for request in ordered {
      guard let entry = notebook.openMatches.take(request) else { continue }
      forgetMatch(of: request.reminder, on: entry.day, at: moment)
    }
  }

  /// Whether it is a reminder's that waits for another turn after a match.
  private func repeats(_ reminder: ReminderID) -> Bool {
    isKnown(reminder) && program.plans[Int(declarationInForce(reminder))].repeats != .always
  }

  /// An occurrence handed over will not be delivered: its schedule goes on after those that are pending.
  private mutating func undoOccurrence(
    _ request: RequestID, _ isFailure: Bool, at moment: Moment, into effects: inout [EngineEffect]
  ) {
    let reminder = request.reminder
    guard let entry = notebook.handedOver.change(reminder, { $0.remove(request) }) ?? nil else { return }
    forgetMatch(of: reminder, on: entry.day, at: moment)
    if isFailure, entry.at > moment.wall {
      failed(reminder, for: entry.at, at: moment)
    } else {
      notebook.handedOver.change(reminder) { $0.lost(entry.at) }
    }
    // Those after it were passed over because the reminder had had its turn.
    if repeats(reminder) { notebook.handedOver.change(reminder) { $0.lookAgainAfterLosses() } }
    wishUnlessFollowed(for: reminder, at: moment, into: &effects)
  }

  /// After occurrences of a schedule were lost or put off, nothing may bring it up again in time.
  mutating func wishUnlessFollowed(
    for reminder: ReminderID, at moment: Moment, into effects: inout [EngineEffect]
  ) {
    guard notebook.snoozes[reminder] == nil, !notebook.cancelled.contains(reminder),
      let ahead = notebook.handedOver[reminder]
    else { return }
    wish(for: reminder, toLookAgainAt: max(lookedTo(ahead, of: reminder), moment.wall), into: &effects)
  }

  /// The last occurrence that was looked at, or is to be asked for again.
  func lookedTo(_ ahead: HandedOver, of reminder: ReminderID) -> Instant {
    notebook.failed.isEmpty
      ? ahead.lookedTo : max(ahead.lookedTo, notebook.failed[reminder]?.times.last ?? .distantPast)
  }

  /// A match is as if it had not been: in its period its reminder may match again.
  mutating func forgetMatch(of reminder: ReminderID, on day: Int32, at moment: Moment) {
    matcher.revertMatch(day, declarationInForce(reminder))
    waitAgain(reminder, at: moment)
  }

  /// A reminder waits as its matches say: not if it is spent or expired, and in a period in which it
  /// has matched for the next. One that is put off or taken back goes on being so.
  mutating func waitAgain(_ reminder: ReminderID, at moment: Moment) {
    if notebook.cancelled.contains(reminder) || notebook.snoozes[reminder] != nil { return }
    let declaration = declarationInForce(reminder)
    // No copy of the plan, which counts a reference for each of its lists: this runs for every denied request.
    let expires = program.plans[Int(declaration)].expires
    let today = view(at: moment).date
    let hasMatched = matcher.hasMatched(declaration, inPeriodOf: today)
    let isOver = expires <= moment.wall
    note(reminder, isOver: isOver, expires)
    let isSpent = program.plans[Int(declaration)].repeats == .once && hasMatched || isOver
    matcher.bring(declaration, to: today)
    matcher.setWaiting(declaration, live: !isSpent && !hasMatched, armed: !isSpent)
  }

  /// Writes down whether a reminder has expired; after its clock was set back it will once more.
  private mutating func note(_ reminder: ReminderID, isOver: Bool, _ expires: Instant) {
    if isOver == (notebook.expired[reminder] != nil) { return }
    if isOver {
      notebook.expired[reminder] = expires
    } else {
      notebook.expired[reminder] = nil
      notebook.deadlines.insert(Deadline(at: expires, reminder: reminder, kind: .expiry))
    }
  }
}

extension NotificationRequest {
  /// Whether it comes later than its time: it was put off.
  package func isRelease(at now: Moment) -> Bool { scheduledFor < max(deliverAt, now.wall) }
}

extension Reason {
  /// The person or the app itself wanted it so.
  fileprivate var isChosen: Bool { self == .cancelled || self == .superseded }
}

package import CivilTime
import DeviceSimulation
package import TriggerModel

/// Matches the requests that each reminder made with those that were due.
///
/// A request is matched with the latest unanswered due request. It may also be matched with a due request
/// that is recorded later in the same instant, because the order within an instant has no meaning.
///
/// A request that was scheduled ahead is matched when its occasion is due. If it is cancelled or the run ends
/// before that, the request remains unmatched, but it is not unfounded.
///
/// If a due request was missed because a fact was unreadable, it stays missed, even if a request is made
/// after the fact becomes readable. There are two exceptions: a trigger that the platform reported late, and
/// a trigger that is the change of the fact itself.
package struct DueLedger: Sendable {
  /// A request that was made although nothing was due.
  private struct Unfounded: Sendable {
    var instant: Instant
    /// The request, or `nil` if no delivery can follow.
    var request: RequestID?
    var isDelivered = false
    var isBlind = false
    /// Whether the request had already ended before the app restored an old stored state that contains it.
    var isRevived = false
    /// Whether the observations of the engine under test did not call for the request.
    var isUncalledFor = false
  }

  /// The time for which a request is scheduled, which identifies the request's occasion.
  private enum Occasion: Hashable {
    /// A local time, independent of the phone's zone.
    case local(LocalTime)
    /// A wall-clock instant, independent of the phone's zone, such as a time span after an event.
    case instant(Instant)
    /// The end of a length of time, independent of the phone's clock. It is an instant of simulation time.
    case elapsed(Instant)
  }

  /// The requests that a reminder scheduled ahead for one occasion.
  private struct Planned: Sendable {
    /// The requests, at least one. The same identifier may occur twice, because numbers restart if the stored
    /// state is lost.
    var requests: [RequestID]
    /// The number of requests that were delivered before the occasion was due.
    var delivered = 0
    var isBlind: Bool

    var hasPending: Bool { delivered < requests.count }
  }

  /// The requests that one reminder scheduled ahead.
  private struct Plans: Sendable {
    /// The occasions that have not been due yet.
    var open: [Occasion: Planned] = [:]
    /// For each request, its occasions in ``open``, with the latest one last.
    var times: [RequestID: [Occasion]] = [:]
    /// The occasions that were due and had more than one request. The additional requests are superfluous.
    var duplicates: [Planned] = []
    /// The requests that the observations of the engine under test did not call for.
    var uncalledFor: Set<RequestID> = []
    /// The occasions of requests that were due and are not delivered yet.
    private var due: [RequestID: Due] = [:]
    /// The requests that were lost before their occasions were due.
    private var lostBefore: Set<RequestID> = []
    /// The due occasions with lost requests.
    private var lost: [Due] = []
    /// The number of requests that were lost and made again.
    private var madeAgain = 0

    /// A due occasion.
    struct Due: Sendable {
      var time: Instant
      var occasion: DueTime
    }

    mutating func insert(_ request: RequestID, for time: Occasion, isBlind: Bool) {
      open[time, default: Planned(requests: [], isBlind: isBlind)].requests.append(request)
      times[request, default: []].append(time)
    }

    /// Marks an occasion as due.
    ///
    /// - Returns: Whether it was planned.
    mutating func answer(_ time: Occasion, _ due: Due) -> Bool {
      guard let planned = open.removeValue(forKey: time) else { return false }
      for request in planned.requests {
        forget(time, of: request)
        if lostBefore.remove(request) != nil { lost.append(due) } else { self.due[request] = due }
      }
      if planned.requests.count > 1 { duplicates.append(planned) }
      return true
    }

    func isOpen(_ request: RequestID) -> Bool { times[request] != nil }

    /// Records that the system or the app ended a request, so that its occasion may be requested again.
    mutating func lose(_ request: RequestID) {
      if let due = due.removeValue(forKey: request) {
        lost.append(due)
      } else if isOpen(request) {
        lostBefore.insert(request)
      }
    }

    /// Returns the due occasion of a lost request that is made again for a time.
    mutating func makeAgain(for time: Instant) -> DueTime? {
      guard let index = lost.lastIndex(where: { $0.time == time }) else { return nil }
      madeAgain += 1
      return lost.remove(at: index).occasion
    }

    mutating func delivered(_ request: RequestID) {
      due[request] = nil
      if let time = times[request]?.last {
        if open[time]?.hasPending ?? false { open[time]?.delivered += 1 }
      } else if let index = pendingDuplicate(request) {
        duplicates[index].delivered += 1
      }
    }

    private func pendingDuplicate(_ request: RequestID) -> Int? {
      duplicates.lastIndex { $0.requests.contains(request) && $0.hasPending }
    }

    /// The number of superfluous deliveries.
    var superfluous: Int { duplicates.reduce(0) { $0 + max(0, $1.delivered - 1) } }

    private mutating func forget(_ time: Occasion, of request: RequestID) {
      guard let index = times[request]?.lastIndex(of: time) else { return }
      times[request]?.remove(at: index)
      if times[request]?.isEmpty ?? false { times[request] = nil }
    }

    /// Removes a request that was not delivered yet.
    ///
    /// - Returns: Whether it was removed. A request is not removed if it answered a due occasion or was
    ///   delivered.
    mutating func remove(_ request: RequestID) -> Bool {
      guard let time = times[request]?.last, let planned = open[time] else {
        guard let index = pendingDuplicate(request) else { return false }
        duplicates[index].requests.removeLast()
        if duplicates[index].requests.count < 2 { duplicates.remove(at: index) }
        return true
      }
      if !planned.hasPending { return false }
      forget(time, of: request)
      if let index = planned.requests.lastIndex(of: request) { open[time]?.requests.remove(at: index) }
      if planned.requests.count == 1 { open[time] = nil }
      return true
    }

    var early: Int {
      open.values.reduce(0) { $0 + $1.requests.count - $1.delivered }
        + duplicates.reduce(0) { $0 + $1.requests.count - 1 } - requestedTwice + madeAgain
    }

    /// The number of additional requests for due occasions that the observations of the engine under test did
    /// not call for.
    private var requestedTwice: Int {
      duplicates.reduce(0) { $0 + min($1.requests.count { uncalledFor.contains($0) }, $1.requests.count - 1) }
    }

    /// The number of deliveries for occasions that were not due, and how many of them had an unreadable fact
    /// or were not called for.
    var unfounded: (count: Int, blind: Int, uncalledFor: Int) {
      open.values.reduce(into: (count: requestedTwice, blind: 0, uncalledFor: requestedTwice)) {
        counts, planned in
        counts.count += planned.delivered
        if planned.requests.contains(where: { uncalledFor.contains($0) }) {
          counts.uncalledFor += planned.delivered
        } else if planned.isBlind {
          counts.blind += planned.delivered
        }
      }
    }
  }

  /// For each reminder, the due requests that have not been answered by a request.
  private var open: [DueStack]
  /// For each reminder, the unfounded requests, with the latest one last.
  private var unfounded: [[Unfounded]]
  /// For each reminder, the earlier due request that was matched with a request at the instant
  /// ``answeredAt``, and the position that it had.
  private var answered: [ReminderID: [(due: DueRequest, position: Int)]] = [:]
  private var answeredAt = Instant.distantPast
  /// For each reminder, the requests that were scheduled ahead.
  private var planned: [Plans]
  /// For each reminder, whether its next occurrence did not fit into the last plan.
  private var isLeftOut: [Bool]
  /// For each reminder, the reason why its repeating request was lost, or `nil` if it was not lost.
  private var repeatLoss: [Reason?]
  /// The requests that the system repeats after a span.
  private var spans: Set<RequestID> = []
  /// The facts whose changes the app observed late at the given instant.
  private var lateFacts: (instant: Instant, facts: [UInt32]) = (.distantPast, [])
  private let zones: ZoneTable

  package init(reminderCount: Int, zones: ZoneTable) {
    open = Array(repeating: DueStack(), count: reminderCount)
    unfounded = Array(repeating: [], count: reminderCount)
    planned = Array(repeating: Plans(), count: reminderCount)
    isLeftOut = Array(repeating: false, count: reminderCount)
    repeatLoss = Array(repeating: nil, count: reminderCount)
    self.zones = zones
  }

  /// Records that a request is due.
  ///
  /// - Parameters:
  ///   - time: The wall-clock instant for which the request is due.
  ///   - isBlind: Whether a fact of the reminder is unreadable.
  /// - Returns: The reason why no request will be made, or `nil` if there is none or it is not known yet.
  package mutating func due(
    _ reminder: ReminderID, for time: Instant, at instant: Instant, _ moment: Moment,
    because event: ObservedEvent, _ signal: SignalLedger.Entry?, isBlind: Bool
  ) -> Reason? {
    let local = zones[moment.zone].local(at: time)
    let due = Plans.Due(time: time, occasion: DueTime(instant: instant, moment: moment))
    if planned[reminder.index].answer(.local(local), due)
      || planned[reminder.index].answer(.instant(time), due)
      || planned[reminder.index].answer(.elapsed(instant + (time - moment.wall)), due)
    {
      return nil
    }
    let declined: Reason? = isLeftOut[reminder.index] ? .pendingLimit : nil
    if unfounded[reminder.index].last?.instant == instant {
      unfounded[reminder.index].removeLast()
    } else if answeredAt == instant, let older = answered[reminder]?.popLast() {
      // The request belongs to this due request of the same instant, so the earlier one is unanswered again.
      open[reminder.index].insert(older.due, at: older.position)
    } else {
      open[reminder.index].append(
        DueRequest(
          instant: instant, moment: moment, time: time, cause: event.kind,
          fact: event.kind == .factChanged ? event.subject : nil, signal: signal, isBlind: isBlind,
          declined: declined, repeatLoss: repeatLoss[reminder.index]))
      return declined
    }
    return nil
  }

  /// Records that a reminder's next occurrence did not fit into the plan.
  package mutating func leftOut(_ reminder: ReminderID) { isLeftOut[reminder.index] = true }

  /// Records that the app observed a change of a fact after it happened.
  package mutating func observedLate(of fact: UInt32, at instant: Instant) {
    if lateFacts.instant != instant { lateFacts = (instant, []) }
    lateFacts.facts.append(fact)
  }

  /// Records a request.
  ///
  /// - Parameter isBlind: Whether a fact of the reminder is unreadable.
  /// - Returns: The earlier due time with which the request is matched, if any.
  package mutating func requested(
    _ request: NotificationRequest, at instant: Instant, _ moment: Moment, isBlind: Bool
  ) -> DueTime? {
    let reminder = request.id.reminder
    guard request.scheduledFor <= moment.wall else {
      isLeftOut[reminder.index] = false
      if request.repeats?.span != nil { spans.insert(request.id) }
      let wall = request.scheduledFor
      let time: Occasion =
        if request.isElapsed {
          .elapsed(instant + (wall - moment.wall))
        } else {
          request.isFloating ? occasion(of: request.id, wall, moment) : .instant(wall)
        }
      planned[reminder.index].insert(request.id, for: time, isBlind: isBlind)
      return nil
    }
    if request.scheduledFor < moment.wall,
      let due = planned[reminder.index].makeAgain(for: request.scheduledFor)
    {
      return due
    }
    return requested(reminder, as: request.id, at: instant, isBlind: isBlind)
  }

  /// Records a request for the present instant.
  ///
  /// - Returns: The earlier due time with which the request is matched, if any.
  @discardableResult
  package mutating func requested(
    _ reminder: ReminderID, as request: RequestID? = nil, at instant: Instant, isBlind: Bool
  ) -> DueTime? {
    let late = lateFacts.instant == instant ? lateFacts.facts : []
    let answered = open[reminder.index].removeLast {
      $0.canBeAnswered(at: instant, isBlind: isBlind, late)
    }
    guard let (due, position) = answered else {
      unfounded[reminder.index].append(Unfounded(instant: instant, request: request, isBlind: isBlind))
      return nil
    }
    if due.instant != instant { note(due, position, of: reminder, at: instant) }
    if due.instant >= instant { return nil }
    return DueTime(instant: due.instant, moment: due.moment, isWithheld: due.isWithheld)
  }

  /// Records that the engine under test did not make a request that its observations called for. A later
  /// request may still answer the due one.
  ///
  /// The due request is the one of the same time. An event that the app observed late concerns the latest due
  /// request, as a request would.
  package mutating func withheld(
    _ reminder: ReminderID, for time: Instant, because event: ObservedEvent.Kind, at instant: Instant
  ) {
    func isMeant(_ due: DueRequest) -> Bool { due.time == time && !due.isWithheld }
    var found = open[reminder.index].removeLast(where: isMeant)
    if found == nil, ![.woken, .delivered].contains(event) {
      found = open[reminder.index].removeLast {
        !$0.isWithheld && $0.canBeAnswered(at: instant, isBlind: false, [])
      }
    }
    guard let (due, position) = found else { return }
    var withheld = due
    withheld.isWithheld = true
    open[reminder.index].insert(withheld, at: position)
  }

  /// Records that the observations of the engine under test did not call for a request.
  package mutating func uncalledFor(_ id: RequestID) {
    let reminder = id.reminder.index
    if let index = unfounded[reminder].lastIndex(where: { $0.request == id }) {
      unfounded[reminder][index].isUncalledFor = true
    } else {
      planned[reminder].uncalledFor.insert(id)
    }
  }

  private mutating func note(_ due: DueRequest, _ position: Int, of reminder: ReminderID, at instant: Instant)
  {
    if answeredAt != instant { answered = [:] }
    answeredAt = instant
    answered[reminder, default: []].append((due, position))
  }

  /// Records that a repeating request was made or continues.
  package mutating func repeatingRequestContinues(_ reminder: ReminderID) {
    repeatLoss[reminder.index] = nil
  }

  /// Records that a repeating request was denied or lost. No occurrence follows until another request is
  /// made.
  package mutating func repeatingRequestLost(_ reminder: ReminderID, because reason: Reason) {
    repeatLoss[reminder.index] = reason
  }

  /// Records the next occurrence of a repeating request. If the phone is off when the occurrence is due, the
  /// system continues once the phone is turned on.
  package mutating func repeated(
    _ id: RequestID, for occurrence: Instant, _ moment: Moment, isBlind: Bool
  ) {
    let reminder = id.reminder.index
    let time = occasion(of: id, occurrence, moment)
    let answered = open[reminder].removeLast {
      time == .instant($0.time) || time == .local(zones[$0.moment.zone].local(at: $0.time))
    }
    if answered == nil { planned[reminder].insert(id, for: time, isBlind: isBlind) }
  }

  /// Records that a repeating request was rescheduled.
  package mutating func moved(_ id: RequestID, to occurrence: Instant, _ moment: Moment, isBlind: Bool) {
    guard planned[id.reminder.index].isOpen(id), planned[id.reminder.index].remove(id) else { return }
    repeated(id, for: occurrence, moment, isBlind: isBlind)
  }

  private func occasion(of id: RequestID, _ wall: Instant, _ moment: Moment) -> Occasion {
    spans.contains(id) ? .instant(wall) : .local(zones[moment.zone].local(at: wall))
  }

  /// Records a delivery. A request that was scheduled ahead no longer counts as early.
  package mutating func delivered(_ id: RequestID) {
    planned[id.reminder.index].delivered(id)
    let reminder = id.reminder.index
    if let index = unfounded[reminder].lastIndex(where: { $0.request == id }) {
      unfounded[reminder][index].isDelivered = true
    }
  }

  /// Returns the number of deliveries that were superfluous, or for which nothing was due.
  package func superfluousDeliveries(_ reminder: ReminderID) -> Int {
    let planned = planned[reminder.index]
    return unfounded[reminder.index].count(where: \.isDelivered) + planned.unfounded.count
      + planned.superfluous
  }

  /// Returns the number of requests that were superfluous, ended before their time, or were lost and made again.
  package func early(_ reminder: ReminderID) -> Int { planned[reminder.index].early }

  /// Records that a later plan replaces a request.
  ///
  /// - Returns: Whether the request can be removed from the accounts. It cannot if it was already due, or was
  ///   made for the instant of its creation.
  package mutating func replaced(_ id: RequestID) -> Bool { planned[id.reminder.index].remove(id) }

  /// Records that a request ended for another reason.
  package mutating func lost(_ id: RequestID) { planned[id.reminder.index].lose(id) }

  /// Records that a request that had ended is decided again.
  package mutating func revived(_ request: RequestID, at instant: Instant) {
    unfounded[request.reminder.index].append(
      Unfounded(instant: instant, request: request, isRevived: true))
  }

  package mutating func declined(_ reminder: ReminderID, at instant: Instant, _ reason: Reason) {
    open[reminder.index].changeLast { if $0.instant == instant { $0.declined = reason } }
  }

  /// Returns the number of unfounded requests, and how many of them were made with an unreadable fact, from an
  /// old stored state, or without a reason in the observations of the engine under test.
  package func unfounded(
    _ reminder: ReminderID
  ) -> (count: Int, blind: Int, revived: Int, uncalledFor: Int) {
    let planned = planned[reminder.index].unfounded
    let requests = unfounded[reminder.index]
    let others = requests.filter { !$0.isUncalledFor }
    return (
      requests.count + planned.count, others.count { $0.isBlind } + planned.blind,
      others.count { $0.isRevived }, requests.count - others.count + planned.uncalledFor
    )
  }

  /// The reminders that have unanswered due requests.
  package var unansweredReminders: [ReminderID] {
    open.indices.filter { !open[$0].isEmpty }.map { ReminderID($0) }
  }

  /// Returns the number of unanswered due requests by cause.
  ///
  /// The causes are the platform's reasons for a missing signal, and the following:
  /// - `toldLate`: the app observed the event too late.
  /// - `readingDenied`: a fact was unreadable.
  /// - `notWoken`: the app was not running at a scheduled time.
  /// - `conditionUnseen`: the app observed the trigger, but not the change of a condition.
  ///
  /// The reasons for which an engine knowingly made no request, and `notRequested`, are counted separately.
  package func unanswered(
    _ reminder: ReminderID, _ signals: SignalLedger
  ) -> (notObserved: [String: Int], notRequested: [String: Int]) {
    var counts: (notObserved: [String: Int], notRequested: [String: Int]) = ([:], [:])
    for due in open[reminder.index].all {
      let cause = cause(of: due, signals)
      switch cause {
      case .declined, .repeatingRequestLost, .notRequested: counts.notRequested[cause.name, default: 0] += 1
      case .notObserved, .notWoken: counts.notObserved[cause.name, default: 0] += 1
      }
    }
    return counts
  }

  /// Returns the due requests that were not made because the app did not observe the event or the engine under
  /// test did not request them, with the cause. Requests that the engine declined are excluded.
  ///
  /// - Returns: The requests in chronological order, as a lazy sequence because there may be millions.
  package func missedRequests(_ reminder: ReminderID, _ signals: SignalLedger) -> some Sequence<MissedRequest>
  {
    open[reminder.index].all.lazy.filter { declined($0) == nil }
      .map {
        MissedRequest(
          cause: cause(of: $0, signals), event: $0.cause,
          due: DueTime(instant: $0.instant, moment: $0.moment))
      }
  }

  /// Returns the reason why the engine decided not to make a request, or `nil` if it did not decide. A
  /// decision because of missing data does not count if a fact was unreadable.
  private func declined(_ due: DueRequest) -> Reason? {
    if due.isWithheld, due.declined != .pendingLimit { return nil }
    guard let declined = due.declined, !due.isBlind || ![.staleData, .lowConfidence].contains(declined) else {
      return nil
    }
    return declined
  }

  private func cause(of due: DueRequest, _ signals: SignalLedger) -> MissedRequest.Cause {
    if let declined = declined(due) { return .declined(declined) }
    if due.isWithheld, due.repeatLoss == nil { return .notRequested }
    if let cause = due.signal.flatMap(signals.cause) { return .notObserved(cause) }
    if due.isBlind { return .notObserved(MissCause.readingDenied.name) }
    if let reason = due.repeatLoss { return .repeatingRequestLost(reason) }
    return [.woken, .delivered].contains(due.cause)
      ? .notWoken : .notObserved(KnowledgeGap.conditionUnseen.rawValue)
  }
}

/// The due time of a reminder. The outcome of the request is attributed to it.
package struct DueTime: Hashable, Sendable {
  /// The instant, or `nil` if the request was scheduled ahead and its due time depends on the phone's clock.
  package var instant: Instant?
  package var moment: Moment
  /// Whether the engine under test made the request later than its observations called for it.
  package var isWithheld = false
}

/// A request that was due and not made, because the app did not observe the event or the engine under test did
/// not request it.
package struct MissedRequest: Hashable, Sendable {
  package enum Cause: Hashable, Sendable {
    /// The engine decided not to make a request.
    case declined(Reason)
    /// The app did not observe the event, or not in time: `notRunning`, `toldLate`, `readingDenied`.
    case notObserved(String)
    /// The repeating request no longer existed, for this reason.
    case repeatingRequestLost(Reason)
    /// The app was not running at a scheduled time.
    case notWoken
    /// The observations called for the request, and the engine under test did not make it.
    case notRequested
  }

  package var cause: Cause
  /// The kind of the event that triggered the reminder.
  package var event: ObservedEvent.Kind
  package var due: DueTime
}

extension MissedRequest.Cause {
  /// The name of the cause in accounts.
  package var name: String {
    switch self {
    case .declined(let reason), .repeatingRequestLost(let reason): reason.name
    case .notObserved(let name): name
    case .notWoken: KnowledgeGap.notWoken.rawValue
    case .notRequested: Reason.notRequested.name
    }
  }

  /// Whether the location permission is the cause. The notification permission has the same name in accounts.
  package var isLocationPermission: Bool { self == .notObserved(RegionSuppression.permission.name) }

  /// Whether the cause is a missing permission to observe app usage.
  package var isScreenTime: Bool {
    self == .notObserved(MissCause.screenTimeDenied.name) || self == .notObserved(MissCause.appNotChosen.name)
  }
}

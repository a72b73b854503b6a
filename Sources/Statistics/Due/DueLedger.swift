package import CivilTime
import DeviceSimulation
package import TriggerModel

/// Holds the requests that were made against those that were due, reminder by reminder: a request answers
/// the latest one that was due and is not answered; or one that becomes due at the same instant, as
/// which of both comes first within an instant means nothing.
///
/// A request that was made beforehand answers the occasion of its local time, once that is due. One whose
/// time does not come, because it was taken back or the run ended, answers nothing and is not
/// without cause either.
///
/// What was missed because a fact could not be read stays missed: a request that is made when it can be read
/// again is not the late answer to it, unless the platform told of the trigger late, or that it changed was the trigger.
package struct DueLedger: Sendable {
  /// A request that answers none that was due.
  private struct Unfounded: Sendable {
    var instant: Instant
    /// Nil where it cannot be delivered.
    var request: RequestID?
    var isDelivered = false
    var isBlind = false
    /// It had come to its end before, of which the app's store knows nothing any more.
    var isRevived = false
  }

  /// When an occasion is.
  private enum Occasion: Hashable {
    /// What the local clocks show then; the same wherever the phone is.
    case local(LocalTime)
    /// The same instant wherever the phone is, on the wall clock: a span after something, the end of a snooze.
    case instant(Instant)
  }

  /// The requests that were made beforehand for one occasion of a reminder.
  private struct Planned: Sendable {
    /// Never none; the same one may be asked for again, as numbers begin anew when what was stored is lost.
    var requests: [RequestID]
    /// So many of them were delivered; what was asked for was not due by then.
    var delivered = 0
    var isBlind: Bool

    var hasPending: Bool { delivered < requests.count }
  }

  /// What was planned for one reminder.
  private struct Plans: Sendable {
    /// Those that answer nothing so far, by their times.
    var open: [Occasion: Planned] = [:]
    /// The times of the requests in those, of each the latest last.
    var times: [RequestID: [Occasion]] = [:]
    /// The occasions that were due and for which there are several requests: each but one is beside another.
    var beside: [Planned] = []

    mutating func insert(_ request: RequestID, for time: Occasion, isBlind: Bool) {
      open[time, default: Planned(requests: [], isBlind: isBlind)].requests.append(request)
      times[request, default: []].append(time)
    }

    /// An occasion was due.
    /// - Returns: Whether it was planned.
    mutating func answer(_ time: Occasion) -> Bool {
      guard let planned = open.removeValue(forKey: time) else { return false }
      for request in planned.requests { forget(time, of: request) }
      if planned.requests.count > 1 { beside.append(planned) }
      return true
    }

    func isOpen(_ request: RequestID) -> Bool { times[request] != nil }

    mutating func delivered(_ request: RequestID) {
      if let time = times[request]?.last {
        if open[time]?.hasPending ?? false { open[time]?.delivered += 1 }
      } else if let index = pendingBeside(request) {
        beside[index].delivered += 1
      }
    }

    private func pendingBeside(_ request: RequestID) -> Int? {
      beside.lastIndex { $0.requests.contains(request) && $0.hasPending }
    }

    /// How many were delivered beside another for the same occasion.
    var excess: Int { beside.reduce(0) { $0 + max(0, $1.delivered - 1) } }

    private mutating func forget(_ time: Occasion, of request: RequestID) {
      guard let index = times[request]?.lastIndex(of: time) else { return }
      times[request]?.remove(at: index)
      if times[request]?.isEmpty ?? false { times[request] = nil }
    }

    /// - Returns: Whether taking the request out leaves nothing behind.
    mutating func remove(_ request: RequestID) -> Bool {
      guard let time = times[request]?.last, let planned = open[time] else {
        guard let index = pendingBeside(request) else { return false }
        beside[index].requests.removeLast()
        if beside[index].requests.count < 2 { beside.remove(at: index) }
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
        + beside.reduce(0) { $0 + $1.requests.count - 1 }
    }

    /// How many were delivered for an occasion that was not due, and how many of these without knowing a fact.
    var unfounded: (count: Int, blind: Int) {
      open.values.reduce(into: (count: 0, blind: 0)) { counts, planned in
        counts.count += planned.delivered
        if planned.isBlind { counts.blind += planned.delivered }
      }
    }
  }

  /// By reminder: those that are not answered.
  private var open: [DueStack]
  /// By reminder: the requests that answer nothing so far, the latest last.
  private var unfounded: [[Unfounded]]
  /// By reminder: of what was due before, what requests of the present instant were taken to answer, and where it
  /// was. Of the instant ``answeredAt``.
  private var answered: [ReminderID: [(due: Due, position: Int)]] = [:]
  private var answeredAt = Instant.distantPast
  /// By reminder.
  private var planned: [Plans]
  /// By reminder: there was no room for its next occurrence when the app planned last.
  private var isLeftOut: [Bool]
  /// By reminder: why the request that the system was to repeat does not stand; nil: it does, or there is none.
  private var fallen: [Reason?]
  /// The requests that the system repeats after spans.
  private var spans: Set<RequestID> = []
  /// The facts of whose change the app was told late, and when.
  private var lateFacts: (instant: Instant, facts: [UInt32]) = (.distantPast, [])
  private let zones: ZoneTable

  package init(reminderCount: Int, zones: ZoneTable) {
    open = Array(repeating: DueStack(), count: reminderCount)
    unfounded = Array(repeating: [], count: reminderCount)
    planned = Array(repeating: Plans(), count: reminderCount)
    isLeftOut = Array(repeating: false, count: reminderCount)
    fallen = Array(repeating: nil, count: reminderCount)
    self.zones = zones
  }

  /// - Parameters:
  ///   - time: when it was to be, on the wall clock.
  ///   - isBlind: The app cannot read a fact that the reminder asks for.
  /// - Returns: Why it was not asked for, where that was known beforehand.
  package mutating func due(
    _ reminder: ReminderID, for time: Instant, at instant: Instant, _ moment: Moment,
    because event: ObservedEvent, told sign: SignLedger.Entry?, isBlind: Bool
  ) -> Reason? {
    let local = zones[moment.zone].local(at: time)
    if planned[reminder.index].answer(.local(local)) || planned[reminder.index].answer(.instant(time)) {
      return nil
    }
    let declined: Reason? = isLeftOut[reminder.index] ? .pendingLimit : nil
    if unfounded[reminder.index].last?.instant == instant {
      unfounded[reminder.index].removeLast()
    } else if answeredAt == instant, let older = answered[reminder]?.popLast() {
      // The request answers what is due at its own instant.
      open[reminder.index].insert(older.due, at: older.position)
    } else {
      open[reminder.index].append(
        Due(
          instant: instant, moment: moment, time: time, cause: event.kind,
          fact: event.kind == .factChanged ? event.subject : nil, sign: sign, isBlind: isBlind,
          declined: declined, fallen: fallen[reminder.index]))
      return declined
    }
    return nil
  }

  /// There is no room for the next occurrence of a reminder.
  package mutating func leftOut(_ reminder: ReminderID) { isLeftOut[reminder.index] = true }

  /// The app was told that a fact had changed some time ago.
  package mutating func toldLate(of fact: UInt32, at instant: Instant) {
    if lateFacts.instant != instant { lateFacts = (instant, []) }
    lateFacts.facts.append(fact)
  }

  /// - Parameter isBlind: The app cannot read a fact that the reminder asks for.
  /// - Returns: What it answers late.
  package mutating func requested(
    _ request: NotificationRequest, at instant: Instant, _ moment: Moment, isBlind: Bool
  ) -> DueTime? {
    let reminder = request.id.reminder
    guard request.scheduledFor <= moment.wall else {
      isLeftOut[reminder.index] = false
      if request.repeats?.span != nil { spans.insert(request.id) }
      let wall = request.scheduledFor
      let time = request.isFloating ? occasion(of: request.id, wall, moment) : .instant(wall)
      planned[reminder.index].insert(request.id, for: time, isBlind: isBlind)
      return nil
    }
    return requested(reminder, as: request.id, at: instant, isBlind: isBlind)
  }

  /// A request was made for the present instant.
  /// - Returns: What it answers late.
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
    return due.instant < instant ? DueTime(instant: due.instant, moment: due.moment) : nil
  }

  private mutating func note(_ due: Due, _ position: Int, of reminder: ReminderID, at instant: Instant) {
    if answeredAt != instant { answered = [:] }
    answeredAt = instant
    answered[reminder, default: []].append((due, position))
  }

  /// A request that the system repeats was made, or goes on.
  package mutating func stands(_ reminder: ReminderID) { fallen[reminder.index] = nil }

  /// A request that the system was to repeat was denied or lost: no occurrence comes until there is another.
  package mutating func fell(_ reminder: ReminderID, because reason: Reason) {
    fallen[reminder.index] = reason
  }

  /// The system repeats a request. The phone may have been off when the occurrence was due: it takes it up when it
  /// is on again.
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

  /// A request that the system repeats waits for another time than it did so far.
  package mutating func moved(_ id: RequestID, to occurrence: Instant, _ moment: Moment, isBlind: Bool) {
    guard planned[id.reminder.index].isOpen(id), planned[id.reminder.index].remove(id) else { return }
    repeated(id, for: occurrence, moment, isBlind: isBlind)
  }

  private func occasion(of id: RequestID, _ wall: Instant, _ moment: Moment) -> Occasion {
    spans.contains(id) ? .instant(wall) : .local(zones[moment.zone].local(at: wall))
  }

  /// A request was delivered: the time of one that was made beforehand has come.
  package mutating func delivered(_ id: RequestID) {
    planned[id.reminder.index].delivered(id)
    let reminder = id.reminder.index
    if let index = unfounded[reminder].lastIndex(where: { $0.request == id }) {
      unfounded[reminder][index].isDelivered = true
    }
  }

  /// How many were delivered that answer none that was due, or beside another that does.
  package func deliveredForNothing(_ reminder: ReminderID) -> Int {
    let planned = planned[reminder.index]
    return unfounded[reminder.index].count(where: \.isDelivered) + planned.unfounded.count + planned.excess
  }

  /// How many requests were made for a time that did not come, or beside another for the same time.
  package func early(_ reminder: ReminderID) -> Int { planned[reminder.index].early }

  /// Another plan takes the place of one.
  /// - Returns: Whether it leaves nothing behind; not if its time has come, or it was for its own instant.
  package mutating func replaced(_ id: RequestID) -> Bool { planned[id.reminder.index].remove(id) }

  /// A request that was made before is dealt with once more.
  package mutating func revived(_ request: RequestID, at instant: Instant) {
    unfounded[request.reminder.index].append(
      Unfounded(instant: instant, request: request, isRevived: true))
  }

  package mutating func declined(_ reminder: ReminderID, at instant: Instant, _ reason: Reason) {
    open[reminder.index].changeLast { if $0.instant == instant { $0.declined = reason } }
  }

  /// How many requests answer none that was due, and how many of these were made without knowing a fact that
  /// the reminder asks for, or of an old state in the store.
  package func unfounded(_ reminder: ReminderID) -> (count: Int, blind: Int, revived: Int) {
    let planned = planned[reminder.index].unfounded
    let requests = unfounded[reminder.index]
    return (
      requests.count + planned.count,
      requests.count { $0.isBlind } + planned.blind, requests.count { $0.isRevived }
    )
  }

  /// The reminders of which something was due that no request answers.
  package var unansweredReminders: [ReminderID] {
    open.indices.filter { !open[$0].isEmpty }.map { ReminderID($0) }
  }

  /// Those that no request answers, by why: what the platform says of the sign that was not given,
  /// `toldLate`, `readingDenied` when the app could not read a fact, `notWoken` where a schedule's time came
  /// and the app did not run, or `conditionUnseen` when the trigger was told and a condition was not.
  package func unanswered(_ reminder: ReminderID, _ signs: SignLedger) -> [String: Int] {
    var counts: [String: Int] = [:]
    for due in open[reminder.index].all {
      counts[cause(of: due, signs).name, default: 0] += 1
    }
    return counts
  }

  /// Those that no request answers because the app was not told, and why; what the engine declined it has said
  /// itself.
  ///
  /// - Returns: The earliest first; each is made when it is asked for, as there may be millions of them.
  package func untold(_ reminder: ReminderID, _ signs: SignLedger) -> some Sequence<Untold> {
    open[reminder.index].all.lazy.filter { declined($0) == nil }
      .map {
        Untold(cause: cause(of: $0, signs), due: DueTime(instant: $0.instant, moment: $0.moment))
      }
  }

  /// Why the engine knowingly made no request. What cannot be read looks to it like data that is missing.
  private func declined(_ due: Due) -> Reason? {
    guard let declined = due.declined, !due.isBlind || ![.staleData, .lowConfidence].contains(declined) else {
      return nil
    }
    return declined
  }

  private func cause(of due: Due, _ signs: SignLedger) -> Untold.Cause {
    if let declined = declined(due) { return .declined(declined) }
    if let flaw = due.sign.flatMap(signs.flaw) { return .notTold(flaw) }
    if due.isBlind { return .notTold(MissCause.readingDenied.name) }
    if let fallen = due.fallen { return .fallen(fallen) }
    return [.woken, .delivered].contains(due.cause)
      ? .notWoken : .notTold(KnowledgeGap.conditionUnseen.rawValue)
  }
}

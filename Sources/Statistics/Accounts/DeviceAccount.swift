import CivilTime
import DeviceSimulation
import Journal
import ReminderMatching
import ScenarioModel
package import TriggerModel

/// The outcomes of the reminders on one device, and a comparison of the platform's signals with the truth
/// track.
package struct DeviceAccount: Sendable {
  package private(set) var reminders: [ReminderAccount]
  /// The platform's signals, compared with the truth track.
  package private(set) var signals = SignalLedger()
  private var dues: DueLedger
  private var bulk: BulkCounts
  private var deniedReadings: DeniedReadings
  /// The requests without an outcome so far.
  private var open: [RequestID: OpenRequest] = [:]
  /// The repeating requests, as they were made.
  private var repeating: [RequestID: OpenRequest] = [:]
  /// The number of times the app's process was started.
  private var process = 0
  /// The end of the run.
  private let end: Instant
  /// For each region, whether the phone is inside, or `nil` before its first crossing.
  private var isInside: [Bool?] = []

  enum State {
    case requested, held, admitted, delivered, ended
  }

  struct OpenRequest {
    var state: State
    var type: TypeID
    var bucket: Bucket
    /// The wall-clock instant for which the delivery was requested.
    var deliverAt: Instant
    /// The number of the process that made the request. Processes are numbered in the order of their starts.
    var process: Int
    /// The number of older admitted requests with this identifier. The system holds them, but the current
    /// process does not know them, because the stored state was lost and identifiers started from the
    /// beginning.
    var forgotten = 0
  }

  /// A transition of a request that its state does not allow.
  struct UnexpectedTransition {
    var request: RequestID
    /// The new state.
    var state: State
  }

  init(_ program: ReminderProgram, zones: ZoneTable, deniedReadings: DeniedReadings, end: Instant) {
    self.end = end
    reminders = Array(repeating: ReminderAccount(), count: program.reminderCount)
    dues = DueLedger(reminderCount: program.reminderCount, zones: zones)
    bulk = BulkCounts(program)
    self.deniedReadings = deniedReadings
  }

  // MARK: Events

  /// Records an event of the truth track.
  ///
  /// - Returns: Whether the event is possible. A phone cannot enter a region that it is in, or leave one that
  ///   it is not in.
  mutating func happened(_ event: ObservedEvent, at instant: Instant) -> Bool {
    signals.happened(event, at: instant)
    guard event.kind == .regionEntered || event.kind == .regionExited else { return true }
    let (region, enters) = (Int(event.subject), event.kind == .regionEntered)
    isInside.grow(toHold: region, filling: nil)
    defer { isInside[region] = enters }
    // A report of the current state is not a crossing.
    return isInside[region] != enters || event.value != 0
  }

  mutating func observed(_ event: ObservedEvent, at instant: Instant) {
    signals.reported(event, at: instant)
    if event.kind == .launched { process += 1 }
    if event.kind == .factChanged, event.age > .zero { dues.observedLate(of: event.subject, at: instant) }
  }

  mutating func take(_ outcome: PhoneOutcome) {
    signals.take(outcome)
    deniedReadings.take(outcome)
    switch outcome {
    case .rescheduled(let id, let due): open[id]?.deliverAt = due
    case .repeated(let id, let occurrence, _):
      repeating[id]?.deliverAt = occurrence
      open[id]?.deliverAt = occurrence
    default: break
    }
  }

  /// Records that a request of a reminder is due.
  ///
  /// - Returns: The reason why no request will be made, or `nil` if there is none or it is not known yet.
  mutating func due(
    _ reminder: ReminderID, for time: Instant, because cause: ObservedEvent, _ stamp: RecordStamp
  ) -> Reason? {
    reminders[reminder.index].dueRequests += 1
    return dues.due(
      reminder, for: time, at: stamp.instant, stamp.moment, because: cause,
      signals.trackLatest(like: cause), isBlind: deniedReadings.isBlind(reminder))
  }

  /// Records that the engine under test did not make a request that its observations called for.
  mutating func withheld(
    _ reminder: ReminderID, for time: Instant, because event: ObservedEvent, at instant: Instant
  ) {
    dues.withheld(reminder, for: time, because: event.kind, at: instant)
  }

  /// Records that the observations of the engine under test did not call for a request.
  mutating func uncalledFor(_ request: RequestID) { dues.uncalledFor(request) }

  mutating func took(_ link: LinkRecord, of reminder: ReminderID) {
    reminders[reminder.index].links.take(link)
  }

  // MARK: Requests

  mutating func missed(
    _ reminder: ReminderID, _ reason: Reason, _ failed: ConditionKinds, at instant: Instant
  ) {
    reminders[reminder.index].matches += 1
    reminders[reminder.index].noRequest[reason] += 1
    if reason == .pendingLimit {
      dues.leftOut(reminder)
    } else if reason != .conditionFailed {
      dues.declined(reminder, at: instant, reason)
    }
    for kind in ConditionKinds.allNames.indices where failed.rawValue >> UInt8(kind) & 1 == 1 {
      reminders[reminder.index].failedKinds[kind] += 1
    }
  }

  /// Records a common outcome of many reminders: a miss, or a denied request.
  ///
  /// - Parameter due: The reminders that were due at this instant. Their requests are already matched.
  mutating func count(_ counted: CountedReminders, due: UInt64, _ stamp: RecordStamp) {
    bulk.take(counted, due: due)
    guard case .denied = counted.fate else { return }
    var rest = counted.bits & ~due
    while rest != 0 {
      let reminder = bulk.reminder(counted.word, rest.trailingZeroBitCount)
      rest &= rest - 1
      dues.requested(reminder, at: stamp.instant, isBlind: deniedReadings.isBlind(reminder))
    }
  }

  /// Records a request.
  ///
  /// - Returns: The earlier due time with which the request is matched, and the transition if it is not
  ///   allowed. Both may be `nil`.
  mutating func requested(
    _ request: NotificationRequest, _ stamp: RecordStamp
  ) -> (late: DueTime?, problem: UnexpectedTransition?) {
    let reminder = request.id.reminder
    reminders[reminder.index].matches += 1
    reminders[reminder.index].requests += 1
    let late = dues.requested(
      request, at: stamp.instant, stamp.moment, isBlind: deniedReadings.isBlind(reminder))
    var new = OpenRequest(
      state: .requested, type: request.type, bucket: request.bucket, deliverAt: request.deliverAt,
      process: process)
    let known = open[request.id]
    if let known { new.forgotten = known.forgotten + (known.state == .admitted ? 1 : 0) }
    open[request.id] = new
    if request.repeats != nil {
      new.forgotten = 0
      repeating[request.id] = new
      dues.repeatingRequestContinues(reminder)
    }
    guard let known, known.process == process else { return (late, nil) }
    return (late, UnexpectedTransition(request: request.id, state: .requested))
  }

  /// Records that the system repeats a request. The next occurrence is counted as a request that was made and
  /// admitted. If the previous occurrence is still pending, only its time changes.
  mutating func repeated(_ id: RequestID, for occurrence: Instant, _ stamp: RecordStamp) {
    if open[id]?.state == .admitted {
      dues.moved(id, to: occurrence, stamp.moment, isBlind: deniedReadings.isBlind(id.reminder))
      return
    }
    guard var next = repeating[id] else { return }
    dues.repeatingRequestContinues(id.reminder)
    let reminder = id.reminder.index
    reminders[reminder].matches += 1
    reminders[reminder].requests += 1
    reminders[reminder].admitted += 1
    reminders[reminder].repeated += 1
    dues.repeated(id, for: occurrence, stamp.moment, isBlind: deniedReadings.isBlind(id.reminder))
    // A process that does not know this request may have made another one with the same identifier at this
    // instant.
    if open[id] != nil {
      open[id]?.forgotten += 1
      return
    }
    next.state = .admitted
    open[id] = next
  }

  /// Counts a request as unfounded if it is decided again after it had ended. This happens if a process
  /// restored an old stored state.
  private mutating func revive(_ request: NotificationRequest, at instant: Instant) {
    guard process > 1, open[request.id] == nil else { return }
    let index = request.id.reminder.index
    reminders[index].matches += 1
    reminders[index].requests += 1
    dues.revived(request.id, at: instant)
    open[request.id] = OpenRequest(
      state: .requested, type: request.type, bucket: request.bucket, deliverAt: request.deliverAt,
      process: process)
  }

  mutating func decided(
    _ request: NotificationRequest, _ decision: Decision, _ reason: Reason, at instant: Instant
  ) {
    revive(request, at: instant)
    let (id, index) = (request.id, request.id.reminder.index)
    let before: State?
    switch decision.outcome {
    case .admit: before = move(id, to: .admitted)
    case .defer: before = move(id, to: .held)
    case .deny, .fail:
      before = close(id)?.state
      if request.repeats != nil { dues.repeatingRequestLost(id.reminder, because: reason) }
    }
    if before == .held { reminders[index].held -= 1 }
    switch decision.outcome {
    case .admit:
      reminders[index].admitted += 1
      // A deferred request has a new time.
      open[id]?.deliverAt = request.deliverAt
    case .deny:
      reminders[index].denied[reason] += 1
      for blocker in Reason.allCases where decision.blockers.contains(blocker) {
        reminders[index].blockedBy[blocker] += 1
      }
    case .defer:
      reminders[index].held += 1
      reminders[index].deferrals += 1
    case .fail: reminders[index].failed += 1
    }
  }

  /// Sets the state of an open request.
  ///
  /// - Returns: The previous state, or `nil` if the request is not open.
  private mutating func move(_ id: RequestID, to state: State) -> State? {
    guard let index = open.index(forKey: id) else { return nil }
    let before = open.values[index].state
    open.values[index].state = state
    return before
  }

  /// Records a dropped request.
  ///
  /// - Returns: Whether a later plan replaced it.
  mutating func dropped(_ request: NotificationRequest, _ reason: Reason, at instant: Instant) -> Bool {
    revive(request, at: instant)
    let id = request.id
    if close(id)?.state == .held { reminders[id.reminder.index].held -= 1 }
    let isReplaced = replaced(id, reason)
    if !isReplaced { reminders[id.reminder.index].dropped[reason] += 1 }
    return isReplaced
  }

  /// Records that a later plan replaced a request before its time, so that the request is no longer counted
  /// as one.
  ///
  /// - Returns: Whether it did. If the request was removed for another reason or after its time, it is lost
  ///   instead.
  private mutating func replaced(_ id: RequestID, _ reason: Reason) -> Bool {
    guard reason == .superseded, dues.replaced(id) else { return false }
    reminders[id.reminder.index].requests -= 1
    reminders[id.reminder.index].replaced += 1
    return true
  }

  /// Records that the system rejected a request that the scheduler had admitted.
  mutating func refused(_ id: RequestID) -> UnexpectedTransition? {
    reminders[id.reminder.index].admitted -= 1
    reminders[id.reminder.index].failed += 1
    return finish(id, as: .ended).problem
  }

  /// Defers a request again because the end of quiet hours has changed.
  ///
  /// - Returns: Whether the request was deferred to the end of quiet hours.
  mutating func heldAgain(_ id: RequestID, _ reason: Reason) -> Bool {
    guard reason == .quietHours, move(id, to: .held) == .admitted else { return false }
    reminders[id.reminder.index].admitted -= 1
    reminders[id.reminder.index].held += 1
    return true
  }

  mutating func lost(_ id: RequestID, _ reason: Reason) -> (isReplaced: Bool, problem: UnexpectedTransition?)
  {
    let isReplaced = replaced(id, reason)
    if repeating[id] != nil, !isReplaced { dues.repeatingRequestLost(id.reminder, because: reason) }
    if isReplaced {
      reminders[id.reminder.index].admitted -= 1
    } else {
      dues.lost(id)
      reminders[id.reminder.index].lost[reason] += 1
      if let request = open[id], request.deliverAt >= end { reminders[id.reminder.index].ahead += 1 }
    }
    return (isReplaced, finish(id, as: .ended).problem)
  }

  mutating func delivered(
    _ id: RequestID, _ exposure: Exposure
  ) -> (request: OpenRequest?, problem: UnexpectedTransition?) {
    reminders[id.reminder.index].delivered += 1
    dues.delivered(id)
    exposed(id, exposure)
    return finish(id, as: .delivered)
  }

  /// Records that a notification was exposed, either at its delivery or later in the scheduled summary.
  mutating func exposed(_ id: RequestID, _ exposure: Exposure) {
    if exposure.isExposed { reminders[id.reminder.index].exposed += 1 }
    if exposure == .list { reminders[id.reminder.index].listed += 1 }
  }

  mutating func snoozed(_ reminder: ReminderID) { reminders[reminder.index].snoozed += 1 }
  /// Records that another device showed a notification for the same occasion.
  mutating func doubled(_ reminder: ReminderID) { reminders[reminder.index].doubled += 1 }
  /// Records that a notification was delivered beyond a cap.
  mutating func beyondCaps(_ reminder: ReminderID) { reminders[reminder.index].beyondCaps += 1 }

  mutating func responded(_ response: Response, to reminder: ReminderID) {
    switch response {
    case .tapped: reminders[reminder.index].tapped += 1
    case .dismissed: reminders[reminder.index].dismissed += 1
    case .acted: reminders[reminder.index].acted += 1
    }
  }

  /// Ends an admitted request.
  private mutating func finish(
    _ id: RequestID, as state: State
  ) -> (request: OpenRequest?, problem: UnexpectedTransition?) {
    // If the request ends, the system removes the older one first. If the newer one is not admitted, it
    // delivers the older one.
    if let request = open[id], request.forgotten > 0, state == .ended || request.state != .admitted {
      open[id]?.forgotten -= 1
      return (request, nil)
    }
    let request = close(id)
    return (request, request?.state == .admitted ? nil : UnexpectedTransition(request: id, state: state))
  }

  /// Removes the request with an identifier and returns it. If forgotten requests with this identifier
  /// remain, one of them takes its place.
  private mutating func close(_ id: RequestID) -> OpenRequest? {
    let closed = open.removeValue(forKey: id)
    if var rest = closed, rest.forgotten > 0 {
      rest.forgotten -= 1
      rest.state = .admitted
      open[id] = rest
    }
    return closed
  }

  // MARK: The end

  /// The reminders that have due requests that were not made.
  package var unansweredReminders: [ReminderID] { dues.unansweredReminders }

  /// Returns the due requests that were not made because the app did not observe the event, or because the
  /// engine under test did not request them.
  package func missedRequests(_ reminder: ReminderID) -> some Sequence<MissedRequest> {
    dues.missedRequests(reminder, signals)
  }

  /// Determines the causes of due requests that were not made, and the number of notifications with a known
  /// response.
  ///
  /// - Parameter stated: For each reminder, whether the story states the responses to it.
  mutating func close(_ stated: [Bool]) {
    bulk.add(to: &reminders)
    for (id, request) in open where request.deliverAt >= end {
      reminders[id.reminder.index].ahead += request.forgotten + (request.state == .admitted ? 1 : 0)
    }
    for index in reminders.indices {
      reminders[index].answerable = stated[index] ? reminders[index].exposed : 0
      (reminders[index].notObserved, reminders[index].notRequested) =
        dues.unanswered(ReminderID(index), signals)
      let unfounded = dues.unfounded(ReminderID(index))
      reminders[index].unfounded = unfounded.count
      reminders[index].deliveredDue =
        reminders[index].delivered - dues.superfluousDeliveries(ReminderID(index))
      reminders[index].early = dues.early(ReminderID(index))
      if unfounded.blind > 0 {
        reminders[index].unfoundedBecause[MissCause.readingDenied.name] = unfounded.blind
      }
      if unfounded.uncalledFor > 0 {
        reminders[index].unfoundedBecause[KnowledgeGap.uncalledFor.rawValue] = unfounded.uncalledFor
      }
      if unfounded.revived > 0 {
        reminders[index].unfoundedBecause[KnowledgeGap.storeStale.rawValue] = unfounded.revived
      }
    }
  }

  /// Adds the counts of another device. Both must be closed.
  mutating func add(_ other: DeviceAccount) {
    for index in reminders.indices { reminders[index].add(other.reminders[index]) }
    signals.add(other.signals)
  }
}

/// Determines which reminders have facts that the app cannot currently read.
struct DeniedReadings: Sendable {
  /// The sources of each reminder's facts.
  private let sources: [Set<FactSourceID>]
  private var denied: Set<FactSourceID> = []

  init(_ scenario: Scenario) {
    var sources = scenario.reminders.map { Self.sources(of: $0.declaration, scenario) }
    for edit in scenario.edits {
      sources[edit.reminder.index].formUnion(Self.sources(of: edit.declaration, scenario))
    }
    self.sources = sources
  }

  mutating func take(_ outcome: PhoneOutcome) {
    guard case .readingChanged(let source, let isAllowed) = outcome else { return }
    if isAllowed { denied.remove(source) } else { denied.insert(source) }
  }

  /// Whether a fact of the reminder is currently unreadable.
  func isBlind(_ reminder: ReminderID) -> Bool {
    !denied.isEmpty && reminder.index < sources.count && !sources[reminder.index].isDisjoint(with: denied)
  }

  private static func sources(of reminder: ReminderDeclaration, _ scenario: Scenario) -> Set<FactSourceID> {
    let names = Set(reminder.factNames)
    return Set(scenario.facts.filter { names.contains($0.name) }.compactMap(\.access.source))
  }
}

import CivilTime
import Journal
import DeviceSimulation
import TriggerModel

/// What became of the reminders on one device, and how well its platform told of what really happened there.
package struct DeviceAccount: Sendable {
  package private(set) var reminders: [ReminderAccount]
  /// What the platform told of what really happened.
  package private(set) var signs = SignLedger()
  private var dues: DueLedger
  private var reading: ReadingLedger
  /// The requests that have not come to an end.
  private var open: [RequestID: OpenRequest] = [:]
  /// How often a process of the app has started.
  private var process = 0

  enum State {
    case requested, held, admitted, delivered, ended
  }

  struct OpenRequest {
    var state: State
    var type: TypeID
    var bucket: Bucket
    /// Which process of the app asked for it, counted from its first.
    var process: Int
    /// How many admitted ones of this identifier the system holds from processes before, which the present one
    /// does not know of: its numbers began anew, because what was stored was lost.
    var forgotten = 0
  }

  /// A request that goes another way than requests go.
  struct OutOfTurn {
    var request: RequestID
    /// What it becomes.
    var state: State
  }

  init(reminderCount: Int, zones: ZoneTable? = nil, reading: ReadingLedger) {
    reminders = Array(repeating: ReminderAccount(), count: reminderCount)
    dues = DueLedger(reminderCount: reminderCount, zones: zones)
    self.reading = reading
  }

  // MARK: What happens

  mutating func happened(_ event: ObservedEvent, at instant: Instant) { signs.happened(event, at: instant) }

  mutating func told(_ event: ObservedEvent, at instant: Instant) {
    signs.told(event, at: instant)
    if event.kind == .launched { process += 1 }
    if event.kind == .tapped { reminders[event.request.reminder.index].tapped += 1 }
    if event.kind == .dismissed { reminders[event.request.reminder.index].dismissed += 1 }
  }

  mutating func take(_ outcome: PhoneOutcome) {
    signs.take(outcome)
    reading.take(outcome)
  }

  mutating func due(
    _ reminder: ReminderID, for time: Instant, because cause: ObservedEvent, _ stamp: RecordStamp
  ) {
    reminders[reminder.index].dueRequests += 1
    dues.due(
      reminder, for: time, at: stamp.instant, stamp.moment, because: cause, told: signs.last(like: cause),
      isBlind: reading.isBlind(reminder))
  }

  mutating func took(_ link: LinkRecord, of reminder: ReminderID) {
    reminders[reminder.index].links.take(link)
  }

  // MARK: The way of a request

  mutating func missed(
    _ reminder: ReminderID, _ reason: Reason, _ failed: ConditionKinds, at instant: Instant
  ) {
    reminders[reminder.index].matches += 1
    reminders[reminder.index].noRequest[reason] += 1
    if reason != .conditionFailed { dues.declined(reminder, at: instant, reason) }
    for kind in ConditionKinds.allNames.indices where failed.rawValue >> UInt8(kind) & 1 == 1 {
      reminders[reminder.index].failedKinds[kind] += 1
    }
  }

  mutating func requested(_ request: NotificationRequest, _ stamp: RecordStamp) -> OutOfTurn? {
    let reminder = request.id.reminder
    reminders[reminder.index].matches += 1
    reminders[reminder.index].requests += 1
    dues.requested(request, at: stamp.instant, stamp.moment, isBlind: reading.isBlind(reminder))
    var new = OpenRequest(
      state: .requested, type: request.type, bucket: request.bucket, process: process)
    let known = open[request.id]
    if let known { new.forgotten = known.forgotten + (known.state == .admitted ? 1 : 0) }
    open[request.id] = new
    guard let known, known.process == process else { return nil }
    return OutOfTurn(request: request.id, state: .requested)
  }

  mutating func decided(_ id: RequestID, _ decision: Decision, _ reason: Reason) {
    let index = id.reminder.index
    let before: State?
    switch decision.outcome {
    case .admit: before = move(id, to: .admitted)
    case .defer: before = move(id, to: .held)
    case .deny, .fail: before = close(id)?.state
    }
    if before == .held { reminders[index].held -= 1 }
    switch decision.outcome {
    case .admit: reminders[index].admitted += 1
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

  /// - Returns: What it was before; nil: it is not open, and stays so.
  private mutating func move(_ id: RequestID, to state: State) -> State? {
    guard let index = open.index(forKey: id) else { return nil }
    let before = open.values[index].state
    open.values[index].state = state
    return before
  }

  mutating func dropped(_ id: RequestID, _ reason: Reason) {
    if close(id)?.state == .held { reminders[id.reminder.index].held -= 1 }
    reminders[id.reminder.index].dropped[reason] += 1
  }

  /// The system did not take what the scheduler had admitted.
  mutating func refused(_ id: RequestID) -> OutOfTurn? {
    reminders[id.reminder.index].admitted -= 1
    reminders[id.reminder.index].failed += 1
    return finish(id, as: .ended).problem
  }

  mutating func lost(_ id: RequestID, _ reason: Reason) -> OutOfTurn? {
    reminders[id.reminder.index].lost[reason] += 1
    return finish(id, as: .ended).problem
  }

  mutating func delivered(_ id: RequestID, isPresented: Bool) -> (request: OpenRequest?, problem: OutOfTurn?)
  {
    reminders[id.reminder.index].delivered += 1
    dues.delivered(id)
    if isPresented { reminders[id.reminder.index].presented += 1 }
    return finish(id, as: .delivered)
  }

  mutating func presentedLate(_ id: RequestID) { reminders[id.reminder.index].presented += 1 }

  /// An admitted request comes to its end.
  private mutating func finish(
    _ id: RequestID, as state: State
  ) -> (request: OpenRequest?, problem: OutOfTurn?) {
    // What the system takes away is what it held first.
    if state == .ended, let request = open[id], request.forgotten > 0 {
      open[id]?.forgotten -= 1
      return (request, nil)
    }
    let request = close(id)
    return (request, request?.state == .admitted ? nil : OutOfTurn(request: id, state: state))
  }

  /// One of this identifier has ended: the one that is known, and then those that were forgotten.
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

  /// What was due in a stretch of time, and what the app could not ask for as it was not told.
  func untold(_ reminder: ReminderID, in range: Range<Instant>) -> [Untold] {
    dues.untold(reminder, in: range, signs)
  }

  /// Says why requests that were due were not made.
  mutating func close() {
    for index in reminders.indices {
      reminders[index].notObserved = dues.unanswered(ReminderID(index), signs)
      let unfounded = dues.unfounded(ReminderID(index))
      reminders[index].unfounded = unfounded.count
      reminders[index].early = dues.early(ReminderID(index))
      if unfounded.blind > 0 {
        reminders[index].unfoundedBecause = [MissCause.readingDenied.name: unfounded.blind]
      }
    }
  }

  /// Adds another device's counts, once both are closed.
  mutating func add(_ other: DeviceAccount) {
    for index in reminders.indices { reminders[index].add(other.reminders[index]) }
    signs.add(other.signs)
  }
}

extension ReminderAccount {
  /// What does not add up, in words; empty in every sound run.
  var problems: [String] {
    var problems: [String] = []
    let ends = admitted + denied.total + failed + dropped.total + held
    if requests != ends { problems.append("requests: \(requests), but ends: \(ends)") }
    if matches != requests + noRequest.total { problems.append("its matches, \(matches), do not add up") }
    let answered = dueRequests - notObserved.values.reduce(0, +)
    if requests != answered + unfounded + early {
      problems.append("requests do not add up with those that were due")
    }
    if pending < 0 { problems.append("more delivered and lost than admitted") }
    if links.attempted > tapped || links.routed + links.lost.total > links.attempted {
      problems.append("the ways of \(tapped) taps do not add up")
    }
    return problems
  }
}

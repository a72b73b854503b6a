import CivilTime
import DeviceSimulation
import Journal
import ReminderMatching
package import TriggerModel

/// What became of the reminders on one device, and how well its platform told of what really happened there.
package struct DeviceAccount: Sendable {
  package private(set) var reminders: [ReminderAccount]
  /// What the platform told of what really happened.
  package private(set) var signs = SignLedger()
  private var dues: DueLedger
  private var alike: AlikeCounts
  private var reading: ReadingLedger
  /// The requests that have not come to an end.
  private var open: [RequestID: OpenRequest] = [:]
  /// Those that the system repeats, as they were asked for.
  private var repeating: [RequestID: OpenRequest] = [:]
  /// How often a process of the app has started.
  private var process = 0
  /// Of the run.
  private let end: Instant
  /// By region: whether the phone is inside; nil: nothing has happened there.
  private var isInside: [Bool?] = []

  enum State {
    case requested, held, admitted, delivered, ended
  }

  struct OpenRequest {
    var state: State
    var type: TypeID
    var bucket: Bucket
    /// For when the system is asked for it, on the wall clock.
    var deliverAt: Instant
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

  init(_ program: ReminderProgram, zones: ZoneTable, reading: ReadingLedger, end: Instant) {
    self.end = end
    reminders = Array(repeating: ReminderAccount(), count: program.reminderCount)
    dues = DueLedger(reminderCount: program.reminderCount, zones: zones)
    alike = AlikeCounts(program)
    self.reading = reading
  }

  // MARK: What happens

  /// - Returns: Whether it can happen now: a region that the phone is in cannot be entered, nor one left that it is
  ///   not in.
  mutating func happened(_ event: ObservedEvent, at instant: Instant) -> Bool {
    signs.happened(event, at: instant)
    guard event.kind == .regionEntered || event.kind == .regionExited else { return true }
    let (region, enters) = (Int(event.subject), event.kind == .regionEntered)
    let missing = region + 1 - isInside.count
    if missing > 0 { isInside.append(contentsOf: repeatElement(nil, count: missing)) }
    defer { isInside[region] = enters }
    // Being found there once more says nothing of coming or going.
    return isInside[region] != enters || event.isFoundSo
  }

  mutating func told(_ event: ObservedEvent, at instant: Instant) {
    signs.told(event, at: instant)
    if event.kind == .launched { process += 1 }
    if event.kind == .factChanged, event.age > .zero { dues.toldLate(of: event.subject, at: instant) }
  }

  mutating func take(_ outcome: PhoneOutcome) {
    signs.take(outcome)
    reading.take(outcome)
    switch outcome {
    case .rescheduled(let id, let due): open[id]?.deliverAt = due
    case .repeated(let id, let occurrence, _):
      repeating[id]?.deliverAt = occurrence
      open[id]?.deliverAt = occurrence
    default: break
    }
  }

  /// - Returns: Why it was not asked for, where that was known beforehand.
  mutating func due(
    _ reminder: ReminderID, for time: Instant, because cause: ObservedEvent, _ stamp: RecordStamp
  ) -> Reason? {
    reminders[reminder.index].dueRequests += 1
    return dues.due(
      reminder, for: time, at: stamp.instant, stamp.moment, because: cause,
      told: signs.watchLast(like: cause),
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
    if reason == .pendingLimit {
      dues.leftOut(reminder)
    } else if reason != .conditionFailed {
      dues.declined(reminder, at: instant, reason)
    }
    for kind in ConditionKinds.allNames.indices where failed.rawValue >> UInt8(kind) & 1 == 1 {
      reminders[reminder.index].failedKinds[kind] += 1
    }
  }

  /// What is said of many reminders at a time: as if each had missed its trigger, or had asked and been denied.
  ///
  /// - Parameter due: Those of the requests that were due at this instant: they answer just that.
  mutating func count(_ counted: CountedReminders, due: UInt64, _ stamp: RecordStamp) {
    alike.take(counted, due: due)
    guard case .denied = counted.fate else { return }
    var rest = counted.bits & ~due
    while rest != 0 {
      let reminder = alike.reminder(counted.word, rest.trailingZeroBitCount)
      rest &= rest - 1
      dues.requested(reminder, at: stamp.instant, isBlind: reading.isBlind(reminder))
    }
  }

  /// - Returns: What it answers late.
  mutating func requested(
    _ request: NotificationRequest, _ stamp: RecordStamp
  ) -> (late: DueTime?, problem: OutOfTurn?) {
    let reminder = request.id.reminder
    reminders[reminder.index].matches += 1
    reminders[reminder.index].requests += 1
    let late = dues.requested(
      request, at: stamp.instant, stamp.moment, isBlind: reading.isBlind(reminder))
    var new = OpenRequest(
      state: .requested, type: request.type, bucket: request.bucket, deliverAt: request.deliverAt,
      process: process)
    let known = open[request.id]
    if let known { new.forgotten = known.forgotten + (known.state == .admitted ? 1 : 0) }
    open[request.id] = new
    if request.repeats != nil {
      new.forgotten = 0
      repeating[request.id] = new
      dues.stands(reminder)
    }
    guard let known, known.process == process else { return (late, nil) }
    return (late, OutOfTurn(request: request.id, state: .requested))
  }

  /// The system repeats a request: its next occurrence counts as a request that is made and admitted. As long as
  /// the one before has not come to its end it only waits for another.
  mutating func repeated(_ id: RequestID, for occurrence: Instant, _ stamp: RecordStamp) {
    if open[id]?.state == .admitted {
      dues.moved(id, to: occurrence, stamp.moment, isBlind: reading.isBlind(id.reminder))
      return
    }
    guard var next = repeating[id] else { return }
    dues.stands(id.reminder)
    let reminder = id.reminder.index
    reminders[reminder].matches += 1
    reminders[reminder].requests += 1
    reminders[reminder].admitted += 1
    reminders[reminder].repeated += 1
    dues.repeated(id, for: occurrence, stamp.moment, isBlind: reading.isBlind(id.reminder))
    // A process that does not know of it may ask for another of its number at this very instant.
    if open[id] != nil {
      open[id]?.forgotten += 1
      return
    }
    next.state = .admitted
    open[id] = next
  }

  /// A process that found an old state in its store deals once more with a request that had come to its end:
  /// it counts as another, which nothing is due for.
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
      if request.repeats != nil { dues.fell(id.reminder, because: reason) }
    }
    if before == .held { reminders[index].held -= 1 }
    switch decision.outcome {
    case .admit:
      reminders[index].admitted += 1
      // What was put off has another time now.
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

  /// - Returns: What it was before; nil: it is not open, and stays so.
  private mutating func move(_ id: RequestID, to state: State) -> State? {
    guard let index = open.index(forKey: id) else { return nil }
    let before = open.values[index].state
    open.values[index].state = state
    return before
  }

  /// - Returns: Whether a later plan only took its place.
  mutating func dropped(_ request: NotificationRequest, _ reason: Reason, at instant: Instant) -> Bool {
    revive(request, at: instant)
    let id = request.id
    if close(id)?.state == .held { reminders[id.reminder.index].held -= 1 }
    let isReplaced = replaced(id, reason)
    if !isReplaced { reminders[id.reminder.index].dropped[reason] += 1 }
    return isReplaced
  }

  /// A plan whose place a later one took before its time is as if it had never been; later it is a loss.
  private mutating func replaced(_ id: RequestID, _ reason: Reason) -> Bool {
    guard reason == .superseded, dues.replaced(id) else { return false }
    reminders[id.reminder.index].requests -= 1
    reminders[id.reminder.index].replaced += 1
    return true
  }

  /// The system did not take what the scheduler had admitted.
  mutating func refused(_ id: RequestID) -> OutOfTurn? {
    reminders[id.reminder.index].admitted -= 1
    reminders[id.reminder.index].failed += 1
    return finish(id, as: .ended).problem
  }

  /// What the system has for the end of quiet hours, and these end at another time now, waits for that.
  /// - Returns: Whether it is one of these.
  mutating func heldAgain(_ id: RequestID, _ reason: Reason) -> Bool {
    guard reason == .quietHours, move(id, to: .held) == .admitted else { return false }
    reminders[id.reminder.index].admitted -= 1
    reminders[id.reminder.index].held += 1
    return true
  }

  mutating func lost(_ id: RequestID, _ reason: Reason) -> (isReplaced: Bool, problem: OutOfTurn?) {
    let isReplaced = replaced(id, reason)
    if repeating[id] != nil, !isReplaced { dues.fell(id.reminder, because: reason) }
    if isReplaced {
      reminders[id.reminder.index].admitted -= 1
    } else {
      reminders[id.reminder.index].lost[reason] += 1
      if let request = open[id], request.deliverAt >= end { reminders[id.reminder.index].ahead += 1 }
    }
    return (isReplaced, finish(id, as: .ended).problem)
  }

  mutating func delivered(
    _ id: RequestID, _ exposure: Exposure
  ) -> (request: OpenRequest?, problem: OutOfTurn?) {
    reminders[id.reminder.index].delivered += 1
    dues.delivered(id)
    exposed(id, exposure)
    return finish(id, as: .delivered)
  }

  /// At its delivery, or later with the scheduled summary.
  mutating func exposed(_ id: RequestID, _ exposure: Exposure) {
    if exposure.isExposed { reminders[id.reminder.index].exposed += 1 }
    if exposure == .list { reminders[id.reminder.index].listed += 1 }
  }

  mutating func snoozed(_ reminder: ReminderID) { reminders[reminder.index].snoozed += 1 }
  /// One was seen on another device for the same occasion.
  mutating func doubled(_ reminder: ReminderID) { reminders[reminder.index].doubled += 1 }
  /// It was delivered beyond a cap.
  mutating func beyondCaps(_ reminder: ReminderID) { reminders[reminder.index].beyondCaps += 1 }

  mutating func responded(_ response: Response, to reminder: ReminderID) {
    switch response {
    case .tapped: reminders[reminder.index].tapped += 1
    case .dismissed: reminders[reminder.index].dismissed += 1
    case .acted: reminders[reminder.index].acted += 1
    }
  }

  /// An admitted request comes to its end.
  private mutating func finish(
    _ id: RequestID, as state: State
  ) -> (request: OpenRequest?, problem: OutOfTurn?) {
    // What the system takes away is what it held first, and what it delivers is what it holds.
    if let request = open[id], request.forgotten > 0, state == .ended || request.state != .admitted {
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

  /// The reminders of which something was due that no request answers.
  package var unansweredReminders: [ReminderID] { dues.unansweredReminders }

  /// What was due, and what the app could not ask for as it was not told.
  package func untold(_ reminder: ReminderID) -> some Sequence<Untold> { dues.untold(reminder, signs) }

  /// Says why requests that were due were not made, and to what the person may have responded.
  ///
  /// - Parameter stated: By reminder: whether the story says how the person responds to it.
  mutating func close(_ stated: [Bool]) {
    alike.add(to: &reminders)
    for (id, request) in open where request.deliverAt >= end {
      reminders[id.reminder.index].ahead += request.forgotten + (request.state == .admitted ? 1 : 0)
    }
    for index in reminders.indices {
      reminders[index].answerable = stated[index] ? reminders[index].exposed : 0
      reminders[index].notObserved = dues.unanswered(ReminderID(index), signs)
      let unfounded = dues.unfounded(ReminderID(index))
      reminders[index].unfounded = unfounded.count
      reminders[index].deliveredDue =
        reminders[index].delivered - dues.deliveredForNothing(ReminderID(index))
      reminders[index].early = dues.early(ReminderID(index))
      if unfounded.blind > 0 {
        reminders[index].unfoundedBecause[MissCause.readingDenied.name] = unfounded.blind
      }
      if unfounded.revived > 0 {
        reminders[index].unfoundedBecause[KnowledgeGap.storeStale.rawValue] = unfounded.revived
      }
    }
  }

  /// Adds another device's counts, once both are closed.
  mutating func add(_ other: DeviceAccount) {
    for index in reminders.indices { reminders[index].add(other.reminders[index]) }
    signs.add(other.signs)
  }
}

import CivilTime
import DeviceSimulation
import Journal
import ReminderEngine
import ReminderMatching
import ScenarioModel
import TriggerModel

/// A reminder engine that runs on the truth track.
///
/// It observes every event immediately, whether or not the phone reports it to the app. Its requests show
/// what the app should have requested, and when each notification was due. A request made in advance is due
/// at its scheduled time unless the engine withdraws it first.
struct GroundTruthEngine: Participant {
  private var engine: ReminderEngine
  private var effects: [EngineEffect] = []
  private var planned = PlannedOccurrences()
  /// The last due request of each reminder, with its due time.
  private var lastDue: [ReminderID: (request: RequestID, time: Instant)] = [:]
  private var zone: ZoneID
  private let zones: ZoneTable
  /// The last counted denial in each group of 64 reminders: the bits of the denied reminders, and the
  /// wall-clock time.
  private var lastDenied: [(bits: UInt64, time: Instant)] = []
  /// How far the phone's wall clock is ahead of simulation time.
  private var clockOffset = TimeSpan.zero
  /// The ends of the latest snoozes by reminder, at most ``snoozesKept`` each. Quiet hours may defer the
  /// request at the end of a snooze, so earlier ends are still needed.
  private var snoozeEnds: [ReminderID: [SnoozeEnd]] = [:]
  /// The app's requests that repeat a snoozed notification. They belong to no match, so losing one loses no
  /// match.
  private var snoozeRequests: Set<RequestID> = []
  /// Whether the platform reports an initial enter when the app registers a region that contains the phone.
  private let reportsInitialEnters: Bool
  /// The scheduled times of the app's requests that quiet hours have deferred.
  private var deferredTimes: [RequestID: Instant] = [:]
  /// The regions that the engine monitors, and the last wake-up that it requested for each reminder. They are
  /// kept only if `keepsRequests` is set.
  private(set) var monitored: Set<RegionID> = []
  private(set) var wakes: [ReminderID: Instant] = [:]
  /// Whether the engine is notified when the phone leaves its surroundings.
  private(set) var isWatching = false
  /// The engine's due requests at the current instant, including those that an answer causes. They are kept
  /// only if `keepsRequests` is set.
  var requests: [RequestID] = []
  /// The reminders whose planned occurrences have passed since the app last observed an event. Used only on
  /// the observed track, where the engine plans further occurrences at the app's next observation.
  private var unobserved: [ReminderID] = []
  var keepsRequests = false
  /// The requests that the app most recently added to the system.
  private var lastAdded: [NotificationRequest] = []

  /// The end of a snooze on the wall clock. `isElapsed` states whether the snooze lasts for a fixed duration.
  private struct SnoozeEnd {
    var instant: Instant
    var isElapsed: Bool
  }

  /// The bit of a timer's subject that marks a planned occurrence. A timer without it is a wake-up that the
  /// engine requested.
  private static let isPlanned: UInt32 = 1 << 31
  /// Returns whether a timer is for a planned occurrence.
  static func isPlanned(_ subject: UInt32) -> Bool { subject & isPlanned != 0 }

  /// The number of snooze ends kept per reminder. In practice, fewer snoozes than this end during one period
  /// of quiet hours.
  private static let snoozesKept = 8

  /// - Parameter regionCapacity: The number of regions that the engine monitors.
  init(_ program: Program, device: Int, regionCapacity: Int = .max) {
    engine = program.makeReminderEngine(explainsMisses: false)
    engine.regionCapacity = regionCapacity
    engine.alarmsMayBeLate = program.alarmsMayBeLate(onDevice: device)
    reportsInitialEnters = program.reportsInitialEnters(onDevice: device)
    zone = program.scenario.zone
    zones = program.scenario.zones
  }

  /// Returns which conditions of a reminder hold on the truth track.
  func explanation(of reminder: ReminderID, at moment: Moment) -> Explanation? {
    var engine = engine
    return engine.explain(reminder, at: moment)
  }

  static func listens(to body: JournalRecord.Body) -> Bool {
    switch body {
    case .truth, .outcome: true
    case .happened, .observed, .effect, .due, .notRequested, .uncalledFor, .link, .app, .person, .sync: false
    }
  }

  mutating func begin(_ situation: Situation, into replies: inout Replies) {
    process(ObservedEvent(.launched, at: situation.moment), situation, into: &replies)
  }

  mutating func deliver(
    _ body: JournalRecord.Body, _ situation: Situation, into replies: inout Replies
  ) {
    followClock(situation.clock)
    switch body {
    case .truth(let event):
      updatePlans(after: event)
      process(event, situation, into: &replies)
      // A change of the zone or the clock moves the instants of planned occurrences.
      if event.kind == .zoneChanged || event.kind == .clockChanged {
        for reminder in planned.reminders {
          takeDue(of: reminder, situation, into: &replies)
          for time in planned.times(of: reminder) { wake(for: reminder, at: time, situation, into: &replies) }
        }
      }
    // A person can snooze only an exposed notification.
    case .outcome(.delivered(let id, _)):
      deferredTimes[id] = nil
      takeDue(of: id.reminder, situation, into: &replies)
      if keepsRequests, engine.preschedules(id.reminder) { return unobserved.append(id.reminder) }
      guard let own = lastRequest(of: id.reminder) else { break }
      process(
        ObservedEvent(
          .delivered, subject: own.reminder.rawValue, value: Int64(own.occurrence), at: situation.moment),
        situation, into: &replies)
    case .outcome(.refused(let id, _)):
      evaluated(id.reminder, situation, into: &replies)
      refused(id, situation, into: &replies)
    default: break
    }
  }

  /// Updates the planned occurrences after an event. Occurrences that the scheduler denied remain due,
  /// although the engine forgets them.
  private mutating func updatePlans(after event: ObservedEvent) {
    switch event.kind {
    case .zoneChanged: move(to: event.moment)
    // A new installation starts without plans.
    case .reinstalled:
      planned = PlannedOccurrences()
      lastDue = [:]
      lastDenied = []
      snoozeEnds = [:]
      snoozeRequests = []
      deferredTimes = [:]
    case .snooze:
      let reminder = ReminderID(event.subject)
      let end = SnoozeEnd(
        instant: Instant(millisecondsSince1970: event.value), isElapsed: event.isSnoozeForLength)
      snoozeEnds[reminder] = (snoozeEnds[reminder] ?? []).suffix(Self.snoozesKept - 1) + [end]
    default: break
    }
  }

  private mutating func move(to moment: Moment) {
    planned.move(from: zones[zone], to: zones[moment.zone], at: moment.wall)
    zone = moment.zone
    for reminder in planned.reminders {
      let declaration = engine.program.declarations[Int(engine.declarationInForce(reminder))]
      planned.remove(of: reminder, from: declaration.expires)
    }
  }

  /// Moves times that end a fixed duration along with the wall clock.
  private mutating func followClock(_ clock: PhoneClock) {
    if clock.ahead == clockOffset { return }
    let delta = clock.ahead - clockOffset
    clockOffset = clock.ahead
    planned.shiftSpans(by: delta)
    for (reminder, ends) in snoozeEnds {
      snoozeEnds[reminder] = ends.map { end in
        SnoozeEnd(instant: end.isElapsed ? end.instant + delta : end.instant, isElapsed: end.isElapsed)
      }
    }
  }

  /// Handles a wake-up of the engine or the time of a planned occurrence.
  ///
  /// The truth track grants every wake-up exactly on time. Each occurrence has its own timer, and an outdated
  /// timer has no effect.
  mutating func timerFired(_ subject: UInt32, _ situation: Situation, into replies: inout Replies) {
    followClock(situation.clock)
    if subject & Self.isPlanned != 0 {
      takeDue(of: ReminderID(subject & ~Self.isPlanned), situation, into: &replies)
      return
    }
    process(ObservedEvent(.woken, subject: subject, at: situation.moment), situation, into: &replies)
  }

  /// Applies the scheduler's answers to the corresponding requests of the truth track. If the app may retry a
  /// match, the match is reopened on the truth track too.
  mutating func answered(
    _ answers: [EngineEffect], _ situation: Situation, into replies: inout Replies
  ) {
    let moment = situation.moment
    remember(answers)
    let relevant = answers.filter { $0.concernsMatch(at: moment) }
    if relevant.isEmpty { return }
    if isHolding {
      for answer in relevant { answer.reminder.map { evaluated($0, situation, into: &replies) } }
    }
    // A removal applies to the latest open match, so apply the removals one at a time.
    let isOneByOne = relevant.count { $0.isRemoval } > 1
    for answers in isOneByOne ? relevant.map({ [$0] }) : [relevant] {
      let own = answers.compactMap { counterpart(of: $0, at: moment) }
      // A request is not due if its conditions fail when it is released.
      for case .remove(let request, .staleAtRelease) in own { planned.remove(request) }
      engine.settled(own, at: moment, into: &effects)
    }
    carryOut(situation, into: &replies)
  }

  /// Stores the added requests, because later records contain only their identifiers.
  private mutating func remember(_ answers: [EngineEffect]) {
    lastAdded.removeAll(keepingCapacity: true)
    for answer in answers {
      if case .decided(let request, let decision) = answer, decision.outcome == .defer {
        deferredTimes[request.id] = request.scheduledFor
      }
      switch answer {
      case .add(let request): lastAdded.append(request)
      case .decided(let request, _) where !snoozeEnds.isEmpty:
        if snoozeEnds[request.id.reminder]?.contains(where: { $0.instant == request.scheduledFor }) ?? false {
          snoozeRequests.insert(request.id)
        } else {
          snoozeRequests.remove(request.id)
        }
      default: break
      }
    }
  }

  private mutating func process(
    _ event: ObservedEvent, _ situation: Situation, into replies: inout Replies
  ) {
    if !isUnaffected(by: event) { settled(situation, into: &replies) }
    engine.process(event, into: &effects)
    carryOut(situation, because: event, into: &replies)
  }

  /// Passes the system's refusal of a request to the engine.
  private mutating func refused(_ request: RequestID, _ situation: Situation, into replies: inout Replies) {
    guard let added = lastAdded.last(where: { $0.id == request }),
      let own = counterpart(of: added, at: situation.moment)
    else { return }
    let refusal = ObservedEvent(
      .addFailed, subject: own.reminder.rawValue, value: Int64(own.occurrence), at: situation.moment)
    engine.process(refusal, into: &effects)
    carryOut(situation, into: &replies)
  }

  /// Notifies the engine that the system lost a request of the app. If the request's time has passed, the
  /// engine makes it again for the same occasion.
  ///
  /// - Parameter time: The due time of the request, or `nil` if it was not made in advance.
  mutating func lost(
    _ request: RequestID, due time: Instant?, _ situation: Situation, into replies: inout Replies
  ) {
    let moment = situation.moment
    let isOfSnooze = snoozeRequests.contains(request)
    guard let time = time ?? deferredTimes[request],
      let own = engine.lostRequest(of: request.reminder, due: time, isOfSnooze: isOfSnooze, at: moment)
    else { return }
    let loss = ObservedEvent(
      .pendingDropped, subject: own.reminder.rawValue, value: Int64(own.occurrence), at: moment)
    engine.process(loss, into: &effects)
    for case .request(let again) in effects where !isOfSnooze && again.deliverAt <= moment.wall {
      lastDue[again.id.reminder] = (again.id, again.scheduledFor)
    }
    carryOut(situation, into: &replies)
  }

  /// Returns the truth-track request that corresponds to a request of the app, or `nil` if the request
  /// belongs to a snooze.
  ///
  /// The counterpart is the occurrence at the same time, or else the latest match. For a reminder that is
  /// scheduled ahead, it is otherwise the request with the same identifier.
  private func counterpart(of request: NotificationRequest, at moment: Moment) -> RequestID? {
    let reminder = request.id.reminder
    if snoozeRequests.contains(request.id) { return nil }
    if let occurrence = engine.pendingOccurrence(of: reminder, at: request.scheduledFor) { return occurrence }
    if let last = lastDue[reminder], last.time == request.scheduledFor { return last.request }
    // A match never causes a request for a later time.
    if request.scheduledFor <= moment.wall, let match = engine.openRequest(of: reminder) { return match }
    return engine.preschedules(reminder) ? request.id : nil
  }

  /// Returns an answer with the app's request replaced by its truth-track counterpart, or `nil` if there is
  /// none.
  private func counterpart(of answer: EngineEffect, at moment: Moment) -> EngineEffect? {
    func own(_ request: NotificationRequest) -> NotificationRequest? {
      guard let id = counterpart(of: request, at: moment) else { return nil }
      var own = request
      own.id = id
      return own
    }
    switch answer {
    case .decided(let request, let decision): return own(request).map { .decided($0, decision) }
    case .dropped(let request, let reason): return own(request).map { .dropped($0, reason) }
    case .remove(let request, let reason):
      if snoozeRequests.contains(request) { return nil }
      if reason == .staleAtRelease, let time = deferredTimes[request],
        let occurrence = engine.pendingOccurrence(of: request.reminder, at: time)
      {
        return .remove(occurrence, reason)
      }
      return engine.openRequest(of: request.reminder).map { .remove($0, reason) }
    default: return nil
    }
  }

  /// Carries out the engine's effects.
  ///
  /// - Parameter event: The event that caused them, or `nil` if an answer caused them. Requests that an
  ///   answer causes are due at their next trigger.
  private mutating func carryOut(
    _ situation: Situation, because event: ObservedEvent? = nil, into replies: inout Replies
  ) {
    let wall = (event?.moment ?? situation.moment).wall
    var registered: [RegionID] = []
    for effect in effects {
      switch effect {
      case .request(let request):
        if keepsRequests, request.deliverAt <= wall { requests.append(request.id) }
        if request.deliverAt > wall {
          planned.insert(request)
          wake(for: request.id.reminder, at: request.deliverAt, situation, into: &replies)
        } else if let event {
          due(request.id, at: request.deliverAt, because: event, into: &replies)
        }
      case .withdraw(let reminder, _): planned.remove(allOf: reminder)
      case .remove(let request, _): planned.remove(request)
      case .wake(let reminder, let wall) where wall != .distantFuture:
        if keepsRequests { wakes[reminder] = wall }
        replies.wake(at: max(situation.clock.instant(ofWall: wall), situation.now), reminder.rawValue)
      case .monitor(let region):
        if keepsRequests { monitored.insert(region) }
        // For a created or edited reminder, the engine registers the regions around the phone again.
        if event?.kind == .create || event?.kind == .edit { registered.append(region) }
      case .unmonitor(let region): monitored.remove(region)
      case .watch: isWatching = true
      case .unwatch: isWatching = false
      default: break
      }
    }
    effects.removeAll(keepingCapacity: true)
    for region in registered where reportsInitialEnters {
      let enter = ObservedEvent(
        .regionEntered, subject: region.rawValue, value: ObservedEvent.initialEnter, at: situation.moment)
      process(enter, situation, into: &replies)
    }
  }

  /// Removes the planned occurrences that are due, and wakes the engine to plan the next ones.
  private mutating func takeDue(
    of reminder: ReminderID, _ situation: Situation, into replies: inout Replies
  ) {
    evaluated(reminder, situation, into: &replies)
    let moment = situation.moment
    while let occurrence = planned.takeDue(of: reminder, at: moment.wall, in: zones[moment.zone]) {
      let woken = ObservedEvent(.woken, subject: reminder.rawValue, at: situation.moment)
      // A snooze that ends at the time of an occurrence does not create a second occasion.
      if lastDue[reminder]?.time != occurrence.time, !wasDenied(reminder, at: occurrence.time) {
        due(occurrence.request, at: occurrence.time, because: woken, into: &replies)
      }
      if occurrence.repeats != nil, let next = planned.times(of: reminder).first {
        wake(for: reminder, at: next, situation, into: &replies)
      }
      if keepsRequests { unobserved.append(reminder) } else { process(woken, situation, into: &replies) }
    }
  }

  /// Plans further occurrences of the reminders whose planned occurrences passed unobserved. Called when the
  /// app runs.
  mutating func catchUp(_ situation: Situation, into replies: inout Replies) {
    for reminder in Set(unobserved).sorted() {
      let woken = ObservedEvent(.woken, subject: reminder.rawValue, at: situation.moment)
      process(woken, situation, into: &replies)
    }
    unobserved.removeAll(keepingCapacity: true)
  }

  private func wake(
    for reminder: ReminderID, at wall: Instant, _ situation: Situation, into replies: inout Replies
  ) {
    let instant = max(situation.clock.instant(ofWall: wall), situation.now)
    replies.wake(at: instant, reminder.rawValue | Self.isPlanned)
  }

  // MARK: - Counted reminders

  /// Whether identical denials are counted together, as in the engine under test.
  var countsInBulk: Bool {
    get { engine.countsInBulk }
    set { engine.countsInBulk = newValue }
  }

  /// Whether matches at this instant still wait for decisions of the engine under test.
  var isHolding: Bool { mutating get { engine.isHolding } }

  /// Returns whether an event leaves the pending matches unchanged.
  mutating func isUnaffected(by event: ObservedEvent) -> Bool { !isHolding || engine.holdsBeside(event) }

  /// Applies a counted denial by the engine under test to the matches that were due at the same instant.
  ///
  /// - Returns: The bits of the reminders that were due. The truth track records nothing for them.
  mutating func denied(
    _ counted: CountedReminders, _ situation: Situation, into replies: inout Replies
  ) -> UInt64 {
    guard case .denied(let reason, let blockers) = counted.fate else { return 0 }
    let due = engine.denyHeld(counted.bits, ofWord: counted.word)
    let moment = situation.moment
    if due != 0 {
      if lastDenied.isEmpty {
        lastDenied = Array(repeating: (0, .distantPast), count: engine.program.wordCount)
      }
      lastDenied[Int(counted.word)] = (due, moment.wall)
    }
    var rest = counted.bits & ~due
    if rest == 0 { return due }
    // The denial loses the matches that were due at an earlier instant.
    let decision = Decision(outcome: .deny, reason: reason, blockers: blockers)
    var answers: [EngineEffect] = []
    while rest != 0 {
      let reminder = engine.program.reminder(counted.word, rest.trailingZeroBitCount)
      rest &= rest - 1
      guard let own = engine.openRequest(of: reminder) else { continue }
      let request = NotificationRequest(
        id: own, type: TypeID(0), bucket: .standard, scheduledFor: moment.wall, deliverAt: moment.wall)
      answers.append(.decided(request, decision))
    }
    engine.settled(answers, at: moment, into: &effects)
    carryOut(situation, into: &replies)
    return due
  }

  /// Reports the pending matches that no counted denial covered as due, one at a time.
  mutating func settled(_ situation: Situation, into replies: inout Replies) {
    for index in engine.held.matches.indices {
      let bits = engine.held.matches[index].found.bits
      if bits == 0 { continue }
      let event = engine.requestHeld(bits, at: index, into: &effects)
      carryOut(situation, because: event, into: &replies)
    }
    engine.clearHeld()
  }

  mutating func evaluated(
    _ reminder: ReminderID, _ situation: Situation, into replies: inout Replies
  ) {
    guard isHolding, let event = engine.requestHeld(of: reminder, into: &effects) else { return }
    carryOut(situation, because: event, into: &replies)
  }

  /// Returns whether the last counted denial included this reminder at exactly this time.
  private func wasDenied(_ reminder: ReminderID, at time: Instant) -> Bool {
    if lastDenied.isEmpty { return false }
    guard let place = engine.place(of: reminder) else { return false }
    let last = lastDenied[Int(place.word)]
    return last.time == time && last.bits & place.bit != 0
  }

  /// Returns the last due request of a reminder.
  private func lastRequest(of reminder: ReminderID) -> RequestID? {
    if let own = lastDue[reminder] { return own.request }
    return countsInBulk ? engine.latestRequest(of: reminder) : nil
  }

  private mutating func due(
    _ request: RequestID, at time: Instant, because event: ObservedEvent, into replies: inout Replies
  ) {
    lastDue[request.reminder] = (request, time)
    replies.record(.due(request, at: time, because: event))
  }
}

extension EngineEffect {
  /// The reminder that an answer concerns.
  fileprivate var reminder: ReminderID? {
    switch self {
    case .decided(let request, _), .dropped(let request, _): request.id.reminder
    case .remove(let request, _): request.reminder
    default: nil
    }
  }

  /// Whether the answer removes a request from the system.
  fileprivate var isRemoval: Bool { if case .remove = self { true } else { false } }

  /// Returns whether an answer closes, keeps open or reopens a match.
  fileprivate func concernsMatch(at moment: Moment) -> Bool {
    switch self {
    case .decided(let request, let decision):
      decision.outcome != .admit || request.isRelease(at: moment)
    case .dropped, .remove: true
    default: false
    }
  }
}

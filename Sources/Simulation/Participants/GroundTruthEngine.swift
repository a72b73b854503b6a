import CivilTime
import DeviceSimulation
package import Journal
import ReminderEngine
import ReminderMatching
import ScenarioModel
package import TriggerModel

/// The reminder engine on the truth track: told what really happens, at once and of everything, it shows
/// what should have been asked for, and when that was due. What is asked for beforehand is due when its time
/// comes, if it has not been taken back by then.
package struct GroundTruthEngine: Participant {
  private var engine: ReminderEngine
  private var effects: [EngineEffect] = []
  private var planned = PlannedOccasions()
  /// The occasion of each reminder that was due last, and when.
  private var lastDue: [ReminderID: (request: RequestID, time: Instant)] = [:]
  private var zone: ZoneID
  private let zones: ZoneTable
  /// By word of reminders: those that were denied alike last, and when on the wall clock.
  private var lastDenied: [(bits: UInt64, time: Instant)] = []
  /// How much the phone's wall clock is ahead of simulation time.
  private var ahead = TimeSpan.zero
  /// When snoozes end, by reminder: of each the latest few, as what asks again may be put off.
  private var snoozeEnds: [ReminderID: [Instant]] = [:]
  /// The requests of the app that ask again when a snooze ends: no match has made them, and none comes to nothing
  /// with them.
  private var askedBySnooze: Set<RequestID> = []
  /// What the app has handed to the system last.
  private var lastAdded: [NotificationRequest] = []

  /// Tells a reminder's timer for what is planned from that for its wishes to be woken.
  private static let isPlanned: UInt32 = 1 << 31
  /// More than can wait for the end of quiet hours in practice.
  private static let snoozesKept = 8

  package init(_ program: Program, device: Int) {
    engine = program.makeReminderEngine(explainsMisses: false)
    engine.alarmsMayBeLate = program.alarmsMayBeLate(onDevice: device)
    zone = program.scenario.zone
    zones = program.scenario.zones
  }

  /// Which conditions really hold.
  func explanation(of reminder: ReminderID, at moment: Moment) -> Explanation? {
    var engine = engine
    return engine.explain(reminder, at: moment)
  }

  package static func listens(to body: JournalRecord.Body) -> Bool {
    switch body {
    case .truth, .outcome: true
    case .happened, .observed, .effect, .due, .link, .app, .person, .sync: false
    }
  }

  package mutating func begin(_ situation: Situation, into replies: inout Replies) {
    process(ObservedEvent(.launched, at: situation.moment), situation, into: &replies)
  }

  package mutating func deliver(
    _ body: JournalRecord.Body, _ situation: Situation, into replies: inout Replies
  ) {
    switch body {
    case .truth(let event):
      follow(event)
      noteClock(situation.clock)
      process(event, situation, into: &replies)
      // The times that are planned come at other instants now.
      if event.kind == .zoneChanged || event.kind == .clockChanged {
        for reminder in planned.reminders {
          takeDue(of: reminder, situation, into: &replies)
          for time in planned.times(of: reminder) { wake(for: reminder, at: time, situation, into: &replies) }
        }
      }
    // Only what was shown can be put off.
    case .outcome(.delivered(let id, _)):
      takeDue(of: id.reminder, situation, into: &replies)
      guard let own = lastRequest(of: id.reminder) else { break }
      process(
        ObservedEvent(
          .delivered, subject: own.reminder.rawValue, value: Int64(own.occurrence), at: situation.moment),
        situation, into: &replies)
    case .outcome(.refused(let id, _)):
      lookedAt(id.reminder, situation, into: &replies)
      refused(id, situation, into: &replies)
    default: break
    }
  }

  /// What becomes of plans that the engine knows no more, as the scheduler denied them: they are due all the same.
  private mutating func follow(_ event: ObservedEvent) {
    switch event.kind {
    case .zoneChanged: enter(event.moment)
    // A new installation makes plans of its own.
    case .reinstalled:
      planned = PlannedOccasions()
      lastDue = [:]
      lastDenied = []
      snoozeEnds = [:]
      askedBySnooze = []
    case .snooze:
      let (reminder, end) = (ReminderID(event.subject), Instant(millisecondsSince1970: event.value))
      snoozeEnds[reminder] = (snoozeEnds[reminder] ?? []).suffix(Self.snoozesKept - 1) + [end]
    default: break
    }
  }

  private mutating func enter(_ moment: Moment) {
    planned.move(from: zones[zone], to: zones[moment.zone], at: moment.wall)
    zone = moment.zone
    for reminder in planned.reminders {
      let declaration = engine.program.declarations[Int(engine.declarationInForce(reminder))]
      planned.remove(of: reminder, from: declaration.expires)
    }
  }

  /// Somebody may have set the wall clock.
  private mutating func noteClock(_ clock: PhoneClock) {
    if clock.ahead != ahead { planned.shiftSpans(by: clock.ahead - ahead) }
    ahead = clock.ahead
  }

  /// A wish to be woken, which truth grants exactly, or the time of what was planned: each occasion has a timer
  /// of its own. A timer that was overtaken does no harm.
  package mutating func timerFired(_ subject: UInt32, _ situation: Situation, into replies: inout Replies) {
    if subject & Self.isPlanned != 0 {
      takeDue(of: ReminderID(subject & ~Self.isPlanned), situation, into: &replies)
      return
    }
    process(ObservedEvent(.woken, subject: subject, at: situation.moment), situation, into: &replies)
  }

  /// What the scheduler says of the app's requests holds for those that should have been made as well: a
  /// match that the app gets back comes back here.
  package mutating func answered(
    _ answers: [EngineEffect], _ situation: Situation, into replies: inout Replies
  ) {
    let moment = situation.moment
    note(answers)
    let relevant = answers.filter { $0.concernsMatch(at: moment) }
    if relevant.isEmpty { return }
    if isHolding {
      for answer in relevant { answer.reminder.map { lookedAt($0, situation, into: &replies) } }
    }
    engine.settled(relevant.compactMap { own($0, at: moment) }, at: moment, into: &effects)
    pass(situation, into: &replies)
  }

  /// What is said later of these requests says only which they are.
  private mutating func note(_ answers: [EngineEffect]) {
    lastAdded.removeAll(keepingCapacity: true)
    for answer in answers {
      switch answer {
      case .add(let request): lastAdded.append(request)
      case .decided(let request, _) where !snoozeEnds.isEmpty:
        if snoozeEnds[request.id.reminder]?.contains(request.scheduledFor) ?? false {
          askedBySnooze.insert(request.id)
        } else {
          askedBySnooze.remove(request.id)
        }
      default: break
      }
    }
  }

  private mutating func process(
    _ event: ObservedEvent, _ situation: Situation, into replies: inout Replies
  ) {
    if !holdsBeside(event) { settled(situation, into: &replies) }
    engine.process(event, into: &effects)
    pass(situation, because: event, into: &replies)
  }

  /// The system refused a request of the app.
  private mutating func refused(_ request: RequestID, _ situation: Situation, into replies: inout Replies) {
    guard let added = lastAdded.last(where: { $0.id == request }),
      let own = own(added, at: situation.moment)
    else { return }
    let refusal = ObservedEvent(
      .addFailed, subject: own.reminder.rawValue, value: Int64(own.occurrence), at: situation.moment)
    engine.process(refusal, into: &effects)
    pass(situation, into: &replies)
  }

  /// The request that stands here for one of the app: the occurrence of the same time, or the latest match, or of
  /// what is handed over beforehand that of the same number. Nil: none does, as it is a snooze's.
  private func own(_ request: NotificationRequest, at moment: Moment) -> RequestID? {
    let reminder = request.id.reminder
    if askedBySnooze.contains(request.id) { return nil }
    if let occurrence = engine.pendingOccurrence(of: reminder, at: request.scheduledFor) { return occurrence }
    if let last = lastDue[reminder], last.time == request.scheduledFor { return last.request }
    // No match makes a request for a later time.
    if request.scheduledFor <= moment.wall, let match = engine.openRequest(of: reminder) { return match }
    return engine.handsOver(reminder) ? request.id : nil
  }

  /// An answer about a request of the app, as one about the request that stands for it here. Nil: none does.
  private func own(_ answer: EngineEffect, at moment: Moment) -> EngineEffect? {
    func own(_ request: NotificationRequest) -> NotificationRequest? {
      guard let id = self.own(request, at: moment) else { return nil }
      var own = request
      own.id = id
      return own
    }
    switch answer {
    case .decided(let request, let decision): return own(request).map { .decided($0, decision) }
    case .dropped(let request, let reason): return own(request).map { .dropped($0, reason) }
    case .remove(let request, let reason):
      if askedBySnooze.contains(request) { return nil }
      return engine.openRequest(of: request.reminder).map { .remove($0, reason) }
    default: return nil
    }
  }

  /// - Parameter event: What really happened; nil: what is asked for follows from an answer, and is due
  ///   when its trigger comes again.
  private mutating func pass(
    _ situation: Situation, because event: ObservedEvent? = nil, into replies: inout Replies
  ) {
    let wall = (event?.moment ?? situation.moment).wall
    for effect in effects {
      switch effect {
      case .request(let request):
        if request.deliverAt > wall {
          planned.insert(request)
          wake(for: request.id.reminder, at: request.deliverAt, situation, into: &replies)
        } else if let event {
          due(request.id, at: request.deliverAt, because: event, into: &replies)
        }
      case .withdraw(let reminder, _): planned.remove(allOf: reminder)
      case .remove(let request, _): planned.remove(request)
      case .wake(let reminder, let wall) where wall != .distantFuture:
        replies.wake(at: max(situation.clock.instant(ofWall: wall), situation.now), reminder.rawValue)
      default: break
      }
    }
    effects.removeAll(keepingCapacity: true)
  }

  /// The time of what was planned has come: its reminder hands over what comes after it.
  private mutating func takeDue(
    of reminder: ReminderID, _ situation: Situation, into replies: inout Replies
  ) {
    lookedAt(reminder, situation, into: &replies)
    let moment = situation.moment
    while let occasion = planned.takeDue(of: reminder, at: moment.wall, in: zones[moment.zone]) {
      let woken = ObservedEvent(.woken, subject: reminder.rawValue, at: situation.moment)
      // What the end of a snooze brings at the time of an occurrence is the same occasion.
      if lastDue[reminder]?.time != occasion.time, !wasDenied(reminder, at: occasion.time) {
        due(occasion.request, at: occasion.time, because: woken, into: &replies)
      }
      if occasion.repeats != nil, let next = planned.times(of: reminder).first {
        wake(for: reminder, at: next, situation, into: &replies)
      }
      process(woken, situation, into: &replies)
    }
  }

  private func wake(
    for reminder: ReminderID, at wall: Instant, _ situation: Situation, into replies: inout Replies
  ) {
    let instant = max(situation.clock.instant(ofWall: wall), situation.now)
    replies.wake(at: instant, reminder.rawValue | Self.isPlanned)
  }

  // MARK: - What is counted

  /// Whether requests that were denied alike are counted, as the engine under test does.
  var countsAlike: Bool {
    get { engine.countsAlike }
    set { engine.countsAlike = newValue }
  }

  /// It is not known yet what the engine under test was told to all that was due at this instant.
  var isHolding: Bool { mutating get { engine.isHolding } }

  /// Whether an event leaves what is held as it is.
  mutating func holdsBeside(_ event: ObservedEvent) -> Bool { !isHolding || engine.holdsBeside(event) }

  /// The engine under test was denied alike what some reminders asked for. What was due at the same instant is as
  /// if it had been denied here.
  /// - Returns: Those of the bits that were due. Nothing else is said of them.
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
    // What was due before comes to nothing now.
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
    pass(situation, into: &replies)
    return due
  }

  /// What is held was not denied alike: it is due, each by itself.
  package mutating func settled(_ situation: Situation, into replies: inout Replies) {
    for index in engine.held.matches.indices {
      let bits = engine.held.matches[index].found.bits
      if bits == 0 { continue }
      let event = engine.askHeld(bits, at: index, into: &effects)
      pass(situation, because: event, into: &replies)
    }
    engine.clearHeld()
  }

  package mutating func lookedAt(
    _ reminder: ReminderID, _ situation: Situation, into replies: inout Replies
  ) {
    guard isHolding, let event = engine.askHeld(of: reminder, into: &effects) else { return }
    pass(situation, because: event, into: &replies)
  }

  /// Whether an occasion of this very time was denied alike.
  private func wasDenied(_ reminder: ReminderID, at time: Instant) -> Bool {
    if lastDenied.isEmpty { return false }
    guard let place = engine.place(of: reminder) else { return false }
    let last = lastDenied[Int(place.word)]
    return last.time == time && last.bits & place.bit != 0
  }

  /// The request that was due last.
  private func lastRequest(of reminder: ReminderID) -> RequestID? {
    if let own = lastDue[reminder] { return own.request }
    return countsAlike ? engine.latestRequest(of: reminder) : nil
  }

  private mutating func due(
    _ request: RequestID, at time: Instant, because event: ObservedEvent, into replies: inout Replies
  ) {
    lastDue[request.reminder] = (request, time)
    replies.record(.due(request, at: time, because: event))
  }
}

extension EngineEffect {
  /// Of an answer.
  fileprivate var reminder: ReminderID? {
    switch self {
    case .decided(let request, _), .dropped(let request, _): request.id.reminder
    case .remove(let request, _): request.reminder
    default: nil
    }
  }

  /// Whether it says that a match is not kept, or that this is still open, or no longer.
  fileprivate func concernsMatch(at moment: Moment) -> Bool {
    switch self {
    case .decided(let request, let decision):
      decision.outcome != .admit || request.isRelease(at: moment)
    case .dropped, .remove: true
    default: false
    }
  }
}

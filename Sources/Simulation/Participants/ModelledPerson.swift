import CivilTime
import DeviceSimulation
package import Journal
import PersonModel
import ScenarioModel
package import TriggerModel

/// The person of a model, with one of their devices in the hand: is told what is shown there and when it is
/// unlocked, and taps, dismisses, opts out, and opens our app unasked.
///
/// What the time line says of a reminder with `tap`, `dismiss` or `ignore` wins: those notifications tire the
/// person as others do, and are answered by the time line alone.
package struct ModelledPerson: Participant {
  private let book: PersonBook
  private let holding: PersonBook.Holding
  private let zones: ZoneTable
  private var person: SimulatedPerson
  /// What the system has of our app: handed over, and not to be seen yet.
  private var waiting: [Waiting] = []
  /// Reminders that the person has put off.
  private var putOff: [ReminderID] = []
  /// What the person is about to do, in the order of deciding.
  private var responses: [SimulatedPerson.Response] = []
  private var hasOptedOut = false
  /// When patience is looked at next.
  private var patienceLook = Instant.distantFuture
  private var opens: OpenPlan

  private struct Waiting: Sendable, BitwiseCopyable {
    var id: RequestID
    var type: TypeID
    var bucket: Bucket
    /// On the phone's wall clock.
    var expiresAt: Instant
    var isPutOff: Bool
    var isRepeated: Bool
  }

  /// What a timer is about.
  private enum Subject: UInt32 {
    case response, patience, open
  }

  init(_ book: PersonBook, person number: UInt64, device: Int, _ program: Program) {
    self.book = book
    let scenario = program.scenario
    zones = scenario.zones
    holding = book.devices[device]
    let setup = book.setup
    person = SimulatedPerson(
      number, seed: book.seed, device: program.devices[device].luck, on: holding.platform, setup.model,
      traits: setup.traits(of: number, seed: book.seed, on: holding.platform), since: scenario.start)
    // One opening is one opening, however many devices there are.
    opens = OpenPlan(
      device == 0 ? setup.organicOpens : nil, person: number, seed: book.seed, until: program.end)
  }

  package static func listens(to body: JournalRecord.Body) -> Bool {
    switch body {
    case .truth(let event): event.kind == .unlock || event.kind == .zoneChanged
    case .effect(.add), .outcome(.delivered), .outcome(.presentedLate), .outcome(.removed),
      .happened(.snooze), .happened(.snoozeUntil):
      true
    case .happened, .effect, .outcome, .observed, .due, .link, .app, .person, .sync: false
    }
  }

  /// The kinds of what really happens that it listens to now: unlocks only while something waits for an answer.
  var truthKinds: EventKinds {
    person.isAboutToLook ? EventKinds(.unlock, .zoneChanged) : EventKinds(.zoneChanged)
  }

  package mutating func begin(_ situation: Situation, into replies: inout Replies) {
    opens.begin(at: situation.now, in: zones[situation.clock.zone])
    awaitOpen(situation, into: &replies)
  }

  package mutating func deliver(
    _ body: JournalRecord.Body, _ situation: Situation, into replies: inout Replies
  ) {
    switch body {
    case .truth(let event) where event.kind == .unlock: unlocked(situation, into: &replies)
    case .truth:
      opens.move(at: situation.now, to: zones[situation.clock.zone])
      awaitOpen(situation, into: &replies)
    case .effect(.add(let request)): handedOver(request)
    case .outcome(.delivered(let id, let presentation)):
      delivered(id, presentation, situation, into: &replies)
    case .outcome(.presentedLate(let id, _)): show(takeWaiting(id), situation, into: &replies)
    case .outcome(.removed(let id, _)): waiting.removeAll { $0.id == id && !$0.isRepeated }
    case .happened(.snooze(let reminder, _)), .happened(.snoozeUntil(let reminder, _)):
      if !putOff.contains(reminder) { putOff.append(reminder) }
    default: break
    }
  }

  package mutating func timerFired(_ subject: UInt32, _ situation: Situation, into replies: inout Replies) {
    let now = situation.now
    switch Subject(rawValue: subject) {
    case .response: respond(at: now, into: &replies)
    case .patience:
      if now >= patienceLook { patienceLook = .distantFuture }
      if let end = person.optOut, end <= now, !hasOptedOut {
        hasOptedOut = true
        replies.record(.person(.optOut))
      }
      awaitPatience(now, into: &replies)
    case .open:
      while opens.takeDue(at: now, in: zones[situation.clock.zone]) { replies.record(.person(.open)) }
      awaitOpen(situation, into: &replies)
    case nil: break
    }
  }

  // MARK: What is shown

  private mutating func handedOver(_ request: NotificationRequest) {
    let id = request.id
    let isPutOff = putOff.contains(id.reminder)
    putOff.removeAll { $0 == id.reminder }
    waiting.removeAll { $0.id == id }
    waiting.append(
      Waiting(
        id: id, type: request.type, bucket: request.bucket, expiresAt: request.expiresAt,
        isPutOff: isPutOff, isRepeated: request.repeats != nil))
  }

  /// What the system still had of a process that is forgotten is like its declaration.
  private mutating func takeWaiting(_ id: RequestID) -> Waiting {
    guard let index = waiting.firstIndex(where: { $0.id == id }) else {
      return Waiting(
        id: id, type: book.types[id.reminder.index], bucket: .standard, expiresAt: .distantFuture,
        isPutOff: false, isRepeated: false)
    }
    return waiting[index].isRepeated ? waiting[index] : waiting.remove(at: index)
  }

  private mutating func delivered(
    _ id: RequestID, _ presentation: Presentation, _ situation: Situation, into replies: inout Replies
  ) {
    // One of the same name that is still to be seen gives way.
    person.forget(id)
    if presentation.isHeld { return }
    let notification = takeWaiting(id)
    if presentation.isExposed { show(notification, situation, into: &replies) }
  }

  private mutating func show(
    _ notification: Waiting, _ situation: Situation, into replies: inout Replies
  ) {
    let now = situation.now
    let zone = zones[situation.clock.zone]
    let shown = SimulatedPerson.Shown(
      notification.id, reminder: book.names[notification.id.reminder.index], type: notification.type,
      kind: book.kind(of: notification.type, notification.bucket, isPutOff: notification.isPutOff), at: now,
      hour: Double(zone.local(at: now).millisecondOfDay) / 3_600_000, isInUse: situation.isUnlocked,
      expiresAt: situation.clock.instant(ofWall: notification.expiresAt))
    let known = responses.count
    if holding.isAnswered[notification.id.reminder.index] {
      person.showAnsweredElsewhere(shown)
    } else if holding.hasUnlocks {
      person.show(shown, into: &responses)
    } else if let response = person.showWithoutUnlocks(shown) {
      responses.append(response)
    }
    awaitResponses(from: known, into: &replies)
    awaitPatience(now, into: &replies)
  }

  // MARK: What the person does

  private mutating func unlocked(_ situation: Situation, into replies: inout Replies) {
    let known = responses.count
    person.unlock(at: situation.now, into: &responses)
    awaitResponses(from: known, into: &replies)
  }

  private func awaitResponses(from first: Int, into replies: inout Replies) {
    for response in responses[first...] { replies.wake(at: response.at, Subject.response.rawValue) }
  }

  private mutating func respond(at now: Instant, into replies: inout Replies) {
    for response in responses where response.at <= now {
      switch response.action {
      case .tap: replies.record(.person(.tap(response.request)))
      case .dismiss: replies.record(.person(.dismiss(response.request)))
      }
    }
    responses.removeAll { $0.at <= now }
  }

  private mutating func awaitPatience(_ now: Instant, into replies: inout Replies) {
    guard !hasOptedOut, let end = person.optOut, end < patienceLook else { return }
    patienceLook = max(end, now)
    replies.wake(at: patienceLook, Subject.patience.rawValue)
  }

  private func awaitOpen(_ situation: Situation, into replies: inout Replies) {
    if let next = opens.next { replies.wake(at: max(next, situation.now), Subject.open.rawValue) }
  }
}

extension ModelledPerson: Packable {
  package mutating func pack(in parcel: inout Parcel) {
    person.pack(in: &parcel)
    parcel.carry(&waiting)
    parcel.carry(&putOff)
    parcel.carry(&responses)
    parcel.carry(&self, \.hasOptedOut, \.patienceLook)
    opens.pack(in: &parcel)
  }
}

import CivilTime
import DeviceSimulation
import Journal
import PersonModel
import ScenarioModel
import TriggerModel

/// A simulated person who uses one of their devices. The person sees exposed notifications and unlocks the
/// device. The person responds by tapping, dismissing, opting out or opening the app.
///
/// Responses on the time line (`tap`, `dismiss`, `ignore`) take precedence. The model counts the
/// notifications that they answer, but does not respond to them itself.
struct ModelledPerson: Participant {
  private let tables: CompiledPerson
  private let heldDevice: CompiledPerson.HeldDevice
  private let zones: ZoneTable
  private var person: SimulatedPerson
  /// The notifications that the app has added but the system has not exposed yet.
  private var waiting: [Waiting] = []
  /// Reminders that the person has snoozed.
  private var snoozed: [ReminderID] = []
  /// The planned responses, in the order in which they were decided.
  private var responses: [SimulatedPerson.Response] = []
  private var hasOptedOut = false
  /// The instant of the next check of the person's patience.
  private var nextPatienceCheck = Instant.distantFuture
  private var opens: OrganicOpenSchedule

  private struct Waiting: Sendable, BitwiseCopyable {
    var id: RequestID
    var type: TypeID
    var bucket: Bucket
    /// The expiry time, on the phone's wall clock.
    var expiresAt: Instant
    var isSnoozed: Bool
    var isRepeated: Bool
  }

  /// The purpose of a timer.
  private enum Subject: UInt32 {
    case response, patience, open
  }

  init(_ tables: CompiledPerson, person number: UInt64, device: Int, _ program: Program) {
    self.tables = tables
    let scenario = program.scenario
    zones = scenario.zones
    heldDevice = tables.devices[device]
    let setup = tables.setup
    person = SimulatedPerson(
      number, seed: tables.seed, device: program.devices[device].drawNumber, on: heldDevice.platform,
      setup.model,
      traits: setup.traits(of: number, seed: tables.seed, on: heldDevice.platform), since: scenario.start)
    // Openings belong to the person, so only the first device generates them.
    opens = OrganicOpenSchedule(
      device == 0 ? setup.organicOpens : nil, person: number, seed: tables.seed, until: program.end)
  }

  static func listens(to body: JournalRecord.Body) -> Bool {
    switch body {
    case .truth(let event): event.kind == .unlock || event.kind == .zoneChanged
    case .effect(.add), .outcome(.delivered), .outcome(.presentedLate), .outcome(.removed),
      .happened(.snooze), .happened(.snoozeUntil):
      true
    case .happened, .effect, .outcome, .observed, .due, .notRequested, .uncalledFor, .link, .app, .person,
      .sync:
      false
    }
  }

  /// The kinds of truth-track events that the model currently needs. It needs unlocks only while a
  /// notification waits for a response.
  var truthKinds: EventKinds {
    person.isAboutToLook ? EventKinds(.unlock, .zoneChanged) : EventKinds(.zoneChanged)
  }

  mutating func begin(_ situation: Situation, into replies: inout Replies) {
    opens.begin(at: situation.now, in: zones[situation.clock.zone])
    scheduleOpen(situation, into: &replies)
  }

  mutating func deliver(
    _ body: JournalRecord.Body, _ situation: Situation, into replies: inout Replies
  ) {
    switch body {
    case .truth(let event) where event.kind == .unlock: unlocked(situation, into: &replies)
    case .truth:
      opens.move(at: situation.now, to: zones[situation.clock.zone])
      scheduleOpen(situation, into: &replies)
    case .effect(.add(let request)): added(request)
    case .outcome(.delivered(let id, let presentation)):
      delivered(id, presentation, situation, into: &replies)
    case .outcome(.presentedLate(let id, _)): show(removeWaiting(id), situation, into: &replies)
    case .outcome(.removed(let id, _)): waiting.removeAll { $0.id == id && !$0.isRepeated }
    case .happened(.snooze(let reminder, _)), .happened(.snoozeUntil(let reminder, _)):
      if !snoozed.contains(reminder) { snoozed.append(reminder) }
    default: break
    }
  }

  mutating func timerFired(_ subject: UInt32, _ situation: Situation, into replies: inout Replies) {
    let now = situation.now
    switch Subject(rawValue: subject) {
    case .response: respond(at: now, into: &replies)
    case .patience:
      if now >= nextPatienceCheck { nextPatienceCheck = .distantFuture }
      if let end = person.optOut, end <= now, !hasOptedOut {
        hasOptedOut = true
        replies.record(.person(.optOut))
      }
      schedulePatienceCheck(now, into: &replies)
    case .open:
      while opens.takeDue(at: now, in: zones[situation.clock.zone]) { replies.record(.person(.open)) }
      scheduleOpen(situation, into: &replies)
    case nil: break
    }
  }

  // MARK: Notifications

  private mutating func added(_ request: NotificationRequest) {
    let id = request.id
    let isSnoozed = snoozed.contains(id.reminder)
    snoozed.removeAll { $0 == id.reminder }
    waiting.removeAll { $0.id == id }
    waiting.append(
      Waiting(
        id: id, type: request.type, bucket: request.bucket, expiresAt: request.expiresAt,
        isSnoozed: isSnoozed, isRepeated: request.repeats != nil))
  }

  /// Removes a waiting notification. If an earlier process added it, recreates it from its declaration.
  private mutating func removeWaiting(_ id: RequestID) -> Waiting {
    guard let index = waiting.firstIndex(where: { $0.id == id }) else {
      return Waiting(
        id: id, type: tables.types[id.reminder.index], bucket: .standard, expiresAt: .distantFuture,
        isSnoozed: false, isRepeated: false)
    }
    return waiting[index].isRepeated ? waiting[index] : waiting.remove(at: index)
  }

  private mutating func delivered(
    _ id: RequestID, _ presentation: Presentation, _ situation: Situation, into replies: inout Replies
  ) {
    // A new notification replaces a visible one with the same identifier.
    person.forget(id)
    if presentation.isHeld { return }
    let notification = removeWaiting(id)
    if presentation.isExposed { show(notification, situation, into: &replies) }
  }

  private mutating func show(
    _ notification: Waiting, _ situation: Situation, into replies: inout Replies
  ) {
    let now = situation.now
    let zone = zones[situation.clock.zone]
    let shown = SimulatedPerson.Shown(
      notification.id, reminder: tables.names[notification.id.reminder.index], type: notification.type,
      kind: tables.kind(of: notification.type, notification.bucket, isSnoozed: notification.isSnoozed),
      at: now,
      hour: Double(zone.local(at: now).millisecondOfDay) / 3_600_000, isInUse: situation.isUnlocked,
      expiresAt: situation.clock.instant(ofWall: notification.expiresAt))
    let known = responses.count
    if heldDevice.isAnswered[notification.id.reminder.index] {
      person.showAnsweredElsewhere(shown)
    } else if heldDevice.hasUnlocks {
      person.show(shown, into: &responses)
    } else if let response = person.showWithoutUnlocks(shown) {
      responses.append(response)
    }
    scheduleResponses(from: known, into: &replies)
    schedulePatienceCheck(now, into: &replies)
  }

  // MARK: Responses

  private mutating func unlocked(_ situation: Situation, into replies: inout Replies) {
    let known = responses.count
    person.unlock(at: situation.now, into: &responses)
    scheduleResponses(from: known, into: &replies)
  }

  private func scheduleResponses(from first: Int, into replies: inout Replies) {
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

  private mutating func schedulePatienceCheck(_ now: Instant, into replies: inout Replies) {
    guard !hasOptedOut, let end = person.optOut, end < nextPatienceCheck else { return }
    nextPatienceCheck = max(end, now)
    replies.wake(at: nextPatienceCheck, Subject.patience.rawValue)
  }

  private func scheduleOpen(_ situation: Situation, into replies: inout Replies) {
    if let next = opens.next { replies.wake(at: max(next, situation.now), Subject.open.rawValue) }
  }
}

extension ModelledPerson: Packable {
  mutating func pack(in parcel: inout Parcel) {
    person.pack(in: &parcel)
    parcel.carry(&waiting)
    parcel.carry(&snoozed)
    parcel.carry(&responses)
    parcel.carry(&self, \.hasOptedOut, \.nextPatienceCheck)
    opens.pack(in: &parcel)
  }
}

/// The times at which the person opens the app without a notification. They are planned one local day at a
/// time, in the phone's zone.
struct OrganicOpenSchedule: Sendable {
  private let opens: OrganicOpens?
  private let person: UInt64
  private let seed: UInt64
  /// The end of the run. No openings are planned after it.
  private let end: Instant
  /// The local day on which the run starts. It is day 0 in the keys of random draws.
  private var first = CivilDate(dayNumber: 0)
  /// The currently planned day.
  private var date = CivilDate(dayNumber: 0)
  /// The remaining times of the day, measured from midnight.
  private var times: ArraySlice<TimeSpan> = []
  /// The next opening in simulation time, or `nil` if there is none.
  private(set) var next: Instant?

  /// - Parameter opens: The distribution of openings, or `nil` if the person opens the app only from
  ///   notifications.
  init(_ opens: OrganicOpens?, person: UInt64, seed: UInt64, until end: Instant) {
    self.opens = opens.flatMap { $0.perDay > 0 && $0.waking.length > 0 ? $0 : nil }
    self.person = person
    self.seed = seed
    self.end = end
  }

  mutating func begin(at now: Instant, in zone: Zone) {
    guard opens != nil else { return }
    first = zone.local(at: now).date
    // Start with the previous day, whose openings may extend past midnight.
    plan(first + -1)
    move(at: now, to: zone)
  }

  /// Moves the plan to another zone, and skips the times that have already passed there.
  mutating func move(at now: Instant, to zone: Zone) {
    guard opens != nil else { return }
    findNext(in: zone)
    while let next, next < now {
      times.removeFirst()
      findNext(in: zone)
    }
  }

  /// Removes the next opening if it is due, and returns whether it was.
  mutating func takeDue(at now: Instant, in zone: Zone) -> Bool {
    guard let next, next <= now else { return false }
    times.removeFirst()
    findNext(in: zone)
    return true
  }

  /// Finds the next opening, today or on a later day.
  private mutating func findNext(in zone: Zone) {
    while times.isEmpty {
      if zone.startOfDay(date) >= end {
        next = nil
        return
      }
      plan(date + 1)
    }
    next = times.first.map { zone.startOfDay(date) + $0 }
  }

  private mutating func plan(_ day: CivilDate) {
    date = day
    times =
      opens.map {
        $0.times(of: person, seed: seed, on: CivilDate(dayNumber: day.dayNumber - first.dayNumber))[...]
      } ?? []
  }
}

extension OrganicOpenSchedule: Packable {
  mutating func pack(in parcel: inout Parcel) {
    parcel.carry(&self, \.first, \.date, \.next)
    var times = Array(times)
    parcel.carry(&times)
    self.times = times[...]
  }
}

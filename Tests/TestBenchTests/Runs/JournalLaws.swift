import CivilTime
import DeviceSimulation
import ReminderEngine
import ReminderMatching
import ScenarioModel
import Simulation
import TriggerModel

@testable import Journal
@testable import Statistics

/// Properties of the journal of any run, checked from its records. An occasion is due once. Nothing is
/// delivered after its reminder has ended. A snooze repeats only notifications that were shown.
struct JournalLaws: JournalSink {
  /// A reminder on a device.
  private struct Thread {
    let expires: Instant
    /// Whether its only triggers are schedules and lapses.
    let isPlanned: Bool
    /// Whether its only triggers are schedules, and the app requests occurrences individually or is woken for
    /// each.
    let isScheduled: Bool
    /// Whether the system repeats it at a fixed interval. The first interval starts when the request is
    /// added, so there are no fixed due times.
    let hasSpan: Bool
    /// Whether an edit has replaced the declaration.
    var isEdited = false
    var wasShown = false
    /// The notifications delivered so far, and those among them that an edit has removed.
    var delivered: Set<RequestID> = []
    var removed: Set<RequestID> = []
    /// The past due times. They recur only if the clock is set back.
    var passed: [LocalTime] = []
    /// The due times, keyed by local time without regard to the zone.
    var due: [LocalTime: [Timing]] = [:]
    var fired: [LocalTime: [Timing]] = [:]
    var asked: [RequestID: Timing] = [:]
    /// The local time of each request, or `nil` if the app lost its store and reused the identifier of an
    /// earlier request.
    var times: [RequestID: LocalTime?] = [:]
    var deliverAt: [RequestID: Instant] = [:]
    /// The admitted requests that have not ended yet.
    var open: [RequestID: Int] = [:]
    var reserved: [RequestID: Reserved] = [:]
  }

  /// The instant of a request or due time, with its local time.
  private struct Timing {
    var since: Instant
    var time: Instant

    /// Returns whether a request may belong to a due time. A journey can repeat a date with its local times,
    /// so a later request may belong to another due time.
    func answers(_ due: Timing) -> Bool { since <= due.since || time == due.time }
  }

  /// A request that the system holds.
  private struct Reserved {
    var since: Instant
    /// The due instant, without any delay by the system.
    var due: Instant
    var lateness: TimeSpan
    /// The instant at which the system moved the request from its requested time, or `nil` if it did not.
    var movedAt: Instant?
  }

  /// A snooze that the app has not observed yet.
  private struct Snooze {
    var device: Int
    var reminder: ReminderID
    var until: Instant
    var takesBack = false
  }

  private(set) var faults: [String] = []
  /// Whether a new request reused the identifier of a request that the system still holds. This happens after
  /// an old store is restored. It is then unknown which of the two requests ended.
  private(set) var usesNumbersTwice = false
  /// The number of requests that repeated a snoozed notification, and of reminders that ended in the run.
  private(set) var putOff = 0
  private(set) var ended = 0
  /// The reminders, indexed by device and reminder.
  private var threads: [[Thread]]
  private var snooze: Snooze?
  /// The instant at which the app last observed its clock or zone with a readable store, by device.
  private var observedClocks: [Instant]
  /// The latest wall-clock time since the clock was set back by days or the phone changed its zone, by
  /// device.
  private var latestWall: [Instant]
  /// The instant of the last store fault, by device. The app may not know the requests that it made before.
  private var storeFaults: [Instant]
  /// Whether the app cannot read its store, by device. Without the store, it knows no request that it could
  /// withdraw.
  private var isLocked: [Bool]
  private let program: Program

  init(_ program: Program) {
    self.program = program
    let reminders = program.scenario.reminders.map { reminder in
      Thread(
        expires: reminder.declaration.expires,
        isPlanned: reminder.declaration.triggers.allSatisfy(\.isPlanned),
        isScheduled: reminder.declaration.triggers.allSatisfy {
          if case .scheduled = $0 { true } else { false }
        },
        hasSpan: reminder.declaration.triggers.contains(where: \.hasSpan))
    }
    threads = Array(repeating: reminders, count: program.devices.count)
    observedClocks = Array(repeating: .distantPast, count: program.devices.count)
    storeFaults = observedClocks
    latestWall = observedClocks
    isLocked = Array(repeating: false, count: program.devices.count)
    ended = reminders.count { program.scenario.start..<program.end ~= $0.expires }
  }

  mutating func record(_ body: JournalRecord.Body, _ stamp: RecordStamp) {
    let device = Int(stamp.device)
    if case .truth = body {} else { latestWall[device] = max(latestWall[device], stamp.moment.wall) }
    switch body {
    case .observed(let event): observed(event, device, stamp)
    case .effect(let effect): take(effect, device, stamp)
    case .outcome(let outcome): take(outcome, device, stamp)
    case .due(let id, let time, let cause): due(id, time, cause, device, stamp)
    case .truth(let event): happened(event, device, stamp)
    case .happened(.storeFault): storeFaults[device] = stamp.instant
    case .happened, .notRequested, .uncalledFor, .link, .app, .person, .sync: break
    }
  }

  private mutating func happened(_ event: ObservedEvent, _ device: Int, _ stamp: RecordStamp) {
    let wall = stamp.moment.wall
    switch event.kind {
    case .zoneChanged, .clockChanged:
      // If the clock or a journey repeats a day, each of its local times may be due again. A schedule repeats
      // nothing if the clock is set back by less than a day.
      let repeatsTimes = event.kind == .zoneChanged || wall < latestWall[device] - .days(1)
      if repeatsTimes { latestWall[device] = wall }
      latestWall[device] = max(latestWall[device], wall)
      let now = local(wall, stamp)
      for index in threads[device].indices where repeatsTimes || !threads[device][index].isScheduled {
        threads[device][index].passed.removeAll { $0 > now }
      }
    case .tapped, .dismissed, .acted:
      if threads[device][Int(event.subject)].removed.contains(event.request) {
        fault(event.request, "is answered although an edit has removed it", stamp)
      }
    // A new installation has no past due times.
    case .reinstalled:
      latestWall[device] = wall
      let now = local(wall, stamp)
      for index in threads[device].indices { threads[device][index].passed.removeAll { $0 > now } }
    default: break
    }
  }

  private mutating func observed(_ event: ObservedEvent, _ device: Int, _ stamp: RecordStamp) {
    snooze = nil
    switch event.kind {
    case .snooze:
      snooze = Snooze(
        device: device, reminder: ReminderID(event.subject),
        until: Instant(millisecondsSince1970: event.value))
    case .edit, .create:
      let index = Int(event.subject)
      threads[device][index].isEdited = true
      // While its store is locked, an app postpones the edit of the reminder.
      if event.kind == .edit, !isLocked[device] {
        threads[device][index].removed.formUnion(threads[device][index].delivered)
      }
    case .launched: isLocked[device] = event.value == 1
    case .storeAvailable:
      isLocked[device] = false
      observedClocks[device] = stamp.instant
    case .zoneChanged, .clockChanged: if !isLocked[device] { observedClocks[device] = stamp.instant }
    case .reinstalled:
      for index in threads[device].indices { threads[device][index].wasShown = false }
    default: break
    }
  }

  private mutating func take(_ effect: EngineEffect, _ device: Int, _ stamp: RecordStamp) {
    switch effect {
    case .remove(let id, .superseded):
      let isPending = threads[device][id.reminder.index].open[id, default: 0] > 0
      if isPending, snooze?.device == device, snooze?.reminder == id.reminder { snooze?.takesBack = true }
    case .dropped(let request, .superseded):
      if snooze?.device == device, snooze?.reminder == request.id.reminder { snooze?.takesBack = true }
    case .request(let request): asked(request, device, stamp)
    case .decided(let request, let decision) where decision.outcome == .admit:
      let index = request.id.reminder.index
      if storeFaults[device] != .distantPast, threads[device][index].open[request.id, default: 0] > 0 {
        usesNumbersTwice = true
      }
      threads[device][index].open[request.id, default: 0] += 1
      let time = max(request.deliverAt, stamp.moment.wall)
      if time >= request.expiresAt { fault(request.id, "is admitted for after its end", stamp) }
      if time >= threads[device][index].expires, !threads[device][index].isEdited {
        fault(request.id, "is admitted for after its reminder's end", stamp)
      }
    default: break
    }
  }

  private mutating func asked(_ request: NotificationRequest, _ device: Int, _ stamp: RecordStamp) {
    let index = request.id.reminder.index
    let thread = threads[device][index]
    let isNew = thread.times[request.id] == nil
    if storeFaults[device] != .distantPast, thread.open[request.id, default: 0] > 0 {
      usesNumbersTwice = true
    }
    threads[device][index].times[request.id] = .some(isNew ? local(request.scheduledFor, stamp) : nil)
    threads[device][index].deliverAt[request.id] = request.deliverAt
    threads[device][index].asked[request.id] = Timing(since: stamp.instant, time: request.scheduledFor)
    if request.deliverAt >= thread.expires, !thread.isEdited {
      fault(request.id, "is asked for after its reminder's end", stamp)
    }
    guard let snooze, snooze.device == device, snooze.reminder == request.id.reminder,
      request.bucket == .user, request.scheduledFor == snooze.until
    else { return }
    putOff += 1
    if !thread.wasShown, !snooze.takesBack { fault(request.id, "is snoozed and was never shown", stamp) }
  }

  private mutating func take(_ outcome: PhoneOutcome, _ device: Int, _ stamp: RecordStamp) {
    switch outcome {
    case .reserved(let id, let due):
      let asked = threads[device][id.reminder.index].deliverAt[id] ?? due
      threads[device][id.reminder.index].reserved[id] = Reserved(
        since: stamp.instant, due: asked, lateness: due - asked)
    case .repeated(let id, let occurrence, let due):
      let isMoved = threads[device][id.reminder.index].open[id, default: 0] > 0
      if !isMoved { threads[device][id.reminder.index].open[id, default: 0] += 1 }
      threads[device][id.reminder.index].times[id] = .some(local(occurrence, stamp))
      threads[device][id.reminder.index].reserved[id] = Reserved(
        since: stamp.instant, due: occurrence, lateness: due - occurrence)
    case .rescheduled(let id, let due):
      guard var reserved = threads[device][id.reminder.index].reserved[id] else { break }
      reserved.due = due - reserved.lateness
      reserved.movedAt = stamp.instant
      threads[device][id.reminder.index].reserved[id] = reserved
    case .removed(let id, _), .refused(let id, _):
      threads[device][id.reminder.index].open[id, default: 0] -= 1
    case .delivered(let id, _):
      let index = id.reminder.index
      threads[device][index].open[id, default: 0] -= 1
      threads[device][index].wasShown = true
      threads[device][index].delivered.insert(id)
      // The system reuses the identifier of a repeating request. After the loss of a store, the app reuses
      // identifiers.
      threads[device][index].removed.remove(id)
      let thread = threads[device][index]
      if let time = thread.times[id] ?? nil, let asked = thread.asked[id] {
        threads[device][index].fired[time, default: []].append(asked)
      }
      // The system delivers its requests late if the phone is off, and moves them with the wall clock. The
      // app can withdraw them only after it has observed the change.
      guard !thread.isEdited, let reserved = thread.reserved[id], reserved.due >= thread.expires,
        reserved.since > storeFaults[device]
      else { break }
      if reserved.movedAt.map({ $0..<stamp.instant ~= observedClocks[device] }) ?? true {
        fault(id, "is delivered for after its reminder's end", stamp)
      }
    default: break
    }
  }

  private mutating func due(
    _ id: RequestID, _ time: Instant, _ cause: ObservedEvent, _ device: Int, _ stamp: RecordStamp
  ) {
    let thread = threads[device][id.reminder.index]
    let occasion = local(time, stamp)
    threads[device][id.reminder.index].due[occasion, default: []].append(
      Timing(since: stamp.instant, time: time))
    if thread.isPlanned, !thread.isEdited {
      if thread.passed.contains(occasion) { fault(id, "is due twice for one occasion", stamp) }
      threads[device][id.reminder.index].passed.append(occasion)
    }
    if !thread.isEdited, time >= thread.expires { fault(id, "is due after its reminder's end", stamp) }
  }

  private func local(_ wall: Instant, _ stamp: RecordStamp) -> LocalTime {
    program.scenario.zones[stamp.moment.zone].local(at: wall)
  }

  private mutating func fault(_ id: RequestID, _ what: String, _ stamp: RecordStamp) {
    let name = program.scenario.reminders[id.reminder.index].declaration.id
    faults.append(
      "\(name): request \(id.occurrence) \(what), at \(stamp.instant.iso8601) on device \(stamp.device)")
  }

  /// Returns the contradictions in a reminder's account.
  ///
  /// Every delivery at a due time must correspond to a request, however requests and due times are paired.
  func problems(with account: ReminderAccount, of index: Int) -> [String] {
    let made = account.requests - account.unfounded - account.early
    if threads[0][index].hasSpan { return [] }
    let pairs = threads.reduce(0) { sum, device in
      sum
        + device[index].due.reduce(0) { sum, due in
          var fired = device[index].fired[due.key] ?? []
          return sum
            + due.value.count { due in
              guard let answer = fired.firstIndex(where: { $0.answers(due) }) else { return false }
              fired.remove(at: answer)
              return true
            }
        }
    }
    return made >= pairs
      ? [] : ["\(made) of \(account.dueRequests) made, but \(pairs) were delivered for their time"]
  }
}

extension Trigger {
  fileprivate var isPlanned: Bool {
    switch self {
    case .scheduled, .lapsed: true
    default: false
    }
  }

  fileprivate var hasSpan: Bool {
    if case .repeating(let schedule) = self { schedule.patterns.contains { $0.span != nil } } else { false }
  }
}

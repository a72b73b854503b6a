import CivilTime
import DeviceSimulation
import Journal
import ReminderMatching
import ScenarioModel
import Simulation
import SimulationKernel
import TriggerModel

/// Records the outcome of one person's run. The recorder reuses its memory for the next person.
///
/// Requests are counted by occasion. An occasion is a reminder together with the wall-clock time at which it is due.
/// A request that is not due within the counted days is ignored. Several requests for one occasion, for example on
/// several devices, are counted once. The occasion counts as shown if any of its requests was shown, and as tapped if
/// any was tapped.
struct PersonRecorder: JournalSink {
  var outcome: PersonOutcome
  private let reminders: ReminderProgram
  private let zones: ZoneTable
  /// The end of the counted days. Notifications shown before this instant are followed up.
  let end: Instant
  /// The time after exposure within which a response is counted, or `nil` to count responses until the end.
  private let followUp: TimeSpan?
  private let days: Int64
  /// The local date of the start.
  private let firstDay: CivilDate
  /// The hash of each reminder's name, by reminder.
  private let names: [UInt64]
  /// The type of each reminder's declaration, by reminder.
  private let types: [TypeID]
  /// Requests that can still be shown, lost or answered.
  private var open: [Open] = []
  /// Whether the daily cap may have blocked a request.
  ///
  /// Every deferral counts, because the check for the release of a deferred request may have been blocked without a
  /// record.
  private(set) var dailyCapApplied = false
  /// Whether the counted days and every follow-up are over.
  private(set) var isFull = false
  /// Whether each device allows notifications.
  private var allowsDelivery: [Bool]
  private var margins: [DenialMargin]

  private struct Open {
    var id: RequestID
    /// The device of the request, because each device has its own requests.
    var device: UInt8
    /// The index of the decision in the outcome.
    var index: Int
    /// The due time on the phone's wall clock in ``zone``.
    var time: Instant
    var zone: ZoneID
    var shownHour: UInt8 = 0
    /// The exposure in simulation time.
    var shownAt = Instant.distantPast
  }

  /// - Parameter followUp: The time for which the program continues after the counted days, to receive late
  ///   responses. If it is `nil`, the program ends with the days.
  init(_ program: Program, followUp: TimeSpan? = nil) {
    self.followUp = followUp
    let scenario = program.scenario
    reminders = program.reminders
    zones = scenario.zones
    end = program.end - (followUp ?? .zero)
    days = Int64(zones[scenario.zone].wholeDays(in: scenario.start..<end))
    firstDay = zones[scenario.zone].local(at: scenario.start).date
    names = scenario.reminders.map { RandomKey.nameNumber($0.declaration.id) }
    types = scenario.reminders.indices.map { program.reminders.plans[$0].type }
    outcome = PersonOutcome(types: program.reminders.names.types.count)
    allowsDelivery = program.devices.map { _ in true }
    margins = program.devices.map { _ in DenialMargin(scenario.policy) }
  }

  /// Starts recording a person.
  ///
  /// - Parameter program: The program of the person.
  mutating func begin(_ program: Program) {
    outcome.reset()
    outcome.personDays = days
    dailyCapApplied = false
    isFull = false
    open.removeAll(keepingCapacity: true)
    for device in margins.indices { margins[device].reset() }
    for device in allowsDelivery.indices {
      allowsDelivery[device] = program.devices[device].setup.notifications.allowsDelivery
    }
  }

  static let interest = RecordInterest(
    happenings: .openings, truth: EventKinds(.tapped, .dismissed, .permissionChanged), remarks: false,
    observed: false)

  static var wantsEveryFix: Bool { false }

  var keepsEveryMiss: Bool { false }

  mutating func count(_ counted: CountedReminders, due: UInt64, _ stamp: RecordStamp) {
    guard case .denied(let reason, let blockers) = counted.fate else { return }
    if blockers.contains(.dailyCap) { dailyCapApplied = true }
    if stamp.instant >= end { return }
    var rest = counted.bits
    let near = nearness(reason, stamp.moment.wall, stamp)
    while rest != 0 {
      let reminder = reminders.reminder(counted.word, rest.trailingZeroBitCount)
      rest &= rest - 1
      add(reminder, types[reminder.index], at: stamp.moment.wall, .lost(reason), stamp)
      outcome.decisions[outcome.decisions.count - 1].nearness = near
    }
  }

  mutating func record(_ body: JournalRecord.Body, _ stamp: RecordStamp) {
    if stamp.instant >= end { return follow(body, stamp) }
    switch body {
    case .effect(let effect): process(effect, stamp)
    case .outcome(let outcome): process(outcome, stamp)
    case .truth(let event): process(event, stamp)
    case .happened(.openOwnApp), .person(.open): outcome.organicOpens += 1
    case .happened, .observed, .due, .notRequested, .uncalledFor, .link, .app, .person, .sync: break
    }
  }

  // MARK: Requests

  private mutating func process(_ effect: EngineEffect, _ stamp: RecordStamp) {
    switch effect {
    case .request(let request): begin(request, stamp)
    case .decided(let request, let decision):
      note(decision)
      switch decision.outcome {
      case .admit: margins[Int(stamp.device)].admit(request, at: stamp.moment.wall)
      case .defer: break
      case .deny, .fail:
        if position(of: request.id, stamp) == nil { begin(request, stamp) }
        let reason = decision.reason ?? .addFailed
        lose(request.id, reason, stamp, nearness(reason, max(request.deliverAt, stamp.moment.wall), stamp))
      }
    case .dropped(let request, let reason): lose(request.id, reason, stamp)
    case .remove(let id, _): margins[Int(stamp.device)].cancel(id, at: stamp.moment.wall)
    default: break
    }
  }

  private mutating func note(_ decision: Decision) {
    if decision.blockers.contains(.dailyCap) || decision.outcome == .defer { dailyCapApplied = true }
  }

  private mutating func process(_ outcome: PhoneOutcome, _ stamp: RecordStamp) {
    switch outcome {
    case .refused(let id, let reason):
      margins[Int(stamp.device)].refuse(id)
      lose(id, reason, stamp)
    case .removed(let id, let reason):
      margins[Int(stamp.device)].cancel(id, at: stamp.moment.wall)
      // A request that is deferred again is not lost.
      if reason != .quietHours { lose(id, reason, stamp) }
    case .rescheduled(let id, let due):
      margins[Int(stamp.device)].move(id, to: due)
      move(id, stamp)
    case .delivered(let id, let presentation):
      if presentation.isExposed {
        show(id, stamp)
      } else if !presentation.isHeld {
        lose(id, .notPresented, stamp)
      }
    case .presentedLate(let id, _): show(id, stamp)
    case .repeated(let id, let occurrence, let due):
      margins[Int(stamp.device)].repeatRequest(id, to: due, at: stamp.moment.wall)
      repeatRequest(id, to: occurrence, stamp)
    default: break
    }
  }

  private mutating func begin(_ request: NotificationRequest, _ stamp: RecordStamp) {
    add(request.id.reminder, request.type, at: request.scheduledFor, .waiting, stamp)
    close(request.id, stamp)
    append(request.id, request.scheduledFor, stamp)
  }

  /// Adds an open request for the most recently added decision.
  private mutating func append(_ id: RequestID, _ time: Instant, _ stamp: RecordStamp) {
    open.append(
      Open(
        id: id, device: stamp.device, index: outcome.decisions.count - 1, time: time, zone: stamp.moment.zone)
    )
  }

  /// Moves a request to the phone's new zone and keeps its local time.
  private mutating func move(_ id: RequestID, _ stamp: RecordStamp) {
    let zone = stamp.moment.zone
    guard let position = position(of: id, stamp), open[position].zone != zone else { return }
    open[position].time = zones[zone].instant(of: zones[open[position].zone].local(at: open[position].time))
    open[position].zone = zone
  }

  private mutating func add(
    _ reminder: ReminderID, _ type: TypeID, at time: Instant, _ fate: PersonOutcome.Fate, _ stamp: RecordStamp
  ) {
    let zone = zones[stamp.moment.zone]
    let local = zone.local(at: time)
    outcome.decisions.append(
      PersonOutcome.Decision(
        key: key(reminder, local, isAgain: zone.instant(of: local) != time), type: UInt16(type.rawValue),
        day: Int(local.date.dayNumber) - Int(firstDay.dayNumber) + 1,
        millisecond: Int64(local.millisecondOfDay),
        fate: fate))
  }

  /// - Parameter isAgain: Whether the local time occurs for the second time, after clocks were set back.
  private func key(_ reminder: ReminderID, _ time: LocalTime, isAgain: Bool) -> UInt64 {
    let days = 2 * Int64(time.date.dayNumber) + (isAgain ? 1 : 0)
    return RandomKey(rawValue: names[reminder.index])
      .draw(UInt64(bitPattern: days * 86_400_000 + Int64(time.millisecondOfDay)))
  }

  private func position(of id: RequestID, _ stamp: RecordStamp) -> Int? {
    open.lastIndex { $0.id == id && $0.device == stamp.device }
  }

  private mutating func close(_ id: RequestID, _ stamp: RecordStamp) {
    open.removeAll { $0.id == id && $0.device == stamp.device }
  }

  private func nearness(_ reason: Reason, _ delivery: Instant, _ stamp: RecordStamp) -> UInt8 {
    UInt8(
      PersonOutcome.Nearness.bin(
        margins[Int(stamp.device)].secondsTooEarly(reason, delivery, in: zones[stamp.moment.zone])))
  }

  private mutating func lose(
    _ id: RequestID, _ reason: Reason, _ stamp: RecordStamp, _ near: UInt8 = PersonOutcome.Nearness.never
  ) {
    guard let position = position(of: id, stamp) else { return }
    let entry = open.remove(at: position)
    guard !outcome.decisions[entry.index].fate.isShown else { return }
    // Ignore a request that was cancelled before it was due, or that is due after the counted days.
    let isWithdrawn = entry.time >= end || entry.time > stamp.moment.wall && !reason.isDenial
    outcome.decisions[entry.index].fate = isWithdrawn ? .withdrawn : .lost(reason)
    outcome.decisions[entry.index].nearness = near
  }

  private mutating func show(_ id: RequestID, _ stamp: RecordStamp) {
    if position(of: id, stamp) == nil {
      let time = stamp.moment.wall
      add(id.reminder, types[id.reminder.index], at: time, .waiting, stamp)
      append(id, time, stamp)
    }
    guard let position = position(of: id, stamp) else { return }
    let hour = zones[stamp.moment.zone].local(at: stamp.moment.wall).millisecondOfDay / 3_600_000
    open[position].shownHour = UInt8(hour)
    open[position].shownAt = stamp.instant
    let index = open[position].index
    outcome.decisions[index].fate = .ignored
    outcome.shown += 1
    outcome.byHour[Int(hour)].shown += 1
    outcome.byType[Int(outcome.decisions[index].type)].shown += 1
  }

  /// Adds the next occurrence of a repeating request.
  ///
  /// The previous occurrence is withdrawn unless it was shown or lost.
  private mutating func repeatRequest(_ id: RequestID, to occurrence: Instant, _ stamp: RecordStamp) {
    guard let position = position(of: id, stamp) else { return }
    let entry = open[position]
    let last = outcome.decisions[entry.index]
    add(id.reminder, TypeID(UInt32(last.type)), at: occurrence, .waiting, stamp)
    if last.fate == .waiting { outcome.decisions[entry.index].fate = .withdrawn }
    // Keep an exposed notification, which can still be answered. Lookups by identifier find the newest one first.
    append(id, occurrence, stamp)
    if last.fate == .waiting { open.remove(at: position) }
  }

  // MARK: Responses

  private mutating func process(_ event: ObservedEvent, _ stamp: RecordStamp) {
    switch event.kind {
    case .tapped: answer(event.request, .tapped, stamp)
    case .dismissed: answer(event.request, .dismissed, stamp)
    case .permissionChanged:
      let permission = NotificationPermission(rawValue: UInt8(truncatingIfNeeded: event.value))
      let allows = permission?.allowsDelivery ?? false
      // A reinstall resets the permission to undetermined, which is not an opt-out.
      if allowsDelivery[Int(stamp.device)], !allows, permission != .notDetermined { outcome.optedOut = 1 }
      allowsDelivery[Int(stamp.device)] = allows
    default: break
    }
  }

  private mutating func answer(_ id: RequestID, _ fate: PersonOutcome.Fate, _ stamp: RecordStamp) {
    let shown = open.lastIndex {
      $0.id == id && $0.device == stamp.device && isShown($0)
    }
    guard let position = shown else { return }
    let entry = open.remove(at: position)
    if let followUp, stamp.instant >= entry.shownAt + followUp { return }
    outcome.decisions[entry.index].fate = fate
    if fate == .dismissed {
      outcome.dismissed += 1
    } else {
      outcome.tapped += 1
      outcome.byHour[Int(entry.shownHour)].tapped += 1
      outcome.byType[Int(outcome.decisions[entry.index].type)].tapped += 1
    }
  }

  // MARK: The follow-up

  /// Processes a record after the counted days. Only responses to notifications that were shown within these days are
  /// counted.
  private mutating func follow(_ body: JournalRecord.Body, _ stamp: RecordStamp) {
    switch body {
    case .truth(let event): if event.kind == .tapped || event.kind == .dismissed { process(event, stamp) }
    // A newer notification with the same identifier replaces the older one, which can no longer be answered.
    case .outcome(.delivered(let id, _)), .outcome(.presentedLate(let id, _)):
      let decisions = outcome.decisions
      open.removeAll { $0.id == id && $0.device == stamp.device && decisions[$0.index].fate == .ignored }
    case .effect(.decided(_, let decision)): note(decision)
    default: return
    }
    isFull = !awaitsAnswers
  }

  /// Whether a response after the counted days can still be counted.
  var awaitsAnswers: Bool {
    guard let followUp else { return false }
    return open.contains { isShown($0) && $0.shownAt + followUp > end }
  }

  /// Returns whether a request was shown and has not been answered.
  private func isShown(_ entry: Open) -> Bool { outcome.decisions[entry.index].fate == .ignored }

  // MARK: The end

  mutating func close() {
    // Openings are organic openings and taps. Unlocking a phone with the app in the foreground is not an opening.
    outcome.opens = outcome.organicOpens + outcome.tapped
    for entry in open where outcome.decisions[entry.index].fate == .waiting && entry.time >= end {
      outcome.decisions[entry.index].fate = .withdrawn
    }
    outcome.decisions.removeAll { $0.fate == .withdrawn }
    // Among several decisions for one occasion, sort the shown ones first.
    outcome.decisions.sort {
      $0.key != $1.key
        ? $0.key < $1.key
        : ($0.key, $0.fate.rank, $0.type, $0.hour, $0.nearness)
          < ($1.key, $1.fate.rank, $1.type, $1.hour, $1.nearness)
    }
    var kept = 0
    for decision in outcome.decisions {
      if kept > 0, outcome.decisions[kept - 1].key == decision.key { continue }
      outcome.decisions[kept] = decision
      kept += 1
    }
    outcome.decisions.removeLast(outcome.decisions.count - kept)
    outcome.requested = Int64(kept)
    for decision in outcome.decisions {
      outcome.byType[Int(decision.type)].requested += 1
      if decision.fate.isShown {
        outcome.reached += 1
        outcome.byType[Int(decision.type)].reached += 1
      }
      if let reason = decision.fate.reason, reason.isDenial {
        outcome.deny(reason, nearness: Int(decision.nearness))
      }
    }
  }
}

extension PersonOutcome.Fate {
  /// The fate of a request that was cancelled before it was due, or that is due after the counted days. A finished
  /// outcome contains no such decision.
  fileprivate static let withdrawn = PersonOutcome.Fate(rawValue: 4)

  /// The rank among decisions for one occasion. Responses have the lowest rank.
  fileprivate var rank: UInt8 {
    switch self {
    case .tapped: 0
    case .dismissed: 1
    case .ignored: 2
    default: isLost ? rawValue & 0x7F | 0x40 : 0xFF
    }
  }
}

extension Reason {
  /// Whether the scheduler denied the request.
  fileprivate var isDenial: Bool { stage == .scheduler }
}

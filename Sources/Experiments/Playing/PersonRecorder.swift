import CivilTime
import DeviceSimulation
import Journal
import ReminderMatching
import ScenarioModel
import Simulation
import SimulationKernel
import TriggerModel

/// Keeps of one person's run what an experiment asks for, in memory that is used again.
///
/// A request is an occasion: a reminder, and the time on the phone's clock for which it was due. One that was planned for
/// a time that did not come is none; several for the same occasion, as of several devices, are one, which was shown if
/// any of them was, and tapped if any was.
struct PersonRecorder: JournalSink {
  var outcome: PersonOutcome
  private let reminders: ReminderProgram
  private let zones: ZoneTable
  /// When the days that count are over. What was shown until then is followed.
  let end: Instant
  /// How long after it was shown an answer counts; nil: as long as it comes before the end.
  private let followUp: TimeSpan?
  private let days: Int64
  /// The local date of the start.
  private let firstDay: CivilDate
  /// By reminder: what stands for its name.
  private let names: [UInt64]
  /// By reminder: the type of its declaration.
  private let types: [TypeID]
  /// The requests that can still become something else, and those that can be answered.
  private var open: [Open] = []
  /// The daily cap was among what denied a request, or may have been where none was recorded: of what is put off the
  /// release is checked before it is decided.
  private(set) var hasMetDailyCap = false
  /// The days are over, and nothing that could be answered is left.
  private(set) var isFull = false
  /// By device.
  private var allowsDelivery: [Bool]
  private var slack: [Slack]

  private struct Open {
    var id: RequestID
    /// Each device has requests of its own.
    var device: UInt8
    /// The position among the decisions.
    var index: Int
    /// On the clock of the phone, which was in this zone.
    var time: Instant
    var zone: ZoneID
    var shownHour: UInt8 = 0
    /// Simulation time.
    var shownAt = Instant.distantPast
  }

  /// - Parameter followUp: By how much the program goes on after the days that count, so that what was shown is followed
  ///   for so long, whenever that was; nil: it ends with them, whatever has not been answered yet.
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
    slack = program.devices.map { _ in Slack(scenario.policy) }
  }

  /// - Parameter program: One person's.
  mutating func begin(_ program: Program) {
    outcome.reset()
    outcome.personDays = days
    hasMetDailyCap = false
    isFull = false
    open.removeAll(keepingCapacity: true)
    for device in slack.indices { slack[device].begin() }
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
    if blockers.contains(.dailyCap) { hasMetDailyCap = true }
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
    case .effect(let effect): take(effect, stamp)
    case .outcome(let outcome): take(outcome, stamp)
    case .truth(let event): take(event, stamp)
    case .happened(.openOwnApp), .person(.open): outcome.organicOpens += 1
    case .happened, .observed, .due, .link, .app, .person, .sync: break
    }
  }

  // MARK: The way of a request

  private mutating func take(_ effect: EngineEffect, _ stamp: RecordStamp) {
    switch effect {
    case .request(let request): begin(request, stamp)
    case .decided(let request, let decision):
      note(decision)
      switch decision.outcome {
      case .admit: slack[Int(stamp.device)].admit(request, at: stamp.moment.wall)
      case .defer: break
      case .deny, .fail:
        if position(of: request.id, stamp) == nil { begin(request, stamp) }
        let reason = decision.reason ?? .addFailed
        lose(request.id, reason, stamp, nearness(reason, max(request.deliverAt, stamp.moment.wall), stamp))
      }
    case .dropped(let request, let reason): lose(request.id, reason, stamp)
    case .remove(let id, _): slack[Int(stamp.device)].takeBack(id, at: stamp.moment.wall)
    default: break
    }
  }

  private mutating func note(_ decision: Decision) {
    if decision.blockers.contains(.dailyCap) || decision.outcome == .defer { hasMetDailyCap = true }
  }

  private mutating func take(_ outcome: PhoneOutcome, _ stamp: RecordStamp) {
    switch outcome {
    case .refused(let id, let reason):
      slack[Int(stamp.device)].refuse(id)
      lose(id, reason, stamp)
    case .removed(let id, let reason):
      slack[Int(stamp.device)].takeBack(id, at: stamp.moment.wall)
      // What is put off once more is not lost.
      if reason != .quietHours { lose(id, reason, stamp) }
    case .rescheduled(let id, let due):
      slack[Int(stamp.device)].move(id, to: due)
      move(id, stamp)
    case .delivered(let id, let presentation):
      if presentation.isExposed {
        show(id, stamp)
      } else if !presentation.isHeld {
        lose(id, .notPresented, stamp)
      }
    case .presentedLate(let id, _): show(id, stamp)
    case .repeated(let id, let occurrence, let due):
      slack[Int(stamp.device)].goOn(id, to: due, at: stamp.moment.wall)
      goOn(id, to: occurrence, stamp)
    default: break
    }
  }

  private mutating func begin(_ request: NotificationRequest, _ stamp: RecordStamp) {
    add(request.id.reminder, request.type, at: request.scheduledFor, .waiting, stamp)
    close(request.id, stamp)
    append(request.id, request.scheduledFor, stamp)
  }

  /// Keeps the request of the decision that was added last.
  private mutating func append(_ id: RequestID, _ time: Instant, _ stamp: RecordStamp) {
    open.append(
      Open(
        id: id, device: stamp.device, index: outcome.decisions.count - 1, time: time, zone: stamp.moment.zone)
    )
  }

  /// On a journey it keeps its local time.
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

  /// - Parameter isAgain: The clock was set back for the winter, and shows the time for the second time.
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
        slack[Int(stamp.device)].secondsTooEarly(reason, delivery, in: zones[stamp.moment.zone])))
  }

  private mutating func lose(
    _ id: RequestID, _ reason: Reason, _ stamp: RecordStamp, _ near: UInt8 = PersonOutcome.Nearness.never
  ) {
    guard let position = position(of: id, stamp) else { return }
    let entry = open.remove(at: position)
    guard !outcome.decisions[entry.index].fate.isShown else { return }
    // It was taken back before its time, or was to come when the days are over: as if it had not been.
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

  /// The system repeats it: the one before has been shown or lost, or waits for another time.
  private mutating func goOn(_ id: RequestID, to occurrence: Instant, _ stamp: RecordStamp) {
    guard let position = position(of: id, stamp) else { return }
    let entry = open[position]
    let last = outcome.decisions[entry.index]
    add(id.reminder, TypeID(UInt32(last.type)), at: occurrence, .waiting, stamp)
    if last.fate == .waiting { outcome.decisions[entry.index].fate = .withdrawn }
    // What is to be seen can still be answered: the newest of a name is looked for first.
    append(id, occurrence, stamp)
    if last.fate == .waiting { open.remove(at: position) }
  }

  // MARK: What the person does

  private mutating func take(_ event: ObservedEvent, _ stamp: RecordStamp) {
    switch event.kind {
    case .tapped: answer(event.request, .tapped, stamp)
    case .dismissed: answer(event.request, .dismissed, stamp)
    case .permissionChanged:
      let permission = NotificationPermission(rawValue: UInt8(truncatingIfNeeded: event.value))
      let allows = permission?.allowsDelivery ?? false
      // Only a new installation forgets what was decided: nobody has decided against it.
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

  /// The days are over, and life goes on: what was shown in them can still be answered, and nothing else counts.
  private mutating func follow(_ body: JournalRecord.Body, _ stamp: RecordStamp) {
    switch body {
    case .truth(let event): if event.kind == .tapped || event.kind == .dismissed { take(event, stamp) }
    // What comes under its name takes its place, and its answers.
    case .outcome(.delivered(let id, _)), .outcome(.presentedLate(let id, _)):
      let decisions = outcome.decisions
      open.removeAll { $0.id == id && $0.device == stamp.device && decisions[$0.index].fate == .ignored }
    case .effect(.decided(_, let decision)): note(decision)
    default: return
    }
    isFull = !awaitsAnswers
  }

  /// Whether anything that was shown could still be answered in time when the days are over.
  var awaitsAnswers: Bool {
    guard let followUp else { return false }
    return open.contains { isShown($0) && $0.shownAt + followUp > end }
  }

  /// And not answered yet.
  private func isShown(_ entry: Open) -> Bool { outcome.decisions[entry.index].fate == .ignored }

  // MARK: The end

  mutating func close() {
    // What was in front when the phone was locked comes back when it is unlocked: that is no opening.
    outcome.opens = outcome.organicOpens + outcome.tapped
    for entry in open where outcome.decisions[entry.index].fate == .waiting && entry.time >= end {
      outcome.decisions[entry.index].fate = .withdrawn
    }
    outcome.decisions.removeAll { $0.fate == .withdrawn }
    // Of several for one occasion those that were shown come first.
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
  /// Its time did not come. None of those that an outcome keeps.
  fileprivate static let withdrawn = PersonOutcome.Fate(rawValue: 4)

  /// Of several for one occasion what the person did comes first.
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
  /// The scheduler said no.
  fileprivate var isDenial: Bool { stage == .scheduler }
}

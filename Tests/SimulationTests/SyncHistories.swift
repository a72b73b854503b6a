import CivilTime
import DeviceSimulation
import Journal
import RandomScenarios
import ScenarioModel
import ScenarioSamples
import Scenarios
import TestSupport
import TextFormats
import TriggerModel

@testable import Simulation

/// A random history of two devices. The devices make changes on several days, partly offline. On the last
/// evening, both are online.
struct SyncHistory {
  static let delay = TimeSpan.seconds(10)

  /// The instant from which both devices are online and nothing else happens.
  let reunion: Instant
  let program: Program

  /// Compiles the parts that all histories have in common.
  static func base() throws -> Program {
    let text = """
      kind: scenario
      version: 1
      title: Two devices
      start: 2026-03-02T07:00
      zone: Europe/Berlin
      for: 4 days
      devices: {tablet: {}}
      sync: {delay: 10 s}
      facts:
        done: 2026-02-27T18:00
        goal: 10
      reminders:
        water: {when: 1 day after done at 09:00, notify: {title: Water, bucket: user}}
        feed: {exists: later, when: every day 12:00, notify: {title: Feed, bucket: user}}
        walk: {when: every day 15:00, notify: {title: Walk, bucket: user}}
      edits:
        walk:
          late: {when: every day 16:00, notify: {title: Walk late, bucket: user}}
      expect: [water fires]

      """
    return try Program(Scenario.sample(text))
  }

  /// - Parameter hasFaults: Whether the server refuses some changes, which delays convergence.
  init(seed: UInt64, of base: Program, hasFaults: Bool) {
    var random = SplitMix64(seed: seed)
    func draw(_ bound: Int) -> Int { Int(random.next() >> 33) % bound }
    let start = base.scenario.start
    var events: [ProgramEvent] = []
    for _ in 0..<(4 + draw(14)) {
      let instant = start + .minutes(Int64(draw(3 * 24 * 60)))
      let event: PhoneEvent =
        switch draw(hasFaults ? 15 : 13) {
        case 0, 1, 2: .fact(FactID(0 as Int), .instant(instant))
        case 3: .fact(FactID(1 as Int), .number(thousandths: Int64(draw(4)) * 1_000))
        case 4: .create(ReminderID(1 as Int))
        case 5: .cancel(ReminderID(1 as Int))
        case 6: .cancel(ReminderID(2 as Int))
        case 7: .edit(ReminderID(2 as Int), 0)
        case 8: .create(ReminderID(2 as Int))
        case 9, 10: .airplaneMode(true)
        case 11: .airplaneMode(false)
        case 12: .snooze(ReminderID(2 as Int), for: .hours(Int64(1 + draw(20))))
        case 13: .syncRefuses(UInt32(1 + draw(2)))
        default: .syncRepeats
        }
      events.append(ProgramEvent(instant: instant, event: event, device: UInt8(draw(2)), position: .start))
    }
    reunion = start + .hours(3 * 24 + 11)
    for device: UInt8 in [0, 1] {
      events.append(
        ProgramEvent(instant: reunion, event: .airplaneMode(false), device: device, position: .start))
    }
    let sorted = events.enumerated().sorted {
      ($0.element.instant, $0.offset) < ($1.element.instant, $1.offset)
    }
    program = Program(
      scenario: base.scenario, reminders: base.reminders, policy: base.policy, devices: base.devices,
      links: base.links, app: base.app, person: base.person, events: ProgramEvents(sorted.map(\.element)),
      end: base.end, imports: base.imports, origin: base.origin)
  }
}

/// Compares the run of a history with a simple reference model: a list of all changes.
struct SyncLedger: JournalSink {
  private(set) var written: [SyncWrite] = []
  private(set) var stored: [SyncWrite] = []
  private(set) var overruled: [SyncWrite] = []
  private(set) var repeated: [SyncWrite] = []
  private(set) var refusals = 0
  /// The changes in force in the app, by device.
  private(set) var state: [[SharedChange.Subject: SharedChange]] = [[:], [:]]
  private(set) var learned: [[SyncWrite]] = [[], []]
  /// The last value of the fact that the engine has observed, by device.
  private(set) var done: [FactValue]
  private(set) var exists: [[Bool]]
  private(set) var walksLate = [false, false]
  private(set) var fires = 0
  private(set) var doubled = 0
  /// The reminders that fired, although the engine knew that they were done or deleted.
  private(set) var wrong: [String] = []
  private let program: Program

  init(_ program: Program) {
    self.program = program
    let initial = program.scenario.facts[0].initial
    done = [initial, initial]
    exists = [[true, false, true], [true, false, true]]
  }

  mutating func record(_ body: JournalRecord.Body, _ stamp: RecordStamp) {
    let device = Int(stamp.device)
    switch body {
    case .sync(let record): take(record, device)
    case .observed(let event): take(event, device)
    case .outcome(.delivered(let id, let presentation)):
      if presentation.isExposed { fired(id.reminder.index, device, stamp.moment) }
    default: break
    }
  }

  private mutating func take(_ record: SyncRecord, _ device: Int) {
    switch record {
    case .written(let write):
      written.append(write)
      state[device][write.subject] = write.change
    case .stored(let write): stored.append(write)
    case .overruled(let write): overruled.append(write)
    case .repeated(let write): repeated.append(write)
    case .refused: refusals += 1
    case .learned(let write):
      learned[device].append(write)
      state[device][write.subject] = write.change
    case .doubled: doubled += 1
    case .untold: break
    }
  }

  private mutating func take(_ event: ObservedEvent, _ device: Int) {
    switch event.kind {
    case .factChanged where event.subject == 0: done[device] = FactValue(bits: event.value)
    case .create: exists[device][Int(event.subject)] = true
    case .edit: exists[device][Int(event.subject)] = true
    case .cancel: exists[device][Int(event.subject)] = false
    default: break
    }
    if event.kind == .edit { walksLate[device] = true }
    if event.kind == .create, event.subject == 2 { walksLate[device] = false }
  }

  private mutating func fired(_ reminder: Int, _ device: Int, _ moment: Moment) {
    fires += 1
    let zone = program.scenario.zones[moment.zone]
    let local = zone.local(at: moment.wall)
    if !exists[device][reminder] { wrong.append("\(reminder) fires at \(local) and is not there") }
    if reminder == 0 {
      let day = zone.local(at: Instant(millisecondsSince1970: done[device].bits)).date
      if local.date != day + 1 || local.millisecondOfDay != 9 * 3_600_000 {
        wrong.append("water fires at \(local), a day after \(day) is due")
      }
    }
  }

  /// The newest change of each subject.
  var truth: [SharedChange.Subject: SharedChange] {
    var newest: [SharedChange.Subject: SyncWrite] = [:]
    for write in written {
      guard let other = newest[write.subject] else {
        newest[write.subject] = write
        continue
      }
      let isLater = (write.stamp, write.device, write.number) > (other.stamp, other.device, other.number)
      if isLater { newest[write.subject] = write }
    }
    return newest.mapValues(\.change)
  }

  /// Describes the changes that were lost or applied twice.
  func losses(mayWait: Bool) -> [String] {
    var problems: [String] = []
    let ended = stored + overruled
    if Set(ended).count != ended.count { problems.append("a change has two outcomes") }
    if !Set(ended).isSubset(of: Set(written)) {
      problems.append("a change has an outcome but was never written")
    }
    if !mayWait, ended.count != written.count {
      problems.append("\(written.count - ended.count) changes are lost")
    }
    if !Set(repeated).isSubset(of: Set(ended)) { problems.append("a change was repeated but never received") }
    for (device, changes) in learned.enumerated() {
      if Set(changes).count != changes.count { problems.append("a change was learned twice") }
      if changes.contains(where: { Int($0.device) == device }) {
        problems.append("a change returned to its device")
      }
      if !Set(changes).isSubset(of: Set(stored)) { problems.append("a learned change was never stored") }
    }
    return problems
  }
}

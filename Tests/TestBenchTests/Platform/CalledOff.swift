import CivilTime
import DeviceSimulation
import Journal
import ReminderMatching
import ScenarioModel
import Simulation
import TriggerModel

/// What is called off before it was shown is not shown, found out from the records of a run alone.
struct CalledOff: JournalSink {
  /// Of one device. What the system repeats is one request for all its times, and is left out.
  private var pending: [RequestID: NotificationRequest] = [:]
  private var calledOff: Set<RequestID> = []
  private(set) var faults: [String] = []
  /// How many were called off when their time had come.
  private(set) var late = 0
  private let program: Program

  init(_ program: Program) { self.program = program }

  mutating func record(_ body: JournalRecord.Body, _ stamp: RecordStamp) {
    switch body {
    case .observed(let event): observed(event)
    case .effect(.add(let request)) where request.repeats == nil: pending[request.id] = request
    case .outcome(.removed(let id, _)), .outcome(.refused(let id, _)): pending[id] = nil
    case .outcome(.delivered(let id, _)):
      pending[id] = nil
      if calledOff.contains(id) {
        let name = program.scenario.reminders[id.reminder.index].declaration.id
        faults.append("\(name) is shown at \(stamp.instant.iso8601)")
      }
    default: break
    }
  }

  private mutating func observed(_ event: ObservedEvent) {
    let (now, reminder) = (event.moment.wall, ReminderID(event.subject))
    switch event.kind {
    case .cancelAll: callOff(at: now) { _ in true }
    case .cancel: callOff(at: now) { $0.id.reminder == reminder }
    case .preferencesChanged:
      switch PreferenceChange(event) {
      case .type(let type, isOn: false): callOff(at: now) { $0.type == type }
      case .all(isOn: false): callOff(at: now) { _ in true }
      default: break
      }
    case .snooze:
      let end = Instant(millisecondsSince1970: event.value)
      if end > now { callOff(at: now) { $0.id.reminder == reminder && $0.isPlanned && $0.deliverAt <= end } }
    // Every reminder is withdrawn by the one fact; what is still to come may have its reason again by then.
    case .factChanged where event.value == FactValue.truth(true).bits:
      callOff(at: now) { $0.isPlanned && $0.deliverAt <= now }
    default: break
    }
  }

  private mutating func callOff(at now: Instant, where isMeant: (NotificationRequest) -> Bool) {
    // What comes at this very instant may have come before.
    let meant = pending.values.filter { isMeant($0) && $0.deliverAt != now }
    late += meant.count { $0.deliverAt <= now }
    calledOff.formUnion(meant.map(\.id))
  }
}

extension NotificationRequest {
  /// For a time of its own, and not put off until quiet hours end: of that an engine need not know which it is.
  fileprivate var isPlanned: Bool { scheduledFor == deliverAt }
}

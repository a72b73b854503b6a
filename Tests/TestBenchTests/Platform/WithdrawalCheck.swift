import CivilTime
import DeviceSimulation
import Journal
import ReminderMatching
import ScenarioModel
import Simulation
import TriggerModel

/// Checks that the system does not deliver a request that was withdrawn before its delivery.
struct WithdrawalCheck: JournalSink {
  /// The pending requests of one device, excluding repeating requests, which have several due times.
  private var pending: [RequestID: NotificationRequest] = [:]
  private var calledOff: Set<RequestID> = []
  private(set) var faults: [String] = []
  /// The number of requests that were withdrawn at or after their due times.
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
    // The fact withdraws the requests of all reminders. Those for later times may be made again before they
    // are due.
    case .factChanged where event.value == FactValue.truth(true).bits:
      callOff(at: now) { $0.isPlanned && $0.deliverAt <= now }
    default: break
    }
  }

  private mutating func callOff(at now: Instant, where isMeant: (NotificationRequest) -> Bool) {
    // Exclude requests that are due now, because their delivery may precede the withdrawal.
    let meant = pending.values.filter { isMeant($0) && $0.deliverAt != now }
    late += meant.count { $0.deliverAt <= now }
    calledOff.formUnion(meant.map(\.id))
  }
}

extension NotificationRequest {
  /// Whether the request is due at its own time, not at the end of quiet hours. The engine may not know which
  /// deferred request is pending.
  fileprivate var isPlanned: Bool { scheduledFor == deliverAt }
}

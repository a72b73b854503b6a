import CivilTime
import DeviceSimulation
import Journal
import ScenarioModel
import TriggerModel

/// An event on one device that the sync service observes.
enum SyncEvent: Hashable, Sendable {
  /// The user changed shared data at this wall-clock instant.
  case changed(SharedChange, at: Instant)
  case refuses(UInt32)
  case repeats
  /// The app under test came to the foreground.
  case opened
  case reinstalled
  /// A notification was exposed. The associated time is the local time of its occasion.
  case appeared(RequestID, for: LocalTime)
}

/// Observes a device and collects the events that the sync service needs.
struct SyncObserver: Sendable {
  private var events: [SyncEvent] = []
  /// Whether the user sets each fact. Facts that a fact source or the store provides are not shared.
  private let isShared: [Bool]
  private let zones: ZoneTable
  /// The wall-clock time for which each pending request is scheduled.
  private var pending: [RequestID: Instant] = [:]
  /// Whether the device is applying a change from another device.
  var appliesRemoteChange = false
  /// Whether caps count per person, so that the devices share their notifications.
  private let sharesNotifications: Bool
  /// The type and bucket of each request that the app has added.
  private var added: [RequestID: (type: TypeID, bucket: Bucket)] = [:]

  init(_ scenario: Scenario) {
    let plan = scenario.app.reminderLimit?.fact
    isShared = scenario.facts.indices.map {
      scenario.facts[$0].access.source == nil && FactID($0) != plan
    }
    zones = scenario.zones
    sharesNotifications = scenario.sync?.caps == .person
  }

  static func listens(to body: JournalRecord.Body) -> Bool {
    switch body {
    case .happened(let event): event.concernsSync
    case .observed(let event): event.kind == .delivered
    case .person(.set), .person(.snooze): true
    case .effect(.add), .outcome(.delivered), .outcome(.presentedLate), .outcome(.repeated),
      .outcome(.removed):
      true
    default: false
    }
  }

  mutating func observe(_ body: JournalRecord.Body, at moment: Moment, isPhoneOn: Bool) {
    switch body {
    case .happened(let event): observe(event, at: moment, isPhoneOn: isPhoneOn)
    case .person(.set(let fact, let value)): observe(.fact(fact, value), at: moment, isPhoneOn: isPhoneOn)
    case .person(.snooze(let reminder, let span)):
      observe(.snooze(reminder, for: span), at: moment, isPhoneOn: isPhoneOn)
    case .effect(.add(let request)):
      pending[request.id] = request.scheduledFor
      if sharesNotifications { added[request.id] = (request.type, request.bucket) }
    case .observed(let event): if sharesNotifications { shareDelivery(of: event) }
    case .outcome(.repeated(let id, let occurrence, _)): pending[id] = occurrence
    case .outcome(.removed(let id, _)): pending[id] = nil
    case .outcome(.delivered(let id, let presentation)):
      if presentation.isExposed { appeared(id, in: moment.zone) }
    case .outcome(.presentedLate(let id, _)): appeared(id, in: moment.zone)
    default: break
    }
  }

  private mutating func observe(_ event: PhoneEvent, at moment: Moment, isPhoneOn: Bool) {
    switch event {
    case .syncRefuses(let count): events.append(.refuses(count))
    case .syncRepeats: events.append(.repeats)
    case .openOwnApp: if isPhoneOn { events.append(.opened) }
    case .reinstall: if isPhoneOn { events.append(.reinstalled) }
    case .fact(let fact, let value):
      if !appliesRemoteChange, isShared[fact.index] {
        events.append(.changed(.fact(fact, value), at: moment.wall))
      }
    default:
      guard isPhoneOn, !appliesRemoteChange, let change = SharedChange(event, at: moment.wall) else { return }
      events.append(.changed(change, at: moment.wall))
    }
  }

  /// Shares a notification after the app has observed its delivery. On some platforms, the app observes a
  /// delivery only when it runs again.
  private mutating func shareDelivery(of event: ObservedEvent) {
    guard let kind = added[event.request] else { return }
    events.append(.changed(.notified(kind.type, kind.bucket), at: event.moment.wall - event.age))
  }

  private mutating func appeared(_ id: RequestID, in zone: ZoneID) {
    guard let due = pending.removeValue(forKey: id) else { return }
    events.append(.appeared(id, for: zones[zone].local(at: due)))
  }

  /// Removes and returns the collected events.
  mutating func take() -> [SyncEvent] {
    defer { events.removeAll(keepingCapacity: true) }
    return events
  }
}

extension PhoneEvent {
  /// Whether the service must be notified of the event.
  fileprivate var concernsSync: Bool {
    switch self {
    case .fact, .snooze, .snoozeUntil, .cancel, .create, .edit, .cancelAll, .preference, .openOwnApp,
      .reinstall, .airplaneMode, .powerOff, .powerOn, .syncRefuses, .syncRepeats:
      true
    default: false
    }
  }
}

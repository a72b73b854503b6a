package import CivilTime
import DeviceSimulation
package import Journal
package import ScenarioModel
package import TriggerModel

/// What the service of a person's devices hears from one of them.
package enum SyncNews: Hashable, Sendable {
  /// The user has done something in the app that the other devices are to know; the instant is the wall clock's.
  case changed(SharedChange, at: Instant)
  case refuses(UInt32)
  case repeats
  /// Our app came to the front.
  case opened
  case reinstalled
  /// A notification can be seen, for an occasion at this local time.
  case appeared(RequestID, for: LocalTime)
}

/// Listens to a device for what the service of the person's devices has to know.
package struct SyncEar: Sendable {
  package private(set) var news: [SyncNews] = []
  /// By fact: whether it is the user's own, and not of a source of facts or of the store.
  private let isShared: [Bool]
  private let zones: ZoneTable
  /// What the system holds, and for when it was asked for, on the wall clock.
  private var coming: [RequestID: Instant] = [:]
  /// What happens now comes from another device.
  private var isLearning = false
  /// Caps count per person: the others are to know of each notification.
  private let tellsOfNotifications: Bool
  /// By request: as what the caps counted what the system was asked for.
  private var asked: [RequestID: (type: TypeID, bucket: Bucket)] = [:]

  package init(_ scenario: Scenario) {
    let plan = scenario.app.room?.fact
    isShared = scenario.facts.indices.map {
      scenario.facts[$0].access.source == nil && FactID($0) != plan
    }
    zones = scenario.zones
    tellsOfNotifications = scenario.sync?.caps == .person
  }

  package static func listens(to body: JournalRecord.Body) -> Bool {
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

  package mutating func hear(_ body: JournalRecord.Body, at moment: Moment, isPhoneOn: Bool) {
    switch body {
    case .happened(let event): heard(event, at: moment, isPhoneOn: isPhoneOn)
    case .person(.set(let fact, let value)): heard(.fact(fact, value), at: moment, isPhoneOn: isPhoneOn)
    case .person(.snooze(let reminder, let span)):
      heard(.snooze(reminder, for: span), at: moment, isPhoneOn: isPhoneOn)
    case .effect(.add(let request)):
      coming[request.id] = request.scheduledFor
      if tellsOfNotifications { asked[request.id] = (request.type, request.bucket) }
    case .observed(let event): if tellsOfNotifications { learnedOf(event) }
    case .outcome(.repeated(let id, let occurrence, _)): coming[id] = occurrence
    case .outcome(.removed(let id, _)): coming[id] = nil
    case .outcome(.delivered(let id, let presentation)):
      if presentation.isExposed { appeared(id, in: moment.zone) }
    case .outcome(.presentedLate(let id, _)): appeared(id, in: moment.zone)
    default: break
    }
  }

  private mutating func heard(_ event: PhoneEvent, at moment: Moment, isPhoneOn: Bool) {
    switch event {
    case .syncRefuses(let count): news.append(.refuses(count))
    case .syncRepeats: news.append(.repeats)
    case .openOwnApp: if isPhoneOn { news.append(.opened) }
    case .reinstall: if isPhoneOn { news.append(.reinstalled) }
    case .fact(let fact, let value):
      if !isLearning, isShared[fact.index] { news.append(.changed(.fact(fact, value), at: moment.wall)) }
    default:
      guard isPhoneOn, !isLearning, let change = SharedChange(event, at: moment.wall) else { return }
      news.append(.changed(change, at: moment.wall))
    }
  }

  /// Only what the app knows of it can tell: on some platforms that is when it runs next.
  private mutating func learnedOf(_ event: ObservedEvent) {
    guard let kind = asked[event.request] else { return }
    news.append(.changed(.notified(kind.type, kind.bucket), at: event.moment.wall - event.age))
  }

  private mutating func appeared(_ id: RequestID, in zone: ZoneID) {
    guard let due = coming.removeValue(forKey: id) else { return }
    news.append(.appeared(id, for: zones[zone].local(at: due)))
  }

  /// What is told from here on comes from another device, or no longer does.
  package mutating func learn(_ isLearning: Bool) { self.isLearning = isLearning }

  /// Takes what was heard.
  package mutating func take() -> [SyncNews] {
    defer { news.removeAll(keepingCapacity: true) }
    return news
  }
}

extension PhoneEvent {
  /// Whether the service has to look at its device again.
  fileprivate var concernsSync: Bool {
    switch self {
    case .fact, .snooze, .snoozeUntil, .cancel, .create, .edit, .cancelAll, .preference, .openOwnApp,
      .reinstall,
      .airplaneMode, .powerOff, .powerOn, .syncRefuses, .syncRepeats:
      true
    default: false
    }
  }
}

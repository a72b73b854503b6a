import CivilTime
import NotificationGateway
import Testing
import TriggerModel

/// A gateway with the wall clock and the monotonic clock of a phone.
struct TestPhone {
  static let types = ["a", "b", "c", "d", "e"]
  /// Each type has one reminder.
  static let names = StoreNames(reminders: types, types: types)
  static let zoneNames = ["Europe/Berlin", "America/New_York", "Asia/Tokyo", "Asia/Kathmandu"]

  var gateway: NotificationGateway
  var now: Moment
  let zones: ZoneTable
  /// Whether the system refuses every request.
  var refusesAdds = false
  /// The number of requests by type.
  private var counts = [UInt32](repeating: 0, count: types.count)

  init(
    _ policy: CapPolicy = CapPolicy(), at text: String, permission: NotificationPermission = .authorized
  ) throws {
    var zones = ZoneTable()
    for name in Self.zoneNames { _ = try zones.intern(name) }
    self.zones = zones
    gateway = NotificationGateway(
      policy: try CompiledCapPolicy(policy, types: Self.types), zones: zones, permission: permission)
    now = Moment(
      wall: try Instant(iso8601: text), uptime: Uptime(boot: 0, span: .hours(10)), zone: ZoneID(0))
  }

  /// Advances both clocks to an instant.
  mutating func wait(until text: String) throws {
    pass(try Instant(iso8601: text) - now.wall)
  }

  mutating func pass(_ span: TimeSpan) {
    now.wall = now.wall + span
    now.uptime.span = now.uptime.span + span
  }

  /// Returns a new request.
  mutating func request(
    _ type: String, _ bucket: Bucket = .standard, deliverAt: Instant? = nil,
    expiresAt: Instant = .distantFuture,
    priority: UInt8 = 0, isFloating: Bool = false
  ) throws -> NotificationRequest {
    let index = try #require(Self.types.firstIndex(of: type))
    counts[index] += 1
    return NotificationRequest(
      id: RequestID(reminder: ReminderID(index), occurrence: counts[index] - 1), type: TypeID(index),
      bucket: bucket, priority: priority, scheduledFor: now.wall, deliverAt: deliverAt ?? now.wall,
      expiresAt: expiresAt, isFloating: isFloating)
  }

  mutating func settle(_ requests: [NotificationRequest] = []) -> [EngineEffect] {
    var effects: [EngineEffect] = []
    for request in requests { gateway.submit(request) }
    var hasMore = true
    while hasMore {
      let first = effects.count
      hasMore = gateway.settle(at: now, into: &effects)
      if refusesAdds { for request in Array(effects[first...]).added { happen(.addFailed, request.id) } }
    }
    return effects
  }

  /// Submits a request and settles.
  mutating func ask(
    _ type: String, _ bucket: Bucket = .standard, deliverAt text: String? = nil
  ) throws -> Decision {
    let deliverAt = try text.map { try Instant(iso8601: $0) }
    return try #require(settle([try request(type, bucket, deliverAt: deliverAt)]).decisions.first)
  }

  @discardableResult
  mutating func happen(_ kind: ObservedEvent.Kind, _ request: RequestID? = nil, value: Int64 = 0)
    -> [EngineEffect]
  {
    var effects: [EngineEffect] = []
    gateway.process(
      ObservedEvent(
        kind, subject: request?.reminder.rawValue ?? 0, value: request.map { Int64($0.occurrence) } ?? value,
        at: now), into: &effects)
    return effects
  }

  mutating func permit(_ permission: NotificationPermission) {
    happen(.permissionChanged, value: Int64(permission.rawValue))
  }

  /// Processes a change of the person's preferences.
  @discardableResult
  mutating func choose(_ change: PreferenceChange) -> [EngineEffect] {
    var effects: [EngineEffect] = []
    gateway.process(ObservedEvent(change, at: now), into: &effects)
    return effects
  }

  /// Restarts the process from its stored state.
  mutating func restart() throws(StoreProblem) {
    gateway = try NotificationGateway(
      policy: gateway.policy, stored: stored, names: Self.names, zones: zones,
      permission: gateway.permission, at: now)
  }

  /// The state that would be stored if the process ended now.
  var stored: [UInt8] { gateway.storedState(names: Self.names) }
}

extension [EngineEffect] {
  var decisions: [Decision] {
    compactMap { if case .decided(_, let decision) = $0 { decision } else { nil } }
  }

  var added: [NotificationRequest] {
    compactMap { if case .add(let request) = $0 { request } else { nil } }
  }

  /// The types of the added requests, in order.
  var addedTypes: [String] { added.map { TestPhone.types[$0.type.index] } }

  var removed: [RequestID] {
    compactMap { if case .remove(let id, _) = $0 { id } else { nil } }
  }

  var wakeUps: [String] {
    compactMap { if case .wakeForRelease(let instant) = $0 { instant.iso8601 } else { nil } }
  }

  var drops: [Reason] {
    compactMap { if case .dropped(_, let reason) = $0 { reason } else { nil } }
  }
}

extension Decision {
  static func denied(_ reason: Reason, _ others: Reason...) -> Decision {
    Decision(outcome: .deny, reason: reason, blockers: ReasonSet((others + [reason]).map { ReasonSet($0) }))
  }
}

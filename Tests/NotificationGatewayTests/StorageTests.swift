import CivilTime
import NotificationGateway
import Testing
import TriggerModel

/// Tests the state that the gateway restores in a new process and after an update of the app.
@Suite("Gateway storage")
struct GatewayStorageTests {
  private static var policy: CapPolicy {
    var policy = CapPolicy()
    policy.minimumInterval = .zero
    policy.dailyCap = nil
    policy.typeDailyCap = nil
    return policy
  }

  /// Restores the gateway in a later version of the app. Each of the given reminders has its own type.
  private static func updated(
    _ phone: TestPhone, _ types: [String], reminders: [String]? = nil, stored: [UInt8]? = nil,
    policy: CapPolicy = policy
  ) throws -> NotificationGateway {
    try NotificationGateway(
      policy: CompiledCapPolicy(policy, types: types), stored: stored ?? phone.stored,
      names: StoreNames(reminders: reminders ?? types, types: types), zones: phone.zones,
      permission: .authorized, at: phone.now)
  }

  @Test func `a restored gateway stores the same bytes`() throws {
    var phone = try TestPhone(Self.policy, at: "2026-01-10T10:00:00Z")
    #expect(try phone.ask("a") == .admitted)
    #expect(try phone.ask("b", .critical) == .admitted)
    #expect(try phone.ask("c", deliverAt: "2026-01-11T10:00:00Z") == .admitted)
    #expect(try phone.ask("d", .user, deliverAt: "2026-01-10T22:30:00Z").outcome == .defer)
    phone.choose(.type(TypeID(4), isOn: false))
    phone.choose(.dailyCap(7))
    phone.happen(.opened)
    phone.gateway.submit(try phone.request("b", isFloating: true))
    let bytes = phone.stored
    try phone.restart()
    #expect(phone.stored == bytes)
    #expect(phone.gateway.state.pending.map(\.type) == [TypeID(2)])
    #expect(phone.gateway.state.deferred.map(\.request.type) == [TypeID(3)])
    #expect(phone.gateway.preferences.dailyCap == 7)
    #expect(phone.gateway.preferences.disabledTypes.contains(TypeID(4)))
    #expect(phone.gateway.state.types.map(\.lifetime) == [1, 1, 1, 0, 0])
    #expect(phone.gateway.state.lapseCount(TypeID(0)) == 0)
    #expect(phone.settle().addedTypes == ["b"])
  }

  @Test func `saturated counters stay saturated`() throws {
    let counters = try StoredCounters(types: TestPhone.types)
    let full = Int(UInt32.max)
    let state = try counters.state(of: [
      .init(key: "ft.reminder.a.sentCount", value: full),
      .init(key: "ft.reminder.dailyCount.2026-01-10", value: full),
    ])
    var phone = try TestPhone(Self.policy, at: "2026-01-10T10:00:00Z")
    phone.gateway = NotificationGateway(
      policy: try CompiledCapPolicy(Self.policy, types: TestPhone.types), state: state, zones: phone.zones,
      permission: .authorized)
    for _ in 0..<2 { #expect(try phone.ask("a") == .admitted) }
    #expect(phone.gateway.state.types[0].lifetime == .max)
    #expect(
      phone.gateway.state.dailyCounts.map(\.count) == [.max - 1], "one less than what stands for no cap")
    try phone.restart()
    #expect(phone.gateway.state.types[0].lifetime == .max)
  }

  @Test func `a type that is removed and declared again keeps its count`() throws {
    var policy = Self.policy
    policy.lifetimeCap = ["a": 1]
    var phone = try TestPhone(policy, at: "2026-01-10T10:00:00Z")
    #expect(try phone.ask("a") == .admitted)
    #expect(try phone.ask("b", deliverAt: "2026-01-12T10:00:00Z") == .admitted)
    phone.choose(.type(TypeID(1), isOn: false))
    // The new version declares the same reminders with other types.
    let without = try Self.updated(phone, ["e", "d"], reminders: TestPhone.types)
    #expect(without.endedReminders.isEmpty)
    let kept = without.storedState(names: StoreNames(reminders: TestPhone.types, types: ["e", "d"]))
    #expect(kept == phone.stored)
    phone.gateway = try Self.updated(phone, TestPhone.types, stored: kept, policy: policy)
    #expect(phone.stored == kept)
    #expect(try phone.ask("a") == .denied(.lifetimeCap))
    #expect(try phone.ask("b") == .denied(.userDisabled))
  }

  @Test func `pending requests of a removed reminder are withdrawn and listed`() throws {
    var policy = Self.policy
    policy.quietHours = nil
    policy.dailyCap = 2
    var phone = try TestPhone(policy, at: "2026-01-10T10:00:00Z")
    #expect(try phone.ask("a") == .admitted)
    #expect(try phone.ask("a", deliverAt: "2026-01-10T12:00:00Z") == .admitted)
    #expect(try phone.ask("b", deliverAt: "2026-01-11T12:00:00Z") == .admitted)
    #expect(try phone.ask("a", deliverAt: "2026-01-11T13:00:00Z") == .admitted)
    #expect(phone.gateway.state.dailyCounts.map(\.count) == [2, 2])
    // The second request has been delivered by this time.
    try phone.wait(until: "2026-01-10T12:30:00Z")
    let gateway = try Self.updated(phone, ["e", "b"], policy: policy)
    #expect(gateway.endedReminders == [EndedReminder(name: "a", requests: [2])])
    #expect(gateway.state.dailyCounts.map(\.count) == [2, 1])
    #expect(gateway.state.pending.map(\.id.reminder) == [ReminderID(1)])
  }

  @Test func `a restored gateway reverts a request that the system refuses later`() throws {
    var policy = Self.policy
    policy.dailyCap = 1
    var phone = try TestPhone(policy, at: "2026-01-10T10:00:00Z")
    let request = try phone.request("a")
    #expect(phone.settle([request]).added == [request])
    try phone.restart()
    phone.pass(.seconds(1))
    phone.happen(.addFailed, request.id)
    #expect(try phone.ask("b") == .admitted)
    // The gateway ignores a failed add that is reported more than a minute after the request.
    let other = RequestID(reminder: ReminderID(1), occurrence: 0)
    phone.pass(.seconds(61))
    try phone.restart()
    phone.happen(.addFailed, other)
    #expect(try phone.ask("c") == .denied(.dailyCap))
  }

  @Test func `the next process decides an undecided request`() throws {
    var phone = try TestPhone(Self.policy, at: "2026-01-10T10:00:00Z")
    let request = try phone.request("a", expiresAt: phone.now.wall + .hours(3))
    phone.gateway.submit(request)
    let submitted = phone
    try phone.restart()
    #expect(phone.gateway.releases(at: phone.now).isEmpty, "of this instant")
    #expect(phone.settle().added.map(\.id) == [request.id])
    // A process that starts later treats it as a deferred request: it may have expired, and its conditions
    // are evaluated again.
    phone = submitted
    phone.pass(.hours(1))
    try phone.restart()
    #expect(phone.gateway.releases(at: phone.now).map(\.id) == [request.id])
    #expect(phone.settle().added.map(\.id) == [request.id])
    phone = submitted
    phone.pass(.hours(3))
    try phone.restart()
    #expect(phone.settle().drops == [.expiredAtRelease])
  }

  @Test func `a new process repeats or revokes its wake-up request`() throws {
    var phone = try TestPhone(Self.policy, at: "2026-01-10T22:30:00Z")
    let held = try phone.request("a", .user)
    #expect(phone.settle([held]).wakeUps == ["2026-01-11T06:00:00Z"])
    #expect(phone.settle().wakeUps.isEmpty)
    try phone.restart()
    #expect(phone.happen(.launched).wakeUps == ["2026-01-11T06:00:00Z"])
    #expect(phone.happen(.unlock).wakeUps.isEmpty)
    try phone.restart()
    #expect(
      phone.happen(.cancelAll).contains(.wakeForRelease(at: .distantFuture)), "nothing is held any more")
  }

  @Test func `each kind of unusable stored state reports its own problem`() throws {
    var phone = try TestPhone(Self.policy, at: "2026-01-10T10:00:00Z")
    _ = try phone.ask("a")
    let bytes = phone.stored
    #expect(throws: StoreProblem.torn) { try Self.updated(phone, ["a"], stored: bytes.dropLast()) }
    #expect(throws: StoreProblem.torn) { try Self.updated(phone, ["a"], stored: []) }
    #expect(throws: StoreProblem.unknownForm) { try Self.updated(phone, ["a"], stored: bytes.reversed()) }
  }
}

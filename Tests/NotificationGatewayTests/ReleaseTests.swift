import CivilTime
import NotificationGateway
import Testing
import TriggerModel

/// Tests deferred requests that the system holds until the end of quiet hours. Times are UTC. The phone is in
/// Berlin, where quiet hours end at 06:00 UTC.
@Suite struct ReleaseTests {
  private static let morning = "2026-01-11T06:00:00Z"

  private func phone(_ policy: CapPolicy = CapPolicy()) throws -> TestPhone {
    try TestPhone(policy, at: "2026-01-10T22:00:00Z")
  }

  /// Checks the deferred requests and settles, until the gateway returns no more effects.
  private func release(
    _ phone: inout TestPhone, stale: Set<RequestID> = []
  ) -> [EngineEffect] {
    var effects: [EngineEffect] = []
    repeat {
      let releases = phone.gateway.releases(at: phone.now).map(\.id)
      phone.gateway.withdrawStale(stale.intersection(releases), at: phone.now, into: &effects)
    } while phone.gateway.settle(at: phone.now, into: &effects) || phone.gateway.hasNewReleases
    return effects
  }

  @Test func `a deferred request is handed over to the system for its release`() throws {
    var phone = try phone()
    let request = try phone.request("a", .user)
    phone.gateway.submit(request)
    let effects = release(&phone)
    var handedOver = request
    handedOver.deliverAt = try Instant(iso8601: Self.morning)
    handedOver.isFloating = true
    #expect(effects.decisions.map(\.outcome) == [.defer, .admit])
    #expect(effects.contains(.add(handedOver)))
    #expect(phone.gateway.nextRelease == nil && phone.gateway.hasReleases)
    #expect(release(&phone).isEmpty, "once")
    phone.pass(.hours(9))
    #expect(release(&phone).filter { $0 != .persist }.isEmpty, "the system has shown it")
    #expect(!phone.gateway.hasReleases)
  }

  @Test func `a fixed request is deferred to a fixed instant, and a floating one to a local time`() throws {
    var phone = try phone()
    let ahead = phone.now.wall + .hours(1)
    let requests = [
      try phone.request("a", .user, deliverAt: ahead),
      try phone.request("b", .user, deliverAt: ahead, isFloating: true),
      try phone.request("c", .user),
    ]
    for request in requests { phone.gateway.submit(request) }
    let added = release(&phone).added
    #expect(added.map(\.isFloating) == [false, true, true])
    #expect(try added.allSatisfy { $0.deliverAt == (try Instant(iso8601: Self.morning)) })
  }

  @Test func `a deferred request stays in the gateway if the caller never asks for releases`() throws {
    var phone = try phone()
    let effects = phone.settle([try phone.request("a", .user)])
    #expect(effects.decisions.map(\.outcome) == [.defer] && effects.addedTypes.isEmpty)
    phone.pass(.hours(8))
    #expect(phone.settle().addedTypes == ["a"])
  }

  @Test func `a stale request is withdrawn, and is not handed over while it is stale`() throws {
    var phone = try phone()
    let (a, b) = (try phone.request("a", .user), try phone.request("b", .user))
    phone.gateway.submit(a)
    phone.gateway.submit(b)
    #expect(release(&phone, stale: [b.id]).addedTypes == ["a"])
    phone.pass(.hours(1))
    let effects = release(&phone, stale: [a.id, b.id])
    #expect(effects.contains(.remove(a.id, .staleAtRelease)))
    #expect(!effects.contains { if case .dropped = $0 { true } else { false } }, "b waits")
    phone.pass(.hours(1))
    #expect(release(&phone).addedTypes == ["b"])
    #expect(release(&phone, stale: [a.id]).isEmpty, "withdrawn once")
  }

  @Test func `a request decided before the one that the system holds for the same release replaces it`()
    throws
  {
    var policy = CapPolicy()
    policy.quietAction[.standard] = .defer
    var phone = try phone(policy)
    let (e, c) = (try phone.request("e", priority: 1), try phone.request("c", priority: 0))
    phone.gateway.submit(e)
    #expect(release(&phone).addedTypes == ["e"])
    phone.pass(.minutes(10))
    phone.gateway.submit(try phone.request("d", priority: 2))
    #expect(release(&phone).addedTypes.isEmpty, "later requests get nothing")
    phone.pass(.minutes(10))
    phone.gateway.submit(c)
    let effects = release(&phone)
    #expect(effects.contains(.remove(e.id, .quietHours)))
    #expect(effects.addedTypes == ["c"])
    phone.pass(.minutes(10))
    #expect(release(&phone, stale: [c.id]).addedTypes == ["e"], "it is the first of the remaining ones")
    phone.pass(.hours(8))
    #expect(phone.settle().decisions == [.denied(.minimumInterval)], "d; c was withdrawn")
  }

  @Test func `a request is replaced only by one that can then be shown`() throws {
    var policy = CapPolicy()
    policy.quietAction[.standard] = .defer
    policy.lifetimeCap = ["c": 0]
    var phone = try phone(policy)
    phone.gateway.submit(try phone.request("e", priority: 1))
    #expect(release(&phone).addedTypes == ["e"])
    phone.pass(.minutes(10))
    phone.gateway.submit(try phone.request("c", priority: 0))
    let effects = release(&phone)
    #expect(effects.addedTypes.isEmpty && !effects.contains { if case .remove = $0 { true } else { false } })
  }

  @Test func `five requests are handed over one by one, in the order of decision, within the caps`() throws {
    var policy = CapPolicy()
    policy.quietAction[.standard] = .defer
    var phone = try phone(policy)
    for (position, type) in ["e", "d", "c", "b", "a"].enumerated() {
      phone.gateway.submit(try phone.request(type, priority: UInt8(position)))
    }
    #expect(release(&phone).addedTypes == ["e"], "the others are too close to it")
    phone.pass(.hours(8))
    let decisions = phone.settle().decisions
    #expect(decisions.count == 4 && decisions.allSatisfy { $0.reason == .minimumInterval })
  }

  @Test func `a request that expires before quiet hours end is not handed over, nor is a cancelled one`()
    throws
  {
    var phone = try phone()
    let late = try phone.request("a", .user, expiresAt: Instant(iso8601: Self.morning))
    let other = try phone.request("b", .user)
    phone.gateway.submit(late)
    phone.gateway.submit(other)
    #expect(release(&phone).addedTypes == ["b"])
    var effects: [EngineEffect] = []
    phone.gateway.withdraw(other.id, because: .cancelled, at: phone.now, into: &effects)
    #expect(effects.contains(.remove(other.id, .cancelled)))
    phone.pass(.hours(8))
    #expect(release(&phone).contains(.dropped(late, .expiredAtRelease)))
    #expect(!phone.gateway.hasReleases)
  }

  @Test func `a change of zone moves the release, and a restart restores the handed-over requests`() throws {
    var phone = try phone()
    let request = try phone.request("a", .user)
    phone.gateway.submit(request)
    _ = release(&phone)
    try phone.wait(until: "2026-01-11T04:00:00Z")
    let stored = phone.gateway.storedState(names: TestPhone.names)
    var other = phone
    other.gateway = try NotificationGateway(
      policy: phone.gateway.policy, stored: stored, names: TestPhone.names, zones: phone.zones,
      permission: .authorized, at: phone.now)
    #expect(other.gateway.state == phone.gateway.state)
    for var phone in [phone, other] {
      phone.now.zone = ZoneID(1)
      #expect(
        phone.gateway.releases(at: phone.now).map(\.deliverAt) == [
          try Instant(iso8601: "2026-01-11T12:00:00Z")
        ])
      var effects: [EngineEffect] = []
      phone.gateway.withdrawStale([request.id], at: phone.now, into: &effects)
      #expect(effects.contains(.remove(request.id, .staleAtRelease)))
    }
  }

  /// Returns two phones in Berlin: one with a request reserved for the end of quiet hours, and one restored
  /// from its stored state.
  private func phonesAtNight(_ request: inout NotificationRequest?) throws -> [TestPhone] {
    var phone = try phone()
    let asked = try phone.request("a", .user)
    request = asked
    phone.gateway.submit(asked)
    #expect(release(&phone).added.map(\.deliverAt) == [try Instant(iso8601: Self.morning)])
    phone.pass(.minutes(30))
    var restarted = phone
    try restarted.restart()
    return [phone, restarted]
  }

  @Test
  func
    `case 28: a request handed over for the morning is shown immediately and once after travel out of the night`()
    throws
  {
    var request: NotificationRequest?
    for var phone in try phonesAtNight(&request) {
      let request = try #require(request)
      phone.now.zone = ZoneID(1)  // New York, 17:30
      #expect(phone.happen(.zoneChanged).removed.isEmpty, "the app may still observe its delivery")
      let effects = release(&phone).filter { effect in
        if case .wakeForRelease = effect { false } else { effect != .persist }
      }
      var shown = request
      shown.deliverAt = phone.now.wall
      #expect(
        effects == [.remove(request.id, .quietHours), .decided(shown, .admitted), .add(shown)],
        "the system gives it back before it gets it again")
      #expect(!phone.gateway.hasReleases && phone.gateway.state.pending.isEmpty)
      #expect(phone.gateway.state.types[0].lifetime == 1, "the reservation for the morning is released")
      try phone.restart()
      phone.pass(.hours(9))
      #expect(release(&phone).added.isEmpty)
    }
  }

  @Test func `a handed-over request is handed over again if quiet hours end at another time`() throws {
    var phone = try phone()
    let evening = try Instant(iso8601: "2026-01-11T03:30:00Z")  // 04:30 in Berlin, 22:30 in New York
    let request = try phone.request("a", .user, deliverAt: evening)
    phone.gateway.submit(request)
    #expect(release(&phone).added.map(\.deliverAt) == [try Instant(iso8601: Self.morning)])
    phone.now.zone = ZoneID(3)  // Kathmandu, 03:45; the time asked for is 09:15 there
    phone.happen(.zoneChanged)
    let effects = release(&phone)
    #expect(effects.removed == [request.id] && effects.added.map(\.deliverAt) == [evening])
    #expect(release(&phone).filter { $0 != .persist }.isEmpty, "once")
    phone.pass(.hours(6))
    #expect(release(&phone).added.isEmpty && phone.gateway.state.types[0].lifetime == 1)
  }

  @Test func `a request that is shown on a journey is not shown again`() throws {
    var request: NotificationRequest?
    for var phone in try phonesAtNight(&request) {
      phone.now.zone = ZoneID(2)  // Tokyo, 07:30: the morning has passed.
      phone.happen(.zoneChanged)
      #expect(release(&phone).filter { $0 != .persist }.isEmpty && !phone.gateway.hasReleases)
    }
    // The phone travels via Tokyo to New York. The app observes both zones and the delivery when it runs
    // again.
    for var phone in try phonesAtNight(&request) {
      phone.now.zone = ZoneID(1)
      phone.happen(.zoneChanged)
      phone.happen(.delivered, request?.id)
      #expect(release(&phone).filter { $0 != .persist }.isEmpty && !phone.gateway.hasReleases)
    }
  }

  @Test func `a request whose conditions fail in the new zone is dropped`() throws {
    var request: NotificationRequest?
    for var phone in try phonesAtNight(&request) {
      let id = try #require(request).id
      phone.now.zone = ZoneID(1)
      var effects = release(&phone, stale: [id])
      #expect(effects.removed == [id] && effects.decisions.isEmpty)
      #expect(effects.contains { if case .dropped(_, .staleAtRelease) = $0 { true } else { false } })
      #expect(!phone.gateway.hasReleases && phone.gateway.state.types[0].lifetime == 0)
      effects = release(&phone)
      #expect(effects.filter { $0 != .persist }.isEmpty)
    }
  }

  @Test func `a policy with other quiet hours moves handed-over requests to the new release`() throws {
    var request: NotificationRequest?
    for var phone in try phonesAtNight(&request) {
      var policy = CapPolicy()
      policy.quietHours = WeeklyWindows(DailyWindow(from: 22 * 60, to: 6 * 60))
      var effects: [EngineEffect] = []
      phone.gateway.adopt(
        try CompiledCapPolicy(policy, types: TestPhone.types), at: phone.now, into: &effects)
      let released = release(&phone)
      #expect(released.removed == [request?.id])
      #expect(released.added.map(\.deliverAt) == [try Instant(iso8601: "2026-01-11T05:00:00Z")])
    }
  }
}

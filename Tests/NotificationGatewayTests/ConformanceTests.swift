import CivilTime
import NotificationGateway
import Testing
import TriggerModel

/// The scheduler cases of the conformance list, by number.
@Suite struct ConformanceTests {
  @Test func `case 8: a deferred request waits for the end of quiet hours, then all checks are made again`()
    throws
  {
    var phone = try TestPhone(at: "2026-01-10T22:30:00Z")
    let held = try phone.request("a", .user)
    let effects = phone.settle([held])
    let until = try Instant(iso8601: "2026-01-11T06:00:00Z")
    #expect(
      effects == [
        .decided(
          held, Decision(outcome: .defer, reason: .quietHours, blockers: ReasonSet(.quietHours), until: until)
        ),
        .wakeForRelease(at: until), .persist,
      ])
    try phone.wait(until: "2026-01-11T05:59:59.999Z")
    #expect(phone.settle().isEmpty)
    try phone.wait(until: "2026-01-11T06:00:00Z")
    var released = held
    released.deliverAt = until
    #expect(phone.gateway.releases(at: phone.now) == [held])
    #expect(phone.settle() == [.decided(released, .admitted), .add(released), .persist])
    #expect(phone.settle().isEmpty)

    try phone.wait(until: "2026-01-11T22:30:00Z")
    #expect(try phone.ask("b", .user).outcome == .defer)
    phone.permit(.denied)
    try phone.wait(until: "2026-01-12T06:00:00Z")
    #expect(phone.settle().decisions == [.denied(.permission)])
  }

  @Test func `case 28: a change of zone recomputes the release of a deferred request`() throws {
    var phone = try TestPhone(at: "2026-01-10T22:30:00Z")
    #expect(try phone.ask("a", .user).until?.iso8601 == "2026-01-11T06:00:00Z")
    try phone.wait(until: "2026-01-10T23:00:00Z")
    phone.now.zone = ZoneID(1)  // New York, 18:00: not quiet there.
    let effects = phone.happen(.zoneChanged)
    #expect(effects.wakeUps == ["2026-01-10T23:00:00Z"])
    #expect(phone.settle().addedTypes == ["a"])

    try phone.wait(until: "2026-01-11T04:00:00Z")  // 23:00 in New York
    #expect(try phone.ask("b", .user).until?.iso8601 == "2026-01-11T12:00:00Z")
    phone.now.zone = ZoneID(2)  // Tokyo, 13:00
    #expect(phone.happen(.unlock).wakeUps == ["2026-01-11T04:00:00Z"], "every event carries the zone")
    phone.now.zone = ZoneID(0)  // Berlin, 05:00
    #expect(phone.happen(.zoneChanged).wakeUps == ["2026-01-11T06:00:00Z"])
    #expect(phone.settle().isEmpty)
  }

  @Test func `case 35: an instant is decided by bucket, priority, scheduled instant, type and id`() throws {
    var policy = CapPolicy()
    policy.minimumInterval = .zero
    policy.typeDailyCap = nil
    var phone = try TestPhone(policy, at: "2026-01-10T10:00:00Z")
    var early = try phone.request("e")
    early.scheduledFor = early.scheduledFor - .minutes(5)
    let requests = [
      try phone.request("a", priority: 1), try phone.request("c"), try phone.request("b"), early,
      try phone.request("d", .user), try phone.request("e", .critical), try phone.request("b"),
    ]
    let effects = phone.settle(requests)
    #expect(effects.addedTypes == ["e", "d", "e", "b", "b"])
    #expect(effects.added[3].id.occurrence == 0)
    #expect(Array(effects.decisions.suffix(2)) == [.denied(.dailyCap), .denied(.dailyCap)])
  }

  @Test func `case 40: a critical request cancels a pending standard one but no delivered one`() throws {
    var policy = CapPolicy()
    policy.lifetimeCap = ["b": 1]
    var phone = try TestPhone(policy, at: "2026-01-10T10:00:00Z")
    #expect(try phone.ask("a") == .admitted)
    let later = try phone.request("b", deliverAt: Instant(iso8601: "2026-01-10T14:00:00Z"))
    let muchLater = try phone.request("c", deliverAt: Instant(iso8601: "2026-01-10T18:00:00Z"))
    #expect(phone.settle([later, muchLater]).added == [later, muchLater])
    phone.pass(.minutes(1))

    let critical = try phone.request("d", .critical)
    let effects = phone.settle([critical])
    #expect(
      effects == [
        .decided(critical, .admitted), .add(critical), .persist, .remove(later.id, .preempted), .persist,
      ])
    #expect(
      phone.gateway.state.pending.map(\.id) == [muchLater.id], "a request four hours away is not affected")
    try phone.wait(until: "2026-01-10T14:00:00Z")
    #expect(try phone.ask("b") == .admitted, "its lifetime, day and interval were released")

    policy.criticalPreempts = false
    var other = try TestPhone(policy, at: "2026-01-10T10:00:00Z")
    #expect(try other.ask("b", deliverAt: "2026-01-10T10:30:00Z") == .admitted)
    #expect(other.settle([try other.request("d", .critical)]).removed.isEmpty)
    // A critical request that is denied, or whose add fails, cancels no pending request.
    var third = try TestPhone(at: "2026-01-10T10:00:00Z")
    #expect(try third.ask("d", .critical) == .admitted)
    #expect(try third.ask("b", deliverAt: "2026-01-10T10:30:00Z") == .admitted)
    #expect(third.settle([try third.request("e", .critical)]).decisions == [.denied(.criticalDailyCap)])
    #expect(third.gateway.state.pending.count == 1)
    var refused = try TestPhone(at: "2026-01-10T10:00:00Z")
    #expect(try refused.ask("b", deliverAt: "2026-01-10T10:30:00Z") == .admitted)
    refused.refusesAdds = true
    #expect(refused.settle([try refused.request("d", .critical)]).removed.isEmpty)
    #expect(refused.gateway.state.pending.count == 1)
  }

  @Test func `case 50: an undetermined permission denies and consumes nothing`() throws {
    var policy = CapPolicy()
    policy.lifetimeCap = ["a": 1]
    var phone = try TestPhone(policy, at: "2026-01-10T10:00:00Z", permission: .notDetermined)
    for _ in 0..<3 { #expect(try phone.ask("a") == .denied(.permission)) }
    phone.permit(.authorized)
    #expect(try phone.ask("a") == .admitted)
  }

  @Test func `case 51: a provisional permission delivers and counts`() throws {
    var phone = try TestPhone(at: "2026-01-10T10:00:00Z", permission: .notDetermined)
    phone.permit(.provisional)
    #expect(try phone.ask("a") == .admitted)
    #expect(try phone.ask("a") == .denied(.typeDailyCap, .minimumInterval))
    #expect(phone.gateway.state.dailyCounts.map(\.count) == [1])
  }

  @Test func `case 52: a refused request consumes nothing and starts no interval`() throws {
    var policy = CapPolicy()
    policy.lifetimeCap = ["b": 1]
    policy.lapseCap = ["b": 1]
    policy.minimumInterval = .minutes(30)
    policy.dailyCap = nil
    var phone = try TestPhone(policy, at: "2026-01-10T08:00:00Z")
    #expect(try phone.ask("a") == .admitted)
    phone.pass(.minutes(30))
    let refused = try phone.request("b")
    #expect(phone.settle([refused]).decisions == [.admitted])
    phone.pass(.seconds(2))
    phone.happen(.addFailed, refused.id)
    #expect(try phone.ask("b") == .admitted, "the next evaluation tries again")
    // An add for a later time fails too. The interval is then measured from the accepted deliveries.
    let later = try phone.request("c", deliverAt: phone.now.wall + .hours(2))
    #expect(phone.settle([later]).decisions == [.admitted])
    phone.happen(.addFailed, later.id)
    #expect(try phone.ask("c", deliverAt: "2026-01-10T10:30:00Z") == .admitted)
    phone.pass(.minutes(29))
    #expect(try phone.ask("d") == .denied(.minimumInterval))
  }

  @Test func `case 52: a refusal observed more than a minute later reverts no counts`() throws {
    var phone = try TestPhone(at: "2026-01-10T08:00:00Z")
    let request = try phone.request("a")
    #expect(phone.settle([request]).decisions == [.admitted])
    phone.pass(.minutes(1) + TimeSpan(milliseconds: 1))
    #expect(phone.happen(.addFailed, request.id).isEmpty)
    #expect(try phone.ask("a") == .denied(.typeDailyCap, .minimumInterval))
  }

  @Test func `case 54: cancelling everything is idempotent and releases undelivered reservations`() throws {
    var phone = try TestPhone(at: "2026-01-10T21:30:00Z")
    let pending = try phone.request("a", deliverAt: Instant(iso8601: "2026-01-11T10:00:00Z"))
    let held = try phone.request("b", .user)
    _ = phone.settle([pending, held])
    let effects = phone.happen(.cancelAll)
    #expect(
      effects == [
        .dropped(held, .cancelled), .remove(pending.id, .cancelled), .wakeForRelease(at: .distantFuture),
        .persist,
      ])
    #expect(phone.happen(.cancelAll).isEmpty)
    try phone.wait(until: "2026-01-11T09:00:00Z")
    #expect(try phone.ask("a") == .admitted)
    phone.happen(.cancelAll)
    #expect(
      try phone.ask("a") == .denied(.typeDailyCap, .minimumInterval), "a delivered notification still counts")
  }

  @Test
  func `case 55: revoking the permission releases reservations, and granting it again does not restore them`()
    throws
  {
    var phone = try TestPhone(at: "2026-01-10T08:00:00Z")
    #expect(try phone.ask("a", deliverAt: "2026-01-10T12:00:00Z") == .admitted)
    phone.permit(.denied)
    #expect(phone.gateway.state.pending.isEmpty)
    phone.permit(.authorized)
    #expect(phone.gateway.state.pending.isEmpty)
    #expect(try phone.ask("a", deliverAt: "2026-01-10T12:30:00Z") == .admitted)
  }

  @Test func `case 57: a request that the system drops from its 64 releases its reservation`() throws {
    var policy = CapPolicy()
    policy.lifetimeCap = ["a": 1]
    var phone = try TestPhone(policy, at: "2026-01-10T08:00:00Z")
    let dropped = try phone.request("a", deliverAt: Instant(iso8601: "2026-01-12T12:00:00Z"))
    #expect(phone.settle([dropped]).decisions == [.admitted])
    #expect(try phone.ask("a", deliverAt: "2026-01-13T12:00:00Z") == .denied(.lifetimeCap))
    phone.happen(.pendingDropped, dropped.id)
    #expect(try phone.ask("a", deliverAt: "2026-01-13T12:00:00Z") == .admitted)
  }

  @Test func `case 60: five requests deferred until 07:00 result in one delivery`() throws {
    var policy = CapPolicy()
    policy.quietAction[.standard] = .defer
    var phone = try TestPhone(policy, at: "2026-01-10T22:00:00Z")
    for (type, priority) in [("e", 1), ("d", 2), ("c", 0), ("b", 3), ("a", 4)] as [(String, UInt8)] {
      phone.pass(.minutes(10))
      #expect(phone.settle([try phone.request(type, priority: priority)]).decisions[0].outcome == .defer)
    }
    try phone.wait(until: "2026-01-11T06:00:00Z")
    let effects = phone.settle([try phone.request("b", priority: 5)])
    #expect(effects.addedTypes == ["c"], "the first by priority, whatever the order of submission")
    #expect(effects.decisions.count == 6)
    #expect(effects.decisions.filter { $0 == .denied(.minimumInterval) }.count == 5)
    #expect(phone.gateway.state.deferred.isEmpty)

    // Quiet hours also defer requests in the user bucket. These requests do not block each other.
    try phone.wait(until: "2026-01-11T22:00:00Z")
    for type in TestPhone.types { #expect(phone.settle([try phone.request(type, .user)]).added.isEmpty) }
    try phone.wait(until: "2026-01-12T06:00:00Z")
    #expect(phone.settle().addedTypes == TestPhone.types)
  }

  @Test func `case 61: a deferred request that expires before its release is dropped`() throws {
    var phone = try TestPhone(at: "2026-01-10T22:00:00Z")
    let morning = try Instant(iso8601: "2026-01-11T06:00:00Z")
    let late = try phone.request("a", .user, expiresAt: morning)
    let inTime = try phone.request("b", .user, expiresAt: morning + TimeSpan(milliseconds: 1))
    _ = phone.settle([late, inTime])
    phone.pass(.hours(8))
    let effects = phone.settle()
    #expect(effects.first == .dropped(late, .expiredAtRelease))
    #expect(effects.addedTypes == ["b"])
  }

  @Test func `case 62: a deferred request whose condition no longer holds is withdrawn`() throws {
    var phone = try TestPhone(at: "2026-01-10T22:00:00Z")
    let requests = [try phone.request("a", .user), try phone.request("b", .user)]
    _ = phone.settle(requests)
    phone.pass(.hours(8))
    #expect(phone.gateway.releases(at: phone.now) == requests)
    var effects: [EngineEffect] = []
    phone.gateway.withdraw(requests[0].id, because: .staleAtRelease, at: phone.now, into: &effects)
    #expect(effects.first == .dropped(requests[0], .staleAtRelease))
    #expect(phone.settle().addedTypes == ["b"])
  }

  @Test func `case 66: setting the wall clock does not change the interval`() throws {
    for jump in [TimeSpan.hours(-1), .hours(1), .days(365), .days(-365)] {
      var policy = CapPolicy()
      policy.quietHours = nil
      var phone = try TestPhone(policy, at: "2026-01-10T10:00:00Z")
      #expect(try phone.ask("a") == .admitted)
      phone.pass(.minutes(30))
      phone.now.wall = phone.now.wall + jump
      phone.happen(.clockChanged)
      phone.pass(.minutes(209))
      #expect(try phone.ask("b") == .denied(.minimumInterval), "jump \(jump)")
      phone.pass(.minutes(1))
      #expect(try phone.ask("b") == .admitted, "jump \(jump)")
    }
    // The clock is set a year forward and back again. The first day keeps its count.
    var phone = try TestPhone(at: "2026-01-10T10:00:00Z")
    #expect(try phone.ask("a") == .admitted)
    for jump in [TimeSpan.days(365), .days(-365)] {
      phone.now.wall = phone.now.wall + jump
      phone.happen(.clockChanged)
      phone.pass(.hours(4))
      #expect(try phone.ask(jump < .zero ? "a" : "b") == (jump < .zero ? .denied(.typeDailyCap) : .admitted))
    }
  }

  @Test func `case 66: a reservation that a clock change skips counts as delivered at the change`() throws {
    var phone = try TestPhone(at: "2026-01-10T10:00:00Z")
    #expect(try phone.ask("a", deliverAt: "2026-01-10T15:00:00Z") == .admitted)
    phone.pass(.hours(1))
    phone.now.wall = try Instant(iso8601: "2026-01-11T10:00:00Z")
    phone.happen(.clockChanged)
    #expect(phone.gateway.state.pending.isEmpty)
    phone.pass(.minutes(239))
    #expect(try phone.ask("b") == .denied(.minimumInterval))
    phone.pass(.minutes(1))
    #expect(try phone.ask("b") == .admitted)
  }

  @Test
  func `case 67: the wall clock measures the interval across a reboot, and a future delivery counts as now`()
    throws
  {
    func reboot(_ phone: inout TestPhone, off span: TimeSpan) {
      phone.now.wall = phone.now.wall + span
      phone.now.uptime = Uptime(boot: phone.now.uptime.boot + 1, span: .seconds(20))
      phone.happen(.launched)
    }
    var phone = try TestPhone(at: "2026-01-10T10:00:00Z")
    #expect(try phone.ask("a") == .admitted)
    phone.pass(.hours(1))
    reboot(&phone, off: .hours(2))
    phone.pass(.minutes(59))
    #expect(try phone.ask("b") == .denied(.minimumInterval))
    phone.pass(.minutes(1))
    #expect(try phone.ask("b") == .admitted)

    // After the reboot the clock is a day behind. The interval ends in four hours, not in a day and four
    // hours.
    reboot(&phone, off: .days(-1))
    phone.pass(.minutes(239))
    #expect(try phone.ask("c") == .denied(.minimumInterval))
    try phone.restart()
    phone.pass(.minutes(1))
    #expect(try phone.ask("c") == .admitted)
  }

  @Test func `case 71: a cap lowered below the count denies and cancels nothing`() throws {
    var policy = CapPolicy()
    policy.minimumInterval = .zero
    var phone = try TestPhone(policy, at: "2026-01-10T10:00:00Z")
    for type in ["a", "b", "c"] { #expect(try phone.ask(type) == .admitted) }
    policy.dailyCap = 2
    var effects: [EngineEffect] = []
    phone.gateway.adopt(try CompiledCapPolicy(policy, types: TestPhone.types), at: phone.now, into: &effects)
    #expect(effects.removed.isEmpty)
    #expect(try phone.ask("d") == .denied(.dailyCap))
    policy.dailyCap = 4
    phone.gateway.adopt(try CompiledCapPolicy(policy, types: TestPhone.types), at: phone.now, into: &effects)
    #expect(try phone.ask("d") == .admitted)
    #expect(try phone.ask("e") == .denied(.dailyCap))
  }

  @Test func `case 72: a new interval and new quiet hours apply from the next evaluation`() throws {
    var policy = CapPolicy()
    var phone = try TestPhone(policy, at: "2026-01-10T10:00:00Z")
    #expect(try phone.ask("a") == .admitted)
    phone.pass(.hours(3))
    #expect(try phone.ask("b") == .denied(.minimumInterval))
    policy.minimumInterval = .hours(3)
    var effects: [EngineEffect] = []
    phone.gateway.adopt(try CompiledCapPolicy(policy, types: TestPhone.types), at: phone.now, into: &effects)
    #expect(try phone.ask("b") == .admitted)

    try phone.wait(until: "2026-01-10T23:00:00Z")
    #expect(try phone.ask("c", .user).outcome == .defer)
    policy.quietHours = WeeklyWindows(DailyWindow(from: 22 * 60, to: 5 * 60))
    phone.gateway.adopt(try CompiledCapPolicy(policy, types: TestPhone.types), at: phone.now, into: &effects)
    #expect(effects.wakeUps == ["2026-01-11T04:00:00Z"])
  }

  @Test func `case 73: a cap of 0 allows no delivery, and nil is no limit`() throws {
    var none = CapPolicy()
    none.dailyCap = 0
    none.criticalDailyCap = 0
    none.typeDailyCap = 0
    none.lifetimeCap = ["a": 0]
    none.lapseCap = ["a": 0]
    var phone = try TestPhone(none, at: "2026-01-10T10:00:00Z")
    #expect(try phone.ask("a") == .denied(.lifetimeCap, .lapseCap, .typeDailyCap, .dailyCap))
    #expect(try phone.ask("b", .critical) == .denied(.criticalDailyCap))

    var unlimited = CapPolicy()
    unlimited.dailyCap = nil
    unlimited.criticalDailyCap = nil
    unlimited.typeDailyCap = nil
    unlimited.minimumInterval = .zero
    phone = try TestPhone(unlimited, at: "2026-01-10T10:00:00Z")
    for _ in 0..<100 {
      #expect(try phone.ask("a") == .admitted)
      #expect(try phone.ask("a", .critical) == .admitted)
    }
  }

  @Test func `case 74: a request that is submitted twice is decided and counted once`() throws {
    var phone = try TestPhone(at: "2026-01-10T10:00:00Z")
    let now = try phone.request("a")
    #expect(phone.settle([now, now]).added == [now])
    #expect(phone.settle([now]) == [.persist])
    let later = try phone.request("b", deliverAt: phone.now.wall + .hours(5))
    #expect(phone.settle([later]).added == [later])
    #expect(phone.settle([later]) == [.persist] && phone.gateway.state.pending.count == 1)
    #expect(phone.gateway.state.dailyCounts.map(\.count) == [2])
    // A cancelled request can be requested again.
    phone.happen(.pendingDropped, later.id)
    #expect(phone.settle([later]).added == [later])

    try phone.wait(until: "2026-01-10T22:30:00Z")
    let held = try phone.request("c", .user)
    #expect(phone.settle([held]).decisions.count == 1)
    #expect(phone.settle([held]) == [.persist] && phone.gateway.state.deferred.count == 1)
  }
}

import CivilTime
import NotificationGateway
import TestSupport
import Testing
import TriggerModel

/// Tests how this device counts deliveries on the person's other devices.
@Suite struct RemoteDeliveryTests {
  private static func policy(_ change: (inout CapPolicy) -> Void) -> CapPolicy {
    var policy = CapPolicy()
    policy.quietHours = nil
    policy.minimumInterval = .zero
    policy.typeDailyCap = nil
    change(&policy)
    return policy
  }

  @Test func `a delivery elsewhere counts for its bucket, type, day and interval`() throws {
    let policy = Self.policy {
      $0.dailyCap = 2
      $0.typeDailyCap = 1
      $0.minimumInterval = .hours(2)
      $0.lifetimeCap = ["b": 1]
      $0.lapseCap = ["c": 1]
    }
    var phone = try TestPhone(policy, at: "2026-01-10T10:00:00Z")
    phone.observeRemoteDelivery("a", age: .hours(1))
    #expect(try phone.ask("a") == .denied(.typeDailyCap, .minimumInterval))
    #expect(try phone.ask("c") == .denied(.minimumInterval))
    #expect(try phone.ask("c", .critical) == .admitted)
    try phone.wait(until: "2026-01-10T11:00:00Z")
    #expect(try phone.ask("d") == .admitted)
    #expect(try phone.ask("e") == .denied(.dailyCap, .minimumInterval))
    // Yesterday's delivery counts towards the lifetime cap but not today's cap.
    phone.observeRemoteDelivery("b", age: .days(1))
    #expect(phone.gateway.state.dailyCounts.map(\.count) == [1, 2])
    #expect(try phone.ask("b", .user) == .denied(.lifetimeCap))
    // A critical delivery counts towards the critical cap. The lapse cap counts only the device's own
    // deliveries.
    try phone.wait(until: "2026-01-11T10:00:00Z")
    phone.observeRemoteDelivery("c", .critical, age: .zero)
    #expect(try phone.ask("e", .critical) == .denied(.criticalDailyCap))
    phone.happen(.opened)
    phone.observeRemoteDelivery("c", age: .zero)
    #expect(phone.gateway.state.lapseCount(TypeID(2)) == 0)
  }

  @Test func `pending requests beyond a cap are cancelled, latest first, and release their counts`() throws {
    var phone = try TestPhone(Self.policy { $0.dailyCap = 2 }, at: "2026-01-10T10:00:00Z")
    let evening = try phone.request("a", deliverAt: Instant(iso8601: "2026-01-10T18:00:00Z"))
    let noon = try phone.request("b", deliverAt: Instant(iso8601: "2026-01-10T12:00:00Z"))
    let other = try phone.request("c", deliverAt: Instant(iso8601: "2026-01-11T12:00:00Z"))
    let own = try phone.request("d", .user, deliverAt: Instant(iso8601: "2026-01-10T19:00:00Z"))
    #expect(phone.settle([evening, noon, other, own]).added.count == 4)
    #expect(phone.observeRemoteDelivery("e") == [.remove(evening.id, .dailyCap), .persist])
    #expect(phone.observeRemoteDelivery("e") == [.remove(noon.id, .dailyCap), .persist])
    // No other request of that day can be cancelled, so the only effect is `persist`.
    #expect(phone.observeRemoteDelivery("e") == [.persist])
    #expect(Set(phone.gateway.state.pending.map(\.id)) == [other.id, own.id])
    #expect(phone.gateway.state.dailyCounts.map(\.count) == [3, 1])
  }

  @Test func `each cap is the reason of its cancellations, and repeating requests stay`() throws {
    let changes: [(Reason, (inout CapPolicy) -> Void)] = [
      (.typeDailyCap, { $0.typeDailyCap = 1 }), (.typeWeeklyCap, { $0.typeWeeklyCaps = ["a": 1] }),
      (.lifetimeCap, { $0.lifetimeCap = ["a": 1] }), (.minimumInterval, { $0.minimumInterval = .hours(9) }),
      (.typeMonthlyCap, { $0[.monthly] = ["a": 1] }), (.weeklyCap, { $0[ofBucket: .weekly] = 1 }),
      (.typeRollingCap, { $0[.rolling] = ["a": CapLimit(1, in: 2)] }),
      (.monthlyCap, { $0[ofBucket: .monthly] = 1 }),
      (.rollingCap, { $0[ofBucket: .rolling] = CapLimit(1, in: 3) }),
    ]
    for (reason, change) in changes {
      var phone = try TestPhone(Self.policy(change), at: "2026-01-10T10:00:00Z")
      let request = try phone.request("a", deliverAt: Instant(iso8601: "2026-01-10T18:00:00Z"))
      var repeated = request
      repeated.id.occurrence = 7
      repeated.repeats = SystemRepeat(.daily, minute: 18 * 60)
      _ = phone.settle([request])
      #expect(phone.observeRemoteDelivery("a") == [.remove(request.id, reason), .persist], "\(reason)")
      var other = try TestPhone(Self.policy(change), at: "2026-01-10T10:00:00Z")
      #expect(other.settle([repeated]).added.count == 1)
      #expect(other.observeRemoteDelivery("a") == [.persist], "\(reason)")
    }
    var phone = try TestPhone(Self.policy { _ in }, at: "2026-01-10T10:00:00Z")
    let critical = try phone.request("a", .critical, deliverAt: Instant(iso8601: "2026-01-10T18:00:00Z"))
    _ = phone.settle([critical])
    #expect(
      phone.observeRemoteDelivery("b", .critical) == [.remove(critical.id, .criticalDailyCap), .persist])
    phone.choose(.dailyCap(1))
    let standard = try phone.request("a", deliverAt: Instant(iso8601: "2026-01-10T18:00:00Z"))
    _ = phone.settle([standard])
    #expect(phone.observeRemoteDelivery("b") == [.remove(standard.id, .userDailyCap), .persist])
  }

  @Test func `the interval counts from a delivery elsewhere if the system refuses the later one here`() throws
  {
    var phone = try TestPhone(Self.policy { $0.minimumInterval = .hours(2) }, at: "2026-01-10T10:00:00Z")
    let request = try phone.request("a")
    _ = phone.settle([request])
    phone.observeRemoteDelivery("b", age: .hours(1))
    #expect(phone.gateway.state.dailyCounts.map(\.count) == [2])
    phone.happen(.addFailed, request.id)
    #expect(try phone.ask("c") == .denied(.minimumInterval))
    try phone.wait(until: "2026-01-10T11:00:00Z")
    #expect(try phone.ask("c") == .admitted)
  }

  @Test(arguments: 0..<4)
  func `phones that are notified immediately decide like one phone, across restarts`(shard: UInt64) throws {
    var denied = ReasonSet()
    for seed in shard * 100..<shard * 100 + 100 {
      var dice = SplitMix64(seed: seed)
      let policy = Self.policy {
        $0.dailyCap = Int.random(in: 1...4, using: &dice)
        $0.typeDailyCap = Int.random(in: 1...2, using: &dice)
        $0.typeWeeklyCaps = ["a": Int.random(in: 1...4, using: &dice)]
        $0.lifetimeCap = ["b": Int.random(in: 1...8, using: &dice)]
        $0.minimumInterval = dice.one(of: [.zero, .hours(1), .hours(4)])
        $0.minimumIntervalScope = dice.one(of: [.standard, .all])
        var longer = SplitMix64(seed: ~seed)
        if longer.chance(50) { $0[.rolling] = ["c": CapLimit(longer.int(1...3), in: longer.int(2...5))] }
        if longer.chance(50) { $0[.monthly] = ["c": CapLimit(longer.int(1...5))] }
        if longer.chance(40) { $0[ofBucket: .weekly] = CapLimit(longer.int(2...9)) }
        if longer.chance(40) { $0[ofBucket: .monthly] = CapLimit(longer.int(5...12)) }
        if longer.chance(40) { $0[ofBucket: .rolling] = CapLimit(longer.int(2...6), in: longer.int(2...4)) }
      }
      var one = try TestPhone(policy, at: "2026-03-27T00:00:00Z")
      var several = [one, one]
      for wish in try PropertyTests.wishes(seed, buckets: Bucket.allCases) {
        let span = wish.at - one.now.wall
        one.pass(span)
        for index in several.indices { several[index].pass(span) }
        let owner = Int.random(in: 0..<2, using: &dice)
        if dice.chance(20) { try several[1 - owner].restart() }
        let type = TestPhone.types[wish.type]
        let expected = try one.ask(type, wish.bucket)
        let decision = try several[owner].ask(type, wish.bucket)
        #expect(decision == expected, "seed \(seed)")
        denied.formUnion(decision.blockers)
        if decision.outcome == .admit { several[1 - owner].observeRemoteDelivery(type, wish.bucket) }
      }
      for phone in several {
        #expect(phone.gateway.state.types.map(\.lifetime) == one.gateway.state.types.map(\.lifetime))
        let counts = phone.gateway.state.dailyCounts.map { "\($0.day) \($0.count)" }
        #expect(counts == one.gateway.state.dailyCounts.map { "\($0.day) \($0.count)" })
      }
    }
    // Ensure that the scripts reach these reasons.
    let checks: [Reason] = [
      .dailyCap, .typeDailyCap, .typeWeeklyCap, .lifetimeCap, .criticalDailyCap, .minimumInterval,
      .typeMonthlyCap,
      .typeRollingCap, .weeklyCap, .monthlyCap, .rollingCap,
    ]
    for check in checks { #expect(denied.contains(check), "\(check)") }
  }
}

extension TestPhone {
  /// Reports a delivery on another device.
  @discardableResult
  fileprivate mutating func observeRemoteDelivery(
    _ type: String, _ bucket: Bucket = .standard, age: TimeSpan = .zero
  ) -> [EngineEffect] {
    var effects: [EngineEffect] = []
    let index = Self.types.firstIndex(of: type) ?? 0
    gateway.process(
      ObservedEvent(deliveredElsewhere: TypeID(index), bucket, at: now, age: age), into: &effects)
    return effects
  }
}

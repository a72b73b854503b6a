import NotificationGateway
import Testing
import TriggerModel

/// Tests counters that lag behind the deliveries, as counters on a server do.
@Suite struct CounterLagTests {
  private func policy(lag: TimeSpan) -> CapPolicy {
    var policy = CapPolicy()
    policy.counterLag = lag
    policy.minimumInterval = .zero
    policy.dailyCap = 1
    policy.typeDailyCap = nil
    policy.lifetimeCap = ["b": 1]
    return policy
  }

  @Test func `case 84: lagging counters allow deliveries beyond the cap until they catch up`() throws {
    var phone = try TestPhone(policy(lag: .minutes(10)), at: "2026-01-10T10:00:00Z")
    for minute in [0, 4, 5] as [Int64] {
      phone.pass(.minutes(minute))
      #expect(try phone.ask("a") == .admitted)
    }
    phone.pass(.minutes(1) - TimeSpan(milliseconds: 1))
    #expect(try phone.ask("a") == .admitted, "9:59.999 after the first")
    phone.pass(TimeSpan(milliseconds: 1))
    #expect(try phone.ask("a") == .denied(.dailyCap))
    #expect(phone.gateway.state.dailyCounts.map(\.count) == [1])
    phone.pass(.minutes(10))
    _ = phone.settle()
    #expect(phone.happen(.unlock).isEmpty)
    #expect(phone.gateway.state.dailyCounts.map(\.count) == [4], "three beyond the cap, all counted now")
  }

  @Test func `a request cancelled before it is counted is never counted, even after a restart`() throws {
    var phone = try TestPhone(policy(lag: .minutes(10)), at: "2026-01-10T10:00:00Z")
    let later = try phone.request("b", deliverAt: phone.now.wall + .hours(1))
    #expect(phone.settle([later]).added == [later])
    phone.happen(.cancelAll)
    #expect(try phone.ask("b", deliverAt: "2026-01-10T12:00:00Z") == .admitted)
    try phone.restart()
    phone.pass(.minutes(10))
    #expect(try phone.ask("b") == .denied(.lifetimeCap, .dailyCap))
    phone.happen(.cancelAll)
    #expect(try phone.ask("b") == .admitted)
  }

  @Test func `counters without a lag count immediately`() throws {
    var phone = try TestPhone(policy(lag: .zero), at: "2026-01-10T10:00:00Z")
    #expect(try phone.ask("a") == .admitted)
    #expect(try phone.ask("a") == .denied(.dailyCap))
  }
}

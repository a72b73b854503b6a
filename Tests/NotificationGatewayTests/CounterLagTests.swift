import NotificationGateway
import Testing
import TriggerModel

/// Counters that see an admission only later, as those on a server do.
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

  @Test("case 84: until the counters have caught up, more is delivered than they allow")
  func case84() throws {
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
    #expect(phone.gateway.state.dailyCounts.map(\.count) == [4], "three beyond the cap, and known now")
  }

  @Test("what is given back before it is counted is never counted, and a restart forgets nothing")
  func givingBack() throws {
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

  @Test("without a lag the counters know at once")
  func none() throws {
    var phone = try TestPhone(policy(lag: .zero), at: "2026-01-10T10:00:00Z")
    #expect(try phone.ask("a") == .admitted)
    #expect(try phone.ask("a") == .denied(.dailyCap))
  }
}

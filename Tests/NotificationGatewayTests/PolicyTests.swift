import CivilTime
import Testing
import TriggerModel

@testable import NotificationGateway

@Suite struct PolicyTests {
  private func message(_ change: (inout CapPolicy) -> Void) -> String? {
    var policy = CapPolicy()
    change(&policy)
    do {
      _ = try CompiledCapPolicy(policy, types: ["nutrition", "training"])
      return nil
    } catch {
      return "\(error)"
    }
  }

  @Test func `the error about an invalid policy says what to change`() {
    #expect(message { $0.lifetimeCap = ["training": 3] } == nil)
    #expect(
      message { $0.lifetimeCap = ["trainin": 3] }
        == "lifetimeCap names the type \"trainin\", which does not exist; did you mean training?")
    #expect(
      message { $0.lapseCap = ["sleep": 3] }
        == "lapseCap names the type \"sleep\", which does not exist; use the name of a notification type")
    #expect(
      message { $0.typeDailyCaps = ["nutrition": -1] }
        == "typeDailyCaps of \"nutrition\" is less than zero; use 0 to allow none, "
        + "and leave it out for no limit"
    )
    #expect(message { $0.dailyCap = -1 }?.hasPrefix("dailyCap is less than zero") == true)
    #expect(message { $0.criticalDailyCap = -1 }?.hasPrefix("criticalDailyCap is less") == true)
    #expect(message { $0.minimumInterval = .hours(-1) }?.hasPrefix("minimumInterval is less") == true)
    #expect(
      message { $0.checkOrder = [.permission, .dailyCap, .permission] }
        == "checkOrder names permission twice; name each check once")
    #expect(
      message { $0.checkOrder = [.snoozed] }
        == "checkOrder names snoozed, which the scheduler does not check; use notRegistered, userDisabled, "
        + "userDailyCap, permission, lifetimeCap, lapseCap, quietHours, typeDailyCap, typeWeeklyCap, "
        + "typeMonthlyCap, typeRollingCap, dailyCap, weeklyCap, monthlyCap, rollingCap, criticalDailyCap, "
        + "minimumInterval")
    #expect(
      message { $0[.rolling] = ["training": CapLimit(3, in: 1)] }
        == "typeRollingCaps of \"training\" does not count over 2 to 366 days; use a daily cap for a single day"
    )
    #expect(message { $0[ofBucket: .rolling] = 3 }?.hasPrefix("rollingCap does not count over") == true)
    #expect(message { $0[ofBucket: .monthly] = -1 }?.hasPrefix("monthlyCap is less than zero") == true)
  }

  @Test func `the check order contains every kind of cap on a type once`() {
    var kinds: [TypeCap] = []
    TypeCap.forEach { kinds.append($0) }
    #expect(kinds == TypeCap.allCases)
  }

  @Test func `registration and preferences are checked first unless the policy orders them`() throws {
    let usual = try CompiledCapPolicy(CapPolicy(), types: [])
    #expect(usual.checkOrder.prefix(4) == [.notRegistered, .userDisabled, .userDailyCap, .permission])
    var policy = CapPolicy()
    policy.checkOrder = [.dailyCap, .userDisabled]
    let other = try CompiledCapPolicy(policy, types: [])
    #expect(other.checkOrder == [.notRegistered, .userDailyCap, .dailyCap, .userDisabled])
    #expect(other.ordered([ReasonSet(.userDisabled), ReasonSet(.dailyCap)]) == [.dailyCap, .userDisabled])
  }

  @Test func `the person's preferences are checked before the caps`() throws {
    var policy = CapPolicy()
    policy.minimumInterval = .zero
    policy.typeDailyCap = nil
    var phone = try TestPhone(policy, at: "2026-01-10T10:00:00Z")
    let a = TypeID(0)
    phone.choose(.type(a, isOn: false))
    for bucket in Bucket.allCases { #expect(try phone.ask("a", bucket) == .denied(.userDisabled)) }
    #expect(try phone.ask("b") == .admitted)
    phone.choose(.dailyCap(1))
    #expect(try phone.ask("b") == .denied(.userDailyCap))
    #expect(try phone.ask("b", .user) == .admitted, "the own cap applies only to the standard bucket")
    phone.choose(.all(isOn: false))
    #expect(try phone.ask("b", .critical) == .denied(.userDisabled))
    phone.gateway.setRegistered(false, a)
    #expect(try phone.ask("a") == .denied(.notRegistered, .userDisabled, .userDailyCap))
    try phone.restart()
    #expect(
      try phone.ask("a") == .denied(.userDisabled, .userDailyCap), "registration is made at every launch")
    phone.happen(.reinstalled)
    #expect(try phone.ask("a") == .admitted, "a fresh install has fresh settings")
  }

  @Test func `a type that is missing from the policy is unregistered`() throws {
    var phone = try TestPhone(at: "2026-01-10T10:00:00Z")
    var request = try phone.request("a")
    request.type = TypeID(99)
    #expect(phone.settle([request]).decisions == [.denied(.notRegistered)])
  }

  @Test func `a floating reservation keeps its local time and day when the zone changes`() throws {
    var phone = try TestPhone(at: "2026-01-10T08:00:00Z")
    let nine = try Instant(iso8601: "2026-01-11T08:00:00Z")
    let floating = try phone.request("a", deliverAt: nine, isFloating: true)
    let fixed = try phone.request("b", deliverAt: nine + .hours(5))
    #expect(phone.settle([floating, fixed]).added == [floating, fixed])
    phone.now.zone = ZoneID(1)
    phone.happen(.zoneChanged)
    let pending = phone.gateway.state.pending
    #expect(pending.map(\.deliverAt.iso8601) == ["2026-01-11T13:00:00Z", "2026-01-11T14:00:00Z"])
    #expect(pending.map(\.deliverAt) == [fixed.deliverAt, fixed.deliverAt + .hours(1)].sorted())
    #expect(Set(pending.map(\.day)).count == 1)
  }

  @Test func `years of deliveries keep only the counts of the latest days`() throws {
    var phone = try TestPhone(at: "2026-01-01T08:00:00Z")
    for day in 0..<1_000 {
      for type in ["a", "b", "c", "d"] {
        _ = try phone.ask(type)
        phone.pass(.hours(4))
      }
      phone.pass(.hours(8))
      #expect(phone.gateway.state.dailyCounts.count <= 4, "day \(day)")
    }
    let counts = phone.gateway.state.dailyCounts
    #expect(counts.map(\.count) == [3, 3, 3, 3])
    #expect(counts.last?.day == CivilDate(year: 2028, month: 9, day: 26))
    #expect(phone.gateway.state.pending.isEmpty)
  }
}

@Suite struct TypeCapTests {
  @Test func `every kind of cap is checked once`() {
    var visited: [TypeCap] = []
    TypeCap.forEach { visited.append($0) }
    #expect(visited == TypeCap.allCases)
  }
}

import CivilTime
import NotificationGateway
import Testing
import TriggerModel

/// Tests caps by local calendar week. `ReferenceTests` compares them with a scheduler that keeps all
/// deliveries.
@Suite struct WeeklyCapTests {
  private func policy(_ caps: [String: Int], weekStart: Weekday = .monday) -> CapPolicy {
    var policy = CapPolicy()
    policy.typeWeeklyCaps = caps
    policy.weekStart = weekStart
    return policy
  }

  @Test(arguments: Weekday.allCases)
  func `a cap of five per week holds for every first day of the week`(_ start: Weekday) throws {
    var phone = try TestPhone(policy(["a": 5], weekStart: start), at: "2026-03-01T11:00:00Z")
    var inWeek = 0
    for day in 1...60 {
      let date = CivilDate(year: 2026, month: 3, day: 1) + (day - 1)
      if date.weekday == start { inWeek = 0 }
      let decision = try phone.ask("a")
      #expect(decision == (inWeek < 5 ? .admitted : .denied(.typeWeeklyCap)), "day \(day)")
      #expect(try phone.ask("b").reason != .typeWeeklyCap, "no cap of its own")
      if decision == .admitted { inWeek += 1 }
      phone.pass(.days(1))
    }
  }

  @Test func `a weekly cap of 0 allows no delivery, and counts only the standard bucket`() throws {
    var phone = try TestPhone(policy(["a": 0, "b": 1]), at: "2026-03-02T11:00:00Z")
    #expect(try phone.ask("a") == .denied(.typeWeeklyCap))
    for bucket in [Bucket.critical, .user] { #expect(try phone.ask("b", bucket) == .admitted) }
    #expect(try phone.ask("b") == .admitted)
    phone.pass(.days(1))
    #expect(try phone.ask("b") == .denied(.typeWeeklyCap))
    #expect(try phone.ask("b", .user) == .admitted)
  }

  @Test func `a reservation counts in its own week and releases its count`() throws {
    var phone = try TestPhone(policy(["a": 1]), at: "2026-03-06T11:00:00Z")
    #expect(try phone.ask("a", deliverAt: "2026-03-10T11:00:00Z") == .admitted)
    #expect(try phone.ask("a") == .admitted, "Friday is another week than Tuesday")
    #expect(try phone.ask("a", deliverAt: "2026-03-13T11:00:00Z") == .denied(.typeWeeklyCap))
    phone.happen(.cancelAll)
    #expect(try phone.ask("a", deliverAt: "2026-03-13T11:00:00Z") == .admitted)
  }

  @Test func `travel that repeats a date keeps the count of the week`() throws {
    var policy = policy(["a": 2])
    policy.quietHours = nil
    // It is 07:30 in Kathmandu, where Monday begins while it is still Sunday in New York.
    var phone = try TestPhone(policy, at: "2026-02-27T02:00:00Z")
    phone.now.zone = ZoneID(3)
    for _ in 0..<2 {
      #expect(try phone.ask("a") == .admitted)
      phone.pass(.days(1))
    }
    phone.pass(.days(1))
    #expect(try phone.ask("a") == .admitted, "Monday in Kathmandu")
    phone.now.zone = ZoneID(1)
    #expect(try phone.ask("a").blockers.contains(.typeWeeklyCap), "Sunday in New York")
  }

  @Test func `only the days that a week needs are kept`() throws {
    for (caps, kept) in [([:], 4), (["a": 100], 10)] {
      var phone = try TestPhone(policy(caps), at: "2026-01-01T11:00:00Z")
      for day in 0..<50 {
        #expect(try phone.ask("a") == .admitted)
        phone.pass(.days(1))
        #expect(phone.gateway.state.dailyCounts.count == min(day + 1, kept), "day \(day)")
      }
    }
  }

  @Test func `a reservation that is pending at a reinstall is not counted`() throws {
    var policy = CapPolicy()
    policy.lifetimeCap = ["a": 2]
    policy.keptThroughReinstall = ["a"]
    var phone = try TestPhone(policy, at: "2026-01-10T10:00:00Z")
    #expect(try phone.ask("a") == .admitted)
    let tomorrow = phone.now.wall + .days(1)
    _ = phone.settle([try phone.request("a", .standard, deliverAt: tomorrow)])
    #expect(phone.gateway.state.pending.count == 1)
    phone.happen(.reinstalled)
    phone.pass(.days(2))
    #expect(try phone.ask("a") == .admitted, "the second to be shown")
    phone.pass(.days(1))
    #expect(try phone.ask("a") == .denied(.lifetimeCap))
  }

  @Test func `a reinstall keeps the lifetime counts of the listed types, or of all`() throws {
    for (kept, all, outcome) in [
      ([], false, [true, true]), (["b"], false, [true, false]), (["b"], true, [false, false]),
    ] {
      var policy = CapPolicy()
      policy.lifetimeCap = ["a": 1, "b": 1]
      policy.minimumInterval = .zero
      policy.keptThroughReinstall = kept
      policy.lifetimeSurvivesReinstall = all
      var phone = try TestPhone(policy, at: "2026-01-10T10:00:00Z")
      for type in ["a", "b"] { #expect(try phone.ask(type) == .admitted) }
      phone.happen(.reinstalled)
      let decisions = try ["a", "b"].map { try phone.ask($0) }
      #expect(decisions == outcome.map { $0 ? .admitted : .denied(.lifetimeCap) }, "\(kept) \(all)")
    }
  }
}

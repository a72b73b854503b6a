import CivilTime
import TestSupport
import Testing
import TriggerModel

@testable import NotificationGateway

/// Tests preferences that change while requests are pending. `PolicyTests` covers denials.
@Suite struct PreferenceTests {
  private static let a = TypeID(0)

  @Test func `disabling a type cancels its pending and deferred requests and releases their counts`() throws {
    var policy = CapPolicy()
    policy.lifetimeCap = ["a": 2]
    var phone = try TestPhone(policy, at: "2026-01-10T21:30:00Z")
    let pending = try phone.request("a", deliverAt: Instant(iso8601: "2026-01-11T10:00:00Z"))
    let held = try phone.request("a", .user)
    let other = try phone.request("b", .user)
    _ = phone.settle([pending, held, other])
    let before = phone.gateway.state

    let effects = phone.choose(.type(Self.a, isOn: false))
    #expect(
      effects == [.dropped(held, .userDisabled), .remove(pending.id, .userDisabled), .persist])
    #expect(phone.gateway.state.deferred.map(\.request.id) == [other.id])
    #expect(phone.gateway.state.types[0].lifetime == 0 && phone.gateway.state.dailyCounts.isEmpty)
    #expect(phone.choose(.type(Self.a, isOn: false)) == [.persist], "nothing is left to cancel")

    #expect(phone.choose(.type(Self.a, isOn: true)) == [.persist])
    #expect(phone.gateway.state.pending.isEmpty, "enabling a type restores nothing")
    #expect(phone.gateway.state.preferences == before.preferences)
    try phone.wait(until: "2026-01-11T09:30:00Z")
    #expect(phone.settle().addedTypes == ["b"])
    #expect(try phone.ask("a") == .admitted)
  }

  @Test func `disabling everything cancels every bucket, and a lower daily cap cancels nothing`() throws {
    var policy = CapPolicy()
    policy.minimumInterval = .zero
    var phone = try TestPhone(policy, at: "2026-01-10T10:00:00Z")
    for (type, bucket) in zip(["a", "b", "c"], Bucket.allCases) {
      #expect(try phone.ask(type, bucket, deliverAt: "2026-01-10T15:00:00Z") == .admitted)
    }
    #expect(phone.choose(.dailyCap(0)).removed.isEmpty)
    #expect(try phone.ask("d") == .denied(.userDailyCap))
    #expect(phone.choose(.all(isOn: false)).removed.count == 3)
    #expect(phone.gateway.state.pending.isEmpty && phone.gateway.state.dailyCounts.isEmpty)
    phone.choose(.all(isOn: true))
    phone.choose(.dailyCap(nil))
    #expect(try phone.ask("d") == .admitted)
  }

  @Test func `an undecided request of a disabled type is denied, not dropped`() throws {
    var phone = try TestPhone(at: "2026-01-10T10:00:00Z")
    phone.gateway.submit(try phone.request("a"))
    #expect(phone.choose(.type(Self.a, isOn: false)) == [.persist])
    #expect(phone.settle().decisions == [.denied(.userDisabled)])
  }

  @Test func `preferences survive a restart but not a reinstall, and can be set without an event`() throws {
    var phone = try TestPhone(at: "2026-01-10T10:00:00Z")
    var effects: [EngineEffect] = []
    phone.gateway.change(.type(Self.a, isOn: false), at: phone.now, into: &effects)
    #expect(effects == [.persist])
    try phone.restart()
    #expect(try phone.ask("a") == .denied(.userDisabled))
    phone.happen(.reinstalled)
    #expect(phone.gateway.preferences == NotificationPreferences())
  }
}

/// Compares the bit set with the standard library's set.
@Suite struct TypeSetTests {
  @Test func `a type set lists its members in order`() {
    var random = SplitMix64(seed: 7)
    for round in 0..<200 {
      // These types include the first and last bits of words.
      let types =
        round % 2 == 0 ? [0, 1, 62, 63, 64, 65, 127, 128, 191, 192] : (0..<40).map { _ in random.below(300) }
      var (set, expected) = (TypeSet(), Set<Int>())
      for _ in 0..<random.below(60) {
        let type = types[random.below(types.count)]
        if random.below(3) > 0 {
          set.insert(TypeID(type))
          expected.insert(type)
        } else {
          set.remove(TypeID(type))
          expected.remove(type)
        }
      }
      var found: [Int] = []
      set.forEach { found.append($0.index) }
      #expect(found == expected.sorted(), "round \(round)")
      #expect(set.isEmpty == expected.isEmpty, "round \(round)")
      #expect((0..<320).filter { set.contains(TypeID($0)) } == expected.sorted(), "round \(round)")
      // Equal sets must be equal whatever the order of insertion.
      var other = TypeSet()
      for type in expected.sorted(by: >) { other.insert(TypeID(type)) }
      #expect(set == other, "round \(round)")
    }
  }
}

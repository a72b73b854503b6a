import CivilTime
import NotificationGateway
import Testing
import TriggerModel

/// What the person switches off and on while things are pending. What is then denied is in `PolicyTests`.
@Suite struct PreferenceTests {
  private static let a = TypeID(0)

  @Test("switching a type off takes back what is pending and held of it, and gives back what it took")
  func typeOff() throws {
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
    #expect(phone.gateway.state.held.map(\.request.id) == [other.id])
    #expect(phone.gateway.state.types[0].lifetime == 0 && phone.gateway.state.dailyCounts.isEmpty)
    #expect(phone.choose(.type(Self.a, isOn: false)) == [.persist], "again: nothing is left to take back")

    #expect(phone.choose(.type(Self.a, isOn: true)) == [.persist])
    #expect(phone.gateway.state.pending.isEmpty, "switching on brings nothing back")
    #expect(phone.gateway.state.preferences == before.preferences)
    try phone.wait(until: "2026-01-11T09:30:00Z")
    #expect(phone.settle().addedTypes == ["b"])
    #expect(try phone.ask("a") == .admitted)
  }

  @Test("switching everything off takes back every bucket; a lower daily cap recalls nothing")
  func allOff() throws {
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

  @Test("a request of the same instant is denied, not dropped")
  func sameInstant() throws {
    var phone = try TestPhone(at: "2026-01-10T10:00:00Z")
    phone.gateway.submit(try phone.request("a"))
    #expect(phone.choose(.type(Self.a, isOn: false)) == [.persist])
    #expect(phone.settle().decisions == [.denied(.userDisabled)])
  }

  @Test("choices survive a restart and not a reinstall, and the app can say them without an event")
  func survival() throws {
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

import CivilTime
import ReminderMatching
import Testing
import TriggerModel

/// Tests occurrences that are requested in advance and whose conditions depend on facts that change or become
/// known later.
@Suite struct ForesightTests {
  /// Returns a reminder at 11:00 on the second and third day after `since`, on the condition that `score` is
  /// low.
  private func reminder(ahead: Int) -> ReminderDeclaration {
    let start = CivilDate(year: 2026, month: 3, day: 1)
    let daily = Schedule(
      Recurrence(start: start, minute: 660, frequency: .daily, interval: 1), ahead: ahead)
    return ReminderDeclaration(
      "r", .scheduled(daily),
      if: [
        .fact(FactCondition(.days(since: "since"), .equal, [2, 3].map { .number(thousandths: $0 * 1_000) })),
        .fact(FactCondition(.value("score"), .less, [.number(thousandths: 40_000)])),
      ])
  }

  private let monday = FactValue.instant(EngineHarness.instant("2026-03-02 12:00")).bits

  @Test func `a fact that is observed late has the same effect as a known one`() throws {
    for ahead in 1...5 {
      var early = try EngineHarness([reminder(ahead: ahead)], at: "2026-03-02 12:05")
      early.tell(.factFound, 2, value: monday)
      early.tell(.factFound, 0, value: 1_000)
      early.tell(.launched)
      let wanted = early.requests.map(\.deliverAt)
      #expect(wanted.count == min(2, max(0, ahead - 1)), "ahead \(ahead)")

      var late = try EngineHarness([reminder(ahead: ahead)], at: "2026-03-02 12:00")
      #expect(late.tell(.launched).isEmpty)
      late.at("2026-03-02 12:05")
      #expect(late.tell(.factChanged, 2, value: monday).isEmpty, "the other is not known yet")
      late.tell(.factChanged, 0, value: 1_000)
      #expect(late.requests.map(\.deliverAt) == wanted, "ahead \(ahead)")
    }
  }

  @Test func `a pending request is not made twice`() throws {
    var phone = try EngineHarness([reminder(ahead: 5)], at: "2026-03-02 12:05")
    phone.tell(.factFound, 2, value: monday)
    phone.tell(.factFound, 0, value: 1_000)
    #expect(phone.tell(.launched) == ["r", "r"])
    #expect(phone.tell(.factChanged, 0, value: 2_000).isEmpty)
    #expect(!phone.effects.contains { if case .remove = $0 { true } else { false } })
    #expect(phone.tell(.factChanged, 1, value: 3_000).isEmpty, "a fact that it does not name")
  }

  @Test func `pending requests are withdrawn while their condition fails`() throws {
    var phone = try EngineHarness([reminder(ahead: 5)], at: "2026-03-02 12:05")
    phone.tell(.factFound, 2, value: monday)
    phone.tell(.factFound, 0, value: 1_000)
    #expect(phone.tell(.launched) == ["r", "r"])
    #expect(phone.tell(.factChanged, 0, value: 50_000).isEmpty)
    #expect(phone.effects.count { if case .remove(_, .cancelled) = $0 { true } else { false } } == 2)
    #expect(phone.tell(.factChanged, 0, value: 3_000) == ["r", "r"])
  }

  @Test func `a denied request is not made again`() throws {
    var phone = try EngineHarness([reminder(ahead: 5)], at: "2026-03-02 12:05")
    phone.tell(.factFound, 2, value: monday)
    phone.tell(.factFound, 0, value: 1_000)
    phone.tell(.launched)
    for request in phone.requests { phone.decide(request, .deny) }
    #expect(phone.tell(.factChanged, 0, value: 2_000).isEmpty)
  }
}

import CivilTime
import ReminderEngine
import ReminderMatching
import Testing
import TriggerModel

/// Tests requests whose bucket depends on facts.
@Suite struct CriticalTests {
  private func low(_ name: String, _ constant: Int64) -> FactCondition {
    FactCondition(.value(name), .less, [.number(thousandths: constant)])
  }

  private func phone(_ trigger: Trigger, _ conditions: [FactCondition]) throws -> EngineHarness {
    var declaration = ReminderDeclaration("r", trigger)
    declaration.notification.criticalConditions = conditions
    return try EngineHarness([declaration], at: "2026-03-02 07:00")
  }

  @Test func `a request is critical if all critical conditions hold at the match`() throws {
    let isPlanned = FactCondition(.value("goal"), .equal, [.truth(true)])
    for (score, planned, bucket) in [
      (39_990, true, .critical), (40_000, true, .standard), (39_990, false, .standard),
      (nil, true, .standard),
    ] as [(Int64?, Bool, Bucket)] {
      var phone = try phone(.unlock, [low("score", 40_000), isPlanned])
      if let score { phone.tell(.factChanged, 0, value: score) }
      phone.tell(.factChanged, 1, value: FactValue.truth(planned).bits)
      phone.tell(.unlock)
      #expect(phone.requests.map(\.bucket) == [bucket], "\(score ?? -1), \(planned)")
      #expect(
        phone.explain(0)?.criticalConditions.map(\.holds) == [
          bucket == .critical || score == 39_990, planned,
        ])
      #expect(phone.engine.request(of: ReminderID(0), at: phone.moment).bucket == bucket)
    }
  }

  @Test func `without critical conditions, the declaration determines the bucket`() throws {
    var phone = try phone(.unlock, [])
    phone.tell(.unlock)
    #expect(phone.requests.map(\.bucket) == [.standard])
  }

  @Test func `the bucket of a request made in advance depends on its due time`() throws {
    let start = CivilDate(year: 2026, month: 3, day: 1)
    let daily = Schedule(
      Recurrence(start: start, minute: 540, frequency: .daily, interval: 1), ahead: 2)
    let fresh = FactCondition(.age("score"), .less, [.number(thousandths: 12 * 3_600_000)])
    var phone = try phone(.scheduled(daily), [fresh])
    phone.tell(.factFound, 0, value: 1)
    phone.tell(.launched)
    #expect(phone.requests.map(\.bucket) == [.critical, .standard], "tomorrow the value will be too old")
  }

  @Test func `a critical condition on an unknown fact is rejected`() {
    #expect(throws: ReminderCompileError.self) { try phone(.unlock, [low("nothing", 1)]) }
  }
}

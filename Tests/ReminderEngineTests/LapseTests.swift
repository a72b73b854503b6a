import CivilTime
import ReminderEngine
import ReminderMatching
import Testing
import TriggerModel

/// Tests requests for the time in which the app stays closed, and the events that withdraw them.
@Suite struct LapseTests {
  private func engagement(if conditions: [Condition] = []) -> ReminderDeclaration {
    var declaration = ReminderDeclaration(
      "e", .lapsed(Lapse(days: [3, 5, 7], minute: 18 * 60)), if: conditions)
    declaration.notification.copy = ["three", "five", "seven"].map { .init(title: $0) }
    return declaration
  }

  private func requests(_ phone: EngineHarness) -> [NotificationRequest] {
    phone.effects.compactMap { if case .request(let request) = $0 { request } else { nil } }
  }

  @Test func `every stage is requested at the first launch`() throws {
    var phone = try EngineHarness([engagement()], at: "2026-03-02 07:00")
    phone.tell(.launched)
    let planned = requests(phone)
    #expect(
      planned.map(\.deliverAt)
        == ["2026-03-05 18:00", "2026-03-07 18:00", "2026-03-09 18:00"].map(EngineHarness.instant))
    #expect(planned.map(\.copy) == [0, 1, 2], "each stage shows its own text")
    #expect(planned.allSatisfy { $0.isFloating })
    #expect(phone.tell(.launched).isEmpty, "another start of the process is no opening")
    #expect(phone.tell(.unlock).isEmpty && phone.tell(.delivered).isEmpty)
  }

  @Test func `opening the app withdraws the stages and plans a new lapse`() throws {
    var phone = try EngineHarness([engagement()], at: "2026-03-02 07:00")
    phone.tell(.launched)
    phone.at("2026-03-06 23:30")
    phone.tell(.opened)
    #expect(phone.effects.first == .withdraw(ReminderID(0 as UInt32), .superseded))
    let planned = requests(phone)
    #expect(
      planned.map(\.deliverAt)
        == ["2026-03-09 18:00", "2026-03-11 18:00", "2026-03-13 18:00"].map(EngineHarness.instant),
      "days are dates crossed, not 24 hours")
    #expect(planned.map(\.copy) == [0, 1, 2], "a new lapse begins with the first text")
    #expect(Set(planned.map(\.id)).count == 3)
  }

  @Test(arguments: [Repeat.always, .daily])
  func `a stage that a journey moves past the expiry is withdrawn`(repeats: Repeat) throws {
    var declaration = engagement()
    declaration.repeats = repeats
    declaration.expires = EngineHarness.instant("2026-03-07 19:00")
    var phone = try EngineHarness([declaration], zones: ["UTC", "America/New_York"], at: "2026-03-02 07:00")
    phone.tell(.launched)
    let planned = requests(phone)
    #expect(planned.map(\.deliverAt) == ["2026-03-05 18:00", "2026-03-07 18:00"].map(EngineHarness.instant))
    phone.at("2026-03-03 07:00")
    phone.moment.zone = ZoneID(1)
    phone.tell(.zoneChanged)
    #expect(phone.effects.contains(.remove(planned[1].id, .expiredAtRelease)), "18:00 there is 23:00 UTC")
    #expect(!phone.effects.contains(.remove(planned[0].id, .expiredAtRelease)))
  }

  @Test func `conditions are evaluated for the instant of the stage`() throws {
    let weekdays = Condition.weekdays(.weekdays)
    var phone = try EngineHarness([engagement(if: [weekdays])], at: "2026-03-02 07:00", explainsMisses: true)
    phone.tell(.opened)
    #expect(
      requests(phone).map(\.deliverAt)
        == ["2026-03-05 18:00", "2026-03-09 18:00"].map(EngineHarness.instant),
      "7 March is a Saturday")
    #expect(requests(phone).map(\.copy) == [0, 2])
  }

  @Test func `a cancelled or expired reminder plans no stages`() throws {
    var phone = try EngineHarness([engagement()], at: "2026-03-02 07:00")
    phone.tell(.launched)
    phone.tell(.cancel)
    #expect(phone.tell(.opened).isEmpty)

    var short = engagement()
    short.expires = EngineHarness.instant("2026-03-07 18:00")
    phone = try EngineHarness([short], at: "2026-03-02 07:00")
    #expect(phone.tell(.opened) == ["e"])
  }

  @Test func `a copy plans independently of the original`() throws {
    var phone = try EngineHarness([engagement()], at: "2026-03-02 07:00")
    var copy = phone
    phone.tell(.launched)
    #expect(copy.tell(.launched) == ["e", "e", "e"])
  }

  @Test func `a reminder with both a schedule and a lapse is rejected`() {
    let start = CivilDate(year: 2026, month: 3, day: 1)
    let daily = Schedule(Recurrence(start: start, minute: 540, frequency: .daily, interval: 1))
    #expect(throws: ReminderCompileError.self) {
      _ = try EngineHarness(
        [ReminderDeclaration("r", .scheduled(daily), .lapsed(Lapse(days: [3], minute: 0)))],
        at: "2026-03-02 07:00")
    }
  }

  @Test func `a request is withdrawn immediately when a withdrawal condition holds`() throws {
    var reminder = ReminderDeclaration("r", .unlock)
    reminder.withdrawals = [
      FactCondition(.value("score"), .greaterOrEqual, [.number(thousandths: 80_000)]),
      FactCondition(.ratio("score", "goal"), .equal, [.number(thousandths: 1_000)]),
    ]
    let taken = EngineEffect.withdraw(ReminderID(0 as UInt32), .cancelled)
    var phone = try EngineHarness([reminder], at: "2026-03-02 07:00")
    phone.tell(.factChanged, 0, value: 79_999)
    #expect(!phone.effects.contains(taken), "it still has its reason")
    phone.tell(.factChanged, 2, value: 80_000)
    #expect(!phone.effects.contains(taken), "a fact that it does not name")
    phone.tell(.factChanged, 0, value: 80_000)
    #expect(phone.effects.contains(taken))
    phone.tell(.factChanged, 0, value: 50_000)
    #expect(!phone.effects.contains(taken))
    phone.tell(.factChanged, 1, value: 50_000)
    #expect(phone.effects.contains(taken), "either of the two ends it")
    phone.tell(.factChanged, 0, value: FactValue.missing.bits)
    #expect(!phone.effects.contains(taken), "what is not known ends nothing")
  }
}

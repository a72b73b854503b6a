import CivilTime
import ReminderEngine
import ReminderMatching
import Testing
import TriggerModel

@Suite struct ScheduleTests {
  private func daily(_ minute: Int, ahead: Int = 0) -> Trigger {
    .scheduled(
      Schedule(
        Recurrence(
          start: CivilDate(year: 2026, month: 3, day: 1), minute: minute, frequency: .daily, interval: 1),
        ahead: ahead))
  }

  @Test func asksToBeWokenAndLooksThen() throws {
    var phone = try EngineHarness(
      [ReminderDeclaration("r", daily(540), if: [.charging(true)])], at: "2026-03-02 07:00")
    phone.tell(.launched)
    #expect(phone.wakes == [EngineHarness.instant("2026-03-02 09:00")])
    #expect(phone.tell(.woken).isEmpty, "nothing is due")
    phone.at("2026-03-02 09:00")
    #expect(phone.tell(.woken).isEmpty, "not charging")
    #expect(phone.wakes == [EngineHarness.instant("2026-03-03 09:00")])
    phone.tell(.chargingStarted)
    phone.at("2026-03-03 09:00")
    #expect(phone.tell(.woken) == ["r"])
  }

  @Test func occurrencesFollowTheZone() throws {
    var phone = try EngineHarness(
      [ReminderDeclaration("r", daily(540))], zones: ["Europe/Berlin", "America/New_York"],
      at: "2026-03-02 07:00")
    phone.tell(.launched)
    #expect(phone.wakes == [EngineHarness.instant("2026-03-02 08:00")])
    phone.moment.zone = ZoneID(1)
    phone.tell(.zoneChanged)
    #expect(phone.wakes == [EngineHarness.instant("2026-03-02 14:00")])
  }

  @Test func handsOccurrencesOverBeforehand() throws {
    var phone = try EngineHarness([ReminderDeclaration("r", daily(540, ahead: 3))], at: "2026-03-02 07:00")
    #expect(phone.tell(.launched).count == 3)
    #expect(
      phone.requests.map(\.deliverAt) == [2, 3, 4].map { EngineHarness.instant("2026-03-0\($0) 09:00") })
    #expect(phone.requests.map(\.isFloating) == [true, true, true])
    #expect(phone.tell(.launched).isEmpty, "they are ahead already")
    phone.at("2026-03-02 09:00")
    #expect(phone.tell(.delivered).count == 1)
    #expect(phone.requests.map(\.deliverAt) == [EngineHarness.instant("2026-03-05 09:00")])
    #expect(phone.requests.map(\.id.occurrence) == [3])
  }

  @Test func conditionsOfAHandedOverOccurrenceAreThoseOfItsInstant() throws {
    var phone = try EngineHarness(
      [ReminderDeclaration("r", daily(540, ahead: 7), if: [.weekdays(.weekend)])], at: "2026-03-02 07:00")
    phone.tell(.launched)
    #expect(phone.requests.map(\.deliverAt) == [7, 8].map { EngineHarness.instant("2026-03-0\($0) 09:00") })
    let totals = phone.engine.totals
    #expect((totals.triggered, totals.matched, totals.failed) == (7, 2, 5))
  }

  @Test func whatWasHandedOverKeepsItsLocalTimeInAnotherZone() throws {
    var phone = try EngineHarness(
      [ReminderDeclaration("r", daily(540, ahead: 2))], zones: ["UTC", "Asia/Tokyo"], at: "2026-03-02 07:00")
    phone.tell(.launched)
    phone.moment.zone = ZoneID(1)
    phone.tell(.zoneChanged)
    #expect(phone.requests.map(\.deliverAt) == [EngineHarness.instant("2026-03-04 00:00")])
    #expect(!phone.effects.contains(.withdraw(ReminderID(0), .superseded)))
    phone.at("2026-03-03 00:00")
    phone.tell(.opened)
    #expect(phone.requests.map(\.deliverAt) == [EngineHarness.instant("2026-03-05 00:00")])
  }

  @Test func aOnceScheduleIsHandedOverOnce() throws {
    var phone = try EngineHarness(
      [ReminderDeclaration("r", daily(540, ahead: 3), repeats: .once)], at: "2026-03-02 07:00")
    #expect(phone.tell(.launched).count == 1)
    phone.at("2026-03-05 07:00")
    #expect(phone.tell(.launched).isEmpty)
  }

  @Test func cancelledSchedulesTakeTheirWishBack() throws {
    var phone = try EngineHarness([ReminderDeclaration("r", daily(540))], at: "2026-03-02 07:00")
    phone.tell(.launched)
    phone.tell(.cancel)
    #expect(phone.wakes == [.distantFuture])
    phone.at("2026-03-02 09:00")
    #expect(phone.tell(.woken).isEmpty)
    phone.tell(.launched)
    #expect(phone.wakes.isEmpty)
  }
}

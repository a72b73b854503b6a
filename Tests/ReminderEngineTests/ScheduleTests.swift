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

  @Test func `a schedule requests a wake-up, at which it is evaluated`() throws {
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

  /// Tests occurrences that are requested in advance, and wake-ups. If the clock were set back by more than a
  /// day, the days would repeat.
  @Test(arguments: [0, 3]) func `after the clock is set back by at most a day, nothing is due twice`(
    ahead: Int
  ) throws {
    for minute in stride(from: 0, to: 1_440, by: 97) {
      var phone = try EngineHarness(
        [ReminderDeclaration("r", daily(minute, ahead: ahead))], at: "2026-03-02 07:00")
      var due: [Instant] = []
      func tell(_ kind: ObservedEvent.Kind) {
        phone.tell(kind)
        due += phone.requests.map(\.scheduledFor)
      }
      tell(.launched)
      let start = phone.moment.wall
      for hour in 1...240 {
        phone.moment.wall = phone.moment.wall + .hours(1)
        // At the end of every second day, the clock is set back by 1 to 23 hours.
        let back = hour % 48 == 0 ? (hour / 48 * 7 + minute) % 23 + 1 : 0
        tell(.woken)
        if back == 0 { continue }
        phone.moment.wall = phone.moment.wall - .hours(Int64(back))
        tell(.clockChanged)
        if hour % 96 == 0 {
          try phone.restart()
          tell(.launched)
        }
      }
      #expect(Set(due).count == due.count, "minute \(minute)")
      let days = due.filter { $0 <= phone.moment.wall }.count
      let all = (0...20).map {
        EngineHarness.instant("2026-03-02 00:00") + .days(Int64($0)) + .minutes(Int64(minute))
      }
      #expect(days == all.filter { $0 > start && $0 <= phone.moment.wall }.count, "minute \(minute)")
    }
  }

  @Test func `setting the clock back by days makes no served occurrence due again`() throws {
    var phone = try EngineHarness([ReminderDeclaration("r", daily(540))], at: "2026-03-02 07:00")
    phone.tell(.launched)
    for day in 2...6 {
      phone.at("2026-03-0\(day) 09:00")
      #expect(phone.tell(.woken) == ["r"])
    }
    phone.at("2026-03-03 10:00")
    phone.tell(.clockChanged)
    #expect(phone.wakes == [EngineHarness.instant("2026-03-07 09:00")])
    phone.at("2026-02-20 10:00")
    phone.tell(.clockChanged)
    #expect(phone.wakes == [EngineHarness.instant("2026-03-01 09:00")], "the first occurrence was not served")
  }

  @Test func `occurrences follow the zone`() throws {
    var phone = try EngineHarness(
      [ReminderDeclaration("r", daily(540))], zones: ["Europe/Berlin", "America/New_York"],
      at: "2026-03-02 07:00")
    phone.tell(.launched)
    #expect(phone.wakes == [EngineHarness.instant("2026-03-02 08:00")])
    phone.moment.zone = ZoneID(1)
    phone.tell(.zoneChanged)
    #expect(phone.wakes == [EngineHarness.instant("2026-03-02 14:00")])
  }

  @Test func `occurrences are requested in advance`() throws {
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

  @Test func `conditions of an occurrence requested in advance are evaluated for its instant`() throws {
    var phone = try EngineHarness(
      [ReminderDeclaration("r", daily(540, ahead: 7), if: [.weekdays(.weekend)])], at: "2026-03-02 07:00")
    phone.tell(.launched)
    #expect(phone.requests.map(\.deliverAt) == [7, 8].map { EngineHarness.instant("2026-03-0\($0) 09:00") })
    let totals = phone.engine.totals
    #expect((totals.triggered, totals.matched, totals.failed) == (7, 2, 5))
  }

  @Test func `an occurrence requested in advance keeps its local time in another zone`() throws {
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

  @Test func `a schedule that fires once is requested once`() throws {
    var phone = try EngineHarness(
      [ReminderDeclaration("r", daily(540, ahead: 3), repeats: .once)], at: "2026-03-02 07:00")
    #expect(phone.tell(.launched).count == 1)
    phone.at("2026-03-05 07:00")
    #expect(phone.tell(.launched).isEmpty)
  }

  @Test func `a cancelled schedule cancels its wake-up`() throws {
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

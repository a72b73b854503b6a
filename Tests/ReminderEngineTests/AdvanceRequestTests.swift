import CivilTime
import ReminderMatching
import Testing
import TriggerModel

/// Tests occurrences whose requests were made in advance. 2026-03-02 is a Monday.
@Suite struct AdvanceRequestTests {
  private func daily(ahead: Int) -> Trigger {
    .scheduled(
      Schedule(
        Recurrence(
          start: CivilDate(year: 2026, month: 3, day: 1), minute: 540, frequency: .daily, interval: 1),
        ahead: ahead))
  }

  private func phone(
    ahead: Int, if conditions: [Condition] = [], repeats: Repeat = .always, zones: [String] = ["UTC"]
  ) throws -> EngineHarness {
    var phone = try EngineHarness(
      [ReminderDeclaration("r", daily(ahead: ahead), if: conditions, repeats: repeats)], zones: zones,
      at: "2026-03-02 07:00")
    phone.tell(.launched)
    return phone
  }

  private func nine(_ days: Int...) -> [Instant] {
    days.map { EngineHarness.instant("2026-03-\($0 < 10 ? "0" : "")\($0) 09:00") }
  }

  @Test func `a repeating request that was never shown is not snoozed after a journey`() throws {
    let recurrence = Recurrence(
      start: CivilDate(year: 2026, month: 3, day: 2), minute: 18 * 60, frequency: .daily, interval: 1)
    let daily = ReminderDeclaration("r", .repeating(.calendar(recurrence)))
    var phone = try EngineHarness([daily], zones: ["UTC", "Asia/Tokyo"], at: "2026-03-02 07:00")
    phone.tell(.launched)
    phone.at("2026-03-02 12:00")
    // It is 21:00 in the new zone, so the first occurrence is tomorrow.
    phone.moment.zone = ZoneID(1)
    phone.tell(.zoneChanged)
    phone.at("2026-03-02 13:00")
    let end = EngineHarness.instant("2026-03-02 14:00").millisecondsSince1970
    #expect(phone.tell(.snooze, value: end).isEmpty)
    phone.tell(.delivered, of: RequestID(reminder: ReminderID(0 as UInt32), occurrence: 0))
    phone.at("2026-03-03 13:00")
    #expect(phone.tell(.snooze, value: end + 86_400_000) == ["r"])
  }

  @Test func `a schedule continues after occurrences whose conditions fail`() throws {
    var phone = try phone(ahead: 1, if: [.weekdays(WeekdaySet(.tuesday))])
    var asked: [Instant] = []
    for day in 2...16 {
      #expect(asked.last == nine(day).first || phone.wakes == nine(day), "day \(day)")
      let isDue = asked.last == nine(day).first
      phone.at("2026-03-\(day < 10 ? "0" : "")\(day) 09:00")
      phone.tell(isDue ? .delivered : .woken)
      asked += phone.requests.map(\.deliverAt)
    }
    #expect(asked == nine(3, 10, 17))
  }

  @Test func `a denied or refused request does not end the schedule`() throws {
    for kind in [nil, .addFailed, .pendingDropped] as [ObservedEvent.Kind?] {
      var phone = try phone(ahead: 2)
      let requests = phone.requests
      for request in requests {
        if let kind { phone.tell(kind, of: request.id) } else { phone.lose(request.id) }
        #expect(phone.requests.isEmpty)
      }
      #expect(phone.wakes == nine(3))
      phone.at("2026-03-03 09:00")
      phone.tell(.woken)
      #expect(phone.requests.map(\.deliverAt) == nine(4, 5))
      #expect(phone.wakes == [.distantFuture], "something is pending again")
    }
  }

  @Test func `after the loss of a request at its release, the next one is made immediately`() throws {
    var phone = try phone(ahead: 1)
    let request = phone.requests[0]
    phone.at("2026-03-02 10:00")
    phone.lose(request.id)
    #expect(phone.wakes == [phone.moment.wall])
    phone.tell(.woken)
    #expect(phone.requests.map(\.deliverAt) == nine(3))
  }

  @Test(arguments: [Repeat.always, .daily, .weekly, .monthly, .once])
  func `granting the permission again restores the pending requests`(repeats: Repeat) throws {
    var phone = try phone(ahead: 2, repeats: repeats)
    let before = phone.requests.map(\.deliverAt)
    phone.tell(.permissionChanged, value: Int64(NotificationPermission.denied.rawValue))
    #expect(phone.requests.isEmpty)
    phone.tell(.permissionChanged, value: Int64(NotificationPermission.authorized.rawValue))
    #expect(phone.requests.map(\.deliverAt) == before)
    #expect(phone.requests.first?.id.occurrence == UInt32(before.count), "a number is used once")
  }

  @Test func `when the app is opened, it finds deliveries that it did not observe`() throws {
    var phone = try phone(ahead: 2)
    phone.at("2026-03-10 10:00")
    phone.tell(.opened)
    #expect(phone.requests.map(\.deliverAt) == nine(11, 12))
  }

  @Test func `the repeat limit applies to occurrences requested in advance`() throws {
    for (repeats, expected) in [(.weekly, nine(2, 9)), (.monthly, nine(2)), (.once, nine(2))]
      as [(Repeat, [Instant])]
    {
      #expect(try phone(ahead: 14, repeats: repeats).requests.map(\.deliverAt) == expected, "\(repeats)")
    }
    #expect(try phone(ahead: 14, repeats: .daily).requests.count == 14)
  }

  @Test(arguments: [Repeat.weekly, .once])
  func `a period stays used after a change of zone`(repeats: Repeat) throws {
    var phone = try phone(ahead: 2, repeats: repeats, zones: ["UTC", "Asia/Tokyo"])
    phone.moment.zone = ZoneID(1)
    phone.tell(.zoneChanged)
    #expect(phone.requests.isEmpty, "it keeps its local time there")
  }

  @Test func `a snooze defers the delivered occurrence and those before its end`() throws {
    var phone = try phone(ahead: 3)
    let ids = phone.requests.map(\.id)
    phone.at("2026-03-02 09:10")
    phone.tell(.delivered, 0, value: Int64(ids[0].occurrence))
    let until = EngineHarness.instant("2026-03-03 12:00")
    phone.tell(.snooze, 0, value: until.millisecondsSince1970)
    let removed = phone.effects.compactMap { effect -> RequestID? in
      guard case .remove(let id, .superseded) = effect else { return nil }
      return id
    }
    #expect(Set(removed) == [ids[0], ids[1]], "that of the 4th stays")
    #expect(phone.requests.map(\.deliverAt) == [until])
    #expect(phone.requests.map(\.id.occurrence) == [4])
    #expect(phone.wakes == [until])
    phone.at("2026-03-03 12:00")
    phone.tell(.woken)
    #expect(phone.requests.map(\.deliverAt) == nine(6))
  }

  @Test func `cancelling everything does not end the schedule`() throws {
    var phone = try phone(ahead: 2)
    for _ in 0..<2 {
      phone.tell(.cancelAll)
      #expect(phone.requests.isEmpty, "nothing takes the place of what was taken back")
      #expect(phone.wakes == nine(3))
    }
    var woken = phone
    woken.at("2026-03-03 09:00")
    woken.tell(.woken)
    #expect(woken.requests.map(\.deliverAt) == nine(4, 5))
    phone.tell(.opened)
    #expect(phone.requests.map(\.deliverAt) == nine(2, 3), "it comes back at the next opening")
  }

  @Test func `a new installation does not reuse the numbers of requests`() throws {
    var phone = try phone(ahead: 2)
    let before = phone.requests
    phone.tell(.reinstalled)
    #expect(phone.requests.map(\.deliverAt) == before.map(\.deliverAt))
    #expect(phone.requests.map(\.id.occurrence) == [2, 3])
  }

  @Test func `a request that could not be decided is made later`() throws {
    var phone = try phone(ahead: 2, repeats: .once)
    phone.takeBack(phone.requests[0])
    phone.tell(.opened)
    #expect(phone.requests.map(\.deliverAt) == nine(2))
    #expect(phone.requests.map(\.id.occurrence) == [0])
  }

  @Test func `undoing the request of a snooze does not let a reminder fire twice`() throws {
    var phone = try EngineHarness([ReminderDeclaration("r", .unlock, repeats: .once)], at: "2026-03-02 07:00")
    phone.tell(.unlock)
    phone.admitAll()
    let until = EngineHarness.instant("2026-03-02 08:00")
    phone.tell(.snooze, 0, value: until.millisecondsSince1970)
    phone.takeBack(phone.requests[0])
    #expect(phone.tell(.unlock).isEmpty)
    phone.at("2026-03-02 08:00")
    #expect(phone.tell(.unlock).isEmpty)
  }

  @Test func `setting a fact to its current value triggers nothing`() throws {
    var phone = try EngineHarness([ReminderDeclaration("r", .factChanged("goal"))], at: "2026-03-02 07:00")
    #expect(phone.tell(.factChanged, 1, value: 5) == ["r"])
    #expect(phone.tell(.factChanged, 1, value: 5).isEmpty)
    #expect(phone.tell(.factChanged, 1, value: 6) == ["r"])
  }
}

import CivilTime
import ReminderEngine
import ReminderMatching
import Testing
import TriggerModel

@Suite struct RepeatAndCommandTests {
  /// Returns the times of the unlocks at which the reminder fires.
  private func fires(_ repeats: Repeat, _ times: [String]) throws -> [String] {
    var phone = try EngineHarness([ReminderDeclaration("r", .unlock, repeats: repeats)], at: times[0])
    return times.filter { time in
      phone.at(time)
      return !phone.tell(.unlock).isEmpty
    }
  }

  @Test func `a reminder fires once per period`() throws {
    let times = [
      "2026-03-01 10:00", "2026-03-01 11:00", "2026-03-02 10:00", "2026-03-08 10:00", "2026-03-09 10:00",
      "2026-04-01 10:00",
    ]
    try #expect(fires(.once, times) == [times[0]])
    try #expect(fires(.daily, times) == [times[0], times[2], times[3], times[4], times[5]])
    try #expect(fires(.weekly, times) == [times[0], times[2], times[4], times[5]])
    try #expect(fires(.monthly, times) == [times[0], times[5]])
    try #expect(fires(.always, times) == times)
  }

  @Test func `after the clock is set back, a reminder neither fires twice nor stops firing`() throws {
    let times = [
      "2026-03-05 10:00", "2026-03-04 10:00", "2026-03-04 11:00", "2026-03-06 10:00", "2020-01-01 10:00",
    ]
    try #expect(fires(.daily, times) == [times[0], times[1], times[3], times[4]])
    try #expect(fires(.daily, ["2026-03-05 10:00", "2026-03-05 09:00"]) == ["2026-03-05 10:00"])
  }

  @Test func `a reminder with several triggers fires once per period`() throws {
    var phone = try EngineHarness(
      [ReminderDeclaration("r", .unlock, .opened, .chargingStarted, repeats: .daily)], at: "2026-03-02 07:00")
    #expect(phone.tell(.opened) == ["r"])
    #expect(phone.tell(.unlock).isEmpty)
    phone.at("2026-03-03 07:00")
    #expect(phone.tell(.unlock) == ["r"])
    #expect(phone.tell(.opened).isEmpty)
    #expect(phone.tell(.chargingStarted).isEmpty, "first looked at on a day on which another trigger fired")
    phone.at("2026-03-06 07:00")
    #expect(phone.tell(.chargingStarted) == ["r"])
  }

  @Test func `a snoozed reminder matches again after the snooze`() throws {
    var phone = try EngineHarness(
      [ReminderDeclaration("r", .unlock, repeats: .daily)], at: "2026-03-02 07:00", explainsMisses: true)
    let until = EngineHarness.instant("2026-03-02 09:00")
    #expect(phone.tell(.snooze, 0, value: until.millisecondsSince1970).isEmpty, "it has not asked yet")
    phone.at("2026-03-02 08:59")
    #expect(phone.tell(.unlock).isEmpty)
    #expect(phone.effects == [.noRequest(ReminderID(0), .snoozed, failed: [])])
    phone.at("2026-03-02 09:00")
    #expect(phone.tell(.unlock) == ["r"])
  }

  @Test func `a snooze repeats only a shown notification that has not expired by the end`() throws {
    let until = EngineHarness.instant("2026-03-02 09:00").millisecondsSince1970
    var denied = try EngineHarness(
      [ReminderDeclaration("r", .unlock, repeats: .once)], at: "2026-03-02 07:00")
    denied.tell(.unlock)
    denied.decide(denied.requests[0], .deny)
    #expect(denied.tell(.snooze, 0, value: until).isEmpty)
    for (end, asks) in [("2026-03-02 09:00", false), ("2026-03-02 09:01", true), ("2026-03-02 07:30", false)]
    {
      var phone = try EngineHarness(
        [ReminderDeclaration("r", .unlock, repeats: .once, expires: end)], at: "2026-03-02 07:00")
      phone.tell(.unlock)
      phone.admitAll()
      phone.at("2026-03-02 08:00")
      #expect(phone.tell(.snooze, 0, value: until).isEmpty != asks, "\(end)")
    }
  }

  @Test func `a snoozed notification is requested again in the user bucket`() throws {
    var phone = try EngineHarness([ReminderDeclaration("r", .unlock, repeats: .once)], at: "2026-03-02 07:00")
    phone.tell(.unlock)
    phone.admitAll()
    let until = EngineHarness.instant("2026-03-02 09:00")
    #expect(phone.tell(.snooze, 0, value: until.millisecondsSince1970) == ["r"])
    #expect(phone.effects.first == .remove(RequestID(reminder: ReminderID(0), occurrence: 0), .superseded))
    guard case .request(let again)? = phone.effects.dropFirst().first else {
      Issue.record("no request")
      return
    }
    #expect(again.bucket == .user)
    #expect(again.deliverAt == until)
    #expect(again.id.occurrence == 1)
    phone.at("2026-03-03 09:00")
    #expect(phone.tell(.unlock).isEmpty, "once is once")
  }

  @Test func `a snooze until now has no effect`() throws {
    var phone = try EngineHarness([ReminderDeclaration("r", .unlock)], at: "2026-03-02 07:00")
    phone.tell(.snooze, 0, value: phone.moment.wall.millisecondsSince1970)
    #expect(phone.effects.isEmpty)
    #expect(phone.tell(.unlock) == ["r"])
  }

  @Test func `cancelling a reminder withdraws its requests`() throws {
    var phone = try EngineHarness([ReminderDeclaration("r", .unlock)], at: "2026-03-02 07:00")
    phone.tell(.cancel, 0)
    #expect(phone.effects.first == .withdraw(ReminderID(0), .cancelled))
    #expect(phone.tell(.unlock).isEmpty)
    #expect(phone.explain(0)?.status == .cancelled)
    phone.tell(.cancel, 0)
    #expect(phone.effects.isEmpty, "cancelled already")
  }

  @Test func `an edit replaces the declaration and resets the reminder`() throws {
    let edit = ReminderDeclaration("r", .opened, if: [.charging(true)], repeats: .once)
    var phone = try EngineHarness(
      [ReminderDeclaration("r", .unlock, repeats: .once)], edits: [edit], at: "2026-03-02 07:00")
    #expect(phone.tell(.unlock) == ["r"])
    phone.tell(.edit, 0, value: 0)
    #expect(phone.explain(0)?.status == .waiting)
    #expect(phone.tell(.unlock).isEmpty)
    #expect(phone.tell(.opened).isEmpty)
    let until = EngineHarness.instant("2026-03-02 08:00")
    phone.tell(.snooze, 0, value: until.millisecondsSince1970)
    phone.at("2026-03-02 08:00")
    phone.tell(.chargingStarted)
    #expect(phone.tell(.opened) == ["r"], "what it did before the edit does not count")
    #expect(phone.tell(.opened).isEmpty)
  }

  @Test func `commands about unknown reminders have no effect`() throws {
    let edits = [ReminderDeclaration("b", .opened)]
    var phone = try EngineHarness(
      [ReminderDeclaration("a", .unlock), ReminderDeclaration("b", .unlock)], edits: edits,
      at: "2026-03-02 07:00")
    for (kind, subject, value) in [
      (.snooze, 7, .max), (.cancel, 2, 0), (.edit, 0, 0), (.edit, 1, 1), (.edit, 1, -1), (.woken, 9, 0),
      (.delivered, 9, 0),
    ] as [(ObservedEvent.Kind, UInt32, Int64)] {
      phone.tell(kind, subject, value: value)
      #expect(phone.effects.isEmpty, "\(kind) \(subject)")
    }
    #expect(phone.tell(.unlock) == ["a", "b"])
  }

  @Test func `a reminder expires at its expiry instant`() throws {
    var phone = try EngineHarness(
      [ReminderDeclaration("r", .unlock, expires: "2026-03-02 08:00")], at: "2026-03-02 07:59")
    #expect(phone.tell(.unlock) == ["r"])
    phone.at("2026-03-02 08:00")
    #expect(phone.tell(.unlock).isEmpty)
    #expect(phone.explain(0)?.status == .expired)
  }

  @Test func `a new installation discards matches but keeps the totals`() throws {
    var phone = try EngineHarness([ReminderDeclaration("r", .unlock, repeats: .once)], at: "2026-03-02 07:00")
    phone.tell(.unlock)
    phone.tell(.reinstalled)
    #expect(phone.tell(.unlock) == ["r"])
    #expect(phone.engine.totals.matched == 2)
  }
}

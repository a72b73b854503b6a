import CivilTime
import Foundation
import ReminderMatching
import Testing
import TriggerModel

/// Tests days that are counted from an instant in a fact. 2026-03-02 is a Monday.
@Suite struct RelativeDaysTests {
  private static let since: UInt32 = 2

  /// Returns a phone with a reminder at 09:00, by default seven days after the fact.
  private func phone(
    _ days: [Int] = [7], ahead: Int? = nil, zones: [String] = ["UTC"], copies: Int = 1
  ) throws -> EngineHarness {
    let schedule = Schedule(RelativeDays(days, from: "since", minutes: [540]), ahead: ahead)
    var reminder = ReminderDeclaration("r", .scheduled(schedule))
    reminder.notification.copy = (0..<copies).map { .init(title: "\($0)") }
    var phone = try EngineHarness([reminder], zones: zones, at: "2026-03-02 07:00")
    phone.tell(.launched)
    return phone
  }

  private func set(_ phone: inout EngineHarness, to text: String) {
    phone.tell(.factChanged, Self.since, value: EngineHarness.instant(text).millisecondsSince1970)
  }

  private func day(_ text: String) -> [Instant] { [EngineHarness.instant(text)] }

  @Test func `nothing is planned before the fact is known`() throws {
    var phone = try phone()
    #expect(phone.requests.isEmpty)
    set(&phone, to: "2026-03-01 18:00")
    #expect(phone.requests.map(\.deliverAt) == day("2026-03-08 09:00"))
  }

  @Test func `completing the task early restarts the count`() throws {
    var phone = try phone()
    set(&phone, to: "2026-03-01 18:00")
    phone.at("2026-03-05 12:00")
    set(&phone, to: "2026-03-05 12:00")
    #expect(phone.effects.contains(.withdraw(ReminderID(0 as UInt32), .superseded)))
    #expect(phone.requests.map(\.deliverAt) == day("2026-03-12 09:00"))
  }

  @Test func `completing the task twice on a day plans one occurrence`() throws {
    var phone = try phone()
    set(&phone, to: "2026-03-02 07:10")
    phone.at("2026-03-02 20:00")
    set(&phone, to: "2026-03-02 20:00")
    #expect(phone.effects.contains(.withdraw(ReminderID(0 as UInt32), .superseded)))
    #expect(phone.requests.map(\.deliverAt) == day("2026-03-09 09:00"))
  }

  @Test func `completing the task late removes the visible notification`() throws {
    var phone = try phone()
    set(&phone, to: "2026-03-01 18:00")
    phone.admitAll()
    let first = RequestID(reminder: ReminderID(0 as UInt32), occurrence: 0)
    phone.at("2026-03-10 12:00")
    phone.tell(.delivered, of: first)
    set(&phone, to: "2026-03-10 12:00")
    #expect(phone.effects.contains(.remove(first, .superseded)))
    #expect(phone.requests.map(\.deliverAt) == day("2026-03-17 09:00"))
  }

  @Test func `completing the task ends a snooze`() throws {
    var phone = try phone()
    set(&phone, to: "2026-03-01 18:00")
    phone.admitAll()
    phone.at("2026-03-08 10:00")
    phone.tell(.delivered, of: RequestID(reminder: ReminderID(0 as UInt32), occurrence: 0))
    let until = EngineHarness.instant("2026-03-08 18:00")
    #expect(phone.tell(.snooze, value: until.millisecondsSince1970) == ["r"])
    phone.at("2026-03-08 12:00")
    set(&phone, to: "2026-03-08 12:00")
    #expect(phone.effects.contains(.withdraw(ReminderID(0 as UInt32), .superseded)))
    // The next occurrence is planned immediately, not when the snooze ends.
    #expect(phone.requests.map(\.deliverAt) == day("2026-03-15 09:00"))
  }

  @Test func `removing the fact withdraws all requests`() throws {
    var phone = try phone()
    set(&phone, to: "2026-03-01 18:00")
    phone.tell(.factChanged, Self.since, value: FactValue.missing.bits)
    #expect(phone.effects.contains(.withdraw(ReminderID(0 as UInt32), .cancelled)))
    #expect(phone.requests.isEmpty)
  }

  @Test("a journey affects neither the day nor the number of notifications", arguments: [true, false])
  func journey(isRestarted: Bool) throws {
    // 00:30 in Tokyo is on the previous day in UTC.
    var phone = try phone(zones: ["Asia/Tokyo", "UTC"])
    set(&phone, to: "2026-03-02 15:30")
    #expect(phone.requests.map(\.deliverAt) == day("2026-03-10 00:00"))
    phone.at("2026-03-04 12:00")
    if isRestarted { try phone.restart() }
    phone.moment.zone = ZoneID(1)
    phone.tell(.zoneChanged)
    // The system moves its pending requests itself, so the engine makes no requests.
    #expect(phone.requests.isEmpty)
    phone.at("2026-03-12 12:00")
    phone.tell(.opened)
    #expect(phone.requests.isEmpty)
  }

  @Test func `each day has its own text`() throws {
    var phone = try phone([2, 5, 10], copies: 3)
    phone.at("2026-03-05 12:00")
    set(&phone, to: "2026-03-01 18:00")
    // The second day has passed.
    #expect(phone.requests.map(\.copy) == [1, 2])
    var woken = try self.phone([2, 5, 10], ahead: 0, copies: 3)
    woken.at("2026-03-05 12:00")
    set(&woken, to: "2026-03-01 18:00")
    #expect(woken.wakes == day("2026-03-06 09:00"))
    woken.at("2026-03-06 09:00")
    woken.tell(.woken)
    #expect(woken.requests.map(\.copy) == [1])
  }

  @Test func `a restart does not plan anything twice`() throws {
    var phone = try phone([2, 5, 10])
    set(&phone, to: "2026-03-01 18:00")
    #expect(phone.requests.count == 3)
    try phone.restart()
    phone.tell(.launched)
    #expect(phone.requests.isEmpty)
    phone.at("2026-03-20 09:00")
    try phone.restart()
    phone.tell(.launched)
    #expect(phone.requests.isEmpty)
  }

  // MARK: - Lengths of time

  private func spans(_ spans: [TimeSpan], ahead: Int? = nil, zones: [String] = ["UTC"]) throws
    -> EngineHarness
  {
    let schedule = Schedule(RelativeSpans(spans, from: "since"), ahead: ahead)
    var reminder = ReminderDeclaration("r", .scheduled(schedule))
    reminder.notification.copy = spans.indices.map { .init(title: "\($0)") }
    var phone = try EngineHarness([reminder], zones: zones, at: "2026-03-02 07:00")
    phone.tell(.launched)
    return phone
  }

  @Test func `a time span is counted from the instant in the fact, and restarts with it`() throws {
    var phone = try spans([.hours(8), .hours(30)])
    #expect(phone.requests.isEmpty)
    set(&phone, to: "2026-03-02 06:10")
    #expect(phone.requests.map(\.deliverAt) == day("2026-03-02 14:10") + day("2026-03-03 12:10"))
    #expect(phone.requests.map(\.copy) == [0, 1])
    phone.at("2026-03-02 13:00")
    set(&phone, to: "2026-03-02 13:00")
    #expect(phone.effects.contains(.withdraw(ReminderID(0 as UInt32), .superseded)))
    #expect(phone.requests.map(\.deliverAt) == day("2026-03-02 21:00") + day("2026-03-03 19:00"))
  }

  @Test("neither a journey nor a restart moves a time span", arguments: [true, false])
  func lengthOnAJourney(isRestarted: Bool) throws {
    var phone = try spans([.hours(8)], zones: ["Asia/Tokyo", "UTC"])
    set(&phone, to: "2026-03-02 06:00")
    #expect(phone.requests.map(\.deliverAt) == day("2026-03-02 14:00"))
    #expect(phone.requests.allSatisfy { !$0.isFloating })
    if isRestarted { try phone.restart() }
    phone.at("2026-03-02 10:00")
    phone.moment.zone = ZoneID(1)
    phone.tell(.zoneChanged)
    #expect(phone.requests.isEmpty)
    var woken = try spans([.hours(-2)], ahead: 0, zones: ["Asia/Tokyo", "UTC"])
    set(&woken, to: "2026-03-02 20:00")
    #expect(woken.wakes == day("2026-03-02 18:00"))
    woken.at("2026-03-02 10:00")
    woken.moment.zone = ZoneID(1)
    woken.tell(.zoneChanged)
    woken.at("2026-03-02 18:00")
    woken.tell(.woken)
    #expect(woken.requests.count == 1)
  }

  // MARK: - Comparison with Foundation's calendar

  @Test(
    "30, 7 and 0 days before a birthday, 2024 to 2032",
    arguments: [
      "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "America/St_Johns", "Pacific/Apia",
      "Asia/Tokyo", "America/Santiago", "Africa/Casablanca", "Asia/Kolkata", "Pacific/Auckland",
    ], [(2, 29), (3, 1), (1, 15), (12, 31), (10, 25)])
  func cascade(identifier: String, birthday: (month: Int, day: Int)) throws {
    let zone = try Zone(identifier: identifier)
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = try #require(TimeZone(identifier: identifier))
    var expected: [Instant] = []
    for year in 2_024...2_032 {
      for days in [30, 7, 0] {
        var parts = DateComponents(year: year, month: birthday.month, day: birthday.day, hour: 9)
        // In a common year, a birthday on 29 February is on 28 February.
        if birthday == (2, 29), year % 4 != 0 { parts.day = 28 }
        let then = try #require(calendar.date(from: parts))
        let before = try #require(calendar.date(byAdding: .day, value: -days, to: then))
        expected.append(Instant(millisecondsSince1970: Int64(before.timeIntervalSince1970 * 1_000)))
      }
    }
    let cascade = RelativeDays([-30, -7, 0], from: "birthday", minutes: [540], isYearly: true)
    let date = CivilDate(year: 1_996, month: birthday.month, day: birthday.day)
    var found: [Instant] = []
    var instant = zone.startOfDay(CivilDate(year: 2_024, month: birthday.month, day: birthday.day) - 31)
    while let next = cascade.next(atOrAfter: instant, from: date, in: zone), found.count < 27 {
      found.append(next)
      #expect(cascade.position(of: next, from: date, in: zone) == (found.count - 1) % 3)
      instant = next + TimeSpan(milliseconds: 1)
    }
    // An occurrence a month before a date in January is in the previous year.
    #expect(found == expected.sorted())
  }
}

import CivilTime
import Testing
import TriggerModel

@testable import NotificationGateway

/// Tests counters that are stored under the FitMe app's keys.
@Suite struct StoredCounterTests {
  private static let types = ["healthKitConnect", "accountRegistration", "goalGap", "trainingDay", "restDay"]

  private func counters() throws -> StoredCounters { try StoredCounters(types: Self.types) }

  private func problem(_ entries: [(String, Int)]) throws -> String? {
    do {
      _ = try counters().state(of: entries.map { StoredCounters.Entry(key: $0.0, value: $0.1) })
      return nil
    } catch {
      return "\(error)"
    }
  }

  @Test func `type keys are in snake case, day keys contain the date, and zeros are omitted`() throws {
    let counters = try counters()
    var state = try counters.state(of: [])
    #expect(counters.entries(of: state).isEmpty)
    let entries = [
      ("ft.reminder.dailyCount.2026-03-01", 3), ("ft.reminder.dailyCount.2026-03-02", 1),
      ("ft.reminder.goal_gap.sentCount", 7), ("ft.reminder.healthkit_connect.sentCount", 2),
    ].map { StoredCounters.Entry(key: $0.0, value: $0.1) }
    state = try counters.state(of: entries.reversed())
    #expect(counters.entries(of: state) == entries)
    #expect(state.types.map(\.lifetime) == [2, 0, 7, 0, 0])
    #expect(state.dailyCounts.map(\.count) == [3, 1])
  }

  @Test func `loaded counters count towards the day's and the lifetime caps`() throws {
    var policy = CapPolicy()
    policy.lifetimeCap = ["a": 3]
    var phone = try TestPhone(policy, at: "2026-01-10T10:00:00Z")
    let state = try StoredCounters(types: TestPhone.types).state(of: [
      .init(key: "ft.reminder.a.sentCount", value: 3),
      .init(key: "ft.reminder.dailyCount.2026-01-10", value: 2),
      .init(key: "ft.theme", value: -1),
    ])
    phone.gateway = NotificationGateway(
      policy: phone.gateway.policy, state: state, zones: phone.zones, permission: .authorized)
    #expect(try phone.ask("a") == .denied(.lifetimeCap))
    #expect(try phone.ask("b") == .admitted)
    phone.pass(.hours(4))
    #expect(try phone.ask("c") == .denied(.dailyCap))
  }

  @Test func `a round trip keeps the part of the state that the keys can represent`() throws {
    let counters = try StoredCounters(types: TestPhone.types)
    for seed in 0..<100 as Range<UInt64> {
      let run = try PropertyTests.run(
        try PropertyTests.wishes(seed, buckets: Bucket.allCases, delays: true), CapPolicy())
      let state = run.phone.gateway.state
      let again = try counters.state(of: counters.entries(of: state))
      #expect(again.types.map(\.lifetime) == state.types.map(\.lifetime), "seed \(seed)")
      #expect(again.dailyCounts.map(\.day) == state.dailyCounts.map(\.day), "seed \(seed)")
      #expect(counters.entries(of: again) == counters.entries(of: state), "seed \(seed)")
    }
  }

  @Test func `old days are purged when a new day is counted`() throws {
    let counters = try StoredCounters(types: TestPhone.types)
    var phone = try TestPhone(at: "2026-01-10T10:00:00Z")
    let old = (1...9).map {
      StoredCounters.Entry(key: "ft.reminder.dailyCount.2025-12-0\($0)", value: 3)
    }
    phone.gateway = NotificationGateway(
      policy: phone.gateway.policy, state: try counters.state(of: old), zones: phone.zones,
      permission: .authorized)
    #expect(try phone.ask("a") == .admitted)
    #expect(
      counters.entries(of: phone.gateway.state).map(\.key) == [
        "ft.reminder.a.sentCount", "ft.reminder.dailyCount.2025-12-07",
        "ft.reminder.dailyCount.2025-12-08", "ft.reminder.dailyCount.2025-12-09",
        "ft.reminder.dailyCount.2026-01-10",
      ])
  }

  @Test func `case 68: keys of days around New Year have the calendar year, not the week's year`() throws {
    let counters = try StoredCounters(types: TestPhone.types)
    for (noon, key) in [
      ("2025-12-29T11:00:00Z", "2025-12-29"), ("2025-12-31T11:00:00Z", "2025-12-31"),
      ("2026-12-31T11:00:00Z", "2026-12-31"), ("2027-01-01T11:00:00Z", "2027-01-01"),
    ] {
      var phone = try TestPhone(at: noon)
      #expect(try phone.ask("a") == .admitted)
      let keys = counters.entries(of: phone.gateway.state).map(\.key)
      #expect(keys.last == "ft.reminder.dailyCount.\(key)")
    }
  }

  @Test func `case 69: the keys do not depend on the phone's calendar and digits`() throws {
    // The gateway ignores the phone's language. A key in another date format is rejected, and the error names
    // the key.
    for date in ["٢٠٢٦-٠٣-٠٢", "2026-3-2", "2026-13-01", "2026-02-29", "20260302", "2026-03-02 "] {
      let key = "ft.reminder.dailyCount.\(date)"
      let message = try #require(try problem([(key, 1)]))
      #expect(message.hasPrefix("\(key): ") && message.contains("a date such as 2026-03-02"), "\(date)")
    }
    for year in [0, 1, 999, 2_026, 9_999] {
      let date = CivilDate(year: year, month: 3, day: 2).iso8601
      #expect(date.utf8.count == 10 && date.utf8.allSatisfy { $0 < 0x80 })
      #expect(try problem([("ft.reminder.dailyCount.\(date)", 1)]) == nil)
    }
  }

  @Test func `an invalid counter is reported with its key`() throws {
    #expect(
      try problem([("ft.reminder.traning_day.sentCount", 1)])
        == "ft.reminder.traning_day.sentCount is no stored counter; "
        + "did you mean ft.reminder.training_day.sentCount?")
    #expect(
      try problem([("ft.reminder.x", 1)])
        == "ft.reminder.x is no stored counter; the keys are ft.reminder.dailyCount.DATE and "
        + "ft.reminder.TYPE.sentCount")
    #expect(try problem([("ft.reminder.trainingDay.sentCount", 1)]) != nil, "raw values are in snake case")
    #expect(
      try problem([("ft.reminder.rest_day.sentCount", -1)])
        == "ft.reminder.rest_day.sentCount is -1; a counter is 0 to 4294967295")
    let shared = StoredCounterError(
      key: "ft.reminder.rest_day.sentCount", problem: .sharedBy("restDay", "rest_day"))
    #expect(throws: shared) { try StoredCounters(types: ["restDay", "rest_day"]) }
    #expect(
      shared.description
        == "the types restDay and rest_day share the key ft.reminder.rest_day.sentCount; rename one of them")
  }
}

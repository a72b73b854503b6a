import CivilTime
import ReminderEngine
import ReminderMatching
import Testing
import TriggerModel

@Suite struct TriggerAndConditionTests {
  @Test func `each trigger reacts only to its own event`() throws {
    let triggers: [(Trigger, ObservedEvent.Kind, UInt32)] = [
      (.unlock, .unlock, 0), (.chargingStarted, .chargingStarted, 0),
      (.chargingStopped, .chargingStopped, 0), (.opened, .opened, 0), (.appOpened("maps"), .appOpened, 0),
      (.appOpened("mail"), .appOpened, 1), (.regionEntered("shop"), .regionEntered, 1),
      (.regionExited("home"), .regionExited, 0), (.factChanged("goal"), .factChanged, 1),
    ]
    for (index, trigger) in triggers.enumerated() {
      var phone = try EngineHarness([ReminderDeclaration("r", trigger.0)], at: "2026-03-02 07:00")
      for (other, event) in triggers.enumerated() {
        #expect(phone.tell(event.1, event.2) == (other == index ? ["r"] : []), "\(trigger.0), \(event.1)")
      }
    }
  }

  /// Many evaluations of few reminders must be counted correctly, including those of a copy.
  @Test func `misses of many evaluations are counted by kind`() throws {
    let kinds: [Condition] = [
      .charging(true), .weekdays(.weekend), .inside("shop"), .timeWindow(DailyWindow(from: 0, to: 60)),
    ]
    let reminders = (0..<16).map { ReminderDeclaration("r\($0)", .unlock, if: [kinds[$0 % 4]]) }
    let phone = try EngineHarness(reminders, at: "2026-03-02 12:00")
    var (engine, copy, buffer) = (phone.engine, phone.engine, MatchBuffer())
    for look in 1...5_000 as ClosedRange<Int64> {
      if look == 4_000 { copy = engine }
      engine.match(ObservedEvent(.unlock, at: phone.moment), into: &buffer)
      let totals = engine.totals
      #expect(totals.triggered == 16 * look && totals.matched == 0 && totals.failedOther == 0)
      let failed = [
        totals.failedCharging, totals.failedWeekdays, totals.failedRegion, totals.failedTimeWindow,
      ]
      #expect(failed == [4 * look, 4 * look, 4 * look, 4 * look])
    }
    copy.match(ObservedEvent(.unlock, at: phone.moment), into: &buffer)
    #expect(copy.totals.triggered == 16 * 4_000)
  }

  @Test func `events with other subjects trigger nothing`() throws {
    var phone = try EngineHarness([ReminderDeclaration("r", .appOpened("maps"))], at: "2026-03-02 07:00")
    for subject in [2, 31, 32, UInt32.max] {
      for kind in ObservedEvent.Kind.allCases { #expect(phone.tell(kind, subject).isEmpty, "\(kind)") }
    }
  }

  @Test func `windows are half-open and may include midnight`() throws {
    let night = Condition.timeWindow(DailyWindow(from: 22 * 60, to: 7 * 60))
    var phone = try EngineHarness([ReminderDeclaration("r", .unlock, if: [night])], at: "2026-03-02 21:59")
    let expected = [
      ("2026-03-02 21:59", false), ("2026-03-02 22:00", true), ("2026-03-03 06:59", true),
      ("2026-03-03 07:00", false), ("2026-03-03 12:00", false), ("2026-03-09 03:00", true),
    ]
    for (time, fires) in expected {
      phone.at(time)
      #expect(phone.tell(.unlock) == (fires ? ["r"] : []), "\(time)")
    }
  }

  @Test func `an empty window never holds`() throws {
    let empty = Condition.timeWindow(DailyWindow(from: 600, to: 600))
    var phone = try EngineHarness([ReminderDeclaration("r", .unlock, if: [empty])], at: "2026-03-02 09:59")
    for minute in 0..<1_440 {
      phone.moment.wall = EngineHarness.instant("2026-03-02 00:00") + .minutes(Int64(minute))
      #expect(phone.tell(.unlock).isEmpty)
    }
  }

  @Test func `two windows must both hold`() throws {
    let both = [DailyWindow(from: 480, to: 720), DailyWindow(from: 600, to: 900)].map(Condition.timeWindow)
    var phone = try EngineHarness([ReminderDeclaration("r", .unlock, if: both)], at: "2026-03-02 08:00")
    let fires = (0..<24).filter { hour in
      phone.at("2026-03-02 \(hour):00")
      return !phone.tell(.unlock).isEmpty
    }
    #expect(fires == [10, 11])
  }

  @Test func `weekdays refer to the local date`() throws {
    var phone = try EngineHarness(
      [ReminderDeclaration("r", .unlock, if: [.weekdays(WeekdaySet(.monday))])], zones: ["Asia/Tokyo"],
      at: "2026-03-01 14:59")
    #expect(phone.tell(.unlock).isEmpty, "Sunday 23:59 in Tokyo")
    phone.at("2026-03-01 15:00")
    #expect(phone.tell(.unlock) == ["r"], "Monday 00:00 in Tokyo")
    phone.at("2026-03-02 15:00")
    #expect(phone.tell(.unlock).isEmpty, "Tuesday 00:00 in Tokyo")
  }

  @Test func `conditions on places and charging take the effect of the event into account`() throws {
    var phone = try EngineHarness(
      [
        ReminderDeclaration("arrive", .regionEntered("shop"), if: [.inside("shop"), .outside("home")]),
        ReminderDeclaration("leave", .regionExited("shop"), if: [.outside("shop")]),
        ReminderDeclaration("plug", .chargingStarted, if: [.charging(true)]),
        ReminderDeclaration("unplug", .chargingStopped, if: [.charging(false)]),
      ], at: "2026-03-02 07:00")
    #expect(phone.tell(.regionEntered, 1) == ["arrive"])
    #expect(phone.tell(.regionExited, 1) == ["leave"])
    #expect(phone.tell(.regionEntered, 0).isEmpty)
    #expect(phone.tell(.regionEntered, 1).isEmpty, "inside home too")
    #expect(phone.tell(.chargingStarted) == ["plug"])
    #expect(phone.tell(.chargingStopped) == ["unplug"])
  }

  @Test func `a condition can require one region and exclude another`() throws {
    var phone = try EngineHarness(
      [ReminderDeclaration("r", .unlock, if: [.inside("shop"), .outside("home")])], at: "2026-03-02 07:00")
    #expect(phone.tell(.unlock).isEmpty)
    phone.tell(.regionEntered, 1)
    #expect(phone.tell(.unlock) == ["r"])
    phone.tell(.regionEntered, 0)
    #expect(phone.tell(.unlock).isEmpty)
  }

  @Test func `contradictory conditions never hold`() throws {
    var phone = try EngineHarness(
      [ReminderDeclaration("r", .unlock, if: [.charging(true), .charging(false)])], at: "2026-03-02 07:00")
    #expect(phone.tell(.unlock).isEmpty)
    phone.tell(.chargingStarted)
    #expect(phone.tell(.unlock).isEmpty)
  }

  @Test func `facts are compared with constants`() throws {
    let cases: [(FactCondition.Comparison, [Int64], [Int64])] = [
      (.less, [2_000], [1_000]), (.lessOrEqual, [2_000], [1_000, 2_000]), (.equal, [2_000], [2_000]),
      (.notEqual, [2_000], [1_000, 3_000]), (.greaterOrEqual, [2_000], [2_000, 3_000]),
      (.greater, [2_000], [3_000]), (.equal, [1_000, 3_000], [1_000, 3_000]),
      (.notEqual, [1_000, 3_000], [2_000]),
    ]
    for (comparison, constants, holding) in cases {
      let condition = FactCondition(
        .value("score"), comparison, constants.map(FactValue.number(thousandths:)))
      var phone = try EngineHarness(
        [ReminderDeclaration("r", .unlock, if: [.fact(condition)])], at: "2026-03-02 07:00")
      for value in [1_000, 2_000, 3_000] as [Int64] {
        phone.tell(.factChanged, 0, value: value)
        #expect(phone.tell(.unlock) == (holding.contains(value) ? ["r"] : []), "\(comparison) \(value)")
      }
    }
  }

  @Test func `ratios are exact`() throws {
    // The ratio 2/3 is between 0.666 and 0.667. A divisor of zero makes the ratio unknown.
    for (constant, fires) in [(666, true), (667, false)] as [(Int64, Bool)] {
      let ratio = FactCondition(
        .ratio("score", "goal"), .greater, [.number(thousandths: constant)])
      var phone = try EngineHarness(
        [ReminderDeclaration("r", .unlock, if: [.fact(ratio)])], at: "2026-03-02 07:00")
      phone.tell(.factChanged, 0, value: 2_000)
      #expect(phone.tell(.unlock).isEmpty, "the goal is not known")
      phone.tell(.factChanged, 1, value: 3_000)
      #expect(phone.tell(.unlock).isEmpty == !fires)
      phone.tell(.factChanged, 1, value: 0)
      #expect(phone.tell(.unlock).isEmpty, "divided by zero")
    }
  }

  @Test func `ages are measured by uptime, not by the wall clock`() throws {
    let fresh = FactCondition(
      .age("score"), .lessOrEqual, [.number(thousandths: 6 * 3_600_000)], reason: .staleData)
    var phone = try EngineHarness(
      [ReminderDeclaration("r", .unlock, if: [.fact(fresh)])], at: "2026-03-02 07:00")
    phone.tell(.factChanged, 0, value: 40_000)
    phone.at("2026-03-02 13:00")
    #expect(phone.tell(.unlock) == ["r"])
    phone.moment.wall = phone.moment.wall - .hours(10)
    phone.moment.uptime.span = phone.moment.uptime.span + .minutes(1)
    #expect(phone.tell(.unlock).isEmpty, "setting the clock back does not make it fresh")
  }

  @Test func `days since a fact are counted as local dates`() throws {
    let condition = FactCondition(.days(since: "since"), .greaterOrEqual, [.number(thousandths: 1_000)])
    var phone = try EngineHarness(
      [ReminderDeclaration("r", .unlock, if: [.fact(condition)])], at: "2026-03-02 23:50")
    phone.tell(.factChanged, 2, value: phone.moment.wall.millisecondsSince1970)
    #expect(phone.tell(.unlock).isEmpty)
    phone.at("2026-03-03 00:00")
    #expect(phone.tell(.unlock) == ["r"])
  }

  @Test func `a miss contains every failed kind and the first reason`() throws {
    let conditions: [Condition] = [
      .fact(FactCondition(.value("score"), .greater, [.number(thousandths: 1)])), .charging(true),
      .weekdays(WeekdaySet(.sunday)), .timeWindow(DailyWindow(from: 0, to: 60)), .inside("home"),
    ]
    var phone = try EngineHarness(
      [ReminderDeclaration("r", .unlock, if: conditions)], at: "2026-03-02 07:00", explainsMisses: true)
    phone.tell(.unlock)
    #expect(
      phone.effects == [
        .noRequest(ReminderID(0), .staleData, failed: [.fact, .charging, .weekdays, .timeWindow, .region])
      ])
    #expect(phone.engine.totals.triggered == 1)
    #expect(phone.engine.totals.failedCharging == 1, "counted once, under the first kind with a row")
  }
}

import CivilTime
import ReminderEngine
import ReminderMatching
import Testing
import TriggerModel

@Suite struct ExplanationTests {
  @Test func `an explanation states which conditions fail and when all conditions hold`() throws {
    let conditions: [Condition] = [
      .weekdays(.weekdays), .timeWindow(DailyWindow(from: 18 * 60, to: 20 * 60)), .charging(false),
    ]
    // 2026-03-07 is a Saturday.
    var phone = try EngineHarness([ReminderDeclaration("r", .unlock, if: conditions)], at: "2026-03-07 18:30")
    let answer = phone.explain(0)
    let explanation = try #require(answer)
    #expect(explanation.status == .waiting)
    #expect(explanation.conditions.map(\.holds) == [false, true, true])
    #expect(explanation.conditions.map(\.reason) == [.conditionFailed, nil, nil])
    #expect(explanation.nextInstantAllHold == EngineHarness.instant("2026-03-09 18:00"))
  }

  @Test func `the passage of time does not make a charging condition true`() throws {
    var phone = try EngineHarness(
      [ReminderDeclaration("r", .unlock, if: [.charging(true)])], at: "2026-03-07 18:30")
    #expect(phone.explain(0)?.nextInstantAllHold == nil)
    #expect(phone.explain(1) == nil, "no such reminder")
  }

  @Test func `the status follows matches and commands`() throws {
    var phone = try EngineHarness(
      [ReminderDeclaration("r", .unlock, repeats: .daily)], at: "2026-03-07 10:00")
    #expect(phone.explain(0)?.status == .waiting)
    phone.tell(.unlock)
    #expect(phone.explain(0)?.status == .alreadyFired)
    let until = EngineHarness.instant("2026-03-07 12:00")
    phone.tell(.snooze, value: until.millisecondsSince1970)
    #expect(phone.explain(0)?.status == .snoozed(until: until))
    phone.at("2026-03-08 00:00")
    #expect(phone.explain(0)?.status == .waiting)
  }

  @Test func `the passage of time can make a condition on the age of a fact true`() throws {
    let old = FactCondition(.age("score"), .greater, [.number(thousandths: 3_600_000)])
    var phone = try EngineHarness(
      [ReminderDeclaration("r", .unlock, if: [.fact(old)])], at: "2026-03-07 10:00")
    phone.tell(.factChanged, value: 1_000)
    #expect(
      phone.explain(0)?.nextInstantAllHold
        == EngineHarness.instant("2026-03-07 11:00") + TimeSpan(milliseconds: 1))
  }

  /// Evaluates every condition minute by minute. All conditions must hold at the reported instant, but never
  /// before it.
  @Test func `the reported instant is the first at which all conditions hold`() throws {
    var zones = ZoneTable()
    for name in RandomReminders.zoneNames { _ = try zones.intern(name) }
    var found = 0
    for seed in 5_000..<UInt64(5_120) {
      var world = RandomReminders(seed: seed, zones: zones)
      let conditions = (0..<3).map { _ in world.condition() }
      let reminder = ReminderDeclaration("r", .unlock, if: conditions)
      let program = try ReminderProgram(compiling: [reminder], names: world.names)
      var engine = ReminderEngine(program: program, zones: zones, zone: world.moment.zone)
      var obvious = NaiveEngine(
        [reminder], edits: [], names: world.names, weekStart: .monday, zones: zones)
      for event in Self.facts(of: world) {
        var ignored: [EngineEffect] = []
        engine.process(event, into: &ignored)
        obvious.process(event)
      }
      let now = world.moment
      let next = engine.explain(ReminderID(0), at: now)?.nextInstantAllHold
      let place: Comment = "seed \(seed): \(conditions)"
      for minute in 0..<Int64(3 * 1_440) {
        let then = Self.later(now, .minutes(minute))
        if let next, then.wall >= next { break }
        try #require(!Self.allHold(conditions, obvious, then), place)
      }
      if let next {
        found += 1
        try #require(Self.allHold(conditions, obvious, Self.later(now, next - now.wall)), place)
      }
    }
    #expect(found > 30, "of 120")
  }

  private static func facts(of world: RandomReminders) -> [ObservedEvent] {
    let since = world.moment.wall.millisecondsSince1970
    return [
      ObservedEvent(.factChanged, subject: 0, value: 500, at: world.moment),
      ObservedEvent(.factChanged, subject: 1, value: 1_000, at: world.moment),
      ObservedEvent(.factChanged, subject: 2, value: since, at: world.moment),
      ObservedEvent(.regionEntered, subject: 0, at: world.moment),
      ObservedEvent(.chargingStarted, at: world.moment),
    ]
  }

  private static func later(_ moment: Moment, _ span: TimeSpan) -> Moment {
    var then = moment
    then.wall = moment.wall + span
    then.uptime.span = moment.uptime.span + span
    return then
  }

  private static func allHold(_ conditions: [Condition], _ engine: NaiveEngine, _ moment: Moment) -> Bool {
    conditions.allSatisfy { engine.failure($0, moment) == nil }
  }
}

import CivilTime
import ReminderEngine
import ReminderMatching
import Testing
import TriggerModel

/// Tests the effects of an update of the app on the stored state. The engine identifies reminders by id.
@Suite struct UpdateTests {
  private static let names = EngineHarness.names

  /// Returns the engine of a later version of the app, restored from the state of this version.
  private static func updated(
    _ phone: EngineHarness, _ reminders: [ReminderDeclaration], edits: [ReminderDeclaration] = [],
    names: EngineNames = names
  ) throws -> ReminderEngine {
    var zones = ZoneTable()
    // The later version may also number the zones differently.
    for zone in ["Asia/Tokyo"] + phone.zones.zones.map(\.identifier) { _ = try zones.intern(zone) }
    return try ReminderEngine(
      program: ReminderProgram(compiling: reminders, edits: edits, names: names),
      stored: phone.engine.storedState(), zones: zones, zone: ZoneID(1))
  }

  /// Returns the ids of the reminders that make a request, and all effects.
  private static func tell(
    _ engine: inout ReminderEngine, _ kind: ObservedEvent.Kind, _ subject: UInt32 = 0, value: Int64 = 0,
    at moment: Moment
  ) -> (ids: [String], effects: [EngineEffect]) {
    var moment = moment
    moment.zone = ZoneID(1)
    var effects: [EngineEffect] = []
    engine.process(ObservedEvent(kind, subject: subject, value: value, at: moment), into: &effects)
    let ids = effects.compactMap { effect in
      if case .request(let request) = effect {
        engine.program.declarations[request.id.reminder.index].id
      } else {
        nil
      }
    }
    return (ids, effects)
  }

  private static func daily(_ id: String, at minute: Int, ahead: Int = 2) -> ReminderDeclaration {
    let start = CivilDate(year: 2026, month: 3, day: 1)
    let recurrence = Recurrence(start: start, minute: minute, frequency: .daily)
    return ReminderDeclaration(id, .scheduled(Schedule(recurrence, ahead: ahead)))
  }

  @Test func `the stored bytes do not depend on the order of declarations`() throws {
    let once = ReminderDeclaration("once", .unlock, repeats: .once)
    let place = ReminderDeclaration("place", .unlock, if: [.inside("shop")], repeats: .daily)
    let ahead = Self.daily("ahead", at: 1_200)
    func played(_ reminders: [ReminderDeclaration], _ names: EngineNames) throws -> [UInt8] {
      var zones = ZoneTable()
      _ = try zones.intern("UTC")
      let program = try ReminderProgram(compiling: reminders, names: names)
      var engine = ReminderEngine(program: program, zones: zones, zone: ZoneID(0))
      let moment = Moment(
        wall: EngineHarness.instant("2026-03-02 07:00"), uptime: Uptime(boot: 0, span: .zero), zone: ZoneID(0)
      )
      var effects: [EngineEffect] = []
      let shop = try #require(names.region("shop"))
      let score = try #require(names.fact("score"))
      let snoozed = try #require(program.reminder(named: "once"))
      for event in [
        ObservedEvent(.launched, at: moment),
        ObservedEvent(.regionEntered, subject: shop.rawValue, at: moment),
        ObservedEvent(.factChanged, subject: score.rawValue, value: 5, at: moment),
        ObservedEvent(.factChanged, subject: try #require(names.fact("goal")).rawValue, value: 6, at: moment),
        ObservedEvent(.unlock, at: moment),
        ObservedEvent(
          .snooze, subject: snoozed.rawValue, value: (moment.wall + .hours(1)).millisecondsSince1970,
          at: moment),
      ] { engine.process(event, into: &effects) }
      return engine.storedState()
    }
    let bytes = try played([once, place, ahead], Self.names)
    let others = EngineNames(regions: ["shop", "home"], facts: ["goal", "since", "score"])
    #expect(try played([ahead, once, place], others) == bytes)
    #expect(try played([place, ahead, once], others) == bytes)
    #expect(bytes.count > 100)
  }

  @Test func `kept reminders continue, and new reminders start`() throws {
    var phone = try EngineHarness(
      [
        ReminderDeclaration("once", .unlock, repeats: .once),
        ReminderDeclaration("daily", .unlock, repeats: .daily),
        ReminderDeclaration("off", .unlock), ReminderDeclaration("later", .unlock),
        ReminderDeclaration("place", .opened, if: [.inside("shop")]),
        ReminderDeclaration(
          "fact", .opened, if: [.fact(FactCondition(.value("goal"), .equal, [.number(thousandths: 2_000)]))]),
      ], at: "2026-03-02 07:00")
    phone.tell(.regionEntered, 1)
    phone.tell(.factChanged, 1, value: 2_000)
    phone.tell(.cancel, 2)
    phone.tell(.snooze, 3, value: EngineHarness.instant("2026-03-02 09:00").millisecondsSince1970)
    #expect(phone.tell(.unlock) == ["once", "daily"])
    var engine = try Self.updated(
      phone,
      [
        ReminderDeclaration("new", .unlock, repeats: .once), ReminderDeclaration("later", .unlock),
        ReminderDeclaration(
          "fact", .opened, if: [.fact(FactCondition(.value("goal"), .equal, [.number(thousandths: 2_000)]))]),
        ReminderDeclaration("off", .unlock), ReminderDeclaration("daily", .opened, .unlock, repeats: .daily),
        ReminderDeclaration("place", .opened, if: [.inside("shop")]),
        ReminderDeclaration("once", .opened, .unlock, repeats: .once),
      ], names: EngineNames(regions: ["gym", "shop"], facts: ["goal"]))
    #expect(engine.endedReminders.isEmpty)
    phone.at("2026-03-02 08:00")
    #expect(Self.tell(&engine, .unlock, at: phone.moment).ids == ["new"])
    #expect(
      Self.tell(&engine, .opened, at: phone.moment).ids == ["fact", "place"],
      "a trigger that is new brings no second turn on the same day")
    phone.at("2026-03-03 08:00")
    let (ids, effects) = Self.tell(&engine, .unlock, at: phone.moment)
    #expect(ids == ["later", "daily"])
    guard case .request(let request) = effects[1] else { throw NotARequest() }
    #expect(request.id.occurrence == 1, "requests go on being numbered")
  }

  @Test func `requests of removed reminders must be withdrawn`() throws {
    var phone = try EngineHarness(
      [
        Self.daily("ahead", at: 1_200), ReminderDeclaration("fired", .unlock, repeats: .daily),
        ReminderDeclaration("silent", .opened),
      ], at: "2026-03-02 07:00")
    phone.tell(.launched)
    #expect(phone.tell(.unlock) == ["fired"])
    var engine = try Self.updated(phone, [ReminderDeclaration("new", .unlock)])
    #expect(
      engine.endedReminders == [
        EndedReminder(name: "ahead", requests: [0, 1]), EndedReminder(name: "fired", requests: [0]),
      ])
    #expect(Self.tell(&engine, .unlock, at: phone.moment).ids == ["new"])
    // The next stored state does not contain these reminders.
    let next = try ReminderEngine(
      program: engine.program, stored: engine.storedState(), zones: phone.zones, zone: ZoneID(0))
    #expect(next.endedReminders.isEmpty)
  }

  @Test func `a changed schedule is planned again`() throws {
    var phone = try EngineHarness([Self.daily("r", at: 1_200)], at: "2026-03-02 07:00")
    phone.tell(.launched)
    #expect(phone.requests.map(\.id.occurrence) == [0, 1])

    var same = try Self.updated(phone, [Self.daily("r", at: 1_200)])
    #expect(Self.tell(&same, .launched, at: phone.moment).ids.isEmpty, "they are pending")

    var other = try Self.updated(phone, [Self.daily("r", at: 1_260)])
    #expect(
      try Self.updated(phone, [Self.daily("r", at: 1_260)]).storedState() == phone.engine.storedState(),
      "before the launch it is remembered that they are to be withdrawn")
    let (_, effects) = Self.tell(&other, .launched, at: phone.moment)
    #expect(effects.first == .withdraw(ReminderID(0), .superseded))
    let asked = effects.compactMap { if case .request(let request) = $0 { request } else { nil } }
    #expect(asked.map(\.id.occurrence) == [2, 3])
    #expect(
      asked.map(\.deliverAt) == [
        EngineHarness.instant("2026-03-02 21:00"), EngineHarness.instant("2026-03-03 21:00"),
      ])

    var none = try Self.updated(phone, [ReminderDeclaration("r", .unlock)])
    #expect(
      Self.tell(&none, .launched, at: phone.moment).effects.first == .withdraw(ReminderID(0), .superseded))
    #expect(Self.tell(&none, .unlock, at: phone.moment).ids == ["r"])
  }

  @Test func `a changed lapse is planned again from the same opening`() throws {
    func lapsing(_ days: [Int]) -> ReminderDeclaration {
      ReminderDeclaration("r", .lapsed(Lapse(days: days, minute: 600)))
    }
    var phone = try EngineHarness([lapsing([2, 4])], at: "2026-03-02 07:00")
    phone.tell(.opened)
    phone.at("2026-03-05 07:00")
    var engine = try Self.updated(phone, [lapsing([3, 5])])
    let (_, effects) = Self.tell(&engine, .launched, at: phone.moment)
    #expect(effects.first == .withdraw(ReminderID(0), .superseded))
    let asked = effects.compactMap { if case .request(let request) = $0 { request.deliverAt } else { nil } }
    #expect(asked == [EngineHarness.instant("2026-03-05 10:00"), EngineHarness.instant("2026-03-07 10:00")])
  }

  @Test func `an edit in force is identified by its index among the reminder's edits`() throws {
    let own = ReminderDeclaration("r", .unlock)
    let edits = [ReminderDeclaration("r", .opened), ReminderDeclaration("r", .chargingStarted)]
    var phone = try EngineHarness([own], edits: edits, at: "2026-03-02 07:00")
    phone.tell(.edit, 0, value: 1)
    var engine = try Self.updated(
      phone, [ReminderDeclaration("other", .opened), own],
      edits: [ReminderDeclaration("other", .unlock)] + edits)
    #expect(Self.tell(&engine, .unlock, at: phone.moment).ids.isEmpty)
    #expect(Self.tell(&engine, .chargingStarted, at: phone.moment).ids == ["r"])
    var without = try Self.updated(phone, [own], edits: [edits[0]])
    #expect(Self.tell(&without, .chargingStarted, at: phone.moment).ids.isEmpty)
    #expect(
      Self.tell(&without, .unlock, at: phone.moment).ids == ["r"],
      "without the edit its own declaration holds")
  }

  @Test func `a later expiry reactivates an expired reminder`() throws {
    var phone = try EngineHarness(
      [ReminderDeclaration("r", .unlock, expires: "2026-03-02 12:00")], at: "2026-03-02 07:00")
    phone.at("2026-03-02 13:00")
    #expect(phone.tell(.unlock).isEmpty)
    var same = try Self.updated(phone, [ReminderDeclaration("r", .unlock, expires: "2026-03-02 12:00")])
    var before = phone.moment
    before.wall = before.wall - .hours(3)
    #expect(Self.tell(&same, .unlock, at: before).ids.isEmpty, "a clock set back revives nothing")
    var longer = try Self.updated(phone, [ReminderDeclaration("r", .unlock, expires: "2026-03-02 14:00")])
    #expect(Self.tell(&longer, .unlock, at: phone.moment).ids == ["r"])
    phone.at("2026-03-02 14:00")
    #expect(Self.tell(&longer, .unlock, at: phone.moment).ids.isEmpty)
  }

  /// A journey to the west repeats a date. A new process must still know which reminders fired on that date.
  @Test(arguments: [Repeat.daily, .weekly, .monthly])
  func `a date that a journey repeats does not let a reminder fire again`(repeats: Repeat) throws {
    var phone = try EngineHarness(
      [ReminderDeclaration("r", .unlock, repeats: repeats)], zones: ["Pacific/Apia", "Pacific/Pago_Pago"],
      at: "2026-06-30 12:00")
    #expect(phone.tell(.unlock) == ["r"], "1 July in Apia")
    phone.moment.zone = ZoneID(1)
    phone.at("2026-07-01 12:00")
    try phone.restart()
    #expect(phone.tell(.unlock).isEmpty, "1 July again, in Pago Pago")
    phone.at("2026-08-03 12:00")
    #expect(phone.tell(.unlock) == ["r"])
  }

  private struct NotARequest: Error {}
}

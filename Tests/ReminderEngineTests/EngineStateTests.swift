import CivilTime
import Foundation
import TestSupport
import Testing
import TriggerModel

@testable import ReminderEngine
@testable import ReminderMatching

/// Tests the state that survives a restart, and that every change of it is stored.
@Suite struct EngineStateTests {
  /// An engine that is ended at random instants and restored from its last stored state must behave like one
  /// that never ends.
  @Test func `restarts have no effect`() throws {
    var zones = ZoneTable()
    for name in RandomReminders.zoneNames { _ = try zones.intern(name) }
    var restarts = 0
    var effectCount = 0
    for seed in 9_000..<UInt64(9_120) {
      var world = RandomReminders(seed: seed, zones: zones)
      var random = SplitMix64(seed: seed)
      let program = try ReminderProgram(
        compiling: world.reminders.map { Self.planned($0, &random) },
        edits: world.edits.map { Self.planned($0, &random) }, names: world.names,
        weekStart: world.weekStart)
      var whole = ReminderEngine(
        program: program, zones: zones, zone: world.moment.zone, explainsMisses: true)
      var ended = whole
      var stored = whole.storedState()
      var isCharging = false
      var requests: [NotificationRequest] = []
      for step in 0..<90 {
        let event = Self.event(&world, requests, &random)
        if event.kind == .chargingStarted { isCharging = true }
        if event.kind == .chargingStopped { isCharging = false }
        if random.chance(20) {
          restarts += 1
          ended = try ReminderEngine(
            program: program, stored: stored, zones: zones, zone: event.moment.zone, explainsMisses: true)
          // A new process reads the state of the charger.
          var none: [EngineEffect] = []
          if isCharging {
            ended.process(
              ObservedEvent(.chargingStarted, value: ObservedEvent.reportedState, at: event.moment),
              into: &none)
            if none.contains(.persist) { stored = ended.storedState() }
          }
        }
        let place: Comment = "seed \(seed), step \(step): \(event)"
        var expected: [EngineEffect] = []
        whole.process(event, into: &expected)
        var found: [EngineEffect] = []
        ended.process(event, into: &found)
        try Self.persist(found, ended, &stored, place)
        try #require(found.filter { $0 != .persist } == expected.filter { $0 != .persist }, place)
        effectCount += expected.count

        let asked = expected.compactMap { if case .request(let request) = $0 { request } else { nil } }
        requests = (requests + asked).suffix(30)
        let answers = Self.answers(to: asked, &random)
        expected = []
        whole.settled(answers, at: event.moment, into: &expected)
        found = []
        ended.settled(answers, at: event.moment, into: &found)
        try Self.persist(found, ended, &stored, place)
        try #require(found.filter { $0 != .persist } == expected.filter { $0 != .persist }, place)
        if step % 8 == 0 { try #require(stored == whole.storedState(), place) }
      }
    }
    #expect(restarts > 1_500)
    #expect(effectCount > 20_000)
  }

  @Test func `an engine continues from the stored state, whatever happened after it was stored`() throws {
    var phone = try EngineHarness([ReminderDeclaration("r", .unlock, repeats: .once)], at: "2026-03-02 07:00")
    let before = phone.engine.storedState()
    #expect(phone.tell(.unlock) == ["r"])
    var effects: [EngineEffect] = []
    var other = try ReminderEngine(
      program: phone.program, stored: before, zones: phone.zones, zone: ZoneID(0))
    other.process(ObservedEvent(.unlock, at: phone.moment), into: &effects)
    #expect(effects.count == 2, "as if it had never fired: a request, and the wish to be stored")
    try phone.restart()
    #expect(phone.tell(.unlock).isEmpty)
  }

  @Test func `a new process knows the facts and places, but not the charger state`() throws {
    let conditions: [Condition] = [
      .inside("shop"), .fact(FactCondition(.value("score"), .less, [.number(thousandths: 40_000)])),
    ]
    var phone = try EngineHarness(
      [
        ReminderDeclaration("place", .unlock, if: conditions),
        ReminderDeclaration("power", .unlock, if: [.charging(true)]),
      ], at: "2026-03-02 07:00")
    phone.tell(.factFound, 0, value: 39_000)
    phone.tell(.regionEntered, 1)
    phone.tell(.chargingStarted)
    #expect(phone.tell(.unlock) == ["place", "power"])
    try phone.restart()
    #expect(phone.tell(.unlock) == ["place"])
    phone.tell(.chargingStarted, value: ObservedEvent.reportedState)
    #expect(phone.tell(.unlock) == ["place", "power"])
  }

  @Test func `a new process knows which reminders were created inside their region`() throws {
    var later = ReminderDeclaration("new", .regionEntered("shop"), repeats: .always)
    later.isCreatedLater = true
    var phone = try EngineHarness(
      [ReminderDeclaration("old", .regionEntered("shop"), repeats: .always), later], at: "2026-03-02 07:00")
    let (shop, initial) = (UInt32(1), ObservedEvent.initialEnter)
    #expect(phone.tell(.regionEntered, shop, value: initial) == ["old"], "the app did not know")
    #expect(phone.tell(.create, 1).isEmpty)
    #expect(phone.effects.contains(.unmonitor(RegionID(shop))))
    try phone.restart()
    #expect(phone.tell(.regionEntered, shop, value: initial) == ["new"])
    #expect(phone.tell(.regionEntered, shop, value: initial).isEmpty)
    #expect(phone.tell(.regionEntered, shop) == ["old", "new"], "the exit was not observed")
    phone.tell(.edit, 0, value: 0)
    phone.tell(.cancel, 1)
    phone.tell(.create, 1)
    phone.tell(.regionExited, shop)
    #expect(phone.tell(.regionEntered, shop) == ["old", "new"])
    #expect(phone.tell(.regionEntered, shop, value: initial).isEmpty)
  }

  @Test func `a fact that the app finds at its start triggers nothing`() throws {
    var phone = try EngineHarness(
      [ReminderDeclaration("r", .factChanged("score"))], at: "2026-03-02 07:00", explainsMisses: true)
    #expect(phone.tell(.factFound, 0, value: 1_000).isEmpty)
    #expect(phone.effects == [.persist])
    #expect(phone.tell(.factChanged, 0, value: 1_000).isEmpty, "it has not changed")
    #expect(phone.tell(.factChanged, 0, value: 2_000) == ["r"])
  }

  /// The hexadecimal numbers at the start of each line of the example are the stored bytes.
  @Test func `the stored state equals the example in the documentation`() throws {
    var phone = try EngineHarness(
      [ReminderDeclaration("milk", .unlock, repeats: .once)], at: "2026-03-02 08:00")
    #expect(phone.tell(.unlock) == ["milk"])
    let file = Repository.root
      .appendingPathComponent("Sources/TriggerModel/Documentation.docc/StoredState.md")
    let text = try String(contentsOf: file, encoding: .utf8)
    let example = try #require(text.components(separatedBy: "## An example").last)
    let lines = try #require(example.components(separatedBy: "```").dropFirst().first)
    let bytes = lines.split(separator: "\n").flatMap { line in
      line.split(separator: " ").map { $0.count == 2 ? UInt8($0, radix: 16) : nil }.prefix { $0 != nil }
    }
    #expect(bytes == phone.engine.storedState())
  }

  @Test func `facts survive a new installation`() throws {
    let score = FactCondition(.value("score"), .equal, [.number(thousandths: 1_000)])
    var phone = try EngineHarness(
      [ReminderDeclaration("r", .unlock, if: [.fact(score)])], at: "2026-03-02 07:00")
    phone.tell(.factFound, 0, value: 1_000)
    phone.tell(.reinstalled)
    #expect(phone.tell(.unlock) == ["r"], "the facts are not the installation's")
  }

  // MARK: Helpers

  /// Stores the state if the effects ask for it. Otherwise the state must be unchanged. Restoring the stored
  /// bytes must yield the same bytes.
  private static func persist(
    _ effects: [EngineEffect], _ engine: ReminderEngine, _ stored: inout [UInt8], _ place: Comment
  ) throws {
    let bytes = engine.storedState()
    if effects.contains(.persist) { stored = bytes }
    try #require(bytes == stored, place)
    if bytes.count % 8 != 0 { return }
    let again = try ReminderEngine(
      program: engine.program, stored: bytes, zones: engine.zones, zone: ZoneID(0))
    try #require(again.storedState() == bytes, place)
  }

  /// Returns the declaration with its schedules requested in advance, and in some cases with a lapse.
  static func planned(_ declaration: ReminderDeclaration, _ random: inout SplitMix64)
    -> ReminderDeclaration
  {
    var declaration = declaration
    let isScheduled = declaration.triggers.contains { if case .scheduled = $0 { true } else { false } }
    declaration.triggers = declaration.triggers.map { trigger in
      guard case .scheduled(var schedule) = trigger else { return trigger }
      schedule.ahead = random.below(4)
      return .scheduled(schedule)
    }
    if !isScheduled, random.chance(15) {
      declaration.triggers.append(.lapsed(Lapse(days: [1, 2, 4], minute: random.below(1_440))))
    }
    return declaration
  }

  /// Returns an event of the world, or the outcome of an earlier request.
  static func event(
    _ world: inout RandomReminders, _ requests: [NotificationRequest], _ random: inout SplitMix64
  ) -> ObservedEvent {
    let event = world.event()
    guard random.chance(20), !requests.isEmpty else { return event }
    let request = random.one(of: requests)
    let kind = random.one(of: [
      ObservedEvent.Kind.delivered, .addFailed, .pendingDropped, .woken, .permissionChanged, .cancelAll,
    ])
    if kind == .permissionChanged {
      let permission: NotificationPermission = random.chance(50) ? .denied : .authorized
      return ObservedEvent(kind, value: Int64(permission.rawValue), at: event.moment)
    }
    return ObservedEvent(
      kind, subject: request.id.reminder.rawValue, value: Int64(request.id.occurrence), at: event.moment)
  }

  static func answers(to requests: [NotificationRequest], _ random: inout SplitMix64)
    -> [EngineEffect]
  {
    requests.map { request in
      switch random.below(4) {
      case 0: .decided(request, Decision(outcome: .deny, reason: .dailyCap))
      case 1: .decided(request, Decision(outcome: .defer, reason: .quietHours))
      default: .decided(request, .admitted)
      }
    }
  }
}

import CivilTime
import ReminderEngine
import ReminderMatching
import TestSupport
import Testing
import TriggerModel

@Suite struct MatchingPropertyTests {
  /// Compares requests, misses with their reasons, and totals, for random reminders and events.
  @Test func `the engine agrees with the reference engine`() throws {
    let zones = try Self.zones()
    var requests = 0
    for seed in 0..<UInt64(150) {
      var world = RandomReminders(seed: seed, zones: zones)
      let program = try ReminderProgram(
        compiling: world.reminders, edits: world.edits, names: world.names, weekStart: world.weekStart)
      var engine = ReminderEngine(
        program: program, zones: zones, zone: world.moment.zone, explainsMisses: true)
      var obvious = NaiveEngine(
        world.reminders, edits: world.edits, names: world.names, weekStart: world.weekStart, zones: zones)
      let types = program.declarations.map { program.names.type($0.notification.type) }
      for step in 0..<80 {
        let event = Self.nextEvent(&world, obvious)
        var effects: [EngineEffect] = []
        engine.process(event, into: &effects)
        obvious.process(event)
        let place: Comment = "seed \(seed), step \(step): \(event)"
        try #require(Self.requests(effects, types) == obvious.requests, place)
        try #require(Self.sorted(Self.misses(effects)) == Self.sorted(obvious.misses), place)
        // Admit half of the requests, because only shown notifications can be snoozed.
        if step % 2 == 0 { Self.admit(effects, event.moment, &engine, &obvious, types) }
        requests += obvious.requests.count
      }
      Self.expectSameTotals(engine.totals, obvious, seed)
    }
    #expect(requests > 5_000, "the property would hold of an engine that never fires")
  }

  /// A copy must continue exactly as the original would, and the two must not affect each other.
  @Test func `copies are independent`() throws {
    let zones = try Self.zones()
    for seed in 1_000..<UInt64(1_040) {
      var world = RandomReminders(seed: seed, zones: zones)
      let program = try ReminderProgram(
        compiling: world.reminders, edits: world.edits, names: world.names, weekStart: world.weekStart)
      var original = ReminderEngine(program: program, zones: zones, zone: world.moment.zone)
      for _ in 0..<30 {
        var ignored: [EngineEffect] = []
        original.process(world.event(), into: &ignored)
      }
      var copy = original
      var branch = world
      var first: [EngineEffect] = []
      for _ in 0..<40 { original.process(world.event(), into: &first) }
      var second: [EngineEffect] = []
      for _ in 0..<40 { copy.process(branch.event(), into: &second) }
      #expect(first == second, "seed \(seed)")
      #expect(original.totals == copy.totals, "seed \(seed)")
    }
  }

  /// The matches must be the same whether misses are reported or only counted.
  @Test func `reporting misses does not change the matches`() throws {
    let zones = try Self.zones()
    for seed in 2_000..<UInt64(2_060) {
      var world = RandomReminders(seed: seed, zones: zones)
      let program = try ReminderProgram(compiling: world.reminders, edits: world.edits, names: world.names)
      var engine = ReminderEngine(program: program, zones: zones, zone: world.moment.zone)
      var telling = engine
      var plain = MatchBuffer()
      var told = MatchBuffer(wantsMisses: true)
      for _ in 0..<60 {
        let event = world.event()
        engine.match(event, into: &plain)
        telling.match(event, into: &told)
        try #require(plain.matches == told.matches, "seed \(seed)")
      }
      #expect(engine.totals == telling.totals, "seed \(seed)")
    }
  }

  /// Tests the fast path, with a trigger that has several words of plain reminders.
  @Test(arguments: [130, 300, 900, 2_400])
  func `many plain reminders agree with the reference engine`(count: Int) throws {
    let zones = try Self.zones()
    var requests = 0
    for seed in 3_000..<UInt64(3_004) {
      var world = RandomReminders(seed: seed, zones: zones, plainCount: count)
      let program = try ReminderProgram(
        compiling: world.reminders, edits: world.edits, names: world.names, weekStart: world.weekStart)
      var engine = ReminderEngine(program: program, zones: zones, zone: world.moment.zone)
      var obvious = NaiveEngine(
        world.reminders, edits: world.edits, names: world.names, weekStart: world.weekStart, zones: zones)
      let types = program.declarations.map { program.names.type($0.notification.type) }
      for step in 0..<50 {
        let event = world.event()
        var effects: [EngineEffect] = []
        engine.process(event, into: &effects)
        obvious.process(event)
        let place: Comment = "seed \(seed), step \(step): \(event)"
        try #require(Self.requests(effects, types) == obvious.requests, place)
        requests += obvious.requests.count
      }
      Self.expectSameTotals(engine.totals, obvious, seed)
    }
    #expect(requests > count, "the property would hold of an engine that never fires")
  }

  /// Evaluations that report misses keep all rows, and other evaluations keep none. Alternating between them
  /// must not affect the results.
  @Test(arguments: [130, 900])
  func `evaluations with and without reported misses can alternate`(count: Int) throws {
    let zones = try Self.zones()
    for seed in 4_000..<UInt64(4_008) {
      var world = RandomReminders(seed: seed, zones: zones, plainCount: count)
      var random = SplitMix64(seed: seed)
      let program = try ReminderProgram(compiling: world.reminders, edits: world.edits, names: world.names)
      var mixed = ReminderEngine(program: program, zones: zones, zone: world.moment.zone)
      var telling = mixed
      var plain = MatchBuffer()
      var (told, toldAgain) = (MatchBuffer(wantsMisses: true), MatchBuffer(wantsMisses: true))
      for _ in 0..<120 {
        let event = world.event()
        telling.match(event, into: &told)
        if random.chance(40) {
          mixed.match(event, into: &toldAgain)
          try #require(toldAgain.matches == told.matches && toldAgain.misses == told.misses, "seed \(seed)")
        } else {
          mixed.match(event, into: &plain)
          try #require(plain.matches == told.matches, "seed \(seed)")
        }
        try #require(mixed.totals == telling.totals, "seed \(seed)")
      }
    }
  }

  // MARK: Helpers

  private static func zones() throws -> ZoneTable {
    var zones = ZoneTable()
    for name in RandomReminders.zoneNames { _ = try zones.intern(name) }
    return zones
  }

  /// Returns the next event. One event in five is a wake-up that a reminder requested.
  private static func nextEvent(_ world: inout RandomReminders, _ obvious: NaiveEngine) -> ObservedEvent {
    var random = SplitMix64(seed: UInt64(bitPattern: world.moment.wall.millisecondsSince1970))
    let waking = world.reminders.indices.filter { reminder in
      obvious.wake(of: reminder).map { $0 < world.moment.wall + .days(3) } ?? false
    }
    guard random.chance(20), !waking.isEmpty else { return world.event() }
    let reminder = random.one(of: waking)
    return world.wake(reminder, at: obvious.wake(of: reminder) ?? world.moment.wall)
  }

  private static func requests(_ effects: [EngineEffect], _ types: [TypeID?]) -> [NaiveEngine.Request] {
    effects.compactMap { effect in
      guard case .request(let request) = effect else { return nil }
      return NaiveEngine.Request(
        reminder: request.id.reminder.index, declaration: types.firstIndex(of: request.type) ?? -1,
        occurrence: request.id.occurrence)
    }
  }

  private static func admit(
    _ effects: [EngineEffect], _ moment: Moment, _ engine: inout ReminderEngine,
    _ obvious: inout NaiveEngine, _ types: [TypeID?]
  ) {
    var ignored: [EngineEffect] = []
    for case .request(let request) in effects {
      engine.settled([.decided(request, .admitted)], at: moment, into: &ignored)
    }
    for (effect, request) in zip(effects.filter(\.isRequest), requests(effects, types)) {
      if case .request(let asked) = effect, asked.deliverAt <= moment.wall { obvious.show(request) }
    }
  }

  private static func misses(_ effects: [EngineEffect]) -> [NaiveEngine.NoRequest] {
    effects.compactMap { effect in
      guard case .noRequest(let reminder, let reason, let failed) = effect else { return nil }
      return NaiveEngine.NoRequest(reminder: reminder.index, reason: reason, failed: failed)
    }
  }

  private static func sorted(_ misses: [NaiveEngine.NoRequest]) -> [NaiveEngine.NoRequest] {
    misses.sorted { $0.reminder < $1.reminder }
  }

  private static func expectSameTotals(_ totals: MatchTotals, _ obvious: NaiveEngine, _ seed: UInt64) {
    let expected = obvious.totals
    #expect(totals.triggered == expected.triggered, "seed \(seed)")
    #expect(totals.matched == expected.matched, "seed \(seed)")
    #expect(totals.failedCharging == expected.charging, "seed \(seed)")
    #expect(totals.failedWeekdays == expected.weekdays, "seed \(seed)")
    #expect(totals.failedRegion == expected.region, "seed \(seed)")
    #expect(totals.failedTimeWindow == expected.timeWindow, "seed \(seed)")
    #expect(totals.failedOther == expected.other, "seed \(seed)")
    #expect(totals.triggered == totals.matched + totals.failed, "seed \(seed)")
  }
}

extension EngineEffect {
  fileprivate var isRequest: Bool {
    if case .request = self { true } else { false }
  }
}

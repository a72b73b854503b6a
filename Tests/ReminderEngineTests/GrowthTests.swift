import CivilTime
import TestSupport
import Testing
import TriggerModel

@testable import ReminderEngine
@testable import ReminderMatching

/// Compares engines that add, replace and remove reminders at run time with engines compiled with the same
/// reminders.
@Suite struct GrowthTests {
  /// A world that starts with some reminders, to which the others are added one by one.
  struct Growing {
    var world: RandomReminders
    var random: SplitMix64
    let names: EngineNames
    /// The reminders, in the order in which they are added. Each is created by an event.
    let reminders: [ReminderDeclaration]
    let edits: [ReminderDeclaration]
    var count: Int

    init(seed: UInt64, zones: ZoneTable) {
      let world = RandomReminders(seed: seed, zones: zones)
      var random = SplitMix64(seed: seed)
      let count = random.below(world.reminders.count + 1)
      self.count = count
      let first = world.reminders.prefix(count).map { EngineStateTests.planned($0, &random) }
      var later = world.reminders.dropFirst(count).map { EngineStateTests.planned($0, &random) }
      for index in later.indices { later[index].isCreatedLater = true }
      // Change the names, so that their order differs from the order of addition.
      reminders = (first + later).map { declaration in
        var declaration = declaration
        declaration.id = "r\(declaration.id.hashedOrder)"
        return declaration
      }
      let ids = Dictionary(
        uniqueKeysWithValues: zip(world.reminders.map(\.id), reminders.map(\.id)))
      // Edits affect the order of requests at an instant, so half of the seeds have none.
      edits = (seed % 2 == 0 ? [] : world.edits).compactMap { edit in
        guard let index = world.reminders.firstIndex(where: { $0.id == edit.id }), index < count else {
          return nil
        }
        var edit = EngineStateTests.planned(edit, &random)
        edit.id = ids[edit.id] ?? ""
        return edit
      }
      names = EngineNames(
        apps: world.names.apps, regions: world.names.regions, facts: world.names.facts,
        types: (reminders + edits).map(\.notification.type))
      self.world = world
      self.random = random
    }

    func program(of count: Int) throws -> ReminderProgram {
      try ReminderProgram(
        compiling: Array(reminders.prefix(count)), edits: edits, names: names, weekStart: world.weekStart)
    }

    /// Returns the next event, or `nil` if it concerns a reminder that has not been added.
    mutating func event(_ requests: [NotificationRequest]) -> ObservedEvent? {
      let event = EngineStateTests.event(&world, requests, &random)
      switch event.kind {
      case .snooze, .cancel, .create: return event.subject < count ? event : nil
      case .edit:
        guard let edit = edits.indices.randomElement(using: &random) else { return nil }
        let subject = reminders.firstIndex { $0.id == edits[edit].id } ?? 0
        return ObservedEvent(.edit, subject: UInt32(subject), value: Int64(edit), at: event.moment)
      default: return event
      }
    }
  }

  /// The requests, their order, the misses, the wake-ups and the stored state must equal those of an engine
  /// compiled with all reminders. Processes end in between.
  @Test func `an added reminder behaves like a compiled one`() throws {
    let zones = try Self.zones()
    var (added, restarts, effects) = (0, 0, 0)
    for seed in 20_000..<UInt64(20_200) {
      var growing = Growing(seed: seed, zones: zones)
      let zone = growing.world.moment.zone
      let whole = try growing.program(of: growing.reminders.count)
      var expected = ReminderEngine(program: whole, zones: zones, zone: zone, explainsMisses: true)
      var found = ReminderEngine(
        program: try growing.program(of: growing.count), zones: zones, zone: zone, explainsMisses: true)
      var requests: [NotificationRequest] = []
      let isInOrder = growing.edits.isEmpty
      for step in 0..<100 {
        let place: Comment = "seed \(seed), step \(step)"
        if growing.count < growing.reminders.count, growing.random.chance(60) {
          for _ in 0...growing.random.below(4) where growing.count < growing.reminders.count {
            var ignored: [EngineEffect] = []
            let reminder = try found.add(
              growing.reminders[growing.count], at: growing.world.moment, into: &ignored)
            try #require(reminder.index == growing.count)
            growing.count += 1
            added += 1
            let made = ObservedEvent(.create, subject: reminder.rawValue, at: growing.world.moment)
            requests += try Self.tell(made, &found, &expected, place, inOrder: isInOrder)
          }
        }
        if growing.random.chance(6) {
          restarts += 1
          found = try ReminderEngine(
            program: try growing.program(of: growing.count), stored: found.storedState(), zones: zones,
            zone: growing.world.moment.zone, explainsMisses: true)
          expected = try ReminderEngine(
            program: whole, stored: expected.storedState(), zones: zones, zone: growing.world.moment.zone,
            explainsMisses: true)
        }
        guard let event = growing.event(requests) else { continue }
        let before = (found.totals, expected.totals)
        let asked = try Self.tell(event, &found, &expected, place, inOrder: isInOrder)
        effects += asked.count
        requests = (requests + asked).suffix(30)
        try #require(
          Self.difference(found.totals, before.0) == Self.difference(expected.totals, before.1), place)
        let answers = EngineStateTests.answers(to: asked, &growing.random)
        var (a, b): ([EngineEffect], [EngineEffect]) = ([], [])
        found.settled(answers, at: event.moment, into: &a)
        expected.settled(answers, at: event.moment, into: &b)
        try #require(Self.lasting(a) == Self.lasting(b), place)
        if step % 5 == 0 { try #require(found.storedState() == expected.storedState(), place) }
      }
    }
    #expect(added > 1_500)
    #expect(restarts > 500)
    #expect(effects > 5_000)
  }

  /// A reminder that is replaced, or removed and added again, must behave like an edited reminder.
  @Test func `a replaced reminder behaves like an edited one`() throws {
    let zones = try Self.zones()
    var (replaced, compactions) = (0, 0)
    for seed in 30_000..<UInt64(30_080) {
      var growing = Growing(seed: seed, zones: zones)
      let all = growing.reminders.map { declaration in
        var declaration = declaration
        declaration.isCreatedLater = false
        return declaration
      }
      growing.count = all.count
      // All replacements are chosen in advance. The type of a request identifies the replacement that made
      // it.
      let steps = 140
      var edits: [ReminderDeclaration] = []
      for _ in 0..<steps {
        var edit = growing.random.one(of: all)
        edit.conditions = growing.random.one(of: all).conditions
        edit.triggers = growing.random.one(of: all).triggers
        edit.repeats = growing.random.one(of: all).repeats
        edits.append(edit)
      }
      let names = growing.names
      let whole = try ReminderProgram(
        compiling: all, edits: edits, names: names, weekStart: growing.world.weekStart)
      let zone = growing.world.moment.zone
      var expected = ReminderEngine(program: whole, zones: zones, zone: zone, explainsMisses: true)
      var found = ReminderEngine(
        program: try ReminderProgram(compiling: all, names: names, weekStart: growing.world.weekStart),
        zones: zones, zone: zone, explainsMisses: true)
      var requests: [NotificationRequest] = []
      var size = 0
      // The two engines keep edited reminders at different positions, so their requests are in different
      // orders.
      let isInOrder = false
      for step in 0..<steps {
        let place: Comment = "seed \(seed), step \(step)"
        if growing.random.chance(70) {
          let reminder = try #require(whole.reminder(named: edits[step].id))
          var (a, b): ([EngineEffect], [EngineEffect]) = ([], [])
          let isAgain = growing.random.chance(30)
          if isAgain {
            found.remove(reminder, at: growing.world.moment, into: &a)
            #expect(try found.add(edits[step], at: growing.world.moment, into: &a) == reminder)
          } else {
            try found.replace(reminder, with: edits[step], at: growing.world.moment, into: &a)
          }
          let edit = ObservedEvent(
            .edit, subject: reminder.rawValue, value: Int64(step), at: growing.world.moment)
          expected.process(edit, into: &b)
          if !isAgain { try #require(Self.lasting(a) == Self.lasting(b), place) }
          replaced += 1
          if found.program.declarations.count < size { compactions += 1 }
          size = found.program.declarations.count
        }
        let event = EngineStateTests.event(&growing.world, requests, &growing.random)
        // Creating a removed reminder again restores its own declaration, which discards the edit.
        if event.kind == .edit || event.kind == .create { continue }
        let asked = try Self.tell(event, &found, &expected, place, inOrder: isInOrder)
        requests = (requests + asked).suffix(30)
        let answers = EngineStateTests.answers(to: asked, &growing.random)
        var (a, b): ([EngineEffect], [EngineEffect]) = ([], [])
        found.settled(answers, at: event.moment, into: &a)
        expected.settled(answers, at: event.moment, into: &b)
        try #require(Self.lasting(a) == Self.lasting(b), place)
      }
    }
    #expect(replaced > 5_000)
    #expect(compactions > 20)
  }

  /// Starts with an empty program, so that every table has to grow repeatedly.
  @Test func `an empty program grows to any number of reminders`() throws {
    let zones = try Self.zones()
    for seed in 40_000..<UInt64(40_006) {
      let worlds = (0..<10).map { RandomReminders(seed: seed * 100 + $0, zones: zones) }
      var declarations: [ReminderDeclaration] = []
      for (number, var declaration) in worlds.flatMap(\.reminders).enumerated() {
        declaration.id = "r\("\(number)".hashedOrder)"
        declaration.notification.type = "t"
        declaration.isCreatedLater = true
        declarations.append(declaration)
      }
      var world = worlds[0]
      let names = EngineNames(
        apps: world.names.apps, regions: world.names.regions, facts: world.names.facts, types: ["t"])
      let whole = try ReminderProgram(compiling: declarations, names: names)
      var expected = ReminderEngine(
        program: whole, zones: zones, zone: world.moment.zone, explainsMisses: true)
      let none = try ReminderProgram(compiling: [], names: names)
      var found = ReminderEngine(program: none, zones: zones, zone: world.moment.zone, explainsMisses: true)
      let isInOrder = true
      for (step, declaration) in declarations.enumerated() {
        let place: Comment = "seed \(seed), step \(step)"
        var ignored: [EngineEffect] = []
        let reminder = try found.add(declaration, at: world.moment, into: &ignored)
        let made = ObservedEvent(.create, subject: reminder.rawValue, at: world.moment)
        _ = try Self.tell(made, &found, &expected, place, inOrder: isInOrder)
        if step % 3 > 0 { continue }
        let event = world.event()
        if [.snooze, .cancel, .create, .edit].contains(event.kind) { continue }
        _ = try Self.tell(event, &found, &expected, place, inOrder: isInOrder)
      }
      #expect(found.storedState() == expected.storedState())
      #expect(none.reminderCount == 0, "the program that others may share has not changed")
    }
  }

  /// A copy and its original must continue independently, whichever of them adds a reminder.
  @Test func `copies of a growing engine are independent`() throws {
    let zones = try Self.zones()
    for seed in 50_000..<UInt64(50_020) {
      var growing = Growing(seed: seed, zones: zones)
      var original = ReminderEngine(
        program: try growing.program(of: growing.count), zones: zones, zone: growing.world.moment.zone)
      let copy = original
      var other = original
      var ignored: [EngineEffect] = []
      for declaration in growing.reminders.dropFirst(growing.count) {
        try original.add(declaration, at: growing.world.moment, into: &ignored)
        try other.add(declaration, at: growing.world.moment, into: &ignored)
      }
      #expect(copy.program.reminderCount == growing.count)
      var plain = copy
      for _ in 0..<60 {
        let event = growing.world.event()
        if [.snooze, .cancel, .create, .edit].contains(event.kind) { continue }
        var (a, b, c): ([EngineEffect], [EngineEffect], [EngineEffect]) = ([], [], [])
        original.process(event, into: &a)
        other.process(event, into: &b)
        #expect(a == b)
        plain.process(event, into: &c)
      }
      let again = try ReminderEngine(
        program: growing.program(of: growing.count), stored: plain.storedState(), zones: zones,
        zone: growing.world.moment.zone)
      #expect(again.storedState() == plain.storedState())
    }
  }

  /// Repeated replacements must not increase the memory without bound.
  @Test func `repeated replacements do not accumulate memory`() throws {
    let phone = try EngineHarness(
      [ReminderDeclaration("a", .unlock), ReminderDeclaration("b", .unlock)], at: "2026-03-02 07:00")
    var engine = phone.engine
    var effects: [EngineEffect] = []
    for round in 0..<3_000 {
      let condition = Condition.timeWindow(DailyWindow(from: round % 1_440, to: (round + 60) % 1_440))
      try engine.replace(
        ReminderID(round % 2),
        with: ReminderDeclaration(round % 2 == 0 ? "a" : "b", .unlock, if: [condition]),
        at: phone.moment, into: &effects)
    }
    #expect(engine.program.declarations.count < 300)
    #expect(engine.program.tableBytes < 100_000)
    #expect(engine.stateBytes < 100_000)
  }

  @Test func `invalid declarations are rejected`() throws {
    let phone = try EngineHarness([ReminderDeclaration("a", .unlock)], at: "2026-03-02 07:00")
    var engine = phone.engine
    var effects: [EngineEffect] = []
    func error(_ declaration: ReminderDeclaration, in place: UInt32? = nil) -> ReminderCompileError? {
      do throws(ReminderCompileError) {
        if let place {
          try engine.replace(ReminderID(place), with: declaration, at: phone.moment, into: &effects)
        } else {
          try engine.add(declaration, at: phone.moment, into: &effects)
        }
        return nil
      } catch { return error }
    }
    #expect(error(ReminderDeclaration("a", .unlock))?.code == .duplicateID)
    #expect(error(ReminderDeclaration("b", .unlock))?.subject == "b", "a type of its own has no caps")
    var place = ReminderDeclaration("b", .regionEntered("nowhere"))
    place.notification.type = "a"
    #expect(error(place)?.subject == "nowhere")
    #expect(error(ReminderDeclaration("b", .unlock), in: 0)?.code == .unknownName)
    #expect(error(ReminderDeclaration("a", .unlock), in: 7)?.code == .unknownName)
    #expect(engine.program.declarations == phone.program.declarations)
  }

  // MARK: Helpers

  static func zones() throws -> ZoneTable {
    var zones = ZoneTable()
    for name in RandomReminders.zoneNames { _ = try zones.intern(name) }
    return zones
  }

  /// Sends an event to both engines and checks that their effects are equal.
  ///
  /// - Parameter inOrder: Whether the order across reminders must also be equal.
  /// - Returns: The requests that the event caused.
  private static func tell(
    _ event: ObservedEvent, _ found: inout ReminderEngine, _ expected: inout ReminderEngine, _ place: Comment,
    inOrder: Bool
  ) throws -> [NotificationRequest] {
    var (a, b): ([EngineEffect], [EngineEffect]) = ([], [])
    found.process(event, into: &a)
    expected.process(event, into: &b)
    try #require(lasting(a, inOrder: inOrder) == lasting(b, inOrder: inOrder), "\(place): \(event)")
    return a.compactMap { if case .request(let request) = $0 { request.unranked } else { nil } }
  }

  /// Returns the effects that do not depend on reminders that are added later. Removes ranks, because their
  /// numbers differ.
  static func lasting(_ effects: [EngineEffect], inOrder: Bool = false) -> [EngineEffect] {
    let lasting: [EngineEffect] = effects.compactMap { effect in
      switch effect {
      case .monitor, .unmonitor, .persist: return nil
      case .request(let request): return .request(request.unranked)
      case .decided(let request, let decision): return .decided(request.unranked, decision)
      case .add(let request): return .add(request.unranked)
      case .dropped(let request, let reason): return .dropped(request.unranked, reason)
      default: return effect
      }
    }
    if inOrder { return lasting }
    return lasting.enumerated().sorted {
      ($0.element.reminder, $0.offset) < ($1.element.reminder, $1.offset)
    }.map(\.element)
  }

  private static func difference(_ totals: MatchTotals, _ before: MatchTotals) -> [Int64] {
    [
      totals.triggered - before.triggered, totals.matched - before.matched,
      totals.failedCharging - before.failedCharging, totals.failedWeekdays - before.failedWeekdays,
      totals.failedRegion - before.failedRegion, totals.failedTimeWindow - before.failedTimeWindow,
      totals.failedOther - before.failedOther, totals.staleData - before.staleData,
      totals.lowConfidence - before.lowConfidence, totals.notEntitled - before.notEntitled,
    ]
  }
}

extension String {
  /// The string with a prefix that changes its sort order.
  fileprivate var hashedOrder: String {
    let sum = utf8.reduce(UInt32(7)) { ($0 &* 31 &+ UInt32($1)) &* 2_654_435_761 }
    return "\(sum % 977)-\(self)"
  }
}

extension NotificationRequest {
  fileprivate var unranked: NotificationRequest {
    var request = self
    request.rank = 0
    return request
  }
}

extension EngineEffect {
  /// The reminder that the effect concerns.
  fileprivate var reminder: UInt32 {
    switch self {
    case .request(let request), .add(let request): request.id.reminder.rawValue
    case .decided(let request, _), .dropped(let request, _): request.id.reminder.rawValue
    case .noRequest(let reminder, _, _), .withdraw(let reminder, _), .removeShown(let reminder),
      .wake(let reminder, _):
      reminder.rawValue
    case .remove(let request, _): request.reminder.rawValue
    case .monitor, .unmonitor, .watch, .unwatch, .wakeForRelease, .persist, .storeUnusable: .max
    }
  }
}

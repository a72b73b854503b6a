import CivilTime
import ReminderEngine
import ReminderMatching
import TestSupport
import Testing
import TriggerModel

/// Tests that a match is kept only if its request is admitted or deferred. 2026-03-02 is a Monday.
@Suite struct UndoTests {
  private func phone(_ repeats: Repeat, _ triggers: [Trigger] = [.unlock]) throws -> EngineHarness {
    var declaration = ReminderDeclaration("r", .unlock, repeats: repeats)
    declaration.triggers = triggers
    return try EngineHarness([declaration], at: "2026-03-02 10:00")
  }

  @Test(arguments: [Repeat.once, .daily, .weekly, .monthly])
  func `a denied request consumes nothing`(repeats: Repeat) throws {
    var phone = try phone(repeats)
    for _ in 0..<3 {
      #expect(phone.tell(.unlock) == ["r"])
      let request = try #require(phone.requests.first)
      phone.decide(request, .deny)
      #expect(phone.effects == [.persist], "it is looked at again when its trigger comes, not before")
      #expect(phone.explain(0)?.status == .waiting)
    }
    #expect(phone.tell(.unlock) == ["r"])
    #expect(phone.requests.first?.id.occurrence == 3, "a number is used once")
    phone.decide(try #require(phone.requests.first), .admit)
    #expect(phone.tell(.unlock).isEmpty)
  }

  @Test(arguments: [ObservedEvent.Kind.addFailed, .pendingDropped])
  func `a request that the system refuses or drops consumes nothing`(kind: ObservedEvent.Kind) throws {
    var phone = try phone(.once)
    phone.tell(.unlock)
    let request = try #require(phone.requests.first)
    phone.decide(request, .admit)
    // A request that the system dropped is made again immediately if it was already due.
    #expect(phone.tell(kind, of: request.id) == (kind == .pendingDropped ? ["r"] : []))
    #expect(phone.tell(.unlock) == (kind == .pendingDropped ? [] : ["r"]))
    phone.tell(kind, of: request.id)
    #expect(phone.tell(.unlock).isEmpty, "the same request is refused once")
  }

  @Test func `a delivered request stays consumed`() throws {
    var phone = try phone(.once)
    phone.tell(.unlock)
    let request = try #require(phone.requests.first)
    phone.decide(request, .admit)
    // The matches of many other reminders make the engine discard old records.
    var busy = try EngineHarness(
      (0..<40).map { ReminderDeclaration("r\($0)", .unlock, repeats: .daily) }, at: "2026-03-02 10:00")
    busy.tell(.unlock)
    let first = try #require(busy.requests.first)
    for day in 3...5 {
      busy.at("2026-03-0\(day) 10:00")
      busy.tell(.unlock)
    }
    busy.answer(.remove(first.id, .preempted))
    #expect(busy.tell(.unlock).isEmpty)
  }

  @Test(arguments: [Reason.cancelled, .superseded])
  func `a cancelled or replaced request stays consumed`(reason: Reason) throws {
    var phone = try phone(.once)
    phone.tell(.unlock)
    phone.answer(.remove(try #require(phone.requests.first).id, reason))
    #expect(phone.tell(.unlock).isEmpty)
  }

  @Test func `a deferred request counts as a match until it is dropped`() throws {
    var phone = try phone(.once)
    phone.tell(.unlock)
    let request = try #require(phone.requests.first)
    phone.decide(request, .defer)
    phone.at("2026-03-05 10:00")
    #expect(phone.tell(.unlock).isEmpty)
    try phone.restart()
    phone.answer(.dropped(request, .expiredAtRelease))
    #expect(phone.tell(.unlock) == ["r"], "three days and a restart later")
  }

  @Test func `a denial restores the earlier match`() throws {
    var phone = try phone(.daily)
    phone.tell(.unlock)
    phone.decide(try #require(phone.requests.first), .admit)
    phone.at("2026-03-03 10:00")
    phone.tell(.unlock)
    phone.decide(try #require(phone.requests.first), .deny)
    // The clock is set back to the day of the admitted match.
    phone.at("2026-03-02 11:00")
    #expect(phone.tell(.unlock).isEmpty)
    phone.at("2026-03-03 11:00")
    #expect(phone.tell(.unlock) == ["r"])
  }

  @Test func `the loss of an earlier request does not affect the later match`() throws {
    var phone = try phone(.daily)
    phone.tell(.unlock)
    let older = try #require(phone.requests.first)
    phone.decide(older, .defer)
    phone.at("2026-03-03 06:59")
    phone.tell(.unlock)
    let later = try #require(phone.requests.first)
    phone.answer(.dropped(older, .staleAtRelease))
    #expect(phone.tell(.unlock).isEmpty)
    phone.decide(later, .deny)
    #expect(phone.tell(.unlock) == ["r"])
    phone.decide(try #require(phone.requests.first), .deny)
    phone.at("2026-03-02 11:00")
    #expect(phone.tell(.unlock) == ["r"], "neither of the two days had its turn")
  }

  @Test func `after a denial, all triggers are evaluated again`() throws {
    var phone = try phone(.daily, [.unlock, .opened])
    phone.tell(.unlock)
    phone.decide(try #require(phone.requests.first), .deny)
    #expect(phone.tell(.opened) == ["r"])
    #expect(phone.tell(.unlock).isEmpty)
  }

  @Test func `a denial does not undo a snooze, cancellation, expiry or edit`() throws {
    let until = EngineHarness.instant("2026-03-02 12:00")
    for change in [ObservedEvent.Kind.cancel, .snooze] {
      var phone = try phone(.once)
      phone.tell(.unlock)
      let request = try #require(phone.requests.first)
      phone.tell(change, 0, value: until.millisecondsSince1970)
      phone.decide(request, .deny)
      #expect(phone.tell(.unlock).isEmpty, "\(change)")
      phone.at("2026-03-02 12:00")
      #expect(phone.tell(.unlock).isEmpty == (change == .cancel), "\(change)")
    }

    var phone = try EngineHarness(
      [ReminderDeclaration("r", .unlock, repeats: .once, expires: "2026-03-02 11:00")],
      at: "2026-03-02 10:00")
    phone.tell(.unlock)
    let request = try #require(phone.requests.first)
    phone.decide(request, .defer)
    phone.at("2026-03-02 11:00")
    phone.decide(request, .deny)
    #expect(phone.tell(.unlock).isEmpty)

    phone = try EngineHarness(
      [ReminderDeclaration("r", .unlock, repeats: .once)],
      edits: [ReminderDeclaration("r", .unlock, repeats: .once)], at: "2026-03-02 10:00")
    phone.tell(.unlock)
    let old = try #require(phone.requests.first)
    phone.tell(.edit, 0, value: 0)
    #expect(phone.tell(.unlock) == ["r"])
    phone.decide(old, .deny)
    #expect(phone.tell(.unlock).isEmpty, "what was before the edit is of no importance")
  }

  @Test(arguments: [Repeat.once, .weekly, .monthly])
  func `after a denied occurrence, the next one is requested`(repeats: Repeat) throws {
    let start = CivilDate(year: 2026, month: 3, day: 1)
    let daily = Schedule(
      Recurrence(start: start, minute: 540, frequency: .daily, interval: 1), ahead: 3)
    var phone = try phone(repeats, [.scheduled(daily)])
    phone.tell(.launched)
    for day in 3...6 {
      let nine = EngineHarness.instant("2026-03-0\(day) 09:00")
      #expect(phone.requests.first?.deliverAt == nine, "day \(day)")
      let asked = phone.requests
      var wakes: [Instant] = []
      for request in asked.reversed() {
        phone.decide(request, .deny)
        wakes = phone.wakes
        #expect(phone.requests.isEmpty)
      }
      if asked.count > 1 { break }
      #expect(wakes == [nine], "not before")
      phone.at("2026-03-0\(day) 09:00")
      phone.tell(.woken)
    }
  }

  /// Compares random denials and deferrals with the reference engine.
  @Test func `random denials and deferrals agree with the reference engine`() throws {
    var zones = ZoneTable()
    for name in RandomReminders.zoneNames { _ = try zones.intern(name) }
    var undone = 0
    for seed in 5_000..<UInt64(5_120) {
      var world = RandomReminders(seed: seed, zones: zones)
      let program = try ReminderProgram(
        compiling: world.reminders, edits: world.edits, names: world.names, weekStart: world.weekStart)
      var engine = ReminderEngine(program: program, zones: zones, zone: world.moment.zone)
      var obvious = NaiveEngine(
        world.reminders, edits: world.edits, names: world.names, weekStart: world.weekStart, zones: zones)
      var random = SplitMix64(seed: seed)
      var held: [(NotificationRequest, NaiveEngine.Request)] = []
      for step in 0..<80 {
        let event = world.event()
        var effects: [EngineEffect] = []
        engine.process(event, into: &effects)
        obvious.process(event)
        let requests = effects.compactMap { if case .request(let request) = $0 { request } else { nil } }
        try #require(
          requests.map(\.id.reminder.index) == obvious.requests.map(\.reminder), "seed \(seed), step \(step)")
        try #require(
          requests.map(\.id.occurrence) == obvious.requests.map(\.occurrence), "seed \(seed), step \(step)")
        // A request that a snooze withdraws is no longer deferred.
        for case .remove(let id, .superseded) in effects { held.removeAll { $0.0.id == id } }
        var answers: [EngineEffect] = []
        held.shuffle(using: &random)
        let released = held.suffix(random.below(held.count + 1))
        held.removeLast(released.count)
        for (request, mirror) in released + Array(zip(requests, obvious.requests)) {
          switch random.below(4) {
          case 0:
            answers.append(.decided(request, Decision(outcome: .deny, reason: .dailyCap)))
            obvious.undo(mirror, event.moment)
            undone += 1
          case 1:
            answers.append(.decided(request, Decision(outcome: .defer, reason: .quietHours)))
            held.append((request, mirror))
            obvious.putOff(mirror)
          default:
            answers.append(.decided(request, .admitted))
            if request.deliverAt <= event.moment.wall { obvious.show(mirror) }
          }
        }
        effects = []
        engine.settled(answers, at: event.moment, into: &effects)
        let others = effects.filter { $0 != .persist }
        try #require(others.isEmpty, "seed \(seed), step \(step)")
      }
    }
    #expect(undone > 2_000)
  }
}

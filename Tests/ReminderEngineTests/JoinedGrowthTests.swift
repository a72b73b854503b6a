import CivilTime
import NotificationGateway
import ReminderMatching
import TestSupport
import Testing
import TriggerEngine
import TriggerModel

@testable import ReminderEngine

/// Adds reminders to the complete engine of an app, which must decide like an engine compiled with them.
@Suite struct JoinedGrowthTests {
  /// The policy has caps, quiet hours and a minimum interval. Equal matches are either held, as in the bench,
  /// or requested individually. In some cases the engine is packed, and unpacked into a copy that was created
  /// before any addition.
  @Test(arguments: [false, true]) func `an engine with added reminders decides like one compiled with them`(
    countsInBulk: Bool
  ) throws {
    let zones = try GrowthTests.zones()
    var (added, decided, counted) = (0, 0, 0)
    for seed in 60_000..<UInt64(60_080) {
      var growing = GrowthTests.Growing(seed: seed * 2, zones: zones)
      let whole = try growing.program(of: growing.reminders.count)
      var policy = CapPolicy()
      policy.minimumInterval = .hours(1)
      policy.dailyCap = 3
      let caps = try CompiledCapPolicy(policy, types: growing.names.types)
      let zone = growing.world.moment.zone
      func engine(_ program: ReminderProgram) -> BuiltInEngine {
        var engine = BuiltInEngine(
          reminders: ReminderEngine(program: program, zones: zones, zone: zone, explainsMisses: true),
          gateway: NotificationGateway(policy: caps, zones: zones, permission: .authorized))
        engine.countsInBulk = countsInBulk
        return engine
      }
      var expected = engine(whole)
      var found = engine(try growing.program(of: growing.count))
      let pristine = found
      for step in 0..<60 {
        let place: Comment = "seed \(seed), step \(step)"
        if step % 7 == 5 { found = Self.rested(found, pristine) }
        if growing.count < growing.reminders.count, growing.random.chance(60) {
          // Adding the reminder also creates it, without a create event.
          var declaration = growing.reminders[growing.count]
          declaration.isCreatedLater = false
          var (a, b): ([EngineEffect], [EngineEffect]) = ([], [])
          let reminder = try found.add(declaration, at: growing.world.moment, into: &a)
          expected.process(
            ObservedEvent(.create, subject: reminder.rawValue, at: growing.world.moment), into: &b)
          try Self.settle(&found, &a, &expected, &b, at: growing.world.moment, place)
          growing.count += 1
          added += 1
        }
        guard let event = growing.event([]) else { continue }
        var (a, b): ([EngineEffect], [EngineEffect]) = ([], [])
        found.process(event, into: &a)
        expected.process(event, into: &b)
        try Self.settle(&found, &a, &expected, &b, at: event.moment, place)
        decided += a.count { if case .decided = $0 { true } else { false } }
        var (words, others): ([CountedReminders], [CountedReminders]) = ([], [])
        found.takeCounted(into: &words)
        expected.takeCounted(into: &others)
        try #require(
          Self.told(words, a, found.reminders.program) == Self.told(others, b, whole), place)
        counted += words.count
      }
    }
    #expect(added > 400)
    #expect(decided > 1_000)
    #expect((counted > 500) == countsInBulk)
  }

  private static func rested(_ engine: BuiltInEngine, _ pristine: BuiltInEngine) -> BuiltInEngine {
    var (resting, woken, parcel) = (engine, pristine, Parcel())
    resting.pack(in: &parcel)
    var opened = Parcel(opening: parcel.sealed())
    woken.pack(in: &opened)
    return woken
  }

  private static func settle(
    _ found: inout BuiltInEngine, _ a: inout [EngineEffect], _ expected: inout BuiltInEngine,
    _ b: inout [EngineEffect], at moment: Moment, _ place: Comment
  ) throws {
    while found.settle(at: moment, into: &a) {}
    while expected.settle(at: moment, into: &b) {}
    try #require(Self.decisions(a) == Self.decisions(b), place)
  }

  private static func decisions(_ effects: [EngineEffect]) -> [EngineEffect] {
    GrowthTests.lasting(effects, inOrder: true).filter {
      if case .noRequest = $0 { false } else { true }
    }
  }

  /// Returns the outcomes of the reminders that made no request or were counted. Whether misses are counted
  /// by word or reported individually depends on the other reminders of the same trigger.
  private static func told(
    _ counted: [CountedReminders], _ effects: [EngineEffect], _ program: ReminderProgram
  ) -> [String] {
    var told: [String] = effects.compactMap { effect in
      guard case .noRequest(let reminder, let reason, let failed) = effect else { return nil }
      return "\(reminder.rawValue): \(reason) \(failed.rawValue)"
    }
    for group in counted {
      for bit in 0..<64 where group.bits >> UInt64(bit) & 1 == 1 {
        let reminder = program.reminder(group.word, bit).rawValue
        switch group.fate {
        case .denied(let reason, let blockers): told.append("\(reminder): \(reason) \(blockers)")
        case .missed(let words):
          var failed: ConditionKinds = []
          if words.timeWindow >> UInt64(bit) & 1 == 1 { failed.insert(.timeWindow) }
          if words.weekdays >> UInt64(bit) & 1 == 1 { failed.insert(.weekdays) }
          if words.region >> UInt64(bit) & 1 == 1 { failed.insert(.region) }
          if words.charging >> UInt64(bit) & 1 == 1 { failed.insert(.charging) }
          told.append("\(reminder): \(Reason.conditionFailed) \(failed.rawValue)")
        case .waiting, .looked: Issue.record("no trigger has so many")
        }
      }
    }
    return told.sorted()
  }
}

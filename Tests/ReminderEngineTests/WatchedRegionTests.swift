import CivilTime
import ReminderMatching
import TestSupport
import Testing
import TriggerModel

@testable import ReminderEngine

/// Tests which places the engine asks the system to monitor when reminders are added, edited and removed.
@Suite struct WatchedRegionTests {
  private static let places = (0..<6).map { "p\($0)" }

  private static func declaration(_ id: String, _ random: inout SplitMix64) -> ReminderDeclaration {
    var triggers: [Trigger] = [.unlock]
    for place in places where random.chance(15) { triggers.append(.regionEntered(place)) }
    var declaration = ReminderDeclaration(id, .unlock)
    declaration.triggers = triggers
    if random.chance(40) { declaration.conditions = [.outside(random.one(of: places))] }
    declaration.notification.type = "t"
    return declaration
  }

  /// Returns the places that the declarations use.
  private static func named(_ declarations: some Sequence<ReminderDeclaration>) -> Set<String> {
    var named: Set<String> = []
    for declaration in declarations {
      for case .regionEntered(let place) in declaration.triggers { named.insert(place) }
      for case .outside(let place) in declaration.conditions { named.insert(place) }
    }
    return named
  }

  @Test func `the monitored places are those of existing reminders`() throws {
    var zones = ZoneTable()
    _ = try zones.intern("UTC")
    let moment = Moment(
      wall: EngineHarness.instant("2026-03-02 07:00"), uptime: Uptime(boot: 0, span: .zero), zone: ZoneID(0))
    var changes = 0
    for seed: UInt64 in 0..<40 {
      var random = SplitMix64(seed: seed)
      let none = try ReminderProgram(
        compiling: [], names: EngineNames(regions: Self.places, types: ["t"]))
      var engine = ReminderEngine(program: none, zones: zones, zone: ZoneID(0))
      var present: [String: ReminderDeclaration] = [:]
      var watched: Set<String> = []
      for step in 0..<60 {
        let declaration = Self.declaration("r\(random.below(6))", &random)
        var effects: [EngineEffect] = []
        if present[declaration.id] == nil {
          try engine.add(declaration, at: moment, into: &effects)
          present[declaration.id] = declaration
        } else {
          let reminder = try #require(engine.program.reminder(named: declaration.id))
          if random.chance(50) {
            engine.remove(reminder, at: moment, into: &effects)
            present[declaration.id] = nil
          } else {
            try engine.replace(reminder, with: declaration, at: moment, into: &effects)
            present[declaration.id] = declaration
          }
        }
        for effect in effects {
          switch effect {
          case .monitor(let region): watched.insert(Self.places[region.index])
          case .unmonitor(let region): watched.remove(Self.places[region.index])
          default: continue
          }
          changes += 1
        }
        try #require(watched == Self.named(present.values), "seed \(seed), step \(step)")
      }
    }
    #expect(changes > 1_000, "\(changes)")
  }
}

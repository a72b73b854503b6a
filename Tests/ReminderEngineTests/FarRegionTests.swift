import CivilTime
import ReminderMatching
import TestSupport
import Testing
import TriggerModel

@testable import ReminderEngine

/// Tests conditions on more places than a word has bits.
@Suite struct FarRegionTests {
  private static let count = 100

  private static func program() throws -> ReminderProgram {
    let names = EngineNames(regions: (0..<count).map { "p\($0)" })
    let reminders = (0..<count).flatMap { place in
      [
        ReminderDeclaration("in\(place)", .unlock, if: [.inside("p\(place)")]),
        ReminderDeclaration("out\(place)", .unlock, if: [.outside("p\(place)")]),
        ReminderDeclaration("enter\(place)", .regionEntered("p\(place)")),
      ]
    }
    return try ReminderProgram(compiling: reminders, names: names)
  }

  @Test("conditions on any number of places are evaluated and stored in the same way")
  func conditions() throws {
    let program = try Self.program()
    var zones = ZoneTable()
    _ = try zones.intern("UTC")
    let now = Moment(
      wall: EngineHarness.instant("2026-03-02 07:00"), uptime: Uptime(boot: 0, span: .zero), zone: ZoneID(0))
    var engine = ReminderEngine(program: program, zones: zones, zone: ZoneID(0))
    var inside: Set<Int> = []
    var random = SplitMix64(seed: 1)
    func asked(_ event: ObservedEvent) -> Set<String> {
      var effects: [EngineEffect] = []
      engine.process(event, into: &effects)
      return Set(
        effects.compactMap { effect in
          guard case .request(let request) = effect else { return nil }
          return program.declarations[request.id.reminder.index].id
        })
    }
    for step in 0..<300 {
      let place = random.below(Self.count)
      let enters = !inside.contains(place)
      if enters { inside.insert(place) } else { inside.remove(place) }
      let told = asked(
        ObservedEvent(enters ? .regionEntered : .regionExited, subject: UInt32(place), at: now))
      #expect(told == (enters ? ["enter\(place)"] : []))
      #expect(
        asked(ObservedEvent(.unlock, at: now))
          == Set((0..<Self.count).map { inside.contains($0) ? "in\($0)" : "out\($0)" }), "step \(step)")
      guard step % 50 == 0 else { continue }
      let bytes = engine.storedState()
      engine = try ReminderEngine(program: program, stored: bytes, zones: zones, zone: ZoneID(0))
      #expect(engine.storedState() == bytes)
    }
  }
}

import CivilTime
import ReminderMatching
import Testing
import TriggerModel

@testable import ReminderEngine

/// The tables that an engine keeps by reminder.
@Suite struct StoredTableTests {
  private static let reminder = ReminderID(0)
  private static let then = Instant(millisecondsSince1970: 1_000_000)

  /// Each alone holds something of a reminder.
  private static let tables: [(name: String, fill: @Sendable (inout Notebook) -> Void)] = [
    ("snoozes", { $0.snoozes[reminder] = Snooze(until: then) }),
    (
      "deferredSnoozes",
      { $0.deferredSnoozes[reminder] = Snooze.Deferred(Snooze.Request(occurrence: 1, copy: 1)) }
    ),
    ("cancelled", { $0.cancelled.insert(reminder) }),
    ("expired", { $0.expired[reminder] = then }),
    ("wakes", { $0.wakes[reminder] = then }),
    ("leftOut", { $0.leftOut[reminder] = then }),
    (
      "handedOver",
      {
        $0.handedOver[reminder] = HandedOver(
          pending: [], lookedTo: then, takenBackTo: .distantPast, lostTo: .distantPast)
      }
    ),
    (
      "standing",
      { $0.standing[reminder] = StandingRequests([], lostTo: then, isTakenBack: true, wish: .distantFuture) }
    ),
    ("plannedLapses", { $0.plannedLapses[reminder] = PlannedLapse(since: CivilDate(dayNumber: 20_000)) }),
    (
      "openMatches",
      {
        let request = RequestID(reminder: reminder, occurrence: 1)
        $0.openMatches = OpenMatches([OpenMatches.Entry(request: request, day: 20_000, keptFrom: then)])
      }
    ),
  ]

  @Test(arguments: tables.map(\.name)) func `what one of them alone knows is stored`(_ name: String) throws {
    let program = try ReminderProgram(
      compiling: [ReminderDeclaration("a", .unlock)], names: EngineNames())
    var zones = ZoneTable()
    let zone = try zones.intern("UTC")
    var engine = ReminderEngine(program: program, zones: zones, zone: zone)
    let fresh = engine.storedState()
    try #require(Self.tables.first { $0.name == name }).fill(&engine.notebook)
    #expect(engine.storedState() != fresh)
  }
}

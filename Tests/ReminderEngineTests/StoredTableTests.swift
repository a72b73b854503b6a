import CivilTime
import ReminderMatching
import Testing
import TriggerModel

@testable import ReminderEngine

/// Tests the tables of the stored state that are indexed by reminder.
@Suite struct StoredTableTests {
  private static let reminder = ReminderID(0)
  private static let then = Instant(millisecondsSince1970: 1_000_000)

  /// Functions that each add an entry for the reminder to one table.
  private static let tables: [(name: String, fill: @Sendable (inout PersistedState) -> Void)] = [
    ("snooze", { $0.ledgers[reminder].snooze = Snooze(until: then) }),
    (
      "deferredSnooze",
      { $0.ledgers[reminder].deferredSnooze = Snooze.Deferred(Snooze.Request(occurrence: 1, copy: 1)) }
    ),
    ("cancelled", { $0.cancelled.insert(reminder) }),
    ("expired", { $0.expired[reminder] = then }),
    ("wake", { $0.ledgers[reminder].wake = then }),
    (
      "served",
      {
        var served = ServedOccurrences()
        served.serve(then) { _ in nil }
        $0.ledgers[reminder].served = served
      }
    ),
    ("leftOut", { $0.ledgers[reminder].leftOut = then }),
    (
      "occurrences",
      {
        $0.ledgers[reminder].occurrences = OccurrencePlan(
          pending: [], consideredTo: then, cancelledTo: .distantPast, lostTo: .distantPast)
      }
    ),
    (
      "repetitions",
      {
        $0.ledgers[reminder].repetitions = RepetitionPlan(
          [], lostTo: then, isCancelled: true, wish: .distantFuture)
      }
    ),
    ("lapse", { $0.ledgers[reminder].lapse = PlannedLapse(since: CivilDate(dayNumber: 20_000)) }),
    (
      "openMatches",
      {
        let request = RequestID(reminder: reminder, occurrence: 1)
        $0.openMatches = OpenMatches([
          OpenMatches.Entry(request: request, day: 20_000, keptFrom: then, scheduledFor: then)
        ])
      }
    ),
  ]

  @Test(arguments: tables.map(\.name)) func `state that is in only one table is stored`(_ name: String) throws
  {
    let program = try ReminderProgram(
      compiling: [ReminderDeclaration("a", .unlock)], names: EngineNames())
    var zones = ZoneTable()
    let zone = try zones.intern("UTC")
    var engine = ReminderEngine(program: program, zones: zones, zone: zone)
    let fresh = engine.storedState()
    try #require(Self.tables.first { $0.name == name }).fill(&engine.persisted)
    #expect(engine.storedState() != fresh)
  }
}

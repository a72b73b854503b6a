import Journal
package import NotificationGateway
import ReminderEngine
import ReminderMatching
import Simulation
import TriggerEngine
package import TriggerModel

extension Program {
  /// What the built-in engine's scheduler has stored at an instant, after everything that happens at it: in
  /// the keys that a scenario takes under `stored`.
  package func storedState(at instant: Instant) throws(StoredCounterError) -> [StoredCounters.Entry] {
    let counters = try StoredCounters(types: reminders.names.types)
    var world = World(program: self, engine: makeEngine(explainsMisses: false))
    var journal = NoJournal()
    world.run(until: min(instant + TimeSpan(milliseconds: 1), end), into: &journal)
    guard let engine = world.engine as? BuiltInEngine else { return [] }
    return counters.entries(of: engine.gateway.state)
  }
}

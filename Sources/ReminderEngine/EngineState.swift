import CivilTime
import ReminderMatching
import TriggerModel

/// The persisted state of a reminder engine as a single value.
struct EngineState: Sendable {
  /// The waiting reminders, and the time of each reminder's last match.
  var matches: MatcherState
  /// The facts that the app knows, each with the instant of its last change.
  var facts: FactStore
  /// The days of those matches that exceed each reminder's memory. See ``ReminderMatching/Matcher/turns``.
  var turns: [ReminderID: [Int32]] = [:]
  var persisted: PersistedState

  /// Creates the state of a fresh installation.
  init(of program: ReminderProgram) {
    matches = MatcherState(of: program)
    facts = FactStore(program.names)
    persisted = PersistedState(of: program)
  }

  func matcher(of program: ReminderProgram, zone: Zone) -> Matcher {
    Matcher(program: program, state: matches, facts: facts, turns: turns, zone: zone)
  }
}

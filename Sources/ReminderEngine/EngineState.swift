import CivilTime
import ReminderMatching
import TriggerModel

/// What a reminder engine must remember when its process ends: all of its persisted state, as one value.
///
/// Copies share their tables until one of them changes.
struct EngineState: Sendable {
  /// Which reminders wait, and when each matched last.
  var matches: MatcherState
  /// What the app knows, and since when.
  var facts: FactStore
  /// See ``ReminderMatching/Matcher/turns``.
  var turns: [ReminderID: [Int32]] = [:]
  var notebook: Notebook

  /// A fresh installation's: nothing has happened.
  init(of program: ReminderProgram) {
    matches = MatcherState(of: program)
    facts = FactStore(program.names)
    notebook = Notebook(of: program)
  }

  func matcher(of program: ReminderProgram, zone: Zone) -> Matcher {
    Matcher(program: program, state: matches, facts: facts, turns: turns, zone: zone)
  }
}

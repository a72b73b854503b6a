/// What a reminder engine must remember when its process ends: all of its persisted state, as one value.
///
/// An app stores it at every ``TriggerModel/EngineEffect/persist``, and starts its next process with it.
/// Whatever changes it asks for that in the same call, so that a crash between two calls loses nothing.
///
/// Copies share their tables until one of them changes.
public struct EngineState: Sendable {
  /// Which reminders wait, and when each matched last.
  var matches: MatcherState
  /// What the app knows, and since when.
  var facts: FactStore
  var notebook: Notebook

  /// A fresh installation's: nothing has happened.
  public init(of program: ReminderProgram) {
    self.init(
      matches: MatcherState(of: program), facts: FactStore(count: program.names.facts.count),
      notebook: Notebook(of: program))
  }

  init(matches: MatcherState, facts: FactStore, notebook: Notebook) {
    self.matches = matches
    self.facts = facts
    self.notebook = notebook
  }
}

extension ReminderEngine {
  /// What must be stored. A process that starts with it goes on as this one would, but for what it is
  /// still to be told: whether the phone is on its charger.
  public var state: EngineState {
    EngineState(matches: matcher.state, facts: matcher.facts, notebook: notebook)
  }

  /// Goes on from what was stored by an engine of the same program. What only the memory holds stays.
  public mutating func adopt(_ state: EngineState) {
    matcher.adopt(state)
    notebook = state.notebook
  }

  /// The process ended and another has started, with what was stored: what only the memory held is gone.
  public mutating func restart() {
    memory = Memory(zone: memory.zone, of: zones, explainsMisses: explainsMisses)
  }
}

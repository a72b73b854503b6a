package import Journal
import ReminderEngine
import ReminderMatching
package import TriggerEngine
import TriggerModel

/// What an engine is told of a scenario before its first event.
package struct EngineProgram: Sendable {
  package var names: WireNames
  /// The message `program`, as bytes of a line.
  package var line: [UInt8]
  /// The same once the engine has had something stored: what it finds in its store then is what it stored, or nothing
  /// where that was lost. Nil: there is nothing that only the first process finds.
  package var laterLine: [UInt8]?
  /// Before its first event: what an engine does not do itself.
  package var builtIn: BuiltInEngine
  /// Whether the scenario begins with counters.
  package var hasCounters: Bool

  package init(
    names: WireNames, line: [UInt8], laterLine: [UInt8]? = nil, builtIn: BuiltInEngine, hasCounters: Bool
  ) {
    self.names = names
    self.line = line
    self.laterLine = laterLine
    self.builtIn = builtIn
    self.hasCounters = hasCounters
  }

  /// By identifier.
  var reminderNames: [String] { builtIn.reminders.program.storeNames.reminders }
}

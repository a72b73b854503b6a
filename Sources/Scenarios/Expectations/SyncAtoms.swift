import ScenarioModel
import TextFormats

extension Atom<SyncCause> {
  /// Why a device did not know of what was done on another one.
  static var syncCause: Atom {
    .choice(
      "CAUSE", "a cause of a second notification", SyncCause.allCases.map { ($0.name, $0) })
  }
}

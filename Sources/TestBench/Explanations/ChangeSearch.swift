import Simulation
import TriggerModel

/// Looks for the smallest change that makes a reminder fire, trying each in a run of its own.
struct ChangeSearch {
  let candidates: EditCandidates

  /// Whether the reminder fires then in a run of another program.
  typealias Trial = (Program) throws(EngineFailure) -> Bool

  /// One edit if any one helps; otherwise some of which none can be spared. Nil: nothing that is tried helps.
  func smallestChange(_ fires: Trial) throws(EngineFailure) -> [ScenarioEdit]? {
    for edit in candidates.single where try helps([edit], fires) { return [edit] }
    for edits in candidates.sufficient where try helps(edits, fires) {
      return try withoutSuperfluous(edits, fires)
    }
    return nil
  }

  private func helps(_ edits: [ScenarioEdit], _ fires: Trial) throws(EngineFailure) -> Bool {
    guard let program = candidates.program(with: edits) else { return false }
    return try fires(program)
  }

  private func withoutSuperfluous(
    _ edits: [ScenarioEdit], _ fires: Trial
  ) throws(EngineFailure) -> [ScenarioEdit] {
    var edits = edits
    for edit in edits.reversed() {
      let rest = edits.filter { $0 != edit }
      if try helps(rest, fires) { edits = rest }
    }
    return edits
  }
}

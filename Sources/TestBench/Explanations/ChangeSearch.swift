import Simulation
import TriggerModel

/// Looks for the smallest change that makes a reminder fire, trying each in a run of its own.
struct ChangeSearch {
  let candidates: EditCandidates

  /// When the reminder fires in a run of another program: then, or later for what was due then.
  typealias Trial = (_ program: Program, _ orLater: Bool) throws(EngineFailure) -> Explainer.Firing?

  /// What makes it fire.
  struct Change {
    var edits: [ScenarioEdit]
    var firing: Explainer.Firing
  }

  /// One edit if any one helps that says why it did not fire; otherwise some of which none can be spared; and only where
  /// these do not help what passes over the reason. Nil: nothing that is tried helps.
  func smallestChange(_ fires: Trial) throws(EngineFailure) -> Change? {
    for edit in candidates.cures {
      if let firing = try firing([edit], orLater: true, fires) {
        return Change(edits: [edit], firing: firing)
      }
    }
    for edit in candidates.single where try helps([edit], fires) {
      return Change(edits: [edit], firing: .then)
    }
    for edits in candidates.sufficient where try helps(edits, fires) {
      return Change(edits: try withoutSuperfluous(edits, fires), firing: .then)
    }
    for edit in candidates.lastResorts where try helps([edit], fires) {
      return Change(edits: [edit], firing: .then)
    }
    return nil
  }

  private func firing(
    _ edits: [ScenarioEdit], orLater: Bool = false, _ fires: Trial
  ) throws(EngineFailure) -> Explainer.Firing? {
    guard let program = candidates.program(with: edits) else { return nil }
    return try fires(program, orLater)
  }

  private func helps(_ edits: [ScenarioEdit], _ fires: Trial) throws(EngineFailure) -> Bool {
    try firing(edits, fires) == .then
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

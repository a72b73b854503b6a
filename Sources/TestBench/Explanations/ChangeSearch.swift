import Simulation
import TriggerModel

/// Searches for the smallest change that makes a reminder fire. Tries each candidate in a separate run.
struct ChangeSearch {
  let candidates: EditCandidates

  /// Returns when the reminder fires in a run of a changed program, or `nil` if it does not. If `orLater` is
  /// true, occurrences that were due in the minute may also fire after it.
  typealias Trial = (_ program: Program, _ orLater: Bool) throws(EngineFailure) -> Explainer.Firing?

  /// A change that makes the reminder fire, and when it fires.
  struct Change {
    var edits: [ScenarioEdit]
    var firing: Explainer.Firing
  }

  /// Returns the smallest change that makes the reminder fire, or `nil` if no candidate does.
  ///
  /// The search first tries edits that remove a known cause, then other single edits, then sets of edits. It
  /// drops the unnecessary edits of a set that succeeds. As a last resort, it tries edits that bypass the
  /// actual reason.
  func smallestChange(_ fires: Trial) throws(EngineFailure) -> Change? {
    for edit in candidates.causeEdits {
      if let firing = try firing([edit], orLater: true, fires) {
        return Change(edits: [edit], firing: firing)
      }
    }
    for edit in candidates.single where try makesItFire([edit], fires) {
      return Change(edits: [edit], firing: .then)
    }
    for edits in candidates.sufficient where try makesItFire(edits, fires) {
      return Change(edits: try withoutSuperfluous(edits, fires), firing: .then)
    }
    for edit in candidates.lastResorts where try makesItFire([edit], fires) {
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

  private func makesItFire(_ edits: [ScenarioEdit], _ fires: Trial) throws(EngineFailure) -> Bool {
    try firing(edits, fires) == .then
  }

  private func withoutSuperfluous(
    _ edits: [ScenarioEdit], _ fires: Trial
  ) throws(EngineFailure) -> [ScenarioEdit] {
    var edits = edits
    for edit in edits.reversed() {
      let rest = edits.filter { $0 != edit }
      if try makesItFire(rest, fires) { edits = rest }
    }
    return edits
  }
}

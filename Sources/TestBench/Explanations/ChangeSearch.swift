import Simulation
import TriggerModel

/// Searches for the smallest realistic change that makes a reminder fire. Tries each candidate in a separate
/// run.
struct ChangeSearch {
  let candidates: EditCandidates
  /// Whether to try edits of the profile, of the phone's settings, and others that a person cannot make.
  var any = false

  /// Returns when the reminder fires in a run of a changed program in the minute that begins at an instant, or
  /// `nil` if it does not. If `orLater` is true, occurrences that were due in the minute may also fire after it.
  typealias Trial = (
    _ program: Program, _ minute: Instant, _ orLater: Bool
  ) throws(EngineFailure) -> Explainer.Firing?

  /// A change that makes the reminder fire, and when it fires.
  struct Change {
    var edits: [ScenarioEdit]
    var firing: Explainer.Firing
  }

  /// Returns the smallest change that makes the reminder fire, or `nil` if no candidate does.
  ///
  /// The search first tries the edits that a person would make for the reported reason, then other single
  /// edits, then sets of edits. It drops the unnecessary edits of a set that succeeds, and replaces an edit that
  /// drops a whole rule by a smaller one. As a last resort, it tries edits that bypass the actual reason.
  func smallestChange(_ fires: Trial) throws(EngineFailure) -> Change? {
    if let change = try likelyChange(fires) { return change }
    for edit in candidates.single {
      if let change = try change([edit], fires) { return change }
    }
    if any {
      for edit in candidates.unrealistic {
        if let change = try change([edit], fires) { return change }
      }
    }
    for isAny in any ? [false, true] : [false] {
      for edits in candidates.sufficient(any: isAny) {
        guard let found = try change(edits, fires) else { continue }
        return try smaller(try necessary(found, fires), fires)
      }
    }
    for edit in candidates.lastResorts {
      if let change = try change([edit], fires) { return change }
    }
    return nil
  }

  /// Returns the first change of the time line that triggers the reminder in its minute.
  func triggeringChange(_ fires: Trial) throws(EngineFailure) -> Change? {
    for edit in candidates.triggerEntries {
      if let change = try change([edit], fires) { return change }
    }
    return nil
  }

  private func likelyChange(_ fires: Trial) throws(EngineFailure) -> Change? {
    let likely = candidates.likely
    if likely.isEmpty { return nil }
    // A later fire is an effect of the change only if the reminder does not fire without it.
    let orLater = try firing([], orLater: true, fires) == nil
    for edits in likely where !edits.isEmpty {
      guard let change = try change(edits, orLater: orLater, fires) else { continue }
      return try necessary(change, orLater: orLater && !change.firing.isThen, fires)
    }
    return nil
  }

  private func firing(
    _ edits: [ScenarioEdit], orLater: Bool, _ fires: Trial
  ) throws(EngineFailure) -> Explainer.Firing? {
    guard let program = candidates.program(with: edits) else { return nil }
    return try fires(program, candidates.asked, orLater)
  }

  private func change(
    _ edits: [ScenarioEdit], orLater: Bool = false, _ fires: Trial
  ) throws(EngineFailure) -> Change? {
    guard let firing = try firing(edits, orLater: orLater, fires) else { return nil }
    return Change(edits: edits, firing: firing)
  }

  /// Returns the change without its unnecessary edits.
  private func necessary(
    _ change: Change, orLater: Bool = false, _ fires: Trial
  ) throws(EngineFailure) -> Change {
    var change = change
    for edit in change.edits.reversed() where change.edits.count > 1 {
      let rest = change.edits.filter { $0 != edit }
      if let less = try self.change(rest, orLater: orLater, fires) { change = less }
    }
    return change
  }

  /// Returns the change with smaller edits in place of those that drop a whole rule.
  private func smaller(_ change: Change, _ fires: Trial) throws(EngineFailure) -> Change {
    var change = change
    for index in change.edits.indices {
      for edit in candidates.smaller(than: change.edits[index]) {
        var edits = change.edits
        edits[index] = edit
        guard let less = try self.change(edits, fires) else { continue }
        change = less
        break
      }
    }
    return change
  }
}

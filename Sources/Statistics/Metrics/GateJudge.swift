package import ScenarioModel
package import TriggerModel

/// Determines the verdict of a gate.
///
/// - *pass*: The whole 95 % interval satisfies the target.
/// - *kill*: The whole interval satisfies the kill criterion, and the run is as long as the criterion
///   requires.
/// - *inconclusive*: Anything else, with the reason.
///
/// If some responses are unknown, a verdict must hold whatever they are.
///
/// The target and the kill criterion do not overlap, so an interval cannot satisfy both. More data of the
/// same kind only narrows the interval.
///
/// The same rule applies to figures that are not shares. See ``Estimate`` for their intervals.
package struct GateJudge {
  package let gate: Gate
  package let estimate: Estimate
  /// The length of the run, or of the longest run if there are several.
  package let watched: TimeSpan

  package var verdict: GateVerdict { verdict(of: estimate.reach) }

  private func verdict(of interval: ConfidenceInterval?) -> GateVerdict {
    guard let interval else { return .inconclusive }
    if gate.target.contains(interval) { return .pass }
    guard let kill = gate.kill, kill.bound.contains(interval), watched >= kill.after else {
      return .inconclusive
    }
    return .kill
  }

  /// The reason for an inconclusive verdict, or `nil` for other verdicts.
  package var lack: String? {
    guard verdict == .inconclusive else { return nil }
    guard let interval = estimate.interval else {
      return estimate.denominator == 0 ? gate.measure.silence(estimate) ?? estimate.lack : estimate.lack
    }
    if verdict(of: interval) != .inconclusive {
      return
        "the known responses would \(verdict(of: interval).rawValue) it, but the unknown ones could change that"
    }
    if let kill = gate.kill, kill.bound.contains(interval) {
      return "it would be killed, but was watched for \(days(watched)) of \(kill.after.inWords)"
    }
    guard let value = estimate.value else { return "the interval reaches across the target" }
    if gate.target.contains(value) {
      return "the interval reaches across the target" + enough(gate.target, value)
    }
    guard let kill = gate.kill else { return "the target is missed, and the gate has no kill criterion" }
    if kill.bound.contains(value) {
      return "the interval reaches across the kill criterion" + enough(kill.bound, value)
    }
    return "between the kill criterion and the target"
  }

  /// Returns the whole days of a span, rounded down.
  private func days(_ span: TimeSpan) -> String {
    TimeSpan.days(span.milliseconds / TimeSpan.days(1).milliseconds).inWords
  }

  /// Returns words for the number of trials that would be sufficient for a verdict at the same share.
  private func enough(_ bound: Bound, _ value: Int64) -> String {
    guard !gate.measure.trials.isEmpty else { return "" }
    let share = Double(value) / 1_000_000
    let effect = Double(estimate.designEffect) / 1_000
    func suffice(_ trials: Int) -> Bool { bound.isShown(by: share, of: Double(trials) / effect) }
    var (low, high) = (estimate.denominator, max(1, estimate.denominator))
    while !suffice(high) {
      guard high < 10_000_000 else { return "" }
      (low, high) = (high, high * 2)
    }
    while high - low > 1 {
      let middle = low + (high - low) / 2
      if suffice(middle) { high = middle } else { low = middle }
    }
    return "; at this rate \(high) \(gate.measure.trials) would do"
  }
}

extension Bound {
  /// Returns whether the exact interval of a share satisfies the bound.
  func isShown(by share: Double, of trials: Double) -> Bool {
    switch side {
    case .atLeast: ConfidenceInterval.isAbove(millionths, share: share, trials: trials)
    case .above: ConfidenceInterval.isAbove(millionths + 1, share: share, trials: trials)
    case .atMost: ConfidenceInterval.isBelow(millionths, share: share, trials: trials)
    case .below: ConfidenceInterval.isBelow(millionths - 1, share: share, trials: trials)
    }
  }

  /// Returns whether the whole interval satisfies the bound.
  package func contains(_ interval: ConfidenceInterval) -> Bool {
    contains(interval.lower) && contains(interval.upper)
  }
}

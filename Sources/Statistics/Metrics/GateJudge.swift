package import ScenarioModel
package import TriggerModel

/// Says what the counts of a gate allow to say.
///
/// - *pass*: the whole 95 % interval lies on the good side of the target;
/// - *kill*: the whole interval lies on the bad side of the kill criterion, and the feature was watched for as
///   long as the criterion asks;
/// - *inconclusive*: anything else, with what is missing.
///
/// Silence decides nothing: where responses are unknown, the interval has to lie there whatever they are.
///
/// Target and kill criterion do not overlap, so no interval lies within both. More of the same only narrows
/// an interval, so a verdict stays once it is reached.
///
/// The rule is the same for figures that are no shares; how their intervals come about is said at
/// ``Estimate``.
package struct GateJudge {
  package let gate: Gate
  package let estimate: Estimate
  /// How long the feature was watched: the run, or the longest of several runs.
  package let watched: TimeSpan

  package init(gate: Gate, estimate: Estimate, watched: TimeSpan) {
    self.gate = gate
    self.estimate = estimate
    self.watched = watched
  }

  package var verdict: GateVerdict { verdict(of: estimate.reach) }

  private func verdict(of interval: ConfidenceInterval?) -> GateVerdict {
    guard let interval else { return .inconclusive }
    if gate.target.contains(interval) { return .pass }
    guard let kill = gate.kill, kill.bound.contains(interval), watched >= kill.after else {
      return .inconclusive
    }
    return .kill
  }

  /// What an inconclusive verdict lacks, in words; nil for the others.
  package var lack: String? {
    guard verdict == .inconclusive else { return nil }
    guard let interval = estimate.interval else {
      return estimate.denominator == 0 ? gate.measure.silence(estimate) ?? estimate.lack : estimate.lack
    }
    if verdict(of: interval) != .inconclusive {
      return "what is known would \(verdict(of: interval).rawValue) it, and what is unknown could turn that"
    }
    if let kill = gate.kill, kill.bound.contains(interval) {
      return "it would be killed, but was watched for \(days(watched)) of \(kill.after.inWords)"
    }
    guard let value = estimate.value else { return "the interval reaches across the target" }
    if gate.target.contains(value) {
      return "the interval reaches across the target" + enough(gate.target, value)
    }
    guard let kill = gate.kill else { return "short of the target, and nothing says when it is given up" }
    if kill.bound.contains(value) {
      return "the interval reaches across the kill criterion" + enough(kill.bound, value)
    }
    return "between the kill criterion and the target"
  }

  /// Whole days, rounded down.
  private func days(_ span: TimeSpan) -> String {
    TimeSpan.days(span.milliseconds / TimeSpan.days(1).milliseconds).inWords
  }

  /// How many trials would do, if the share stayed as it is.
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
  /// Whether the exact interval of a share of so many trials is on this side.
  func isShown(by share: Double, of trials: Double) -> Bool {
    switch side {
    case .atLeast: ConfidenceInterval.isAbove(millionths, share: share, trials: trials)
    case .above: ConfidenceInterval.isAbove(millionths + 1, share: share, trials: trials)
    case .atMost: ConfidenceInterval.isBelow(millionths, share: share, trials: trials)
    case .below: ConfidenceInterval.isBelow(millionths - 1, share: share, trials: trials)
    }
  }

  /// Whether the whole interval is on this side.
  package func contains(_ interval: ConfidenceInterval) -> Bool {
    contains(interval.lower) && contains(interval.upper)
  }
}

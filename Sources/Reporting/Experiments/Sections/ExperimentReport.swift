package import Experiments

/// What an experiment found, section by section: everything that its documents say.
package struct ExperimentReport: Sendable {
  package let result: ExperimentResult
  /// What makes it again.
  package let command: String
  package let tool: String
  package let sections: [ResultSection]

  package init(_ result: ExperimentResult, command: String, tool: String) {
    self.result = result
    self.command = command
    self.tool = tool
    sections =
      [DifferenceSection(result).section] + ExperimentGateSection(result).sections
      + MoveSections(result).sections
      + RuleSection(result).sections + ParetoSection(result).sections + AssumptionSection(result).sections
      + [MethodSection(result).section]
  }

  /// What the first metric does under the variant that matters most, in a sentence each.
  package var answers: [String] {
    let plan = result.plan
    let metric = plan.metrics[0]
    let arms = plan.arms.count <= 5 ? Array(1..<plan.arms.count) : [result.focus]
    return arms.map { arm in
      let (base, own, change) = (
        result.figure(0, arm: 0), result.figure(0, arm: arm), result.change(0, arm: arm)
      )
      guard let old = base.value, let new = own.value, let difference = change.difference else {
        return "\(plan.arms[arm].name): \(change.lack ?? "nothing can be said")."
      }
      let interval =
        change.interval.map { ", 95 % interval \(metric.difference($0))" } ?? ": \(change.lack ?? "")"
      return "\(plan.arms[arm].name): \(metric.name) \(metric.text(old)) → \(metric.text(new)), "
        + "\(metric.difference(difference))\(interval)."
    }
  }

  /// How it ended, where that is not as it was meant to.
  package var warning: String? {
    switch result.ending {
    case .complete, .precise: return nil
    case .interrupted:
      return
        "PARTIAL: it was stopped after \(Numbers.count(result.people)) people. What is here is right of these people."
    case .spent:
      let needed = result.imprecise.map(\.needed)
      let most = needed.contains(nil) ? nil : needed.compactMap(\.self).max()
      return
        "NOT PRECISE ENOUGH: \(Numbers.count(result.people)) people are spent; "
        + (most.map { "about \(Numbers.count($0)) would do" } ?? "how many would do cannot be said")
        + ". Raise 'people', or ask for less precision."
    }
  }
}

extension ExperimentResult {
  /// The variant that is looked at closely where there are many.
  var focus: Int { plan.sensitivity?.variant ?? 1 }

  /// The variants that are looked at closely.
  var closely: [Int] { plan.isGrid || plan.arms.count > 4 ? [focus] : Array(1..<plan.arms.count) }
}

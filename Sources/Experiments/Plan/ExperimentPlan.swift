package import PersonModel
package import TriggerModel

/// An experiment that is ready to run, with resolved names and validated values.
package struct ExperimentPlan: Sendable {
  package struct Arm: Sendable {
    package var name: String
    /// The differences from the base in file form, such as `policy.minimumInterval: 3 h`.
    package var settings: [String]
    package var prototype: any PolicyArm
  }

  /// The required half width of a difference's interval.
  package struct Precision: Hashable, Sendable {
    /// The index of the metric.
    package var metric: Int
    package var halfWidth: Double
  }

  /// The limits on the number of people.
  package struct Budget: Hashable, Sendable {
    /// The number of people before the first evaluation.
    package var least: Int64
    package var most: Int64
  }

  package var title: String
  package var question: String
  /// The path of the file as given on the command line.
  package var file: String
  /// The name of the population, such as `popcap-1`.
  package var population: String
  /// The recordings from which the people's days are taken. The array is empty if the days are drawn.
  package var origins: [String] = []
  /// A hash of everything that affects the numbers. Parts of two experiments can be merged only if the hashes are
  /// equal.
  package var identity: UInt64
  package var configuration = Configuration()
  package var seed: UInt64
  package var watch: ObservationPeriod
  package var types: [String]
  /// The arms. The first one is the base.
  package var arms: [Arm]
  package var isGrid: Bool
  package var metrics: [PeopleMetric]
  /// The index of the metric that answers the question.
  package var primary = 0
  package var gates: [PeopleGate]
  /// Whether verdicts and directions account for the number of comparisons.
  package var isFamilywise = true
  /// The required precision. If it is empty, the experiment uses its whole budget.
  package var precision: [Precision]
  package var budget: Budget
  package var sensitivity: SensitivityPlan?
  /// The assumptions about the people, with the values of the base policy.
  package var assumptions: [Assumption] = []

  /// The evidence for every figure.
  ///
  /// All figures depend on the assumptions: even the number of notifications changes with taps and opt-outs. They are
  /// assumed if any assumption without a published number keeps the model's default.
  package var evidence: TapConstant.Evidence {
    assumptions.contains { $0.evidence == .assumed && !$0.isDeclared } ? .assumed : .declared
  }

  /// The number of figures and differences with a verdict or a direction.
  ///
  /// Every difference from the base has a direction, so a gate on a difference adds no comparison.
  package var comparisons: Int {
    var figures: [[Int]] = []
    for gate in gates {
      if case .figure(let arm) = gate.subject, !figures.contains([gate.metric, arm]) {
        figures.append([gate.metric, arm])
      }
    }
    return max(1, metrics.count * (arms.count - 1) + figures.count)
  }

  /// Returns the correction for the intervals of one evaluation.
  ///
  /// - Parameter share: The share of the probability of error that the evaluation spends, greater than 0 and at most
  ///   1.
  func family(share: Double) -> ComparisonFamily {
    isFamilywise ? ComparisonFamily(comparisons: comparisons, share: share) : ComparisonFamily(comparisons: 1)
  }

  /// The initial sums, without any people.
  package var nobody: ExperimentSums {
    ExperimentSums(arms: arms.count, metrics: metrics.count, types: types.count)
  }
}

/// The time for which each person of an experiment is observed.
///
/// Only notifications shown within the days are counted. Responses to them are counted within the follow-up. The
/// simulation continues for the follow-up after the last day, but counts no new notifications. Similarly, clinical
/// trials continue to follow the last participants after recruitment ends. Without the follow-up, shorter experiments
/// would have a lower tap-through rate.
package struct ObservationPeriod: Hashable, Sendable {
  package var days: Int
  /// The time after exposure within which a response is counted.
  package var followUp: TimeSpan

  /// The default follow-up, equal to the longest response time of tap-v1.
  ///
  /// Other studies used 2 h (Duolingo, KDD 2020), 1 h (Drink Less, Bell 2023) or 24 h (Bidargaddi 2018).
  package static let defaultFollowUp = TimeSpan.hours(24)

  package init(days: Int, followUp: TimeSpan = defaultFollowUp) {
    self.days = days
    self.followUp = followUp
  }
}

/// An assumed parameter of a population's model, with its plausible range.
package struct Assumption: Hashable, Sendable {
  package var name: String
  /// A description in one line.
  package var meaning: String
  /// The model's default value in millionths.
  package var standard: Int64
  /// The value under the base policy in millionths, or `nil` for the model's default.
  package var ownValue: Int64?
  /// The range of the sensitivity analysis in millionths.
  package var range: ClosedRange<Int64>
  /// The unit for display: `%` for shares, empty for plain numbers.
  package var unit = "%"
  package var evidence: TapConstant.Evidence
  package var source: String

  /// The value in the experiment, in millionths. The sensitivity analysis varies it.
  package var value: Int64 { ownValue ?? standard }

  /// Whether the files of the experiment replace the model's default.
  package var isDeclared: Bool { value != standard }

  /// Returns the assumption with the given value. The range is extended to contain the value.
  func with(_ value: Int64) -> Assumption {
    var copy = self
    copy.ownValue = value
    copy.range = min(range.lowerBound, value)...max(range.upperBound, value)
    return copy
  }
}

/// A sensitivity analysis. It evaluates each assumption at both ends of its range, and random draws of all
/// assumptions.
package struct SensitivityPlan: Sendable {
  /// The assumptions to vary, with the values of the base policy.
  package var assumptions: [Assumption]
  /// The names of assumptions with different values under the base and the variant.
  ///
  /// They are part of the comparison, so they are not varied.
  package var compared: [String] = []
  /// The index of the examined arm.
  package var variant: Int
  /// The index of the examined metric.
  package var metric: Int
  /// The number of people for each value.
  package var people: Int64
  /// The number of random draws of all assumptions.
  package var draws: Int
  package var seed: UInt64
  /// Returns the base and the variant with values for all assumptions, or `nil` if the values are invalid.
  package var arms: @Sendable ([Int64]) -> [any PolicyArm]?
}

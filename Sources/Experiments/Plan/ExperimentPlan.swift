package import PersonModel
package import TriggerModel

/// An experiment that is ready to run: all names are resolved and all values are valid.
package struct ExperimentPlan: Sendable {
  package struct Arm: Sendable {
    package var name: String
    /// Its differences from the base in the form of a file, such as `policy.minimumInterval: 3 h`.
    package var settings: [String]
    package var prototype: any PolicyArm
  }

  /// The required half width of the interval of a difference.
  package struct Precision: Hashable, Sendable {
    /// The index of the metric.
    package var metric: Int
    package var halfWidth: Double
  }

  /// The number of people.
  package struct Budget: Hashable, Sendable {
    /// The number of people before the first evaluation.
    package var least: Int64
    package var most: Int64
  }

  package var title: String
  package var question: String
  /// The path of the file on the command line.
  package var file: String
  /// The name of the population, such as `popcap-1`.
  package var population: String
  /// The recordings that the days of its people come from; empty if the days are drawn.
  package var origins: [String] = []
  /// Equal for two experiments whose parts can be added.
  package var identity: UInt64
  package var seed: UInt64
  package var watch: ObservationPeriod
  package var types: [String]
  /// The base is the first element.
  package var arms: [Arm]
  package var isGrid: Bool
  package var metrics: [PeopleMetric]
  package var gates: [PeopleGate]
  /// If empty, the experiment plays its whole budget.
  package var precision: [Precision]
  package var budget: Budget
  package var sensitivity: SensitivityPlan?

  /// Sums over no people.
  package var nobody: ExperimentSums {
    ExperimentSums(arms: arms.count, metrics: metrics.count, types: types.count)
  }
}

/// How long each person of an experiment is observed.
///
/// Only notifications that are shown within the days count, with responses within the follow-up. After the
/// days the simulation continues for the follow-up, and counts nothing that begins then. Trials do the same:
/// they stop recruiting, but still follow the last participants. Without the follow-up, the tap-through would
/// be lower in shorter experiments.
package struct ObservationPeriod: Hashable, Sendable {
  package var days: Int
  /// The time after exposure in which a response counts.
  package var followUp: TimeSpan

  /// The default follow-up: as long as a person of tap-v1 may take to respond. Others chose 2 h (Duolingo,
  /// KDD 2020) or 1 h (Drink Less, Bell 2023); 24 h is the window of Bidargaddi 2018.
  package static let defaultFollowUp = TimeSpan.hours(24)

  package init(days: Int, followUp: TimeSpan = defaultFollowUp) {
    self.days = days
    self.followUp = followUp
  }
}

/// An assumed parameter of a population's model, with the range of its plausible values.
package struct Assumption: Hashable, Sendable {
  package var name: String
  /// A description in one line.
  package var meaning: String
  /// The default value in millionths.
  package var standard: Int64
  /// The range of the sensitivity analysis in millionths.
  package var range: ClosedRange<Int64>
  /// The unit for display: `%` for shares, empty for plain numbers.
  package var unit = "%"
  package var evidence: TapConstant.Evidence
  package var source: String
}

/// A sensitivity analysis: each assumption at both ends of its range, and random draws of all assumptions
/// together.
package struct SensitivityPlan: Sendable {
  package var assumptions: [Assumption]
  /// The index of the examined variant among the arms.
  package var variant: Int
  /// The index of the metric.
  package var metric: Int
  /// The number of people for each value.
  package var people: Int64
  /// The number of random draws of all assumptions.
  package var draws: Int
  package var seed: UInt64
  /// Returns the base and the variant with values for all assumptions, or `nil` if the values are invalid.
  package var arms: @Sendable ([Int64]) -> [any PolicyArm]?
}

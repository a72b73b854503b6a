package import PersonModel

/// A number that a population's model takes for granted, and what else it might be.
package struct Assumption: Hashable, Sendable {
  package var name: String
  /// What it says, in a line.
  package var meaning: String
  /// In millionths.
  package var standard: Int64
  /// Which values a sweep tries, in millionths.
  package var range: ClosedRange<Int64>
  /// Of the value as it is shown; `%` for shares, empty for a plain number.
  package var unit: String
  package var evidence: TapConstant.Evidence
  package var source: String

  package init(
    _ name: String, _ meaning: String, standard: Int64, range: ClosedRange<Int64>,
    unit: String = "%", evidence: TapConstant.Evidence, source: String
  ) {
    self.name = name
    self.meaning = meaning
    self.standard = standard
    self.range = range
    self.unit = unit
    self.evidence = evidence
    self.source = source
  }
}

/// What is tried with the assumptions of a population: each at both ends of its range, and all of them at once.
package struct SensitivityPlan: Sendable {
  package var assumptions: [Assumption]
  /// Which variant is looked at, by its position among the arms.
  package var variant: Int
  /// Which of the metrics.
  package var metric: Int
  /// People who are played for each value.
  package var people: Int64
  /// How often all assumptions are drawn from their ranges.
  package var draws: Int
  package var seed: UInt64
  /// The base and the variant with these values of all assumptions, in their order; nil where they cannot be.
  package var arms: @Sendable ([Int64]) -> [any PolicyArm]?

  package init(
    assumptions: [Assumption], variant: Int, metric: Int, people: Int64 = 2_000, draws: Int = 100,
    seed: UInt64, arms: @escaping @Sendable ([Int64]) -> [any PolicyArm]?
  ) {
    self.assumptions = assumptions
    self.variant = variant
    self.metric = metric
    self.people = people
    self.draws = draws
    self.seed = seed
    self.arms = arms
  }
}

/// An experiment that can be run: everything is resolved, and nothing is left to be wrong.
package struct ExperimentPlan: Sendable {
  package struct Arm: Sendable {
    package var name: String
    /// What it sets that the base does not, as a file writes it: `policy.minimumInterval: 3 h`.
    package var settings: [String]
    package var prototype: any PolicyArm

    package init(name: String, settings: [String], prototype: any PolicyArm) {
      self.name = name
      self.settings = settings
      self.prototype = prototype
    }
  }

  /// How narrow the interval of a difference is to be.
  package struct Precision: Hashable, Sendable {
    /// The position among the metrics.
    package var metric: Int
    package var halfWidth: Double

    package init(metric: Int, halfWidth: Double) {
      self.metric = metric
      self.halfWidth = halfWidth
    }
  }

  /// How many people may take part.
  package struct Budget: Hashable, Sendable {
    /// Before the first look.
    package var least: Int64
    package var most: Int64

    package init(least: Int64, most: Int64) {
      self.least = least
      self.most = most
    }
  }

  package var title: String
  package var question: String
  /// The file as it was named.
  package var file: String
  /// `popcap-1`
  package var population: String
  /// Of which recordings the days of its people are; empty: they are drawn.
  package var origins: [String]
  /// The same for two experiments of which parts can be added up.
  package var identity: UInt64
  package var seed: UInt64
  package var watch: Watch
  package var types: [String]
  /// The base first.
  package var arms: [Arm]
  package var isGrid: Bool
  package var metrics: [PeopleMetric]
  package var gates: [PeopleGate]
  /// None: all of the budget is spent.
  package var precision: [Precision]
  package var budget: Budget
  package var sensitivity: SensitivityPlan?

  package init(
    title: String, question: String, file: String, population: String, origins: [String] = [],
    identity: UInt64, seed: UInt64,
    watch: Watch,
    types: [String], arms: [Arm], isGrid: Bool, metrics: [PeopleMetric], gates: [PeopleGate],
    precision: [Precision], budget: Budget, sensitivity: SensitivityPlan?
  ) {
    self.title = title
    self.question = question
    self.file = file
    self.population = population
    self.origins = origins
    self.identity = identity
    self.seed = seed
    self.watch = watch
    self.types = types
    self.arms = arms
    self.isGrid = isGrid
    self.metrics = metrics
    self.gates = gates
    self.precision = precision
    self.budget = budget
    self.sensitivity = sensitivity
  }

  /// The sums of nobody.
  package var nobody: ExperimentSums {
    ExperimentSums(arms: arms.count, metrics: metrics.count, types: types.count)
  }
}

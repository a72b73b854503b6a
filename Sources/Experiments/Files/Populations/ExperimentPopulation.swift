package import TextFormats

/// People for an experiment.
///
/// Sections such as `policy`, in the form of a file, hold everything that a policy can change. A variant, a
/// point of a grid, `--set` and a varied assumption are all settings that are laid over the sections of the
/// base.
package protocol ExperimentPopulation: Sendable {
  /// The name that experiment files use.
  var name: String { get }
  var types: [String] { get }
  /// The metrics of an experiment that lists none.
  var metrics: [PeopleMetric.Kind] { get }
  /// The sections that settings are laid over, with the population's own values.
  var sections: [Node.Entry] { get }
  /// The assumptions. Each is a setting of the section `person`.
  var assumptions: [Assumption] { get }
  /// The random seed, if the experiment has none.
  var defaultSeed: UInt64 { get }
  /// The number of days, if the experiment has none.
  var defaultDays: Int { get }
  /// The default numbers of people per value of an assumption, and of draws of all assumptions. They take
  /// about a minute.
  var defaultSensitivity: (people: Int, draws: Int) { get }

  /// The recordings that the days of its people come from; empty if the days are drawn.
  var origins: [String] { get }

  /// Reads sections.
  ///
  /// - Returns: The policy, or `nil` after reporting an error to the reader.
  func read(_ sections: [Node.Entry], seed: UInt64, watch: ObservationPeriod, _ reader: Reader) -> ReadPolicy?
}

extension ExperimentPopulation {
  package var origins: [String] { [] }
}

/// A policy that has been read from sections and can be played.
package struct ReadPolicy {
  package var arm: any PolicyArm
  /// Equal for two policies that do not differ.
  package var identity: JSONValue
}

/// Finds populations by name.
package struct PopulationCatalogue: Sendable {
  /// The built-in populations.
  package var named: [any ExperimentPopulation] = [WorkloadPopulation.popcap1]
  /// Returns the population in a file relative to the experiment, or `nil` if there is no such file.
  package var inFile: @Sendable (String) throws(Diagnostic) -> (any ExperimentPopulation)? = { _ in nil }
}

package import TextFormats

/// The people of an experiment.
///
/// Everything that a policy can change is in sections such as `policy`, in file form. Variants, grid points,
/// `--set` and varied assumptions are settings that override the sections of the base.
package protocol ExperimentPopulation: Sendable {
  /// The name that experiment files use.
  var name: String { get }
  /// A hash of the population without the changes of an experiment.
  var digest: UInt64 { get }
  var types: [String] { get }
  /// The default metrics of an experiment.
  var metrics: [PeopleMetric.Kind] { get }
  /// The sections with the population's own values. Settings override them.
  var sections: [Node.Entry] { get }
  /// The assumptions. Each is a setting in the section `person`.
  var assumptions: [Assumption] { get }
  /// The default random seed of an experiment.
  var defaultSeed: UInt64 { get }
  /// The default number of days of an experiment.
  var defaultDays: Int { get }
  /// The default number of people for each value of an assumption, and the default number of draws. With these
  /// numbers, a sensitivity analysis takes about a minute.
  var defaultSensitivity: (people: Int, draws: Int) { get }

  /// The recordings from which the people's days are taken. The array is empty if the days are drawn.
  var origins: [String] { get }

  /// Reads the sections of a policy.
  ///
  /// - Returns: The policy, or `nil` after reporting an error to the reader.
  func read(_ sections: [Node.Entry], seed: UInt64, watch: ObservationPeriod, _ reader: Reader) -> ReadPolicy?
}

extension ExperimentPopulation {
  package var origins: [String] { [] }
}

/// A playable policy, read from sections.
package struct ReadPolicy {
  package var arm: any PolicyArm
  /// An identity that is equal for equal policies.
  package var identity: JSONValue
  /// The policy's own values of the population's assumptions, in millionths and in their order.
  package var assumptions: [Int64]
  /// The sections `policy` and `person` with all values that are not defaults of the person model.
  package var resolved: [Node.Entry]

  /// The resolved sections in file form, with one line for each setting.
  var lines: [Configuration.Line] { Setting.words(resolved).map { Configuration.Line($0) } }
}

/// The populations that an experiment can name.
package struct PopulationCatalogue: Sendable {
  /// The built-in populations.
  package var named: [any ExperimentPopulation] = [WorkloadPopulation.popcap1]
  /// Returns the population in a file relative to the experiment, or `nil` if there is no such file.
  package var inFile: @Sendable (String) throws(Diagnostic) -> (any ExperimentPopulation)? = { _ in nil }
}

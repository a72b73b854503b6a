package import TextFormats

/// People that an experiment can be made with.
///
/// What a policy can change of them is said in sections, as a file has them: `policy`, and what else there is.
/// A variant, a point of a grid, `--set` and a swept assumption are all the same: settings laid over the sections
/// of the base, and read anew.
package protocol ExperimentPopulation: Sendable {
  /// By which files call it.
  var name: String { get }
  var types: [String] { get }
  /// What experiments measure where they do not say.
  var metrics: [PeopleMetric.Kind] { get }
  /// The sections that settings are laid over, with all that the population says itself.
  var sections: [Node.Entry] { get }
  /// Each is set under `person` by its name.
  var assumptions: [Assumption] { get }
  /// Of everybody's luck, where an experiment does not say.
  var standardSeed: UInt64 { get }
  /// How many days, where a file does not say.
  var standardDays: Int { get }
  /// For how many people each assumption is tried, and how often all of them are drawn, where a file does not say:
  /// as many as take a minute.
  var standardSensitivity: (people: Int, draws: Int) { get }

  /// Of which recordings the days of its people are; empty: they are drawn.
  var origins: [String] { get }

  /// Reads sections.
  ///
  /// - Returns: Nil after the reader has been told what is wrong.
  func read(_ sections: [Node.Entry], seed: UInt64, watch: Watch, _ reader: Reader) -> ReadPolicy?
}

extension ExperimentPopulation {
  package var origins: [String] { [] }
}

/// What sections say: a policy that can be played.
package struct ReadPolicy {
  package var arm: any PolicyArm
  /// The same for two policies that differ in nothing.
  package var identity: JSONValue

  package init(arm: any PolicyArm, identity: JSONValue) {
    self.arm = arm
    self.identity = identity
  }
}

/// Finds populations by what files call them.
package struct PopulationCatalogue: Sendable {
  /// Those with names of their own.
  package var named: [any ExperimentPopulation]
  /// Finds one in a file beside the experiment; nil: there is no such file.
  package var inFile: @Sendable (String) throws(Diagnostic) -> (any ExperimentPopulation)?

  package init(
    named: [any ExperimentPopulation] = [WorkloadPopulation.popcap1],
    inFile: @escaping @Sendable (String) throws(Diagnostic) -> (any ExperimentPopulation)? = { _ in nil }
  ) {
    self.named = named
    self.inFile = inFile
  }
}

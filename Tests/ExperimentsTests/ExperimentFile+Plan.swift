import TextFormats

@testable import Experiments

extension ExperimentFile.Outcome {
  /// Returns the plan. Throws an error with the problems if the file is unusable.
  func get() throws -> ExperimentPlan {
    switch self {
    case .plan(let plan, _): return plan
    case .unusable(let problems):
      throw UnusableExperiment(description: problems.map(\.summary).joined(separator: "\n"))
    }
  }
}

/// The problems of an experiment file.
struct UnusableExperiment: Error, CustomStringConvertible {
  var description: String
}

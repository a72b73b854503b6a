package import TestBench

/// With what a run of scenarios ends.
package enum RunVerdict: Hashable, Sendable {
  /// Everything is as the files say.
  case passed
  /// A file cannot be used, or the accounts of a run do not close.
  case failed
  /// An expectation failed and was not written anew, or a gate killed.
  case refuted
  /// A gate was to decide, and did not.
  case inconclusive

  /// - Parameters:
  ///   - updated: How many expectations were written anew.
  ///   - requiresGates: Every gate is to decide.
  package init(_ suite: SuiteResult, updated: Int = 0, requiresGates: Bool = false) {
    if suite.hasContradictions || suite.hasInvalidFiles {
      self = .failed
    } else if suite.isKilled || updated < suite.failedExpectations {
      self = .refuted
    } else {
      self = requiresGates && !suite.openGates.isEmpty ? .inconclusive : .passed
    }
  }
}

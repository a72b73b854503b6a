import ScenarioModel
import Simulation

/// What becomes of the failed expectations of a whole suite that are written anew.
package struct ExpectationUpdate: Sendable {
  /// How many were.
  package private(set) var count = 0
  /// What its author is told of each file, and of each expectation.
  package private(set) var lines: [String] = []

  /// Writes the files of all scenarios of which an expectation failed.
  package init(
    of suite: SuiteResult, _ options: Suite.Options, stopwatch: @escaping @Sendable () -> UInt64
  ) {
    for scenario in suite.scenarios {
      let failed = scenario.failedExpectations
      if failed == 0 { continue }
      let file = scenario.program.scenario.file
      switch ExpectationUpdater(scenario, options).write(stopwatch: stopwatch) {
      case .refused(let why): lines.append("\(file): not updated: \(why)")
      case .updated(let changes):
        let left = changes.count == failed ? "" : "; the others are for you to write"
        lines.append(
          "\(file): updated \(changes.count) of \(failed) failed expectations\(left); review the difference")
        lines += changes.map { "  \($0.line): - \($0.before)\n  \($0.line): + \($0.after)" }
        count += changes.count
      }
    }
  }
}

import PersonModel
import ScenarioModel
package import Statistics
package import TestBench
import TextFormats

/// The result of running a suite, from which all renderings are made.
package struct Report: Sendable {
  /// The version of the JSON document. A version may gain keys, but never loses or changes one.
  package static let formatVersion = 2

  package var suite: SuiteResult
  /// The command that makes this report again, without the path of the executable, the number of jobs and the
  /// output folder.
  package var command: String
  package var versions: Versions

  /// The versions that, in addition to the files, affect the result.
  package struct Versions: Hashable, Sendable {
    package var tool: String
    package var timeZoneData: String
    package var geos: String
    /// The command of the engine under test, or `nil` for the built-in engine.
    package var engine: String?

    package init(tool: String, timeZoneData: String, geos: String, engine: String? = nil) {
      self.tool = tool
      self.timeZoneData = timeZoneData
      self.geos = geos
      self.engine = engine
    }
  }

  package init(suite: SuiteResult, command: String, versions: Versions) {
    self.suite = suite
    self.command = command
    self.versions = versions
  }

  /// Whether a person model responds to notifications in at least one scenario.
  var isModelled: Bool { suite.scenarios.contains(where: \.isModelled) }

  /// One or two sentences about the source of responses and the definition of the tap-through rate.
  var responses: String {
    "Responses are declared: the scenario states them. Tap-through is tapped ÷ exposed, as a banner or in the list"
      + " only. It counts reminders whose responses (tap, dismiss, ignore) the scenario states."
      + (isModelled
        ? " Where a scenario has a person of the model \(TapModel.name), the model supplies the other responses,"
          + " and figures that depend on them are assumed." : "")
  }

  package enum Verdict: String, Sendable {
    case passed, failed
    /// A file is unusable.
    case invalid
  }

  package var verdict: Verdict {
    if suite.hasInvalidFiles { return .invalid }
    return suite.allPassed ? .passed : .failed
  }

  /// The sum over all scenarios.
  package var total: ReminderAccount {
    suite.scenarios.reduce(into: ReminderAccount()) { $0.add($1.accounts.total) }
  }

  /// All scenarios, failed ones first.
  var failedFirst: [ScenarioResult] {
    suite.scenarios.filter { !$0.passed } + suite.scenarios.filter(\.passed)
  }

  package var failedScenarios: Int { suite.scenarios.count { !$0.passed } }
  package var passedScenarios: String {
    "\(suite.scenarios.count - failedScenarios) of \(suite.scenarios.count) scenarios"
  }
  package var passedExpectations: String {
    "\(expectationCount - suite.failedExpectations) of \(expectationCount) expectations"
  }
  package var expectationCount: Int { suite.scenarios.reduce(0) { $0 + $1.expectations.count } }

  /// The names of the gates that kill only on pooled data, as text to append to the counts of passed
  /// scenarios.
  var killedTogether: String {
    let names = suite.gates.filter(\.killsTogether).map { Printable.text($0.gate.name) }
    return names.isEmpty ? "" : "; together they kill gates: " + names.joined(separator: ", ")
  }
}

/// The verdict of a run, which determines the exit code.
package enum RunVerdict: Hashable, Sendable {
  case passed
  /// A file is unusable, or the accounts of a run contradict each other.
  case failed
  /// An expectation failed and was not updated, or the verdict of a gate is kill.
  case refuted
  /// A gate is inconclusive, and `--require-gates` demands a verdict.
  case inconclusive

  /// - Parameters:
  ///   - updated: The number of failed expectations that were rewritten in their files.
  ///   - requiresGates: Whether an inconclusive gate makes the run inconclusive.
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

import PersonModel
import ScenarioModel
package import Statistics
package import TestBench
import TextFormats

/// What a run of a suite found: the one model behind every rendering.
package struct Report: Sendable {
  /// The version of the JSON document. A reader may rely on everything that its schema says; keys are
  /// only ever added within a version.
  package static let formatVersion = 2

  package var suite: SuiteResult
  /// The command that makes this report again, without the executable's path, jobs and output folder.
  package var command: String
  package var versions: Versions

  /// What has an influence on the result besides the files.
  package struct Versions: Hashable, Sendable {
    package var tool: String
    package var timeZoneData: String
    package var geos: String
    /// The command of the engine under test; nil: the built-in one, which is of the tool's version.
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

  /// Whether a model answers notifications in any of the scenarios.
  var isModelled: Bool { suite.scenarios.contains(where: \.isModelled) }

  /// The denominator of tap-through, for every page.
  var responses: String {
    "Responses are declared: the scenario states them. Tap-through is tapped ÷ exposed, as a banner or in the list"
      + " only, of the reminders of which the scenario says who taps, dismisses or ignores them."
      + (isModelled
        ? " Where a scenario has a person of the model \(TapModel.name), the model answers the others: what rests on"
          + " it is assumed." : "")
  }

  package enum Verdict: String, Sendable {
    case passed, failed
    /// A file could not be used.
    case invalid
  }

  package var verdict: Verdict {
    if suite.hasInvalidFiles { return .invalid }
    return suite.allPassed ? .passed : .failed
  }

  /// All scenarios together.
  package var total: ReminderAccount {
    suite.scenarios.reduce(into: ReminderAccount()) { $0.add($1.accounts.total) }
  }

  package var expectationCount: Int { suite.scenarios.reduce(0) { $0 + $1.expectations.count } }
  package var failedExpectations: Int { suite.failedExpectations }
  /// What is to be said behind the count of scenarios that passed: the gates that none of them need kill alone.
  var killedTogether: String {
    let names = suite.gates.filter(\.killsTogether).map { Printable.text($0.gate.name) }
    return names.isEmpty ? "" : "; together they kill gates: " + names.joined(separator: ", ")
  }
  package var failedScenarios: Int { suite.scenarios.count { !$0.passed } }
}

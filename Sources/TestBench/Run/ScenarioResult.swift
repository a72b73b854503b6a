import CivilTime
import Geofencing
import ScenarioModel
package import Simulation
package import Statistics
package import TextFormats

/// The result of one scenario, as reports use it.
package struct ScenarioResult: Sendable {
  package var program: Program
  package var accounts: RunAccounts
  /// The title of each notification as shown.
  package var texts: ShownTexts
  /// The fires and all other outcomes, in chronological order.
  package var chronology: Chronology
  package var expectations: [ExpectationResult]
  /// The gates, in the order of the scenario.
  package var gates: [GateResult]
  /// The warnings about the scenario file.
  package var warnings: [Diagnostic]
  /// The analytics events, or `nil` if the scenario declares no analytics.
  package var analytics: AnalyticsLog?
  /// The contents of each list named in an expectation, in the order of the expectations.
  package var views: [ShownView] = []
  /// The reason why the run stopped early, or `nil` if it was complete. A run stops early if it exceeds its
  /// budget or if a recording has changed. All other properties are then meaningless.
  package var overrun: Diagnostic?

  /// Whether a person model responds to notifications. If not, the scenario states all responses.
  package var isModelled: Bool { program.scenario.person != nil }

  /// The number of failed expectations.
  package var failedExpectations: Int { expectations.count { !$0.passed } }

  package var passed: Bool {
    accounts.contradictions.isEmpty && expectations.allSatisfy(\.passed) && !gates.contains(where: \.fails)
  }
}

/// The outcome of one file of a suite.
package enum FileOutcome: Sendable {
  case ran(ScenarioResult)
  /// The file is unusable.
  case invalid([Diagnostic])
  /// The file is not a scenario and does not claim to be one.
  case otherKind

  /// Creates the outcome of a run. A run that stopped early makes its file invalid.
  init(_ result: ScenarioResult) {
    self = result.overrun.map { .invalid([$0]) } ?? .ran(result)
  }
}

/// The result of a suite, in the order of its files.
package struct SuiteResult: Sendable {
  package let files: [(path: String, outcome: FileOutcome)]
  /// The gates of all scenarios. Equal gates of several scenarios are judged by their combined counts.
  package let gates: [GateResult]

  package init(files: [(path: String, outcome: FileOutcome)]) {
    self.files = files
    gates = SuiteGates.judge(Self.scenarios(of: files))
  }

  package var scenarios: [ScenarioResult] { Self.scenarios(of: files) }

  private static func scenarios(of files: [(path: String, outcome: FileOutcome)]) -> [ScenarioResult] {
    files.compactMap { if case .ran(let result) = $0.outcome { result } else { nil } }
  }

  package var diagnostics: [Diagnostic] {
    files.flatMap {
      if case .invalid(let diagnostics) = $0.outcome { diagnostics } else { [] as [Diagnostic] }
    }
  }

  package var otherFiles: Int {
    files.count { if case .otherKind = $0.outcome { true } else { false } }
  }

  package var hasInvalidFiles: Bool { !diagnostics.isEmpty }
  /// The number of failed expectations in all scenarios.
  package var failedExpectations: Int { scenarios.reduce(0) { $0 + $1.failedExpectations } }
  package var allPassed: Bool { scenarios.allSatisfy(\.passed) && !isKilled }
  /// Whether a gate fails the run, in one scenario or by the combined counts of several.
  package var isKilled: Bool {
    gates.contains(where: \.fails) || scenarios.contains { $0.gates.contains(where: \.fails) }
  }
  /// The inconclusive gates, except those that a scenario expects to be inconclusive. Equal gates of several
  /// scenarios are judged by their combined counts.
  package var openGates: [GateResult] { gates.filter(\.isOpen) }
  /// Whether the accounts of a scenario contradict each other. A contradiction indicates a defect of the
  /// bench or of the engine, even if all expectations pass.
  package var hasContradictions: Bool { scenarios.contains { !$0.accounts.contradictions.isEmpty } }
}

/// The versions of external data and libraries that affect results.
package enum BenchVersions {
  package static var timeZoneData: String { Zone.dataVersion }
  package static var geos: String { GEOSVersion.text }
}
